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
from importlib.resources import files

from gate_core.cli.frameworks import NAMES, Framework, chosen
from gate_core.cli.scene import Scene
from gate_core.cli.show import show_missing, show_scene
from gate_core.conformance import Case, CaseRun, Driver
from gate_core.conformance.case import parse_case
from gate_core.conformance.runner import workspace_of

SCENARIOS = ("lie", "honest")
ADMISSION = "admission"
"""Eight stories of the core alone; no framework has a part in them."""


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    if options.scenario == ADMISSION:
        from gate_core.cli.admission import play

        return play(as_json=options.json)
    there, missing = chosen(options.framework)
    scenarios = [load(name) for name in (SCENARIOS if options.scenario == "all" else [options.scenario])]
    good = True
    for framework, make in there:
        for case in scenarios:
            _progress(f"{framework.title}: {case.id} ...")
            try:
                scene = asyncio.run(stage(framework, make(), case))
            except Exception as error:  # noqa: BLE001 - one framework that cannot run must not hide the others
                good = False
                print(f"gate demo: {framework.title}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            good = good and scene.as_it_should
            print(json.dumps(scene.to_dict())) if options.json else show_scene(scene)
    if not options.json:
        show_missing(missing)
    if not there:
        return 2
    return 0 if good else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate demo",
        description="A caught lie and an honest run, on real frameworks.",
        epilog="exit status: 0 every framework showed what it should · 1 one did not · 2 none is installed",
    )
    parser.add_argument("--framework", choices=["all", *NAMES], default="all")
    parser.add_argument("--scenario", choices=["all", *SCENARIOS, ADMISSION], default="all")
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
