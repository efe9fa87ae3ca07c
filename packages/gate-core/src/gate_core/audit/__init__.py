"""The audit log (spec 40): an edge, one JSON line per decision, chained, locked, never half-written unnoticed.

It is evidence of accidents, not of an adversary: who can write the file as its user can also rewrite it whole.
"""

from __future__ import annotations

from gate_core.audit.chain import VERSION, AuditError, Head
from gate_core.audit.verify import Damage, Report, load_head, records_of, verify
from gate_core.audit.writer import AuditWriter, FileWriter, writer_of

__all__ = [
    "VERSION",
    "AuditError",
    "AuditWriter",
    "Damage",
    "FileWriter",
    "Head",
    "Report",
    "load_head",
    "records_of",
    "verify",
    "writer_of",
]
