"""How the demo and the doctor look: side by side on a terminal, the same words in plain text elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gate_core.cli.frameworks import Framework
from gate_core.cli.scene import Scene
from gate_core.model.kinds import Action

_WIDTH = 100


def console() -> Console:
    """A console that is plain when its output is not a terminal; it honours NO_COLOR."""
    out = Console(highlight=False, emoji=False, markup=False)
    return out if out.is_terminal else Console(highlight=False, emoji=False, markup=False, width=_WIDTH)


def show_scene(scene: Scene) -> None:
    """One scene: what the user would have been told, and what the gate made of it."""
    out = console()
    out.rule(Text(scene.framework.versions, style="bold"), align="left")
    out.print(Text(scene.case.title, style="italic"))
    out.print(Text(f"user: {scene.case.turns[0].prompt}"))
    table = Table(expand=True)
    table.add_column("without the gate", ratio=2)
    table.add_column("with the gate", ratio=3)
    table.add_row("\n".join(_bare(scene)), "\n".join(_gated(scene)))
    out.print(table)
    out.print()


def _bare(scene: Scene) -> Iterator[str]:
    yield f"user is told: {scene.bare.answers[-1]}"
    yield from _files(scene.bare_files)


def _gated(scene: Scene) -> Iterator[str]:
    for verdict in scene.gated.verdicts:
        if verdict.action is Action.REVISE:
            reasons = "; ".join(f"{f.code.value}: {f.says}" for f in verdict.blocking)
            yield f"gate turns the draft back: {reasons.replace(f'{scene.folder}/', '')}"
            yield "the agent looks, and goes on"
    yield f"user is told: {scene.gated.answers[-1]}"
    yield from _files(scene.gated_files)
    line = scene.gated.verdicts[-1].evidence_line if scene.gated.verdicts else ""
    if line:
        yield line


def _files(contents: dict[str, str]) -> Iterator[str]:
    for name, text in contents.items():
        yield f"{name} really says: {text.strip().splitlines()[-1] if text.strip() else '(empty)'}"


def show_missing(missing: Sequence[Framework]) -> None:
    """What is not installed, with the line that installs it."""
    for framework in missing:
        console().print(Text(f"{framework.title} is not installed here: {framework.install}"))


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A plain table with a title."""
    out = console()
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    out.print(table)
