"""`observe`: a completed call becomes a fact. Pure: no state, no clock, no I/O, linear in the bytes of the result."""

from __future__ import annotations

from gate_core.footprint.effects import Seen, effects_of
from gate_core.footprint.outcome import outcome_of
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact, Footprint
from gate_core.model.json import JsonObject, canonical, digest, text_of
from gate_core.model.kinds import GATE_AGENT, CallStatus, Outcome, ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles import resolve

_DIGITS = str.maketrans("0123456789", "0" * 10)
_NOTES = {CallStatus.DENIED: "denied", CallStatus.NOT_EXECUTED: "not_executed"}


def observe(call: ToolCall, config: GateConfig) -> Fact:
    """What the call did and showed, as a fact (spec 05).

    `call.turn` and `call.step` must be set; an absent step counts as 0. A call that did not execute becomes a
    note: no effects, no signals, no evidence (spec 10).
    """
    found = resolve(call, config)
    text = text_of(call.result)
    shape = canonical(call.args)
    told = digest(call.tool, shape, text)
    mark = footprint(found.profile, found.source, call, config)
    return Fact(
        key=digest(f"{call.turn}:{call.call_id or f'#{call.step}'}", told, call.status.value),
        turn=call.turn,
        step=call.step or 0,
        call=call.call_id,
        agent="agent:gate" if call.agent == GATE_AGENT else call.agent,
        tool=call.tool,
        profile="" if not found.source else found.profile.effect.value,
        outcome=mark.outcome,
        effects=mark.effects,
        signals=mark.signals,
        digest=told,
        skeleton=digest(call.tool, shape, text.translate(_DIGITS)),
        size=len(text),
        ref=call.ref or call.call_id,
        note=_NOTES.get(call.status, ""),
    )


def footprint(profile: ToolProfile, source: str, call: ToolCall, config: GateConfig) -> Footprint:
    """Outcome, effects and declared signals of a call under a profile; `source` is how the profile was found."""
    if not call.executed:
        return Footprint(outcome=Outcome.UNKNOWN)
    outcome = outcome_of(profile, call)
    seen = Seen(profile=profile, source=source, call=call, outcome=outcome, config=config)
    signals = call.signals if profile.effect is not ToolEffect.DELEGATE else ()
    return Footprint(outcome=outcome, effects=tuple(effects_of(seen)), signals=signals)


def same_text(fact: Fact, tool: str, args: JsonObject, result: str) -> bool:
    """True when these are the texts the fact was made from; a text source that answers others is not believed."""
    return digest(tool, canonical(args), result) == fact.digest
