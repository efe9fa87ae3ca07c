"""What a changing call wrote and what it replaced, out of its arguments."""

from __future__ import annotations

import re

from gate_core.footprint.patch import operations
from gate_core.footprint.targets import lookup
from gate_core.model.json import Json, JsonObject
from gate_core.model.late import late
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


_SET = late(
    r"\bset\s+(.{1,2000}?)(?:\bwhere\b|;|$)|\bvalues\s*\((.{1,2000}?)\)\s*(?:;|,|on\b|returning\b|[\"']?\s*$)",
    re.IGNORECASE | re.DOTALL,
)
"""What a statement of SQL puts into a row."""
_GIVEN = late(
    r"(?:^|[\s,{(])(?:--?)?[\"']?[A-Za-z_][\w.-]{0,60}[\"']?\s*[:=]\s*(?:'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|([\w.+@-]{1,60}))"
)
"""A value behind its name: plan = 'gold', "name": "Apollo", --replicas=5."""
_NAMED = late(
    r"\b(?:add\s+column|rename\s+(?:column\s+\w+\s+)?to|create\s+(?:table|view|index|user|role|database|schema))\s+"
    r"(?:if\s+not\s+exists\s+)?[`\"]?(\w{2,60})",
    re.IGNORECASE,
)
"""What a statement of SQL gives a name to."""
_REPLACES = late(
    r"\bsed\b[^|;&\n]{0,200}?\s-(?:i|-in-place)\S{0,20}\s[^|;&\n]{0,80}?['\"]s([/|#,@])(?:(?!\1).){1,200}?\1([^\\&]{1,60}?)\1[gI\d]{0,3}['\"]"
)
"""What `sed -i` puts in the place of something else, where that is plain text."""
_LITERAL = late(r"'([^'\n]{1,60})'|(?<![\w.'])(\d[\w.]{0,30})")
_LONGEST = 20_000  # characters of a command that are looked at


def values_in(command: str) -> list[str]:
    """The values that a command sets, where it names them: in a statement of SQL, in JSON, in an option."""
    text = command[:_LONGEST]
    if replaced := _REPLACES.findall(text):
        return [new for _, new in replaced]
    if names := _NAMED.findall(text):
        return names
    if rows := [part for found in _SET.findall(text) for part in found if part]:
        return ["".join(groups) for row in rows for groups in _LITERAL.findall(row)]
    return ["".join(groups) for groups in _GIVEN.findall(text)]


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
