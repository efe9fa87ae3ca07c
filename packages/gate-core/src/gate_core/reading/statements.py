"""What a sentence states, by the language packs. A clause under a negation, a hedge, a plan or a condition states
nothing else; what stands before the cue still counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.model.reading import Mood, Says
from gate_core.reading.blind import Blind
from gate_core.reading.clauses import Joint, blanked, clauses
from gate_core.reading.events import RED, THEY, without_contradicted
from gate_core.reading.languages import SHARED, likely
from gate_core.reading.packs import STATE, UNCHANGED, Pack, pack
from gate_core.reading.rules import Rule, matches

_WORD = late(r"\w")
_LONGEST = 2_000  # characters of one sentence that are read; no sentence of a person is longer
_COMMAS = (",", "，", "、")
_KEPT = 1_024  # sentences whose reading is remembered; an answer that is sent back comes again
_GOES_ON = " x"  # what is cut off is not the end of the clause
_OPEN_BOXES = ("[ ]", "☐", "❏", "□")  # what stands behind it is yet to be done
_BENDS = frozenset({"subordinate", "modal", "unable"})
_BESIDE = frozenset({Says.CHANGED, Says.DONE, Says.PASSIVE, Says.LOOKED})
_CUT_KINDS = {"unable": Says.UNABLE, "hedge": Says.HEDGE, "started": Says.STARTED}
_MAY_BE_RED = frozenset({"unable", "negated"})
_GOVERNED = frozenset({"condition", "subordinate", "attribution", "past", "draft"})
"""What stands behind these cues is nobody's statement, a denial neither."""
_PLANS = frozenset({"plan", "condition", "draft"})
_EXPLAINS = frozenset({Says.STATE, Says.ALREADY})
_KINDS = ("kind", UNCHANGED)
_EVENTS = ("event", "quoted", "refers")
_SAYS = {kind.value: kind for kind in Says}


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


def state(sentence: str, targets: Sequence[str], languages: tuple[str, ...] = ()) -> Stated:
    """What a sentence states. A state is stated only of `targets`, the things the sentence names.

    `languages` limits the packs that are tried; empty for all of them.
    The first pack that recognises the sentence reads it; what a pack takes for a mere state ("was", "has" are words
    of other languages too) yields to one that recognises more.
    """
    return _state(sentence[:_LONGEST], tuple(targets), languages)


def forget() -> None:
    """Forget the sentences that were read; for measures of what a new one costs."""
    _state.cache_clear()


@lru_cache(maxsize=_KEPT)
def _state(sentence: str, targets: tuple[str, ...], languages: tuple[str, ...]) -> Stated:
    if _WORD.search(sentence) is None:
        return Stated()
    if sentence.startswith(_OPEN_BOXES):
        return Stated(mood=Mood.PLAN)
    if sentence.rstrip(" *_)\"'").endswith(("?", "？")):
        return Stated(mood=Mood.QUESTION)
    weak: Stated | None = None
    for language in likely(sentence):
        if languages and language not in languages:
            continue
        stated = _Reader(pack(language), targets).read(sentence)
        if stated.mood is not Mood.INDICATIVE or stated.says - {Says.STATE} or stated.events or stated.refers:
            return stated
        if stated.says or stated.topics:
            weak = weak or stated
    return weak or NOTHING


class _Reader:
    """Reads one sentence with one pack."""

    def __init__(self, pack: Pack, targets: Sequence[str]) -> None:
        self.pack = pack
        self.rules = pack.rules
        self.eventful, self.kinds = _told_by(pack.language)
        self.targets = targets
        self.sentence = ""
        self.held = 0
        self.cues: set[str] = set()
        self.events: set[str] = set()
        self.topics: frozenset[str] = frozenset()
        self.refers = self.spoke = False
        self.about = self.conditional = self.drafted = False

    def read(self, sentence: str) -> Stated:
        plain = blanked(sentence)
        language = self.pack.language
        self.sentence, self.held = sentence, self._held(sentence, plain)
        if language in SHARED and not self.held & _stating(language, named=self._names(sentence)):
            return _nothing(language)
        says: set[Says] = set()
        group: set[Says] = set()
        introducing = self.rules.of(self.held, "introducing")
        for joint, clause, open_words in clauses(sentence, plain, introducing, self.pack):
            if joint.apart:
                says |= _explained(group)
                group = set()
            if _WORD.search(open_words):
                group |= self._clause(joint, clause, open_words)
        says |= _explained(group)
        events = without_contradicted(self.events)
        mood = Mood.INDICATIVE if events else self._mood(says)
        return Stated(
            says=frozenset(says),
            mood=mood,
            language=self.pack.language,
            events=events,
            topics=self.topics,
            refers=self.refers,
        )

    def _mood(self, says: set[Says]) -> Mood:
        if says:
            return Mood.INDICATIVE
        return Mood.PLAN if self.cues & _PLANS else Mood.INDICATIVE

    def _held(self, clause: str, plain: str) -> int:
        """The rules that may match in a clause, its quoted words read and blanked."""
        return self.rules.held(clause, blanked=plain != clause)

    def _names(self, clause: str) -> bool:
        """True when a clause names something that a state can be stated of."""
        return bool(self.targets) and any(target in clause for target in self.targets)

    def _clause(self, joint: Joint, clause: str, plain: str) -> set[Says]:
        if self.conditional and (joint.text.strip().startswith(_COMMAS) or self.drafted):
            return set()  # what a condition leads to did not happen, what a source says is the source's
        held = self.held if clause == self.sentence else self._held(clause, plain)
        if not held:
            self.conditional, self.spoke = False, True
            self.about = self.about or self._names(clause)
            return set()
        cue, open_part = _cut(plain, self.rules.of(held, "cut"))
        whole = plain if cue in _MAY_BE_RED else ""
        open_part = _open(cue, open_part, plain[len(open_part) :], self.pack.bending)
        unchanged = _begins(self.rules.of(held, UNCHANGED), plain)
        governed = cue in _GOVERNED and unchanged is not None and unchanged > len(open_part.removesuffix(_GOES_ON))
        if unchanged is not None and not governed:
            self._happened(held, open_part, plain, clause)
            before = open_part[:unchanged] + _GOES_ON
            return {Says.UNCHANGED} | (self._stated(held, before, before) & _BESIDE)
        begins = not open_part.removesuffix(_GOES_ON).strip()
        self.conditional = begins and cue in ("condition", "attribution", "draft")
        self.drafted = begins and cue == "draft" and joint.text == ""  # what follows the colon is the draft
        self.cues.add(cue)
        says = {_CUT_KINDS[cue]} if cue in _CUT_KINDS else set()
        self.about = cue not in _CUT_KINDS and (self.about or self._names(clause))
        if cue and not whole and cue != "attribution":  # nothing is looked for in what the cue governs
            held &= self.rules.held(open_part if plain == clause else f"{clause[: len(open_part)]} {open_part}")
        self._happened(held, open_part, whole or open_part, clause)
        return says | self._stated(held, open_part, plain if cue == "attribution" else open_part)

    def _happened(self, held: int, open_part: str, whole: str, worded: str) -> None:
        """Note the events of a clause, `worded` with its quotes; what went wrong may stand behind the cue."""
        if held & self.eventful:
            said = self._events(held, open_part, worded)
            red = said if whole == open_part else self._events(held, whole, worded)
            red = {kind for kind in red if kind.endswith(RED)} if red else red
            self.events |= red or said or self._referred(held, open_part)
        self.spoke = True

    def _events(self, held: int, text: str, worded: str) -> set[str]:
        said = _named(self.rules.of(held, "event"), text)
        quoted = self.rules.of(held, "quoted")
        return said | _named(quoted, worded[: len(text)]) if quoted else said

    def _referred(self, held: int, open_part: str) -> frozenset[str]:
        """The runs of which a clause says only "they" or "all of it": those that the clause before it told of."""
        rules = self.rules.of(held, "refers")
        if not rules:
            return frozenset()
        named = _named(rules, open_part)
        told = self.topics
        self.topics = frozenset(named - {THEY}) or told
        if THEY not in named:
            return frozenset()
        self.refers = self.refers or not self.spoke
        return self.topics

    def _stated(self, held: int, open_part: str, wide: str) -> set[Says]:
        """The kinds a clause states. A state counts in `wide`, what a log or a file is quoted for included."""
        if not held & self.kinds:
            return set()
        stated = {_SAYS[name] for group in _KINDS for name in _named(self.rules.of(held, group), open_part)}
        if self.about and _named(self.rules.of(held, STATE), wide):
            stated.add(Says.STATE)
        if self._followed(held, open_part):
            stated.add(Says.CHANGED)
        if Says.CHANGED in stated:
            stated -= {Says.ALREADY, Says.STATE, Says.PASSIVE}
        elif Says.ALREADY in stated:
            stated.discard(Says.PASSIVE)  # what was so before was not made so now
        return stated

    def _followed(self, held: int, open_part: str) -> bool:
        then = self.rules.of(held, "then")
        if not then or self.pack.followed is None:
            return False
        found = self.pack.followed.search(open_part)
        return found is not None and any(rule.search(open_part, found.end()) for rule in then)


@cache
def _nothing(language: str) -> Stated:
    """What a sentence states that states nothing."""
    return Stated(language=language)


@cache
def _told_by(language: str) -> tuple[int, int]:
    """(the rules of events, the rules of kinds) of a language."""
    rules = pack(language).rules
    return rules.bits(lambda rule: rule.group in _EVENTS), rules.bits(
        lambda rule: rule.group in (*_KINDS, STATE, "then")
    )


@cache
def _stating(language: str, *, named: bool) -> int:
    """The rules of a language without which no clause states anything: neither mere cues, nor those of states in a
    sentence that names nothing to have one. Asked of languages that join clauses between words: what no word of a
    sentence wakes, no word of a clause does."""

    def states(rule: Rule) -> bool:
        if rule.group == "cut":
            return rule.name in _PLANS or rule.name in _CUT_KINDS
        return rule.group != "introducing" and (named or rule.group != STATE)

    return pack(language).rules.bits(states)


def _named(rules: Sequence[Rule], text: str) -> set[str]:
    """The names of the rules that match in a text."""
    if not rules:
        return set()
    found: set[str] = set()
    low = text.lower()
    same = len(low) == len(text)
    for rule in rules:
        if rule.name not in found:
            quick = rule.quick if same else None
            if (rule.search(text, 0, low) if quick is None else quick(low)) is not None:
                found.add(rule.name)
    return found


def _begins(rules: Sequence[Rule], text: str) -> int | None:
    """Where the first match of the rules begins."""
    return min((match.start() for _, match in matches(rules, text)), default=None) if rules else None


def _explained(group: set[Says]) -> set[Says]:
    """A state beside an inability only explains it ("I could not create it: the file already exists")."""
    return group - _EXPLAINS if group & {Says.UNABLE, Says.STARTED} else group


def _open(cue: str, open_part: str, rest: str, bending: Blind | None) -> str:
    """The open part, and what shows that it goes on: the word that makes a condition or a name of it, or just x."""
    if not cue:
        return open_part
    found = bending.match(rest) if bending is not None and cue in _BENDS else None
    return f"{open_part.rstrip()} {found['word']}{_GOES_ON}" if found else open_part + _GOES_ON


def _cut(clause: str, cues: Sequence[Rule]) -> tuple[str, str]:
    """(the first governing cue, the part of the clause before it)."""
    if not cues:
        return "", clause
    found = [(match.start(), rule.name) for rule, match in matches(cues, clause)]
    if not found:
        return "", clause
    at, name = min(found)
    return name, clause[:at]
