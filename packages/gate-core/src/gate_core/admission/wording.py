"""The wording of requests, one data file per language (intents/*.toml), compiled once.

A verb asks for an action by what stands around it: `lead` is all that may stand before an imperative, `request` are
frames that end at the verb, `negate` forbids. Languages whose verbs end the clause are `final`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from unicodedata import normalize

from gate_core.data import load_table
from gate_core.model.late import late

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "ru", "zh", "ja", "ko")
_LATIN, _SHY = ("en", "de", "es", "fr"), ("pt", "it", "nl")
_HAN, _KANA = late(r"[\u3400-\u9fff]"), late(r"[\u3040-\u30ff]")
_HANGUL, _CYRILLIC = late(r"[\uac00-\ud7af]"), late(r"[\u0400-\u04ff]")
_LETTERS = late(r"(?<!\w)[^\W\d_]{2,}(?!\w)")
_LETTER = late(r"[A-Za-z\u00c0-\u024f]")
_NEVER = late(r"(?!)")
_COLON = late(r":(?:\s|$|(?=[\u3040-\u9fff]))|(?<=[\u3040-\u9fff]):")
_ACCENTED, _PLAIN = "áàâäéèêëíìîïóòôöúùûüñç", "aaaaeeeeiiiioooouuuunc"
_BARE = str.maketrans(_ACCENTED, _PLAIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """One language. `verbs` finds a verb of any family, `families` tells which; patterns see lower case."""

    language: str
    spaced: bool
    final: bool
    verbs: re.Pattern[str]
    families: Mapping[str, re.Pattern[str]]
    separators: re.Pattern[str]
    contrast: re.Pattern[str]
    lead: re.Pattern[str]
    request: re.Pattern[str]
    request_gerund: re.Pattern[str]
    gerund: re.Pattern[str]
    not_negate: re.Pattern[str]
    negate: re.Pattern[str]
    negate_after: re.Pattern[str]
    negate_over: re.Pattern[str]
    asked_after: re.Pattern[str] | None
    asked_in_question: re.Pattern[str]
    request_in_question: re.Pattern[str]
    noun_before: re.Pattern[str]
    noun_after: re.Pattern[str]
    insists: re.Pattern[str]
    interrogative: re.Pattern[str]
    below: re.Pattern[str]
    within: re.Pattern[str]
    asked_behind: re.Pattern[str]
    hands_over: re.Pattern[str]
    whether_you: re.Pattern[str]
    reports: re.Pattern[str]
    unsure: re.Pattern[str]
    halt: re.Pattern[str]
    yes: re.Pattern[str]
    no: re.Pattern[str]
    ask: re.Pattern[str]
    every: re.Pattern[str]
    confirms: re.Pattern[str]
    passive: tuple[re.Pattern[str], ...]
    hoped: tuple[re.Pattern[str], ...]
    delegates: re.Pattern[str]
    nominal: tuple[re.Pattern[str], ...]
    nouns: Mapping[str, re.Pattern[str]]
    again: re.Pattern[str]
    firsts: re.Pattern[str]
    plural: re.Pattern[str]
    oneself: re.Pattern[str]
    tag: re.Pattern[str]
    that: re.Pattern[str]
    whether: re.Pattern[str]
    material: re.Pattern[str]
    resumes: re.Pattern[str]
    participles: Mapping[str, re.Pattern[str]]
    excepting: re.Pattern[str]
    excepting_before: tuple[re.Pattern[str], ...]
    cut: re.Pattern[str]
    spares: re.Pattern[str]
    spared: re.Pattern[str]
    repairs: re.Pattern[str]
    swaps: tuple[re.Pattern[str], ...]
    continues: re.Pattern[str]
    ordinals: Mapping[str, int]
    limits: re.Pattern[str]
    limits_behind: re.Pattern[str]
    only: re.Pattern[str]
    corrects: re.Pattern[str]
    amends: re.Pattern[str]
    adjusts: re.Pattern[str]
    narrows: re.Pattern[str]
    unneeded: re.Pattern[str]
    later: re.Pattern[str]
    instead: re.Pattern[str]
    alternatives: tuple[re.Pattern[str], ...]
    stop: frozenset[str]
    stops: re.Pattern[str]
    bare: bool = False

    def plain(self, text: str) -> str:
        """A folded text as the patterns of this language see it, of the same length."""
        return text.translate(_BARE) if self.bare else text

    def seen(self, text: str) -> str:
        """A text as the patterns of this language see it."""
        return self.plain(folded(text))

    def material_at(self, text: str) -> int:
        """Where a text to be worked on begins ("Translate this: ..."), 0 without one."""
        for colon in _COLON.finditer(text):
            if self.material.search(text[: colon.start()]):
                return colon.end()
        return 0

    def families_at(self, text: str, start: int, more: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """The families of the verb at this place, and where its longest form ends."""
        found = [(name, m.end()) for name, p in self.families.items() if (m := p.match(text, start))]
        found += [(name, m.end()) for name in more if (m := _own(name).match(text, start))]
        return tuple(name for name, _ in found), max((end for _, end in found), default=start)


def folded(text: str) -> str:
    """Text as wording is looked for in it."""
    return normalize("NFKC", text).lower()


def wordings_for(text: str) -> Iterator[Wording]:
    """The languages worth trying on a text, by its script."""
    if _KANA.search(text):
        yield wording("ja")
    elif _HANGUL.search(text):
        yield wording("ko")
    elif _HAN.search(text):
        yield wording("zh")
    if _CYRILLIC.search(text):
        yield wording("ru")
    if _LETTER.search(text):
        words = set(_LETTERS.findall(folded(text)))
        small = max(len(words & small_words(language)) for language in _LATIN)
        yield from map(wording, _LATIN)
        yield from (wording(shy) for shy in _SHY if len(words & small_words(shy)) >= small)


@cache
def small_words(language: str) -> frozenset[str]:
    """The words of a language that name nothing. By them languages are told apart: one of the shy, which are near to
    others, is worth trying where none of those has more of them. Nothing is compiled to tell."""
    return frozenset(load_table("admission", "intents", f"{language}.toml")["stop"])


@cache
def wording(language: str) -> Wording:
    """The wording of a language."""
    table: dict[str, Any] = load_table("admission", "intents", f"{language}.toml")
    if table.get("bare"):
        table = {
            **_bared({key: value for key, value in table.items() if key not in ("stop", "example")}),
            "stop": table["stop"],
        }
    spaced = table["spaced"]
    ending = table.get("ending", "")

    def words(key: str) -> re.Pattern[str]:
        return _any(table.get(key, ()), bounded=spaced)

    def plain(key: str) -> re.Pattern[str]:
        return _any(table.get(key, ()), bounded=False)

    verbs = {
        name: [f"(?:{form}){ending}" if ending else form for form in forms] for name, forms in table["verbs"].items()
    }
    families = {name: _any(forms, bounded=spaced, inner=True) for name, forms in verbs.items()}
    every_form = sorted({form for forms in verbs.values() for form in forms}, key=lambda form: -len(form))
    return Wording(
        language=language,
        spaced=spaced,
        final=table.get("final", False),
        verbs=_any(every_form, bounded=spaced),
        families=families,
        separators=_separators(table, spaced=spaced),
        contrast=words("contrast"),
        lead=_repeated(table["lead"]),
        request=_ending(table["request"], spaced=spaced),
        request_gerund=_ending(table.get("request_gerund", ()), spaced=spaced),
        gerund=plain("gerund") if not isinstance(table.get("gerund"), str) else re.compile(table["gerund"]),
        not_negate=plain("not_negate"),
        negate=words("negate"),
        negate_after=plain("negate_after"),
        negate_over=words("negate_over"),
        asked_after=plain("asked_after") if "asked_after" in table else None,
        asked_in_question=re.compile(table.get("asked_in_question", "(?!)")),
        request_in_question=_ending(table.get("request_in_question", ()), spaced=spaced),
        noun_before=plain("noun_before"),
        noun_after=plain("noun_after"),
        insists=_end_of(table.get("insists", ())),
        interrogative=plain("interrogative"),
        below=words("below"),
        within=words("within"),
        asked_behind=re.compile(table.get("asked_behind", "(?!)")),
        hands_over=plain("hands_over"),
        whether_you=_end_of(table.get("whether_you", ())),
        reports=plain("reports"),
        unsure=plain("unsure"),
        halt=plain("halt"),
        yes=_repeated(table["yes"]),
        no=plain("no"),
        ask=plain("ask"),
        every=words("every"),
        confirms=plain("confirms"),
        passive=tuple(map(re.compile, table.get("passive", ()))),
        hoped=tuple(map(re.compile, table.get("hoped", ()))),
        delegates=plain("delegates"),
        nominal=tuple(map(re.compile, table.get("nominal", ()))),
        nouns={name: _any(forms, bounded=False) for name, forms in table.get("nouns", {}).items()},
        again=plain("again"),
        firsts=re.compile(table.get("firsts", "(?!)()")),
        plural=words("plural"),
        oneself=plain("oneself"),
        tag=_tag(table.get("tag", ()), spaced=spaced),
        that=_end_of(table.get("that", ())),
        whether=_end_of(table.get("whether", ())),
        material=_end_of(table.get("material", ())),
        resumes=words("resumes"),
        participles={name: _any(forms, bounded=False) for name, forms in table.get("participles", {}).items()},
        excepting=words("excepting"),
        excepting_before=tuple(map(re.compile, table.get("excepting_before", ()))),
        cut=words("cut"),
        spares=words("spares"),
        spared=_clause_end(table.get("spared", ()), spaced=spaced),
        repairs=_repair(table.get("repairs", ()), spaced=spaced),
        swaps=tuple(map(re.compile, table.get("swaps", ()))),
        continues=_opening(table.get("continues", ()), spaced=spaced),
        ordinals=table.get("ordinals", {}),
        limits=words("limits"),
        limits_behind=plain("limits_behind"),
        only=words("only"),
        corrects=words("corrects"),
        amends=words("amends"),
        adjusts=words("adjusts"),
        narrows=words("narrows"),
        unneeded=words("unneeded"),
        later=plain("later"),
        instead=words("instead"),
        alternatives=tuple(map(re.compile, table.get("alternatives", ()))),
        stop=frozenset(table["stop"]),
        bare=table.get("bare", False),
        stops=_NEVER if spaced else re.compile("|".join(map(re.escape, sorted(table["stop"], key=lambda w: -len(w))))),
    )


def _bared(value: Any) -> Any:
    """The patterns of a table without accents."""
    if isinstance(value, str):
        return value.translate(_BARE)
    if isinstance(value, list):
        return [_bared(item) for item in value]
    return {key: _bared(item) for key, item in value.items()} if isinstance(value, dict) else value


def _tag(patterns: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    """Words that only soften a request, with their question mark: ", would you?"."""
    if not patterns:
        return _NEVER
    joined = "|".join(patterns)
    return re.compile(
        rf"[\s,;]*(?<!\w)(?:{joined})\s*[?？][?？\s]*$" if spaced else rf"[\s,，、]*(?:{joined})[?？。\s]*$"
    )


def _clause_end(patterns: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    """One of these at the end of a clause: "the bread not"."""
    if not patterns:
        return _NEVER
    joined, start = "|".join(patterns), r"(?<![\w.@/-])" if spaced else ""
    return re.compile(rf"{start}(?:{joined})(?=\s*(?:$|[^\w\s]))")


def _repair(patterns: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    """One of these behind a mark, with the mark behind it if it has one: ", no, ", " – sorry, I mean "."""
    if not patterns:
        return _NEVER
    joined, end = "|".join(patterns), r"(?!\w)" if spaced else ""
    return late(rf"(?:[,;(…，、]|\.\.|\s[-–—])\s*(?:(?:{joined}){end}[\s,:，、…–—-]*)+")


def _opening(patterns: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    """One of these at the start of a sentence."""
    joined, end = "|".join(patterns), r"(?!\w)" if spaced else ""
    return late(rf"\W*(?:{joined}){end}[\s,，、]*") if patterns else _NEVER


def _end_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """One of these at the end of a text."""
    return re.compile(rf"(?:{'|'.join(patterns)})$") if patterns else _NEVER


def _any(patterns: Sequence[str], *, bounded: bool, inner: bool = False) -> re.Pattern[str]:
    if not patterns:
        return _NEVER
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    if not bounded:
        return re.compile(joined)
    return re.compile(rf"(?:{joined})(?![\w])" if inner else rf"(?<![\w.@/-])(?:{joined})(?![\w@])")


def _repeated(patterns: Sequence[str]) -> re.Pattern[str]:
    """Nothing but these words and marks between them."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)"
    return re.compile(rf"[^\w]*(?:(?:{joined})(?:[^\w]+|$|(?=[\u3040-\u9fff])))*")


def _ending(patterns: Sequence[str], *, spaced: bool) -> re.Pattern[str]:
    """One of these, right before the verb."""
    if not patterns:
        return _NEVER
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(rf"(?<!\w)(?:{joined})[^\w]*$" if spaced else rf"(?:{joined})$")


def _separators(table: Mapping[str, Any], *, spaced: bool) -> re.Pattern[str]:
    words = "|".join((*table["conj"], *table["contrast"]))
    if "breaks" in table:  # unspaced, but blanks part no clauses
        return re.compile(rf"{table['breaks']}|(?P<word>{words})")
    if not spaced:
        return re.compile(rf"[，。；：！？,;:!?\s]+|(?P<word>{words})")
    return re.compile(rf"[;:,!?…()¿¡]+(?:\s+|$)|[¿¡]|\.(?:\s+|$)|\s[-–—]+\s|\n|(?<!\w)(?P<word>{words})(?!\w)")


@cache
def _own(family: str) -> re.Pattern[str]:
    """The wording of a family nobody described: its own name as an English verb."""
    return re.compile(rf"{re.escape(family[:40].replace('_', ' '))}(?:e?d|ing)?(?!\w)")


@cache
def family_of(word: str) -> str:
    """The family that a host's word for it means."""
    word = word.strip().lower()
    alias: dict[str, str] = load_table("admission", "intents", "families.toml")["alias"]
    return alias.get(word, word)


@cache
def brought_about() -> tuple[str, ...]:
    """The families that bring something about: who no longer needs a thing, or cancels it, wants none of these."""
    return tuple(load_table("admission", "intents", "families.toml")["brought_about"])


@cache
def is_known(family: str) -> bool:
    """True for a family whose wording is in the data."""
    return family in wording("en").families
