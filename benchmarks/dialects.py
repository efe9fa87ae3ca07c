"""How frameworks, servers and shells say the same: variations of a transcript in which every call does and shows what
it did (see `variations`)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, TypeAlias

Transcript: TypeAlias = dict[str, Any]
Event: TypeAlias = dict[str, Any]

_CALLS = frozenset({"call", "proposed", "confirm"})
_SHELLS = frozenset({"shell", "Bash", "execute"})
_SHARE = 0.6  # of the calls that may be written otherwise, those that are

_NAMES: tuple[Mapping[str, Mapping[str, str]], ...] = (
    {  # Claude Code
        "read_file": {"": "Read", "path": "file_path"},
        "write_file": {"": "Write", "path": "file_path"},
        "edit_file": {"": "Edit", "path": "file_path", "old": "old_string", "new": "new_string"},
        "glob": {"": "Glob"},
        "grep": {"": "Grep"},
        "shell": {"": "Bash"},
    },
    {  # deepagents
        "read_file": {"": "read_file", "path": "file_path"},
        "write_file": {"": "write_file", "path": "file_path"},
        "edit_file": {"": "edit_file", "path": "file_path", "old": "old_string", "new": "new_string"},
        "list_dir": {"": "ls"},
        "shell": {"": "execute"},
    },
    {  # the reference server for files
        "read_file": {"": "mcp__filesystem__read_text_file"},
        "write_file": {"": "mcp__filesystem__write_file"},
        "list_dir": {"": "mcp__filesystem__list_directory"},
    },
)
"""Neutral tool -> its name elsewhere under "", and the names of arguments that differ."""

_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "Bash": {"description": "Run it", "timeout": 120_000},
    "Edit": {"replace_all": False},
    "Read": {"limit": 2_000},
}
"""Arguments that models add and that change nothing."""


def calls_of(transcript: Transcript) -> Iterator[Event]:
    """The events that name a tool and its arguments."""
    return (event for turn in transcript["turns"] for event in turn["events"] if event["type"] in _CALLS)


def renamed(transcript: Transcript, chance: Random) -> Transcript | None:
    """The neutral tools as another framework calls them, where neither words nor configuration name them."""
    tools = chance.choice(_NAMES)
    words = " ".join(_words(transcript))
    used = {call["tool"] for call in calls_of(transcript)} & tools.keys()
    if not used or any(name in words for name in used):
        return None
    for call in calls_of(transcript):
        names = tools.get(call["tool"])
        if names is not None and not {"offset", "limit"} & call["args"].keys():
            call["tool"] = names[""]
            call["args"] = {names.get(key, key): value for key, value in call["args"].items()}
    return transcript


def _words(transcript: Transcript) -> Iterator[str]:
    yield repr(transcript.get("gate", {}))
    yield str(transcript.get("system", ""))
    for turn in transcript["turns"]:
        yield turn["prompt"]
        yield from (repr([event.get("text"), event.get("parts")]) for event in turn["events"])


def with_defaults(transcript: Transcript, chance: Random) -> Transcript | None:
    """Arguments written out that have these values anyway."""
    given = [call for call in calls_of(transcript) if call["tool"] in _DEFAULTS and call["type"] == "call"]
    chosen = [call for call in given if chance.random() < _SHARE]
    for call in chosen:
        call["args"] = {**_DEFAULTS[call["tool"]], **call["args"]}
    return transcript if chosen else None


def run_otherwise(transcript: Transcript, chance: Random) -> Transcript | None:
    """Commands with what people put around them: the folder, a setting, a note, another shell."""
    given = [call for call in calls_of(transcript) if call["tool"] in _SHELLS and call["type"] == "call"]
    chosen = [call for call in given if isinstance(call["args"].get("command"), str) and chance.random() < _SHARE]
    for call in chosen:
        command, folder = call["args"]["command"], call.get("cwd") or "."
        call["args"] = {**call["args"], "command": chance.choice(_RUNS)(command, folder)}
    return transcript if chosen else None


_RUNS: tuple[Callable[[str, str], str], ...] = (
    lambda command, folder: f"cd {shlex.quote(folder)} && {command}",
    lambda command, folder: f"# as asked\n{command}",
    lambda command, folder: f"bash -lc {shlex.quote(command)}",
    lambda command, folder: f"export CI=1; {command}",
    lambda command, folder: f"set -e\n{command}",
    lambda command, folder: f"{command}\n",
)


def written_otherwise(transcript: Transcript, chance: Random) -> Transcript | None:
    """Results in another form: texts as content blocks or as the whole answer of a server, with the line ends of
    Windows or coloured, objects as JSON or as Python prints them."""
    calls = [event for event in calls_of(transcript) if event["type"] == "call" and event.get("result")]
    chosen = [event for event in calls if chance.random() < _SHARE]
    for event in chosen:
        result = event["result"]
        if isinstance(result, dict):
            event["result"] = json.dumps(result) if chance.random() < 0.5 else str(result)
        elif isinstance(result, str) and event["tool"] in _SHELLS:
            event["result"] = chance.choice(_TERMINALS)(result)
        elif isinstance(result, str):
            event["result"] = chance.choice(_WRAPPINGS)(result)
    return transcript if chosen else None


_TERMINALS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    lambda text: f"\x1b[1m{text}\x1b[0m",
    lambda text: f"{text}\n",
)
_WRAPPINGS: tuple[Callable[[str], Any], ...] = (
    lambda text: [{"type": "text", "text": text}],
    lambda text: {"content": [{"type": "text", "text": text}], "isError": False},
)
