"""Where a run or a look was: tests of another tree or another part say nothing of the one that was changed, and a look
at another host nothing of the one that was worked on (spec 20, "Statements")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from gate_core.checks.lacking import unbacked
from gate_core.data import load_table
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.signals import Raised, is_temporary
from gate_core.ledger.touch import acted
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Reading, Sentence
from gate_core.model.verdict import Finding

_SHORT = 300  # characters of a result that is a status
_NEXT = late(r"[;&|\n]+")
_WORD = late(r"[^\W\d_]{3,30}")


def of_another_tree(run: Raised, reading: Reading, ledger: Ledger) -> bool:
    """True for a run in a folder that holds none of the files that were changed in this turn, where the answer does not
    name the folder."""
    folder = run.event.scope
    if not folder.startswith("/") or not folder.endswith("/") or " " in folder:
        return False
    changed = [
        effect.target
        for fact, effect in ledger.changes_here
        if fact.outcome is Outcome.OK and effect.domain == FILES and not is_temporary(effect.target)
    ]
    if not changed or any(not target.startswith("/") or target.startswith(folder) for target in changed):
        return False
    name = last_name(folder.rstrip("/"))
    return not any(name in sentence.text for sentence in reading.sentences)


def of_another_part(sentence: Sentence, ledger: Ledger) -> bool:
    """True when the sentence says that the tests of a part pass that calls know as a folder, and each run of tests
    that passed was limited to other folders and says nothing of that one."""
    parts = [part for part in parts_in(sentence.head) if _folders(part, ledger)]
    if not parts:
        return False
    runs = [fact for fact in ledger.facts if any(_is_green(event.name, event.state) for event in fact.signals)]
    return bool(runs) and any(all(_is_of_others(run, part, ledger) for run in runs) for part in parts)


def parts_in(text: str) -> tuple[str, ...]:
    """The parts of a project of whose tests a text speaks, folded."""
    return tuple(match[match.lastgroup or 0].casefold().strip("/") for match in _part_of().finditer(text))


@cache
def _table() -> dict[str, str]:
    return load_table("checks", "stated", "placed.toml")


@cache
def _part_of() -> re.Pattern[str]:
    tests, name = rf"(?:{_table()['tests']})", r"[A-Za-z][\w./-]{1,40}"
    ahead = rf"(?<![\w./-])(?P<ahead>(?!(?:{_table()['whole']})\b)[A-Za-z][\w.-]{{1,40}}?)[ -]{tests}\b"
    return re.compile(rf"{ahead}|\b{tests} {_table()['of']} [`'\"]?(?P<behind>{name}\w)", re.IGNORECASE)


def _folders(part: str, ledger: Ledger) -> list[str]:
    """The files that calls of this conversation touched below a folder of that name."""
    targets = {e.target.casefold() for fact in ledger.facts for e in fact.effects if e.domain == FILES}
    return [target for target in targets if f"/{part}/" in f"/{target}"]


def _is_green(name: str, state: SignalState) -> bool:
    return name == "tests_passed" and state is SignalState.PASSED


def _is_of_others(run: Fact, part: str, ledger: Ledger) -> bool:
    """True for a run that names other folders and neither holds the part nor says a word of it."""
    found = ledger.text(run)
    asked = "\n".join(map(text_of, found[0].values())).casefold() if found is not None else ""
    printed = text_of(found[1]).casefold() if found is not None else ""
    places = () if part in asked or part in printed else places_of_run(asked)
    known = [target.split("/") for target in _folders(part, ledger)]
    return bool(places) and not any(last_name(place) in target for place in places for target in known)


def places_of_run(command: str) -> tuple[str, ...]:
    """The folders and packages that a command limits a run to; () where one of them leads nobody knows where."""
    found: list[str] = []
    for head in _NEXT.split(command):
        words = head.split()
        if words[:1] == ["cd"]:
            found += words[1:2]
            continue
        for at, word in enumerate(words[1:], 1):
            option, equals, value = word.partition("=")
            if re.fullmatch(_table()["part"], option):
                found += [value] if equals else words[at + 1 : at + 2]
            elif "/" in word and not word.startswith("-"):
                found.append(word)
    clean = [re.sub(r"^\./|/\.\.\.$|/$", "", name).casefold() for name in found]
    return () if any(not name or ".." in name or name.startswith(("-", "$")) for name in clean) else tuple(clean)


def seen_elsewhere(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """A state that a sentence tells of the place where something was done, and that was seen at another one only: the
    app on web1, where `systemctl is-active` ran on web2."""
    act = next((fact for fact in reversed(ledger.calls_here) if acted(fact)), None)
    here = set(ledger.sight.whereabouts(act).values()) if act is not None else set()
    if act is None or not any(_stands(name, sentence.head) for name in here):
        return
    looks = [fact for fact in ledger.looks_here if fact.at > act.at]
    if not looks or not all(ledger.sight.elsewhere(look, act) for look in looks):
        return
    others = {name for look in looks for name in ledger.sight.whereabouts(look).values()} - here
    if any(_stands(name, other.head) for other in reading.sentences for name in others):
        return
    seen = _words(ledger.sight.text(look) for look in looks)
    if _words([sentence.head]) & seen - _words([ledger.sight.text(act)]) - _words(here):
        yield unbacked("how it is there", fix="look at the place that you speak of, or name the one that you looked at")


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None


def _words(texts: Iterable[str | None]) -> frozenset[str]:
    """The words of short texts, folded."""
    short = (text for text in texts if text is not None and len(text) <= _SHORT)
    return frozenset(word.casefold() for text in short for word in _WORD.findall(text))
