"""From findings to one verdict, and what the host does with it (spec 10, "Boundary and retry control").

Everything here is a function of the state, the attempt and the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gate_core.checks import BUILT, CHECKS
from gate_core.checks.finding import finding
from gate_core.checks.values import report_of
from gate_core.feedback import evidence_line, feedback
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt, TextSource
from gate_core.model.codes import Code
from gate_core.model.config import DIALS, GateConfig
from gate_core.model.kinds import (
    Action,
    Claim,
    Decision,
    Exit,
    Posture,
    Severity,
    Strength,
)
from gate_core.model.reading import Reading
from gate_core.model.state import GateState, Try
from gate_core.model.verdict import Finding, Verdict
from gate_core.needs import probes_for
from gate_core.reading import read

_WEIGHT = {Severity.INFO: 0, Severity.WARN: 1, Severity.BLOCK: 2}
_EXITS = {
    Claim.COMPLETION: Exit.VERIFIED,
    Claim.ASSERTION: Exit.GROUNDED,
    Claim.NONE: Exit.CONVERSATIONAL,
    Claim.UNVERIFIED: Exit.UNVERIFIED,
}


def boundary_check(state: GateState, attempt: Attempt, config: GateConfig, texts: TextSource | None = None) -> Verdict:
    """The verdict on an attempt to finish: synchronous, no I/O, no clock (spec 00, "Public shape of the core").

    `texts` finds the texts of observed calls again; without it, what needs them stays open. `Verdict.needs` lists free
    looks that would settle what is open.
    """
    return judge(Ledger(state, config, texts), attempt)


def judge(ledger: Ledger, attempt: Attempt) -> Verdict:
    """`boundary_check` over a ledger that is at hand."""
    state, config = ledger.state, ledger.config
    reading = read(attempt, ledger)
    found = [f for check in CHECKS for f in check(reading, ledger, config)]
    found += _of_units(attempt, ledger)
    if state.config and state.config != config.digest:
        found.append(finding(Code.CONFIG_CHANGED))
    verdict = decide(found, reading, ledger)
    return replace(verdict, needs=tuple(probes_for(verdict, ledger))) if verdict.blocking else verdict


def _of_units(attempt: Attempt, ledger: Ledger) -> Iterable[Finding]:
    """The findings on the claims of an answer (spec 40, "Typed units"); their rules are loaded where there are some."""
    if not attempt.units and not isinstance(attempt.output, Mapping):
        return ()
    from gate_core.policies.claims import check_units, units_in

    units = attempt.units or units_in(attempt.output)
    return check_units(units, ledger) if units else ()


def decide(findings: Iterable[Finding], reading: Reading, ledger: Ledger, *, final: bool = False) -> Verdict:
    """The one place where findings become a verdict. `final` means that no model can repair it: no revision."""
    config = ledger.config
    values = report_of(reading, ledger, config)
    weighed = tuple(w for f in findings if (w := _weigh(f, config)) is not None)
    blocks = [f for f in weighed if f.severity is Severity.BLOCK]
    claim = reading.claim
    accepted = claim is Claim.UNVERIFIED or not blocks
    delivered = accepted or config.posture is Posture.ASSIST
    shown = delivered and not blocks and claim is not Claim.NONE
    verdict = Verdict(
        decision=Decision.ACCEPT if delivered else Decision.REJECT,
        action=Action.DELIVER,
        exit=_EXITS[claim] if accepted else Exit.UNVERIFIED,
        claim=claim,
        decided_by=reading.decided_by,
        findings=weighed,
        provenance={**_provenance(reading, ledger), **(values.provenance if values else {})},
        unchecked=tuple(d for d in DIALS if d not in BUILT and config.layers[d] is not Strength.OFF),
        evidence_line=evidence_line(ledger, values) if shown else "",
        config=config.digest,
    )
    return verdict if delivered else _rejected(verdict, ledger, final=final)


def _weigh(item: Finding, config: GateConfig) -> Finding | None:
    """A finding at most as severe as its layer's dial; None when the layer is off."""
    dial = config.layers.get(item.layer, Strength.BLOCK)
    if dial is Strength.OFF:
        return None
    highest = Severity.WARN if dial is Strength.WARN else Severity.BLOCK
    return replace(item, severity=highest) if _WEIGHT[item.severity] > _WEIGHT[highest] else item


def _rejected(verdict: Verdict, ledger: Ledger, *, final: bool) -> Verdict:
    if not final and may_revise(verdict, ledger):
        return replace(verdict, action=Action.REVISE, exit=None, feedback=feedback(verdict, ledger))
    if ledger.config.posture is Posture.RAILS:
        return replace(verdict, action=Action.WITHHOLD, exit=Exit.WITHHELD)
    return replace(verdict, action=Action.RELEASE, exit=Exit.UNVERIFIED)


def may_revise(verdict: Verdict, ledger: Ledger) -> bool:
    """True while revisions are left and the last one brought something: new evidence, or a reason gone."""
    rejections = [t for t in ledger.tries if t.pairs]
    if sum(1 for t in rejections if t.feedback) >= ledger.config.max_blocks:
        return False
    if any(f.code is Code.BUDGET_EXHAUSTED for f in verdict.blocking):
        return False
    if not rejections:
        return True
    last = rejections[-1]
    return ledger.seen > last.seen or bool(last.pairs - pairs_of(verdict))


def pairs_of(verdict: Verdict) -> frozenset[tuple[str, str]]:
    """The (code, subject) pairs of what blocks; one of them gone is progress."""
    return frozenset((f.code.value, f.subject) for f in verdict.blocking)


def try_of(verdict: Verdict, ledger: Ledger, feedback_digest: str) -> Try:
    """The record of a verdict for the retry rule; an accept has no pairs."""
    return Try(
        turn=ledger.turn,
        step=ledger.last_step,
        pairs=frozenset() if verdict.action is Action.DELIVER else pairs_of(verdict),
        seen=ledger.seen,
        feedback=feedback_digest,
        number=len(ledger.tries),
        looks=ledger.budget.looks,
    )


def _provenance(reading: Reading, ledger: Ledger) -> dict[str, str]:
    """The named targets that an ok call touched, as read (spec 10, "Targets")."""
    subjects = reading.subjects
    return {t.text: "read" for t in subjects if ledger.worked_on.means(t.target) or t.text.lower() in ledger.worked_ids}
