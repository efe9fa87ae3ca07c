"""One conversation with Claude Code: hook events in, calls and attempts to the core, verdicts out.

Knows no SDK and no event loop, so that any way of receiving hook events can drive it. The methods are synchronous, and
nothing else may run between their lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._guarded import touches
from gate_claude_sdk._logging import log
from gate_claude_sdk._payload import as_count, as_object, as_text
from gate_claude_sdk._pending import Pending
from gate_claude_sdk._steps import Steps
from gate_claude_sdk._texts import Texts
from gate_claude_sdk._typed import Typed
from gate_core import (
    Action,
    Attempt,
    AuditFailure,
    CallStatus,
    Gate,
    GateFactory,
    GateState,
    Json,
    JsonObject,
    ToolCall,
    Verdict,
)

SCHEMA = "gate-claude-session/1"

UNWIRED = (
    "no hook of the gate saw a tool call; hand all of GateHooks(...).hooks() to ClaudeAgentOptions(hooks=...) and"
    " replace none of its events PostToolUse, PostToolUseFailure, PostToolBatch (settings: gate-claude-hook install)"
)


@dataclass(slots=True, kw_only=True)
class Session:
    """The gate of one session and what the adapter has to remember of it.

    `root` is the folder the session began in, `prompt` the id of the current prompt, `prompted` whether a prompt was
    seen at all, `observed` whether a tool event was; `heard` is the size of the transcript up to which answers were
    judged, `pending` the background calls by call id, `typed` the typed answers of the current prompt, `answer` the
    text that may go out and `verdict` what was decided last. `at` is where the current event can be found again ("":
    the core keeps its own reference), `annotations` the hints of MCP tools by tool name, `agents` the gates of
    sub-agents; `unchecked` says that the last result came without a Stop, `unrecorded` that a decision of this prompt
    could not be recorded, and why. `guarded` are the gate's own files and folders.
    """

    gate: Gate
    texts: Texts | None = None
    root: str = ""
    prompt: str = ""
    prompted: bool = False
    observed: bool = False
    heard: int = 0
    steps: Steps = field(default_factory=Steps)
    pending: dict[str, Pending] = field(default_factory=dict)
    typed: Typed = field(default_factory=Typed)
    answer: str = ""
    verdict: Verdict | None = None
    at: str = ""
    annotations: Mapping[str, JsonObject] = field(default_factory=dict)
    agents: dict[str, Gate] = field(default_factory=dict)
    unchecked: bool = False
    unrecorded: AuditFailure | None = None
    guarded: tuple[str, ...] = ()

    @classmethod
    def begin(cls, event: JsonObject, factory: GateFactory, texts: Texts | None = None) -> Session:
        """A session that starts with this event; probes look under the folder it starts in."""
        root = as_text(event.get("cwd"))
        return cls(gate=_gate(factory, texts, root), texts=texts, root=root)

    @classmethod
    def resume(cls, data: JsonObject, factory: GateFactory, texts: Texts | None = None) -> Session:
        """The session that `to_json` wrote.

        Raises:
            StateError: the ledger in it cannot be read.
        """
        root = as_text(data.get("root"))
        state = GateState.from_json(as_object(data.get("gate")))
        session = cls(
            gate=_gate(factory, texts, root, state=state),
            texts=texts,
            root=root,
            prompt=as_text(data.get("prompt")),
            prompted=data.get("prompted") is True,
            observed=data.get("observed") is True,
            heard=as_count(data.get("heard")) or 0,
            steps=Steps.from_json(as_object(data.get("steps"))),
            pending={key: Pending.from_json(row) for key, row in as_object(data.get("pending")).items()},
            typed=Typed.from_json(as_object(data.get("typed"))),
        )
        session.steps.after(_highest_step(state))  # whatever became of the counter
        return session

    def to_json(self) -> dict[str, Json]:
        """What another process needs to go on from here."""
        return {
            "schema": SCHEMA,
            "root": self.root,
            "prompt": self.prompt,
            "prompted": self.prompted,
            "observed": self.observed,
            "heard": self.heard,
            "steps": self.steps.to_json(),
            "pending": {key: call.to_json() for key, call in self.pending.items()},
            "typed": self.typed.to_json(),
            "gate": self.gate.to_json(),
        }

    def submitted(self, event: JsonObject) -> None:
        """UserPromptSubmit: a person's prompt begins a turn, once; a notice ends a background call."""
        if not translate.starts_turn(event):
            self._ended(event)
            return
        self.prompted = True
        prompt = as_text(event.get("prompt_id"))
        if prompt and prompt == self.prompt:
            return
        self.prompt, self.answer, self.typed, self.unrecorded = prompt, "", Typed(), None
        self.steps.close("")
        self.gate.begin_turn(as_text(event.get("prompt")))

    def completed(self, event: JsonObject) -> None:
        """PostToolUse: a call ran or was started in the background."""
        call = self._observe(event, event, partial(translate.completed_call, event))
        if call.status is CallStatus.PENDING and call.call_id:
            self.pending[call.call_id] = Pending(tool=call.tool, args=call.args, ref=call.ref)

    def failed(self, event: JsonObject) -> None:
        """PostToolUseFailure: a call ran and failed."""
        call = self._observe(event, event, partial(translate.failed_call, event))
        if call.tool == translate.TYPED:
            self.typed.unfit()

    def batched(self, event: JsonObject) -> None:
        """PostToolBatch: all calls of one model response; those nobody reported were denied or refused."""
        self.observed = True
        agent = as_text(event.get("agent_id"))
        for entry in translate.batch_entries(event):
            if not self.steps.reported(agent, as_text(entry.get("tool_use_id"))):
                self._observe(event, entry, partial(translate.unreported_call, event, entry))
        self.steps.close(agent)

    def finishes(self, event: JsonObject, texts: tuple[str, ...], *, unseen: bool = False) -> Attempt:
        """Stop: the agent wants to finish with these texts, or with the one in the event.

        `unseen` says that the agent called tools and no event told of it: with a prompt alone nobody can see whether
        the observer is missing or there was nothing to observe.
        """
        self.steps.close("")
        self._wire(unseen=unseen)
        return translate.attempt_of(event, texts)

    def offers(self, event: JsonObject) -> Attempt:
        """PreToolUse of `StructuredOutput`: the typed answer that is about to go out. Nothing of it is a call yet."""
        self._wire(unseen=False)
        return Attempt(output=dict(as_object(event.get("tool_input"))))

    def admitted(self, event: JsonObject) -> Verdict:
        """PreToolUse of any other tool: may this action run?"""
        return self.gate.admit(self._annotated(translate.proposed_call(event)))

    def decided(self, attempt: Attempt, verdict: Verdict) -> Verdict:
        """Note what the gate said of an attempt."""
        self.verdict, self.answer, self.unchecked = verdict, "", False
        if verdict.action in (Action.DELIVER, Action.RELEASE):
            self.answer = translate.visible(attempt)
        self.steps.after(_highest_step(self.gate.state))
        return verdict

    def stopped(self, event: JsonObject, texts: tuple[str, ...], *, unseen: bool = False) -> Verdict:
        """`finishes`, judged at once."""
        attempt = self.finishes(event, texts, unseen=unseen)
        return self.decided(attempt, self.gate.boundary_check(attempt))

    def offered(self, event: JsonObject) -> Verdict:
        """`offers`, judged at once."""
        attempt = self.offers(event)
        return self.typed_decided(attempt, self.gate.boundary_check(attempt))

    def typed_decided(self, attempt: Attempt, verdict: Verdict) -> Verdict:
        """`decided` for a typed answer, which the host lets nobody send back for ever."""
        return self.decided(attempt, self.typed.judged(verdict, self.gate))

    def _wire(self, *, unseen: bool) -> None:
        self.gate.wired = self.observed or (self.prompted and not unseen)

    def _observe(self, event: JsonObject, source: JsonObject, translated: Callable[..., ToolCall]) -> ToolCall:
        self.observed = True
        step = self.steps.of(as_text(event.get("agent_id")), as_text(source.get("tool_use_id")))
        try:
            call = self._annotated(translated(step=step))
        except Exception:  # noqa: BLE001 - a payload nobody foresaw is still a call
            log().exception("a tool event could not be translated")
            call = translate.bare_call(source, step=step)
        return self._record(call)

    def _annotated(self, call: ToolCall) -> ToolCall:
        hints = self.annotations.get(call.tool)
        return replace(call, side={**call.side, "annotations": hints}) if hints else call

    def _record(self, call: ToolCall, begun: str = "") -> ToolCall:
        if self.at:
            call = replace(call, ref=f"{self.at}/{call.call_id}{begun and '@' + begun}")
        fact = self.gate.observe(call)
        if self.guarded and touches(fact, call.cwd, self.guarded):
            self.gate.tamper()
        if self.texts is not None and fact.ref:
            self.texts.put(fact.ref, call.args, call.result)
        return call

    def _ended(self, event: JsonObject) -> None:
        call = self.pending.pop(translate.ended_id(event), None)
        if call is not None:
            self._record(translate.ended_call(event, call.tool, call.args, step=self.steps.next()), begun=call.ref)


def _highest_step(state: GateState) -> int:
    """The core records facts of its own and numbers them; what is observed later has a later step."""
    return max((fact.step for fact in state.facts.values()), default=-1)


def _gate(factory: GateFactory, texts: Texts | None, root: str, *, state: GateState | None = None) -> Gate:
    roots = (root,) if root else ()
    return factory.new(state=state, texts=texts, probe_roots=roots, unwired=UNWIRED)
