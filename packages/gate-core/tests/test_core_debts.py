"""Every change owes a look, and these are the ways a debt is opened, settled, cancelled and carried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, Probe, ProbeKind, ProbeResult, SignalEvent, ToolCall, Verdict
from gate_core.ledger import Debt, Ledger
from gate_core.model.kinds import CallStatus, Settle
from gate_core.shell import available

PATH = "/p/app.cfg"
PATCH = {"structuredPatch": [{"newStart": 10, "newLines": 3}]}


@dataclass
class Talk:
    """A conversation in its first turn."""

    gate: Gate

    def call(self, tool: str, result: Any = "ok", *, status: str = "ok", **args: Any) -> None:
        """One executed call, in a step of its own unless `step` says otherwise."""
        own = {
            key: args.pop(key) for key in ("step", "call_id", "side", "signals", "origin", "exit_code") if key in args
        }
        self.gate.observe(ToolCall(tool=tool, args=args, result=result, status=CallStatus(status), **own))

    def edit(self, path: str = PATH, result: Any = "ok", **own: Any) -> None:
        """An edit of a file."""
        self.call("edit_file", result, path=path, old="5", new="30", **own)

    def read(self, path: str = PATH, result: Any = "timeout = 30\n", **own: Any) -> None:
        """A read of a file."""
        self.call("read_file", result, path=path, **own)

    @property
    def debts(self) -> tuple[Debt, ...]:
        """All debts, settled ones included."""
        return Ledger(self.gate.state, self.gate.config, self.gate).debts

    @property
    def paid(self) -> list[tuple[str, str | None]]:
        """(target, how it was settled) of each debt."""
        return [(debt.target, debt.by and debt.by.value) for debt in self.debts]

    def say(self, text: str) -> Verdict:
        """One attempt."""
        return self.gate.boundary_check(Attempt(parts=(text,)))


def talk(**config: Any) -> Talk:
    """A conversation whose user asked for a change."""
    gate = Gate(GateConfig(**config))
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    return Talk(gate)


def probe(held: bool, kind: ProbeKind = ProbeKind.FILE_CONTAINS, path: str = PATH) -> Callable[[Talk], None]:
    """Record a free look."""
    return lambda t: t.gate.record_probe(ProbeResult(probe=Probe(kind=kind, path=path), held=held))


def steps(*acts: Callable[[Talk], None]) -> Callable[[Talk], None]:
    """Several acts in order."""

    def run(t: Talk) -> None:
        for act in acts:
            act(t)

    return run


SETTLING: dict[str, tuple[Callable[[Talk], None], str | None]] = {
    "nothing": (lambda t: None, None),
    "read": (lambda t: t.read(), "read"),
    "read by a relative name": (lambda t: t.read("app.cfg"), "read"),
    "read of another file": (lambda t: t.read("/p/other.cfg"), None),
    "read of the same name elsewhere": (lambda t: t.read("/q/app.cfg"), None),
    "failed read": (lambda t: t.read(result="Permission denied", status="error"), None),
    "read that found nothing": (lambda t: t.read(result="No such file", status="error"), None),
    "empty read": (lambda t: t.read(result=""), None),
    "denied read": (lambda t: t.read(status="denied"), None),
    "search that showed lines": (lambda t: t.call("grep", "1:timeout = 30", pattern="t", path=PATH), "read"),
    "search that showed nothing": (lambda t: t.call("grep", "No matches found", pattern="t", path=PATH), None),
    "search that named files": (
        lambda t: t.call("grep", PATH, pattern="t", path=PATH, output_mode="files_with_matches"),
        None,
    ),
    "listing of the folder": (lambda t: t.call("list_dir", "app.cfg", path="/p"), None),
    "shell": (lambda t: t.call("shell", "timeout = 30", command=f"cat {PATH}"), "read" if available() else None),
    "unknown tool on the target": (lambda t: t.call("zz", "timeout = 30", path=PATH), None),
    "delegate": (lambda t: t.call("task", "timeout = 30", path=PATH), None),
    "web page": (lambda t: t.call("http_get", "timeout = 30", url="https://a.example/app.cfg"), None),
    "another world": (lambda t: t.call("get_x", "t = 30", path=PATH, origin="mcp:fs"), None),
    "probe": (probe(held=True), "probe"),
    "probe that contradicts": (probe(held=False), None),
    "probe of another file": (probe(held=True, path="/p/b"), None),
    "probe of another spelling": (probe(held=True, path="app.cfg"), None),
    "tests": (
        lambda t: t.call("shell", "1 passed", command="x", signals=(SignalEvent(name="tests_passed"),)),
        "signal",
    ),
    "tests of a part": (
        lambda t: t.call("shell", "ok", command="x", signals=(SignalEvent(name="tests_passed", scope="a"),)),
        None,
    ),
    "another signal": (lambda t: t.call("shell", "x", command="x", signals=(SignalEvent(name="built"),)), None),
    "read, then another change": (steps(lambda t: t.read(), lambda t: t.edit()), None),
    "read, then a change by another spelling": (steps(lambda t: t.read(), lambda t: t.edit("app.cfg")), None),
    "read, then a failed change": (
        steps(lambda t: t.read(), lambda t: t.edit(result="No match", status="error")),
        "read",
    ),
    "read, then a change nobody knows the end of": (
        steps(lambda t: t.read(), lambda t: t.edit(result="timed out", status="error")),
        None,
    ),
    "contradiction, then read": (steps(probe(held=False), lambda t: t.read()), "read"),
}


@pytest.mark.parametrize(("act", "by"), SETTLING.values(), ids=SETTLING.keys())
def test_an_edit_is_settled_by(act: Callable[[Talk], None], by: str | None) -> None:
    """Only what looked at the place, later, in its own world settles a change."""
    t = talk()
    t.edit()
    act(t)
    (debt,) = t.debts
    assert debt.by == (None if by is None else Settle(by))


@pytest.mark.parametrize(
    ("way", "act"),
    [
        ("read", lambda t: t.read()),
        ("probe", probe(held=True)),
        ("signal", lambda t: t.call("x", "ok", signals=(SignalEvent(name="tests_passed"),))),
    ],
)
def test_a_way_that_is_switched_off_settles_nothing(way: str, act: Callable[[Talk], None]) -> None:
    """`settle` names the ways that count; a probe that does not count contradicts nothing either."""
    other = {"read", "probe", "state", "signal", "content"} - {way}
    t = talk(settle=other)
    t.edit()
    act(t)
    assert t.paid == [(PATH, None)]
    with_it = talk(settle={way})
    with_it.edit()
    act(with_it)
    assert with_it.paid == [(PATH, way)]


def test_a_read_of_the_same_step_settles_nothing() -> None:
    """Parallel calls are unordered, whichever was reported first."""
    for order in ((Talk.edit, Talk.read), (Talk.read, Talk.edit)):
        t = talk()
        for act in order:
            act(t, step=3)
        assert t.paid == [(PATH, None)]


@pytest.mark.parametrize(
    ("window", "by", "strict"),
    [
        ({"offset": 9, "limit": 3}, "read", None),
        ({"offset": 0, "limit": 12}, "read", None),
        ({"offset": 8, "limit": 9}, "read", None),
        ({"offset": 10, "limit": 3}, None, None),
        ({"offset": 0, "limit": 11}, None, None),
        ({"offset": 100}, None, None),
        ({"offset": 5}, "read", None),
        ({}, "read", "read"),
    ],
    ids=str,
)
def test_a_partial_read_pays_when_it_covers_the_changed_lines(
    window: dict[str, Any], by: str | None, strict: str | None
) -> None:
    """Lines 10 to 12 were changed; under the strict law only the whole file counts."""
    text = "timeout = 30\n" * 40
    for policy, expected in (("default", by), ("strict", strict)):
        t = talk(policy=policy)
        t.edit(side=PATCH)
        t.call("read_file", text, path=PATH, **window)
        assert t.paid == [(PATH, expected)]


def test_a_partial_read_pays_when_nobody_knows_the_place() -> None:
    """Where the tool does not say which lines changed, a window counts that shows the new text or has lost its own."""
    for text, by in (("timeout = 30\n", "read"), ("x\n", None)):
        t = talk()
        t.edit()
        t.call("read_file", text * 40, path=PATH, offset=30, limit=2)
        assert t.paid == [(PATH, by)]
    t = Talk(Gate.from_json(t.gate.to_json()))
    assert t.paid == [(PATH, "read")]


SEEN = {
    "the new text": ("timeout = 30\n", True),
    "the new text, reformatted": ("'timeout'  =  30,\n", True),
    "the old text": ("timeout = 5\n", False),
    "in the middle of a word": ("timeout = 30s\n", True),
    "something else": ("port = 80\n", False),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_look_that_does_not_show_the_new_text_pays_nothing(name: str) -> None:
    """The agent looked, and what it saw is not what it says it did: the debt stays, and the reason is named."""
    text, shows = SEEN[name]
    t = talk()
    t.call("edit_file", path=PATH, old="timeout = 5", new="timeout = 30")
    t.read(result=text)
    assert t.paid == [(PATH, "read" if shows else None)]
    assert t.say("Done.").codes == (() if shows else ("change-unseen", "change-not-visible"))


def test_taken_out_text_must_be_gone() -> None:
    """An edit that only removes is seen by what is no longer there."""
    for text, by in (("a\n", "read"), ("a\nb = 1\n", None)):
        t = talk()
        t.call("edit_file", path=PATH, old="b = 1\n", new="")
        t.read(result=text)
        assert t.paid == [(PATH, by)]


def test_a_probe_that_found_it_missing_is_answered_only_by_a_look_that_shows_it() -> None:
    """Reading the file and ignoring what it says does not help."""
    t = talk()
    t.call("edit_file", path=PATH, old="timeout = 5", new="timeout = 30")
    t.gate.record_probe(ProbeResult(probe=Probe(kind=ProbeKind.FILE_CONTAINS, path=PATH), held=False))
    t.read(result="timeout = 5\n")
    assert t.say("Done.").codes == ("change-failed", "change-not-visible")
    t.read(result="timeout = 30\n")
    assert t.paid == [(PATH, "read")]


def test_several_places_are_paid_window_by_window() -> None:
    """Each look covers its part; what is left is still owed."""
    hunks = [{"newStart": 10, "newLines": 1}, {"newStart": 300, "newLines": 2}]
    t = talk()
    t.edit(side={"structuredPatch": hunks})
    t.call("read_file", "30\n", path=PATH, offset=5, limit=10)
    assert t.paid == [(PATH, None)]
    t.call("read_file", "30\n", path=PATH, offset=298, limit=2)
    t.call("read_file", "30\n", path=PATH, offset=300, limit=2)
    assert t.paid == [(PATH, "read")]


def test_a_search_pays_with_the_lines_it_prints() -> None:
    """A grep over a folder shows lines of the files it names; one line of another place shows nothing of the change."""
    for output, by in (
        (f"{PATH}:2:timeout = 30", "read"),
        ("2:timeout = 30", None),
        (f"{PATH}:1:name = app", None),
        ("/p/b.cfg:2:timeout = 30", None),
    ):
        t = talk()
        t.edit(side={"structuredPatch": [{"newStart": 2, "newLines": 1}]})
        t.call("Grep", output, pattern="t", path="/p", output_mode="content")
        assert t.paid == [(PATH, by)], output
    t = talk(policy="strict")
    t.edit()
    t.call("Grep", "2:timeout = 30", pattern="t", path=PATH, output_mode="content")
    assert t.paid == [(PATH, None)]


RECEIPTS: dict[str, tuple[dict[str, Any], Callable[[Talk], None], list[tuple[str, str | None]]]] = {
    "declared": ({}, lambda t: t.call("remember", "stored", key="milk", value="low"), [("memory:milk", "state")]),
    "declared, but it failed": (
        {},
        lambda t: t.call("remember", "Error: invalid key", key="milk", value="low"),
        [],
    ),
    "declared, end unknown": (
        {},
        lambda t: t.call("remember", "timed out", status="error", key="milk", value="low"),
        [("memory:milk", None)],
    ),
    "by shape": ({}, lambda t: t.call("update_order", {"id": "7", "total": 3}, id="7"), [("order:7", "state")]),
    "no news in it": ({}, lambda t: t.call("update_order", {"id": "7"}, id="7"), [("order:7", None)]),
    "state switched off": (
        {"settle": ("read",)},
        lambda t: t.call("remember", "stored", key="milk", value="low"),
        [("memory:milk", None)],
    ),
    "content is off by default": (
        {"profiles": {"save": {"effect": "change", "targets": ["{path}"], "receipt": "content"}}},
        lambda t: t.call("save", "t = 30", path=PATH),
        [(PATH, None)],
    ),
    "content when asked for": (
        {
            "profiles": {"save": {"effect": "change", "targets": ["{path}"], "receipt": "content"}},
            "settle": ("content",),
        },
        lambda t: t.call("save", "t = 30", path=PATH),
        [(PATH, "content")],
    ),
}


@pytest.mark.parametrize(("config", "act", "paid"), RECEIPTS.values(), ids=RECEIPTS.keys())
def test_a_receipt_settles_its_own_change(
    config: dict[str, Any], act: Callable[[Talk], None], paid: list[tuple[str, str | None]]
) -> None:
    """Only a declared or recognised receipt does, and only when the call was ok."""
    from gate_core import parse_config

    gate = Gate(parse_config(config))
    gate.begin_turn("go")
    t = Talk(gate)
    act(t)
    assert t.paid == paid


DELETIONS: dict[str, tuple[Callable[[Talk], None], str | None]] = {
    "nothing": (lambda t: None, None),
    "read that found nothing": (lambda t: t.read(result="No such file", status="error"), "read"),
    "read that still finds it": (lambda t: t.read(), None),
    "listing without it": (lambda t: t.call("list_dir", "b.cfg\nmy-app.cfg\napp.cfg.bak", path="/p"), "read"),
    "empty listing": (lambda t: t.call("list_dir", "", path="/p"), "read"),
    "listing still with it": (lambda t: t.call("list_dir", "app.cfg\nb.cfg", path="/p"), None),
    "listing in JSON still with it": (lambda t: t.call("list_dir", ["app.cfg"], path="/p"), None),
    "listing of another folder": (lambda t: t.call("list_dir", "b.cfg", path="/q"), None),
    "listing by a relative name": (lambda t: t.call("list_dir", "b.cfg", path="p"), "read"),
    "folder gone": (lambda t: t.call("list_dir", "No such file or directory", status="error", path="/p"), "read"),
    "glob that would have shown it": (lambda t: t.call("glob", "b.cfg", pattern="**/*.cfg", path="/p"), "read"),
    "glob that would not": (lambda t: t.call("glob", "b.py", pattern="*.py", path="/p"), None),
    "search in the folder": (lambda t: t.call("grep", "No matches found", pattern="x", path="/p"), None),
    "shell": (lambda t: t.call("shell", "b.cfg", command="ls /p"), "read" if available() else None),
    "another world": (lambda t: t.call("list_x", "b.cfg", path="/p", origin="mcp:fs"), None),
    "probe": (probe(held=True, kind=ProbeKind.ABSENT), "probe"),
    "probe that still finds it": (probe(held=False, kind=ProbeKind.ABSENT), None),
}


@pytest.mark.parametrize(("act", "by"), DELETIONS.values(), ids=DELETIONS.keys())
def test_a_deletion_is_settled_by_a_look_that_shows_absence(act: Callable[[Talk], None], by: str | None) -> None:
    """A not_found read, a listing of the folder without it, or a probe."""
    t = talk()
    t.call("delete_file", path=PATH)
    act(t)
    (debt,) = t.debts
    assert (debt.gone, debt.by) == (True, None if by is None else Settle(by))


@pytest.mark.parametrize(("path", "folder"), [("/a.cfg", "/"), ("a.cfg", "."), ("conf/a.cfg", "/p/conf")])
def test_the_folder_of_a_deletion_is_found_in_every_spelling(path: str, folder: str) -> None:
    """The root, the place one stands in, and a relative path under an absolute folder."""
    t = talk()
    t.call("delete_file", path=path)
    t.call("list_dir", "b.cfg", path=folder)
    assert t.paid == [(path, "read")]


def test_a_listing_whose_text_is_gone_settles_no_deletion() -> None:
    """Without the text nobody knows what the listing held."""
    t = talk()
    t.call("delete_file", path=PATH)
    t.call("list_dir", "b.cfg", path="/p")
    assert [debt.by for debt in Ledger(t.gate.state, t.gate.config).debts] == [None]


def test_what_was_made_and_removed_in_one_turn_owes_nothing() -> None:
    """Scratch leaves no debt; a file of an earlier turn does."""
    t = talk()
    t.call("write_file", path="/p/tmp.py", content="x")
    t.call("delete_file", path="/p/tmp.py")
    assert t.say("Done, I tried it out.").codes == ("no-change",) or t.say("Done.").accepted
    assert t.say("I created tmp.py.").codes == ("change-failed",)
    t.call("write_file", path="/p/tmp.py", content="x")
    t.gate.begin_turn("Remove tmp.py")
    t.call("delete_file", path="/p/tmp.py")
    assert [(debt.target, debt.gone) for debt in t.debts] == [("/p/tmp.py", True)]


def test_a_move_owes_a_look_at_the_new_name() -> None:
    """The debts of the old name move along; looking at the old name pays nothing."""
    t = talk()
    t.edit("/p/a")
    t.call("move_file", src="/p/a", dst="/p/b")
    t.read("/p/a", result="No such file", status="error")
    assert t.paid == [("/p/b", None)]
    t.read("/p/b")
    assert t.paid == [("/p/b", "read")]


def test_writing_again_after_a_deletion_owes_a_read() -> None:
    """The newest change of a target is the one that is owed."""
    t = talk()
    t.call("delete_file", path=PATH)
    t.call("write_file", path=PATH, content="x")
    assert [(debt.target, debt.gone, debt.by) for debt in t.debts] == [(PATH, False, None)]


@pytest.mark.parametrize(
    ("result", "status", "owes"),
    [
        ("No such directory", "error", False),
        ("Permission denied", "error", False),
        ("No match for old text", "error", False),
        ({"status": 422, "error": "invalid"}, "ok", False),
        ({"status": 503}, "ok", True),
        ("timed out after 30 s", "error", True),
        ("Internal Server Error", "error", True),
        ("Everything up-to-date", "ok", False),
    ],
    ids=str,
)
def test_a_failed_change_owes_a_look_only_when_it_may_have_had_an_effect(result: Any, status: str, owes: bool) -> None:
    """An error that excludes an effect owes nothing; a timeout does."""
    t = talk()
    t.edit(result=result, status=status)
    assert bool(t.debts) is owes


def test_a_pending_change_cannot_be_settled_before_its_end() -> None:
    """A read while it runs pays nothing; its end opens the debt anew."""
    t = talk()
    t.edit(status="pending", call_id="c1")
    t.read()
    assert [(debt.pending, debt.by) for debt in t.debts] == [(True, None)]
    assert t.say("Done.").codes == ("change-pending",)
    t.edit(call_id="c1")
    assert [(debt.pending, debt.by) for debt in t.debts] == [(False, None)]
    t.read()
    assert t.paid == [(PATH, "read")]


def test_a_pending_change_that_failed_owes_nothing() -> None:
    """The end of a background call stands for the call."""
    t = talk()
    t.edit(status="pending", call_id="c1")
    t.edit(result="Permission denied", status="error", call_id="c1")
    assert t.paid == []


PLACELESS: dict[str, tuple[dict[str, Any], Callable[[Talk], None], str | None]] = {
    "look of a tool of no other world": ({}, lambda t: t.call("get_deploy", "live"), "read"),
    "look at local files": ({}, lambda t: t.read(), None),
    "look at a web page": ({}, lambda t: t.call("http_get", "x", url="https://a.example"), None),
    "look into some server": ({}, lambda t: t.call("get_x", "x", origin="mcp:crm"), None),
    "its own output": ({}, lambda t: t.call("shell", "x", command="x"), None),
    "look in the same server": ({"origin": "mcp:crm"}, lambda t: t.call("get_x", "x", origin="mcp:crm"), "read"),
    "look in another server": ({"origin": "mcp:crm"}, lambda t: t.call("get_x", "x", origin="mcp:b"), None),
    "look at files for a server": ({"origin": "mcp:crm"}, lambda t: t.read(), None),
}


@pytest.mark.parametrize(("where", "act", "by"), PLACELESS.values(), ids=PLACELESS.keys())
def test_a_change_without_a_target_is_settled_in_its_own_domain(
    where: dict[str, Any], act: Callable[[Talk], None], by: str | None
) -> None:
    """A change that no argument names is paid by a look where it happened, never by one somewhere else."""
    from gate_core import parse_config

    gate = Gate(parse_config({"profiles": {"deploy": {"effect": "change"}}}))
    gate.begin_turn("deploy")
    t = Talk(gate)
    t.call("deploy", **where)
    act(t)
    assert t.paid == [("tool:deploy", by)]


def test_debts_survive_the_turn_and_block_when_named() -> None:
    """A later completion is blocked by an old debt only when it names the target."""
    t = talk()
    t.edit("/p/old.cfg")
    t.gate.begin_turn("Now set port in new.cfg.")
    t.edit("/p/new.cfg")
    t.read("/p/new.cfg")
    assert t.say("Done, new.cfg is set.").codes == ()
    verdict = t.say("Done, new.cfg and old.cfg are set.")
    assert (verdict.decision, verdict.codes) == ("REJECT", ("debt-carried",))
    t.read("/p/old.cfg")
    assert t.say("Done, new.cfg and old.cfg are set.").accepted
