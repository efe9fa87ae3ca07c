"""Walks a result into fields and records: JSON of any shape and depth, tables, lines (spec 30, "Evidence"). Linear."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain, repeat

from gate_core.model.json import Json, block_texts
from gate_core.model.late import late
from gate_core.model.printed import as_json
from gate_core.values.document import KEY, NAME, Document
from gate_core.values.elements import objects_of
from gate_core.values.markup import Page, page_of
from gate_core.values.normal import normal
from gate_core.values.tables import Table, inserted, rows_of

MOST_FIELDS = 400_000
_PIECE = 2_000  # characters of one field of running text
_LONGEST = 4_000  # digits of a number that is kept


class _Literal(str):
    """A JSON number as it was written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_float=_Literal, parse_int=_Literal, parse_constant=_Literal, strict=False)
_LONGEST_KEY = 200
_BLANK = late(r"[\s,;]*")
_STRUCTURE = late(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)


def walk(result: object) -> Document:
    """The document of a result. Whatever it is, something comes out: what cannot be read is text, or nothing."""
    found = Document()
    root = found.record(-1, "", "")
    if isinstance(result, str):
        _text(found, root, result)
    elif (texts := block_texts(result)) is not None:
        for text in texts:
            _text(found, root, text)
    else:
        _json(found, root, result, "")
    _keys(found)
    return found


_LISTED = late(r"(?:.*/)?\d+")


def _keys(found: Document) -> None:
    """Keys and heads that may be named are fields too. A key that stands for values belongs to the whole result, one
    that stands for a record belongs to the record."""
    steps = [] if found.lines else [n for n, step in enumerate(found.step) if step and not step.isdecimal()]
    for key in [key for key in dict.fromkeys(found.keys) if _is_telling(key)]:
        found.add(0, KEY, normal(key))
    for record in steps:
        step = found.step[record]
        if _is_telling(step) and _LISTED.fullmatch(step) is None and len(found.texts) < MOST_FIELDS:
            found.add(record, NAME, normal(step))


def _is_telling(key: str) -> bool:
    """True for more than a plain word: what an answer may name as an id, a symbol, a year."""
    return not (key.isalpha() and key[1:].islower()) and 2 <= len(key) <= _LONGEST_KEY and key != "-"


def _text(found: Document, root: int, text: str) -> None:
    head = text.lstrip()[:1]
    if head in ("{", "[") and head:
        values = parse(text)
        if values:
            for number, value in enumerate(values):
                if len(values) == 1:
                    _json(found, root, value, "")
                    continue
                record = found.record(root, str(number), "/*")
                if type(value) is not dict or len(found.texts) >= MOST_FIELDS or not _flat(found, record, value):
                    _json(found, record, value, "/*")
            return
    page = page_of(text)
    objects = objects_of(text) if head == "<" and page is None else None
    if objects is not None:
        _json(found, root, objects, "")
    elif page is None:
        _lines(found, root, text)
    else:
        _page(found, root, page)


def _page(found: Document, root: int, page: Page) -> None:
    """A page: its tables with their keys, its text by lines, and what its tags hold, which belongs to no row."""
    found.lines = True
    for table in page.tables:
        _rows(found, root, table)
    for pairs in page.listed:
        record = found.record(root, str(pairs[0][0]), "listed")
        for _, key, value in pairs:
            found.add(record, key[:_LONGEST_KEY] or "-", value)
    for number, text in page.pieces:
        record = found.record(root, str(number), "line")
        for piece in _pieces(text):
            found.add(record, "", piece)
    for tag in page.tags[: max(0, MOST_FIELDS - len(found.texts))]:
        found.add(root, "", tag)


def parse(text: str) -> list[Json]:
    """The JSON values of a text, one after the other, also as Python prints them; of a text that is cut off, what is
    whole. [] for no JSON."""
    text = as_json(text)
    values: list[Json] = []
    at = _end(_BLANK, text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            rest = _cut(text[at:])
            return [*values, *rest] if rest or (values and text[at] in "{[") else []
        if not isinstance(value, Mapping | list) and not values:
            return []
        values.append(value)
        at = _end(_BLANK, text, at)
    return values


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _cut(text: str) -> list[Json]:
    """The whole part of JSON whose end is missing: up to the last place where something was complete."""
    if text[:1] not in ("{", "["):
        return []
    opened: list[str] = []
    safe = 0
    for match in _STRUCTURE.finditer(text):
        sign = match[0]
        if sign in "{[":
            opened.append("}" if sign == "{" else "]")
            safe = match.end()
        elif sign in "}]":
            if not opened or opened.pop() != sign:
                return []
            safe = match.end()
        elif sign == ",":
            safe = match.start()
        if len(opened) > 500:
            return []
    try:
        return [_DECODER.decode(text[:safe] + "".join(reversed(opened)))]
    except (ValueError, RecursionError):
        return []


def _json(found: Document, record: int, value: object, group: str) -> None:
    """Objects become records, scalars fields; without recursion, because depth is the caller's to choose."""
    stack: list[_Open] = [(record, "", group, value)]
    while stack and len(found.texts) < MOST_FIELDS:
        owner, key, kind, item = stack.pop()
        if isinstance(item, _Rest):
            _items(found, stack, owner, key, kind, item)
        elif _scalar(found, owner, key, item):
            continue
        elif isinstance(item, Mapping):
            _object(found, stack, owner, key, kind, item)
        elif isinstance(item, Sequence) and not isinstance(item, bytes | bytearray):
            items = _listed(item)
            found.sizes.append((owner, key, len(items)))
            inner = f"{kind}/*" if len(kind) < 400 else kind
            stack.append((owner, key, inner, _Rest(items, 0)))


def _listed(item: Sequence[object]) -> Sequence[object]:
    """The items of a list; one of the host's own making is asked once, and may fail."""
    if type(item) in (list, tuple):
        return item
    try:
        return list(item)
    except Exception:  # noqa: BLE001 - it then shows nothing
        return ()


class _Rest:
    """The items of a list from a place on."""

    __slots__ = ("items", "place")

    def __init__(self, items: Sequence[object], place: int) -> None:
        self.items = items
        self.place = place


_Open = tuple[int, str, str, object]
"""Owner, key, kind and value of what is still to be walked."""


def _items(found: Document, stack: list[_Open], owner: int, key: str, kind: str, rest: _Rest) -> None:
    """Scalars of a list stay fields under its key; objects and lists in it become records of their own, at once where
    they are flat."""
    items = rest.items
    for place in range(rest.place, len(items)):
        item = items[place]
        if isinstance(item, Mapping | list | tuple):
            step = found.record(owner, f"{key}/{place}" if key and not key.isdigit() else str(place), kind)
            if type(item) is not dict or not _flat(found, step, item):
                stack.append((owner, key, kind, _Rest(items, place + 1)))
                stack.append((step, "", kind, item))
                return
        elif not _scalar(found, owner, key or str(place), item):
            stack.append((owner, key, kind, _Rest(items, place + 1)))
            stack.append((owner, key or str(place), kind, item))
            return
        if len(found.texts) >= MOST_FIELDS:
            return


_PLAIN = frozenset((str, _Literal))


def _flat(found: Document, record: int, item: dict[object, object]) -> bool:
    """Add an object of short plain texts at once; False for any other."""
    if not _PLAIN.issuperset(map(type, item.values())) or "" in item or not {str}.issuperset(map(type, item)):
        return False
    texts: list[str] = list(item.values())  # type: ignore[arg-type]  # checked above
    whole = "".join(texts)
    if not whole.isascii() or len(whole) > _PIECE:
        return False
    found.sizes.append((record, "", len(texts)))
    found.texts.extend(texts)
    found.keys.extend(item)  # type: ignore[arg-type]  # checked above
    found.owner.extend([record] * len(texts))
    return True


def _object(
    found: Document,
    stack: list[_Open],
    owner: int,
    key: str,
    kind: str,
    item: Mapping[object, object],
) -> None:
    record = owner
    if key:
        record = found.record(owner, key, kind)
    try:
        pairs = list(item.items())
    except Exception:  # noqa: BLE001 - a lazy mapping of the host may fail; it then shows nothing
        return
    found.sizes.append((owner, key, len(pairs)))
    alike = len(pairs) > 1 and all(isinstance(inner, Mapping) for _, inner in pairs)
    for name, inner in reversed(pairs):
        word = name if isinstance(name, str) else str(name)
        if not _scalar(found, record, word or "-", inner):
            stack.append((record, word or "-", f"{kind}/{'{}' if alike else word}" if len(kind) < 400 else kind, inner))


def _scalar(found: Document, owner: int, key: str, item: object) -> bool:
    """Add a string or number; False for what has parts."""
    if isinstance(item, str):
        if len(item) <= _PIECE:
            found.texts.append(item if item.isascii() else normal(item))
            found.keys.append(key)
            found.owner.append(owner)
        else:
            for piece in _pieces(item):
                found.add(owner, key, piece)
        return True
    if item is None or isinstance(item, bool):
        return True
    if isinstance(item, int | float):
        found.add(owner, key, _written(item))
        return True
    return False


def _written(number: float) -> str:
    if isinstance(number, int):
        return str(number) if number.bit_length() < 3 * _LONGEST else ""
    return repr(number)


def _pieces(text: str) -> list[str]:
    """A long text in pieces that end between words where they can."""
    text = normal(text)
    pieces, at = [], 0
    while at < len(text):
        end = min(at + _PIECE, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", at, end), text.rfind(" ", at, end))
            end = cut + 1 if cut > at else end
        pieces.append(text[at:end])
        at = end
    return pieces


def _lines(found: Document, root: int, text: str) -> None:
    """Text by lines: a table where its lines have columns, else one record each."""
    found.lines = True
    lines = normal(text).splitlines()
    table = inserted(text) or rows_of(lines)
    if table is None:
        found.sizes.append((root, "", sum(1 for line in lines if line and not line.isspace())))
        rest: Sequence[int] = range(len(lines))
    else:
        _rows(found, root, table)
        rest = [number for number in range(len(lines)) if number not in table.used]
    written = [number for number in rest if lines[number] and not lines[number].isspace()]
    if len(found.texts) + len(written) <= MOST_FIELDS and max(map(len, lines), default=0) <= _PIECE:
        _short_lines(found, root, written, lines)
        return
    for number in written:
        if len(found.texts) >= MOST_FIELDS:
            break
        row = found.record(root, str(number + 1), "line")
        line = lines[number]
        for piece in [line] if len(line) <= _PIECE else _pieces(line):
            found.add(row, "", piece)


def _short_lines(found: Document, root: int, numbers: Sequence[int], lines: Sequence[str]) -> None:
    """Lines that are a record and a field each."""
    first, size = len(found.parent), len(numbers)
    found.parent.extend([root] * size)
    found.step.extend(str(number + 1) for number in numbers)
    found.group.extend(["line"] * size)
    found.texts.extend(lines[number] for number in numbers)
    found.keys.extend([""] * size)
    found.owner.extend(range(first, first + size))


def _rows(found: Document, root: int, table: Table) -> None:
    """The rows of a table, a record each."""
    found.sizes.append((root, "", len(table.numbers)))
    first, size = len(found.parent), len(table.numbers)
    found.parent.extend([root] * size)
    found.group.extend([table.group] * size)
    found.step.extend(str(number + 1) for number in table.numbers)
    found.texts.extend(table.cells)
    found.keys.extend(table.heads * size)
    records = list(range(first, first + size))
    found.owner.extend(chain.from_iterable(zip(*repeat(records, len(table.heads)), strict=True)))
