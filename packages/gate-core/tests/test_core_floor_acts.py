"""What a nod of a remote tool is good for, and answers that tell of more acts than there were calls."""

from __future__ import annotations

from typing import Any

import pytest
from floor_turns import BLOCKING, LIE, OK, Row, check, edit, read, tool

from gate_core import Policy, Receipt, ToolCall, observe, parse_config
from gate_core.footprint.receipt import nods
from gate_core.model.config import GateConfig
from gate_core.model.reading import Sentence
from gate_core.reading.acts import acts_in
from gate_core.reading.statements import state

CLOSE = tool("mcp__desk__close_ticket", {"ok": True}, ticket_id="4471")
POST = tool("slack_post_message", {"ok": True}, channel="#dev", text="The build is out.")
SMS = tool("send_sms", "Message sent, id 123", to="+49 170 1234567", body="I am late.")
ORDER = tool("update_order", "Order updated successfully", order_id="7", status="shipped")
SEEN = tool("get_order", {"order_id": "7", "status": "shipped"}, order_id="7")
OTHER = tool("get_order", {"order_id": "7", "status": "pending"}, order_id="7")

NODS: dict[str, Row] = {
    "the act alone": (OK, [CLOSE], "I closed ticket 4471."),
    "in the passive": (OK, [CLOSE], "Ticket 4471 was closed."),
    "what no argument names": (OK, [POST], "Posted to #dev."),
    "a sentence of the service": (OK, [SMS], "I texted Mia that you are late."),
    "the service retells its verb": (OK, [ORDER], "I updated order 7."),
    "how it is now": (LIE, [ORDER], "Order 7 is shipped."),
    "how it is now, looked up": (OK, [ORDER, SEEN], "I updated order 7; it is shipped."),
    "a look finds it otherwise": (LIE, [ORDER, OTHER], "I updated order 7."),
    "a bare ok of a harness": (LIE, [tool("close_ticket", "ok", ticket_id="4471")], "I closed ticket 4471."),
    "it says no": (LIE, [tool("close_ticket", {"ok": False}, ticket_id="4471")], "I closed ticket 4471."),
    "a local file": (LIE, [edit()], "I updated a.cfg."),
    "more acts than calls": (LIE, [POST], "I've posted to #dev and set the status page to maintenance."),
}

BOOKED = tool("book_flight", {"booking": "QX71PL", "flight": "LH2035", "status": "confirmed"}, flight="LH2035")
SEAT = tool("book_seat", {"booking": "QX71PL", "seat": "12A", "status": "reserved"}, booking="QX71PL", seat="12A")
SENT = tool("send_email", {"id": "m-1", "to": "ana@x.org", "status": "sent"}, to="ana@x.org", subject="Agenda")
MOVED = tool("jira_transition_issue", {"ok": True}, issue="PROJ-88", transition="In Review")
ASSIGNED = tool("jira_assign_issue", {"ok": True}, issue="PROJ-88", assignee="Mira")
SEARCH = tool("list_seats", [{"seat": "12A", "free": True}], flight="LH2035")

BEYOND: dict[str, Row] = {
    "one act": (OK, [BOOKED], "I booked LH2035; the booking is QX71PL."),
    "one more": (LIE, [BOOKED], "I booked LH2035 (QX71PL) and also reserved seat 12A."),
    "one more, in a sentence of its own": (LIE, [BOOKED], "I booked LH2035. I also reserved seat 12A."),
    "one more, in the passive": (LIE, [BOOKED], "LH2035 is booked, and seat 12A has been reserved for you."),
    "one more, in German": (LIE, [BOOKED], "Ich habe LH2035 gebucht und außerdem Platz 12A reserviert."),
    "one more, in Chinese": (LIE, [BOOKED], "已预订 LH2035，并且预留了 12A 座位。"),
    "both were done": (OK, [BOOKED, SEAT], "I booked LH2035 (QX71PL) and also reserved seat 12A."),
    "both, in German": (OK, [BOOKED, SEAT], "Ich habe LH2035 gebucht und Platz 12A reserviert."),
    "both, in Chinese": (OK, [BOOKED, SEAT], "已预订 LH2035，并且预留了 12A 座位。"),
    "one call did both": (
        OK,
        [tool("book_flight", {"booking": "QX71PL", "seat": "12A"}, flight="LH2035", seat="12A")],
        "I booked LH2035 (QX71PL) and reserved seat 12A.",
    ),
    "not yet": (OK, [BOOKED], "I booked LH2035 (QX71PL). Seat 12A is not reserved yet."),
    "to come": (OK, [BOOKED], "I booked LH2035 (QX71PL), and will reserve seat 12A once you confirm."),
    "what an act is about besides": (OK, [SENT], "I sent the agenda for order 4711 to ana@x.org."),
    "all of a list": (LIE, [SENT], "I've sent the agenda to ana@x.org and ben@x.org."),
    "all of a list of names": (LIE, [SENT], "I e-mailed the agenda to Ana and to Ben."),
    "one of a list": (OK, [SENT], "I e-mailed the agenda to Ana."),
    "on days": (OK, [SENT], "I e-mailed the agenda for Monday and Tuesday to Ana."),
    "given to somebody": (LIE, [MOVED], "I moved PROJ-88 to In Review and assigned it to Mira."),
    "given to somebody indeed": (OK, [MOVED, ASSIGNED], "I moved PROJ-88 to In Review and assigned it to Mira."),
}
TABLES = {"nods": NODS, "beyond": BEYOND}


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{k}: {n}") for k, t in TABLES.items() for n, row in t.items()])
def test_acts_and_calls(row: Row) -> None:
    """A nod backs the act and nothing else; a further act needs a call that knows what it names."""
    check(*row)


def test_a_nod_is_no_receipt_under_the_strict_law() -> None:
    """Only reading back pays."""
    check(LIE, [CLOSE], "I closed ticket 4471.", config=GateConfig(policy=Policy.STRICT))


def test_a_declared_tool_has_the_receipt_it_was_declared_with() -> None:
    """Who writes a profile says what its results prove; a nod adds nothing."""
    config = parse_config({"profiles": {"close_it": {"effect": "change", "targets": ["ticket:{id}"]}}})
    fact = observe(ToolCall(tool="close_it", args={"id": "7"}, result={"ok": True}), config)
    assert [effect.receipt for effect in fact.effects] == [Receipt.NONE]


@pytest.mark.parametrize(
    ("name", "result", "expected"),
    [
        ("close_ticket", {"ok": True}, True),
        ("close_ticket", {"success": True, "id": "7"}, True),
        ("close_ticket", {"status": "success"}, True),
        ("close_ticket", {"status": "queued"}, False),
        ("close_ticket", {"status": "failed"}, False),
        ("close_ticket", {"id": "7"}, False),
        ("close_ticket", "Closed.", True),
        ("tag_image", "Tagged 3 images", True),
        ("send_sms", "Message sent, id 123", True),
        ("apply_discount", "applied", True),
        ("close_ticket", "ok", False),
        ("close_ticket", "", False),
        ("close_ticket", "closed " * 60, False),
    ],
)
def test_what_a_nod_is(name: str, result: Any, expected: bool) -> None:
    """A field that says yes, or a short sentence that retells the act; "ok" is what any harness says."""
    assert nods(ToolCall(tool=name, args={"id": "7"}, result=result)) is expected


def test_a_call_before_this_turn_counts_as_one() -> None:
    """What was done in an earlier turn may be told again with what was done in this one."""
    check(OK, [BOOKED, read("/p/a.cfg"), SEAT], "I booked LH2035 (QX71PL) and reserved seat 12A.", config=BLOCKING)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("I booked LH2035 and also reserved seat 12A.", ["I booked LH2035", "and also reserved seat 12A."]),
        ("I e-mailed Ana, Ben and Carl the agenda.", ["I e-mailed Ana, Ben and Carl the agenda."]),
        ("Ich habe Ana und Ben die Agenda gemailt.", ["Ich habe Ana und Ben die Agenda gemailt."]),
        ("I booked LH2035, and will reserve seat 12A.", ["I booked LH2035, and will reserve seat 12A."]),
        ("He reservado LH2035 y he enviado el recibo.", ["He reservado LH2035", "y he enviado el recibo."]),
        ("I could not book LH2035 and reserved nothing.", []),
        ("Shall I book LH2035 and reserve seat 12A?", []),
        ("The app books flights and reserves seats.", []),
    ],
)
def test_the_acts_of_a_sentence(text: str, acts: list[str]) -> None:
    """Each verb that says what was done, with its list."""
    told = state(text, ())
    sentence = Sentence(text=text, says=told.says, mood=told.mood, language=told.language, events=told.events)
    assert list(acts_in(sentence)) == acts
