"""One conversation with Claude Code: hook events in, calls and attempts to the core, verdicts out.

Knows no SDK and no event loop, so that any way of receiving hook events can drive it. The methods are synchronous, and
nothing else may run between their lines.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._payload import as_count, as_object, as_text
from gate_claude_sdk._steps import Steps
from gate_claude_sdk._texts import Spool
from gate_core import Action, CallStatus, Gate, GateFactory, GateState, Json, JsonObject, ToolCall, Verdict

_LOG = logging.getLogger("gate_claude_sdk")

SCHEMA = "gate-claude-session/1"

UNWIRED = (
    "no hook of the gate but Stop was called; hand all of GateHooks(...).hooks() to ClaudeAgentOptions(hooks=...)"
    " and replace none of its events UserPromptSubmit, PostToolUse, PostToolUseFailure, PostToolBatch"
)


@dataclass(slots=True, kw_only=True)
class Session:
    """The gate of one session and what the adapter has to remember of it.

    `root` is the folder the session began in, `prompt` the id of the current prompt, `heard` the size of the transcript
    up to which answers were judged, `pending` the background calls as call id -> (tool, arguments), `answer`
    the text that may go out.
    """

    gate: Gate
    spool: Spool | None = None
    root: str = ""
    prompt: str = ""
    heard: int = 0
    steps: Steps = field(default_factory=Steps)
    pending: dict[str, tuple[str, JsonObject]] = field(default_factory=dict)
    answer: str = ""

    @classmethod
    def begin(cls, event: JsonObject, factory: GateFactory, spool: Spool | None = None) -> Session:
        """A session that starts with this event; probes look under the folder it starts in."""
        root = as_text(event.get("cwd"))
        return cls(gate=_gate(factory, spool, root), spool=spool, root=root)

    @classmethod
    def resume(cls, data: JsonObject, factory: GateFactory, spool: Spool | None = None) -> Session:
        """The session that `to_json` wrote.

        Raises:
            StateError: the ledger in it cannot be read.
        """
        root = as_text(data.get("root"))
        state = GateState.from_json(as_object(data.get("gate")))
        pending = {key: as_object(row) for key, row in as_object(data.get("pending")).items()}
        session = cls(
            gate=_gate(factory, spool, root, state=state, wired=data.get("wired") is True),
            spool=spool,
            root=root,
            prompt=as_text(data.get("prompt")),
            heard=as_count(data.get("heard")) or 0,
            steps=Steps.from_json(as_object(data.get("steps"))),
            pending={key: (as_text(row.get("tool")), as_object(row.get("args"))) for key, row in pending.items()},
        )
        session.steps.after(_highest_step(state))  # whatever became of the counter
        return session

    def to_json(self) -> dict[str, Json]:
        """What another process needs to go on from here."""
        return {
            "schema": SCHEMA,
            "root": self.root,
            "prompt": self.prompt,
            "heard": self.heard,
            "steps": self.steps.to_json(),
            "pending": {key: {"tool": tool, "args": args} for key, (tool, args) in self.pending.items()},
            "wired": self.gate.wired,
            "gate": self.gate.to_json(),
        }

    def submitted(self, event: JsonObject) -> None:
        """UserPromptSubmit: a person's prompt begins a turn, once; a notice ends a background call."""
        self.gate.wired = True
        if not translate.starts_turn(event):
            self._ended(event)
            return
        prompt = as_text(event.get("prompt_id"))
        if prompt and prompt == self.prompt:
            return
        self.prompt, self.answer = prompt, ""
        self.steps.close("")
        self.gate.begin_turn(as_text(event.get("prompt")))

    def completed(self, event: JsonObject) -> None:
        """PostToolUse: a call ran or was started in the background."""
        call = self._observe(event, event, partial(translate.completed_call, event))
        if call.status is CallStatus.PENDING and call.call_id:
            self.pending[call.call_id] = (call.tool, call.args)

    def failed(self, event: JsonObject) -> None:
        """PostToolUseFailure: a call ran and failed."""
        self._observe(event, event, partial(translate.failed_call, event))

    def batched(self, event: JsonObject) -> None:
        """PostToolBatch: all calls of one model response; those nobody reported were denied or refused."""
        self.gate.wired = True
        agent = as_text(event.get("agent_id"))
        for entry in translate.batch_entries(event):
            if not self.steps.reported(agent, as_text(entry.get("tool_use_id"))):
                self._observe(event, entry, partial(translate.unreported_call, event, entry))
        self.steps.close(agent)

    def stopped(self, event: JsonObject, texts: tuple[str, ...]) -> Verdict:
        """Stop: the agent wants to finish with these texts, or with the one in the event."""
        self.steps.close("")
        attempt = translate.attempt_of(event, texts)
        self.answer = ""
        verdict = self.gate.boundary_check(attempt)
        if verdict.action in (Action.DELIVER, Action.RELEASE):
            self.answer = attempt.text
        self.steps.after(_highest_step(self.gate.state))
        return verdict

    def _observe(self, event: JsonObject, source: JsonObject, translated: Callable[..., ToolCall]) -> ToolCall:
        step = self.steps.of(as_text(event.get("agent_id")), as_text(source.get("tool_use_id")))
        try:
            call = translated(step=step)
        except Exception:  # noqa: BLE001 - a payload nobody foresaw is still a call
            _LOG.exception("a tool event could not be translated")
            call = translate.bare_call(source, step=step)
        self._record(call)
        return call

    def _record(self, call: ToolCall) -> None:
        fact = self.gate.observe(call)
        if self.spool is not None and fact.ref:
            self.spool.put(fact.ref, call.args, call.result)

    def _ended(self, event: JsonObject) -> None:
        call_id = translate.ended_id(event)
        if call_id in self.pending:
            tool, args = self.pending.pop(call_id)
            self._record(translate.ended_call(event, tool, args, step=self.steps.next()))


def _highest_step(state: GateState) -> int:
    """The core records facts of its own and numbers them; what is observed later has a later step."""
    return max((fact.step for fact in state.facts.values()), default=-1)


def _gate(
    factory: GateFactory, spool: Spool | None, root: str, *, state: GateState | None = None, wired: bool = False
) -> Gate:
    roots = (root,) if root else ()
    return factory.new(state=state, texts=spool, probe_roots=roots, wired=wired, unwired=UNWIRED)
