"""Drivers that are wrong on purpose, each in one way an adapter could be. The suite must catch every one.

They play cases as the core driver does, with real tools, and differ from it by one overridden step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from gate_core import Action, Attempt, CallStatus, Gate, GateState, Probe, ProbeResult, ToolCall, Verdict
from gate_core.conformance import Case, CaseCall, CaseRun, FileTools, Player, ToolFailure
from gate_core.conformance.core_driver import CoreDriver
from gate_core.probes import FileProber


class Broken:
    """The honest driver, taken apart so that each step can be broken."""

    name = "broken"
    capabilities = CoreDriver.capabilities

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        self.case, self.workspace = case, workspace
        self.verdicts = []
        self.player = Player(case, workspace)
        self.tools = FileTools(workspace).all()
        self.gate = self.new_gate(None)
        answers: list[str] = []
        marked: list[bool] = []
        for number in range(len(case.turns)):
            self.start_turn(number)
            answers.append(self.turn())
            marked.append(self.mark())
        return CaseRun(
            verdicts=tuple(self.verdicts), answers=tuple(answers), marked=tuple(marked), state=self.gate.state
        )

    def new_gate(self, state: GateState | None) -> Gate:
        prober = FileProber([self.workspace]) if "probe" in self.case.requires else None
        return Gate(self.case.config, state=state, prober=prober)

    def start_turn(self, number: int) -> None:
        self.gate.begin_turn(self.player.begin_turn())

    def mark(self) -> bool:
        return self.verdicts[-1].marked

    def restart(self) -> None:
        self.gate = self.new_gate(GateState.from_json(json.loads(json.dumps(self.gate.to_json()))))

    def turn(self) -> str:
        while True:
            if self.player.restarts_next:
                self.restart()
            step = self.player.respond()
            if step.calls:
                number = len(self.gate.state.facts)
                self.step([self.execute(call) for call in step.calls], number)
                continue
            verdict = self.ask(step.text)
            self.verdicts.append(verdict)
            if verdict.action is not Action.REVISE:
                return self.deliver(verdict, step.text)

    def step(self, calls: list[ToolCall], number: int) -> None:
        for call in calls:
            self.gate.observe(replace(call, step=number))

    def execute(self, call: CaseCall) -> ToolCall:
        try:
            result, status = self.tools[call.tool](**call.args), CallStatus.OK
        except ToolFailure as failure:
            result, status = str(failure), CallStatus.ERROR
        return ToolCall(tool=call.tool, args=call.args, result=result, status=status, call_id=call.id)

    def ask(self, text: str) -> Verdict:
        return self.gate.boundary_check(Attempt(parts=(text,)))

    def deliver(self, verdict: Verdict, text: str) -> str:
        return "" if verdict.action is Action.WITHHOLD else text


class AlwaysAccepts(Broken):
    """Asks with an answer that claims nothing."""

    def ask(self, text: str) -> Verdict:
        return self.gate.boundary_check(Attempt(parts=("Hello.",), claim="none"))


class AlwaysRejects(Broken):
    """Asks a gate that saw nothing."""

    def ask(self, text: str) -> Verdict:
        return Gate(self.case.config).boundary_check(Attempt(parts=("Done.",), claim="completion"))


class ForgetsState(Broken):
    """Starts every turn with an empty ledger."""

    def start_turn(self, number: int) -> None:
        self.gate = self.new_gate(None)
        super().start_turn(number)


class ForgetsOnRestart(Broken):
    """Comes back from a restart with an empty ledger in the same turn."""

    def restart(self) -> None:
        self.gate = self.new_gate(GateState(turn=self.gate.state.turn))


class AsksAfterRunning(Broken):
    """Records the calls of a turn only after the first answer was judged."""

    def turn(self) -> str:
        self.waiting: list[tuple[list[ToolCall], int]] = []
        return super().turn()

    def step(self, calls: list[ToolCall], number: int) -> None:
        self.waiting.append((calls, number + len(self.waiting)))

    def ask(self, text: str) -> Verdict:
        verdict = super().ask(text)
        for calls, number in self.waiting:
            super().step(calls, number)
        self.waiting = []
        return verdict


class SwallowsGateErrors(Broken):
    """Takes a failing gate for a satisfied one."""

    def ask(self, text: str) -> Verdict:
        verdict = self.gate.boundary_check(Attempt(parts=(None,)))  # type: ignore[arg-type]  # the failure to swallow
        return replace(verdict, decision=type(verdict.decision).ACCEPT, action=Action.DELIVER)


class DropsParallelResults(Broken):
    """Observes one call of each model response."""

    def step(self, calls: list[ToolCall], number: int) -> None:
        super().step(calls[-1:], number)


class OrdersParallelResults(Broken):
    """Takes calls that ran side by side for a sequence."""

    def step(self, calls: list[ToolCall], number: int) -> None:
        for offset, call in enumerate(calls):
            self.gate.observe(replace(call, step=number + offset))


class ForgetsFailures(Broken):
    """Reports every call as ok."""

    def step(self, calls: list[ToolCall], number: int) -> None:
        super().step([replace(call, status=CallStatus.OK, result="ok") for call in calls], number)


class ShowsRejectedDraft(Broken):
    """Lets the user see the text that was turned back."""

    def ask(self, text: str) -> Verdict:
        self.first = getattr(self, "first", "") or text
        return super().ask(text)

    def deliver(self, verdict: Verdict, text: str) -> str:
        return self.first


class LeaksUnderRails(Broken):
    """Hands out what was withheld."""

    def deliver(self, verdict: Verdict, text: str) -> str:
        return text


class CountsUnexecutedCalls(Broken):
    """Observes calls that never ran, as if they had worked."""

    def execute(self, call: CaseCall) -> ToolCall:
        return ToolCall(tool=call.tool, args=call.args, result="ok", call_id=call.id)


class DropsTheMark(Broken):
    """Releases without the unverified mark."""

    def mark(self) -> bool:
        return False


class NeverLooks(Broken):
    """Has no prober although the case lends the gate its workspace."""

    def new_gate(self, state: GateState | None) -> Gate:
        return Gate(self.case.config, state=state)


class BelievesProbes(Broken):
    """Takes every probe as passed."""

    def new_gate(self, state: GateState | None) -> Gate:
        return Gate(self.case.config, state=state, prober=_Believer() if "probe" in self.case.requires else None)


class _Believer:
    def take(self, probes: tuple[Probe, ...]) -> tuple[ProbeResult, ...]:
        return tuple(ProbeResult(probe=probe, held=True) for probe in probes)


BROKEN: tuple[Callable[[], Broken], ...] = (
    AlwaysAccepts,
    AlwaysRejects,
    ForgetsState,
    ForgetsOnRestart,
    AsksAfterRunning,
    SwallowsGateErrors,
    DropsParallelResults,
    OrdersParallelResults,
    ForgetsFailures,
    ShowsRejectedDraft,
    LeaksUnderRails,
    CountsUnexecutedCalls,
    DropsTheMark,
    NeverLooks,
    BelievesProbes,
)
