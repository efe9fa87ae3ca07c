"""The callbacks of one run, by event. What the module `hooks` says of exceptions is kept here."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookCallback, HookContext, HookInput, HookJSONOutput

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._answer import final_texts, transcript_end
from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_claude_sdk._run import Run
from gate_claude_sdk._session import Session
from gate_claude_sdk._sessions import Sessions
from gate_claude_sdk._subagents import subagent_output
from gate_core import AuditFailure, Json, JsonObject, Verdict

_LOG = logging.getLogger("gate_claude_sdk")
_Observer: TypeAlias = Callable[[Session, JsonObject], None]
_Seat: TypeAlias = Callable[[JsonObject], Awaitable[dict[str, Json]]]
_Judge: TypeAlias = Callable[[JsonObject], Awaitable[Verdict]]
_Output: TypeAlias = Callable[[Verdict, str], dict[str, Json]]

ONE_SHOT = (
    "a background command is still running at Stop. ClaudeSDKClient checks the turn that follows its end; a one-shot"
    " query() closes the line on which hooks are called, and that turn goes out unchecked"
)


class Seats:
    """The gate's callbacks for one run."""

    def __init__(self, sessions: Sessions, run: Run, *, subagents: bool) -> None:
        self._sessions = sessions
        self._run = run
        self._subagents = subagents
        self._warned = False

    def matchers(self) -> dict[str, HookMatcher]:
        """One matcher per event. PreToolUse is asked about typed answers only, unless actions are to be admitted."""
        found = {
            "UserPromptSubmit": _matcher(self._observing(self._submitted)),
            "PreToolUse": _matcher(self._before, None if self._admits else translate.TYPED),
            "PostToolUse": _matcher(self._observing(Session.completed)),
            "PostToolUseFailure": _matcher(self._observing(Session.failed)),
            "PostToolBatch": _matcher(self._observing(Session.batched)),
            "Stop": _matcher(self._stop),
        }
        return {**found, "SubagentStop": _matcher(self._subagent_stop)} if self._subagents else found

    @property
    def _admits(self) -> bool:
        return self._sessions.factory.config.admits

    def _observing(self, observe: _Observer) -> _Seat:
        async def seat(event: JsonObject) -> dict[str, Json]:
            name = translate.session_id(event)
            try:
                session = self._sessions.of(name, event, parent=self._run.parent)
                if as_text(event.get("tool_name")).startswith("mcp__"):
                    session.annotations = {**self._sessions.learned, **await self._run.annotations()}
                known = len(session.gate.state.facts)
                observe(session, event)
                self._sessions.save(name)
                return self._progress(event) if len(session.gate.state.facts) > known else {}
            except Exception:  # noqa: BLE001 - see the module's docstring
                _LOG.exception("the gate failed on %s", event.get("hook_event_name"))
                self._sessions.broke(name)
                return {}

        return seat

    def _submitted(self, session: Session, event: JsonObject) -> None:
        if self._run.system:
            session.gate.supply(self._run.system)
        _submitted(session, event)

    async def _before(self, event: JsonObject) -> dict[str, Json]:
        if event.get("tool_name") == translate.TYPED and not event.get("agent_id"):
            return await self._answered(self._offered, lambda s: s.offered(event), event, translate.typed_output)
        try:
            session = self._sessions.of(translate.session_id(event), event, parent=self._run.parent)
            return translate.admission_output(session.admitted(event)) if self._admits else {}
        except AuditFailure as error:
            return self._unrecorded(event, error)
        except Exception:  # noqa: BLE001 - see the module's docstring; nobody may act on a check that failed
            _LOG.exception("the gate failed on PreToolUse")
            return translate.undecided_output()

    async def _stop(self, event: JsonObject) -> dict[str, Json]:
        self._warn_of_background(event)
        if not event.get("last_assistant_message") and self._sessions.gave_typed(translate.session_id(event)):
            return {}  # the typed answer was judged when it was offered
        if self._run.typed and not event.get("stop_hook_active") and event.get("last_assistant_message"):
            return {}  # a text where a typed answer is asked for: the CLI sends it back itself, once
        return await self._answered(self._stopped, lambda s: s.stopped(event, ()), event, translate.stop_output)

    async def _subagent_stop(self, event: JsonObject) -> dict[str, Json]:
        try:
            session = self._sessions.of(translate.session_id(event), event, parent=self._run.parent)
            return await subagent_output(session, event, self._sessions.factory)
        except AuditFailure as error:
            return self._unrecorded(event, error)
        except Exception:  # noqa: BLE001 - what a sub-agent says is testimony; its parent's answer is still judged
            _LOG.exception("the gate failed on SubagentStop")
            return {}

    async def _answered(
        self, judge: _Judge, again: Callable[[Session], Verdict], event: JsonObject, output: _Output
    ) -> dict[str, Json]:
        """What the hook answers about a boundary, whatever happens there."""
        factory = self._sessions.factory
        try:
            verdict = await self._safely(judge, event, again)
        except AuditFailure as error:
            return self._unrecorded(event, error)
        if verdict is None:
            return translate.failed_output(factory.config)
        return {**self._progress(event), **output(verdict, factory.config.marker)}

    def _unrecorded(self, event: JsonObject, error: AuditFailure) -> dict[str, Json]:
        """The run is stopped, since the CLI swallows what a hook raises; `GateHooks.result` raises it."""
        _LOG.error("%s", error)
        self._sessions.known(translate.session_id(event)).unrecorded = error
        return translate.unrecorded_output(event, error)

    def _progress(self, event: JsonObject) -> dict[str, Json]:
        """Where the session stands, for those who asked for it; the CLI's own channel is a message to the user."""
        lines: list[str] = []
        session = self._sessions.known(translate.session_id(event))
        self._sessions.factory.emit(session.gate.progress, lambda told: lines.append(translate.progress_line(told)))
        return {"systemMessage": lines[0]} if lines else {}

    async def _safely(self, judge: _Judge, event: JsonObject, again: Callable[[Session], Verdict]) -> Verdict | None:
        """The verdict; after a failure that of a session that lost something; None when not even that can be had.

        Raises:
            AuditFailure: the verdict could not be recorded.
        """
        try:
            return await judge(event)
        except AuditFailure:
            raise
        except Exception:  # noqa: BLE001 - see the module's docstring
            _LOG.exception("the gate failed on %s", event.get("hook_event_name"))
        try:
            return again(self._sessions.broke(translate.session_id(event)))
        except AuditFailure:
            raise
        except Exception:  # noqa: BLE001 - nothing is left that could decide
            _LOG.exception("the gate failed on its own failure")
            return None

    async def _stopped(self, event: JsonObject) -> Verdict:
        name = translate.session_id(event)
        session = self._sessions.of(name, event, parent=self._run.parent)
        last, path = as_text(event.get("last_assistant_message")), as_text(event.get("transcript_path"))
        texts = self._sessions.hearing(name).ending_with(last)
        unseen = False
        if not texts or not session.observed:
            heard = await final_texts(path, last, since=session.heard)
            texts, session.heard, unseen = texts or heard.texts, heard.end, heard.calls and not session.observed
        attempt = session.finishes(event, texts, unseen=unseen)
        verdict = session.decided(attempt, await session.gate.aboundary_check(attempt))
        self._sessions.save(name)
        return verdict

    async def _offered(self, event: JsonObject) -> Verdict:
        name = translate.session_id(event)
        session = self._sessions.of(name, event, parent=self._run.parent)
        attempt = session.offers(event)
        verdict = session.typed_decided(attempt, await session.gate.aboundary_check(attempt))
        self._sessions.save(name)
        return verdict

    def _warn_of_background(self, event: JsonObject) -> None:
        tasks = (as_object(task) for task in as_list(event.get("background_tasks")))
        running = any(task.get("type") == "shell" and task.get("status") == "running" for task in tasks)
        if running and not self._warned:
            self._warned = True
            _LOG.warning(ONE_SHOT)


def _submitted(session: Session, event: JsonObject) -> None:
    session.heard = transcript_end(as_text(event.get("transcript_path")))
    session.submitted(event)


def _matcher(seat: _Seat, tools: str | None = None) -> HookMatcher:
    async def callback(event: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        return cast("HookJSONOutput", await seat(as_object(event)))

    hooks: list[HookCallback] = [callback]
    return HookMatcher(matcher=tools, hooks=hooks)
