"""`observe`: a completed call becomes a fact. Pure: no state, no clock, no I/O, linear in the bytes of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from sys import intern

from gate_core.footprint.effects import Seen, effects_of
from gate_core.footprint.envelope import run_report
from gate_core.footprint.outcome import outcome_of
from gate_core.model.call import SignalEvent, ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact, Footprint, call_key, can_be_stored, default_ref
from gate_core.model.json import DIGEST, JsonObject, canonical, digest, stamp, text_of
from gate_core.model.kinds import GATE_AGENT, CallStatus, Did, Outcome, ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles import resolve

_BLURRED = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \t\r.:_+/-#=>"
_NOTES = {CallStatus.DENIED: "denied", CallStatus.NOT_EXECUTED: "not_executed"}


def observe(call: ToolCall, config: GateConfig) -> Fact:
    """What the call did and showed, as a fact (spec 05).

    `call.turn` and `call.step` must be set; an absent step counts as 0. A call that did not execute becomes a
    note: no effects, no signals, no evidence (spec 10).
    """
    return observed(call, config, turn=call.turn, step=call.step or 0, ref=call.ref or call.call_id)[0]


def observed(call: ToolCall, config: GateConfig, *, turn: int, step: int, ref: str) -> tuple[Fact, int]:
    """`observe` for a call placed at a turn and a step, and the length of its texts in characters."""
    found = resolve(call, config)
    text, shape = text_of(call.result), canonical(call.args)
    data = text.encode("utf-8", "surrogatepass")
    asked = _asked(call.tool, shape)
    told = asked + stamp(data)[:_HALF]
    mark = footprint(found.profile, found.source, call, config)
    note = _NOTES.get(call.status, "")
    fact = Fact(
        key=call_key(turn, call.call_id, step, told, mark.outcome, note),
        turn=turn,
        step=step,
        call=call.call_id,
        agent="agent:gate" if call.agent == GATE_AGENT else call.agent,
        tool=intern(call.tool),
        profile=mark.how or ("" if not found.source else _SPELT[found.profile.effect]),
        outcome=mark.outcome,
        effects=_shared(mark.effects),
        signals=mark.signals,
        digest=told,
        skeleton=_skeleton(asked, _normalized(call.tool, text, data, config)) if _shows(mark.effects) else "",
        size=len(text),
        ran=mark.ran,
        ref=ref,
        note=note,
    )
    return fact, len(text) + len(shape)


def recorded(call: ToolCall, config: GateConfig, *, turn: int, step: int) -> tuple[Fact, int | None]:
    """`observed` for a seat: whatever the payload is, the run goes on and the call is on record. There is no length of
    texts that could not be read."""
    try:
        ref = call.ref or default_ref(turn, call.call_id, step)
        fact, size = observed(call, config, turn=turn, step=step, ref=ref)
        if can_be_stored(fact):
            return fact, size
    except Exception:  # noqa: BLE001 - see above
        return unreadable(call, turn, step), None
    return unreadable(call, turn, step), None


def _shows(effects: tuple[Effect, ...]) -> bool:
    """True for a look; nothing else is ever asked whether it repeats."""
    return not _LOOKS.isdisjoint([effect.did for effect in effects])


def _skeleton(asked: str, data: bytes) -> str:
    return stamp(asked.encode() + _blurred(data))[:_HALF]


def _normalized(tool: str, text: str, data: bytes, config: GateConfig) -> bytes:
    """The bytes of the normalized text: those at hand, for a tool without a normalizer."""
    if tool not in config.normalizers:
        return data
    return normalized(tool, text, config.normalizers).encode("utf-8", "surrogatepass")


def _asked(tool: str, shape: str) -> str:
    """The half of a fact's digest that tells calls apart; the other half tells results apart, whatever was asked: the
    same text under other arguments is no news."""
    return stamp(f"{len(tool)}:{tool}{shape}".encode("utf-8", "surrogatepass"))[:_HALF]


_LOOKS = frozenset({Did.SHOWED, Did.LISTED, Did.ABSENT})
_HALF = DIGEST // 2  # 48 bits: equal by chance once in a million conversations of ten thousand results
_MOST_SHARED = 4096
_known_effects: dict[tuple[str, Did], tuple[Effect, ...]] = {}


def _shared(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """The same effects, as the one object that was made of them before: most calls do what was done before."""
    if len(effects) != 1:
        return effects
    place = (effects[0].target, effects[0].did)
    held = _known_effects.get(place)
    if held == effects:
        return held
    if len(_known_effects) >= _MOST_SHARED:
        _known_effects.clear()
    _known_effects[place] = effects
    return effects


def footprint(profile: ToolProfile, source: str, call: ToolCall, config: GateConfig) -> Footprint:
    """Outcome, effects and declared signals of a call under a profile; `source` is how the profile was found."""
    if not call.executed:
        return Footprint(outcome=Outcome.UNKNOWN)
    effect = profile.effect
    signals = call.signals if effect is not ToolEffect.DELEGATE else ()
    if effect is ToolEffect.SHELL and (read := _read_shell(profile, call, config)) is not None:
        return replace(read, signals=(*read.signals, *signals))
    if effect in _RUNNERS:
        signals = (*signals, *_runs_of_tool(call))
    outcome = outcome_of(profile, call)
    seen = Seen(profile=profile, source=source, call=call, outcome=outcome, config=config)
    return Footprint(outcome=outcome, effects=effects_of(seen), signals=signals)


_SPELT = {effect: effect.value for effect in ToolEffect}
_RUNNERS = frozenset({ToolEffect.EXEC, ToolEffect.UNKNOWN})


def _read_shell(profile: ToolProfile, call: ToolCall, config: GateConfig) -> Footprint | None:
    from gate_core.footprint.shell import read_shell  # with the first command, so that importing the core stays cheap

    return read_shell(profile, call, config)


def _runs_of_tool(call: ToolCall) -> tuple[SignalEvent, ...]:
    if call.exit_code is None and not isinstance(call.result, Mapping) and run_report(call.result) is None:
        return ()
    from gate_core.footprint.runs import runs_of_tool  # as above

    return runs_of_tool(call)


def skeleton_of(text: str) -> bytes:
    """What is left of a text without the letters and digits of ASCII, and without the marks and blanks that stand
    inside times, ids and progress bars or move with their length. Texts of different skeletons differ in more than
    noise (spec 10, "Novelty")."""
    return _blurred(text.encode("utf-8", "surrogatepass"))


def _blurred(data: bytes) -> bytes:
    return data.translate(None, _BLURRED)


def normalized(tool: str, text: str, normalizers: Mapping[str, Callable[[str], str]]) -> str:
    """The text after the tool's normalizer, if it has one. One that raises or returns no text changes nothing: it is
    the user's code, and a call must be on record whatever it does."""
    normalizer = normalizers.get(tool)
    if normalizer is None:
        return text
    try:
        found: object = normalizer(text)
    except Exception:  # noqa: BLE001 - see above
        return text
    return found if isinstance(found, str) else text


def same_text(fact: Fact, tool: str, args: JsonObject, result: str) -> bool:
    """True when these are the texts the fact was made from; a text source that answers others is not believed."""
    answered = stamp(result.encode("utf-8", "surrogatepass"))[:_HALF]
    return _asked(tool, canonical(args)) + answered == fact.digest


def unreadable(call: ToolCall, turn: int, step: int) -> Fact:
    """The fact of a call whose payload made `observe` fail: on record, unknown, no evidence."""
    told = digest(str(call.tool), canonical(repr(type(call.result))))
    return Fact(
        key=digest(f"{turn}:{call.call_id}:{step}", told),
        turn=turn,
        step=int(step),
        call=str(call.call_id),
        agent="",
        tool=str(call.tool)[:64],
        profile="",
        outcome=Outcome.UNKNOWN,
        digest=told,
    )
