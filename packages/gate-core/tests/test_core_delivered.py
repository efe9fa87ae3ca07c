"""A result that reached the model as another text is looked up in that text."""

from __future__ import annotations

import pytest

from gate_core import Attempt, Fact, Gate, GateConfig, Json, JsonObject, ToolCall, as_delivered

ARGS = {"url": "https://a.example/list"}


class Shown:
    """What the thread shows of the only call."""

    def __init__(self, text: str) -> None:
        self.text = text

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and the text the model saw."""
        return ARGS, self.text


def gate_of(whole: str, shown: str) -> tuple[Gate, Fact]:
    """A gate that observed the whole text, in a process that only finds what was shown."""
    first = Gate()
    first.begin_turn("What does the list at https://a.example/list say?")
    fact = first.observe(ToolCall(tool="fetch", args=ARGS, result=whole, call_id="c1"))
    gate = Gate.from_json(first.to_json(), texts=Shown(shown))
    return gate, fact


@pytest.mark.parametrize(
    ("value", "code"), [("48151623", ""), ("99887766", "value-unsupported")], ids=["in the preview", "moved away"]
)
def test_values_are_looked_up_in_what_was_seen(value: str, code: str) -> None:
    """What the model did not get to see backs nothing; before, nobody could say."""
    attempt = Attempt(parts=(f"https://a.example/list says {value}.",))
    gate, fact = gate_of("48151623 ... 99887766", "Too large: 48151623 ...")
    assert "value-unexamined" in gate.boundary_check(attempt).codes
    gate, fact = gate_of("48151623 ... 99887766", "Too large: 48151623 ...")
    gate.state.facts[fact.key] = as_delivered(fact, ARGS, "Too large: 48151623 ...", gate.config)
    codes = gate.boundary_check(attempt).codes
    assert (code in codes) if code else not [c for c in codes if c.startswith("value")]


def test_what_the_call_did_stays() -> None:
    """Effects, outcome, signals and identity are those of the call that ran."""
    _, fact = gate_of("a long text", "")
    told = as_delivered(fact, ARGS, "short", GateConfig())
    assert (told.key, told.effects, told.outcome, told.ref) == (fact.key, fact.effects, fact.outcome, fact.ref)
    assert (told.size, told.digest != fact.digest) == (5, True)
    assert as_delivered(fact, ARGS, "a long text", GateConfig()) == fact


def test_texts_of_another_call_are_not_its_texts() -> None:
    """Arguments that a person changed are not in the thread; then nothing is replaced."""
    _, fact = gate_of("a long text", "")
    assert as_delivered(fact, {"url": "https://b.example"}, "short", GateConfig()) is fact
