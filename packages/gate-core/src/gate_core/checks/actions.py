"""May this action run? The rules of the seat before a tool runs (spec 40, "Actions").

All rules are evaluated and all that fail are listed. They ask the ledger and what the user and the host gave; never the
proposer, and never text that a tool returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gate_core.admission.action import CHANGE, Action, Proposed, proposed
from gate_core.admission.asked import figures_asked, is_asked, names
from gate_core.admission.reach import folded, reach_of
from gate_core.admission.supported import as_number, is_supported
from gate_core.admission.wording import family_of
from gate_core.checks.finding import finding
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES
from gate_core.model.call import ToolCall
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.grants import Grants, Intent, Mood
from gate_core.model.json import Json, scalars
from gate_core.model.kinds import Did, Outcome
from gate_core.model.verdict import Finding

_OPPOSITES = {
    frozenset(pair)
    for pair in (
        ("order", "cancel"), ("book", "cancel"), ("install", "uninstall"), ("publish", "delete"), ("pay", "refund"),
        ("grant", "revoke"), ("enable", "disable"), ("start", "stop"), ("store", "delete"), ("order", "refund"),
        ("lock", "unlock"), ("subscribe", "unsubscribe"), ("approve", "reject"), ("open", "close"),
        ("deploy", "delete"),
    )
}  # fmt: skip

Supported = Callable[[Json], bool]
"""Whether a value was given by the user or shown by a result; the values layer has a better one (spec 30)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A call before it runs, with all that speaks for or against it. `now` is the host's clock, or None."""

    call: ToolCall
    asks: Proposed
    ledger: Ledger
    grants: Grants
    now: float | None = None
    supported: Supported | None = None

    @property
    def confirmed(self) -> bool:
        """True when the user approved exactly this call."""
        return any(c.key == self.asks.key and c.holds(self.ledger.turn, self.now) for c in self.grants.confirmations)


def check_actions(
    call: ToolCall,
    ledger: Ledger,
    grants: Grants,
    config: GateConfig,
    *,
    now: float | None = None,
    supported: Supported | None = None,
) -> tuple[Finding, ...]:
    """The findings about a call before it runs."""
    asks = proposed(call, config)
    question = Question(call=call, asks=asks, ledger=ledger, grants=grants, now=now, supported=supported)
    found = [f for action in asks.actions for f in _of_action(question, action)]
    found += [*_arguments(question), *_repeated(question)]
    if asks.unread == "shell":
        found.append(finding(Code.SHELL_NOT_ANALYSED, f"tool:{call.tool}"))
    if asks.unread == "command":
        found.append(finding(Code.COMMAND_UNREADABLE, f"tool:{call.tool}"))
    order = {code: at for at, code in enumerate(Code)}
    return tuple(sorted(dict.fromkeys(found), key=lambda f: order[f.code]))


def _of_action(question: Question, action: Action) -> Iterator[Finding]:
    intents = _open_intents(question, action)
    asked = is_asked(action, intents, reach_of(question.call.tool, action, question.ledger))
    if not (asked and figures_asked(action.family, _figures(question.asks), intents)):
        yield finding(Code.INTENT_NOT_ESTABLISHED, action.target)
    if action.authorization and not (question.confirmed or _authorized(question, action)):
        yield finding(Code.AUTHORIZATION_MISSING, action.target)
    if action.final and not question.confirmed:
        yield finding(Code.CONFIRMATION_REQUIRED, action.target)
    if _contradicts(question, action):
        yield finding(Code.CONTRADICTORY_ACTIONS, action.target)


def _figures(asks: Proposed) -> Iterator[float]:
    """The figures among the arguments that must come from somewhere: amounts, not ids."""
    for _, value in asks.sourced:
        for leaf in scalars(value):
            figure = (
                as_number(str(leaf)) if isinstance(leaf, int | float | str) and not isinstance(leaf, bool) else None
            )
            if figure is not None:
                yield figure


def _open_intents(question: Question, action: Action) -> Sequence[Intent]:
    """What the user said, without requests that this very call fulfilled in an earlier turn: asked for once is not
    asked for again. Writes to files, which go on over turns, and requests for every time stay."""
    intents = question.grants.intents
    turn = _fulfilled(question) if action.family != CHANGE else -1
    return [i for i in intents if i.turn > turn or i.every or i.mood is not Mood.ASKED] if turn >= 0 else intents


def _fulfilled(question: Question) -> int:
    """The last earlier turn in which this call was admitted and went well; -1 for none."""
    ledger, key = question.ledger, question.asks.key
    turns = {done.turn for done in question.grants.done if done.key == key and done.turn < ledger.turn}
    well = (f.turn for f in ledger.facts if f.turn in turns and f.tool == question.call.tool and _went_well(f))
    return max(well, default=-1) if turns else -1


def _went_well(fact: Fact) -> bool:
    return fact.executed and fact.outcome is Outcome.OK


def _authorized(question: Question, action: Action) -> bool:
    """A piece of the host's evidence of the type the profile asks for, about this tool or family, and not expired."""
    for piece in question.grants.evidence:
        if piece.source_type != action.authorization or _expired(piece.says("expires_at"), question.now):
            continue
        tool, family, thing = piece.says("tool"), piece.says("family"), piece.says("object")
        fits = tool == question.call.tool if tool is not None else family_of(str(family)) == action.family
        if fits and (thing is None or all(folded(str(thing)) == folded(one) for one in action.objects)):
            return True
    return False


def _expired(ends: Json, now: float | None) -> bool:
    if ends is None:
        return False
    return now is None or isinstance(ends, str | bool) or not isinstance(ends, int | float) or now >= ends


def _contradicts(question: Question, action: Action) -> bool:
    """An action of this turn that this one takes back, unless the user asked for both."""
    for done in question.grants.done:
        if done.turn != question.ledger.turn or not are_opposite(done.family, action.family):
            continue
        if not _share(done.objects, action.objects):
            continue
        both = Action(family=done.family, objects=done.objects)
        if not (is_asked(both, question.grants.intents) and is_asked(action, question.grants.intents)):
            return True
    return False


def are_opposite(one: str, two: str) -> bool:
    """True when an action of one family takes back one of the other."""
    return frozenset((one, two)) in _OPPOSITES


def _share(one: Sequence[str], two: Sequence[str]) -> bool:
    return not one or not two or any(names([folded(a)], b) or names([folded(b)], a) for a in one for b in two)


def _arguments(question: Question) -> Iterator[Finding]:
    """Values of arguments that the profile says must come from somewhere."""
    for name, value in question.asks.sourced:
        for leaf in scalars(value):
            if leaf is None or leaf == "" or isinstance(leaf, bool):
                continue
            known = (
                question.supported(leaf) if question.supported else is_supported(leaf, question.ledger, question.grants)
            )
            if not known:
                yield finding(Code.ARGUMENT_UNSUPPORTED, name)
                break


def _repeated(question: Question) -> Iterator[Finding]:
    """The same call went well before and nothing it touched changed since: a change in the whole conversation, a look
    in this turn."""
    ledger = question.ledger
    for fact in ledger.facts:
        if fact.tool != question.call.tool or not fact.executed or fact.outcome is not Outcome.OK:
            continue
        changes = any(effect.did in CHANGES for effect in fact.effects)
        if not changes and fact.turn != ledger.turn:
            continue
        found = ledger.text(fact)
        if found is not None and found[0] == question.call.args and not _changed_since(ledger, fact):
            yield finding(Code.REDUNDANT_CALL, _told(fact), evidence=(fact,))
            return


def _told(fact: Fact) -> str:
    return fact.effects[0].target if fact.effects else f"tool:{fact.tool}"


def _changed_since(ledger: Ledger, fact: Fact) -> bool:
    targets = {effect.target for effect in fact.effects}
    for later in ledger.facts:
        if later.at > fact.at and later.executed and later.outcome not in (Outcome.FAILED, Outcome.NO_OP):
            for effect in later.effects:
                if effect.did is Did.OPAQUE or (effect.did in CHANGES and effect.target in targets):
                    return True
    return False
