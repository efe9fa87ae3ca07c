"""`examine`: every value of an answer gets its source, or a reason (spec 30, "Verdict per value").

The ladder is lazy: sources are asked newest first and only until one of this turn shows the value well; what messages
supplied, what can be computed and what was merely repeated is asked for what is then still open. A document is walked
and indexed when the first value asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.reading import Sentence
from gate_core.values import anchors, money
from gate_core.values.asserted import Candidate, candidates, settings_of
from gate_core.values.cues import Cues
from gate_core.values.evidence import Evidence, Source
from gate_core.values.index import Index
from gate_core.values.lookup import PLAIN, Around, Hit, hits, unit_around
from gate_core.values.match import Fit
from gate_core.values.normal import normal
from gate_core.values.operands import Operand, said_operand
from gate_core.values.pairs import Named, mispaired, other_column
from gate_core.values.place import Place
from gate_core.values.report import Carrier, Judged, Provenance, ValueReport
from gate_core.values.scan import scan, scan_all
from gate_core.values.shapes import exempt_pattern
from gate_core.values.sources import answers_otherwise, by_halves, halves, in_folder, stands_alone
from gate_core.values.value import Kind, Shape, Value

MAX_CARRIERS = 8
CLIPPED = 64
_MOST_STANDING = 60
_MOST_VALUES = 2_000
"""Values judged in one answer; the others are counted as not examined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sentence of the answer, or a leaf of a typed one. `where` names it in findings; values before `start` only say
    what it is about."""

    sentence: Sentence
    where: str
    start: int = 0


@dataclass(slots=True, kw_only=True)
class _Seen:
    """What the sources say of one value, best first. `sources` are those that show it well."""

    carriers: list[Carrier] = field(default_factory=list)
    fresh: bool = False
    stale: bool = False
    unit: bool = False
    sign: bool = False
    mispaired: bool = False
    repeated: bool = False
    authored: bool = False


def examine(
    passages: Sequence[Passage], evidence: Evidence, config: GateConfig, *, completion: bool = False
) -> ValueReport:
    """The report on the values of an answer. `completion` says that the answer claims to have done something: what the
    agent wrote itself then needs no other source."""
    return _Examiner(evidence, config, completion=completion).report(passages)


class _Examiner:
    def __init__(self, evidence: Evidence, config: GateConfig, *, completion: bool) -> None:
        self._evidence = evidence
        self._completion = completion
        self._exempt = exempt_pattern(config.exempt)
        self._settings = settings_of(config, self._countable)
        self._standing: list[Operand] = []
        self._named: dict[tuple[str, int], Named] = {}
        self._lookups: dict[tuple[str, int, Around], tuple[Hit, ...]] = {}
        self._nouns: dict[str, bool] = {}
        self._strange: dict[str, bool] = {}

    def report(self, passages: Sequence[Passage]) -> ValueReport:
        """The report on all passages."""
        judged: list[Judged] = []
        reasons: Counter[str] = Counter()
        open_ones: list[tuple[Place, Candidate]] = []
        places: list[Place] = []
        for place in self._places(passages):
            places.append(place)
            for item in place.found:
                if item.reason:
                    reasons[item.reason] += 1
                elif len(open_ones) >= _MOST_VALUES:
                    reasons["too many"] += 1
                else:
                    open_ones.append((place, item))
        for place, item in open_ones:
            judged.append(self._judge(place, item))
        waiting = [
            n
            for n, value in enumerate(judged)
            if value.provenance is Provenance.UNSUPPORTED and value.code is Code.VALUE_UNSUPPORTED
        ]
        if waiting:
            self._add_small(places)
        for number in waiting:  # sums of values that stand further down
            place, item = open_ones[number]
            formula = (
                anchors.from_answer(item.value, self._operands(place, item), self._standing)
                if item.value.numbers
                else ""
            )
            if formula:
                judged[number] = replace(judged[number], provenance=Provenance.COMPUTED, code=None, formula=formula)
        return ValueReport(
            values=tuple(judged),
            candidates=len(open_ones) + sum(reasons.values()),
            looked_up=sum(v.provenance is not Provenance.EXEMPT for v in judged),
            not_examined=dict(sorted((reasons + Counter({"gone": sum(v.gone for v in judged)})).items())),
        )

    def _places(self, passages: Sequence[Passage]) -> Iterator[Place]:
        """The passages with their values, read all at once."""
        texts = [normal(passage.sentence.text) for passage in passages]
        for passage, text, values in zip(passages, texts, scan_all(texts, self._settings.shapes), strict=True):
            cues = Cues(text)
            found = candidates(passage.sentence, text, values, self._settings, cues)
            found = tuple(item for item in found if item.value.start >= passage.start)
            yield Place(text=text, where=passage.where, found=found, cues=cues)

    def _add_small(self, places: Sequence[Place]) -> None:
        """Small numbers of the answer that were read or supplied may be operands, though nobody looks them up."""
        for place in places:
            for item in place.found[:40]:
                operand = said_operand(item.value, (place.where, item.value.start)) if item.reason == "small" else None
                if operand is not None and len(self._standing) < _MOST_STANDING and self._supported(item, place):
                    self._standing.append(replace(operand, name=item.value.text))

    def _countable(self, noun: str) -> bool:
        if noun not in self._nouns:
            self._nouns[noun] = any(anchors.countable(source.index, noun) for source in self._evidence.readable[:20])
        return self._nouns[noun]

    def _judge(self, place: Place, item: Candidate) -> Judged:
        value = item.value
        found = self._provenance(place, item)
        if found.code is None and value.numbers and found.provenance in _STANDING:
            operand = said_operand(value, (place.where, value.start))
            if operand is not None and len(self._standing) < _MOST_STANDING:
                self._standing.append(replace(operand, name=value.text))
        return found

    def _provenance(self, place: Place, item: Candidate) -> Judged:
        value = item.value
        kind = Shape.PATH.value if value.shape is Shape.PATH else value.kind.value
        told = Judged(text=_clipped(value.text), where=place.where, kind=kind, provenance=Provenance.UNSUPPORTED)
        if self._exempt is not None and self._exempt.search(value.text):
            return replace(told, provenance=Provenance.EXEMPT)
        around = place.around(item)
        seen = self._seen(place, item, around)
        if seen.fresh or seen.stale:
            told = replace(told, provenance=Provenance.READ, carriers=tuple(seen.carriers), stale=not seen.fresh)
            return replace(told, code=Code.VALUE_STALE) if told.stale else told
        if self._in(self._evidence.supplied_index(), value, around) and not self._contradicted(value):
            return replace(told, provenance=Provenance.SUPPLIED)
        formula = self._computed(place, item)
        if formula:
            return replace(told, provenance=Provenance.COMPUTED, formula=formula)
        return self._weak(place, item, around, seen, told)

    def _weak(self, place: Place, item: Candidate, around: Around, seen: _Seen, told: Judged) -> Judged:
        """What no source supports: authored, guessed, echoed, or not there at all."""
        value = item.value
        if seen.mispaired or seen.sign or seen.unit:
            code = Code.VALUE_MISPAIRED if seen.mispaired else Code.VALUE_SIGN if seen.sign else Code.VALUE_UNIT
            return replace(told, code=code, carriers=tuple(seen.carriers))
        gone = any(source.gone for source in self._evidence.sources)
        if (seen.authored or self._in_arguments(value, around, wrote=True)) and not self._contradicted(value):
            noted = None if self._completion else Code.VALUE_ECHOED
            return replace(told, provenance=Provenance.AUTHORED, code=noted)
        if self._in(self._evidence.guessed_index(), value, around):
            affirmed = place.affirms(item)
            return replace(told, provenance=Provenance.GUESSED, code=Code.VALUE_ECHOED if affirmed else None)
        if gone:
            return replace(told, code=Code.VALUE_UNEXAMINED, gone=True)
        if seen.repeated or self._in_arguments(value, around, wrote=False):
            return replace(told, provenance=Provenance.ECHOED, code=Code.VALUE_ECHOED)
        return replace(told, code=Code.VALUE_UNSUPPORTED)

    def _seen(self, place: Place, item: Candidate, around: Around) -> _Seen:
        """What the calls show. Stops at the first turn that shows the value well."""
        seen = _Seen()
        value = item.value
        for source in self._ordered(value):
            if seen.fresh and (len(seen.carriers) >= MAX_CARRIERS or source.turn < self._evidence.turn):
                break
            self._ask(source, place, item, around, seen)
        if not (seen.fresh or seen.stale) and value.kind is Kind.NAME and self._is_target(value):
            seen.fresh = True
        if not (seen.fresh or seen.stale) and self._evidence.past:
            seen.stale = self._in(self._evidence.past_index(), value, around)
        return seen

    def _ordered(self, value: Value) -> Iterator[Source]:
        yield from self._evidence.readable

    def _ask(self, source: Source, place: Place, item: Candidate, around: Around, seen: _Seen) -> None:
        if not around.ending and not source.may_hold(item.value):
            return
        index = source.index
        found = self._hits(index, item.value, around)
        if not found:
            return
        if not source.whole and self._in(source.own, item.value, around):
            seen.repeated = True
            return
        if self._own_words(source, item.value, around):
            seen.authored = True
            return
        best = max(hit.fit for hit in found)
        well = [hit for hit in found if hit.fit is best]
        if best is not Fit.YES:
            seen.unit |= best is Fit.UNIT
            seen.sign |= best is Fit.SIGN
            _carry(seen, source, well)
            return
        named = self._names(place, index)
        words = place.cues.low[item.clause[0] : item.value.start] + place.cues.low[item.value.end : item.clause[1]]
        if item.value.kind is not Kind.NAME and (
            mispaired(well, named, item.clause) or other_column(well, index, words)
        ):
            seen.mispaired = True
            _carry(seen, source, well)
            return
        if item.value.unit == "%":
            well = [hit for hit in well if anchors.percent_belongs(hit, place.text, named)]
        if well:
            if not (seen.fresh or seen.stale):
                seen.carriers.clear()
            seen.fresh |= source.turn >= self._evidence.turn
            seen.stale |= source.turn < self._evidence.turn
            _carry(seen, source, well)

    def _own_words(self, source: Source, value: Value, around: Around) -> bool:
        """True for a look at what the agent itself wrote, value included."""
        if not source.targets or source.wrote:
            return False
        wrote = [other for other in self._evidence.readable if other.wrote and set(source.targets) & set(other.targets)]
        return any(self._in(other.own, value, around) for other in wrote)

    def _hits(self, index: Index, value: Value, around: Around) -> tuple[Hit, ...]:
        found = hits(value, index, around)
        if not found and value.kind is Kind.INSTANT:
            found = by_halves(value, index, around)
        if value.unit and found and self._foreign(value.unit):
            return tuple(hit if _has_unit(hit, index) else replace(hit, fit=Fit.UNIT) for hit in found)
        return found

    def _foreign(self, unit: str) -> bool:
        """True for a currency nobody named, where messages speak of others."""
        known = self._strange.get(unit)
        if known is None:
            codes = money.codes_of(unit)
            said = (*self._evidence.supplied, *self._evidence.guessed)
            known = bool(codes) and bool(others := money.codes_said(said)) and not codes & others
            known = known and not any(money.names(source.index, codes) for source in self._evidence.readable)
            self._strange[unit] = known
        return known

    def _names(self, place: Place, index: Index) -> Named:
        known = place.named.get(index)
        if known is None:
            known = place.named[index] = Named(place.text, index)
        return known

    def _in(self, index: Index, value: Value, around: Around) -> bool:
        return any(hit.fit is Fit.YES for hit in self._hits(index, value, around))

    def _is_target(self, value: Value) -> bool:
        """True for what an ok call touched: its targets, paths of a command that ran, a listed name in its folder."""
        if self._in(self._evidence.targets_index(), value, PLAIN):
            return True
        if value.shape is not Shape.PATH:
            return False
        if any(self._in(index, value, PLAIN) for index in self._evidence.arguments("ran")):
            return True
        folder, _, name = value.text.rpartition("/")
        last = replace(value, text=name, end=value.start + len(name))
        return bool(folder) and any(
            source.whole and in_folder(source, folder) and self._in(source.index, last, PLAIN)
            for source in self._evidence.readable
        )

    def _in_arguments(self, value: Value, around: Around, *, wrote: bool) -> bool:
        return any(self._in(index, value, around) for index in self._evidence.arguments("wrote" if wrote else "others"))

    def _contradicted(self, value: Value) -> bool:
        """True when a change of this turn was asked for the value and its own result says something else."""
        return any(
            source.wrote and source.turn == self._evidence.turn and answers_otherwise(source, value)
            for source in self._evidence.readable
        )

    def _computed(self, place: Place, item: Candidate) -> str:
        value = item.value
        if value.kind is Kind.INSTANT:
            return self._moved(place, value) or self._by_parts(place, value)
        if not value.numbers:
            return ""
        formula = anchors.from_answer(value, self._operands(place, item), ())
        if formula:
            return formula
        for source in self._evidence.readable[:40]:
            index = source.index
            named = self._names(place, index)
            formula = (
                anchors.count_of(value, place.text, index, named)
                or anchors.from_records(value, place.text, index, named)
                or anchors.from_columns(value, place.text, index, named)
            )
            if formula:
                return formula
        return ""

    def _moved(self, place: Place, value: Value) -> str:
        """A date that lies a stated duration from one that was read; a year left out by whoever supplied the rest."""
        durations = [v for text in self._evidence.supplied[:400] for v in scan(text) if v.unit in ("d", "wk")][:8]
        durations += [c.value for c in place.found[:40] if c.value.unit in ("d", "wk")]
        for formula, date in anchors.moved_dates(value, durations):
            if self._shown(date):
                year, month, day = date.instants[0][:3]
                return formula.format(date=f"{year}-{month:02}-{day:02}")
        for year, month, day, *clock in value.instants:
            if year is not None and month is not None and day is not None and clock[0] is None:
                partial = replace(value, instants=((None, month, day, None, None, None, None),))
                alone = replace(value, instants=((year, None, None, None, None, None, None),))
                if self._in(self._evidence.supplied_index(), partial, PLAIN) and self._shown(alone):
                    return f"{month:02}-{day:02} as supplied, in {year}"
        return ""

    def _by_parts(self, place: Place, value: Value) -> str:
        """A date and a time that stand apart. Where both are only parts of whole instants, those say something else."""
        for parts in halves(value):
            alone = [self._stands(part) or (bool(self._moved(place, part)) or None) for part in parts]
            if None not in alone and any(alone):
                return "a date and a time that stand apart"
        return ""

    def _stands(self, value: Value) -> bool | None:
        """Whether a date or time stands by itself, None when it stands nowhere."""
        if self._in(self._evidence.supplied_index(), value, PLAIN):
            return True
        found = [hit for s in self._evidence.readable if s.may_hold(value) for hit in self._hits(s.index, value, PLAIN)]
        return any(map(stands_alone, found)) if found else None

    def _shown(self, value: Value) -> bool:
        return any(self._in(s.index, value, PLAIN) for s in self._evidence.readable[:40]) or self._in(
            self._evidence.supplied_index(), value, PLAIN
        )

    def _operands(self, place: Place, item: Candidate) -> tuple[Operand, ...]:
        """The other numbers of the sentence that were read or supplied."""
        if place.operands is None:
            found = []
            for other in place.found[:40]:
                operand = said_operand(other.value, (place.where, other.value.start)) if other.value.numbers else None
                if operand is not None and other.reason in ("", "small", "condition") and self._supported(other, place):
                    found.append((other.value.start, replace(operand, name=other.value.text)))
            place.operands = tuple(found)
        near = item.value.start - 6, item.value.end + 6
        ends = item.value.part  # the ends of a range are no operands of each other
        return tuple(
            operand
            for start, operand in place.operands
            if start != item.value.start and not (ends and near[0] <= start <= near[1])
        )

    def _supported(self, other: Candidate, place: Place) -> bool:
        around = place.around(other)
        return any(self._in(s.index, other.value, around) for s in self._evidence.readable[:40]) or self._in(
            self._evidence.supplied_index(), other.value, around
        )


_STANDING = frozenset({Provenance.READ, Provenance.SUPPLIED, Provenance.COMPUTED})


def _clipped(text: str) -> str:
    return text if len(text) <= CLIPPED else f"{text[:CLIPPED]}…(+{len(text) - CLIPPED})"


def _has_unit(hit: Hit, index: Index) -> bool:
    return bool(hit.shown.unit or (hit.shown.kind is Kind.NUMBER and unit_around(index, hit.field, hit.shown)))


def _carry(seen: _Seen, source: Source, found: Sequence[Hit]) -> None:
    for hit in found:
        if len(seen.carriers) >= MAX_CARRIERS:
            return
        pointer = source.index.document.pointer(hit.field)
        carrier = Carrier(call=source.call, pointer=pointer, turn=source.turn, fact=source.fact)
        if carrier not in seen.carriers:
            seen.carriers.append(carrier)
