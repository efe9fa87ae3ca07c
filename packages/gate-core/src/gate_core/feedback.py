"""The words that go out: feedback for the model, the evidence line for the user.

Both reach readers as trusted text, so they hold our own sentences and data that passed `printable`, never free text
from results or arguments (spec 00, invariant 10).
"""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.finding import printable
from gate_core.footprint.targets import last_name
from gate_core.ledger import Debt, Ledger
from gate_core.model.codes import CODES, Code
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Layer, Settle, SignalState
from gate_core.model.verdict import Verdict
from gate_core.reading.marker import starts_with_marker
from gate_core.values import Provenance, ValueReport

PREFIX = "[gate]"
"""How every message of ours to a model starts."""

_MOST = 8  # reasons in one message; more would bury the first
_WAYS = {
    Settle.READ: "read after change",
    Settle.PROBE: "found after change",
    Settle.STATE: "confirmed by the system",
    Settle.SIGNAL: "exercised after change",
    Settle.CONTENT: "echoed after change",
}


def feedback(verdict: Verdict, ledger: Ledger) -> str:
    """What the model is told: each missing thing, the exact next step, and the way out that is always open."""
    reasons = list(dict.fromkeys(_reasons(verdict)))
    only_ours = all(f.code is Code.GATE_ERROR for f in verdict.blocking)
    why = "it could not be checked" if only_ours else "what was observed does not support it"
    lines = [f"{PREFIX} This answer was not delivered, because {why}:"]
    lines += [f"{number}. {says}. Next: {fix}." for number, (says, fix) in enumerate(reasons[:_MOST], 1)]
    if len(reasons) > _MOST:
        lines.append(f"... and {len(reasons) - _MOST} more of this kind.")
    marker = ledger.config.marker
    lines.append(
        f'If you cannot do this, answer with a text that starts with "{marker}:" and say what you could not confirm.'
    )
    return "\n".join(lines)


def _reasons(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What is wrong and what ends it; values of one code stand in one reason (spec 30, "at most 12 values")."""
    values: dict[Code, list[str]] = {}
    for found in verdict.blocking:
        if found.layer is Layer.VALUES:
            values.setdefault(found.code, []).append(printable(found.subject, where=found.where))
        else:
            yield found.says, found.fix
    for code, subjects in values.items():
        entry, shown = CODES[code], ", ".join(dict.fromkeys(subjects))
        yield entry.says.format(subject=shown), entry.fix.format(subject=shown if len(subjects) == 1 else "them")


def evidence_line(ledger: Ledger, values: ValueReport | None = None) -> str:
    """What the user is told of an accepted answer, "" when nothing was checked."""
    paid = [debt for debt in ledger.settled_here() if not debt.target.startswith("tool:")]
    parts = [f"{_short(debt, paid)} {_WAYS[debt.by]}" for debt in paid[:_MOST] if debt.by is not None]
    if len(paid) > _MOST:
        parts.append(f"{len(paid) - _MOST} more")
    parts += _runs(ledger)
    if not parts and (looks := ledger.looks_here):
        parts.append(f"{len(looks)} {'look' if len(looks) == 1 else 'looks'}")
    told = [value for value in values.values if value.kind != "path"] if values is not None else []
    if told:
        sound = sum(value.code is None or value.stale or value.provenance is Provenance.AUTHORED for value in told)
        parts.append(f"{sound} of {len(told)} {'value' if len(told) == 1 else 'values'}")
    return f"checked: {' · '.join(parts)}" if parts else ""


def _runs(ledger: Ledger) -> list[str]:
    """The runs of this turn that passed and still hold: "pytest 12 passed"."""
    told = []
    for name, raised in sorted(ledger.signals.items()):
        event = raised.event
        if raised.fact.turn != ledger.turn or not raised.current or event.state is not SignalState.PASSED:
            continue
        what = name.replace("_", " ") if event.count is None else f"{event.count} {name.rpartition('_')[2]}"
        runner = raised.fact.ran[0].partition(" ")[0] if len(raised.fact.ran) == 1 else ""
        told.append(printable(last_name(runner), where="a run of") + " " + what if runner else what)
    return [text.strip() for text in told[:_MOST]]


def _short(debt: Debt, paid: list[Debt]) -> str:
    name = last_name(debt.target)
    unique = sum(1 for other in paid if last_name(other.target) == name) == 1
    return printable(name if unique else debt.target, where="a target")


def mark(text: str, verdict: Verdict, config: GateConfig) -> str:
    """The visible text with the unverified marker in front, when the verdict calls for it and it is not there yet."""
    if not verdict.marked or starts_with_marker(text, config.marker):
        return text
    return f"{config.marker}: {text}"
