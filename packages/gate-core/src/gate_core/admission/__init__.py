"""Admission (spec 40): typed units against evidence and a policy. Pure: no model, no clock, no I/O.

    proposal -> structure -> bind -> rules -> conflicts -> result -> render -> a model's context

`admit_units` judges; `render` and the adapters of `wire` make what may be shown; `retry` asks again; `lint` reads a
policy before it is used. What users ask for and what they say of themselves is read in `intent` and `stated`.
"""

from __future__ import annotations

from gate_core.admission.conflicts import by_field, one_value_per
from gate_core.admission.lint import Flaw, gives, lint
from gate_core.admission.pipeline import admit_units
from gate_core.admission.policy import Policy, RuleContext, Ruled, Ruling, approve, downgrade, first_failing, reject
from gate_core.admission.queries import all_type, find_type, has_type, where
from gate_core.admission.render import Block, Context, Source, render
from gate_core.admission.result import AdmissionResult, Conflict, Judged, Status, Weight
from gate_core.admission.retry import Retried, RetryOn, feedback, retry
from gate_core.admission.units import (
    ActionUnit,
    ClaimUnit,
    Kind,
    Pool,
    Proposal,
    SourceType,
    StateWrite,
    content_hash,
    field_of,
)
from gate_core.admission.wire import AnthropicSearchResults, ContextAdapter, GeminiParts, OpenAIMessages
from gate_core.model.evidence import Evidence

__all__ = [
    "ActionUnit",
    "AdmissionResult",
    "AnthropicSearchResults",
    "Block",
    "ClaimUnit",
    "Conflict",
    "Context",
    "ContextAdapter",
    "Evidence",
    "Flaw",
    "GeminiParts",
    "Judged",
    "Kind",
    "OpenAIMessages",
    "Policy",
    "Pool",
    "Proposal",
    "Retried",
    "RetryOn",
    "RuleContext",
    "Ruled",
    "Ruling",
    "Source",
    "SourceType",
    "StateWrite",
    "Status",
    "Weight",
    "admit_units",
    "all_type",
    "approve",
    "by_field",
    "content_hash",
    "downgrade",
    "feedback",
    "field_of",
    "find_type",
    "first_failing",
    "gives",
    "has_type",
    "lint",
    "one_value_per",
    "reject",
    "render",
    "retry",
    "where",
]
