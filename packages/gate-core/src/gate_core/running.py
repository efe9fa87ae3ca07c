"""Commands that run on after the call that started them returned, and the calls by which a host brings more of them.

What such a call brings, and the end it tells, is news of the command: of what was started, with all that was printed
since (spec 20: background starts are pending, and what tells of their end ends them). Which tools are meant is data:
`session` and `continues` of a profile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gate_core.footprint.body import body_of
from gate_core.ledger.order import calls_ended, pends
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import CallStatus, ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.resolve import catalog_continues, resolve

Recall = Callable[[str], tuple[JsonObject, Json] | None]
"""The texts of a call by its reference, None when they are gone."""


def begun_by(call: ToolCall, config: GateConfig, facts: Iterable[Fact], recall: Recall) -> ToolCall | None:
    """What `call` goes on with, as it was started, with everything printed until now as its result.

    None for a call that goes on with nothing, that failed itself, or of whose start nothing is known. Never raises.
    """
    try:
        return _begun_by(call, config, facts, recall)
    except Exception:  # noqa: BLE001 - a payload of any kind, or a text source of the host that fails
        return None


def _begun_by(call: ToolCall, config: GateConfig, facts: Iterable[Fact], recall: Recall) -> ToolCall | None:
    profile = _continuing(call, config)
    if profile is None or call.status is not CallStatus.OK or _refuses(profile, call):
        return None
    ordered = sorted(facts, key=lambda fact: (fact.turn, fact.step))
    session = str(call.args.get(profile.continues, ""))
    for at in range(len(ordered) - 1, -1, -1):
        fact, later = ordered[at], ordered[at + 1 :]
        if not pends(fact) or fact.call in calls_ended(later):
            continue
        started = _started(fact, call, recall)
        own = resolve(started, config).profile if started is not None else None
        if started is not None and own is not None and _session(own, started) == session:
            brought = _brought((fact for fact in later if fact.tool == call.tool), session, profile, recall)
            status = CallStatus.OK if _went_well(profile, call) else CallStatus.ERROR
            return replace(started, result=_joined(own, [started, *brought, call]), status=status)
    return None


def goes_on(call: ToolCall, config: GateConfig) -> bool:
    """True for a call of a tool that may go on with a command: what is recorded of it depends on earlier calls."""
    try:
        return _continuing(call, config) is not None
    except Exception:  # noqa: BLE001 - a payload of any kind
        return False


def _continuing(call: ToolCall, config: GateConfig) -> ToolProfile | None:
    """The profile of a tool that may go on with a command, None for any other: hardly any does, and every call asks."""
    if not config.profiles and not catalog_continues(call.tool, call.origin):
        return None
    profile = resolve(call, config).profile
    return profile if profile.continues else None


def runs_on(call: ToolCall, config: GateConfig) -> bool:
    """True when the result of a call that goes on with a command says that it still runs."""
    text = body_of(call.result).text
    return any(re.search(pattern, text) for pattern in resolve(call, config).profile.pending)


def without_effect(call: ToolCall, config: GateConfig) -> GateConfig:
    """The configuration in which a call that goes on with a command does nothing of its own: the command does it. One
    that only fetches what was printed is a look all the same."""
    own = resolve(call, config).profile
    effect = own.effect if own.effect is ToolEffect.READ else ToolEffect.NEUTRAL
    profile = replace(own, effect=effect, exit="", pending=())
    return replace(config, profiles={**config.profiles, call.tool: profile})


def _went_well(profile: ToolProfile, call: ToolCall) -> bool:
    """True unless the tool has words for an end that went well, and this is none: the command was killed."""
    text = body_of(call.result).text
    return not profile.succeeded or any(re.search(pattern, text) for pattern in profile.succeeded)


def _refuses(profile: ToolProfile, call: ToolCall) -> bool:
    return any(re.match(pattern, body_of(call.result).text) for pattern in profile.failed)


def _started(fact: Fact, call: ToolCall, recall: Recall) -> ToolCall | None:
    """The starting call again; what a fact does not hold of it is that of the tool that goes on with it."""
    texts = recall(fact.ref)
    if texts is None:
        return None
    held = ToolCall(tool=fact.tool, args=texts[0], result=texts[1], call_id=fact.call, agent=fact.agent, ref=fact.ref)
    return replace(held, origin=call.origin, cwd=call.cwd)


def _session(profile: ToolProfile, call: ToolCall) -> str | None:
    found = re.search(profile.session, body_of(call.result).text) if profile.session else None
    return found[1] if found else None


def _brought(facts: Iterable[Fact], session: str, profile: ToolProfile, recall: Recall) -> Iterator[ToolCall]:
    """The calls that went on with it before."""
    for fact in facts:
        texts = recall(fact.ref)
        if texts is not None and str(texts[0].get(profile.continues, "")) == session:
            yield ToolCall(tool=fact.tool, args=texts[0], result=texts[1])


def _joined(profile: ToolProfile, calls: list[ToolCall]) -> str:
    """What the last one says of the command, and what all of them printed; where nobody can tell these apart, the
    last one alone."""
    texts = [body_of(call.result).text for call in calls]
    ends = [found.end() for text in texts if profile.head and (found := re.match(profile.head, text))]
    if len(ends) < len(texts):
        return texts[-1]
    return texts[-1][: ends[-1]] + "".join(text[end:] for text, end in zip(texts, ends, strict=True))
