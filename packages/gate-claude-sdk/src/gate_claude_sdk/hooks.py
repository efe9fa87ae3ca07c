"""The seats in the Claude Agent SDK: hook callbacks that feed the gate and obey its verdict.

Events arrive as callbacks on the host's event loop, tool events of parallel calls in any order. A callback changes a
session only between two awaits, so no lock is needed. No exception leaves a callback: the CLI would log it and go on,
which for a Stop hook means that the answer goes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack, cast

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, HookMatcher, Message, ResultMessage
from claude_agent_sdk.types import HookEvent

from gate_claude_sdk._annotations import reported_annotations
from gate_claude_sdk._hearing import session_of
from gate_claude_sdk._options import merged, system_text
from gate_claude_sdk._payload import as_object
from gate_claude_sdk._run import Run
from gate_claude_sdk._seats import Seats
from gate_claude_sdk._sessions import Sessions
from gate_claude_sdk._view import SessionView
from gate_core import GateArguments, GateState, Json, Verdict


class GateHooks:
    """The gate for `ClaudeAgentOptions(hooks=...)`. One instance serves any number of sessions.

    With `state_dir` every session is kept there after each event (one JSON file, mode 0600, and a file with the texts
    of its calls), and another instance on the same folder goes on from it. `gate_subagent_stop` also sends
    sub-agents back whose final text is not supported. The other arguments are those of every adapter: `config`,
    `profiles`, `verifier`, `audit`, `on_verdict`, `home`, `surface`, `probe_roots`, `supplied`, `mark_text`,
    `emit_progress` (True: a `systemMessage` for the user). Without `probe_roots` the gate may look at files under the
    folder the session started in.

    Raises:
        ConfigError: an argument is wrong, or `state_dir` cannot be written.
    """

    def __init__(
        self,
        *,
        state_dir: str | Path | None = None,
        gate_subagent_stop: bool = False,
        **arguments: Unpack[GateArguments],
    ) -> None:
        self._sessions = Sessions(state_dir, arguments)
        self._gates_subagents = gate_subagent_stop

    def hooks(self) -> dict[HookEvent, list[HookMatcher]]:
        """The callbacks for `ClaudeAgentOptions(hooks=...)`. Add your own matchers to these lists, replace none."""
        return self._hooks(Run())

    def options(self, options: ClaudeAgentOptions | None = None) -> ClaudeAgentOptions:
        """A copy of the options with the gate's hooks beside the user's own, and a buffer that takes whole files.

        From these options the gate also knows the annotations of in-process MCP servers, whether a typed answer is
        asked for, which session a fork goes on from, and what the system prompt states. Use the result for one run, or
        for several of the same kind.

        Raises:
            ConfigError: under these options the CLI would silently call no hook, or end the gate's blocks.
        """
        given = options or ClaudeAgentOptions()
        run = Run(
            typed=given.output_format is not None,
            parent=given.resume or "" if given.fork_session else "",
            system=system_text(given.system_prompt),
            servers=given.mcp_servers if isinstance(given.mcp_servers, Mapping) else {},
        )
        return merged(given, self._hooks(run), max_blocks=self._sessions.factory.config.max_blocks)

    def hear(self, message: Message) -> None:
        """Tell the gate what the host read from the message stream. Optional; two things are known only from there.

        Where the CLI writes no transcript, an answer of several text blocks is judged whole. And a result that no Stop
        came before (turns ran out, an interrupt, background work after a one-shot `query()`) counts as unverified.
        """
        hearing = self._sessions.hearing(session_of(message))
        if isinstance(message, AssistantMessage):
            hearing.response(message)
        elif isinstance(message, ResultMessage):
            self._sessions.ended(message.session_id, message.subtype)

    def learn_annotations(self, status: object) -> None:
        """Tell the gate the MCP annotations in the answer of `ClaudeSDKClient.get_mcp_status()`, for other servers than
        those in the options. How far a server is believed is `GateConfig(trusted_servers=...)`."""
        self._sessions.learn(reported_annotations(as_object(status)))

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
            AuditFailure: a decision about it, or an action before it, could not be recorded; the run was stopped.
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

    def _hooks(self, run: Run) -> dict[HookEvent, list[HookMatcher]]:
        matchers = Seats(self._sessions, run, subagents=self._gates_subagents).matchers()
        # Some events of the CLI are not named by the SDK's type.
        return {cast("HookEvent", event): [matcher] for event, matcher in matchers.items()}
