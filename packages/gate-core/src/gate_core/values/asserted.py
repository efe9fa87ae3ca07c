"""Which values of an answer are asserted, and why the others are not (spec 30, "What is examined")."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gate_core.model.config import GateConfig
from gate_core.model.late import late
from gate_core.model.reading import Mood, Sentence
from gate_core.values.cues import Cues
from gate_core.values.lexicon import cue, standards
from gate_core.values.proper import proper_names
from gate_core.values.scan import Shapes
from gate_core.values.shapes import shapes_of
from gate_core.values.value import Kind, Value
from gate_core.values.weekdays import on_its_day

_BREAK = late(r"[,;:()|—–、。]|\s-\s")
_COMMAND = late(r"`[^`\n]*\s[^`\n]*`")
_BEFORE = 40  # characters looked at for a negation
_FAR = 400  # and for a condition
_DOUBTING = frozenset({"example", "modal", "condition", "deny"})
_DECIMAL = late(r"\d[.,]\d")


class Candidate(NamedTuple):
    """A value of the answer. `reason` says why it is not examined, "" when it is; `clause` is where its clause lies."""

    value: Value
    reason: str = ""
    clause: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the configuration says about values."""

    min_digits: int = 4
    bare_counts: bool = False
    names: bool = False
    shapes: Shapes = ()
    countable: Callable[[str], bool] = lambda noun: False
    listed: Callable[[str], int] = lambda noun: 0


def settings_of(config: GateConfig, countable: Callable[[str], bool], listed: Callable[[str], int]) -> Settings:
    """The settings of a configuration. `countable` says whether a noun is that of a list, `listed` how long it is."""
    return Settings(
        min_digits=config.min_digits,
        bare_counts=config.bare_counts,
        names=config.names,
        shapes=shapes_of(config.shapes),
        countable=countable,
        listed=listed,
    )


def candidates_in(
    sentences: Sequence[Sentence],
    texts: Sequence[str],
    values: Sequence[Sequence[Value]],
    settings: Settings,
    cues: Sequence[Cues],
) -> list[tuple[Candidate, ...]]:
    """The values of each of some sentences, which `texts` are normalised; what is not asserted carries the reason."""
    if settings.names:
        values = [(*found, *proper_names(text, found)) for text, found in zip(texts, values, strict=True)]
    excluded = [_excluded(text, one.low) if found else [] for text, one, found in zip(texts, cues, values, strict=True)]
    breaks = [_breaks(one, found) if found else [] for one, found in zip(cues, values, strict=True)]
    told = list(map(_Told, texts, cues, excluded, breaks))
    return [
        tuple([_candidate(value, text, one, _of_sentence(sentence), settings) for value in found])
        for sentence, text, one, found in zip(sentences, texts, told, values, strict=True)
    ]


def _candidate(value: Value, text: str, told: _Told, whole: str, settings: Settings) -> Candidate:
    clause = told.clause(value)
    reason = whole or _too_small(value, text, settings)
    if not (reason or (told.is_plain and not value.ordinal)):
        reason = told.reason(value, clause)
    return Candidate(on_its_day(value, text), reason, clause)


def _excluded(text: str, low: str) -> list[tuple[int, int]]:
    """Where standards and commands stand."""
    commands = _COMMAND.finditer(text) if "`" in text else ()
    return _covered([*[m.span() for m in standards().finditer(low)], *[m.span() for m in commands]])


def _breaks(cues: Cues, values: Sequence[Value]) -> list[int]:
    """Where clauses end, in order, places within a value left out."""
    marks = [match.start() for match in _BREAK.finditer(cues.low)]
    marks += [start for start, _ in cues.spans("clause_ends")]
    inside = sorted([(value.start, value.end) for value in values]) if marks else []
    return sorted([at for at in marks if not _lies_in(inside, at, at + 1)])


class _Told:
    """One sentence and what it says about its values; every search over the whole of it is made once. One that
    `is_plain` says nothing against any of them."""

    def __init__(self, text: str, cues: Cues, excluded: list[tuple[int, int]], breaks: list[int]) -> None:
        self._cues = cues
        self._excluded = excluded
        self._breaks = breaks
        self._length = len(text)
        self._example, self._hypothetical, self._conditional = len(text), False, False
        doubts = cues.may_hold(_DOUBTING)
        if doubts:
            examples = cues.spans("example")
            self._example = examples[0][0] if examples else len(text)
            self._hypothetical = bool(cues.spans("modal")) and _opens_a_condition(cues.low)
            self._conditional = bool(cues.spans("condition"))
        self.is_plain = not (excluded or doubts)

    def clause(self, value: Value) -> tuple[int, int]:
        """The clause a value stands in."""
        if not self._breaks:
            return 0, self._length
        at = bisect_left(self._breaks, value.start)
        start = self._breaks[at - 1] if at else 0
        end = bisect_left(self._breaks, value.end)
        return start, self._breaks[end] if end < len(self._breaks) else self._length

    def reason(self, value: Value, clause: tuple[int, int]) -> str:
        """Why a value is not asserted, "" when it is."""
        if _lies_in(self._excluded, value.start, value.end):
            return "standard"
        if value.ordinal:
            return "ordinal"
        if self._example < value.start:
            return "example"
        if self._hypothetical or (self._conditional and self._is_conditional(value, clause)):
            return "condition"
        if value.kind is Kind.NAME and self._denied(value, clause):
            return "negated"
        return ""

    def _is_conditional(self, value: Value, clause: tuple[int, int]) -> bool:
        return self._cues.within("condition", max(clause[0], value.start - _FAR), value.start)

    def _denied(self, value: Value, clause: tuple[int, int]) -> bool:
        before = self._cues.within("deny", max(clause[0], value.start - _BEFORE), value.start)
        return before or self._cues.within("deny", value.end, min(clause[1], value.end + _BEFORE))


def _opens_a_condition(low: str) -> bool:
    return cue("condition_starts").match(low, len(low) - len(low.lstrip("*_ \"'"))) is not None


def _covered(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without overlaps, in order."""
    if len(spans) < 2:
        return spans
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _lies_in(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    if not spans:
        return False
    at = bisect_right(spans, (start, 1 << 62)) - 1
    return at >= 0 and spans[at][0] <= start and end <= spans[at][1]


def _of_sentence(sentence: Sentence) -> str:
    if sentence.code:
        return "code"
    if sentence.quoted:
        return "quoted"
    return "question" if sentence.mood is Mood.QUESTION else ""


def _too_small(value: Value, text: str, settings: Settings) -> str:
    """Numbers that say too little to be looked for."""
    if value.kind is not Kind.NUMBER:
        return "" if value.kind is Kind.INSTANT or len(value.text) >= 3 else "small"
    if not value.numbers:
        return "small"
    for number in value.numbers:
        if number.unit or number.exponent > 0:
            return ""
    digits = sum(map(str.isdigit, value.text))
    if digits >= settings.min_digits or (digits >= 3 and _DECIMAL.search(value.text) is not None):
        return ""
    if _is_reading(value, text) or (value.noun and (settings.bare_counts or settings.countable(value.noun))):
        return ""
    return "" if value.noun and _is_too_many(value, text, settings) else "small"


_DESCRIBED = late(r"[ -][a-z]{3,16} ([a-z]{3,16})(?![\w-])")


def _is_too_many(value: Value, text: str, settings: Settings) -> bool:
    """True for "71 unread messages" where the longest list of messages has fewer: no part of it can be more."""
    noun = _DESCRIBED.match(text, value.end)
    return noun is not None and 0 < settings.listed(noun[1]) < value.numbers[0].exact


def _is_reading(value: Value, text: str) -> bool:
    """One of two measures joined by a slash: "142/91"."""
    slashed = text[value.end : value.end + 1] == "/" or text[max(0, value.start - 1) : value.start] == "/"
    return value.part and slashed and 2 <= len(value.text) <= 3
