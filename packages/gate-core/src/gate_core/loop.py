"""`turn_loop`: the reference wiring of the gate into an agent loop, over a script instead of a model (spec 00)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from gate_core.gate import Gate
from gate_core.model.call import Attempt, SignalEvent, ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.errors import GateUsageError
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import CallStatus
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict
from gate_core.verifier import Verifier

Traced: TypeAlias = "tuple[str, Fact | Verdict | tuple[str, ...] | None]"


def turn_loop(
    script: Iterable[JsonObject],
    state: GateState,
    config: GateConfig | None = None,
    verifier: Verifier | None = None,
) -> tuple[str | None, list[Traced]]:
    """Run one turn of scripted steps and return (emitted text, trace); ends at the first accepted terminal.

    Steps: `{"type": "reasoning"}`, `{"type": "tool_call", "tool", "args", "result", "mutating", "signals", "exit_ok"}`,
    `{"type": "terminal", "attempt": {"claim_type", "content"}}`. A tool call may hold any field of `ToolCall`; a value
    of another kind than the field takes counts as absent. The emitted text is None when nothing was accepted.

    Raises:
        GateUsageError: a step of another type.
    """
    gate = Gate(config, state=state, verifier=verifier)
    if state.turn == 0:
        gate.begin_turn("")
    trace: list[Traced] = []
    for step in script:
        kind = step.get("type")
        if kind == "reasoning":
            refused = gate.reasoning_step()
            trace.append(("refused_reasoning", refused) if refused else ("reasoning", None))
        elif kind == "tool_call":
            trace.append(("tool_call", gate.observe(_call(step))))
        elif kind == "terminal":
            attempt = _attempt(step.get("attempt"))
            verdict = gate.boundary_check(attempt)
            trace.append(("terminal", verdict))
            if verdict.accepted:
                return attempt.text, trace
        else:
            raise GateUsageError(f"step type must be reasoning, tool_call or terminal, got {kind!r}")
    return None, trace


def _call(step: JsonObject) -> ToolCall:
    """The call of a step. Of `turn` the gate makes its own; a failed call raises no signal."""
    args, side, mutating = step.get("args"), step.get("side"), step.get("mutating")
    failed = step.get("exit_ok") is False
    status = step.get("status", CallStatus.ERROR if failed else CallStatus.OK)
    return ToolCall(
        tool=_word(step, "tool"),
        args=args if isinstance(args, Mapping) else {},
        result=step.get("result"),
        status=CallStatus(status) if status in _STATUSES else CallStatus.ERROR,
        exit_code=_number(step, "exit_code"),
        call_id=_word(step, "call_id") or _word(step, "id"),
        turn=_number(step, "turn") or 0,
        step=_number(step, "step"),
        agent=_word(step, "agent"),
        cwd=_word(step, "cwd"),
        origin=_word(step, "origin"),
        side=side if isinstance(side, Mapping) else {},
        ref=_word(step, "ref"),
        mutating=mutating if isinstance(mutating, bool) else None,
        signals=() if failed else tuple(_signals(step.get("signals"))),
    )


_STATUSES = tuple(CallStatus)


def _word(step: JsonObject, key: str) -> str:
    value = step.get(key)
    return "" if value is None else str(value)


def _number(step: JsonObject, key: str) -> int | None:
    value = step.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _signals(value: object) -> Iterator[SignalEvent]:
    """Declared signals: names, or events as they are."""
    for item in value if isinstance(value, list | tuple) else ():
        yield item if isinstance(item, SignalEvent) else SignalEvent(name=str(item))


def _attempt(data: Json) -> Attempt:
    if not isinstance(data, Mapping):
        raise GateUsageError(f"a terminal step holds an attempt, got {data!r:.60}")
    claim = data.get("claim_type")
    return Attempt(parts=(str(data.get("content", "")),), claim=claim if isinstance(claim, str) else None)
