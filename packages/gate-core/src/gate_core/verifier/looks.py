"""What a verifier gets to see: the answer, and bounded excerpts of the looks that support it (spec 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from gate_core.ledger import Ledger
from gate_core.ledger.debts import EXISTS_PROBE
from gate_core.ledger.index import names
from gate_core.ledger.touch import CHANGES, LOOKS
from gate_core.model.call import Attempt
from gate_core.model.fact import Fact
from gate_core.model.json import canonical, text_of
from gate_core.model.kinds import GATE_AGENT, Did, Outcome, Receipt
from gate_core.reading import read

EXCERPT = 2000
"""The most characters of one look."""

MOST_LOOKS = 20
"""The most looks of one answer: together at most 40,000 characters."""


class Look(str):
    """The excerpt of one look. `source` names the call in one line: its tool and what it looked at."""

    __slots__ = ("source",)
    source: str

    def __new__(cls, text: str, source: str = "") -> Self:
        made = super().__new__(cls, text)
        made.source = source
        return made


def answer_text(attempt: Attempt) -> str:
    """The answer as the user gets it: the visible text, then the typed answer as JSON."""
    parts = [attempt.text] if attempt.text else []
    return "\n".join([*parts, *([] if attempt.output is None else [_plain(attempt)])])


def _plain(attempt: Attempt) -> str:
    return attempt.output if isinstance(attempt.output, str) else canonical(attempt.output)


def supporting_looks(attempt: Attempt, ledger: Ledger) -> tuple[Look, ...]:
    """Excerpts of the looks an answer can rest on, oldest first, each text once.

    First those at what the answer names or the turn changed, in any turn, and results that are receipts or raised
    signals; then the other looks of this turn. Of too many the latest are kept.
    """
    shown = list(_once(fact for fact in ledger.facts if _shows(fact)))
    about = names([*_subjects(attempt, ledger), *(effect.target for _, effect in ledger.changes_here)])
    near = {f.key for f in shown if _proves(f, ledger) or any(about.means(e.target) for e in f.effects)}
    far = {f.key for f in shown if f.turn == ledger.turn and f.key not in near}
    chosen = [f for f in shown if f.key in near][-MOST_LOOKS:]
    room = MOST_LOOKS - len(chosen)
    chosen += [f for f in shown if f.key in far][-room:] if room else []
    looks = (_look(f, ledger) for f in sorted(chosen, key=_when))
    return tuple(look for look in looks if look is not None)


def _subjects(attempt: Attempt, ledger: Ledger) -> Iterable[str]:
    return (token.target for token in read(attempt, ledger).subjects if token.target)


def _shows(fact: Fact) -> bool:
    seen = any(e.did in LOOKS or e.receipt is not Receipt.NONE for e in fact.effects) or bool(fact.signals)
    return seen and (fact.executed or fact.agent == GATE_AGENT)


def _proves(fact: Fact, ledger: Ledger) -> bool:
    receipt = any(e.did in CHANGES and e.receipt is not Receipt.NONE for e in fact.effects)
    return fact.turn == ledger.turn and (bool(fact.signals) or receipt)


def _once(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts in order; of those that showed the same, the last."""
    last = {fact.digest or fact.key: fact for fact in facts}
    yield from sorted(last.values(), key=_when)


def _when(fact: Fact) -> tuple[tuple[int, int], str]:
    return fact.at, fact.key


def _look(fact: Fact, ledger: Ledger) -> Look | None:
    if fact.by_gate:
        return _probed(fact)
    found = ledger.text(fact)
    targets = ", ".join(dict.fromkeys(e.target for e in fact.effects))
    return Look(excerpt(text_of(found[1])), f"{fact.tool} {targets}".strip()) if found is not None else None


def _probed(fact: Fact) -> Look:
    """A free look of the gate has no text of its own; what it found is told instead."""
    effect = fact.effects[0]
    there = fact.outcome is Outcome.OK
    if effect.did is Did.ABSENT:
        said = "is not there" if there else "is still there"
    elif fact.tool == EXISTS_PROBE:
        said = "is there" if there else "is not there"
    else:
        said = "holds the new text of the change" if there else "does not hold the new text of the change"
    return Look(f"{effect.target} {said}", "the gate's own look")


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """At most `limit` characters: the first and the last whole lines, else the first characters.

    The end is kept because results of runs say there how they ended.
    """
    if len(text) <= limit:
        return text
    half = (limit - 60) // 2
    head, _, _ = text[:half].rpartition("\n")
    _, _, tail = text[-half:].partition("\n")
    if not head.strip() or not tail.strip():
        return text[:limit]
    return f"{head}\n[{len(text) - len(head) - len(tail)} characters left out]\n{tail}"
