"""What a call is about to remember, as state writes (spec 40, "State writes"): by its profile's `stores`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gate_core.admission.units import StateWrite
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.json import Json
from gate_core.profiles import resolve

SPEAKER = "user-1"
"""The subject that is the user who speaks (spec 40)."""

_MOST = 200  # writes of one call


def writes_of(call: ToolCall, config: GateConfig) -> tuple[StateWrite, ...]:
    """The writes of a call, all about the user who speaks; () for a tool that remembers nothing."""
    profile = resolve(call, config).profile
    found = (pair for path in profile.stores for pair in _pairs(call.args, path, profile.store_key))
    return tuple(
        StateWrite(subject=SPEAKER, key=key or profile.name, value=value)
        for (key, value), _ in zip(found, range(_MOST), strict=False)
    )


def _pairs(holder: Json, path: str, key_path: str, outer: str = "") -> Iterator[tuple[str, Json]]:
    """(key, value) for what stands at a dotted path; lists on the way give one each, with the key beside it."""
    if not isinstance(holder, Mapping):
        return
    head, _, rest = path.partition(".")
    key_head, _, key_rest = key_path.partition(".")
    key = _text(holder.get(key_head)) if key_head and not key_rest else ""
    if head not in holder:
        return
    value = holder[head]
    items = value if isinstance(value, list | tuple) else (value,)
    for item in items:
        if rest:
            yield from _pairs(item, rest, key_rest if key_head == head else "", key or outer)
        else:
            yield (key or outer, item)


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
