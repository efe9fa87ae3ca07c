"""What the name of a tool says about it: the most dangerous verb, and the thing it is about (spec 10)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from gate_core.data import load_table
from gate_core.model.call import ToolCall
from gate_core.model.kinds import ToolEffect
from gate_core.model.late import late
from gate_core.profiles.origin import bare_name

_WORD = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ONE_WORD = late(r"[A-Za-z][\w.-]{0,39}")


def effect_of_call(call: ToolCall) -> ToolEffect | None:
    """The effect of the most dangerous verb in the tool's name and, for a tool that is told by an argument what to
    do, in that argument. What a looking tool is given so is a filter."""
    own = effect_of_name(bare_name(call.tool))
    if own in (ToolEffect.READ, ToolEffect.LIST):
        return own
    told = (call.args.get(key) for key in load_table("profiles", "verbs.toml")["dispatch"])
    effects = {effect_of_name(word) for word in told if isinstance(word, str) and _ONE_WORD.fullmatch(word)}
    return _worst({own, *effects})


@cache
def effect_of_name(name: str) -> ToolEffect | None:
    """The effect of the most dangerous verb in a name, or None when it has none."""
    table = load_table("profiles", "verbs.toml")
    verbs = table["most_dangerous_first"]
    words = list(_words(name))
    if words and words[0] in (*verbs["list"], *verbs["read"]):
        words = [word for word in words if word not in table["nouns"]]
    return _worst(ToolEffect(effect) for effect, row in verbs.items() if set(words) & set(row))


def _worst(effects: Iterable[ToolEffect | None]) -> ToolEffect | None:
    order = load_table("profiles", "verbs.toml")["most_dangerous_first"]
    found = {effect.value for effect in effects if effect is not None}
    return next((ToolEffect(effect) for effect in order if effect in found), None)


@cache
def name_kinds(kind: str) -> frozenset[str]:
    """Words of a tool's name that say which world it works in: `files` or `access`."""
    return frozenset(load_table("profiles", "verbs.toml")[kind])


@cache
def name_words(tool: str) -> tuple[str, ...]:
    """The words of a tool's own name, in lower case."""
    return tuple(_words(bare_name(tool)))


@cache
def noun_of(tool: str) -> str:
    """The thing a tool's name is about: `get_order_details` is about an order."""
    table = load_table("profiles", "verbs.toml")
    verbs = {word for row in table["most_dangerous_first"].values() for word in row}
    words = name_words(tool)
    verbs -= set(table["nouns"])
    things = [word for word in words[1:] if word not in verbs and word not in table["fillers"]]
    things = things or [word for word in words[:1] if word not in verbs]
    noun = (things or list(words) or ["id"])[-1]
    return noun.removesuffix("s") if len(noun) > 3 and not noun.endswith("ss") else noun


def _words(name: str) -> Iterator[str]:
    for part in re.split(r"[^A-Za-z0-9]+", name):
        yield from (word.lower() for word in _WORD.findall(part))
