"""Which profile applies to a call, by the authorities of spec 10 in order: the user's, the catalog's, MCP annotations,
the most dangerous verb, or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.json import Json
from gate_core.model.kinds import ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.annotations import hinted, hints_of, stricter
from gate_core.profiles.catalog import profiles_named
from gate_core.profiles.origin import bare_name, origin_of, origin_of_name, reference_of, server_of
from gate_core.profiles.verbs import effect_of_call

_Need: TypeAlias = tuple[str, str | None]
"""An argument that must be there, and the value it must have, None for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A profile and how it was found: "user", "host", "catalog", "hint", "verb", or "" for a tool nobody knows."""

    profile: ToolProfile
    source: str


def resolve(call: ToolCall, config: GateConfig) -> Resolved:
    """The profile that applies to the call."""
    own = _of_user(call, config)
    if own is not None:
        return Resolved(profile=own, source="user")
    if call.mutating is not None:
        effect = ToolEffect.CHANGE if call.mutating else ToolEffect.READ
        return Resolved(profile=_plain(call.tool, effect), source="host")
    return _of_catalog(call, config) or _by_name(call, config)


def _of_user(call: ToolCall, config: GateConfig) -> ToolProfile | None:
    """The user's profile under the tool's full name, else under its bare one; one with an origin is for that alone."""
    if not config.profiles:
        return None
    bare, origin = bare_name(call.tool), origin_of(call)
    for name in (call.tool, f"mcp__{server_of(origin)}__{bare}", bare):
        own = config.profiles.get(name)
        if own is not None and own.origin in ("", origin):
            return own
    return None


def _of_catalog(call: ToolCall, config: GateConfig) -> Resolved | None:
    """The first entry of the name, at this origin, that the arguments have the shape of."""
    for found, needs in _entries(call.tool, call.origin):
        if _fits(needs, call):
            entry, hints = found.profile, hints_of(call, config.trusted_servers)
            effect = stricter(entry.effect, hints) if hints is not None else entry.effect
            return found if effect is entry.effect else replace(found, profile=replace(entry, effect=effect))
    return None


@lru_cache(1024)
def _entries(tool: str, origin: str) -> tuple[tuple[Resolved, tuple[_Need, ...]], ...]:
    """The entries of the catalog for a name at an origin, in order: what each resolves to, and what it needs."""
    rows = profiles_named(reference_of(origin or origin_of_name(tool)), bare_name(tool))
    return tuple((Resolved(profile=row, source="catalog"), tuple(map(_need, row.needs))) for row in rows)


@lru_cache(1024)
def catalog_continues(tool: str, origin: str) -> bool:
    """True when an entry of the catalog for this name goes on with an earlier call: hardly any does."""
    return any(found.profile.continues for found, _ in _entries(tool, origin))


def _need(told: str) -> _Need:
    name, wants_value, value = told.partition("=")
    return name, value if wants_value else None


def _by_name(call: ToolCall, config: GateConfig) -> Resolved:
    """What the verb of the name says, once the server's hints are heard."""
    verb, hints = effect_of_call(call), hints_of(call, config.trusted_servers)
    effect = hinted(verb, hints) if hints is not None else verb
    if effect is None or effect is ToolEffect.UNKNOWN:
        return Resolved(profile=_plain(call.tool, ToolEffect.UNKNOWN), source="")
    return Resolved(profile=_plain(call.tool, effect), source="verb" if effect is verb else "hint")


@lru_cache(1024)
def _plain(name: str, effect: ToolEffect) -> ToolProfile:
    return ToolProfile(name=name, effect=effect)


def _fits(needs: tuple[_Need, ...], call: ToolCall) -> bool:
    """True when the arguments have the shape of an entry."""
    args = call.args
    return not needs or all(name in args and value in (None, _word(args[name])) for name, value in needs)


def _word(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else ""
