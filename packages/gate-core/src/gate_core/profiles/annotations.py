"""MCP annotations: what a server says of its own tool (spec 10, "Profiles and effects").

They may always make a tool stricter. They make it looser only for a server the user trusts; of any other, a tool that
says it only reads and about which nothing else is known earns the listed tier.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gate_core.model.call import ToolCall
from gate_core.model.kinds import ToolEffect
from gate_core.profiles.origin import origin_of, server_of

_LOOKS = frozenset({ToolEffect.READ, ToolEffect.LIST, ToolEffect.NEUTRAL})


@dataclass(frozen=True, slots=True)
class Hints:
    """The hints of a call's tool; None for what the server does not say. `trusted` says that the user trusts it."""

    read_only: bool | None = None
    destructive: bool | None = None
    trusted: bool = False


def hints_of(call: ToolCall, trusted_servers: Collection[str]) -> Hints | None:
    """The hints in `side["annotations"]`, or None without any. Only true and false count; the rest is ignored."""
    told = call.side.get("annotations") if call.side else None
    if told is None or not isinstance(told, Mapping):
        return None
    read_only, destructive = (_flag(told.get(key)) for key in ("readOnlyHint", "destructiveHint"))
    if read_only is None and destructive is None:
        return None
    server = server_of(origin_of(call))
    trusted = bool(server) and (server in trusted_servers or f"mcp:{server}" in trusted_servers)
    return Hints(read_only, destructive, trusted)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def hinted(effect: ToolEffect | None, hints: Hints) -> ToolEffect | None:
    """The effect of a tool whose name says `effect` (None: says nothing), once its hints are heard."""
    if hints.read_only:
        return _looser(effect, hints)
    if hints.read_only is None and not hints.destructive:
        return effect
    return stricter(effect or ToolEffect.CHANGE, hints)


def _looser(effect: ToolEffect | None, hints: Hints) -> ToolEffect:
    if effect in _LOOKS:
        return effect
    if hints.trusted:
        return ToolEffect.READ
    return effect or ToolEffect.LIST


def stricter(effect: ToolEffect, hints: Hints) -> ToolEffect:
    """The effect of a tool that is known, if its hints say that it does more than that. Where they contradict a look,
    it changes what it names when they call it destructive; else nobody knows."""
    if hints.read_only or effect not in _LOOKS:
        return effect
    if hints.destructive:
        return ToolEffect.CHANGE
    return effect if hints.read_only is None else ToolEffect.UNKNOWN
