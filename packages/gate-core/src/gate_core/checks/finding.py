"""Builds findings: default severity from the table of codes, sentences that are safe to print (spec 10, "Feedback")."""

from __future__ import annotations

from gate_core.model.codes import CODES, Code
from gate_core.model.fact import Fact
from gate_core.model.late import late
from gate_core.model.verdict import Finding

_SAFE = late(r"[\w./:@%+,=-]{1,64}")


_TAIL = 60


def printable(subject: str, *, where: str = "") -> str:
    """A datum as it may appear in text that reaches a model as trusted: itself, a trailing part, or its position.

    A long path is shortened to its last whole components; anything with other characters is named by `where`.
    """
    name = subject.removeprefix("tool:")
    if _SAFE.fullmatch(name):
        return name
    tail = name[-_TAIL:]
    while tail := tail.partition("/")[2]:  # whole components only
        if _SAFE.fullmatch(tail):
            return f".../{tail}"
    return where or "what was touched"


def call_name(call_id: str) -> str:
    """A call as it may be printed: by its id, when that is one word."""
    return f"call {call_id}" if _SAFE.fullmatch(call_id) else "a call"


def finding(
    code: Code, subject: str = "", *, where: str = "", evidence: tuple[Fact, ...] = (), fix: str | None = None
) -> Finding:
    """A finding of a code about a subject. `fix` replaces the table's remedy."""
    entry = CODES[code]
    shown = printable(subject, where=where) if subject else "what was touched"
    return Finding(
        code=code,
        severity=entry.severity,
        subject=subject,
        where=where,
        says=entry.says.format(subject=shown),
        fix=(entry.fix if fix is None else fix).format(subject=shown),
        evidence=tuple(fact.key for fact in evidence),
    )
