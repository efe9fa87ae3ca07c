"""Policies for proposed actions as units, for hosts that judge a whole plan of calls at once.

The rules are those of `Gate.admit`. Family, risk and reversibility come from the configuration's profiles, never from
the unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from gate_core.admission.action import Action, key_of, proposed
from gate_core.admission.asked import is_asked
from gate_core.admission.lint import gives
from gate_core.admission.policy import Policy, RuleContext, Ruling, reject
from gate_core.admission.queries import all_type
from gate_core.admission.reach import folded
from gate_core.admission.result import Conflict, Weight
from gate_core.admission.units import ActionUnit, SourceType
from gate_core.checks.actions import are_opposite
from gate_core.model.call import ToolCall
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.evidence import Evidence
from gate_core.model.grants import Intent, Mood

if TYPE_CHECKING:
    from gate_core.admission.result import Judged

Reader = Callable[[ActionUnit], tuple[Action, ...]]


def _reader(config: GateConfig) -> Reader:
    return lambda unit: proposed(ToolCall(tool=unit.tool, args=unit.args), config).actions


def _requests(context: RuleContext[ActionUnit]) -> list[Intent]:
    """What the user asked for, as the pool has it: cited or not."""
    found = all_type(context.pool, SourceType.EXPLICIT_REQUEST)
    return [_request(piece) for piece in found]


def _request(piece: Evidence) -> Intent:
    objects = piece.says("objects")
    words = tuple(map(str, objects)) if isinstance(objects, list | tuple) else ()
    return Intent(mood=Mood.ASKED, family=str(piece.says("family", "")), objects=words)


def tool_calls(config: GateConfig) -> Policy[ActionUnit]:
    """Actions that the user asked for; evidence of type `explicit_request` has `family` and `objects`. Two that undo
    each other exclude both, the same one twice is noted."""
    actions_of = _reader(config)

    @gives(Code.INTENT_NOT_ESTABLISHED.value)
    def asked_for(unit: ActionUnit, evidence: Sequence[Evidence], context: RuleContext[ActionUnit]) -> Ruling | None:
        requests = _requests(context)
        good = all(is_asked(action, requests) for action in actions_of(unit))
        return None if good else reject(unit, Code.INTENT_NOT_ESTABLISHED)

    return Policy(
        name="actions.tool_calls",
        rules=(asked_for,),
        conflicts=lambda units, context: _conflicts(units, actions_of),
        codes={"same-call-twice": "propose it once"},
    )


def _conflicts(units: Sequence[Judged[ActionUnit]], actions_of: Reader) -> Iterator[Conflict]:
    """The same call twice, and actions that undo each other on one object."""
    calls: dict[str, list[str]] = {}
    touched: dict[str, dict[str, list[str]]] = {}  # object -> family -> units
    for item in units:
        calls.setdefault(key_of(item.unit.tool, item.unit.args), []).append(item.id)
        for action in actions_of(item.unit):
            for thing in map(folded, action.objects or ("",)):
                touched.setdefault(thing, {}).setdefault(action.family, []).append(item.id)
    for same in calls.values():
        if len(same) > 1:
            yield Conflict(units=tuple(same), code="same-call-twice", severity=Weight.INFORMATIONAL)
    for families in touched.values():
        for one, two in combinations(families, 2):
            if are_opposite(one, two):
                yield Conflict(units=(*families[one], *families[two]), code=Code.CONTRADICTORY_ACTIONS.value)


def irreversible(config: GateConfig, now: float | None = None) -> Policy[ActionUnit]:
    """`tool_calls`, and for what cannot be taken back evidence of type `confirmation`: `key` (see `confirmation_key`)
    and perhaps `expires_at`; without `now`, what can expire has expired."""
    actions_of = _reader(config)

    @gives(Code.CONFIRMATION_REQUIRED.value)
    def confirmed(unit: ActionUnit, evidence: Sequence[Evidence], context: RuleContext[ActionUnit]) -> Ruling | None:
        if not any(action.final for action in actions_of(unit)):
            return None
        given = context.pool.having("key", confirmation_key(unit))
        good = any(piece.source_type == "confirmation" and _holds(piece, now) for piece in given)
        return None if good else reject(unit, Code.CONFIRMATION_REQUIRED)

    return tool_calls(config) | Policy(name="actions.irreversible", rules=(confirmed,))


def confirmation_key(unit: ActionUnit) -> str:
    """What a confirmation of exactly this call carries."""
    return key_of(unit.tool, unit.args)


def _holds(piece: Evidence, now: float | None) -> bool:
    ends = piece.says("expires_at")
    if ends is None:
        return True
    return now is not None and isinstance(ends, int | float) and now < ends
