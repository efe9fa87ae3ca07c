"""Which free looks would settle what is open (spec 05, "Probes"). The core asks; an edge looks."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.footprint.targets import FILES, lookup
from gate_core.ledger import Debt, Ledger
from gate_core.model.call import ToolCall
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import ProbeKind, Settle
from gate_core.model.profile import ToolProfile
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
    return _contains(debt.target, about, profile, found[0])


def _contains(path: str, about: str, profile: ToolProfile, args: JsonObject) -> Probe | None:
    """The new text must be there; the text it replaced must be gone, unless the new text holds it."""
    new, old = text_in(args, profile.content), text_in(args, profile.replaces)
    if new is None or not new.strip():
        return None
    gone = old if old is not None and old.strip() and old not in new else ""
    return Probe(kind=ProbeKind.FILE_CONTAINS, path=path, text=new, gone=gone, about=about)


def text_in(args: JsonObject, names: tuple[str, ...]) -> str | None:
    """The one text the named arguments hold; None for none, or for several that need not stand together."""
    found: list[Json] = []
    for name in names:
        value = lookup(args, name)
        found.extend(value if isinstance(value, list | tuple) else [value])
    texts = [value for value in found if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else None
