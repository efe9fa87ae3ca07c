"""The closed choices of the product, each a string enum so that JSON and TOML need no translation (spec 00, 05)."""

from __future__ import annotations

from enum import StrEnum


class CallStatus(StrEnum):
    """What the transport said about a call; the outcome may say something more specific (spec 20)."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    NOT_EXECUTED = "not_executed"
    PENDING = "pending"


class Outcome(StrEnum):
    """How a call ended, by the most specific source that speaks (spec 20, "Outcome of a call")."""

    OK = "ok"
    FAILED = "failed"
    NO_OP = "no_op"
    EMPTY = "empty"
    NOT_FOUND = "not_found"
    PENDING = "pending"
    UNKNOWN = "unknown"


class Did(StrEnum):
    """What one effect did to its target. A move is DELETED on the source and CHANGED on the destination."""

    SHOWED = "showed"
    LISTED = "listed"
    ABSENT = "absent"
    CHANGED = "changed"
    DELETED = "deleted"
    OPAQUE = "opaque"


class ToolEffect(StrEnum):
    """The class of a tool, declared by its profile (spec 10, "Profiles and effects")."""

    READ = "read"
    LIST = "list"
    CHANGE = "change"
    DELETE = "delete"
    MOVE = "move"
    SHELL = "shell"
    SQL = "sql"
    EXEC = "exec"
    DELEGATE = "delegate"
    NEUTRAL = "neutral"
    UNKNOWN = "unknown"


class Receipt(StrEnum):
    """What a changing call's own result proves: nothing, the text it wrote, the system's read-back, a run behind the
    change in the same command, or, by a nod, only that the system took it on. The last two are found and never
    declared."""

    NONE = "none"
    CONTENT = "content"
    STATE = "state"
    RUN = "run"
    NOD = "nod"


class SignalState(StrEnum):
    """How a run that raises a signal ended."""

    PASSED = "passed"
    FAILED = "failed"
    EMPTY = "empty"
    MASKED = "masked"
    UNCLEAR = "unclear"


class Claim(StrEnum):
    """What an answer claims, weakest first (spec 10, "What each claim type requires")."""

    NONE = "none"
    ASSERTION = "assertion"
    COMPLETION = "completion"
    UNVERIFIED = "unverified"


class Severity(StrEnum):
    """How much a finding weighs; only BLOCK turns an answer back."""

    INFO = "info"
    WARN = "warn"
    BLOCK = "block"


class Layer(StrEnum):
    """The check a finding comes from. GATE and VERIFIER are always on; the others have a dial."""

    FLOOR = "floor"
    BUDGET = "budget"
    STATEMENTS = "statements"
    VALUES = "values"
    ACTIONS = "actions"
    WRITES = "writes"
    VERIFIER = "verifier"
    GATE = "gate"


class Strength(StrEnum):
    """The highest severity a layer may give; CERTIFIED is for statements alone."""

    OFF = "off"
    WARN = "warn"
    BLOCK = "block"
    CERTIFIED = "certified"


class Decision(StrEnum):
    """Whether the evidence supports the answer."""

    ACCEPT = "ACCEPT"
    REJECT = "REJECT"


class Action(StrEnum):
    """What the host does with the answer."""

    DELIVER = "DELIVER"
    REVISE = "REVISE"
    RELEASE = "RELEASE"
    WITHHOLD = "WITHHOLD"


class Exit(StrEnum):
    """How a turn ended."""

    VERIFIED = "verified"
    GROUNDED = "grounded"
    CONVERSATIONAL = "conversational"
    UNVERIFIED = "unverified"
    WITHHELD = "withheld"


class Posture(StrEnum):
    """What a block leads to: a note, a marked release, or no answer (spec 00, "Defaults and dials")."""

    ASSIST = "assist"
    GUARD = "guard"
    RAILS = "rails"


class Policy(StrEnum):
    """DEFAULT settles in every cheap way; STRICT is the original law: only a fresh read of this turn."""

    DEFAULT = "default"
    STRICT = "strict"


class Settle(StrEnum):
    """What may end a debt (spec 10, "Debts")."""

    READ = "read"
    PROBE = "probe"
    STATE = "state"
    SIGNAL = "signal"
    CONTENT = "content"


class ProbeKind(StrEnum):
    """The free looks the core may ask an edge for (spec 05, "Probes")."""

    FILE_CONTAINS = "file_contains"
    EXISTS = "exists"
    ABSENT = "absent"


LEGAL_NEXT: tuple[str, str] = ("qualifying_tool_call", "unverified_terminal")
"""The two moves that are always open to a rejected agent."""

GATE_AGENT = "gate"
"""The agent name of facts the gate itself recorded; a caller's agent of that name is renamed."""
