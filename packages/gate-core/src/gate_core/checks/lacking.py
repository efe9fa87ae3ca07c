"""The findings about a statement that lacks its backing; the checks of runs and of acts share them (spec 20)."""

from __future__ import annotations

from dataclasses import replace

from gate_core.checks.finding import finding
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.verdict import Finding


def unbacked(says: str, *, fix: str | None = None) -> Finding:
    """No such event: `says` is what was stated, in our own words ("that tests pass")."""
    return lacking(Code.STATEMENT_UNBACKED, says, fix=fix)


def lacking(code: Code, says: str, *evidence: Fact, fix: str | None = None) -> Finding:
    """A finding of a code about what was stated."""
    found = finding(code, "statement", evidence=evidence, fix=fix)
    return replace(found, subject=says, says=found.says.replace("statement", says, 1))
