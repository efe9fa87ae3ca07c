"""From a graph state to what happens with the answer. One function, shared by every form the gate takes in a graph.

Nothing here knows nodes, edges or jumps: `decide` gives an action and a state update, and the form around it turns
REVISE into its own way back to the model. The rules are the core's; the only thing kept besides its state is which
message a turn began with, because a graph can be entered without passing its start.
"""

from __future__ import annotations

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

from gate_core import Action, Gate, GateFactory, GateState, Json, StateError, ToolCall, Verdict, mark
from gate_langgraph._channels import FACTS, REPORT, RUN, VERDICT
from gate_langgraph._translate import SOURCE, MessageTexts, attempt_of, calls_by_id, to_json, unexecuted
from gate_langgraph._turns import answer_of, is_user, messages_of, prompts_since, turn_of

UNWIRED = "no recorder ever ran in this thread; build the agent with middleware=with_gate([...])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with the answer, and the state update that goes with it.

    `started` is false when the turn was entered without passing the recorder's `before_agent`.
    """

    action: Action
    verdict: Verdict
    update: dict[str, object]
    message_id: str = ""
    started: bool = True


@dataclass(slots=True, kw_only=True)
class Thread:
    """A gate opened on a graph state, with the turn it is in. Closing it gives the update of the private channels."""

    gate: Gate
    messages: list[BaseMessage]
    kept: frozenset[str] = frozenset()
    started: bool = True
    tag: str = ""
    drafts: list[str] = field(default_factory=list)
    verdicts: list[Json] = field(default_factory=list)

    def begin(self, text: str, tag: str) -> None:
        """Begin a turn, unless `text` is the gate's own feedback. Drafts of a turn that broke off stay listed."""
        if self.gate.begin_turn(text):
            self.verdicts = []
        self.tag = tag

    def update(self) -> dict[str, object]:
        """The private channels as they are to be written."""
        facts, rest = self.gate.state.split()
        return {
            FACTS: {key: fact for key, fact in facts.items() if key not in self.kept},
            RUN: {
                "state": rest,
                "wired": self.gate.wired,
                "tag": self.tag,
                "drafts": list(self.drafts),
                "verdicts": list(self.verdicts),
            },
        }


def open_thread(factory: GateFactory, state: object, *, facts: bool = True) -> Thread:
    """The gate of a state. A turn that began without `before_agent` (a jump into the graph) is begun here.

    With `facts=False` only counters are read: enough to observe one call, whatever the length of the thread.
    """
    messages = messages_of(state)
    run = _mapping(_channel(state, RUN))
    gate, readable = _gate(factory, state, run, messages, facts=facts)
    thread = Thread(gate=gate, messages=messages, kept=frozenset(_mapping(_channel(state, FACTS))))
    if readable:
        thread.tag = str(run.get("tag") or "")
        thread.drafts = [str(item) for item in _items(run.get("drafts"))]
        thread.verdicts = [to_json(item) for item in _items(run.get("verdicts"))]
    missed = prompts_since(messages, thread.tag)
    for prompt in missed:
        thread.begin(prompt.text, prompt.tag)
    thread.started = bool(run.get("wired")) and not missed
    return thread


def _gate(
    factory: GateFactory, state: object, run: Mapping[str, object], messages: list[BaseMessage], *, facts: bool
) -> tuple[Gate, bool]:
    """The gate, and whether what the thread holds could be read. What cannot be read counts as never attached."""
    kept = _mapping(_channel(state, FACTS))
    texts = MessageTexts(messages)
    try:
        rest = cast("Mapping[str, Json]", _mapping(run.get("state")))
        known = GateState.join(cast("Mapping[str, Json]", kept) if facts else {}, rest)
    except StateError as error:
        return factory.new(texts=texts, unwired=f"the gate's state in this thread cannot be read ({error})"), False
    return factory.new(state=known, texts=texts, wired=bool(run.get("wired") or kept), unwired=UNWIRED), True


def start_turn(factory: GateFactory, state: object) -> dict[str, object]:
    """The update with which a run begins: a new turn, unless the agent was only woken by a notification."""
    thread = open_thread(factory, state)
    thread.gate.wired = True  # only the recorder begins turns
    before = _mapping(_channel(state, RUN)).get("tag")
    woken = bool(thread.messages) and _is_notification(thread.messages[-1])
    same = thread.tag == (before or "")  # the same message once more: regenerated, or no new input
    if thread.gate.state.turn == 0 or (same and not woken):
        latest = prompts_since(thread.messages, "")[-1:]
        thread.begin(latest[0].text if latest else "", thread.tag)
    return {**thread.update(), VERDICT: None, REPORT: None}


def observed(factory: GateFactory, state: object, calls: Iterable[ToolCall]) -> dict[str, Json]:
    """The facts of calls that were just executed, as an update of the facts channel."""
    thread = open_thread(factory, state, facts=False)
    for call in calls:
        thread.gate.observe(call)
    return dict(thread.gate.state.split()[0])


def decide(state: object, factory: GateFactory) -> Decision:
    """Judge the answer a state holds (spec 50). Depends on the state and, for probes, on the files."""
    thread = open_thread(factory, state)
    _reconcile(thread)
    steps = {fact.ref: fact.step for fact in thread.gate.state.facts.values()}
    structured = _channel(state, "structured_response")
    verdict = thread.gate.boundary_check(attempt_of(thread.messages, structured, steps))
    thread.verdicts.append(verdict.to_dict())
    answer = answer_of(thread.messages)
    messages = _messages(thread, factory, verdict, answer, structured=structured is not None)
    update: dict[str, object] = {**thread.update(), VERDICT: verdict.to_dict(), REPORT: _report(thread)}
    if messages:
        update["messages"] = messages
    if verdict.action in (Action.REVISE, Action.WITHHOLD) and structured is not None:
        update["structured_response"] = None
    message_id = (answer[-1].id or "") if answer else ""
    return Decision(
        action=verdict.action, verdict=verdict, update=update, message_id=message_id, started=thread.started
    )


def _report(thread: Thread) -> dict[str, object]:
    return {
        "verdicts": list(thread.verdicts),
        "progress": dict(thread.gate.progress()),
        "exited_unverified": thread.gate.exited_unverified,
    }


def _reconcile(thread: Thread) -> None:
    """Hand in the tool messages of the turn that no execution stands behind; they are never evidence."""
    gate = thread.gate
    if not gate.wired:  # reading messages is not observing
        return
    seen = {fact.ref for fact in gate.state.facts.values() if fact.turn == gate.state.turn}
    asked = calls_by_id(thread.messages)
    for message in turn_of(thread.messages):
        if isinstance(message, ToolMessage) and message.tool_call_id not in seen:
            gate.observe(unexecuted(message, asked.get(message.tool_call_id)))


def _messages(
    thread: Thread, factory: GateFactory, verdict: Verdict, answer: list[AIMessage], *, structured: bool
) -> list[BaseMessage]:
    if verdict.action is Action.REVISE:
        return _send_back(thread, verdict, answer)
    withheld = verdict.action is Action.WITHHOLD
    removed = _remove(thread, [*thread.drafts, *(_ids_with_results(thread, answer) if withheld else ())])
    thread.drafts = []
    if not answer or withheld:
        return removed
    visible = factory.mark_text and verdict.action is Action.RELEASE and not structured
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


def _channel(state: object, key: str) -> object:
    return state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
