"""How many of several things are so: "5 of the 12 invoices are overdue" where three of the twelve have that status
(spec 20, "Statements": universal; spec 30: counts). Asked only of a word that a column of a result holds as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import excepts_any
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.late import late
from gate_core.model.reading import Mood, Sentence
from gate_core.model.verdict import Finding
from gate_core.values.evidence import Evidence, Source, of_ledger
from gate_core.values.index import Index
from gate_core.values.names import squeezed
from gate_core.values.operands import stems

_MOST = 5_000  # rows of one result
_WORDS = r"[^\W\d_][\w-]{1,30}(?=\W*$|[,;:.)]|\s+(?:and|but|while|und|aber|et|mais|y|pero|e|ma)\b)"
_COUNT = late(r"\(\d+ rows?\)")


class Part(NamedTuple):
    """So many (`some`) of `every`, "" where it is not said, of what `noun` calls them, are what `word` says."""

    some: str
    every: str
    noun: str
    word: str


def miscalled(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The look that shows another number of them so than a sentence says."""
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or not ledger.looks_here:
        return
    parts = parts_in(sentence.head)
    if not parts or excepts_any(sentence.head):
        return
    last = max((fact.at for fact in ledger.calls_here if acted(fact)), default=(0, -1))
    looks = {fact.key: fact for fact in ledger.looks_here if fact.at > last}
    for part in parts:
        shown = list(_shown(part, of_ledger(ledger), looks))
        if shown and not any(_agrees(part, so, size) for so, size, _ in shown):
            yield lacking(Code.STATEMENT_CONTRADICTED, "how many of them are so", shown[-1][2])
            return


def parts_in(text: str) -> list[Part]:
    """What a text says of a part of several things, or of all."""
    found = (match for pattern in _patterns() if (match := pattern.search(text)))
    return [Part(*((match[name] or "").casefold() for name in Part._fields)) for match in found][:1]


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    table = load_table("checks", "stated", "among.toml")
    filled = (
        row["says"].replace("{all}", table["all"]).replace("{none}", table["none"]).replace("{word}", _WORDS)
        for row in table["patterns"]
    )
    return tuple(re.compile(f"{_denied()}{says}", re.IGNORECASE) for says in filled)


def _denied() -> str:
    """No word that denies what follows it stands there: "not all of them"."""
    return "".join(rf"(?<!\b{word} )" for word in load_table("checks", "stated", "among.toml")["denies"])


def _number(part: Part) -> int | None:
    """How many are said to be so; None for all of them."""
    table = load_table("checks", "stated", "among.toml")
    if part.some.isdigit():
        return int(part.some)
    return 0 if re.fullmatch(table["none"], part.some) else None


def _agrees(part: Part, so: int, size: int) -> bool:
    number = _number(part)
    return so == (size if number is None else number)


def _shown(part: Part, evidence: Evidence, looks: dict[str, Fact]) -> Iterator[tuple[int, int, Fact]]:
    """(how many are so, of how many, the look) for each column that holds the word, of things that it is said of."""
    for source in evidence.readable:
        look = looks.get(source.fact)
        for rows in _tables(source.index) if look is not None else ():
            if not (len(rows) == int(part.every) if part.every else _is_called(part.noun, source)):
                continue
            for at in range(max(map(len, rows))):
                so = sum(squeezed(row[at]) == squeezed(part.word) for row in rows if at < len(row))
                if so and look is not None:
                    yield so, len(rows), look


def _is_called(noun: str, source: Source) -> bool:
    """True when the call or a key of its result names what they are."""
    asked = " ".join(value for value in source.args.values() if isinstance(value, str))
    return stems(noun) <= stems(asked) or any(stems(noun) <= stems(key) for key in source.index.list_keys)


def _tables(index: Index) -> Iterator[Sequence[Sequence[str]]]:
    """The rows of each table of a result, a table of lines without a head included."""
    document = index.document
    for group, records in index.rows_of.items():
        if 1 < len(records) <= _MOST and group != "line":
            rows = [[document.texts[field] for field in index.fields_of.get(record, ())] for record in records]
            heads = [document.keys[field] for field in index.fields_of.get(records[0], ())]
            columns = ({row[at] for row in rows if at < len(row)} for at in range(len(heads)))
            headless = document.lines and any(head in cells for head, cells in zip(heads, columns, strict=True))
            yield [heads, *rows] if headless else rows
    if "line" in index.rows_of and len(document.texts) <= _MOST:
        cells = ([cell.strip() for cell in text.split("|")] for text in document.texts if not _COUNT.match(text))
        for size, lines in groupby((row for row in cells if len(row) > 1), key=len):
            rows = list(lines)
            if size > 1 and len(rows) > 2:
                yield rows[1:]
