"""`gate tools FILE...`: the tools in conversations, how each is known, and a profile to fill in for the others
(spec 70).

Exit 0 when every tool is known, 1 when one is not, 2 when a file cannot be read or no call was found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from gate_core.cli.configs import load_config
from gate_core.cli.inputs import add_inputs, told_in
from gate_core.cli.show import show_table
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.model.late import late
from gate_core.profiles import Resolved, resolve
from gate_core.transcripts import Problem, Read
from gate_core.transcripts.play import config_of

_KNOWN_BY = {
    "user": "your profile",
    "host": "the host",
    "catalog": "catalog",
    "hint": "MCP annotation",
    "verb": "its name",
    "": "NOT KNOWN",
}
_PLAIN_KEY = late(r"[\w-]+")
_NAMES_A_THING = late(r"(?:^|_)(?:path|file|filename|url|uri|id|key|name)$", re.IGNORECASE)


@dataclass(slots=True)
class Seen:
    """A tool, as it was called."""

    tool: str
    found: Resolved
    calls: int = 0
    arguments: dict[str, None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Json]:
        """The tool as JSON; `stub` only where one is needed."""
        told: dict[str, Json] = {
            "tool": self.tool,
            "calls": self.calls,
            "effect": self.found.profile.effect.value,
            "targets": list(self.found.profile.targets),
            "known_by": self.found.source,
            "arguments": list(self.arguments),
        }
        return {**told, "stub": stub(self)} if self.needs_profile else told

    @property
    def needs_profile(self) -> bool:
        """True for what nobody knows, and for what only its name tells."""
        return self.found.source in ("", "verb")


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    try:
        config = load_config(options.config) if options.config else None
    except ConfigError as error:
        print(f"gate tools: {error}", file=sys.stderr)
        return 2
    seen: dict[tuple[str, str, str], Seen] = {}
    wrong = False
    for item in told_in(options):
        if isinstance(item, Read):
            _note(item, config, seen)
        else:
            wrong = True
            said = item.error if isinstance(item, Problem) else f"{item.file}:{item.line}: {item.why}"
            print(f"gate tools: {said}", file=sys.stderr)
    tools = sorted(seen.values(), key=lambda one: (one.found.source, -one.calls, one.tool))
    if options.json:
        print("\n".join(json.dumps(one.to_dict(), ensure_ascii=False) for one in tools))
    else:
        _show(tools)
    if wrong or not tools:
        return 2
    return int(any(not one.found.source for one in tools))


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate tools",
        description="The tools that were called, what the gate takes each for and how it knows; for tools that nobody "
        "knows, or only their name tells about, a profile in TOML to correct and keep.",
        epilog="exit status: 0 every tool is known · 1 one is not · 2 a file cannot be read, or nothing was called",
    )
    add_inputs(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per tool")
    return parser.parse_args(argv)


def _note(item: Read, config: GateConfig | None, seen: dict[tuple[str, str, str], Seen]) -> None:
    raw = cast("Mapping[str, Any]", item.transcript)
    used = config_of(raw, config)
    for event in (event for turn in raw["turns"] for event in turn["events"] if event["type"] == "call"):
        call = ToolCall(tool=event["tool"], args=event["args"], origin=event.get("origin", ""))
        found = resolve(call, used)
        key = (call.tool, found.source, found.profile.effect.value)
        one = seen.setdefault(key, Seen(tool=call.tool, found=found))
        one.calls += 1
        one.arguments.update(dict.fromkeys(event["args"]))


def stub(one: Seen) -> str:
    """A profile in TOML, to be corrected by whoever knows the tool."""
    name = one.tool if _PLAIN_KEY.fullmatch(one.tool) and one.tool.isascii() else json.dumps(one.tool)
    things = [key for key in one.arguments if _NAMES_A_THING.search(key)]
    targets = json.dumps([f"{{{key}}}" for key in things if re.fullmatch(r"[\w.-]+", key)])
    return (
        f"[profiles.{name}]  # arguments: {json.dumps(list(one.arguments), ensure_ascii=False)}\n"
        f'effect = "{one.found.profile.effect.value}"  # read, list, change, delete, move, shell, sql, exec, delegate, '
        f'neutral\ntargets = {targets}  # what it touches, as in "ticket:{{id}}"\n'
    )


def _show(tools: Sequence[Seen]) -> None:
    columns = ("tool", "calls", "taken for", "touches", "known by")
    rows = [
        (
            one.tool,
            str(one.calls),
            one.found.profile.effect.value,
            ", ".join(one.found.profile.targets),
            _KNOWN_BY[one.found.source],
        )
        for one in tools
    ]
    show_table(f"{len(tools)} tools", columns, rows)
    stubs = [stub(one) for one in tools if one.needs_profile]
    if stubs:
        print("\n# Correct and put into gate.toml:\n")
        print("\n".join(stubs), end="")
