"""Which free looks would settle what is open (spec 05, "Probes"). The core asks; an edge looks."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.footprint.targets import FILES
from gate_core.footprint.texts import replacements
from gate_core.ledger import Debt, Ledger
from gate_core.model.call import ToolCall
from gate_core.model.kinds import ProbeKind, Settle
from gate_core.model.verdict import Probe, Verdict
from gate_core.profiles import resolve


def probes_for(verdict: Verdict, ledger: Ledger) -> Iterator[Probe]:
    """One probe for each open debt on a local file that the verdict blames."""
    if not ledger.config.settles(Settle.PROBE):
        return
    blamed = {key for finding in verdict.blocking for key in finding.evidence}
    for debt in ledger.debts:
        if debt.by is None and not debt.pending and not debt.contradicted and debt.domain == FILES:
            probe = _probe(debt, ledger) if debt.change.key in blamed else None
            if probe is not None:
                yield probe


def _probe(debt: Debt, ledger: Ledger) -> Probe | None:
    if debt.target.startswith("tool:"):
        return None
    about = debt.change.key
    if debt.gone:
        return Probe(kind=ProbeKind.ABSENT, path=debt.target, about=about)
    found = ledger.text(debt.change)
    if found is None:
        return None
    call = ToolCall(tool=debt.change.tool, args=found[0])
    profile = resolve(call, ledger.config).profile
    if profile.source:
        return Probe(kind=ProbeKind.EXISTS, path=debt.target, about=about)
    if profile.patch:
        return None
    return _contains(debt.target, about, replacements(profile, found[0]))


def _contains(path: str, about: str, pairs: tuple[tuple[str, str], ...]) -> Probe | None:
    """The new text must be there; the text it replaced must be gone, unless the new text holds it."""
    if len(pairs) != 1 or not pairs[0][0].strip():
        return None
    new, old = pairs[0]
    gone = old if old.strip() and old not in new else ""
    return Probe(kind=ProbeKind.FILE_CONTAINS, path=path, text=new, gone=gone, about=about)
