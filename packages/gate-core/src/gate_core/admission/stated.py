"""What a user said of themselves and of others, clause by clause (spec 40, "State writes").

Distilled when a message arrives: the words of each clause, whom it is about, whether it denies or asks. A value must be
found in one clause; what is cut out of a denial, a question or somebody else's words was not stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from unicodedata import normalize

from gate_core.data import load_table
from gate_core.model.config import UNSPACED
from gate_core.model.grants import About, Stated
from gate_core.model.late import late
from gate_core.reading.segment import segments

LONGEST = 240
"""Characters of a clause that are kept."""

_MOST_TEXT = 20_000
_MOST = 120  # clauses of one message
_LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl")
_HAN, _KANA = late(r"[\u3400-\u9fff]"), late(r"[\u3040-\u30ff]")
_HANGUL, _CYRILLIC = late(r"[\uac00-\ud7af]"), late(r"[\u0400-\u04ff]")
_QUESTION = late(r"[?？][\s\"'”’)*_]{0,8}$")
_LONG_QUOTE = late(r"\"[^\"\n]*\s[^\"\n]*\s[^\"\n]*\s[^\"\n]*\"|“[^”\n]*\s[^”\n]*\s[^”\n]*\s[^”\n]*”")
_BREAK = late(r"[;:!?…()]+(?:\s|$)|,(?!\d)\s*|\.(?:\s|$)|\s[-–—]+\s|\n|[。，；：！？、]")
_AND_I = late(r"\b(?:and|und|y|et|e|en|и)\s+(?=(?:i|i['’]m|we|ich|wir|yo|je|j['’]|eu|io|ik|я|мы)\b)", re.IGNORECASE)
_ORDINAL = late(r"\b(\d{1,2})\.\s+(?=[A-ZÄÖÜ][a-zäöü]{2,8}\s+\d{4}\b)")  # "3. Mai 1990" ends no sentence
_AND = late(r"\s(?:and|und|y|et|e|en|и)\s", re.IGNORECASE)
_NAME = late(r"(?<![.!?]\s)(?<!^)\b[A-ZÄÖÜÉÀÑ][\w'’-]+|^[A-ZÄÖÜÉÀÑ][\w'’-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The small words of a language."""

    language: str
    negate: re.Pattern[str]
    past: re.Pattern[str]
    was: re.Pattern[str]
    now: re.Pattern[str]
    unsure: re.Pattern[str]
    first: re.Pattern[str]
    own: re.Pattern[str]
    people: re.Pattern[str]
    others: re.Pattern[str]
    verbs: re.Pattern[str]
    contrast: re.Pattern[str]
    contractions: Mapping[str, str]
    speaker: frozenset[str]
    ordered: re.Pattern[str]
    addressed: re.Pattern[str]
    elliptic: re.Pattern[str]
    rights: re.Pattern[str]


def statements_of(text: str, *, turn: int = 0) -> tuple[Stated, ...]:
    """The clauses of a message, in order."""
    return tuple(clause for clause, _ in zip(_clauses(text, turn), range(_MOST), strict=False))


def _clauses(text: str, turn: int) -> Iterator[Stated]:
    for segment in segments(_ORDINAL.sub(r"\1 ", text[:_MOST_TEXT])):
        if segment.code or segment.quoted:
            continue
        grammar = grammar_of(segment.text)
        sentence = _LONG_QUOTE.sub(" ", segment.text)
        question = _QUESTION.search(sentence) is not None
        about = About.OPEN
        parts = list(_parts(sentence, grammar))
        changed = any(grammar.now.match(part.lower()) for part in parts[1:])  # "was 500, now it is 650"
        for number, part in enumerate(parts):
            about = _about(part, grammar) or (About.OPEN if _sets_right(parts[:number], part, grammar) else about)
            folded = fold(part, grammar)
            if folded:
                yield Stated(
                    turn=turn,
                    text=folded[:LONGEST],
                    about=about,
                    negated=grammar.negate.search(folded) is not None
                    or grammar.past.search(folded) is not None
                    or (changed and grammar.was.search(folded) is not None and not grammar.now.match(folded)),
                    question=question or grammar.unsure.search(sentence.lower()) is not None,
                )


def _sets_right(before: Sequence[str], part: str, grammar: Grammar) -> bool:
    """ "The form says my name is Jon, but it's John": what sets a record of the speaker right is the speaker's word."""
    if not before or grammar.rights.match(part.lower()) is None:
        return False
    recorded = before[-1].lower()
    return grammar.own.search(recorded) is not None and grammar.people.search(recorded) is None


def _parts(sentence: str, grammar: Grammar) -> Iterator[str]:
    for part in _BREAK.split(sentence):
        for piece in grammar.contrast.split(part):
            joined = _AND_I.search(piece)
            cut = joined.start() if joined and grammar.verbs.search(piece[: joined.start()].lower()) else 0
            cut = cut or _another_person(piece, grammar)
            joined = _AND.search(piece, cut - 1) if cut and not (joined and joined.start() == cut) else joined
            halves = (piece[:cut], piece[joined.end() :]) if joined and cut else (piece,)  # "she is Ana and I am Bob"
            yield from (half.strip() for whole in halves for half in _denied_apart(whole, grammar) if half.strip())


def _another_person(piece: str, grammar: Grammar) -> int:
    """ "We live in Graz and our daughter studies in Wien": where the "and" stands, 0 for none."""
    for joined in _AND.finditer(piece):
        before, behind = piece[: joined.start()].lower(), piece[joined.end() :].lower()
        own = grammar.own.match(behind)
        if own and grammar.people.search(behind, own.end(), own.end() + 16) and grammar.first.search(before):
            return joined.start()
    return 0


def _denied_apart(piece: str, grammar: Grammar) -> tuple[str, ...]:
    """ "I like tea and don't like coffee": a denial behind the "and" is none of what stands before it."""
    for joined in _AND.finditer(piece):
        before, behind = piece[: joined.start()], piece[joined.end() :]
        if grammar.negate.search(behind.lower()) and not grammar.negate.search(before.lower()):
            return (before, behind)
    return (piece,)


def _about(part: str, grammar: Grammar) -> About:
    """Whom a clause is about: the first word that says so."""
    lowered = normalize("NFKC", part).lower().replace("’", "'")
    lowered = grammar.addressed.sub(lambda match: " " * len(match[0]), lowered)  # "you can reach me at"
    first, person = grammar.first.search(lowered), grammar.people.search(lowered)
    other = grammar.others.search(lowered)
    if first and person and person.start() >= first.end() and lowered[first.end() : person.start()] in ("", "的"):
        return About.OTHER  # "我妹妹" is "my sister"
    if first and not (person and person.start() < first.start() and not _joined(lowered, person.end(), first.start())):
        return About.SELF if not other or first.start() < other.start() else About.OTHER
    if person or other:
        return About.OTHER
    name = _NAME.match(part)
    if name and grammar.verbs.match(lowered[name.end() :].lstrip()):
        return About.OTHER
    return About.SELF if grammar.own.search(lowered) else About.OPEN


def _joined(text: str, start: int, end: int) -> bool:
    """ "my wife and I": both."""
    return re.fullmatch(r"\W*(?:and|und|y|et|和)\W*", text[start:end]) is not None


def fold(text: str, grammar: Grammar | None = None) -> str:
    """Text as values are looked for in it."""
    folded = " ".join(normalize("NFKC", text).lower().replace("’", "'").split())
    for short, long in (grammar.contractions if grammar else {}).items():
        folded = re.sub(rf"(?<!\w){re.escape(short)}(?!\w)", long, folded)
    return folded


def grammar_of(text: str) -> Grammar:
    """The grammar of the language with most of its small words in a text."""
    if _KANA.search(text):
        return grammar("ja")
    if _HANGUL.search(text):
        return grammar("ko")
    if _HAN.search(text):
        return grammar("zh")
    if _CYRILLIC.search(text):
        return grammar("ru")
    lowered = text.lower()
    return max(
        map(grammar, _LANGUAGES),
        key=lambda g: (
            len(g.first.findall(lowered))
            + len(g.own.findall(lowered))
            + len(g.negate.findall(lowered))
            + len(g.past.findall(lowered))
            + len(g.verbs.findall(lowered))
            + len(g.others.findall(lowered))
        ),
    )


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language."""
    table = load_table("admission", "statements", f"{language}.toml")
    spaced = language not in UNSPACED

    def words(key: str) -> re.Pattern[str]:
        return _words(table, key, spaced=spaced)

    return Grammar(
        language=language,
        negate=words("negate"),
        past=words("past"),
        was=words("was"),
        now=words("now"),
        unsure=re.compile("|".join(table["unsure"])),
        first=words("first"),
        own=words("own"),
        people=words("people"),
        others=words("others"),
        verbs=words("verbs"),
        contrast=re.compile(words("contrast").pattern, re.IGNORECASE),
        contractions=table["contractions"],
        speaker=frozenset(table["speaker"]),
        ordered=words("ordered"),
        addressed=words("addressed"),
        elliptic=words("elliptic"),
        rights=words("rights"),
    )


def _words(table: Mapping[str, Any], key: str, *, spaced: bool) -> re.Pattern[str]:
    if not table.get(key):
        return re.compile(r"(?!)")
    joined = "|".join(table[key])
    if not spaced:
        return re.compile(f"(?:{joined})")
    return re.compile(
        rf"(?<![\w])(?:{joined})(?!\w)|(?<=\w)n't(?!\w)" if key == "negate" else rf"(?<!\w)(?:{joined})(?!\w)"
    )
