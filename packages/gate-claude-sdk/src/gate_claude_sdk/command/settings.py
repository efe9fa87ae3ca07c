"""The gate's hooks in a settings.json of Claude Code: put in beside what is there, taken out without a trace."""

from __future__ import annotations

import json
import os
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from gate_claude_sdk.command import guarded
from gate_claude_sdk.command.fold import parsed_config
from gate_claude_sdk.plugin.scripts import spool
from gate_core import GateConfig, GateUserError

SPOOLED: dict[str, tuple[str, ...]] = {
    "SessionStart": ("--serve",),
    "UserPromptSubmit": ("--serve",),
    "PostToolUse": (),
    "PostToolUseFailure": (),
    "PostToolBatch": (),
    "SessionEnd": ("--end",),
}
"""Events that are only recorded, and what `start.py` does besides."""

DECIDED = ("Stop", "ConfigChange")
"""Events that are decided about, besides PreToolUse."""


def install(*, user: bool, project: bool, config: str = "") -> Path:
    """Put the gate's hooks into the settings; doing it twice is doing it once.

    Raises:
        ConfigError: the configuration file is wrong.
        GateUserError: the settings cannot be read as JSON, or the request contradicts itself.
        OSError: a file cannot be read or written.
    """
    path = settings_path(user=user, project=project)
    pinned = os.path.abspath(config) if config else ""
    admits = _configured(pinned).admits
    settings = _read(path)
    before = json.dumps(settings)
    _take_out(settings)
    hooks = settings.setdefault("hooks", {})
    for event, group in groups(pinned, admits=admits).items():
        hooks.setdefault(event, []).append(group)
    if json.dumps(settings) != before:
        _write(path, settings)
    guarded.record((*guarded.installed(), os.path.realpath(path)))
    return path


def uninstall(*, user: bool, project: bool) -> Path:
    """Take the gate's hooks out of the settings and leave everything else.

    Raises:
        GateUserError: called from within Claude Code, or the settings cannot be read as JSON.
        OSError: a file cannot be read or written.
    """
    if os.environ.get("CLAUDECODE"):
        raise GateUserError("uninstall: expected a terminal of your own, and this is a command Claude Code runs")
    path = settings_path(user=user, project=project)
    guarded.record(tuple(known for known in guarded.installed() if known != os.path.realpath(path)))
    if path.is_file():
        settings = _read(path)
        before = json.dumps(settings)
        _take_out(settings)
        if json.dumps(settings) != before:
            _write(path, settings)
    return path


def settings_path(*, user: bool, project: bool) -> Path:
    """The settings file that is meant: the user's unless the project's is asked for.

    Raises:
        GateUserError: both are asked for.
    """
    if user and project:
        raise GateUserError("expected --user or --project, got both")
    if project:
        return Path.cwd() / ".claude" / "settings.json"
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "settings.json"


def groups(config: str = "", *, admits: bool = False) -> dict[str, dict[str, Any]]:
    """The matcher group of every event. Paths are absolute, and Python starts isolated from the project (-I)."""
    script, package = Path(spool.__file__).with_name("start.py"), Path(__file__).parent
    start = [sys.executable, "-I", "-S", str(script)]
    hook = [sys.executable, "-I", str(package / "__main__.py"), "hook"]
    pinned = [f"--config={config}"] if config else []
    found = {event: _group([*start, *pinned, *SPOOLED[event], *hook]) for event in SPOOLED}
    found |= {event: _group([*start, "--decide", *hook]) for event in DECIDED}
    found["PreToolUse"] = {**_group([*start, "--decide", *hook]), "matcher": "*" if admits else "StructuredOutput"}
    return found


def _group(command: list[str]) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": shlex.join(command)}]}


def _configured(path: str) -> GateConfig:
    if not path:
        return GateConfig()
    return parsed_config(Path(path).read_text(encoding="utf-8"))


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise GateUserError(f"{path}: expected JSON, nothing was changed: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("hooks", {}), dict):
        raise GateUserError(f"{path}: expected an object with an object 'hooks'; nothing was changed")
    return found


def _take_out(settings: dict[str, Any]) -> None:
    hooks = settings.get("hooks", {})
    for event in list(hooks):
        if not isinstance(hooks[event], list) or not any(map(guarded.is_ours, hooks[event])):
            continue
        kept = [group for group in map(_without_ours, hooks[event]) if group]
        if kept:
            hooks[event] = kept
        else:
            del hooks[event]
    if not hooks:
        settings.pop("hooks", None)


def _without_ours(group: Any) -> Any:
    """The group without the gate's command; None when nothing is left of it."""
    if not guarded.is_ours(group):
        return group
    kept = [hook for hook in group["hooks"] if not guarded.is_ours({"hooks": [hook]})]
    return {**group, "hooks": kept} if kept else None


def _write(path: Path, settings: dict[str, Any]) -> None:
    """Replace the file as a whole; who may read it stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    target = path.resolve()  # a link stays a link
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".settings-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(settings, file, indent=2, ensure_ascii=False)
            file.write("\n")
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
