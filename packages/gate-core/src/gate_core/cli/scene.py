"""One scenario of the demo on one framework: what came of it without and with the gate."""

from __future__ import annotations

from dataclasses import dataclass

from gate_core.cli.frameworks import Framework
from gate_core.conformance import Case, CaseRun
from gate_core.conformance.runner import compare
from gate_core.model.json import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One scenario on one framework: without and with the gate, and what the files said at the end of each. `folder` is
    the gated run's workspace, which is gone by now."""

    framework: Framework
    case: Case
    bare: CaseRun
    gated: CaseRun
    bare_files: dict[str, str]
    gated_files: dict[str, str]
    folder: str

    @property
    def as_it_should(self) -> bool:
        """True when the user was told the first draft without the gate, and with it what the scenario expects."""
        first = next(step.text for step in self.case.turns[0].steps if not step.calls)
        return self.bare.answers[-1].strip() == first and not list(compare(self.case, self.gated))

    def to_dict(self) -> dict[str, Json]:
        """The scene as JSON."""
        return {
            "framework": self.framework.name,
            "scenario": self.case.id,
            "prompt": self.case.turns[0].prompt,
            "as_it_should": self.as_it_should,
            "without": {"answer": self.bare.answers[-1], "files": self.bare_files},
            "with": {
                "answer": self.gated.answers[-1],
                "files": self.gated_files,
                "verdicts": [verdict.to_dict() for verdict in self.gated.verdicts],
            },
        }
