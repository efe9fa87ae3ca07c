"""From a graph state to what happens with the answer. One function, shared by every form the gate takes in a graph.

Nothing here knows nodes, edges or jumps: `decide` gives an action and a state update, and the form around it turns
REVISE into its own way back to the model. The rules are the core's; the only thing kept besides its state is which
message a turn began with, because a graph can be entered without passing its start.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    add_notification_metadata,
)

from gate_core import Action, Attempt, Gate, GateFactory, GateState, Json, StateError, ToolCall, Verdict, mark
from gate_langgraph._channels import FACTS, GRANTS, REPORT, RUN, VERDICT, as_object, channel, mapping
from gate_langgraph._served import observe_served, served_texts
from gate_langgraph._translate import SOURCE, MessageTexts, attempt_of, to_json
from gate_langgraph._turns import (
    Turn,
    held_in,
    is_user,
    latest_user,
    messages_of,
    prompts_since,
    system_texts,
    turn_of,
)
from gate_langgraph._unseen import count_reasoning, reconcile, see_previews

_LOG = logging.getLogger("gate_langgraph")

UNWIRED = "no recorder ever ran in this thread; build the agent with middleware=with_gate([...])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with the answer, and the state update that goes with it.

    `started` is false when the turn was entered without passing the recorder's `before_agent`. `answer_ids` are the
    messages of the answer, `progress` is where the conversation stands after the verdict, `shown` is the visible text
    of the answer where the gate changed it.
    """

    action: Action
    verdict: Verdict
    update: dict[str, object]
    message_id: str = ""
    started: bool = True
    answer_ids: tuple[str, ...] = ()
    progress: dict[str, Json] = field(default_factory=dict)
    shown: str | None = None

    def event(self) -> dict[str, object]:
        """The verdict as a custom stream event. It names the messages, so that a client can hold or take them back."""
        event: dict[str, object] = {
            "type": f"{SOURCE}.verdict",
            "message_id": self.message_id,
            "message_ids": list(self.answer_ids),
            "verdict": dict(as_object(self.update[VERDICT])),
        }
        return event if self.shown is None else {**event, "text": self.shown}


@dataclass(slots=True, kw_only=True)
class Thread:
    """A gate opened on a graph state, with the turn it is in. Closing it gives the update of the private channels.

    `given` are the model messages that were there when the turn began: not the graph's own."""

    gate: Gate
    messages: list[BaseMessage]
    turn: Turn
    kept: frozenset[str] = frozenset()
    started: bool = True
    tag: str = ""
    drafts: list[str] = field(default_factory=list)
    verdicts: list[Json] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    granted: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    def begin(self, text: str, tag: str) -> None:
        """Begin a turn, unless `text` is the gate's own feedback. Drafts of a turn that broke off stay listed."""
        if self.gate.begin_turn(text):
            self.verdicts, self.counted = [], []
            self.given = tuple(m.id or "" for m in self.turn.messages if isinstance(m, AIMessage))
        self.tag = tag

    def new_facts(self) -> dict[str, Json]:
        """The facts that the thread does not hold yet, as it is to hold them."""
        return GateState.rows(fact for key, fact in self.gate.state.facts.items() if key not in self.kept)

    def update(self) -> dict[str, object]:
        """The private channels as they are to be written."""
        state = self.gate.state
        update: dict[str, object] = {
            FACTS: self.new_facts(),
            RUN: {
                "state": state.rest(),
                "wired": self.gate.wired,
                "tag": self.tag,
                "drafts": list(self.drafts),
                "verdicts": list(self.verdicts),
                "counted": list(self.counted),
                "given": list(self.given),
            },
        }
        return {**update, GRANTS: dict.fromkeys(self.granted)} if self.granted else update


def open_thread(factory: GateFactory, state: object, *, facts: bool = True) -> Thread:
    """The gate of a state. A turn that began without `before_agent` (a jump into the graph) is begun here.

    With `facts=False` only counters are read: enough to begin a turn for one call, whatever the length of the thread.
    """
    messages = messages_of(state)
    run = mapping(state, RUN)
    gate, readable = _gate(factory, state, run, messages, facts=facts)
    thread = Thread(gate=gate, messages=messages, turn=turn_of(messages), kept=frozenset(mapping(state, FACTS)))
    if readable:
        thread.tag = str(run.get("tag") or "")
        thread.drafts = [str(item) for item in _items(run.get("drafts"))]
        thread.verdicts = [to_json(item) for item in _items(run.get("verdicts"))]
        thread.counted = [str(item) for item in _items(run.get("counted"))]
        thread.given = tuple(str(item) for item in _items(run.get("given")))
        thread.granted = tuple(mapping(state, GRANTS))
    if facts and gate.state.turn == 0:  # a later one may be a summary in the agent's own words
        for text in system_texts(messages):
            gate.supply(text)
    missed = prompts_since(messages, thread.tag)
    for prompt in missed:
        thread.begin(prompt.text, prompt.tag)
    thread.started = bool(run.get("wired")) and not missed
    return thread


def _gate(
    factory: GateFactory, state: object, run: Mapping[str, object], messages: list[BaseMessage], *, facts: bool
) -> tuple[Gate, bool]:
    """The gate, and whether what the thread holds could be read. What cannot be read counts as never attached."""
    kept = mapping(state, FACTS)
    texts = MessageTexts(messages, served_texts)
    try:
        known = GateState.join(kept if facts else {}, as_object(run.get("state")))
        for given in mapping(state, GRANTS).values():
            known = known.merge(GateState.from_json(as_object(given)))
    except StateError as error:
        return factory.new(texts=texts, unwired=f"the gate's state in this thread cannot be read ({error})"), False
    return factory.new(state=known, texts=texts, wired=bool(run.get("wired") or kept), unwired=UNWIRED), True


def start_turn(factory: GateFactory, state: object) -> dict[str, object]:
    """The update with which a run begins: a new turn, unless the agent was only woken by a notification."""
    thread = open_thread(factory, state)
    thread.gate.wired = True  # only the recorder begins turns
    before = mapping(state, RUN).get("tag")
    woken = bool(thread.messages) and _is_notification(thread.messages[-1])
    same = thread.tag == (before or "")  # the same message once more: regenerated, or no new input
    if thread.gate.state.turn == 0 or (same and not woken):
        latest = prompts_since(thread.messages, "")[-1:]
        thread.begin(latest[0].text if latest else "", thread.tag)
    return {**thread.update(), VERDICT: None, REPORT: None}


def observed(factory: GateFactory, state: object, calls: Iterable[ToolCall]) -> tuple[Gate | None, dict[str, Json]]:
    """The facts of calls that were just executed, as an update of the facts channel, and the gate where progress is to
    be told.

    The facts of the thread are read only for that and for calls that go on with another one, its counters only where
    the calls belong to a turn that nobody began: else a fact follows from the call and its turn.
    """
    made = list(calls)
    whole = factory.emits or any(map(factory.goes_on, made))
    if not whole and (turn := _running(state)):
        return None, GateState.rows(factory.record(call, turn=turn, step=n) for n, call in enumerate(made))
    thread = open_thread(factory, state, facts=whole)
    for call in made:
        thread.gate.observe(call)
    return thread.gate, thread.new_facts()


def _running(state: object) -> int:
    """The number of the turn a state is in, 0 when the user spoke since it began or nothing tells it."""
    run = mapping(state, RUN)
    latest = latest_user(held_in(state))
    if latest is not None and (latest.id or "") != str(run.get("tag") or ""):
        return 0
    return GateState.turn_of(as_object(run.get("state")))


def decide(state: object, factory: GateFactory, *, wired: bool = False) -> Decision:
    """Judge the answer a state holds (spec 50). Depends on the state and, for probes, on the files.

    `wired` says that whoever calls also placed the recorder: a turn without a call is then no missing recorder.
    """
    thread, attempt = _brought(state, factory, wired=wired)
    return _decided(thread, factory, state, thread.gate.boundary_check(attempt))


async def adecide(state: object, factory: GateFactory, *, wired: bool = False) -> Decision:
    """`decide` to be awaited: a slow verifier does not hold up the event loop."""
    thread, attempt = _brought(state, factory, wired=wired)
    return _decided(thread, factory, state, await thread.gate.aboundary_check(attempt))


def _brought(state: object, factory: GateFactory, *, wired: bool) -> tuple[Thread, Attempt]:
    """The thread with everything on record that its messages tell, and the attempt to judge."""
    thread = open_thread(factory, state)
    thread.gate.wired = thread.gate.wired or wired
    structured = channel(state, "structured_response")
    if thread.gate.wired:  # reading messages is not observing
        _complete(thread, factory, typed=structured is not None)
    steps = {fact.ref: fact.step for fact in thread.gate.state.facts.values()}
    return thread, attempt_of(thread.turn, structured, steps)


def _complete(thread: Thread, factory: GateFactory, *, typed: bool) -> None:
    """Put on record what only the messages tell. Where that fails the turn ends as `gate-error`, not as a crash."""
    try:
        see_previews(thread.gate, thread.messages)
        observe_served(thread.gate, thread.turn, thread.given)
        reconcile(thread.gate, thread.messages, thread.turn, typed=typed)
        thread.counted += count_reasoning(thread.gate, factory, thread.turn, [*thread.drafts, *thread.counted])
    except Exception:  # noqa: BLE001 - our bug must neither crash the run nor let an answer through
        _LOG.exception("the messages of the turn could not be read")
        thread.gate.lose()


def _decided(thread: Thread, factory: GateFactory, state: object, verdict: Verdict) -> Decision:
    structured = channel(state, "structured_response") is not None
    told = verdict.to_dict()
    thread.verdicts.append(told)
    answer = thread.turn.answer
    visible = factory.mark_text and verdict.action is Action.RELEASE and not structured
    messages = _messages(thread, factory, verdict, answer, visible=visible)
    progress = thread.gate.progress()
    update: dict[str, object] = {**thread.update(), VERDICT: told, REPORT: _report(thread, progress)}
    if messages:
        update["messages"] = messages
    if verdict.action in (Action.REVISE, Action.WITHHOLD) and structured:
        update["structured_response"] = None
    return Decision(
        action=verdict.action,
        verdict=verdict,
        update=update,
        message_id=(answer[-1].id or "") if answer else "",
        started=thread.started,
        answer_ids=tuple(m.id for m in answer if m.id),
        progress=progress,
        shown=messages[-1].text if visible and messages and answer else None,
    )


def _report(thread: Thread, progress: Mapping[str, Json]) -> dict[str, object]:
    return {
        "verdicts": list(thread.verdicts),
        "progress": dict(progress),
        "exited_unverified": thread.gate.exited_unverified,
    }


def _messages(
    thread: Thread, factory: GateFactory, verdict: Verdict, answer: list[AIMessage], *, visible: bool
) -> list[BaseMessage]:
    if verdict.action is Action.REVISE:
        return _send_back(thread, verdict, answer)
    withheld = verdict.action is Action.WITHHOLD
    removed = _remove(thread, [*thread.drafts, *(_ids_with_results(thread, answer) if withheld else ())])
    thread.drafts = []
    if not answer or withheld:
        return removed
    return [*removed, stamp(answer[-1], verdict, factory, visible=visible)]


def _remove(thread: Thread, ids: Iterable[str]) -> list[BaseMessage]:
    """Removals for the ids that are still there; LangGraph refuses to remove what is not."""
    present = {m.id for m in thread.messages}
    return [RemoveMessage(id=i) for i in dict.fromkeys(ids) if i in present]


def _ids_with_results(thread: Thread, answer: list[AIMessage]) -> list[str]:
    """The answer's messages and the results of their calls: no provider takes a result without its call."""
    calls = {call["id"] for message in answer for call in message.tool_calls}
    results = [m for m in thread.messages if isinstance(m, ToolMessage) and m.tool_call_id in calls]
    return [m.id for m in (*answer, *results) if m.id]


def _send_back(thread: Thread, verdict: Verdict, answer: list[AIMessage]) -> list[BaseMessage]:
    """The feedback, as a message the harness wrote. Its id follows the draft's, so a repeated node repeats nothing."""
    rejected = answer[-1].id if answer else None
    feedback = add_notification_metadata(
        HumanMessage(verdict.feedback, id=f"gate-{rejected or 'turn'}-{len(thread.verdicts)}"),
        source=SOURCE,
        data={"rejected": rejected, "codes": list(verdict.codes)},
    )
    plain = [m.id for m in answer if m.id and not m.tool_calls]
    thread.drafts += [*plain, str(feedback.id)]
    return [feedback]


def stamp(message: AIMessage, verdict: Verdict, factory: GateFactory, *, visible: bool = False) -> AIMessage:
    """The same message (same id, so it is replaced in place) with the verdict in its metadata."""
    changes: dict[str, object] = {"additional_kwargs": {**message.additional_kwargs, SOURCE: verdict.to_dict()}}
    if visible:
        changes["content"] = _marked(message.content, verdict, factory)
    return message.model_copy(update=changes)


def _marked(content: object, verdict: Verdict, factory: GateFactory) -> object:
    if isinstance(content, str):
        return mark(content, verdict, factory.config)
    blocks = list(cast("Iterable[object]", content))
    for i, block in enumerate(blocks):
        if isinstance(block, str):
            blocks[i] = mark(block, verdict, factory.config)
            break
        if isinstance(block, Mapping) and isinstance(block.get("text"), str):
            blocks[i] = {**block, "text": mark(str(block["text"]), verdict, factory.config)}
            break
    return blocks


def _is_notification(message: BaseMessage) -> bool:
    return isinstance(message, HumanMessage) and not is_user(message)


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
