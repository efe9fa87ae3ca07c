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
    COMMAND_UNREADABLE = "command-unreadable"
    SHELL_NOT_ANALYSED = "shell-not-analysed"
    CALL_CONFLICT = "call-conflict"
    BUDGET_EXHAUSTED = "budget-exhausted"
    SIGNAL_MISSING = "signal-missing"
    SIGNAL_STALE = "signal-stale"
    SIGNAL_EMPTY = "signal-empty"
    SIGNAL_INCONCLUSIVE = "signal-inconclusive"
    SIGNAL_CONTRADICTED = "signal-contradicted"
    SIGNAL_SCOPED = "signal-scoped"
    CHECK_ALTERED = "check-altered"
    STATEMENT_UNBACKED = "statement-unbacked"
    STATEMENT_CONTRADICTED = "statement-contradicted"
    STATEMENT_STALE = "statement-stale"
    STATEMENT_WIDER = "statement-wider"
    VALUE_UNSUPPORTED = "value-unsupported"
    VALUE_ECHOED = "value-echoed"
    VALUE_MISPAIRED = "value-mispaired"
    VALUE_UNIT = "value-unit"
    VALUE_SIGN = "value-sign"
    VALUE_STALE = "value-stale"
    VALUE_UNEXAMINED = "value-unexamined"
    CLAIM_TYPE_UNKNOWN = "claim-type-unknown"
    VERIFIER_DOWNGRADE = "verifier-downgrade"
    GATE_ERROR = "gate-error"
    GATE_UNWIRED = "gate-unwired"
    GATE_TAMPERED = "gate-tampered"
    CONFIG_CHANGED = "config-changed"
    INTENT_NOT_ESTABLISHED = "intent-not-established"
    ARGUMENT_UNSUPPORTED = "argument-unsupported"
    AUTHORIZATION_MISSING = "authorization-missing"
    CONFIRMATION_REQUIRED = "confirmation-required"
    REDUNDANT_CALL = "redundant-call"
    CONTRADICTORY_ACTIONS = "contradictory-actions"
    INFERRED_NOT_STATED = "inferred-not-stated"
    SCOPE_VIOLATION = "scope-violation"
    WRITE_EMPTY = "write-empty"
    CONFLICTING_VALUES = "conflicting-values"
    STRUCTURE_INVALID = "structure-invalid"
    EMPTY_PROPOSAL = "empty-proposal"
    BLOCKING_CONFLICT = "blocking-conflict"
    MISSING_EVIDENCE = "missing-evidence"
    OVER_SPECIFIC = "over-specific"
    POLICY_ERROR = "policy-error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of the table. `fix` is what the model can do next, in words it can act on."""

    layer: Layer
    severity: Severity
    says: str
    fix: str = ""


def _blocks(layer: Layer, says: str, fix: str) -> Entry:
    return Entry(layer=layer, severity=Severity.BLOCK, says=says, fix=fix)


_FLOOR, _BLOCK, _INFO = Layer.FLOOR, Severity.BLOCK, Severity.INFO

CODES: dict[Code, Entry] = {
    Code.NOTHING_OBSERVED: _blocks(
        _FLOOR,
        "no call of this turn showed anything the answer could rest on",
        "look at what the answer speaks of with a tool, then answer again",
    ),
    Code.SUBJECT_UNSEEN: _blocks(
        _FLOOR,
        "nothing that was looked at shows {subject}",
        "read {subject}, then answer again",
    ),
    Code.SUBJECT_UNKNOWN: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="the answer names nothing that could be matched with a look",
    ),
    Code.NO_CHANGE: _blocks(
        _FLOOR,
        "the answer says something was done, but no call of this turn changed anything",
        "make the change with a tool, or say plainly that nothing was changed",
    ),
    Code.CHANGE_FAILED: _blocks(
        _FLOOR,
        "the change of {subject} failed or is not there",
        "read {subject}, make the change again if it is missing, read it once more, then answer",
    ),
    Code.CHANGE_UNSEEN: _blocks(
        _FLOOR,
        "{subject} was changed and not looked at since",
        "read {subject}, then answer again",
    ),
    Code.CHANGE_PENDING: _blocks(
        _FLOOR,
        "work that may still change {subject} is running in the background",
        "wait for it to end, read {subject}, then answer again",
    ),
    Code.DEBT_CARRIED: _blocks(
        _FLOOR,
        "{subject} was changed in an earlier turn and not looked at since",
        "read {subject}, then answer again",
    ),
    Code.LOOK_STALE: _blocks(
        _FLOOR,
        "the last look at {subject} is older than a later change of it",
        "read {subject} again, then answer",
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
    Code.COMMAND_UNREADABLE: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="a command of {subject} could not be read and counts as one opaque change",
        fix="run it again in simpler commands, or look at what it changed with a reading tool",
    ),
    Code.SHELL_NOT_ANALYSED: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="{subject} was taken as one opaque change: its command was not analysed",
        fix="install gate-core[shell]",
    ),
    Code.CALL_CONFLICT: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="one call id came with two contents; both were kept",
    ),
    Code.BUDGET_EXHAUSTED: _blocks(
        Layer.BUDGET,
        "too many reasoning steps went by without a new look",
        "look at something new with a tool",
    ),
    Code.SIGNAL_MISSING: _blocks(
        _FLOOR,
        "{subject} is required and never happened",
        "run what raises {subject}, visibly, then answer again",
    ),
    Code.SIGNAL_STALE: _blocks(
        _FLOOR,
        "{subject} happened before the last change",
        "run what raises {subject} again, then answer",
    ),
    Code.SIGNAL_EMPTY: _blocks(
        _FLOOR,
        "the last run for {subject} ran nothing",
        "run something that raises {subject}, then answer again",
    ),
    Code.SIGNAL_INCONCLUSIVE: _blocks(
        _FLOOR,
        "the last run for {subject} hides both its exit status and its summary",
        "run it so that its summary and its own exit status show (no pipe, or set -o pipefail), then answer again",
    ),
    Code.SIGNAL_CONTRADICTED: _blocks(
        _FLOOR,
        "the last run for {subject} failed",
        "make it pass and run it again, or say that it failed",
    ),
    Code.SIGNAL_SCOPED: Entry(
        layer=Layer.STATEMENTS,
        severity=_INFO,
        says="the last run for {subject} covered only a part",
        fix="run all of it, or say which part was run",
    ),
    Code.CHECK_ALTERED: Entry(
        layer=Layer.STATEMENTS,
        severity=Severity.WARN,
        says="{subject} decides what is checked, and was changed in the turn that claims it green",
        fix="say in the answer what was changed in {subject}, or undo that and run it again",
    ),
    Code.STATEMENT_UNBACKED: _blocks(
        Layer.STATEMENTS,
        "the answer says {subject}, and no call of this conversation did that",
        "do it with a tool so that its result shows, or say plainly that it was not done",
    ),
    Code.STATEMENT_CONTRADICTED: _blocks(
        Layer.STATEMENTS,
        "the answer says {subject}, and the last result about it shows the opposite",
        "make it succeed and look at the result again, or say what the result shows",
    ),
    Code.STATEMENT_STALE: _blocks(
        Layer.STATEMENTS,
        "the answer says {subject}, and files were changed since that was seen",
        "run it again and look at the result, then answer",
    ),
    Code.STATEMENT_WIDER: Entry(
        layer=Layer.STATEMENTS,
        severity=Severity.WARN,
        says="the answer says {subject}, and what was looked at was cut short",
        fix="look at the rest, or say how much of it was looked at",
    ),
    Code.VALUE_UNSUPPORTED: _blocks(
        Layer.VALUES,
        "nothing that was looked at or supplied shows {subject}, and it does not follow from what was",
        "look up {subject} with a tool, or leave it out",
    ),
    Code.VALUE_ECHOED: _blocks(
        Layer.VALUES,
        "{subject} stands only in a question or in what the agent itself passed to tools; no result confirms it",
        "look up {subject} with a tool, or say that it is not confirmed",
    ),
    Code.VALUE_MISPAIRED: _blocks(
        Layer.VALUES,
        "the results show {subject} for something else than what the sentence is about",
        "check which entry {subject} belongs to, then answer again",
    ),
    Code.VALUE_UNIT: _blocks(
        Layer.VALUES,
        "the results show the number of {subject} with another unit or currency",
        "give {subject} in the unit of the result, or convert it with a rate that was looked up",
    ),
    Code.VALUE_SIGN: _blocks(
        Layer.VALUES,
        "the results show {subject} with the opposite sign",
        "say whether {subject} is a gain or a loss as the result has it",
    ),
    Code.VALUE_STALE: Entry(
        layer=Layer.VALUES,
        severity=_INFO,
        says="{subject} was last looked at in an earlier turn",
    ),
    Code.VALUE_UNEXAMINED: Entry(
        layer=Layer.VALUES,
        severity=_INFO,
        says="{subject} could only stand in a result whose text is no longer there",
    ),
    Code.CLAIM_TYPE_UNKNOWN: Entry(
        layer=_FLOOR,
        severity=_INFO,
        says="the stated claim type is none of none, assertion, completion, unverified; taken as completion",
    ),
    Code.VERIFIER_DOWNGRADE: _blocks(
        Layer.VERIFIER,
        "the second opinion does not find the answer supported by what was looked at",
        "look at what the answer claims, or claim less",
    ),
    Code.GATE_ERROR: _blocks(
        Layer.GATE,
        "the gate itself failed on this answer, so nothing was checked",
        "answer again; if it happens again the answer goes out unverified",
    ),
    Code.GATE_UNWIRED: _blocks(
        Layer.GATE,
        "the gate never saw a tool call: {subject}",
        "nothing the model can do: the host has to attach it",
    ),
    Code.GATE_TAMPERED: _blocks(
        Layer.GATE,
        "the gate's own files or settings were touched in this turn",
        "nothing the model can do: the user has to look at what was changed",
    ),
    Code.CONFIG_CHANGED: Entry(
        layer=Layer.GATE,
        severity=_INFO,
        says="the configuration differs from the one this conversation started with",
    ),
    Code.INTENT_NOT_ESTABLISHED: _blocks(
        Layer.ACTIONS,
        "no message of the user asks for this action on {subject}",
        "ask the user whether to do it, naming the action and {subject}, and wait for the answer",
    ),
    Code.ARGUMENT_UNSUPPORTED: _blocks(
        Layer.ACTIONS,
        "the argument {subject} holds a value that neither the user nor any result gave",
        "look the value up with a tool, or ask the user for it",
    ),
    Code.AUTHORIZATION_MISSING: _blocks(
        Layer.ACTIONS,
        "nothing the host recorded authorizes this action on {subject}",
        "ask the user or the host for the authorization, and wait for it",
    ),
    Code.CONFIRMATION_REQUIRED: _blocks(
        Layer.ACTIONS,
        "this action on {subject} cannot be taken back, and nobody confirmed exactly this call",
        "ask the user to confirm exactly this call, and wait for the answer",
    ),
    Code.REDUNDANT_CALL: Entry(
        layer=Layer.ACTIONS,
        severity=Severity.WARN,
        says="the same action on {subject} went well already, and nothing changed since",
    ),
    Code.CONTRADICTORY_ACTIONS: _blocks(
        Layer.ACTIONS,
        "this action on {subject} undoes or contradicts another one of this turn",
        "ask the user which of the two is meant",
    ),
    Code.INFERRED_NOT_STATED: _blocks(
        Layer.WRITES,
        "the value for {subject} was not stated by the one it is about",
        "leave it out, or ask the user for it",
    ),
    Code.SCOPE_VIOLATION: _blocks(
        Layer.WRITES,
        "the value for {subject} was stated about somebody else",
        "leave it out, or store it for the one it was said of",
    ),
    Code.WRITE_EMPTY: _blocks(
        Layer.WRITES,
        "there is no value to store for {subject}",
        "leave it out",
    ),
    Code.CONFLICTING_VALUES: _blocks(
        Layer.WRITES,
        "another value for {subject} was stated later, or in the same breath",
        "store the value that was stated last, or ask the user which one holds",
    ),
    Code.STRUCTURE_INVALID: _blocks(
        Layer.GATE,
        "the proposal does not have the form that was asked for",
        "mend what is named and propose all units again",
    ),
    Code.EMPTY_PROPOSAL: _blocks(
        Layer.GATE,
        "the proposal has no units",
        "propose at least one unit",
    ),
    Code.BLOCKING_CONFLICT: _blocks(
        Layer.GATE,
        "units contradict each other",
        "propose only the one that the evidence supports",
    ),
    Code.MISSING_EVIDENCE: _blocks(
        Layer.GATE,
        "the unit rests on evidence that is not there",
        "cite evidence that was observed, or leave the unit out",
    ),
    Code.OVER_SPECIFIC: Entry(
        layer=Layer.GATE,
        severity=Severity.WARN,
        says="the unit says more than its evidence does",
        fix="leave out what nothing supports",
    ),
    Code.POLICY_ERROR: _blocks(
        Layer.GATE,
        "the unit could not be judged",
        "give every unit an id of its own; if it has one, nothing the model can do",
    ),
}
