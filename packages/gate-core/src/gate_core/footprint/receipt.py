"""What the result of a changing call proves about the change (spec 10, "Debts": `state`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from gate_core.footprint.body import body_of
from gate_core.footprint.keys import Kind, kind_of
from gate_core.footprint.targets import FILES, words
from gate_core.model.call import ToolCall
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import Outcome, Receipt
from gate_core.model.profile import ToolProfile
from gate_core.profiles.verbs import noun_of

_ACK = frozenset({"ok", "success", "status", "message"})
_LEAVES = 2000  # values of a result that are looked at
_DEEPEST = 20  # levels of it
_TOLD_ID = re.compile(r"(?<![\w.])[A-Za-z]{0,12}[-_#]?\d[\w-]{1,60}(?![\w.])")
_ID = re.compile(r"[\w.:@/+-]{1,80}")


def receipt_of(profile: ToolProfile, source: str, call: ToolCall, outcome: Outcome, target: str) -> Receipt:
    """As declared; or, only for a tool without a catalog entry that acts on no local file, a read-back recognised by
    its shape: an object that holds the target's id and a field the arguments did not contain."""
    if profile.receipt is not Receipt.NONE or source == "catalog" or outcome is not Outcome.OK:
        return profile.receipt
    kind, _, ident = target.partition(":")
    told = body_of(call.result).object
    if not ident or kind in ("tool", FILES) or ident.startswith("//") or told is None:
        return Receipt.NONE
    news = [key for key in told if key not in call.args and key not in _ACK and not _is_id(key, told, ident)]
    return Receipt.STATE if news and ident in set(islice(_leaves(told), _LEAVES)) else Receipt.NONE


def _is_id(key: str, told: JsonObject, ident: str) -> bool:
    return str(told[key]) == ident


def tells_news(call: ToolCall) -> bool:
    """True when a changing tool answers with more than a nod: an object with a field of its own, or a sentence with an
    id that the arguments do not hold. That is its own account of what it did, as an exit status is of a program."""
    body = body_of(call.result)
    if body.object is not None:
        return any(key not in call.args and key not in _ACK for key in body.object)
    given = set(islice(_leaves(call.args), _LEAVES))
    return any(found not in given for found in _TOLD_ID.findall(body.text[:_LEAVES]))


def shown_ids(call: ToolCall) -> tuple[str, ...]:
    """The targets a result names on its own: the id of the thing that was made, as "kind:id"."""
    told = body_of(call.result).object or {}
    inner = [value for value in told.values() if isinstance(value, Mapping)]
    for place in (told, *(inner if len(inner) == 1 else ())):
        found = tuple(_ids(place, noun_of(call.tool)))
        if found:
            return found
    return ()


def _ids(told: JsonObject, noun: str) -> Iterator[str]:
    """The id, or the id of a thing of the tool's own name; the other ids of a record are of other things."""
    for key, value in told.items():
        meant = kind_of(str(key))
        if meant.kind is Kind.ID and meant.thing in ("", noun):
            yield from (f"{noun}:{word}" for word in words(value) if _ID.fullmatch(word))


def _leaves(value: Json, depth: int = _DEEPEST) -> Iterator[str]:
    if isinstance(value, Mapping | list | tuple):
        for item in (value.values() if isinstance(value, Mapping) else value) if depth else ():
            yield from _leaves(item, depth - 1)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
