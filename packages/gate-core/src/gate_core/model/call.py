"""What an adapter hands in: completed tool calls and attempts to finish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import CallStatus, Claim, SignalState


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalEvent:
    """A named event raised by a call. `scope` is empty for a whole run; `count` is None when not seen; `by` is the
    program that printed the summary where that is no known runner."""

    name: str
    state: SignalState = SignalState.PASSED
    scope: str = ""
    count: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One completed tool call, as the framework executed it.

    Attributes:
        result: what the agent got to see.
        turn, step: filled by `Gate.observe` when absent; calls of one model response share a step.
        origin: where the tool comes from: "builtin", "mcp:<server>", or "" to derive it from the name.
        side: facts the model did not write: `structuredPatch`, `file`, `artifact`, `returnCodeInterpretation`, `error`
            (the text of a failure that the host hid from the agent).
        ref: lets the adapter find the texts again.
        mutating: stands in for a missing profile.
        signals: declared by host code only.
    """

    tool: str
    args: JsonObject = field(default_factory=dict)
    result: Json = None
    status: CallStatus = CallStatus.OK
    exit_code: int | None = None
    call_id: str = ""
    turn: int = 0
    step: int | None = None
    agent: str = ""
    cwd: str = ""
    origin: str = ""
    side: Mapping[str, Json] = field(default_factory=dict)
    ref: str = ""
    mutating: bool | None = None
    signals: tuple[SignalEvent, ...] = ()

    def __post_init__(self) -> None:
        if type(self.status) is not CallStatus:
            object.__setattr__(self, "status", _status(self.status))
        if not (
            type(self.tool) is str
            and type(self.call_id) is str
            and type(self.agent) is str
            and type(self.cwd) is str
            and type(self.origin) is str
            and type(self.ref) is str
        ):
            self._spell()

    def _spell(self) -> None:
        """Hosts hand in ids and names of other types; nothing behind this has to expect them."""
        for name in ("tool", "call_id", "agent", "cwd", "origin", "ref"):
            value = getattr(self, name)
            if not isinstance(value, str):
                object.__setattr__(self, name, "" if value is None else str(value))

    @property
    def executed(self) -> bool:
        """False for a denied, cancelled or unknown-tool call: it is not evidence (spec 50)."""
        return self.status not in _NOT_EXECUTED


_NOT_EXECUTED = frozenset({CallStatus.DENIED, CallStatus.NOT_EXECUTED})


def _status(word: object) -> CallStatus:
    try:
        return CallStatus(str(word))
    except ValueError:
        return CallStatus.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try to finish. `parts` are all texts of the final response, in order; `output` is the typed answer.

    `claim` is the type the agent stated, or None when nobody typed it; a word that is no claim type is kept
    as it came. `earlier` is the narration of the turn as (step, text). `units` are the claims of the answer with what
    they cite, as mappings (`id, text, cites, attributes, grade`; spec 40, "Typed units").
    """

    parts: tuple[str, ...] = ()
    output: Json = None
    claim: str | None = None
    earlier: tuple[tuple[int, str], ...] = ()
    units: tuple[JsonObject, ...] = ()

    def __post_init__(self) -> None:
        parts: object = self.parts
        if isinstance(parts, str):  # one text stands for a list of one
            object.__setattr__(self, "parts", (parts,))

    @property
    def text(self) -> str:
        """The visible text, parts joined by a line break."""
        return "\n".join(self.parts)

    @property
    def typed(self) -> Claim | None:
        """The stated claim type; an unknown word counts as a completion (spec 20, step 1)."""
        if self.claim is None:
            return None
        try:
            return Claim(self.claim)
        except ValueError:
            return Claim.COMPLETION


class TextSource(Protocol):
    """Finds the texts of an observed call again (spec 05, "Lazy observation")."""

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result of the call stored under `ref`, or None when they are gone."""
        ...
