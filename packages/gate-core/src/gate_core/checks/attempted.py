"""What a change was to bring that failed or did nothing, told as if it were so: "customer 42 is on the gold plan now"
after `UPDATE 0` (spec 20, "Outcome of a call": such a change does not support "I did it").

It may be so all the same: then a later look shows it, or, where there was nothing to do, an earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gate_core.checks.finding import call_name, finding
from gate_core.checks.overlooked import owns_up
from gate_core.checks.undone import only_tries, says_taken_back, says_tried, takes_back
from gate_core.data import load_table
from gate_core.footprint.rules import does
from gate_core.footprint.targets import FILES, last_name, same_target
from gate_core.ledger import Ledger
from gate_core.ledger.touch import ACTS, CHANGES, acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.kinds import Did, Outcome, ToolEffect
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.state import Asks
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says
from gate_core.reading.turn import asked

_WORD = late(r"\w(?:[\w.+@:/-]*\w)?")
_IN_VAIN = frozenset({Outcome.FAILED, Outcome.NO_OP})
_NO_CLAIM = frozenset({Says.UNABLE, Says.HEDGE, Says.UNCHANGED, Says.ALREADY})
_UNMADE = _IN_VAIN | {Outcome.UNKNOWN}
_NOT_DONE = _UNMADE | {Outcome.PENDING}


def check_attempted(reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The first change of the turn that ended in vain and of which the answer tells what it was to bring."""
    acts = _acts_of(ledger)
    if not acts:
        return
    asked_at = _last_asked(ledger)
    unmade = (fact for fact in acts if acted(fact))
    tried = [fact for fact in unmade if fact.outcome in _UNMADE or _is_asked(fact, asked_at) or _is_unmet(fact, ledger)]
    vain = all(fact.outcome in _NOT_DONE or only_tries(fact, ledger) for fact in acts)
    if not (tried or vain) or any(owns_up(sentence) or sentence.says & _NO_CLAIM for sentence in reading.sentences):
        return
    if not tried and any(says_taken_back(sentence) or says_tried(sentence) for sentence in reading.sentences):
        return
    told = [(s, _words(s.head)) for s in reading.sentences if s.mood is Mood.INDICATIVE and not (s.quoted or s.code)]
    for fact in tried:
        if any(_is_told(fact, sentence, words, ledger) for sentence, words in told):
            target = next(effect.target for effect in fact.effects if effect.did in ACTS)
            where = f"the target of {call_name(fact.call)}"
            yield finding(Code.CHANGE_FAILED, target, where=where, evidence=(fact,))
            return
    if (
        vain
        and asked(ledger) in (Asks.CHANGE, Asks.UNKNOWN)
        and any(_tells_it_done(sentence, acts, ledger) for sentence, _ in told)
    ):
        where = f"the target of {call_name(acts[-1].call)}"
        yield finding(Code.CHANGE_FAILED, f"tool:{acts[-1].tool}", where=where, evidence=(acts[-1],))


def _acts_of(ledger: Ledger) -> list[Fact]:
    """The calls of the turn that did something, were to, or only tried it. What was taken back again is none."""
    here = [fact for fact in ledger.calls_here if not takes_back(fact)]
    return [fact for fact in here if acted(fact) or _is_failed_tool(fact) or only_tries(fact, ledger)]


def _is_failed_tool(fact: Fact) -> bool:
    """True for a tool nobody knows that failed: it was to do something, or to show something."""
    return fact.outcome in _IN_VAIN and not fact.effects and fact.profile in ("", ToolEffect.UNKNOWN.value)


def _tells_it_done(sentence: Sentence, acts: list[Fact], ledger: Ledger) -> bool:
    """True for a sentence by which something was done, in a word that no result holds, where no look came
    after what was tried."""
    last = max(acts, key=lambda fact: fact.at)
    refuted = any(debt.contradicted and debt.change.key == last.key for debt in ledger.debts)
    if not refuted and any(
        fact.at > last.at and any(_concerns(fact, act) for act in acts) for fact in ledger.looks_here
    ):
        return False
    texts = [ledger.sight.text(fact) or "" for fact in ledger.calls_here]
    seen = {word for text in texts for word in _words(text)}
    told = {language for text in texts for language in done_words(text[:_TOLD])}
    for language, words in done_words(sentence.head, sentence.language).items():
        if (not told or language in told) and any(word not in seen for word in words):
            return True  # what a result says in another language, the answer may tell in its own words
    return False


_TOLD = 2_000  # characters of a result in which it says how things are


def done_words(text: str, language: str = "") -> dict[str, frozenset[str]]:
    """Language -> the words by which a text says that a thing was done; of one language only, where that is known."""
    rows = load_table("checks", "attempted.toml")["done"]
    rows = {language: rows[language]} if language in rows else rows
    found = {
        key: [match[match.lastgroup or 0] for match in re.finditer(row, text, re.IGNORECASE)]
        for key, row in rows.items()
    }
    return {key: frozenset(word.casefold() for word in words) for key, words in found.items() if words}


def _is_unmet(fact: Fact, ledger: Ledger) -> bool:
    """True for a replacement by a stream editor that no later look at the file shows, though one was taken: it met
    nothing to replace."""
    changed = [e.target for e in fact.effects if e.did is Did.CHANGED and e.domain == FILES]
    if len(changed) != 1 or len(fact.ran) != 1 or not does("edit", fact.ran[0]):
        return False
    looks = [look for look in ledger.looks_here if look.at > fact.at and _shows_whole(look, changed[0])]
    texts = [ledger.sight.text(look) for look in looks]
    new = [text for text, _ in ledger.sight.meant(fact)]
    return bool(texts and new) and not any(text is None or value in text for value in new for text in texts)


def _shows_whole(look: Fact, target: str) -> bool:
    """True for a look at all of a file."""
    whole = look.profile == ToolEffect.READ.value or all(head.startswith("cat ") for head in look.ran)
    shown = (e for e in look.effects if e.did is Did.SHOWED and e.lines is None)
    return whole and any(same_target(effect.target, target) for effect in shown)


def _last_asked(ledger: Ledger) -> dict[str, tuple[int, int]]:
    """Folder of an address -> when a look of this turn last showed something of it."""
    looks = sorted(ledger.looks_here, key=lambda fact: fact.at)
    return {_folder_of(e.target): fact.at for fact in looks for e in fact.effects if e.did is Did.SHOWED}


def _is_asked(fact: Fact, asked_at: Mapping[str, tuple[int, int]]) -> bool:
    """True for what was sent to an address that was asked again later, or whose neighbour was: the answer counts."""
    sent = (_folder_of(e.target) for e in fact.effects if e.did is Did.OPAQUE and "://" in e.target)
    return any(asked_at.get(folder, fact.at) > fact.at for folder in sent)


def _folder_of(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[0]


def _concerns(look: Fact, act: Fact) -> bool:
    """True for a look at what an act was to change: at the file, or into a world that is none of files."""
    files = [effect.target for effect in act.effects if effect.did in CHANGES and effect.domain == FILES]
    if files:
        return any(same_target(effect.target, target) for effect in look.effects for target in files)
    return any(effect.domain != FILES for effect in look.effects) and not _is_beside(look, act)


def _is_beside(look: Fact, act: Fact) -> bool:
    """True for a look at nothing but things of one kind with what was to be changed, under other names."""
    acted = [(e.target.split("/", 1), e.domain) for e in act.effects if e.did in CHANGES and _KINDED.match(e.target)]
    looked = [(e.target.split("/", 1), e.domain) for e in look.effects if not e.target.startswith("tool:")]
    if not acted or not looked or any(len(parts) == 1 for parts, _ in looked):
        return False
    return not any(
        domain != world or kind != sort or name.startswith(other) or other.startswith(name)
        for (sort, name), world in acted
        for (kind, other), domain in ((parts, domain) for parts, domain in looked)
    )


_KINDED = late(r"[a-z]\w*:(?!//)[^/]{1,60}/")
"""A thing of another world, by its kind and name ("aws:s3/acme/report.pdf")."""


def _is_neighbour(look: Fact, act: Fact) -> bool:
    """True for a look at another record than the one that was acted on: `/projects/8` beside `/projects/9`."""
    looked = {e.target.partition("?")[0] for e in look.effects if e.did is Did.SHOWED and "://" in e.target}
    acted = {e.target.partition("?")[0] for e in act.effects if e.did is Did.OPAQUE and "://" in e.target}
    beside = {_folder_of(target) for target in acted} & {_folder_of(target) for target in looked}
    return bool(beside) and looked.isdisjoint(acted)


def _is_told(fact: Fact, sentence: Sentence, words: frozenset[str], ledger: Ledger) -> bool:
    """True when a sentence tells that something is gone that could not be deleted, or tells a value that could not be
    set, and nothing shows that it is so."""
    for effect in fact.effects:
        if effect.did is Did.DELETED and last_name(effect.target).casefold() in words and says("deleting", sentence):
            touch = ledger.touches.get(effect.target)
            return touch is None or not touch.absent
    told = (value & words for value in _values(fact, ledger) if len(value - words) <= (len(value) > 2))
    return any(not _is_shown(part, fact, ledger) for part in told)


def _values(fact: Fact, ledger: Ledger) -> Iterator[frozenset[str]]:
    """The words of each value a change was to bring. A single letter or digit says too little to be one."""
    for text, old in ledger.sight.meant(fact):
        value = _words(text) - _words(old)
        if 0 < len(value) <= _FEW and any(len(word) > 1 for word in value):
            yield value


_FEW = 4  # words of a value that an answer repeats; a longer text is content


def _is_shown(value: frozenset[str], fact: Fact, ledger: Ledger) -> bool:
    """True when a look holds the value, or another change of the turn brought it."""
    for other in ledger.calls_here:
        if (other.key == fact.key and fact.outcome in _UNMADE) or _is_neighbour(other, fact):
            continue
        if acted(other) and other.outcome not in _UNMADE and other.key != fact.key:
            if any(value <= _words(text) for text, _ in ledger.sight.meant(other)) or _effects_alike(other, fact):
                return True
        elif (other.at >= fact.at or fact.outcome is Outcome.NO_OP) and _concerns(other, fact):
            text = ledger.sight.text(other)
            if text is None or value <= _words(text):
                return True
    return False


def _effects_alike(one: Fact, other: Fact) -> bool:
    """True when both acted on one target."""
    targets = {effect.target for effect in other.effects if effect.did in ACTS}
    return any(effect.did in ACTS and effect.target in targets for effect in one.effects)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
