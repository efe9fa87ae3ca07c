"""What a shell tool was given: its command, and the folder it starts in."""

from __future__ import annotations

import re

from gate_core.footprint.targets import lookup, path_target
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.profile import ToolProfile

_FOLDERS = ("cwd", "workdir", "working_directory", "action.working_directory", "action.cwd")


def folder_of(call: ToolCall, config: GateConfig) -> str:
    """The folder a command starts in: the call's, or the one its arguments name."""
    for name in _FOLDERS:
        told = lookup(call.args, name)
        if isinstance(told, str) and told.strip():
            return path_target(told, cwd=call.cwd, config=config)
    return call.cwd


def command_text(profile: ToolProfile, call: ToolCall) -> str | None:
    """The command of a call: a text, the words of one command, or several commands one after the other."""
    command = lookup(call.args, profile.command_arg)
    if isinstance(command, list | tuple) and all(isinstance(word, str) for word in command):
        words = [str(word) for word in command]
        if profile.command_arg.endswith("commands"):
            return "\n".join(words)
        if len(words) >= 3 and words[0].rpartition("/")[2] in ("bash", "sh", "zsh") and words[1] in ("-c", "-lc"):
            return words[2]
        return " ".join(_quoted(word) for word in words)
    return command if isinstance(command, str) else None


def _quoted(word: str) -> str:
    if re.fullmatch(r"[\w@%+=:,./-]+", word):
        return word
    quoted = word.replace("'", "'\"'\"'")
    return f"'{quoted}'"
