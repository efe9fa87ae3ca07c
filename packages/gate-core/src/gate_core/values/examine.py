"""`examine`: every value of an answer gets its source, or a reason (spec 30, "Verdict per value").

The ladder is lazy: sources are asked newest first and only until one of this turn shows the value well; what messages
supplied, what can be computed and what was merely repeated is asked for what is then still open. A document is walked
and indexed when the first value asks for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.reading import Sentence
from gate_core.values import anchors, clocks
from gate_core.values.another import of_another
from gate_core.values.asserted import Candidate, candidates_in, settings_of
from gate_core.values.cues import Cues
from gate_core.values.evidence import Evidence, Source
from gate_core.values.index import Index
from gate_core.values.lookup import Around, Hit
from gate_core.values.match import Fit
from gate_core.values.normal import normal
from gate_core.values.phrases import of_another_line, tells_a_line
from gate_core.values.place import Place
from gate_core.values.reckon import Reckoner
from gate_core.values.record import shown_in
from gate_core.values.report import Carrier, Judged, Provenance, ValueReport
from gate_core.values.scan import scan_all
from gate_core.values.search import Search
from gate_core.values.shapes import exempt_pattern
from gate_core.values.spelled import is_spelled, shown_in_words, with_spelled
from gate_core.values.value import Kind, Shape

MAX_CARRIERS = 8
CLIPPED = 64
_MOST_STANDING = 60
_MOST_INSTANTS = 8
_MOST_ASKED = 4  # results in which the values of an answer are read in step
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


def _open_ones(places: Sequence[Place]) -> tuple[list[tuple[Place, Candidate]], Counter[str]]:
    """The values that are examined, and how many of the others there are by reason."""
    open_ones: list[tuple[Place, Candidate]] = []
    reasons: Counter[str] = Counter()
    for place in places:
        for item in place.found:
            if item.reason:
                reasons[item.reason] += 1
            elif len(open_ones) >= _MOST_VALUES:
                reasons["too many"] += 1
            else:
                open_ones.append((place, item))
    return open_ones, reasons


def _behind(start: int, found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    return tuple(item for item in found if item.value.start >= start) if start else found


def _is_option(text: str) -> bool:
    """True for an option of a program ("--fix"): by saying that it was given, nobody claims to have read it."""
    return re.fullmatch(r"-{1,2}[A-Za-z][\w-]{0,40}", text) is not None


class _Examiner:
    def __init__(self, evidence: Evidence, config: GateConfig, *, completion: bool) -> None:
        self._evidence = evidence
        self._completion = completion
        self._exempt = exempt_pattern(config.exempt)
        self._signals = frozenset((*(rule.name for rule in config.signals), *config.requires))
        self._search = Search(evidence)
        self._reckoner = Reckoner(self._search)
        self._settings = settings_of(config, self._search.countable, self._search.listed)
        self._shown: Source | None = None
        self._asked: set[str] = set()
        self._settled: dict[int, Judged] = {}

    def report(self, passages: Sequence[Passage]) -> ValueReport:
        """The report on all passages."""
        places = self._places(passages)
        open_ones, reasons = _open_ones(places)
        judged: list[Judged] = []
        for number, (place, item) in enumerate(open_ones):
            judged.append(self._settled.get(number) or self._judge(place, item))
            if self._shown is not None:
                self._settle(open_ones, number + 1)
            if judged[-1].code is None and judged[-1].provenance in _STANDING:
                self._reckoner.learn(place, item.value, computed=judged[-1].provenance is Provenance.COMPUTED)
        waiting = [
            n
            for n, value in enumerate(judged)
            if value.provenance is Provenance.UNSUPPORTED and value.code is Code.VALUE_UNSUPPORTED
        ]
        if waiting:
            self._reckoner.learn_small(places)
        for number in waiting:  # sums of values that stand further down
            formula = self._reckoner.later(*open_ones[number])
            if formula:
                judged[number] = judged[number]._replace(provenance=Provenance.COMPUTED, code=None, formula=formula)
        return ValueReport(
            values=tuple(judged),
            candidates=len(open_ones) + sum(reasons.values()),
            looked_up=sum(v.provenance is not Provenance.EXEMPT for v in judged),
            not_examined=dict(sorted((reasons + Counter({"gone": sum(v.gone for v in judged)})).items())),
        )

    def _places(self, passages: Sequence[Passage]) -> list[Place]:
        """The passages with their values, read all at once and in step."""
        sentences = [passage.sentence for passage in passages]
        written = [sentence.text for sentence in sentences]
        found_in = scan_all(written, self._settings.shapes)
        texts = list(map(normal, written))
        cues = list(map(Cues, texts))
        lows, languages = [told.low for told in cues], [sentence.language for sentence in sentences]
        values = with_spelled(texts, lows, languages, found_in)
        found = candidates_in(sentences, texts, values, self._settings, cues)
        return [
            Place(text=text, where=passage.where, found=_behind(passage.start, items), cues=told)
            for passage, text, items, told in zip(passages, texts, found, cues, strict=True)
        ]

    def _judge(self, place: Place, item: Candidate) -> Judged:
        value = item.value
        found = self._provenance(place, item)
        if found.code is Code.VALUE_UNSUPPORTED and (
            other := clocks.otherwise(value, place.text, item.clause, place.cues)
        ):
            again = self._provenance(place, item._replace(value=other))
            found = again._replace(kind=found.kind) if again.provenance in _STANDING else found
        return found

    def _settle(self, open_ones: Sequence[tuple[Place, Candidate]], start: int) -> None:
        """Settles the values, from one on, that stand in a named record of the result which showed one just now: most
        values of most answers, all of them read in step."""
        source, self._shown = self._shown, None
        if source is None or source.call in self._asked or len(self._asked) >= _MOST_ASKED or self._exempt is not None:
            return
        if not source.index.knows_labels:
            return
        self._asked.add(source.call)
        waiting = [number for number in range(start, len(open_ones)) if number not in self._settled]
        for number, hit in shown_in([open_ones[number] for number in waiting], source, self._search):
            place, item = open_ones[waiting[number]]
            self._settled[waiting[number]] = Judged(
                text=_clipped(item.value.text),
                where=place.where,
                kind=_KINDS[item.value.kind],
                provenance=Provenance.READ,
                carriers=(_carrier(source, source.index, hit),),
            )

    def _provenance(self, place: Place, item: Candidate) -> Judged:
        value = item.value
        exempt = self._exempt is not None and self._exempt.search(value.text) is not None
        exempt = exempt or value.text in self._signals
        around = place.around(item)
        seen = _Seen() if exempt else self._seen(place, item, around)
        read = seen.fresh or seen.stale
        told = Judged(
            text=_clipped(value.text),
            where=place.where,
            kind=_KINDS[value.shape if value.shape in _TOLD_APART else value.kind],
            provenance=Provenance.EXEMPT if exempt else Provenance.READ if read else Provenance.UNSUPPORTED,
            code=Code.VALUE_STALE if read and not seen.fresh else None,
            carriers=tuple(seen.carriers) if read else (),
            stale=read and not seen.fresh,
        )
        if exempt or read:
            return told
        if self._search.within(self._evidence.supplied_index(), value, around) and not self._search.contradicted(value):
            return told._replace(provenance=Provenance.SUPPLIED)
        formula = self._reckoner.computed(place, item)
        if formula:
            return told._replace(provenance=Provenance.COMPUTED, formula=formula)
        if is_spelled(value) and any(shown_in_words(value, source.index) for source in self._evidence.readable):
            return told._replace(provenance=Provenance.READ)
        return self._weak(place, item, around, seen, told)

    def _weak(self, place: Place, item: Candidate, around: Around, seen: _Seen, told: Judged) -> Judged:
        """What no source supports: authored, guessed, echoed, or not there at all."""
        value = item.value
        if seen.mispaired or seen.sign or seen.unit:
            code = Code.VALUE_MISPAIRED if seen.mispaired else Code.VALUE_SIGN if seen.sign else Code.VALUE_UNIT
            return told._replace(code=code, carriers=tuple(seen.carriers))
        gone = self._evidence.is_cut
        if (seen.authored or self._search.in_arguments(value, around, wrote=True)) and not self._search.contradicted(
            value
        ):
            noted = None if self._completion else Code.VALUE_ECHOED
            return told._replace(provenance=Provenance.AUTHORED, code=noted)
        if self._search.within(self._evidence.guessed_index(), value, around):
            affirmed = place.affirms(item)
            return told._replace(provenance=Provenance.GUESSED, code=Code.VALUE_ECHOED if affirmed else None)
        if gone:
            return told._replace(code=Code.VALUE_UNEXAMINED, gone=True)
        if seen.repeated or self._search.in_arguments(value, around, wrote=False):
            given = _is_option(value.text)
            found = Provenance.AUTHORED if given else Provenance.ECHOED
            return told._replace(provenance=found, code=None if given else Code.VALUE_ECHOED)
        return told._replace(code=Code.VALUE_UNSUPPORTED)

    def _seen(self, place: Place, item: Candidate, around: Around) -> _Seen:
        """What the calls show. Stops at the first turn that shows the value well."""
        seen = _Seen()
        value = item.value

        def enough(source: Source) -> bool:
            return seen.fresh and (len(seen.carriers) >= MAX_CARRIERS or source.turn < self._evidence.turn)

        asked = takewhile(lambda s: not enough(s), self._evidence.readable) if around.ending else None
        for source in asked or self._evidence.holding(value, enough):
            self._ask(source, place, item, around, seen)
        if not (seen.fresh or seen.stale) and value.kind is Kind.NAME and self._search.is_target(value):
            seen.fresh = True
        if not (seen.fresh or seen.stale) and self._evidence.past:
            seen.stale = self._search.within(self._evidence.past_index(), value, around)
        return seen

    def _ask(self, source: Source, place: Place, item: Candidate, around: Around, seen: _Seen) -> None:
        index, value = source.index, item.value
        found = self._search.hits(index, value, around)
        if not found:
            return
        if not source.whole and self._search.within(source.own, value, around):
            seen.repeated = True
            return
        if self._search.own_words(source, value, around):
            seen.authored = True
            return
        best = max([hit.fit for hit in found]) if len(found) > 1 else found[0].fit
        well = [hit for hit in found if hit.fit is best]
        if best is not Fit.YES:
            seen.unit |= best is Fit.UNIT
            seen.sign |= best is Fit.SIGN
            _carry(seen, source, index, well)
            return
        named = self._search.names(place, index)
        if of_another(place, item, well, named):
            seen.mispaired = True
            _carry(seen, source, index, well)
            return
        if tells_a_line(value) and of_another_line(well, index, place.cues.low[slice(*item.clause)]):
            seen.mispaired = True
            _carry(seen, source, index, well)
            return
        if value.unit == "%":
            well = [hit for hit in well if anchors.percent_belongs(hit, place.text, named)]
        if well:
            if not (seen.fresh or seen.stale):
                seen.carriers.clear()
            fresh = source.turn >= self._evidence.turn
            seen.fresh |= fresh
            seen.stale |= not fresh
            self._shown = source if fresh and source.whole else self._shown
            _carry(seen, source, index, well)


_TOLD_APART = frozenset({Shape.PATH, Shape.PROPER})
_KINDS: dict[Kind | Shape, str] = {kind: kind.value for kind in (*Kind, *_TOLD_APART)}
_STANDING = frozenset({Provenance.READ, Provenance.SUPPLIED, Provenance.COMPUTED})


def _clipped(text: str) -> str:
    return text if len(text) <= CLIPPED else f"{text[:CLIPPED]}…(+{len(text) - CLIPPED})"


def _carry(seen: _Seen, source: Source, index: Index, found: Sequence[Hit]) -> None:
    for hit in found:
        if len(seen.carriers) >= MAX_CARRIERS:
            return
        carrier = _carrier(source, index, hit)
        if carrier not in seen.carriers:
            seen.carriers.append(carrier)


def _carrier(source: Source, index: Index, hit: Hit) -> Carrier:
    pointer = index.document.pointer(hit.field)
    return Carrier(call=source.call, pointer=pointer, turn=source.turn, fact=source.fact)
