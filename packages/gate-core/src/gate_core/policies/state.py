"""Policies for what is remembered: the user's own words, and facts that tools returned."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.admission.conflicts import one_value_per
from gate_core.admission.lint import gives
from gate_core.admission.policy import Policy, RuleContext, Ruling, reject
from gate_core.admission.queries import all_type
from gate_core.admission.ready import cites_something
from gate_core.admission.stated import fold
from gate_core.admission.supported import holds
from gate_core.admission.units import SourceType, StateWrite, cited
from gate_core.checks.writes import check_writes
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence
from gate_core.model.grants import About, Stated
from gate_core.model.json import text_of


@gives(
    Code.INFERRED_NOT_STATED.value, Code.SCOPE_VIOLATION.value, Code.WRITE_EMPTY.value, Code.CONFLICTING_VALUES.value
)
def stated_by_the_user(
    unit: StateWrite, evidence: Sequence[Evidence], context: RuleContext[StateWrite]
) -> Ruling | None:
    """The rules of `Gate.admit_write`, over the statements the unit cites; without citations, over all of them."""
    given = evidence if cited(unit) else tuple(context.pool)
    found = check_writes(unit, [_stated(piece) for piece in all_type(given, SourceType.USER_STATEMENT)])
    return reject(unit, found[0].code) if found else None


def _stated(piece: Evidence) -> Stated:
    about = str(piece.says("about", ""))
    return Stated(
        turn=0,
        text=fold(str(piece.says("text", ""))),
        about=About(about) if about in tuple(About) else About.OTHER,
        negated=piece.says("negated") is True,
        question=piece.says("question") is True,
    )


def _slot(unit: StateWrite) -> tuple[str, str]:
    return (unit.subject, unit.key)


def _value(unit: StateWrite) -> object:
    return unit.value


memory: Policy[StateWrite] = Policy(
    name="state.memory",
    rules=(stated_by_the_user,),
    conflicts=one_value_per(_slot, _value, Code.CONFLICTING_VALUES.value),
)
"""What the user said of themselves, word for word."""


@gives(Code.WRITE_EMPTY.value)
def not_empty(unit: StateWrite, evidence: Sequence[Evidence], context: RuleContext[StateWrite]) -> Ruling | None:
    """A fact has a value."""
    empty = unit.value is None or (isinstance(unit.value, str | list | dict) and not str(unit.value).strip(" []{}"))
    return reject(unit, Code.WRITE_EMPTY) if empty or not unit.key.strip() else None


@gives("value-not-in-result")
def shown_by_a_result(
    unit: StateWrite, evidence: Sequence[Evidence], context: RuleContext[StateWrite]
) -> Ruling | None:
    """The value stands, whole, in a result the fact cites."""
    texts = [fold(text_of(piece.says("result"))) for piece in all_type(evidence, SourceType.TOOL_OUTPUT)]
    return None if any(holds(text, unit.value) for text in texts) else reject(unit, "value-not-in-result")


facts: Policy[StateWrite] = Policy(
    name="state.facts",
    rules=(not_empty, cites_something, shown_by_a_result),
    conflicts=one_value_per(_slot, _value, "two-values"),
    codes={
        "value-not-in-result": "cite the call whose result shows the value",
        "two-values": "store the value of the latest result alone",
    },
)
"""What tools returned: each fact cites the call that shows it, and two values of one key exclude each other."""
