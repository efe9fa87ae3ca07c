"""Plays a transcript through a `Gate`, event by event, and collects the verdicts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias, cast

from gate_core.admission.units import StateWrite
from gate_core.gate import Gate, Prober
from gate_core.model.call import Attempt, SignalEvent, ToolCall
from gate_core.model.config import GateConfig, parse_config
from gate_core.model.json import JsonObject
from gate_core.model.kinds import CallStatus, ProbeKind
from gate_core.model.profile import parse_profile
from gate_core.model.state import GateState
from gate_core.model.verdict import Probe, ProbeResult, Verdict
from gate_core.store import TextStore
from gate_core.transcripts.expect import mismatches


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One event that has an expectation: where it stands, the verdict, and what does not fit.

    `verdict` is None where this version has no seat to decide at; `unmet` then says so. `expected` is False where
    the event came without an expectation.
    """

    pointer: str
    verdict: Verdict | None
    unmet: tuple[str, ...]
    expected: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A played transcript; `gate` is as it stands at the end."""

    id: str
    judged: tuple[Judged, ...]
    gate: Gate

    @property
    def labelled(self) -> bool:
        """True when there is an expectation to be met."""
        return any(item.expected for item in self.judged)

    @property
    def holds(self) -> bool:
        """True when every expectation is met."""
        return not any(item.unmet for item in self.judged)


class Replaying(Prober, Protocol):
    """A prober of a conversation that is over."""

    def attach(self, gate: Gate) -> None:
        """The gate whose looks it takes."""
        ...


Watch: TypeAlias = Callable[[str, Mapping[str, Any], Gate, Verdict | None], None]
"""Told after every event: its pointer, itself, the gate as it stands, the verdict on it."""


def play(
    transcript: JsonObject,
    config: GateConfig | None = None,
    *,
    prober: Replaying | None = None,
    watch: Watch | None = None,
) -> Played:
    """Play a transcript that follows the schema.

    `config` takes the place of the transcript's own; `prober` answers the looks that no `probe` event tells of; `watch`
    sees every event.
    """
    raw = cast("Mapping[str, Any]", transcript)  # the schema was checked
    player = _Player(config_of(raw, config), prober or _Recorded())
    if raw.get("system"):
        player.gate.supply(raw["system"])
    for t, turn in enumerate(raw["turns"]):
        player.gate.begin_turn(turn["prompt"])
        for e, event in enumerate(turn["events"]):
            pointer, known = f"/turns/{t}/events/{e}", len(player.judged)
            player.event(event, pointer)
            if watch is not None:
                watch(pointer, event, player.gate, player.judged[-1].verdict if len(player.judged) > known else None)
    return Played(id=raw["id"], judged=tuple(player.judged), gate=player.gate)


def config_of(raw: Mapping[str, Any], given: GateConfig | None = None) -> GateConfig:
    """The configuration of a conversation, or the one given, with profiles that stand at a call added by tool name."""
    config = given if given is not None else parse_config(raw.get("gate", {}))
    inline = {
        event["tool"]: parse_profile(event["tool"], event["profile"])
        for turn in raw["turns"]
        for event in turn["events"]
        if "profile" in event
    }
    return replace(config, profiles={**config.profiles, **inline}, probe_roots=(), audit=False)


def attempt_of(event: Mapping[str, Any]) -> Attempt:
    """The attempt of a `finish` event."""
    parts = tuple(event["parts"]) if "parts" in event else (event["text"],) if "text" in event else ()
    units = tuple(event.get("units", ()))
    return Attempt(parts=parts, output=event.get("output"), claim=event.get("claim_type"), units=units)


class _Gate(Gate):
    """A gate that packs no texts away: the transcript holds them anyway."""

    def __init__(self, config: GateConfig, **more: Any) -> None:
        super().__init__(config, **more)
        self._memory.store = TextStore(sys.maxsize, packed=False)


class _Player:
    def __init__(self, config: GateConfig, prober: Replaying) -> None:
        self._prober = prober
        self.gate: Gate = _Gate(config, prober=prober)
        prober.attach(self.gate)
        self.judged: list[Judged] = []
        self._calls: dict[str, ToolCall] = {}
        self._kinds: dict[str, Callable[[Mapping[str, Any], str], None]] = {
            "call": self._call,
            "background": self._background,
            "reasoning": lambda event, pointer: self._reasoning(),
            "probe": self._probe,
            "finish": self._finish,
            "confirm": lambda event, pointer: self.gate.confirm(ToolCall(tool=event["tool"], args=event["args"])),
            "proposed": self._proposed,
            "write": self._write,
            "restart": lambda event, pointer: self._restart(),
        }

    def event(self, event: Mapping[str, Any], pointer: str) -> None:
        handler = self._kinds.get(event["type"])
        if handler is not None:
            handler(event, pointer)

    def _call(self, event: Mapping[str, Any], pointer: str) -> None:
        call = ToolCall(
            tool=event["tool"],
            args=event["args"],
            result=event.get("result"),
            status=CallStatus(event.get("status", "ok")),
            exit_code=event.get("exit_code"),
            call_id=event.get("id", ""),
            step=event.get("step"),
            agent=event.get("agent", ""),
            cwd=event.get("cwd", ""),
            origin=event.get("origin", ""),
            side=event.get("side", {}),
            signals=tuple(SignalEvent(name=name) for name in event.get("signals", ())),
        )
        self._calls[call.call_id] = call
        self.gate.observe(call)

    def _background(self, event: Mapping[str, Any], pointer: str) -> None:
        started = self._calls.get(event["id"], ToolCall(tool="", call_id=event["id"]))
        ended = replace(
            started,
            result=event.get("result"),
            status=CallStatus(event["status"]),
            exit_code=event.get("exit_code"),
            step=None,
        )
        self.gate.observe(ended)

    def _reasoning(self) -> None:
        self.gate.reasoning_step()

    def _restart(self) -> None:
        old = self.gate
        state = GateState.from_json(old.to_json())
        self.gate = _Gate(old.config, state=state, texts=old, prober=self._prober)
        self._prober.attach(self.gate)

    def _probe(self, event: Mapping[str, Any], pointer: str) -> None:
        probe = Probe(kind=ProbeKind(event.get("kind", "file_contains")), path=event["path"])
        self.gate.record_probe(ProbeResult(probe=probe, held=event["held"]))

    def _finish(self, event: Mapping[str, Any], pointer: str) -> None:
        self._judged(self.gate.boundary_check(attempt_of(event)), event, pointer)

    def _proposed(self, event: Mapping[str, Any], pointer: str) -> None:
        self._judged(self.gate.admit(ToolCall(tool=event["tool"], args=event["args"])), event, pointer)

    def _write(self, event: Mapping[str, Any], pointer: str) -> None:
        write = StateWrite(
            subject=event["subject"], key=event["key"], value=event["value"], grade=event.get("grade", "")
        )
        self._judged(self.gate.admit_write(write), event, pointer)

    def _judged(self, verdict: Verdict, event: Mapping[str, Any], pointer: str) -> None:
        expect = event.get("expect", {})
        unmet = mismatches(verdict, expect)
        self.judged.append(Judged(pointer=pointer, verdict=verdict, unmet=unmet, expected=bool(expect)))


class _Recorded:
    """Takes no probes: a transcript's own `probe` events are what was seen."""

    def attach(self, gate: Gate) -> None:
        pass

    def take(self, probes: tuple[Probe, ...]) -> tuple[ProbeResult, ...]:
        return ()
