"""What the host does with a verdict: revise, release, withhold, deliver; and the second opinion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from gate_core import (
    Attempt,
    Fact,
    Gate,
    GateConfig,
    GateState,
    GateUsageError,
    Outcome,
    Probe,
    ProbeResult,
    SignalEvent,
    SignalState,
    StubVerifier,
    ToolCall,
    Verdict,
    boundary_check,
    mark,
    parse_config,
    turn_loop,
)
from gate_core.model.verdict import Finding


def gate(verifier: Any = None, **config: Any) -> Gate:
    """A turn with one unsettled edit."""
    made = Gate(parse_config(config), verifier=verifier)
    made.begin_turn("Set the timeout in app.cfg to 30.")
    edit(made)
    return made


def edit(g: Gate, path: str = "app.cfg") -> None:
    """An edit."""
    g.observe(ToolCall(tool="edit_file", args={"path": path, "old": "5", "new": "30"}, result="ok"))


def read(g: Gate, path: str = "app.cfg", result: str = "timeout = 30") -> None:
    """A read."""
    g.observe(ToolCall(tool="read_file", args={"path": path}, result=result))


def say(g: Gate, text: str = "Done.") -> tuple[str, str, str | None]:
    """(decision, action, exit) of an attempt."""
    v = g.boundary_check(Attempt(parts=(text,)))
    return v.decision.value, v.action.value, v.exit and v.exit.value


REVISE = ("REJECT", "REVISE", None)
RELEASE = ("REJECT", "RELEASE", "unverified")
WITHHOLD = ("REJECT", "WITHHOLD", "withheld")
VERIFIED = ("ACCEPT", "DELIVER", "verified")
HONEST = ("ACCEPT", "DELIVER", "unverified")


@pytest.mark.parametrize(("posture", "last"), [("guard", RELEASE), ("rails", WITHHOLD)])
def test_an_agent_that_never_repairs_is_sent_back_once(posture: str, last: tuple[str, str, str | None]) -> None:
    """The same answer again, or other words for it, bring no progress."""
    g = gate(posture=posture)
    assert [say(g), say(g, "It is all done."), say(g)] == [REVISE, last, last]


def test_assist_records_and_delivers() -> None:
    """Nothing is sent back; the findings stand in the verdict and the exit says unverified."""
    g = gate(posture="assist")
    assert say(g) == HONEST
    assert g.verdict is not None
    assert (g.verdict.codes, g.verdict.feedback) == (("change-unseen",), "")


@pytest.mark.parametrize(("max_blocks", "revisions"), [(0, 0), (1, 1), (3, 3)])
def test_progress_earns_at_most_max_blocks_revisions(max_blocks: int, revisions: int) -> None:
    """An agent that looks at something new each time is sent back that often, and no more."""
    g = gate(max_blocks=max_blocks)
    seen = []
    for number in range(6):
        seen.append(say(g))
        read(g, f"other{number}", f"timeout = {number}")
    assert seen == [REVISE] * revisions + [RELEASE] * (6 - revisions)
    assert g.progress()["blocks"] == revisions


PROGRESS: dict[str, tuple[Any, bool]] = {
    "nothing": (lambda g: None, False),
    "a new result": (lambda g: read(g, "b"), True),
    "an ok change": (lambda g: edit(g, "b"), True),
    "a reasoning step": (lambda g: g.reasoning_step(), False),
    "a denied call": (lambda g: g.observe(ToolCall(tool="read_file", args={"path": "b"}, status="denied")), False),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("act", "progressed"), PROGRESS.values(), ids=PROGRESS.keys())
def test_what_counts_as_progress(act: Any, progressed: bool) -> None:
    """A new result digest, an ok change, a signal; not words, not thoughts."""
    g = gate()
    say(g)
    act(g)
    assert say(g) == (REVISE if progressed else RELEASE)


def test_a_repeated_result_is_no_progress() -> None:
    """The same call with the same result was known already."""
    g = gate()
    read(g, "b")
    say(g)
    read(g, "b")
    assert say(g) == RELEASE


def test_a_reason_gone_is_progress() -> None:
    """An answer that drops one of its two unsupported parts is sent back for the other."""
    g = Gate()
    g.begin_turn("Compare a.cfg and b.cfg.")
    assert say(g, "a.cfg is 1. b.cfg is 2.") == REVISE
    assert say(g, "a.cfg is 1.") == REVISE
    assert say(g, "a.cfg is 1, really.") == RELEASE


def test_repairing_is_accepted_and_a_new_turn_starts_afresh() -> None:
    """After the look the same words are accepted; the next turn has all its revisions."""
    g = gate()
    assert say(g) == REVISE
    read(g)
    assert say(g) == VERIFIED
    g.begin_turn("Now set b.cfg.")
    edit(g, "b.cfg")
    assert [say(g), say(g)] == [REVISE, RELEASE]
    assert g.exited_unverified
    g.begin_turn("thanks")
    assert not g.exited_unverified


@pytest.mark.parametrize("text", ["UNVERIFIED: not looked at.", "I could not check it."])
def test_an_honest_answer_is_always_delivered(text: str) -> None:
    """Its other findings are still listed; posture and blocks do not matter."""
    configs: list[dict[str, Any]] = [{}, {"posture": "rails"}, {"max_blocks": 0}, {"policy": "strict"}]
    for config in configs:
        g = gate(**config)
        assert say(g, text) == HONEST
        assert g.verdict is not None
        assert g.verdict.codes == ("change-unseen",)


def test_our_feedback_starts_no_turn() -> None:
    """It is recognised by its digest, whatever blank space the framework put around it."""
    g = gate()
    say(g)
    assert g.verdict is not None
    told = g.verdict.feedback
    assert g.is_feedback(f"\n {told}\n")
    assert g.begin_turn(told) is False
    assert g.state.turn == 1
    assert g.begin_turn(told + " x") is True


def test_feedback_names_each_thing_the_next_step_and_the_way_out() -> None:
    """Word for word; what may not be printed is named by its position."""
    where = "the target of a call"
    g = gate()
    edit(g, "/p/my file.txt")
    say(g)
    assert g.verdict is not None
    assert g.verdict.feedback.splitlines() == [
        "[gate] This answer was not delivered, because what was observed does not support it:",
        "1. app.cfg was changed and not looked at since. Next: read app.cfg, then answer again.",
        f"2. {where} was changed and not looked at since. Next: read {where}, then answer again.",
        'If you cannot do this, answer with a text that starts with "UNVERIFIED:" and say what you could not confirm.',
    ]


def test_feedback_is_bounded() -> None:
    """Eight reasons, then how many more."""
    g = gate()
    for number in range(12):
        edit(g, f"f{number}.cfg")
    say(g)
    assert g.verdict is not None
    assert g.verdict.feedback.splitlines()[-2] == "... and 5 more of this kind."


@pytest.mark.parametrize(
    ("action", "text", "marked"),
    [
        ("release", "Done.", "UNVERIFIED: Done."),
        ("release", "UNVERIFIED: Done.", "UNVERIFIED: Done."),
        ("release", "Unverified claims are fine.", "UNVERIFIED: Unverified claims are fine."),
        ("accept", "Done.", "Done."),
    ],
)
def test_a_released_answer_can_be_marked(action: str, text: str, marked: str) -> None:
    """Once, and only when the verdict calls for it."""
    g = gate(max_blocks=0)
    if action == "accept":
        read(g)
    v = g.boundary_check(Attempt(parts=("Done.",)))
    assert mark(text, v, g.config) == marked


class Broken:
    """Fails at everything a gate asks."""

    def take(self, probes: Sequence[Probe]) -> tuple[ProbeResult, ...]:
        """A prober that raises."""
        raise OSError("disk")

    def call(self, ref: str) -> tuple[Mapping[str, Any], Any] | None:
        """A text source that raises."""
        raise OSError("disk")

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> float | None:
        """A verifier that raises."""
        raise OSError("net")


@pytest.mark.parametrize("part", ["prober", "texts", "verifier"])
def test_a_gate_that_fails_rejects_once_and_releases_marked(part: str) -> None:
    """Never an exception, never a silent accept, however much new was seen; an honest answer still goes out."""
    parts: dict[str, Any] = {part: Broken()}
    g = Gate(**parts)
    g.begin_turn("Set the timeout in app.cfg to 30.")
    if part == "texts":
        g._memory.store.keep = lambda *args, **more: None  # type: ignore[method-assign]
    edit(g)
    if part == "verifier":
        read(g)
    assert say(g) == REVISE
    assert g.verdict is not None
    assert (g.verdict.codes, g.verdict.findings[0].where) == (("gate-error",), "OSError")
    assert "disk" not in str(g.verdict.to_dict())
    read(g, "new")
    assert say(g) == RELEASE
    assert say(g, "UNVERIFIED: no.") == HONEST


@pytest.mark.parametrize(
    "attempt",
    [
        Attempt(parts=(None,)),  # type: ignore[arg-type]
        Attempt(parts=(b"x",)),  # type: ignore[arg-type]
        Attempt(parts=5),  # type: ignore[arg-type]
        Attempt(parts=None),  # type: ignore[arg-type]
        Attempt(parts=({"text": "x"},)),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_malformed_attempt_is_a_gate_error(attempt: Attempt) -> None:
    """Parts that are no strings cannot be read: a rejection, then a marked release."""
    g = gate()
    assert g.boundary_check(attempt).codes == ("gate-error",)
    assert g.boundary_check(attempt).action == "RELEASE"


@pytest.mark.parametrize("claim", [5, [], {}, "x", ""])
def test_a_malformed_claim_counts_as_completion(claim: Any) -> None:
    """Whatever stands where the claim type belongs."""
    v = gate().boundary_check(Attempt(parts=("x",), claim=claim))
    assert (v.claim, v.codes) == ("completion", ("change-unseen", "claim-type-unknown"))


@pytest.mark.parametrize(("posture", "last"), [("guard", RELEASE), ("rails", WITHHOLD)])
def test_an_unwired_gate_releases_at_once(posture: str, last: tuple[str, str, str | None]) -> None:
    """No model can repair it; the finding names what the host forgot."""
    g = Gate(parse_config({"posture": posture}), wired=False, unwired="pass the hooks")
    g.begin_turn("x")
    assert say(g, "Hello.") == last
    assert g.verdict is not None
    assert (g.verdict.codes, g.verdict.findings[0].where) == (("gate-unwired",), "pass the hooks")
    assert say(g, "UNVERIFIED: x") == HONEST
    read(g)
    assert say(g, "I read app.cfg.") == ("ACCEPT", "DELIVER", "grounded")


def test_a_lost_observation_makes_the_turn_unverifiable() -> None:
    """What was not recorded cannot be checked, until the next turn."""
    g = gate()
    read(g)
    g.lose()
    assert [say(g), say(g)] == [REVISE, RELEASE]
    again = Gate.from_json(g.to_json())
    assert say(again) == RELEASE
    again.begin_turn("next")
    assert say(again, "Hello.") == ("ACCEPT", "DELIVER", "conversational")


@pytest.mark.parametrize(("posture", "last"), [("guard", RELEASE), ("rails", WITHHOLD), ("assist", HONEST)])
def test_a_tampered_turn_ends_unverified_whatever_is_shown(posture: str, last: tuple[str, str, str | None]) -> None:
    """At once, since no model can repair it; the next turn is a turn like any other (spec 70)."""
    g = gate(posture=posture)
    read(g)
    g.tamper()
    assert [say(g), say(g, "Hello.")] == [last, last]
    assert g.verdict is not None
    assert (g.verdict.codes, g.verdict.feedback) == (("gate-tampered",), "")
    assert say(g, "UNVERIFIED: I touched the gate's files.") == HONEST
    again = Gate.from_json(g.to_json(), g.config)
    assert say(again) == last
    again.begin_turn("next")
    assert say(again, "Hello.") == ("ACCEPT", "DELIVER", "conversational")


def test_what_else_is_wrong_in_a_tampered_turn_is_listed() -> None:
    """And a verifier, or a failure of the gate, is no way around it."""
    g = gate(verifier=StubVerifier(1.0))
    g.tamper()
    assert say(g) == RELEASE
    assert g.verdict is not None
    assert g.verdict.codes == ("change-unseen", "gate-tampered")
    g.lose()
    assert [say(g), say(g)][-1] == RELEASE


def test_on_verdict_hears_every_verdict_and_cannot_break_the_run(caplog: pytest.LogCaptureFixture) -> None:
    """An exception of the host's own callback is logged."""
    heard: list[Verdict] = []

    def hear(verdict: Verdict) -> None:
        heard.append(verdict)
        raise RuntimeError("host")

    g = Gate(on_verdict=hear)
    g.begin_turn("x")
    say(g, "Hello.")
    assert heard == list(g.verdicts)
    assert "on_verdict failed" in caplog.text


SCORES: list[tuple[Any, bool, float | None]] = [
    (0.9, True, 0.9),
    (0.5, True, 0.5),
    (0.49, False, 0.49),
    (None, True, None),
    ({}, True, None),
    ({"effect_shown": 0.9, "no_overreach": 0.2}, False, 0.2),
    ({"effect_shown": 0.9, "no_overreach": 0.6}, True, 0.6),
]


class Says:
    """A verifier that answers what it was given and remembers what it was asked."""

    def __init__(self, score: Any) -> None:
        self.answer = score
        self.asked: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Any:
        """The fixed answer."""
        self.asked.append((attempt.text, tuple(looks), tuple(criteria)))
        return self.answer


@pytest.mark.parametrize(("score", "accepted", "confidence"), SCORES, ids=str)
def test_the_second_opinion_downgrades_strictly_below_the_threshold(
    score: Any, accepted: bool, confidence: float | None
) -> None:
    """The weakest criterion counts; None and {} abstain."""
    g = gate(verifier=Says(score))
    read(g)
    v = g.boundary_check(Attempt(parts=("Done.",)))
    assert (v.accepted, v.confidence) == (accepted, confidence)
    assert v.codes == (() if accepted else ("verifier-downgrade",))
    if not accepted:
        assert say(g) == RELEASE


def test_the_second_opinion_is_asked_only_after_an_accept_of_a_claim() -> None:
    """Never to rescue, never about talk or an honest answer; it gets the text, bounded looks, its criteria."""
    asked = Says(1.0)
    g = gate(verifier=asked)
    for text in ("Done.", "Shall I?", "UNVERIFIED: x"):
        say(g, text)
    assert asked.asked == []
    read(g, result="30 " + "x" * 5000)
    say(g)
    say(g, "I read app.cfg.")
    assert [criteria for _, _, criteria in asked.asked] == [
        ("effect_shown", "no_overreach"),
        ("claim_supported", "no_overreach"),
    ]
    assert asked.asked[0][:2] == ("Done.", ("30 " + "x" * 1997,))
    strict = Says(1.0)
    g = gate(verifier=strict, model_class="skipper")
    read(g)
    say(g, "I read app.cfg.")
    assert strict.asked[0][2] == ("effect_shown", "no_overreach")


def test_the_stub_verifier() -> None:
    """A fixed score, or a rule over the text; by default it abstains."""
    attempt = Attempt(parts=("Done.",))
    assert StubVerifier(0.9).score(attempt, (), ()) == 0.9
    assert StubVerifier(rule=lambda text: 0.1 if text == "Done." else 1.0).score(attempt, (), ()) == 0.1
    assert StubVerifier().score(attempt, (), ()) is None


SCRIPT: list[dict[str, Any]] = [
    {"type": "reasoning"},
    {"type": "tool_call", "tool": "edit_file", "args": {"path": "a", "old": "1", "new": "2"}, "result": "ok"},
    {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}},
    {"type": "reasoning"},
    {"type": "tool_call", "tool": "read_file", "args": {"path": "a"}, "result": "2"},
    {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done now."}},
    {"type": "reasoning"},
]


def test_the_turn_loop_is_the_reference_wiring() -> None:
    """It ends at the first accepted terminal; the trace says what happened to each step."""
    emitted, trace = turn_loop(SCRIPT, GateState())
    assert emitted == "Done now."
    assert [kind for kind, _ in trace] == [
        "reasoning",
        "tool_call",
        "terminal",
        "refused_reasoning",
        "tool_call",
        "terminal",
    ]
    assert trace[0][1] is None
    assert trace[3][1] == ("qualifying_tool_call", "unverified_terminal")
    last = trace[-1][1]
    assert isinstance(last, Verdict)
    assert last.exit == "verified"


@pytest.mark.parametrize(
    ("steps", "emitted"),
    [
        ([], None),
        ([{"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}}], None),
        ([{"type": "terminal", "attempt": {"claim_type": "unverified", "content": "no"}}], "no"),
        ([{"type": "terminal", "attempt": {"content": "Hello."}}], "Hello."),
        (
            [
                {"type": "tool_call", "tool": "set_x", "args": {"id": 1}, "mutating": True},
                {"type": "tool_call", "tool": "peek", "args": {"id": 1}, "mutating": False, "result": "r"},
                {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}},
            ],
            None,
        ),
        (
            [
                {"type": "tool_call", "tool": "a_x", "args": {"x_id": 1}, "mutating": True},
                {"type": "tool_call", "tool": "b_x", "args": {"x_id": 1}, "mutating": False, "result": "r"},
                {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}},
            ],
            "Done.",
        ),
        (
            [
                {"type": "tool_call", "tool": "a", "args": {"x_id": 1}, "mutating": True, "exit_ok": False},
                {"type": "tool_call", "tool": "b", "args": {"x_id": 1}, "mutating": False, "result": "r"},
                {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}},
            ],
            "Done.",
        ),
    ],
    ids=["empty", "lie", "honest", "talk", "other kind", "looked", "unclear end, looked"],
)
def test_the_turn_loop_emits_what_was_accepted(steps: list[dict[str, Any]], emitted: str | None) -> None:
    """None when nothing was."""
    assert turn_loop(steps, GateState())[0] == emitted


def test_the_turn_loop_takes_signals_and_goes_on_with_a_state() -> None:
    """Signals of a failed run are not raised; a state that has begun is not begun again."""
    state = GateState()
    run: dict[str, Any] = {
        "type": "tool_call",
        "tool": "t",
        "args": {},
        "mutating": False,
        "signals": ["tests_passed"],
        "result": "x",
    }
    done: dict[str, Any] = {"type": "terminal", "attempt": {"claim_type": "completion", "content": "Done."}}
    config = GateConfig(requires=("tests_passed",))
    emitted, _ = turn_loop([SCRIPT[1], {**run, "exit_ok": False}, SCRIPT[4], done], state, config)
    assert (emitted, state.turn) == (None, 1)
    assert turn_loop([run, done], state, config, StubVerifier(1.0))[0] == "Done."
    assert state.turn == 1


@pytest.mark.parametrize(
    "step", [{"type": "dance"}, {}, {"type": "terminal"}, {"type": "terminal", "attempt": "x"}], ids=str
)
def test_a_step_of_another_kind_is_the_callers_bug(step: dict[str, Any]) -> None:
    """It raises, and says what it got."""
    with pytest.raises(GateUsageError):
        turn_loop([step], GateState())


def test_a_verdict_and_its_findings_are_plain_json() -> None:
    """`to_dict` of a rejection, whole."""
    g = gate()
    g.boundary_check(Attempt(parts=("Done.",)))
    assert g.verdict is not None
    told = g.verdict.to_dict()
    (fact,) = g.state.facts.values()
    assert told["findings"] == [
        {
            "code": "change-unseen",
            "severity": "block",
            "layer": "floor",
            "subject": "app.cfg",
            "where": "the target of a call",
            "says": "app.cfg was changed and not looked at since",
            "fix": "read app.cfg, then answer again",
            "evidence": [fact.key],
        }
    ]
    assert {key: told[key] for key in ("decision", "action", "exit", "claim", "decided_by", "provenance")} == {
        "decision": "REJECT",
        "action": "REVISE",
        "exit": None,
        "claim": "completion",
        "decided_by": 3,
        "provenance": {},
    }
    assert told["legal_next"] == ["qualifying_tool_call", "unverified_terminal"]
    assert told["needs"] == [{"kind": "file_contains", "path": "app.cfg", "about": fact.key}]
    assert isinstance(g.verdict.findings[0], Finding)


def test_the_progress_of_a_conversation() -> None:
    """Every counter of spec 00, on a turn with an edit, a read, a rejection and an accept."""
    g = gate(requires=["tests_passed"])
    say(g)
    read(g)
    say(g)
    assert g.progress() == {
        "budget": 6,
        "cap": 6,
        "refill": 2,
        "headroom": 0,
        "step": 1,
        "turn": 1,
        "halted": True,
        "grounded": 0,
        "verified": 0,
        "rejections": 2,
        "steps_since_change": 1,
        "steps_since_verification": 0,
        "pending": [],
        "looks_this_turn": 1,
        "signals": [],
        "unmet_signals": ["tests_passed"],
        "unverified_exits": 0,
        "blocks": 2,
        "max_blocks": 3,
        "calls_this_turn": 2,
        "exited_unverified": False,
    }
    assert Gate().progress()["steps_since_change"] is None


def test_the_plain_function_asks_for_looks_and_takes_none() -> None:
    """`boundary_check` has no prober: what would settle the debt stands in `needs`."""
    g = gate()
    attempt = Attempt(parts=("Done.",))
    assert [probe.path for probe in boundary_check(g.state, attempt, g.config, g).needs] == ["app.cfg"]
    assert boundary_check(g.state, attempt, g.config).needs == ()
    no_probe = GateConfig(settle={"read"})  # type: ignore[arg-type]
    assert boundary_check(g.state, attempt, no_probe, g).needs == ()


def test_rereading_with_other_arguments_is_no_progress() -> None:
    """Progress is a new result; the same text under another offset is none, nor is a failed signal."""
    g = gate(max_blocks=3)
    read(g, "b.cfg")
    assert say(g) == REVISE
    args: dict[str, Any] = {"path": "b.cfg", "offset": 0}
    g.observe(ToolCall(tool="read_file", args=args, result="timeout = 30"))
    failed = SignalEvent(name="tests_passed", state=SignalState.FAILED)
    g.observe(ToolCall(tool="read_file", args=args, result="timeout = 30", call_id="c", signals=(failed,)))
    assert say(g) == RELEASE


@pytest.mark.parametrize("news", ["result", "change", "signal"])
def test_progress_is(news: str) -> None:
    """A result that was not seen before, an ok change, or a passed signal."""
    g = gate(max_blocks=3)
    read(g, "b.cfg")
    assert say(g) == REVISE
    if news == "result":
        read(g, "b.cfg", "timeout = 31")
    elif news == "change":
        edit(g, "c.cfg")
    else:
        passed = (SignalEvent(name="checked"),)
        g.observe(ToolCall(tool="read_file", args={"path": "b.cfg"}, result="timeout = 30", signals=passed))
    assert say(g) == REVISE


def test_a_look_of_the_rejected_step_that_came_later_ends_the_halt() -> None:
    """What counts is that it was not there yet; across a restart, too."""
    g = gate()
    call = ToolCall(tool="read_file", args={"path": "b.cfg"}, result="t = 1", step=4)
    g.observe(call)
    assert say(g) == REVISE
    assert g.progress()["halted"] is True
    g = Gate.from_json(g.to_json(), texts=g)
    assert g.progress()["halted"] is True
    g.observe(replace(call, result="t = 1", call_id="again"))
    assert g.progress()["halted"] is True
    g.observe(replace(call, args={"path": "c.cfg"}, call_id="other"))
    assert g.progress()["halted"] is False


def test_counters_survive_the_process() -> None:
    """How answers went out is part of the state; of two copies the higher count is taken."""
    g = gate()
    edit(g)
    read(g)
    say(g)
    say(g, "UNVERIFIED: I could not check b.cfg.")
    again = Gate.from_json(g.to_json(), texts=g)
    say(again)
    told = again.progress()
    assert (told["verified"], told["grounded"], told["unverified_exits"]) == (2, 0, 1)
    merged = Gate(state=g.state.merge(again.state))
    assert merged.progress()["verified"] == 2


def test_the_turn_loop_takes_every_field_of_a_call() -> None:
    """Under its own name; what is of another kind counts as absent, and an unknown status as an error."""
    step: dict[str, Any] = {
        "type": "tool_call",
        "tool": "Read",
        "args": {"file_path": "a.cfg"},
        "result": "x",
        "call_id": "c7",
        "step": 5,
        "turn": 3,
        "ref": "r7",
        "origin": "mcp:files",
        "cwd": "/p",
        "agent": "helper",
        "exit_code": 1,
        "status": "sideways",
        "side": {"error": "it is gone"},
    }
    odd = {**step, "call_id": None, "id": 8, "step": True, "exit_code": "1", "side": [], "ref": None, "status": ["x"]}
    _, trace = turn_loop([step, odd], GateState())
    facts = [fact for _, fact in trace if isinstance(fact, Fact)]
    assert [(f.call, f.turn, f.step, f.ref, f.agent) for f in facts] == [
        ("c7", 1, 5, "r7", "helper"),
        ("8", 1, 6, "8", "helper"),
    ]
    assert facts[1].outcome is Outcome.FAILED
