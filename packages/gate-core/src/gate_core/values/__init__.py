"""Values: every number, date and identifier of an answer has a source (spec 30).

scan -> walk and index the evidence -> look up -> pair, derive -> report.
"""

from __future__ import annotations

from gate_core.values.evidence import PAST, Evidence, Source, of_ledger, of_results
from gate_core.values.examine import Passage, examine
from gate_core.values.report import Carrier, Judged, Provenance, ValueReport
from gate_core.values.supplied import distil
from gate_core.values.vault import distilled

__all__ = [
    "PAST",
    "Carrier",
    "Evidence",
    "Judged",
    "Passage",
    "Provenance",
    "Source",
    "ValueReport",
    "distil",
    "distilled",
    "examine",
    "of_ledger",
    "of_results",
]
