"""What was made of every value of an answer (spec 30, "Verdict per value")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from gate_core.model.codes import Code
from gate_core.model.json import Json


class Provenance(StrEnum):
    """Where a value comes from, strongest first."""

    EXEMPT = "exempt"
    READ = "read"
    SUPPLIED = "supplied"
    COMPUTED = "computed"
    AUTHORED = "authored"
    GUESSED = "guessed"
    ECHOED = "echoed"
    UNSUPPORTED = "unsupported"


class Carrier(NamedTuple):
    """One place that shows a value: the call, a JSON pointer or a line, the turn, the key of the fact."""

    call: str
    pointer: str
    turn: int
    fact: str = ""


class Judged(NamedTuple):
    """One value of the answer. `kind` is number, instant, name, path or "proper name"; `where` the sentence, counted
    from 1, or the pointer into a typed answer.

    `formula` names the operands of a computed value; `code` is what is wrong, None when nothing is; `stale` says that
    only an earlier turn showed it, `gone` that a text that could have shown it cannot be found again.
    """

    text: str
    where: str
    kind: str
    provenance: Provenance
    code: Code | None = None
    carriers: tuple[Carrier, ...] = ()
    formula: str = ""
    stale: bool = False
    gone: bool = False

    def to_dict(self) -> dict[str, Json]:
        """The value as JSON."""
        return {
            "text": self.text,
            "where": self.where,
            "kind": self.kind,
            "provenance": self.provenance.value,
            "code": self.code.value if self.code else None,
            "carriers": [{"call": c.call, "pointer": c.pointer, "turn": c.turn} for c in self.carriers],
            "formula": self.formula,
            "stale": self.stale,
            "gone": self.gone,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueReport:
    """All values of an answer, and the counts that make silence visible.

    `candidates` are all values found, `looked_up` those that were looked for in evidence, `not_examined` the others by
    reason.
    """

    values: tuple[Judged, ...] = ()
    candidates: int = 0
    looked_up: int = 0
    not_examined: Mapping[str, int] = field(default_factory=dict)
    truncated: bool = False

    @property
    def supported(self) -> bool:
        """True when nothing is wrong with any value."""
        return all(value.code is None for value in self.values)

    @property
    def read_this_turn(self) -> int:
        """How many values a call of this turn showed."""
        return sum(v.provenance is Provenance.READ and not v.stale for v in self.values)

    @property
    def read_earlier(self) -> int:
        """How many values only calls of earlier turns showed."""
        return sum(v.provenance is Provenance.READ and v.stale for v in self.values)

    @property
    def provenance(self) -> dict[str, str]:
        """Value -> where it comes from; of two places of one spelling, the weaker."""
        order = list(Provenance)
        found: dict[str, Provenance] = {}
        for value in self.values:
            known = found.get(value.text)
            if known is None or order.index(value.provenance) > order.index(known):
                found[value.text] = value.provenance
        return {text: source.value for text, source in found.items()}

    def to_dict(self) -> dict[str, Json]:
        """The report as JSON."""
        return {
            "values": [value.to_dict() for value in self.values],
            "candidates": self.candidates,
            "looked_up": self.looked_up,
            "not_examined": dict(self.not_examined),
            "read_this_turn": self.read_this_turn,
            "read_earlier": self.read_earlier,
            "truncated": self.truncated,
        }
