"""The conformance driver: the CLI bundled in claude-agent-sdk, its own tools, and a model that is played.

The CLI talks to a Messages server on the loopback that answers from the case; everything else is real. Its home folder
is a temporary one, so nothing of the user's is read and nothing is left behind.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, SystemMessage

from gate_claude_sdk._attached import Attached, AttachedCommand, AttachedHooks
from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._payload import as_text
from gate_claude_sdk._scripted import Block, scripted_messages, text_block, tool_block
from gate_core import Action, Json, JsonObject, Verdict
from gate_core.conformance import Case, CaseCall, CaseRun, ModelStep, Player

TOOLS = ("Read", "Edit", "Write")
"""The CLI's tools a case can use."""

MODEL = "claude-sonnet-5"
"""A model name the CLI knows; no such model is asked."""


class InexpressibleCall(Exception):  # noqa: N818 - it states a fact about a case, not a malfunction
    """A case uses a neutral tool that has no counterpart among the CLI's file tools."""


class ClaudeDriver:
    """Runs cases on the real Claude Code CLI through `ClaudeSDKClient`."""

    @property
    def name(self) -> str:
        """The driver's name on the command line."""
        return "claude"

    @property
    def capabilities(self) -> frozenset[str]:
        """What this driver can express."""
        return frozenset({"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"})

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Play the case in one client session, all turns in one conversation.

        Raises:
            InexpressibleCall: the case calls something else than read_file, write_file, edit_file.
        """
        workspace = workspace.resolve()
        for call in (call for turn in case.turns for step in turn.steps for call in step.calls):
            claude_call(call, workspace)
        with tempfile.TemporaryDirectory(prefix="gate-claude-") as folder:
            attached = self._attached(case, workspace, Path(folder)) if gated else None
            return await _Play(case, workspace, Path(folder), attached).run()

    def _attached(self, case: Case, workspace: Path, folder: Path) -> Attached:
        return AttachedHooks(case, workspace, folder)


class HookDriver(ClaudeDriver):
    """The same through `gate-claude-hook` in a settings file."""

    @property
    def name(self) -> str:
        """The driver's name on the command line."""
        return "claude-hook"

    def _attached(self, case: Case, workspace: Path, folder: Path) -> Attached:
        return AttachedCommand(case, workspace, folder)


def claude_call(call: CaseCall, workspace: Path) -> Block:
    """A neutral call as a call of the CLI's tool, with absolute paths.

    Raises:
        InexpressibleCall: there is no such tool.
    """
    if call.tool not in _ARGUMENTS:
        raise InexpressibleCall(
            f"call {call.id}: {call.tool!r} has no counterpart; expressible: {', '.join(_ARGUMENTS)}"
        )
    name, arguments = _ARGUMENTS[call.tool]
    path = str(workspace / as_text(call.args.get("path")))
    return tool_block(name, {"file_path": path, **arguments(call.args)}, call_id=f"toolu_{call.id}")


def _read(args: JsonObject) -> dict[str, Json]:
    """Neutral `offset` counts lines to skip, the CLI's is the number of the first line."""
    window = {key: args[key] for key in ("offset", "limit") if key in args}
    skipped = window.get("offset")
    return {**window, "offset": skipped + 1} if isinstance(skipped, int) else window


_ARGUMENTS: dict[str, tuple[str, Callable[[JsonObject], dict[str, Json]]]] = {
    "read_file": ("Read", _read),
    "write_file": ("Write", lambda args: {"content": args["content"]}),
    "edit_file": ("Edit", lambda args: {"old_string": args["old"], "new_string": args["new"]}),
}


class _Play:
    """One run of one case."""

    def __init__(self, case: Case, workspace: Path, folder: Path, attached: Attached | None) -> None:
        self._case = case
        self._workspace = workspace
        self._folder = folder
        self._player = Player(case, workspace)
        self._events: list[str] = []
        self._verdicts: list[Verdict] = []
        self._answers: list[str] = []
        self._marked: list[bool] = []
        self._gate = attached

    async def run(self) -> CaseRun:
        async with scripted_messages(self._respond) as url, ClaudeSDKClient(self._options(url)) as client:
            for _ in self._case.turns:
                await self._turn(client)
        return CaseRun(
            verdicts=tuple(self._verdicts),
            answers=tuple(self._answers),
            marked=tuple(self._marked),
            state=self._gate.state if self._gate else None,
            events=tuple(self._events),
        )

    def _options(self, url: str) -> ClaudeAgentOptions:
        options = ClaudeAgentOptions(
            cwd=self._workspace,
            env=offline_environment(url, self._folder / "home"),
            model=MODEL,
            permission_mode="acceptEdits",
            setting_sources=[],
            tools=list(TOOLS),
            allowed_tools=list(TOOLS),
        )
        if self._gate:
            self._gate.attach(options)
        return options

    async def _turn(self, client: ClaudeSDKClient) -> None:
        await client.query(self._player.begin_turn())
        shown, marked = "", False
        async for message in client.receive_response():
            if isinstance(message, ResultMessage):
                shown = message.result or ""
            elif isinstance(message, SystemMessage) and message.subtype == "informational":
                marked = marked or f"says: {self._case.config.marker}:" in as_text(message.data.get("content"))
        self._judge()
        if self._gate:
            self._gate.over()
        self._answers.append(shown)
        self._marked.append(marked)
        self._events.append(f"user sees: {shown}" if shown else "user sees: nothing")

    def _respond(self, body: JsonObject) -> Sequence[Block]:
        self._judge()
        if self._gate and self._player.restarts_next:
            self._events.append(self._gate.restart())
        step = self._player.respond()
        self._events += _lines(step)
        return [claude_call(call, self._workspace) for call in step.calls] or [text_block(step.text)]

    def _judge(self) -> None:
        for verdict in self._gate.verdicts() if self._gate else ():
            self._judged(verdict)

    def _judged(self, verdict: Verdict) -> None:
        self._verdicts.append(verdict)
        if verdict.action is Action.REVISE:
            self._events.append(f"gate: {verdict.feedback}")
        elif verdict.action is not Action.DELIVER:
            self._events.append(f"gate: {verdict.action.value.lower()}, {', '.join(verdict.codes)}")
        elif verdict.evidence_line:
            self._events.append(f"gate: {verdict.evidence_line}")


def _lines(step: ModelStep) -> list[str]:
    calls = [f"calls {call.tool}({as_text(call.args.get('path'))})" for call in step.calls]
    return calls or [f"drafts: {step.text}"]
