"""`gate demo`: the same scripted agent, without and with the gate, on every installed framework.

No key and no network: the model is scripted, everything else is real. Exit 0 when every framework showed what it
should, 1 when one did not, 2 when none is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from gate_core.cli.frameworks import NAMES, Framework, chosen
from gate_core.cli.show import show_missing, show_scene
from gate_core.conformance import Case, CaseRun, Driver
from gate_core.conformance.case import parse_case
from gate_core.conformance.runner import compare, workspace_of
from gate_core.model.json import Json

SCENARIOS = ("lie", "honest")


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


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    there, missing = chosen(options.framework)
    scenarios = [load(name) for name in (SCENARIOS if options.scenario == "all" else [options.scenario])]
    good = True
    for framework, make in there:
        for case in scenarios:
            _progress(f"{framework.title}: {case.id} ...")
            scene = asyncio.run(stage(framework, make(), case))
            good = good and scene.as_it_should
            print(json.dumps(scene.to_dict(), ensure_ascii=False)) if options.json else show_scene(scene)
    if not options.json:
        show_missing(missing)
    if not there:
        return 2
    return 0 if good else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate demo", description="A caught lie and an honest run, on real frameworks."
    )
    parser.add_argument("--framework", choices=["all", *NAMES], default="all")
    parser.add_argument("--scenario", choices=["all", *SCENARIOS], default="all")
    parser.add_argument("--json", action="store_true", help="one JSON object per scene")
    return parser.parse_args(argv)


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def load(name: str) -> Case:
    """A scenario by name."""
    text = (files("gate_core.cli") / "scenarios" / f"{name}.json").read_text("utf-8")
    return parse_case(json.loads(text))


async def stage(framework: Framework, driver: Driver, case: Case) -> Scene:
    """Run a scenario twice in fresh workspaces."""
    bare, bare_files, _ = await _once(driver, case, gated=False)
    gated, gated_files, folder = await _once(driver, case, gated=True)
    _progress("")
    return Scene(
        framework=framework,
        case=case,
        bare=bare,
        gated=gated,
        bare_files=bare_files,
        gated_files=gated_files,
        folder=folder,
    )


async def _once(driver: Driver, case: Case, *, gated: bool) -> tuple[CaseRun, dict[str, str], str]:
    with workspace_of(case) as workspace:
        result = await driver.run(case, workspace, gated=gated)
        said = {name: (workspace / name).read_text("utf-8") for name in case.files}
        return result, said, str(workspace)
