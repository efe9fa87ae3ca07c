"""Which profile applies to a call: the user's, the catalog's, the most dangerous verb, or none (spec 10).

MCP annotations come between catalog and verb; reading them belongs to the adapters that can see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gate_core.data import load_table
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.kinds import ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.catalog import catalog
from gate_core.profiles.origin import bare_name, origin_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A profile and how it was found: "user", "catalog", "host", "verb", or "" for a tool nobody knows."""

    profile: ToolProfile
    source: str


def resolve(call: ToolCall, config: GateConfig) -> Resolved:
    """The profile that applies to the call, by the authorities of spec 10 in order."""
    own = config.profiles.get(call.tool) or config.profiles.get(bare_name(call.tool))
    if own is not None:
        return Resolved(profile=own, source="user")
    if call.mutating is not None:
        effect = ToolEffect.CHANGE if call.mutating else ToolEffect.READ
        return Resolved(profile=ToolProfile(name=call.tool, effect=effect), source="host")
    for entry in catalog().get((origin_of(call), bare_name(call.tool)), ()):
        if all(_present(need, call) for need in entry.needs):
            return Resolved(profile=entry, source="catalog")
    verb = effect_of_name(bare_name(call.tool))
    if verb is not None:
        return Resolved(profile=ToolProfile(name=call.tool, effect=verb), source="verb")
    return Resolved(profile=ToolProfile(name=call.tool, effect=ToolEffect.UNKNOWN), source="")


def _present(need: str, call: ToolCall) -> bool:
    name, wants_value, value = need.partition("=")
    return name in call.args and (not wants_value or call.args[name] == value)


@cache
def effect_of_name(name: str) -> ToolEffect | None:
    """The effect of the most dangerous verb in a tool's name, or None when it has none."""
    table = load_table("profiles", "verbs.toml")
    verbs = table["most_dangerous_first"]
    words = list(_words(name))
    if words and words[0] in (*verbs["list"], *verbs["read"]):
        words = [word for word in words if word not in table["nouns"]]
    return next((ToolEffect(effect) for effect, row in verbs.items() if set(words) & set(row)), None)


def _words(name: str) -> Iterator[str]:
    for part in re.split(r"[^A-Za-z0-9]+", name):
        yield from (word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", part))
