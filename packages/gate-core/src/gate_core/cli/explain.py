"""One case in full: its ledger and every finding, as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.transcripts import Judged, Played, Read


def explanation(item: Read, played: Played) -> str:
    """The ledger, the debts, and each verdict of a played case."""
    title = item.transcript.get("title", "")
    ledger = Ledger(played.gate.state, played.gate.config, played.gate)
    lines = [f"{played.id}: {title}", "", "ledger", *(f"  {_fact(fact)}" for fact in ledger.facts)]
    lines += ["", "debts", *_debts(ledger)]
    for judged in played.judged:
        lines += ["", *_judged(judged)]
    return "\n".join(lines) + "\n"


def _fact(fact: Fact) -> str:
    did = ", ".join(
        f"{e.did} {e.target}" + (f" {e.lines[0]}-{e.lines[1]}" if e.lines else "") + f" [{e.domain}]"
        for e in fact.effects
    )
    who = f" by {fact.agent}" if fact.agent else ""
    note = f" ({fact.note})" if fact.note else ""
    return f"{fact.turn}.{fact.step} {fact.call or '-'} {fact.tool}{who}: {fact.outcome}{note}; {did or 'no effect'}"


def _debts(ledger: Ledger) -> Iterator[str]:
    for debt in ledger.debts:
        state = f"settled by {debt.by}" if debt.by else "contradicted" if debt.contradicted else "open"
        yield f"  {debt.target} since {debt.change.turn}.{debt.change.step}: {state}"


def _judged(judged: Judged) -> Iterator[str]:
    verdict = judged.verdict
    if verdict is None:
        yield f"{judged.pointer}: no verdict"
    else:
        outcome = verdict.exit or "revising"
        yield (
            f"{judged.pointer}: {verdict.decision} {verdict.action} ({outcome}); "
            f"claim {verdict.claim}, decided by step {verdict.decided_by}"
        )
        for f in verdict.findings:
            yield f"  {f.severity} {f.code} {f.subject}: {f.says}"
        if verdict.unchecked:
            yield f"  not checked by this version: {', '.join(verdict.unchecked)}"
        if verdict.evidence_line:
            yield f"  {verdict.evidence_line}"
    yield from (f"  UNMET {unmet}" for unmet in judged.unmet)
