"""What a conversation has before it: the things of an action's kind that were named or seen (spec 40, "Intent").

"Cancel it" means the only one in reach, "cancel the one to Rome" the one whose record says Rome and no other does,
"delete them" what was shown or named right before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from unicodedata import normalize

from gate_core.admission.action import Action, nouns_of
from gate_core.admission.clauses import SPECIFIC
from gate_core.admission.supported import find_words
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES
from gate_core.model.fact import Fact
from gate_core.model.json import Json, scalars, text_of
from gate_core.model.kinds import Outcome
from gate_core.profiles.verbs import name_words

_MOST_FACTS = 100  # the last looks of a kind
_MOST_RECORDS = 400
_MOST_TEXT = 65_536  # characters of one result


def folded(text: str) -> str:
    """Text as names are compared."""
    return normalize("NFKC", text).strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one call showed, or one message named: the targets it was about, and its records, folded."""

    turn: int
    targets: frozenset[str] = frozenset()
    records: tuple[str, ...] = ()

    def holding(self, thing: str) -> tuple[str, ...]:
        """What it says of a thing: all of it where the call was about that thing, else the records that name it."""
        if thing in self.targets:
            return (" ".join((thing, *self.records)),)
        return tuple(record for record in self.records if find_words(record, thing) is not None)

    def others(self, thing: str) -> tuple[str, ...]:
        """What it says of other things of the kind."""
        if thing in self.targets:
            return ()
        named = SPECIFIC.search(thing) is not None
        rest = [r for r in self.records if find_words(r, thing) is None and (not named or SPECIFIC.search(r))]
        if len(rest) == len(self.records) and self.targets:
            return (" ".join((*self.targets, *self.records)),)
        return tuple(rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """`things` are those of the action's kind, folded; `nouns` are the words for the kind ("reservation").

    `tells` says whether what was seen of a touched thing holds a word ("Rome"); `shown` gives what calls showed and
    messages named, made when it is asked for.
    """

    things: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    tells: Callable[[str], bool] = field(default=lambda word: False)
    shown: Callable[[], Sequence[Shown]] = field(default=tuple)

    def means(self, words: Sequence[str], thing: str) -> bool:
        """True when what was seen makes these words mean this thing and no other; no words mean the only one."""
        if len(self.things) == 1 and thing in self.things and all(map(self.tells, words)):
            return True
        shown = self.shown()
        own = [record for item in shown for record in item.holding(thing)]
        if not own:
            return False
        others = (record for item in shown for record in item.others(thing))
        return any(_says(record, words) for record in own) and not any(_says(record, words) for record in others)

    def was_shown(self, thing: str, turn: int) -> bool:
        """True for a thing that was shown or named in this turn or the one before."""
        return any(item.turn >= turn - 1 and item.holding(thing) for item in self.shown())


def _says(record: str, words: Sequence[str]) -> bool:
    return all(find_words(record, word) is not None for word in words)


def reach_of(tool: str, action: Action, ledger: Ledger) -> Reach:
    """What is in reach of an action that this tool is about to do."""
    kind = action.kind
    facts = [fact for fact in ledger.facts if fact.executed and fact.outcome is Outcome.OK]
    touched = {e.target: fact for fact in facts for e in fact.effects if _is_of(e.target, kind)}
    if kind == "file":
        things = {*touched, *(name for _, name in _named(ledger))}
    else:
        things = {target.partition(":")[2] for target in touched}
    return Reach(
        things=frozenset(folded(thing) for thing in things),
        nouns=noun_forms(nouns_of(kind) if action.implicit else (kind, *name_words(tool), *_called(kind))),
        tells=lambda word: any(word in folded(_text(ledger, fact)) for fact in touched.values()),
        shown=cache(lambda: tuple(_shown(kind, facts, ledger))),
    )


def _called(kind: str) -> Sequence[str]:
    """What people call a thing of this kind."""
    table: dict[str, list[str]] = load_table("admission", "intents", "nouns.toml")
    return table.get(kind, ())


def _is_of(target: str, kind: str) -> bool:
    if kind == "file":
        return ":" not in target
    return bool(kind) and target.partition(":")[0] == kind


def _named(ledger: Ledger) -> Iterator[tuple[int, str]]:
    """(turn, name) of the files that the user named."""
    for message in ledger.state.said:
        yield from ((message.turn, name) for name in message.subjects if "://" not in name)


def _shown(kind: str, facts: Sequence[Fact], ledger: Ledger) -> Iterator[Shown]:
    for fact in [fact for fact in facts if _tells_of(fact, kind)][-_MOST_FACTS:]:
        of_kind = [effect.target for effect in fact.effects if _is_of(effect.target, kind)]
        names = of_kind if kind == "file" else [target.partition(":")[2] for target in of_kind]
        found = ledger.text(fact)
        records = records_of(found[1]) if found is not None else ()
        yield Shown(turn=fact.turn, targets=frozenset(map(folded, names)), records=records)
    if kind == "file":
        yield from (Shown(turn=turn, targets=frozenset({folded(name)})) for turn, name in _named(ledger))


def _tells_of(fact: Fact, kind: str) -> bool:
    """True for a look at things of a kind, by its targets or by the name of its tool ("list_reservations")."""
    if any(effect.did in CHANGES for effect in fact.effects):
        return False
    return any(_is_of(effect.target, kind) for effect in fact.effects) or (
        bool(kind) and plain_word(kind) in noun_forms(name_words(fact.tool))
    )


def _text(ledger: Ledger, fact: Fact) -> str:
    found = ledger.text(fact)
    return text_of(found[1]) if found is not None else ""


def records_of(result: Json) -> tuple[str, ...]:
    """The records of a result, folded: the items of its lists, its objects without their lists, the lines of a text."""
    if isinstance(result, str) and result.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            result = json.loads(result[:_MOST_TEXT])
    try:
        found = [folded(record) for record, _ in zip(_records(result), range(_MOST_RECORDS), strict=False)]
    except RecursionError:
        return ()
    return tuple(record for record in found if record)


def _records(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield from value[:_MOST_TEXT].splitlines()
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _records(item)
    elif isinstance(value, dict):
        lists = {name for name, item in value.items() if _holds_objects(item)}
        yield " ".join(str(leaf) for name, item in value.items() if name not in lists for leaf in scalars(item))
        for name in lists:
            yield from _records(value[name])
    elif value is not None:
        yield str(value)


def _holds_objects(value: Json) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(item, dict | list | tuple | str) for item in value)


def plain_word(word: str) -> str:
    """A word without its plural."""
    word = folded(word)
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def noun_forms(words: Iterable[str]) -> frozenset[str]:
    """The words for a kind, as they are compared."""
    return frozenset(plain_word(word) for word in words if word)
