"""What no recorder saw and only the messages tell: calls that were answered elsewhere, and model steps without either.

Messages are weaker than executions: anybody may write them. So they never make evidence. A change they tell of is owed
a look all the same, because an agent that took over from another one answers for what was left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage, get_notification_metadata

from gate_core import CallStatus, Did, Gate, GateFactory, GateState, Receipt, ToolCall, as_delivered, observe
from gate_langgraph._translate import calls_by_id, unexecuted
from gate_langgraph._turns import Turn, of_kind

_CHANGES = frozenset({Did.CHANGED, Did.DELETED})


def reconcile(gate: Gate, messages: Sequence[BaseMessage], turn: Turn, *, typed: bool) -> None:
    """Hand in the tool messages of the turn that no recorded execution stands behind.

    `typed` says that the answer is a structured one: the message that answers its call is the framework's.
    """
    unseen = list(_unseen(gate, turn))
    asked = calls_by_id(messages) if unseen else {}
    own = {call["id"] for m in turn.answer for call in m.tool_calls} if typed else set()
    for message, step in unseen:
        call = unexecuted(message, asked.get(message.tool_call_id))
        told = _tells_of_success(message) and message.tool_call_id not in own
        gate.observe(replace(_as_owed(gate, call) if told else call, step=step))


def _unseen(gate: Gate, turn: Turn) -> Iterator[tuple[ToolMessage, int]]:
    """The tool messages of no recorded call, with the step of the last recorded one before: a look after that may
    settle what the message tells of."""
    seen = {fact.ref: fact.step for fact in gate.state.facts.values() if fact.turn == gate.state.turn}
    step = 0
    for message in turn.messages:
        if isinstance(message, ToolMessage):
            if message.tool_call_id in seen:
                step = max(step, seen[message.tool_call_id])
            else:
                yield message, step


PREVIEWS = ("Tool result too large, the result of this tool call ",)
"""How a message begins that stands for a result somebody outside of the gate moved away: deepagents' file tools do."""


def see_previews(gate: Gate, messages: Sequence[BaseMessage]) -> None:
    """Take results that were moved away before the model saw them for what their message shows."""
    shown = {m.tool_call_id: m for m in of_kind(messages, ToolMessage) if _begin_of(m).startswith(PREVIEWS)}
    if not shown:
        return
    asked = calls_by_id(messages)
    for key, fact in gate.state.facts.items():
        message = shown.get(fact.ref)
        if message is not None:
            told = unexecuted(message, asked.get(fact.ref))
            gate.state.facts[key] = as_delivered(fact, told.args, told.result, gate.config)


def _begin_of(message: ToolMessage) -> str:
    return message.content if isinstance(message.content, str) else message.text


def _tells_of_success(message: ToolMessage) -> bool:
    """False for a message that stands for a call a person refused or answered: it bears a mark."""
    return message.status == "success" and get_notification_metadata(message) is None


def _as_owed(gate: Gate, call: ToolCall) -> ToolCall:
    """The call as a change that happened, when its profile names what it changes; else as it is, unexecuted.

    A message is no receipt and raises no signal: where the result would be one, the change is told without it. Else the
    result stays, because the texts of the thread have to fit the fact when a look is compared with the change.
    """
    done = replace(call, status=CallStatus.OK)
    for told in (done, replace(done, result=None)):
        fact = observe(told, gate.config)
        named = any(effect.did in _CHANGES for effect in fact.effects)
        if named and not fact.signals and all(effect.receipt is Receipt.NONE for effect in fact.effects):
            return told
    return call


def count_reasoning(gate: Gate, factory: GateFactory, turn: Turn, known: Iterable[str]) -> list[str]:
    """Count the model messages of the turn that brought neither a call nor an attempt; gives their ids.

    Each is counted as of its place between the calls: on the facts before it, and the outcome joins the others.
    """
    counted, before = [], set[str]()
    skip = {*known, *(m.id or "" for m in turn.answer)}
    for message in turn.messages:
        if isinstance(message, ToolMessage):
            before.add(message.tool_call_id)
        elif isinstance(message, AIMessage) and not message.tool_calls and (message.id or "") not in skip:
            _count(gate, factory, before)
            counted.append(message.id or "")
    return counted


def _count(gate: Gate, factory: GateFactory, before: set[str]) -> None:
    state = gate.state
    here = [fact for fact in state.facts.values() if fact.turn == state.turn]
    until = max((fact.step for fact in here if fact.ref in before), default=-1)
    past = {fact.key: fact for fact in here if fact.step <= until or not fact.call}
    trial = factory.new(state=GateState(turn=state.turn, facts=past), wired=True)
    trial.reasoning_step()
    for fact in trial.state.facts.values():
        state.add(fact)
