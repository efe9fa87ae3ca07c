"""The tables of units, currencies, magnitudes, months and cues, ready for use (spec 30: knowledge is data)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.values.normal import normal

CURRENCY = "currency"
_SHORT = frozenset({"kb", "mb", "gb", "tb", "pb", "ms", "us", "ns", "kg", "mg", "km", "cm", "mm", "kw", "bn", "mn"})
"""Words of two letters that mean the same in any case; others are words of a language too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """`sizes` are its possible sizes in the base unit; `codes` the currencies it may stand for."""

    symbol: str
    dimension: str
    sizes: tuple[Fraction, ...]
    offset: Fraction = Fraction(0)
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffix:
    """What a word behind a number may mean: a power of ten, a unit, or both (none is 0, "")."""

    power: int = 0
    unit: str = ""


def table(name: str) -> Mapping[str, Any]:
    """A data file of this room."""
    return load_table("values", f"{name}.toml")


@cache
def units() -> dict[str, Unit]:
    """Symbol -> unit. Currencies are units too: "USD", "$", "cents"."""
    found = {row["symbol"]: _unit(row) for row in table("units")["units"]}
    money = table("currencies")
    for code in money["codes"]:
        found[code] = _money(code, [code])
    for group, part in (("signs", False), ("words", False), ("parts", True)):
        for word, codes in money[group].items():
            name = normal(word)
            found[_symbol(name)] = _money(_symbol(name), codes, part=part)
    return {**found, **{part_of(code): _money(part_of(code), [code], part=True) for code in money["codes"]}}


def part_of(code: str) -> str:
    """The unit that is a hundredth of a currency."""
    return f"{code}/100"


def _symbol(word: str) -> str:
    return f"cur:{word}"


def _unit(row: Mapping[str, str]) -> Unit:
    sizes = tuple(Fraction(row[key]) for key in ("factor", "also") if key in row)
    return Unit(symbol=row["symbol"], dimension=row["dimension"], sizes=sizes, offset=Fraction(row.get("offset", "0")))


def _money(symbol: str, codes: Iterable[str], *, part: bool = False) -> Unit:
    return Unit(
        symbol=symbol, dimension=CURRENCY, sizes=(Fraction(1, 100) if part else Fraction(1),), codes=frozenset(codes)
    )


@cache
def suffixes() -> tuple[dict[str, tuple[Suffix, ...]], dict[str, tuple[Suffix, ...]]]:
    """(exact word -> meanings, folded word -> meanings); the second leaves out words that case tells apart."""
    exact: dict[str, tuple[Suffix, ...]] = {}
    loose: dict[str, tuple[Suffix, ...]] = {}
    for word, meaning in _meanings():
        name = normal(word)
        exact[name] = (*exact.get(name, ()), meaning)
        if len(name) > 2 or name.casefold() in _SHORT or not name.isascii():
            low = name.casefold()
            if low not in loose:
                loose[low] = (meaning,)
            elif name.islower() or not name.isascii():
                loose[low] = (*loose[low], meaning)
    return exact, loose


def _meanings() -> Iterable[tuple[str, Suffix]]:
    for word, power in table("words")["magnitudes"].items():
        yield word, Suffix(power=power)
    for row in table("units")["units"]:
        for word in row["words"]:
            yield word, Suffix(unit=row["symbol"])
    money = table("currencies")
    for code in money["codes"]:
        yield code, Suffix(unit=code)
    for group in ("signs", "words", "parts"):
        for word in money[group]:
            yield word, Suffix(unit=_symbol(normal(word)))


@cache
def tight() -> dict[str, tuple[Suffix, ...]]:
    """Words that mean something only where they touch the number."""
    found: dict[str, tuple[Suffix, ...]] = {
        word: (Suffix(power=power),) for word, power in table("words")["tight"].items()
    }
    for row in table("units")["units"]:
        for word in row.get("tight", ()):
            found[word] = (*found.get(word, ()), Suffix(unit=row["symbol"]))
    return found


@cache
def signs() -> dict[str, str]:
    """Currency sign or code -> unit symbol, for what stands before a number."""
    money = table("currencies")
    found = {normal(sign): _symbol(normal(sign)) for sign in money["signs"]}
    return {**found, **{code: code for code in money["codes"]}}


@cache
def pair_heads() -> frozenset[str]:
    """The first words of units and magnitudes of several words, in one case."""
    words = (*suffixes()[0], *suffixes()[1], *tight())
    return frozenset(word.partition(" ")[0].casefold() for word in words if " " in word)


@cache
def floors() -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """Words before and behind a number that make it a lower end, and the signs in which those before it end."""
    words = table("words")
    ahead = tuple(f" {word}" if word.isascii() else word for word in words["floors"])
    return ahead, tuple(words["floors_behind"]), frozenset(word[-1] for word in ahead)


@cache
def abouts() -> tuple[tuple[str, ...], frozenset[str]]:
    """Words before a number that make it a round one, and the signs in which they end."""
    words = tuple(f" {word}" if word.isascii() else word for word in table("words")["abouts"])
    return words, frozenset(word[-1] for word in words)


@cache
def compounds() -> dict[str, tuple[str, ...]]:
    """Unit -> the smaller ones that may be written behind it."""
    return {unit: tuple(row[n + 1 :]) for row in table("units")["compound"] for n, unit in enumerate(row)}


@cache
def months() -> dict[str, int]:
    """Folded month name -> number."""
    return {name: int(number) for number, names in table("words")["months"].items() for name in names}


@cache
def zones() -> dict[str, int]:
    """Zone name -> minutes east of Greenwich."""
    return dict(table("words")["zones"])


@cache
def halves() -> tuple[dict[str, str], dict[str, str]]:
    """(word before an hour -> "am" or "pm", the same of words behind one)."""
    rows = table("words")["halves"]
    ahead = {normal(word): half for half in ("am", "pm") for word in rows[half]}
    return ahead, {normal(word): half for half in ("am", "pm") for word in rows[f"{half}_behind"]}


@cache
def key_units() -> dict[str, str]:
    """Part of a key, folded -> unit symbol."""
    never = set(table("units")["not_in_keys"]) | {code.lower() for code in table("currencies")["quiet"]}
    found: dict[str, str] = {}
    for word, meanings in suffixes()[1].items():
        unit = next((m.unit for m in meanings if m.unit), "")
        if unit and word not in never and not re.search(r"[^\w]", word):
            found[word] = unit
    return {**found, **table("units")["key_words"]}


@cache
def cue(*names: str) -> re.Pattern[str]:
    """A pattern that finds any of the words of these lists of `cues.toml`, in folded text."""
    rows = table("cues")
    words = sorted({normal(w).casefold() for n in names for w in _list(rows, n)}, key=lambda w: (-len(w), w))
    return re.compile("|".join(_bounded(word) for word in words))


@cache
def cue_heads(name: str) -> Mapping[str, tuple[str, ...]] | None:
    """The words of a list that an ASCII text can hold, by their first run of letters or digits; None when a word of the
    list has none."""
    found: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(normal(word).casefold() for word in _list(table("cues"), name)):
        if word.isascii():
            head = re.search(r"[a-z0-9]+", word)
            if head is None:
                return None
            found[head[0]] = (*found.get(head[0], ()), word)
    return found


@cache
def cue_lists() -> Mapping[str, frozenset[str]]:
    """The lists of `cues.toml` that have a word with this first run; under "" those that may have others."""
    rows = table("cues")
    found: dict[str, set[str]] = {}
    for name in (*rows, *rows["aggregates"]):
        if name != "aggregates":
            heads = cue_heads(name)
            for head in ("",) if heads is None else heads:
                found.setdefault(head, set()).add(name)
    return {head: frozenset(names) for head, names in found.items()}


def _list(rows: Mapping[str, Any], name: str) -> list[str]:
    return list(rows[name] if name in rows else rows["aggregates"][name])


def _bounded(word: str) -> str:
    """The word at word boundaries, where its ends are letters of a script that has them."""
    before = r"(?<!\w)" if word[0].isalpha() and ord(word[0]) < 0x2E80 else ""
    after = r"(?!\w)" if word[-1].isalpha() and ord(word[-1]) < 0x2E80 else ""
    return before + re.escape(word) + after


@cache
def standards() -> re.Pattern[str]:
    """A pattern of all public standards and section numbers, in folded text: to leave case open takes four times as
    long."""
    patterns = "|".join(row["pattern"] for row in table("standards")["standard"])
    return re.compile(rf"(?<![\w.-])(?:{patterns.lower()})(?![\w%]|[.,]\d)")
