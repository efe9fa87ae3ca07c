"""The seats in the Claude Agent SDK: hook callbacks that feed the gate and obey its verdict.

Events arrive as callbacks on the host's event loop, tool events of parallel calls in any order. A callback changes a
session only between two awaits, so no lock is needed. No exception leaves a callback: the CLI would log it and go on,
which for a Stop hook means that the answer goes out.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias, Unpack, cast

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookCallback, HookContext, HookEvent, HookInput, HookJSONOutput

from gate_claude_sdk._answer import final_texts, transcript_end
from gate_claude_sdk._payload import as_object, as_text
from gate_claude_sdk._session import Session
from gate_claude_sdk._sessions import Sessions
from gate_claude_sdk._translate import failed_output, session_id, stop_output
from gate_claude_sdk._view import SessionView
from gate_core import GateArguments, GateState, Json, JsonObject, Verdict

_LOG = logging.getLogger("gate_claude_sdk")
_Observer: TypeAlias = Callable[[Session, JsonObject], None]
_Seat: TypeAlias = Callable[[JsonObject], Awaitable[dict[str, Json]]]


class GateHooks:
    """The gate for `ClaudeAgentOptions(hooks=...)`. One instance serves any number of sessions.

    With `state_dir` every session is kept there after each event (one JSON file, mode 0600, and a file with the texts
    of its calls), and another instance on the same folder goes on from it. The other arguments are those of every
    adapter: `config`, `profiles`, `verifier`, `on_verdict`, `home`, `surface`, `probe_roots`, `mark_text`. Without
    `probe_roots` the gate may look at files under the folder the session started in.

    Raises:
        ConfigError: an argument is wrong, or `state_dir` cannot be written.
    """

    def __init__(self, *, state_dir: str | Path | None = None, **arguments: Unpack[GateArguments]) -> None:
        self._sessions = Sessions(state_dir, arguments)

    def hooks(self) -> dict[HookEvent, list[HookMatcher]]:
        """The callbacks for `ClaudeAgentOptions(hooks=...)`. Add your own matchers to these lists, replace none."""
        seats: dict[str, _Seat] = {
            "UserPromptSubmit": self._observing(_submitted),
            "PostToolUse": self._observing(Session.completed),
            "PostToolUseFailure": self._observing(Session.failed),
            "PostToolBatch": self._observing(Session.batched),
            "Stop": self._stop,
        }
        # PostToolBatch is an event of the CLI that the SDK's type does not name.
        return {cast("HookEvent", event): [HookMatcher(hooks=[_callback(seat)])] for event, seat in seats.items()}

    def session(self, session_id: str | None = None) -> SessionView:
        """The gate's view of one session; without an id of the only one.

        Raises:
            GateUsageError: no such session, or several and no id; the text names those that exist.
        """
        factory = self._sessions.factory
        return SessionView(self._sessions.find(session_id), config=factory.config, mark_text=factory.mark_text)

    def result(self, session_id: str | None = None) -> str:
        """The answer of the session's last turn as it may go out; "" while there is none.

        Raises:
            AnswerWithheld: posture `rails`, and the answer was not supported.
            GateUsageError: as `session`.
        """
        return self.session(session_id).result()

    def forget(self, session_id: str) -> None:
        """Drop a session from memory, when a host that runs for long is done with it. Files in `state_dir` stay."""
        self._sessions.forget(session_id)

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict of the only session, None before the first."""
        return self.session().verdict

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts of the only session, in order."""
        return self.session().verdicts

    @property
    def exited_unverified(self) -> bool:
        """True when an answer of the only session went out marked unverified."""
        return self.session().exited_unverified

    @property
    def state(self) -> GateState:
        """The ledger of the only session."""
        return self.session().state

    def progress(self) -> dict[str, Json]:
        """Counters of the only session (spec 00, `progress()`)."""
        return self.session().progress()

    def _observing(self, observe: _Observer) -> _Seat:
        async def seat(event: JsonObject) -> dict[str, Json]:
            name = session_id(event)
            try:
                observe(self._sessions.of(name, event), event)
                self._sessions.save(name)
            except Exception:  # noqa: BLE001 - see the module's docstring
                _LOG.exception("the gate failed on %s", event.get("hook_event_name"))
                self._sessions.broke(name)
            return {}

        return seat

    async def _stop(self, event: JsonObject) -> dict[str, Json]:
        try:
            verdict = await self._judged(event)
        except Exception:  # noqa: BLE001 - see the module's docstring
            _LOG.exception("the gate failed on Stop")
            try:
                verdict = self._sessions.broke(session_id(event)).stopped(event, ())
            except Exception:  # noqa: BLE001 - nothing is left that could decide
                _LOG.exception("the gate failed on its own failure")
                return failed_output(self._sessions.factory.config)
        return stop_output(verdict, self._sessions.factory.config.marker)

    async def _judged(self, event: JsonObject) -> Verdict:
        name = session_id(event)
        session = self._sessions.of(name, event)
        last, path = as_text(event.get("last_assistant_message")), as_text(event.get("transcript_path"))
        texts, session.heard = await final_texts(path, last, since=session.heard)
        verdict = session.stopped(event, texts)
        self._sessions.save(name)
        return verdict


def _submitted(session: Session, event: JsonObject) -> None:
    session.heard = transcript_end(as_text(event.get("transcript_path")))
    session.submitted(event)


def _callback(seat: _Seat) -> HookCallback:
    async def callback(event: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        return cast("HookJSONOutput", await seat(as_object(event)))

    return callback
