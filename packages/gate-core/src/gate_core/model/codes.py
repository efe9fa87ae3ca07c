"""Every code a finding can carry, in one table: layer, default severity, what it says, what ends it.

Codes are never reworded; sentences may be. `{subject}` in a sentence is the finding's subject, already made
safe to print. A test compares this table with the codes the rules use, in both directions (spec 05, "Codes").
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gate_core.model.kinds import Layer, Severity


class Code(StrEnum):
    """The codes this version can raise."""

    NOTHING_OBSERVED = "nothing-observed"
    SUBJECT_UNSEEN = "subject-unseen"
    SUBJECT_UNKNOWN = "subject-unknown"
    NO_CHANGE = "no-change"
    CHANGE_FAILED = "change-failed"
    CHANGE_UNSEEN = "change-unseen"
    CHANGE_PENDING = "change-pending"
    DEBT_CARRIED = "debt-carried"
    LOOK_STALE = "look-stale"
    CHANGE_NOT_VISIBLE = "change-not-visible"
    ANSWER_TRUNCATED = "answer-truncated"
    OPAQUE_CHANGE = "opaque-change"
    TOOL_UNKNOWN = "tool-unknown"
    SHELL_NOT_ANALYSED = "shell-not-analysed"
    CALL_CONFLICT = "call-conflict"
    BUDGET_EXHAUSTED = "budget-exhausted"
    SIGNAL_MISSING = "signal-missing"
    SIGNAL_STALE = "signal-stale"
    CLAIM_TYPE_UNKNOWN = "claim-type-unknown"
    VERIFIER_DOWNGRADE = "verifier-downgrade"
    GATE_ERROR = "gate-error"
    GATE_UNWIRED = "gate-unwired"
    CONFIG_CHANGED = "config-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of the table. `fix` is what the model can do next, in words it can act on."""

    layer: Layer
    severity: Severity
    says: str
    fix: str = ""


_FLOOR, _BLOCK, _INFO = Layer.FLOOR, Severity.BLOCK, Severity.INFO

CODES: dict[Code, Entry] = {
    Code.NOTHING_OBSERVED: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="no call of this turn showed anything the answer could rest on",
        fix="look at what the answer speaks of with a tool, then answer again",
    ),
    Code.SUBJECT_UNSEEN: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="nothing that was looked at shows {subject}",
        fix="read {subject}, then answer again",
    ),
    Code.SUBJECT_UNKNOWN: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="the answer names nothing that could be matched with a look",
    ),
    Code.NO_CHANGE: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="the answer says something was done, but no call of this turn changed anything",
        fix="make the change with a tool, or say plainly that nothing was changed",
    ),
    Code.CHANGE_FAILED: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="the change of {subject} failed or is not there",
        fix="read {subject}, make the change again if it is missing, read it once more, then answer",
    ),
    Code.CHANGE_UNSEEN: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="{subject} was changed and not looked at since",
        fix="read {subject}, then answer again",
    ),
    Code.CHANGE_PENDING: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="work that may still change {subject} is running in the background",
        fix="wait for it to end, read {subject}, then answer again",
    ),
    Code.DEBT_CARRIED: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="{subject} was changed in an earlier turn and not looked at since",
        fix="read {subject}, then answer again",
    ),
    Code.LOOK_STALE: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="the last look at {subject} is older than a later change of it",
        fix="read {subject} again, then answer",
    ),
    Code.CHANGE_NOT_VISIBLE: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="a look at {subject} covers the changed place and does not show the new text",
        fix="make the change again if it is missing, then read {subject}",
    ),
    Code.ANSWER_TRUNCATED: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="the answer is too long to be read whole; its end was not checked",
    ),
    Code.OPAQUE_CHANGE: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="{subject} may have changed things that cannot be named",
    ),
    Code.TOOL_UNKNOWN: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="no profile says what {subject} does; it may have changed what its arguments name",
        fix='declare it: profiles = {{ {subject} = {{ effect = "read" }} }} (read, list, change, delete, exec, ...)',
    ),
    Code.SHELL_NOT_ANALYSED: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="{subject} was taken as one opaque change: its command was not analysed",
    ),
    Code.CALL_CONFLICT: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="one call id came with two contents; both were kept",
    ),
    Code.BUDGET_EXHAUSTED: Entry(
        layer=Layer.BUDGET,
        severity=_BLOCK,
        says="too many reasoning steps went by without a new look",
        fix="look at something new with a tool",
    ),
    Code.SIGNAL_MISSING: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="{subject} is required and never happened",
        fix="run what raises {subject}, visibly, then answer again",
    ),
    Code.SIGNAL_STALE: Entry(
        layer=_FLOOR,
        severity=_BLOCK,
        says="{subject} happened before the last change",
        fix="run what raises {subject} again, then answer",
    ),
    Code.CLAIM_TYPE_UNKNOWN: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="the stated claim type is none of none, assertion, completion, unverified; taken as completion",
    ),
    Code.VERIFIER_DOWNGRADE: Entry(
        layer=Layer.VERIFIER,
        severity=_BLOCK,
        says="the second opinion does not find the answer supported by what was looked at",
        fix="look at what the answer claims, or claim less",
    ),
    Code.GATE_ERROR: Entry(
        layer=Layer.GATE,
        severity=_BLOCK,
        says="the gate itself failed on this answer, so nothing was checked",
        fix="answer again; if it happens again the answer goes out unverified",
    ),
    Code.GATE_UNWIRED: Entry(
        layer=Layer.GATE,
        severity=_BLOCK,
        says="the gate never saw a tool call: {subject}",
        fix="nothing the model can do: the host has to attach it",
    ),
    Code.CONFIG_CHANGED: Entry(
        layer=Layer.GATE,
        severity=_INFO,
        says="the configuration differs from the one this conversation started with",
    ),
}
