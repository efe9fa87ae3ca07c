"""The gate's own files: what is installed where, and whether something touched it.

Command hooks are advisory against an agent with the same user id. What can be seen is made visible, and a turn in
which the gate's files were touched can only end unverified.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_claude_sdk.plugin.scripts import spool
from gate_core import Json, JsonObject

MARK = "gate_claude_sdk"
"""Stands in every command the gate puts into settings: the folder its scripts lie in."""

PLUGIN = "gate@"
_RECORD = "installed.json"


def installed() -> tuple[str, ...]:
    """The settings files `install` wrote the gate's hooks to."""
    try:
        found = json.loads((_own_folder() / _RECORD).read_bytes())
    except (OSError, ValueError):
        return ()
    return tuple(as_text(path) for path in as_list(found))


def record(paths: tuple[str, ...]) -> None:
    """Remember where the gate's hooks are."""
    folder = _own_folder()
    spool.make_folder(str(folder))
    file = folder / _RECORD
    file.write_text(json.dumps(sorted(set(paths))), encoding="utf-8")
    file.chmod(0o600)


def silences(event: JsonObject) -> bool:
    """True for a ConfigChange after which the gate's hooks would not be called any more."""
    path = as_text(event.get("file_path"))
    try:
        settings = as_object(json.loads(Path(path).read_bytes())) if path else {}
    except FileNotFoundError:
        settings = {}
    except (OSError, ValueError):
        return False  # the CLI does not take over what it cannot read
    if settings.get("disableAllHooks") is True or _disables_plugin(settings):
        return True
    return os.path.realpath(path) in installed() and not has_hooks(settings)


def has_hooks(settings: JsonObject) -> bool:
    """True when the settings still call the gate at Stop and after tools."""
    hooks = as_object(settings.get("hooks"))
    return all(any(map(is_ours, as_list(hooks.get(event)))) for event in ("Stop", "PostToolUse", "PostToolBatch"))


def is_ours(group: Json) -> bool:
    """True for a matcher group that calls the gate."""
    return any(MARK in as_text(as_object(hook).get("command")) for hook in as_list(as_object(group).get("hooks")))


def places() -> tuple[str, ...]:
    """The gate's own files and folders: its state, and settings its hooks are in."""
    return (os.path.realpath(spool.state_folder()), *installed())


def _disables_plugin(settings: JsonObject) -> bool:
    plugins = as_object(settings.get("enabledPlugins"))
    return any(name.startswith(PLUGIN) and on is False for name, on in plugins.items())


def _own_folder() -> Path:
    """Installing is done outside of any plugin, so the record lies in the XDG state folder."""
    home = spool.variable("XDG_STATE_HOME")
    return Path(home if home.startswith("/") else f"{spool.variable('HOME')}/.local/state") / "gate-claude"
