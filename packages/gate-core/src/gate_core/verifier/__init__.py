"""The optional second opinion: it may turn an accept into a reject, never the other way (spec 10, "Verifier tier")."""

from __future__ import annotations

from gate_core.verifier.looks import Look, answer_text, excerpt, supporting_looks
from gate_core.verifier.tier import (
    ASSERTION_CRITERIA,
    COMPLETION_CRITERIA,
    Dialogue,
    Question,
    ScoreError,
    StubVerifier,
    Verifier,
    answered,
    criteria_for,
    failed,
    question_of,
    weakest,
)

__all__ = [
    "ASSERTION_CRITERIA",
    "COMPLETION_CRITERIA",
    "Dialogue",
    "Look",
    "Question",
    "ScoreError",
    "StubVerifier",
    "Verifier",
    "answer_text",
    "answered",
    "criteria_for",
    "excerpt",
    "failed",
    "question_of",
    "supporting_looks",
    "weakest",
]
