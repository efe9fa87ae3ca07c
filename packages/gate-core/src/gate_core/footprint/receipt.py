"""What the result of a changing call proves about the change (spec 10, "Debts": `state`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from gate_core.footprint.body import body_of
from gate_core.footprint.keys import Kind, kind_of
from gate_core.footprint.rules import event_names
from gate_core.footprint.targets import FILES, words
from gate_core.model.call import ToolCall
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import Outcome, Receipt
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.profiles.verbs import name_words, noun_of

_ACK = frozenset({"ok", "success", "status", "message"})
_VERB = 3  # characters of the shortest verb of an event
_LEAVES = 2000  # values of a result that are looked at
_DEEPEST = 20  # levels of it
_ACCOUNT = 3  # line ends in a text that is more than a nod
_TOLD_ID = late(r"(?<![\w.])[A-Za-z]{0,12}[-_#]?\d[\w-]{1,60}(?:\.\d{1,20}){0,3}(?!\w|\.\w)")
_ID = late(r"[\w.:@/+-]{1,80}")


def receipt_of(
    profile: ToolProfile, source: str, call: ToolCall, outcome: Outcome, target: str, domain: str
) -> Receipt:
    """As declared; or, only for a tool without a catalog entry that acts on no local file, a read-back recognised by
    its shape: an object that holds the target's id, or the path of a file of another world, and a field the arguments
    did not contain; or one that says by the name of an event that it happened."""
    if profile.receipt is not Receipt.NONE or source == "catalog" or outcome is not Outcome.OK:
        return profile.receipt
    kind, colon, ident = target.partition(":")
    if not colon and domain != FILES:
        kind, ident = domain, target
    told = body_of(call.result).object
    if ident.startswith("//"):
        return Receipt.STATE if told is not None and _shows_record(told, ident, call) else Receipt.NONE
    if not ident or kind in ("tool", FILES):
        return Receipt.NONE
    if told is None:
        return _nod(source, call)
    return Receipt.STATE if _is_event(told, call.tool) else _of_record(source, call, told, ident)


def _of_record(source: str, call: ToolCall, told: JsonObject, ident: str) -> Receipt:
    news = [key for key in told if _is_news(key, told, call) and not _is_id(key, told, ident)]
    held = set(islice(_leaves(told), _LEAVES))
    if news and ident in held:
        return Receipt.STATE
    return Receipt.STATE if _makes(call.tool) and _fresh_ids(told, call, ident) else _nod(source, call)


def _shows_record(told: JsonObject, address: str, call: ToolCall) -> bool:
    """True when the answer of a request is the record at its address: it holds the id at the end of it, and a field
    that was not sent."""
    ident = address.partition("?")[0].rstrip("/").rpartition("/")[2]
    sent = {str(key) for value in call.args.values() if isinstance(value, Mapping) for key in value}
    for place in (told, *(told.get(key) for key in ("body", "data", "json", "response", "result"))):
        if isinstance(place, Mapping) and str(place.get("id", "")) == ident:
            return any(key not in sent and key != "id" for key in place)
    return False


def _nod(source: str, call: ToolCall) -> Receipt:
    return Receipt.NOD if source in _UNDECLARED and nods(call) else Receipt.NONE


def nods(call: ToolCall) -> bool:
    """True when a remote tool says that it did what it was told, and shows nothing of it: `{"ok": true}`, "Deleted.",
    "Order updated successfully". That is what exit 0 is for a program: the act was done, how things are now only a look
    shows."""
    body = body_of(call.result)
    if body.object is not None:
        told = body.object
        return any(_agrees(told.get(key)) for key in _NODDING) or _says_yes(told.get("message"), call.tool)
    return _says_yes(body.text.strip(), call.tool)


def _says_yes(text: Json, tool: str) -> bool:
    if not isinstance(text, str) or not 0 < len(text) <= _LINE:
        return False
    return _YES.search(text) is not None or _retells(text, tool)


def _agrees(value: Json) -> bool:
    return value is True or (isinstance(value, str) and value.lower() in _NODS - _DENIALS)


def _retells(text: str, tool: str) -> bool:
    """True for the tool's own verb in the past: "sent" of `send_sms`."""
    told = set(re.findall(r"[a-z]{3,20}", text.lower()))
    return not told.isdisjoint(_DONE) or any(not told.isdisjoint(_pasts(word)) for word in name_words(tool))


def _pasts(verb: str) -> tuple[str, ...]:
    odd = _ODD_PASTS.get(verb)
    return (odd,) if odd else (f"{verb}d", f"{verb}ed", f"{verb}{verb[-1:]}ed", f"{verb[:-1]}ied")


_UNDECLARED = frozenset({"verb", "hint"})
_NODDING = ("ok", "success", "status", "result", "acknowledged", "message")
_DENIALS = frozenset({"error", "failed"})
_LINE = 200  # characters of the longest text that is a nod
_YES = late(r"\bsuccess(?:ful(?:ly)?)?\b", re.IGNORECASE)
_DONE = frozenset({
    "sent", "posted", "published", "delivered", "created", "added", "updated", "deleted", "removed", "closed", "saved",
    "stored", "moved", "assigned", "booked", "scheduled", "cancelled", "canceled", "completed", "submitted",
})  # fmt: skip
_ODD_PASTS = {
    "send": "sent", "set": "set", "put": "put", "make": "made", "pay": "paid", "buy": "bought", "write": "written",
    "reset": "reset", "submit": "submitted", "begin": "begun", "run": "run", "hold": "held",
}  # fmt: skip


def _is_event(told: JsonObject, tool: str) -> bool:
    """True for `{"merged": true}` of a tool that merges."""
    done = [name for name in event_names() if told.get(name) is True]
    return any(event.startswith(word) for event in done for word in name_words(tool) if len(word) >= _VERB)


def _is_news(key: str, told: JsonObject, call: ToolCall) -> bool:
    """True for a field of the result's own. A bare nod is none; a status of the thing itself ("cancelled") is one."""
    if key in call.args:
        return False
    return key not in _ACK or (key in ("status", "state") and str(told[key]).lower() not in _NODS)


def _makes(tool: str) -> bool:
    """True for a tool that makes something new: the ids among its arguments are of what it is made under."""
    words = set(name_words(tool))
    return bool(words & _MAKING) and not words & _ALTERING


def _fresh_ids(told: JsonObject, call: ToolCall, parent: str) -> bool:
    """True when the result names a new thing beside its parent: by an id or an address the arguments do not hold."""
    given = {parent, *islice(_leaves(call.args), _LEAVES)}
    places = [told, *(value for value in told.values() if isinstance(value, Mapping))]
    values = (value for place in places for key, value in place.items() if _NAMES_IT.search(str(key)))
    return any(isinstance(value, str | int) and value and str(value) not in given for value in values)


_NODS = frozenset(
    ["ok", "success", "successful", "succeeded", "completed", "complete", "done", "accepted", "error", "failed", "200"]
)
_MAKING = frozenset(
    [
        *(
            "create",
            "add",
            "book",
            "place",
            "post",
            "reply",
            "comment",
            "issue",
            "share",
            "append",
            "schedule",
            "submit",
        ),
        *("order", "send", "make", "new", "open", "reserve", "buy", "purchase", "pay", "refund", "upload", "insert"),
        *("register", "invite", "transfer", "submit"),
    ]
)
_ALTERING = frozenset(
    ["update", "modify", "change", "edit", "set", "cancel", "delete", "remove", "move", "close", "rename"]
)
_NAMES_IT = late(
    r"(?:^|_)(?:id|key|number|reference|ref|confirmation|code|url|link|uri|href)$|(?:Id|Key|Number|Url|Link)$"
)


def _is_id(key: str, told: JsonObject, ident: str) -> bool:
    return str(told[key]) == ident


def tells_news(call: ToolCall) -> bool:
    """True when a changing tool answers with more than a nod: an object with a field of its own, a sentence with an id
    that the arguments do not hold, or several lines, as a browser does that shows the page. That is its own account of
    what it did, as an exit status is of a program."""
    body = body_of(call.result)
    if body.object is not None:
        return any(key not in call.args and key not in _ACK for key in body.object)
    if body.text.strip().count("\n") >= _ACCOUNT:
        return True
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
