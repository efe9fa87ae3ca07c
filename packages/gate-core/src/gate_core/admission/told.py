"""Commands that a message spells out: "run `npm uninstall -g x`" asks for what that command does.

The words that tell to run something are data (intents/commands.toml); what a command does is read as for a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.admission.action import proposed
from gate_core.admission.reach import folded
from gate_core.data import load_table
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.grants import Intent, Mood

_MOST_TEXT = 20_000
_MOST = 10  # commands of one message
_LONGEST = 400


def told_to_run(text: str, config: GateConfig, *, turn: int = 0) -> Iterator[Intent]:
    """What the commands do that a message asks to be run."""
    for command in commands_in(text):
        call = ToolCall(tool="shell", args={"command": command})
        for action in proposed(call, config).actions:
            names = () if action.implicit else tuple(folded(name) for name in action.objects)
            yield Intent(mood=Mood.ASKED, family=action.family, objects=names, turn=turn)


def commands_in(text: str) -> tuple[str, ...]:
    """The commands a message asks to be run: in code behind the word for it, or in the rest of its line."""
    found = [m["ticked"] or m["fenced"] or m["bare"] for m in _pattern().finditer(text[:_MOST_TEXT])]
    return tuple(dict.fromkeys(command.strip() for command in found[:_MOST] if command.strip()))


@cache
def _pattern() -> re.Pattern[str]:
    table = load_table("admission", "intents", "commands.toml")
    run, before = "|".join(table["run"]), "|".join(table["before"])
    return re.compile(
        rf"(?:^|[.!\n;:,，。]\s*|\b(?:{before})\s+)(?:{run})\s*"
        rf"(?:[^`\n.]{{0,40}}`(?P<ticked>[^`\n]{{1,{_LONGEST}}})`"
        rf"|[^`\n]{{0,40}}\n```\w*\n(?P<fenced>[^`]{{1,{_LONGEST}}})\n```"
        rf"|\s(?P<bare>[\w./-]+ [^`\n]{{1,200}}?)(?:[.!]?\s*$|[.!]\s|\s+(?:and|please|now)\b))",
        re.IGNORECASE | re.MULTILINE,
    )
