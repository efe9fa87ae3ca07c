"""The reference driver: the core in a plain loop, with real file tools. What the frameworks must agree with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from gate_core.conformance.case import Case, CaseCall
from gate_core.conformance.driver import CaseRun
from gate_core.conformance.player import Player
from gate_core.conformance.tools import FileTools, ToolFailure
from gate_core.gate import Gate
from gate_core.model.call import Attempt, ToolCall
from gate_core.model.kinds import Action, CallStatus
from gate_core.model.verdict import AnswerWithheld, Verdict
from gate_core.probes import FileProber


class CoreDriver:
    """Drives the core itself; no framework, no processes."""

    name = "core"
    capabilities = frozenset({"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"})

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Run the case in this process."""
        return _Loop(case, workspace, gated).run()


class _Loop:
    def __init__(self, case: Case, workspace: Path, gated: bool) -> None:
        self.case = case
        self.player = Player(case, workspace)
        self.tools = FileTools(workspace).all()
        self.workspace = workspace
        self.gate = self._gate() if gated else None
        self.verdicts: list[Verdict] = []
        self.events: list[str] = []

    def _gate(self, state: str = "") -> Gate:
        prober = FileProber([self.workspace]) if "probe" in self.case.requires else None
        if not state:
            return Gate(self.case.config, prober=prober)
        restored = Gate.from_json(json.loads(state), self.case.config)
        return Gate(self.case.config, state=restored.state, prober=prober)

    def run(self) -> CaseRun:
        answers: list[str] = []
        marked: list[bool] = []
        for _ in self.case.turns:
            prompt = self.player.begin_turn()
            if self.gate is not None:
                self.gate.begin_turn(prompt)
            try:
                answers.append(self._turn())
            except AnswerWithheld:
                answers.append("")
            marked.append(bool(self.verdicts) and self.verdicts[-1].marked)
        state = self.gate.state if self.gate is not None else None
        return CaseRun(
            verdicts=tuple(self.verdicts),
            answers=tuple(answers),
            marked=tuple(marked),
            state=state,
            events=tuple(self.events),
        )

    def _turn(self) -> str:
        """Model steps until a text leaves."""
        while True:
            if self.gate is not None and self.player.restarts_next:
                self.gate = self._gate(json.dumps(self.gate.to_json()))
            step = self.player.respond()
            if step.calls:
                self._calls(step.calls)
            elif self._leaves(step.text):
                self.events.append(f"user sees: {step.text}")
                return step.text

    def _calls(self, calls: tuple[CaseCall, ...]) -> None:
        step = len(self.gate.state.facts) if self.gate is not None else 0
        for call in calls:
            done = self._refused(call) or self._execute(call)
            self.events.append(f"calls {call.tool}({call.args.get('path', '')}): {done.status}")
            if self.gate is not None:
                self.gate.observe(replace(done, step=step))

    def _refused(self, call: CaseCall) -> ToolCall | None:
        """The call that may not run, with what the model is told in place of a result."""
        asked = ToolCall(tool=call.tool, args=call.args, call_id=call.id)
        verdict = self.gate.admit(asked) if self.gate is not None else None
        if verdict is None or verdict.accepted:
            return None
        return replace(asked, result=verdict.feedback, status=CallStatus.DENIED)

    def _execute(self, call: CaseCall) -> ToolCall:
        try:
            result, status = self.tools[call.tool](**call.args), CallStatus.OK
        except ToolFailure as failure:
            result, status = str(failure), CallStatus.ERROR
        return ToolCall(tool=call.tool, args=call.args, result=result, status=status, call_id=call.id)

    def _leaves(self, text: str) -> bool:
        self.events.append(f"drafts: {text}")
        if self.gate is None:
            return True
        verdict = self.gate.boundary_check(Attempt(parts=(text,)))
        self.verdicts.append(verdict)
        if verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict)
        if verdict.action is Action.REVISE:
            self.events.append(verdict.feedback)
            return False
        return True
