"""The second opinion: when it is asked, what it sees, what its answer does; and the twin that is awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate_core import (
    Attempt,
    Gate,
    GateConfig,
    Probe,
    ProbeKind,
    ProbeResult,
    StubVerifier,
    ToolCall,
    Verdict,
    Verifier,
)
from gate_core.verifier import answer_text, excerpt

DONE = Attempt(parts=("Done.",))


class Says:
    """Gives or raises what it was made with, and remembers what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[str, ...]] = []

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Any:
        """The fixed answer."""
        self.asked.append(tuple(looks))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def supported(verifier: Any = None, **config: Any) -> Gate:
    """A turn whose edit was read back: a completion is accepted."""
    gate = edited(verifier, **config)
    gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result="timeout = 30"))
    return gate


def edited(verifier: Any = None, **config: Any) -> Gate:
    """A turn with an edit that nothing settled: a completion is rejected."""
    gate = Gate(GateConfig(**config), verifier=verifier)
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    gate.observe(ToolCall(tool="edit_file", args={"path": "app.cfg", "old": "5", "new": "30"}, result="ok"))
    return gate


class Weird(float):
    """A number that cannot be compared."""

    def __le__(self, other: object) -> bool:
        raise TypeError("no order")

    __ge__ = __lt__ = __gt__ = __le__


NO_SCORES = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "true": True,
    "false": False,
    "a text": "0.9",
    "bytes": b"1",
    "above": 1.01,
    "below": -0.01,
    "percent": 95,
    "huge": 10**400,
    "huge, negative": -(10**400),
    "complex": 1j,
    "decimal": Decimal("0.9"),
    "a list": [0.9],
    "an object": object(),
    "one bad criterion": {"effect_shown": 0.9, "no_overreach": "high"},
    "one NaN": {"effect_shown": float("nan"), "no_overreach": 0.9},
    "one truth value": {"effect_shown": True},
    "incomparable": Weird(0.5),
    "raises": OSError("net"),
    "raises StopIteration": StopIteration(3),
}


@pytest.mark.parametrize("answer", NO_SCORES.values(), ids=NO_SCORES.keys())
@pytest.mark.parametrize("way", ["waits", "is awaited"])
def test_what_is_no_score_is_a_failure_of_the_gate(answer: Any, way: str) -> None:
    """One rejection, then a marked release: neither a crash nor a silent accept; an honest answer still goes out."""
    gate = supported(Says(answer))
    seen = [judge(gate, DONE, way) for _ in range(2)]
    assert [(v.action.value, v.codes, v.confidence) for v in seen] == [
        ("REVISE", ("gate-error",), None),
        ("RELEASE", ("gate-error",), None),
    ]
    assert judge(gate, Attempt(parts=("UNVERIFIED: no.",)), way).action == "DELIVER"


def judge(gate: Gate, attempt: Attempt, way: str) -> Verdict:
    """The verdict, by either twin."""
    return gate.boundary_check(attempt) if way == "waits" else asyncio.run(gate.aboundary_check(attempt))


SCORES = {
    "one": (1, 1.0),
    "zero": (0, 0.0),
    "a fraction": (Fraction(3, 4), 0.75),
    "criteria nobody asked for count": ({"effect_shown": 0.9, "no_overeach": 0.2}, 0.2),
    "only such criteria": ({"tone": 0.9}, 0.9),
    "a criterion left open": ({"effect_shown": None, "no_overreach": 0.7}, 0.7),
    "all left open": ({"effect_shown": None}, None),
    "keys that are no names": ({1: 0.8, None: 0.6}, 0.6),
}


@pytest.mark.parametrize(("answer", "confidence"), SCORES.values(), ids=SCORES.keys())
def test_what_counts_as_a_score(answer: Any, confidence: float | None) -> None:
    """Any real number from 0 to 1; of several the weakest; None leaves a criterion out."""
    verdict = supported(Says(answer)).boundary_check(DONE)
    assert verdict.confidence == confidence
    assert verdict.accepted is (confidence is None or confidence >= 0.5)
    assert verdict.confidence is None or type(verdict.confidence) is float


def test_a_downgrade_is_a_rejection_like_any_other() -> None:
    """It is sent back, carries its confidence, halts, and is released marked when nothing new came."""
    gate = supported(StubVerifier(0.2))
    first = gate.boundary_check(DONE)
    assert (first.decision, first.action, first.exit, first.codes) == (
        "REJECT",
        "REVISE",
        None,
        ("verifier-downgrade",),
    )
    assert first.confidence == 0.2
    assert "look at what the answer claims, or claim less" in first.feedback
    assert gate.progress()["halted"] is True
    again = gate.boundary_check(DONE)
    assert (again.action, again.exit, again.marked) == ("RELEASE", "unverified", True)


def test_a_downgrade_keeps_what_was_found_before() -> None:
    """The findings and the provenance of the structural accept stay in the verdict."""
    said = Attempt(parts=("Done, app.cfg is set.",), claim="finished")
    plain = supported().boundary_check(said)
    downgraded = supported(StubVerifier(0.0)).boundary_check(said)
    assert plain.accepted
    assert downgraded.codes == (*plain.codes, "verifier-downgrade")
    assert downgraded.provenance == plain.provenance != {}


@pytest.mark.parametrize("posture", ["guard", "rails", "assist"])
def test_it_is_asked_only_when_nothing_is_against_the_answer(posture: str) -> None:
    """Under `assist` too, where a rejection is only recorded."""
    verifier = Says(0.0)
    gate = edited(verifier, posture=posture)
    gate.boundary_check(DONE)
    assert verifier.asked == []


def test_a_score_on_the_threshold_passes() -> None:
    """Strictly below is what downgrades."""
    assert supported(StubVerifier(0.8), verify_threshold=0.8).boundary_check(DONE).accepted
    assert not supported(StubVerifier(0.7999), verify_threshold=0.8).boundary_check(DONE).accepted
    assert supported(StubVerifier(0.0), verify_threshold=0).boundary_check(DONE).accepted


CALLS = st.lists(
    st.builds(
        lambda kind, path: ToolCall(
            tool=kind, args={"path": path, "old": "1", "new": "2"}, result="t = 2" if kind == "read_file" else "ok"
        ),
        st.sampled_from(["read_file", "edit_file", "list_dir", "task"]),
        st.sampled_from(["app.cfg", "b.cfg"]),
    ),
    max_size=5,
)
TEXTS = st.sampled_from(["Done.", "I set t in app.cfg to 2.", "b.cfg says 2.", "Shall I?", "UNVERIFIED: no."])
ANSWERS = st.one_of(
    st.none(),
    st.floats(),
    st.integers(),
    st.booleans(),
    st.text(max_size=3),
    st.dictionaries(st.text(max_size=3), st.one_of(st.none(), st.floats(), st.booleans()), max_size=3),
    st.sampled_from([OSError("x"), StopIteration(1), object()]),
)


@given(calls=CALLS, text=TEXTS, answer=ANSWERS, posture=st.sampled_from(["guard", "rails"]))
def test_no_verifier_rescues(calls: list[ToolCall], text: str, answer: Any, posture: str) -> None:
    """Whatever it gives or raises: a reject stays the same reject, byte for byte, and nothing is raised."""
    plain, checked = (_after(calls, posture, verifier) for verifier in (None, Says(answer)))
    for _ in range(3):
        before = plain.boundary_check(Attempt(parts=(text,)))
        after = checked.boundary_check(Attempt(parts=(text,)))
        assert before.accepted or not after.accepted
        if not before.accepted:
            assert after.to_dict() == before.to_dict()
        if after.accepted is not before.accepted:
            return


@given(calls=CALLS, text=TEXTS, posture=st.sampled_from(["guard", "rails", "assist"]))
def test_one_that_abstains_changes_nothing(calls: list[ToolCall], text: str, posture: str) -> None:
    """The verdicts and the state are the same as without one, by either twin."""
    gates = [_after(calls, posture, verifier) for verifier in (None, StubVerifier(), Says({}), None)]
    ways = ["waits", "waits", "is awaited", "is awaited"]
    told = [judge(gate, Attempt(parts=(text,)), way).to_dict() for gate, way in zip(gates, ways, strict=True)]
    assert told == [told[0]] * 4
    assert [gate.to_json() for gate in gates] == [gates[0].to_json()] * 4


def _after(calls: list[ToolCall], posture: Any, verifier: Verifier | None) -> Gate:
    gate = Gate(GateConfig(posture=posture), verifier=verifier)
    gate.begin_turn("Set t in app.cfg to 2.")
    for call in calls:
        gate.observe(call)
    return gate


def seen(gate: Gate, text: str = "Done.") -> list[tuple[str, str]]:
    """(source, text) of every look a verifier gets for an answer that is accepted."""
    verifier = Says(None)
    gate._verifier = verifier
    assert gate.boundary_check(Attempt(parts=(text,))).accepted
    return [(getattr(look, "source", ""), look) for look in verifier.asked[0]]


def read(gate: Gate, path: str, result: str) -> None:
    """A read."""
    gate.observe(ToolCall(tool="read_file", args={"path": path}, result=result))


def test_it_gets_the_looks_with_their_source() -> None:
    """Oldest first; a repeated look once."""
    gate = supported()
    read(gate, "b.cfg", "b")
    read(gate, "b.cfg", "b")
    assert seen(gate) == [("read_file app.cfg", "timeout = 30"), ("read_file b.cfg", "b")]


def test_it_gets_looks_of_earlier_turns_at_what_the_answer_names() -> None:
    """An assertion may rest on them; other old looks stay away."""
    gate = Gate()
    gate.begin_turn("Read app.cfg and b.cfg.")
    read(gate, "app.cfg", "t = 5")
    read(gate, "b.cfg", "b")
    gate.begin_turn("What was in app.cfg?")
    read(gate, "c.cfg", "c")
    assert seen(gate, "app.cfg sets t to 5.") == [("read_file app.cfg", "t = 5"), ("read_file c.cfg", "c")]


def test_what_supports_the_answer_comes_before_what_is_merely_new() -> None:
    """Twenty looks at most: the look at the changed file is among them however much was read since."""
    gate = supported()
    for number in range(40):
        read(gate, f"other{number}.txt", f"text {number}")
    texts = [text for _, text in seen(gate)]
    assert len(texts) == 20
    assert texts[:2] == ["timeout = 30", "text 21"]


def test_a_free_look_of_the_gate_is_told_in_words() -> None:
    """It has no text of its own, and without it the judge would see no support at all."""
    gate = edited()
    (fact,) = gate.state.facts.values()
    gate.record_probe(ProbeResult(probe=Probe(kind=ProbeKind.FILE_CONTAINS, path="app.cfg", about=fact.key), held=True))
    assert seen(gate) == [("the gate's own look", "app.cfg holds the new text of the change")]


@pytest.mark.parametrize(
    ("kind", "held", "says"),
    [
        (ProbeKind.EXISTS, True, "b is there"),
        (ProbeKind.EXISTS, False, "b is not there"),
        (ProbeKind.ABSENT, True, "b is not there"),
        (ProbeKind.FILE_CONTAINS, False, "b does not hold the new text of the change"),
    ],
)
def test_what_a_free_look_found(kind: ProbeKind, held: bool, says: str) -> None:
    """Each kind in its own words."""
    gate = supported()
    gate.record_probe(ProbeResult(probe=Probe(kind=kind, path="b"), held=held))
    assert seen(gate)[-1][1] == says


def test_a_text_that_is_gone_is_left_out() -> None:
    """A conversation that was stored elsewhere has facts without texts."""
    gate = Gate.from_json(supported().to_json())
    assert seen(gate) == []


def test_an_excerpt_keeps_both_ends() -> None:
    """Whole lines, what was left out is counted, and the limit holds; one long line keeps its beginning."""
    text = "\n".join(f"line {number}" for number in range(1000))
    short = excerpt(text, 200)
    assert len(short) <= 200
    first, *_, last = short.splitlines()
    assert (first, last) == ("line 0", "line 999")
    (note,) = [line for line in short.splitlines() if line.startswith("[")]
    left = int(note[1:].split()[0])
    assert left == len(text) - (len(short) - len(note) - 2)
    assert excerpt("x" * 500, 200) == "x" * 200
    assert excerpt("short", 200) == "short"


@given(text=st.text(alphabet="ab\n ", max_size=400), limit=st.integers(61, 200))
def test_an_excerpt_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    """Whatever the lines are like."""
    assert len(excerpt(text, limit)) <= max(limit, 0)


@pytest.mark.parametrize(
    ("attempt", "text"),
    [
        (Attempt(parts=("a", "b")), "a\nb"),
        (Attempt(output={"n": 1}), '{"n":1}'),
        (Attempt(output="only typed"), "only typed"),
        (Attempt(parts=("a",), output=[1]), "a\n[1]"),
        (Attempt(), ""),
    ],
)
def test_the_answer_is_what_the_user_gets(attempt: Attempt, text: str) -> None:
    """Visible texts, then the typed answer; a rule of a stub sees the same."""
    assert answer_text(attempt) == text
    assert StubVerifier(rule=lambda said: 1.0 if said == text else 0.0).score(attempt, (), ()) == 1.0


class Awaited:
    """A verifier that has to be awaited."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.thread = ""

    async def ascore(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Any:
        """The fixed answer, later."""
        await asyncio.sleep(0)
        self.thread = threading.current_thread().name
        return self.answer

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Mapping[str, float]:
        """Never asked where it can be awaited."""
        raise AssertionError("asked at once")


class OnlyAsync:
    """A verifier whose one method is a coroutine."""

    async def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> float:
        """Not supported."""
        return 0.1


def test_an_asynchronous_verifier_is_awaited() -> None:
    """In the loop's own thread."""
    verifier = Awaited({"effect_shown": 0.3})
    verdict = asyncio.run(supported(verifier).aboundary_check(DONE))
    assert (verdict.codes, verdict.confidence) == (("verifier-downgrade",), 0.3)
    assert verifier.thread == threading.main_thread().name
    assert asyncio.run(supported(OnlyAsync()).aboundary_check(DONE)).confidence == 0.1


def test_one_that_must_be_awaited_and_is_not_is_a_failure_of_the_gate() -> None:
    """No warning about a coroutine nobody awaited, no accept."""
    assert supported(OnlyAsync()).boundary_check(DONE).codes == ("gate-error",)


def test_a_verifier_that_blocks_does_not_hold_up_the_loop() -> None:
    """It runs in a thread; the loop serves others until it is done."""
    go = threading.Event()

    class Blocks:
        def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> float:
            assert go.wait(10)
            return 0.9

    async def both() -> Verdict:
        asking = asyncio.ensure_future(supported(Blocks()).aboundary_check(DONE))
        await asyncio.sleep(0)
        go.set()
        return await asking

    assert asyncio.run(both()).confidence == 0.9


def test_a_cancelled_wait_counts_nothing() -> None:
    """No verdict, no try: the next attempt starts where this one did."""
    started = asyncio.Event()

    class Hangs(Awaited):
        async def ascore(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Any:
            started.set()
            await asyncio.Event().wait()

    async def cancel(gate: Gate) -> None:
        asking = asyncio.ensure_future(gate.aboundary_check(DONE))
        await started.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    gate = supported(Hangs(None))
    asyncio.run(cancel(gate))
    assert (gate.verdicts, gate.state.tries) == ((), ())


def test_ctrl_c_is_no_failure_of_the_verifier() -> None:
    """What is no `Exception` goes through."""

    def interrupt(text: str) -> float:
        raise KeyboardInterrupt

    rule: Callable[[str], float] = interrupt
    with pytest.raises(KeyboardInterrupt):
        supported(StubVerifier(rule=rule)).boundary_check(DONE)


def test_a_failure_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    """An exception may hold what the agent saw."""
    supported(Says(OSError("secret"))).boundary_check(DONE)
    assert "the verifier failed: OSError" in caplog.text
    assert "secret" not in caplog.text
