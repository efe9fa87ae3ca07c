"""Where the clients of a command work, as their options say it (places.toml): a look into another database, namespace
or account than the one that was changed shows nothing of the change (spec 10, "Domains")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.shell.analyse import Analysis
from gate_core.shell.stages import Stage


class Client(NamedTuple):
    """One row of the table: the world, option -> kind of place, the kind of the first operand, options with a value."""

    world: str
    options: Mapping[str, str]
    operand: str
    values: frozenset[str]


@cache
def _clients() -> dict[str, Client]:
    return {
        program: Client(
            row["name"],
            {option: kind for kind, options in row["options"].items() for option in options},
            row.get("operand", ""),
            frozenset(row.get("values", ())),
        )
        for row in load_table("shell", "places.toml")["client"]
        for program in row["programs"]
    }


Places = Mapping[tuple[str, str], str]
"""(world, kind of place) -> its name."""


def whereabouts(analysis: Analysis) -> Places:
    """The places that all clients of a command agree on; a kind of which it names two is left out."""
    found: dict[tuple[str, str], set[str]] = {}
    for stage in analysis.stages:
        for kind, name in _named(stage):
            found.setdefault(kind, set()).add(name)
    return {kind: next(iter(names)) for kind, names in found.items() if len(names) == 1}


def differ(one: Places, other: Places) -> bool:
    """True when both name a place of a kind, and not the same."""
    return any(other.get(kind, name) != name for kind, name in one.items())


def _named(stage: Stage) -> Iterator[tuple[tuple[str, str], str]]:
    client = _clients().get(stage.program)
    if client is None:
        return
    words = [word.text if word.known else "" for word in stage.argv[1:]]
    operand = client.operand
    at = 0
    while at < len(words):
        option, equals, value = words[at].partition("=")
        at += 1
        if option in client.options:
            if not equals:
                value = words[at] if at < len(words) else ""
                at += 1
            if value:
                yield (client.world, client.options[option]), value
        elif option in client.values or _ends_with_value(option, client):
            at += not equals
        elif operand and option and not option.startswith("-"):
            yield (client.world, operand), words[at - 1].rpartition("@")[2]
            operand = ""


def _ends_with_value(option: str, client: Client) -> bool:
    """True for flags in one word of which the last takes a value: `psql -tAc`."""
    return len(option) > 2 and option[0] == "-" != option[1] and f"-{option[-1]}" in client.values
