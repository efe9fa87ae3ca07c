"""What sentences state in one language: their clauses go through one step after another.

Each step goes over all clauses before the next one begins. A processor that runs the same code again, on other words,
needs far less time than one that goes through all of the code for each clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.model.reading import Mood, Says
from gate_core.reading.bits import CUT_KINDS, PLANS, Bits, bits_of
from gate_core.reading.blind import Blind
from gate_core.reading.clauses import Joint, blanked, clauses
from gate_core.reading.cues import cue_pattern
from gate_core.reading.events import RED, THEY, without_contradicted
from gate_core.reading.languages import SHARED
from gate_core.reading.packs import Pack
from gate_core.reading.rules import words_in

_WORD = late(r"\w")
_COMMAS = (",", "，", "、")
_COLONS = (":", "：")
_FEW = 4  # rules; so many are tried in less time than it takes to look up words
_GOES_ON = " x"  # what is cut off is not the end of the clause
_BENDS = frozenset({"subordinate", "modal", "unable"})
_BESIDE = frozenset({Says.CHANGED, Says.DONE, Says.PASSIVE, Says.LOOKED})
_MAY_BE_RED = frozenset({"unable", "negated"})
_GOVERNED = frozenset({"condition", "subordinate", "attribution", "testimony", "past", "draft"})
"""What stands behind these cues is nobody's statement, a denial neither."""
_EXPLAINS = frozenset({Says.STATE, Says.ALREADY})
_RAN = frozenset({"executed"})
"""What a run itself states; how it went the same clause or the next one may say."""
_PARTS = late(r"[;；]\s*|\s[–—-]\s|[,，、]\s*")
_SAYS = {kind.value: kind for kind in Says}
_NONE: frozenset[str] = frozenset()
_NOTHING_SAID: frozenset[Says] = frozenset()


class Stated(NamedTuple):
    """What one sentence states and how it speaks. `language` is the pack that spoke, "" for none.

    `topics` are the kinds of runs it tells of last, `refers` says that it begins by saying of some run before it that
    it went well ("They pass.").
    """

    says: frozenset[Says] = frozenset()
    mood: Mood = Mood.INDICATIVE
    language: str = ""
    events: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    refers: bool = False


NOTHING = Stated()


class Asked(NamedTuple):
    """A sentence, the same with its quoted words blanked, its words, and the things it names."""

    sentence: str
    plain: str
    words: frozenset[str]
    targets: tuple[str, ...]

    def names(self, clause: str) -> bool:
        """True when a clause names something that a state can be stated of."""
        return bool(self.targets) and any(target in clause for target in self.targets)


class _Clause:
    """A clause between the steps. `text` is as it was written, in `plain` its quoted words are blanked.

    `held` rules may match in the `open_part`, what no cue governs; `woken` ones in all of the clause. `over` says that
    it is done with. `first` is true of what its sentence begins with, `about` of what tells of a thing that was named.
    """

    __slots__ = (
        *("about", "cue", "events", "first", "held", "joint", "open_part", "over", "plain", "says", "text"),
        *("unchanged", "woken"),
    )

    def __init__(self, joint: Joint, text: str, plain: str) -> None:
        self.joint, self.text, self.plain = joint, text, plain
        self.held = self.woken = 0
        self.cue, self.open_part = "", plain
        self.unchanged: int | None = None
        self.first = self.about = False
        self.over = not plain[:1].isalpha() and _WORD.search(plain) is None
        self.says: AbstractSet[Says] = _NOTHING_SAID
        self.events: AbstractSet[str] = _NONE


class _Sentence:
    """A sentence between the steps."""

    __slots__ = ("asked", "clauses", "cues", "held")

    def __init__(self, asked: Asked, held: int) -> None:
        self.asked, self.held = asked, held
        self.clauses: list[_Clause] = []
        self.cues: set[str] = set()


def stated_by(rows: Sequence[Asked], pack: Pack) -> list[Stated]:
    """What each sentence states in one language; most of them hold no word that one needs to state anything."""
    bits, shared = bits_of(pack.language), pack.language in SHARED
    held = [pack.rules.held(row.words, blanked=row.plain != row.sentence) for row in rows]
    found = [
        None if shared and not _may_state(row, woken, bits) else _Sentence(row, woken)
        for row, woken in zip(rows, held, strict=True)
    ]
    _read([sentence for sentence in found if sentence is not None], pack, bits)
    nothing = Stated(language=pack.language)
    return [nothing if sentence is None else _sum(sentence, nothing, pack, bits) for sentence in found]


def _may_state(row: Asked, woken: int, bits: Bits) -> bool:
    """True for a sentence in which a rule is woken that states something."""
    return woken & bits.unnamed != 0 or (woken & bits.named != 0 and row.names(row.sentence))


def _read(sentences: Sequence[_Sentence], pack: Pack, bits: Bits) -> None:
    """All steps but the last."""
    for sentence in sentences:
        parts = clauses(sentence.asked.sentence, sentence.asked.plain, sentence.held, pack)
        sentence.clauses = [_Clause(*part) for part in parts]
    for sentence in sentences:
        _wake(sentence, pack, bits)
    every = [clause for sentence in sentences for clause in sentence.clauses if clause.held]
    _bound(every, pack, bits)
    for sentence in sentences:
        _govern(sentence)
    _tell([clause for clause in every if not clause.over], pack, bits)


def _bound(every: Sequence[_Clause], pack: Pack, bits: Bits) -> None:
    """Note what governs each clause, and where it denies."""
    for clause in every:
        if cues := clause.held & bits.cut:
            _cut(clause, cues, pack)
    for clause in every:
        if denials := clause.held & bits.unchanged:
            _deny(clause, denials, pack)


def _tell(every: Sequence[_Clause], pack: Pack, bits: Bits) -> None:
    """Note what each clause states."""
    for clause in every:
        clause.woken = clause.held
        if clause.cue:
            _narrow(clause, pack, bits)
    for clause in every:
        if clause.woken & bits.events:
            _tell_events(clause, pack, bits)
    for clause in every:
        if clause.held & bits.kinds:
            _tell_kinds(clause, pack, bits)


def _wake(sentence: _Sentence, pack: Pack, bits: Bits) -> None:
    """Note the rules that may match in each clause, its quoted words read and blanked."""
    held = sentence.held & bits.telling
    few = pack.language in SHARED and held.bit_count() <= _FEW
    for clause in sentence.clauses:
        if clause.over:
            continue
        if few or len(clause.text) == len(sentence.asked.sentence):
            clause.held = held
        else:
            clause.held = pack.rules.held(words_in(clause.text), blanked=clause.plain != clause.text) & bits.telling


def _cut(clause: _Clause, cues: int, pack: Pack) -> None:
    """Note the first governing cue. The open part is what stands before it, and what shows that it goes on: the word
    that makes a condition or a name of it, or just x."""
    if not (found := pack.rules.begun(cues, clause.plain)):
        return
    at, clause.cue = min(found)
    bend = _bend(clause.plain[at:], pack.bending) if clause.cue in _BENDS else ""
    clause.open_part = f"{clause.plain[:at].rstrip()} {bend}{_GOES_ON}" if bend else clause.plain[:at] + _GOES_ON


def _bend(rest: str, bending: Blind | None) -> str:
    found = None if bending is None else bending.match(rest)
    return "" if found is None else found["word"]


def _deny(clause: _Clause, denials: int, pack: Pack) -> None:
    """Note where a clause begins to say that nothing was changed."""
    if found := pack.rules.begun(denials, clause.plain):
        clause.unchanged = min(found)[0]


def _govern(sentence: _Sentence) -> None:
    """Follow what a sentence leads to: a condition, what it tells of, what it denies."""
    about = spoke = conditional = drafted = testified = False
    for clause in sentence.clauses:
        if clause.over:
            continue
        if conditional and (drafted or _is_led(clause.joint, testified=testified)):
            clause.over = True  # what a condition leads to did not happen, what a source says is the source's
            continue
        clause.first, spoke = not spoke, True
        if clause.unchanged is not None:
            if clause.cue not in _GOVERNED or clause.unchanged <= len(clause.open_part.removesuffix(_GOES_ON)):
                clause.about = about
                continue
            clause.unchanged = None
        begins = clause.cue != "" and not clause.open_part.removesuffix(_GOES_ON).strip()
        conditional = begins and clause.cue in ("condition", "attribution", "testimony", "draft")
        testified = begins and clause.cue == "testimony"  # what follows the colon is the other's word
        drafted = begins and clause.cue == "draft" and clause.joint.text == ""  # what follows the colon is the draft
        sentence.cues.add(clause.cue)
        about = clause.about = clause.cue not in CUT_KINDS and (about or sentence.asked.names(clause.text))


def _is_led(joint: Joint, *, testified: bool) -> bool:
    """True for what stands behind a comma, or behind the colon of one who is quoted."""
    return joint.text.strip().startswith((*_COMMAS, *_COLONS) if testified else _COMMAS)


def _narrow(clause: _Clause, pack: Pack, bits: Bits) -> None:
    """Nothing but what went wrong is looked for in what a cue governs."""
    if clause.cue == "attribution" or clause.unchanged is not None:
        return
    clause.held &= bits.saying
    if clause.held.bit_count() > _FEW:
        written = clause.open_part
        if clause.plain != clause.text:
            written = f"{clause.text[: len(written)]} {written}"
        clause.held &= pack.rules.held(words_in(written))


def _tell_events(clause: _Clause, pack: Pack, bits: Bits) -> None:
    """Note the events of a clause. What went wrong may stand behind the cue."""
    open_part, wide = clause.open_part, clause.unchanged is not None or clause.cue in _MAY_BE_RED
    if wide and open_part != clause.plain:
        red = _events(clause, clause.woken & bits.red, clause.plain, pack, bits)
        clause.events = red or _events(clause, clause.held, open_part, pack, bits)
    else:
        said = _events(clause, clause.held, open_part, pack, bits)
        clause.events = {kind for kind in said if kind.endswith(RED)} or said if said else _NONE


def _events(clause: _Clause, held: int, text: str, pack: Pack, bits: Bits) -> set[str]:
    event, quoted = held & bits.event, held & bits.quoted
    said = pack.rules.named(event, text) if event else set()
    return said | pack.rules.named(quoted, clause.text[: len(text)]) if quoted else said


def _tell_kinds(clause: _Clause, pack: Pack, bits: Bits) -> None:
    """Note the kinds that a clause states, beside a denial those that were done all the same."""
    if clause.unchanged is None:
        clause.says = _kinds(clause, clause.open_part, pack, bits)
    else:
        clause.says = _kinds(clause, clause.open_part[: clause.unchanged] + _GOES_ON, pack, bits) & _BESIDE


def _kinds(clause: _Clause, open_part: str, pack: Pack, bits: Bits) -> set[Says]:
    """The kinds of the open part. A state counts in all that a log or a file is quoted for."""
    held, rules = clause.held, pack.rules
    kinds, state = held & bits.said, held & bits.state if clause.about else 0
    if state and clause.cue == "attribution" and clause.unchanged is None:
        names = rules.named(kinds, open_part) | rules.named(state, clause.plain)
    else:
        names = rules.named(kinds | state, open_part) if kinds | state else set()
    stated = {_SAYS[name] for name in names} if names else set()
    if held & bits.then and _followed(held & bits.then, open_part, pack):
        stated.add(Says.CHANGED)
    if Says.CHANGED in stated:
        stated -= {Says.ALREADY, Says.STATE, Says.PASSIVE}
    elif Says.ALREADY in stated:
        stated.discard(Says.PASSIVE)  # what was so before was not made so now
    return stated


def _followed(then: int, open_part: str, pack: Pack) -> bool:
    found = None if pack.followed is None else pack.followed.search(open_part)
    return found is not None and any(rule.search(open_part, found.end()) for rule in pack.rules.of(then))


def _sum(sentence: _Sentence, nothing: Stated, pack: Pack, bits: Bits) -> Stated:
    """The last step: what all clauses state together, or `nothing`. A state beside an inability only explains it ("I
    could not create it: the file already exists")."""
    says: set[Says] = set()
    group: set[Says] = set()
    events: set[str] = set()
    topics = _NONE
    refers = False
    for clause in sentence.clauses:
        if group and clause.joint.apart:
            says |= _explained(group)
            group = set()
        if clause.over:
            continue
        group |= clause.says
        if clause.unchanged is not None:
            group.add(Says.UNCHANGED)
        elif clause.cue in CUT_KINDS:
            group.add(CUT_KINDS[clause.cue])
        events |= clause.events
        if (referring := clause.held & bits.refers) and clause.events <= _RAN:
            named = pack.rules.named(referring, clause.open_part)
            topics = frozenset(named - {THEY}) or topics
            if THEY in named:  # the runs that the clause before told of
                events |= topics
                refers = refers or clause.first
    says |= _explained(group)
    planned = not sentence.cues.isdisjoint(PLANS)
    if not (says or events or topics or refers or planned):
        return nothing
    happened = without_contradicted(events) if events else _NONE
    if red := [kind for kind in happened if kind.endswith(RED)]:
        happened |= _turned(sentence.asked, frozenset(red), pack)
    mood = Mood.PLAN if planned and not (happened or says) else Mood.INDICATIVE
    return Stated(frozenset(says), mood, pack.language, happened, topics, refers)


def _turned(asked: Asked, red: frozenset[str], pack: Pack) -> frozenset[str]:
    """The kinds of which one part of a sentence says that they were red, and a later one that all is green: "one test
    failed at first; now all pass"."""
    parts = _PARTS.split(asked.sentence)
    means_all = [_means_all(part, pack.language) for part in parts]
    if not any(means_all[1:]):
        return frozenset()
    rows = [
        Asked(part, plain, words_in(part), asked.targets) for part, plain in zip(parts, blanked(parts), strict=True)
    ]
    told = [stated.events for stated in stated_by(rows, pack)]
    first = next((at for at, events in enumerate(told) if events & red), len(told))
    green = frozenset(kind.removesuffix(RED) for kind in red)
    later = zip(means_all[first + 1 :], told[first + 1 :], strict=True)
    return frozenset(kind for means, events in later if means for kind in events & green)


def _means_all(part: str, language: str) -> bool:
    cues = (("every", True), ("partly", False))
    return all((cue_pattern(language, cue).search(part) is not None) is wanted for cue, wanted in cues)


def _explained(group: set[Says]) -> set[Says]:
    return group - _EXPLAINS if group & _UNDONE else group


_UNDONE = frozenset({Says.UNABLE, Says.STARTED})
