"""What a changing call wrote and what it replaced, out of its arguments."""

from __future__ import annotations

from gate_core.footprint.patch import operations
from gate_core.footprint.targets import lookup
from gate_core.model.json import Json, JsonObject
from gate_core.model.profile import ToolProfile


def replacements(profile: ToolProfile, args: JsonObject) -> tuple[tuple[str, str], ...]:
    """(new text, replaced text) of each place a call changed; "" for none. Empty when the profile does not say."""
    if profile.operations:
        told = operations(lookup(args, profile.operations))
        alone = len(told) == 1 and not told[0].deletes and told[0].diff
        return (_of_patch(told[0].diff),) if alone else ()
    if profile.patch:
        return tuple(_of_patch(text) for text in _texts(args, (profile.patch,)))
    new, old = _texts(args, profile.content), _texts(args, profile.replaces)
    if not new:
        return ()
    return tuple(zip(new, old, strict=True)) if len(new) == len(old) else tuple((text, "") for text in new)


def _texts(args: JsonObject, names: tuple[str, ...]) -> list[str]:
    found: list[Json] = []
    for name in names:
        value = lookup(args, name)
        found.extend(value if isinstance(value, list | tuple) else [value])
    return [value for value in found if isinstance(value, str)]


def _of_patch(patch: str) -> tuple[str, str]:
    lines = patch.splitlines()
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    taken = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")]
    return "\n".join(added), "\n".join(taken)
