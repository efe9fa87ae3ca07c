"""Finds a value in one document: the fields that may hold it, then the exact comparison (spec 30, "Evidence")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.values.dates import EPOCHS, epoch_range
from gate_core.values.fields import MOST
from gate_core.values.grouped import grouped
from gate_core.values.index import UNIT_KEYS, Index, key_words
from gate_core.values.instants import civil, of_epoch, ordinal
from gate_core.values.lexicon import cue, key_units, part_of, table, units
from gate_core.values.match import Fit, fit, fit_number
from gate_core.values.money import one_of
from gate_core.values.names import key_of, squeezed
from gate_core.values.normal import folded
from gate_core.values.units import in_unit, power_of_key, scales, unit_of_key
from gate_core.values.value import Instant, Kind, Number, Shape, Value

_KEY_BEFORE = late(r"([A-Za-z_][\w.%-]{0,60})\"?\s*[:=]\s*[\"']?$")
_LISTED = late(r"[-dlbcps](?:[r-][w-][xsStT-]){3}[.+@]? ")  # what "ls -l" prints
_PART = r"[ ().+/-]{0,2}"  # what may part the digits of a telephone number
_NATIONAL = 8  # digits of a telephone number without its country
_MOST_BESIDE = 200  # fields of a record that may name its unit
_NEAR = 60
_LONG_RUN = 9  # digits of a code that may be written with hyphens
_HASH = 7  # characters by which a hash is known
_MOST_KEPT = 4_000  # lookups kept per document
_MOST_DATED = 500
"""Fields read for one date or time."""


class Hit(NamedTuple):
    """A place of the evidence that holds a value, and how well it fits."""

    field: int
    fit: Fit
    shown: Value


class Around(NamedTuple):
    """What the words around a value allow: `down` the other sign, `loss` a negative one, `ending` the end of one."""

    down: bool = False
    loss: bool = False
    ending: bool = False


PLAIN = Around()


def hits(said: Value, index: Index, around: Around = PLAIN) -> tuple[Hit, ...]:
    """The places of a document that hold the value, or hold it with another unit or sign; kept with the document."""
    key = (said.kind, said.text, said.numbers, said.instants, said.sign, said.loose, said.floor, said.cut, around)
    found = index.found.get(key)
    if found is None:
        found = tuple(_SEARCHES[said.kind](said, index, around))
        if len(index.found) > _MOST_KEPT:
            index.found.clear()
        index.found[key] = found
    return found


def _numbers(said: Value, index: Index, around: Around) -> Iterator[Hit]:
    ranges = [span for number in said.numbers for span in bounds(number, floor=said.floor or said.cut)]
    fields = dict.fromkeys(index.fields_between(ranges))
    plain = said.plain
    if len(plain) >= _HASH or around.ending:  # the start of a hash, the end of a card number
        places = index.places(plain, cut=len(plain) >= _HASH, anywhere=around.ending) if len(plain) >= 3 else ()
        fields.update(dict.fromkeys(map(index.field_at, places)))
    elif len(plain) >= 3:
        fields.update(dict.fromkeys(index.fields_with_run(plain)))
    for field in fields:
        hit = _compared(said, index, field, around)
        if hit is not None:
            yield hit
    if len(said.text) >= _LONG_RUN:
        yield from _hyphened(said, index)
    for power in sorted(index.powers) if said.scaled else ():
        small = said.counted_in(power)
        for field in index.fields_between([span for number in small.numbers for span in bounds(number, floor=False)]):
            hit = _compared(small, index, field, around)
            if hit is not None and power_of_key(index.document.keys[field]) == power:
                yield hit


def _hyphened(said: Value, index: Index) -> Iterator[Hit]:
    """A long run of digits that the evidence parts by hyphens: "978-3-16-148410-0"."""
    if said.text.isascii() and said.text.isdigit():
        pattern = re.compile(rf"(?<![a-z0-9-]){'-?'.join(said.text)}(?![a-z0-9-])")
        for match in islice(pattern.finditer(index.folded), MOST):
            yield Hit(field=index.field_at(match.start()), fit=Fit.YES, shown=said)


def bounds(number: Number, *, floor: bool) -> list[tuple[float, float]]:
    """The ranges of sizes a number of the evidence lies in when it may be the number said, in any unit."""
    mantissa, power, unit = number.mantissa, number.exponent, number.unit
    try:
        size = float(mantissa * 10**power) if power >= 0 else mantissa / 10**-power
        step = 10.0**power
    except OverflowError:
        return []
    reach = step * 0.5000001 + abs(size) * 1e-12
    low, top = size - reach, size * 2 if floor else size + reach
    found = [(low * scale, top * scale) for scale in scales(unit)]
    if not unit:
        if 0 < size < 10:
            found.append((low * 100, top * 100))
    elif units()[unit].dimension == "temperature":
        for other in ("°C", "°F", "K"):
            ends = sorted(float(t) for e in (low, size + reach) for t in in_unit(Fraction(e), unit, other))
            found.append((ends[0], ends[-1]))
    return found


def _compared(said: Value, index: Index, field: int, around: Around) -> Hit | None:
    """The best of what a field shows, None where nothing fits the number said."""
    best: Hit | None = None
    for shown in index.scan(field):
        unit = unit_around(index, field, shown) if shown.kind is Kind.NUMBER and not shown.unit else ""
        loss = around.loss and _contradicts(index, field, shown)
        found = fit_number(said, shown, unit, loss=loss, down=around.down)
        if found is Fit.NO:
            if not unit and said.unit and _is_bytes(said, shown, index, field):
                found = fit_number(said, shown, "B", down=around.down)
            if found is Fit.NO and around.ending and shown.text.endswith(said.text):
                found = Fit.YES
        if found is Fit.SIGN and said.sign < 0 and _goes_down(index, field, shown):
            found = Fit.YES
        if found and (best is None or found > best.fit):
            best = Hit(field, found, shown)
    return best


def _contradicts(index: Index, field: int, shown: Value) -> bool:
    """What is said to be a loss is a gain here: a signed quantity without a minus."""
    if shown.sign < 0:
        return False
    words = context(index, field, shown)
    return cue("signed").search(words) is not None and cue("down").search(words) is None


def _goes_down(index: Index, field: int, shown: Value) -> bool:
    return cue("down").search(context(index, field, shown)) is not None


def context(index: Index, field: int, shown: Value) -> str:
    """Key and words around a value of the evidence, folded; underscores are blanks."""
    text = index.document.texts[field]
    near = text[max(0, shown.start - _NEAR) : shown.end + _NEAR]
    return folded(f"{index.document.keys[field]} {near}".replace("_", " "))


def unit_around(index: Index, field: int, shown: Value) -> str:
    """The unit of a number of the evidence that has none beside it: its key's or head's, or a sibling's."""
    document = index.document
    if shown.start:
        before = _KEY_BEFORE.search(document.texts[field], max(0, shown.start - _NEAR), shown.start)
        if before is not None:
            return _narrower(unit_of_key(before[1]), index, document.owner[field])
    key = document.keys[field]
    if not key or document.is_key(field):
        return ""
    own = unit_of_key(key)
    if own:
        return _narrower(own, index, document.owner[field])
    return _sibling(index, document.owner[field]) if index.names_units and not _counts(key) else ""


def _narrower(unit: str, index: Index, record: int) -> str:
    """A unit that may be one of several currencies, as that which a sibling names, "price_cents" beside "usd", or
    else the whole document. Cents are a hundredth of any."""
    one = units().get(unit)
    if one is None or len(one.codes) < 2:
        return unit
    beside = _sibling(index, record) if index.names_units else one_of(index, one.codes)
    named = units()[beside].codes if beside else frozenset()
    cents = one.sizes[0] < 1
    codes = sorted((one.codes & named) or (named if cents else ()))
    return (part_of(codes[0]) if cents else codes[0]) if len(codes) == 1 else unit


def _counts(key: str) -> bool:
    """True for a key of numbers that are no amounts, whatever currency or unit stands beside it."""
    return not key_words(key).isdisjoint(table("units")["count_keys"])


def _is_bytes(said: Value, shown: Value, index: Index, field: int) -> bool:
    """True for a bare number that is a size in bytes: in a listing of files, or under a key that says so."""
    if not said.unit or units()[said.unit].dimension != "data" or not shown.plain:
        return False
    key = index.document.keys[field]
    if key:
        return not key_words(key).isdisjoint(table("units")["byte_keys"])
    return _LISTED.match(index.document.texts[field]) is not None


def _sibling(index: Index, record: int) -> str:
    """The unit a field of the record names, or of one it lies in."""
    for holder in dict.fromkeys((record, *index.document.ancestors(record), 0)):
        for at in index.fields_of.get(holder, ())[:_MOST_BESIDE]:
            if index.document.keys[at].casefold() in UNIT_KEYS:
                return unit_named(index.document.texts[at])
    return ""


@lru_cache(512)
def unit_named(text: str) -> str:
    """The unit a cell names, "" for none."""
    word = text.strip()
    if word in units():
        return word
    return key_units().get(word.casefold(), "")


def _instants(said: Value, index: Index, around: Around) -> Iterator[Hit]:
    seen: set[int] = set()
    for instant in said.instants:
        for field in chain(_dated(instant, index), _counted(instant, index)):
            if field in seen:
                continue
            seen.add(field)
            for shown in (*index.scan(field), *_epoch_in(index.document.texts[field])):
                if shown.kind is Kind.INSTANT and fit(said, shown) is Fit.YES:
                    yield Hit(field=field, fit=Fit.YES, shown=shown)
                    break
            if len(seen) > _MOST_DATED:
                return


def _dated(instant: Instant, index: Index) -> Iterator[int]:
    for near in (instant, *neighbours(instant)):
        for spelling in index.dates.of(near):
            yield from (index.field_at(at) for at in index.places(spelling, most=_MOST_DATED))


def neighbours(instant: Instant) -> Iterator[Instant]:
    """The days before and after a date: another zone may have written one of them."""
    year, month, day, hour = instant[:4]
    if month is not None and day is not None and hour is None:
        for moved in (-1, 1):
            date = civil(ordinal(year or 2024, month, day) + moved)
            yield (date[0] if year is not None else None, date[1], date[2], None, None, None, None)


def _counted(instant: Instant, index: Index) -> Iterator[int]:
    yield from index.fields_between(epoch_range(instant))
    if instant[3] is not None and instant[2] is None:  # a time alone: seconds since 1970 where a key speaks of time
        fields = islice(index.fields_between(EPOCHS), MOST)
        yield from (field for field in fields if not key_words(index.document.keys[field]).isdisjoint(_epoch_keys()))


@cache
def _epoch_keys() -> frozenset[str]:
    return frozenset(table("units")["epoch_keys"])


def epochs_of(index: Index, field: int) -> Iterator[Instant]:
    """The instant that a number of seconds or milliseconds is, under a key that speaks of time."""
    if not key_words(index.document.keys[field]).isdisjoint(_epoch_keys()):
        yield from (value.instants[0] for value in _epoch_in(index.document.texts[field]))


def _epoch_in(text: str) -> tuple[Value, ...]:
    found = of_epoch(int(text)) if 9 <= len(text) <= 13 and text.isdigit() else None
    if found is None:
        return ()
    return (Value(kind=Kind.INSTANT, text=text, start=0, end=len(text), instants=(found,)),)


def _codes(said: Value, index: Index) -> Iterator[Hit]:
    """A telephone number, card or account in groups of any size; a national number also behind its country's."""
    signs = key_of(said.text, said.shape)
    ahead = rf"(?:\+\d{{1,3}}{_PART}\(?0?\)?{_PART})?" if signs[0] == "0" else ""
    pattern = re.compile(rf"(?<![a-z0-9]){ahead}{_PART.join(signs.removeprefix('0'))}(?![a-z0-9])")
    for match in islice(pattern.finditer(index.folded), MOST):
        yield Hit(field=index.field_at(match.start()), fit=Fit.YES, shown=said)
    if said.text[0] == "+":  # the evidence may leave the country out
        for country in (1, 2, 3):
            if len(signs) - country >= _NATIONAL:
                home = re.compile(rf"(?<![a-z0-9])0?{_PART.join(signs[country:])}(?![a-z0-9])")
                for match in islice(home.finditer(index.folded), MOST):
                    yield Hit(field=index.field_at(match.start()), fit=Fit.YES, shown=said)


def _names(said: Value, index: Index, around: Around) -> Iterator[Hit]:
    if said.shape is Shape.CODE:
        yield from _codes(said, index)
        return
    places = list(_literal(said, index))
    if places:
        yield from (Hit(index.field_at(at), Fit.YES, said) for at in places)
        return
    if said.shape is Shape.PROPER:
        yield from _by_words(said, index)
    elif said.shape not in (Shape.PATH, Shape.SYMBOL, Shape.DECLARED):
        other = index.words.get(squeezed(key_of(said.text, said.shape)))
        if other is not None:
            yield from (Hit(field=field, fit=Fit.YES, shown=said) for field in _fields_of_word(index, other))
            return
        yield from _apart(said, index)


def _by_words(said: Value, index: Index) -> Iterator[Hit]:
    """A name whose words stand in fields of their own: first and last name."""
    places = []
    for word in folded(said.text).split():
        found = (at for at in index.places(word, low=True) if _whole(index.folded, at, at + len(word), said.shape))
        places.append(next(found, None))
    if places and None not in places:
        yield Hit(field=index.field_at(places[0] or 0), fit=Fit.YES, shown=said)


def _fields_of_word(index: Index, word: str) -> Iterator[int]:
    yield from dict.fromkeys(index.field_at(at) for at in index.places(word))


def _apart(said: Value, index: Index) -> Iterator[Hit]:
    """An id whose parts stand apart in the evidence: "LH2035" for "LH 2035"."""
    parts = re.findall(r"[A-Za-z]+|\d+", said.text)
    if said.shape is Shape.ID and 2 <= len(parts) <= 8 and not re.search(r"[^\w\s-]", said.text):
        longest = max(parts, key=len).lower()
        pattern = re.compile(
            r"(?<![A-Za-z0-9])" + r"[\s_().-]{0,3}".join(part.lower() for part in parts) + r"(?![A-Za-z0-9])"
        )
        for at in index.places(longest, low=True):
            if pattern.search(index.folded, max(0, at - _NEAR), at + _NEAR):
                yield Hit(field=index.field_at(at), fit=Fit.YES, shown=said)
                return
        yield from (Hit(index.field_at(at), Fit.YES, said) for at in grouped(said.text, index))


_CASED = frozenset({Shape.PATH, Shape.SYMBOL})
_KEYED = _CASED | {Shape.URL, Shape.VERSION}


def _literal(said: Value, index: Index) -> Iterator[int]:
    """Where the name stands as a whole, in any case where case means nothing."""
    exact = said.shape in _CASED
    needle = key_of(said.text, said.shape) if said.shape in _KEYED else said.text
    blob = index.blob if exact else index.folded
    needle = needle if exact else folded(needle)
    if not needle:
        return
    for at in index.places(needle, low=not exact, cut=said.shape is Shape.HASH):
        if _whole(blob, at, at + len(needle), said.shape):
            yield at


_PACKAGE = late(r"[a-z]\w{0,60}-$", re.IGNORECASE)


def _whole(blob: str, start: int, end: int, shape: Shape) -> bool:
    """True where a name neither goes on before the place nor behind it."""
    return _begins(blob, start, shape) and _ends(blob, end, shape)


def _begins(blob: str, start: int, shape: Shape) -> bool:
    before = blob[start - 1]
    if not _wordly(blob[start]):
        return True
    if _wordly(before):
        return shape is Shape.VERSION and before == "v"
    if before == "-" and shape is Shape.VERSION:  # the version of a package: "httpx-0.27.2"
        return _PACKAGE.search(blob, max(0, start - _NEAR), start) is not None
    return before not in "-." or shape not in _PARTED


def _ends(blob: str, end: int, shape: Shape) -> bool:
    last, after, further = blob[end - 1], blob[end], blob[end + 1 : end + 2]
    if shape is Shape.HASH:
        return after in "0123456789abcdef" or not _wordly(after)
    if _wordly(last) and _wordly(after) and after.isascii():
        return False
    if shape is Shape.VERSION and after == "." and further.isdigit():
        return True  # cut short
    goes_on = further.isalnum() and shape in _PARTED
    return not (
        goes_on and ((after == "-" and shape in (Shape.ID, Shape.PATH)) or (after == "." and shape is not Shape.ID))
    )


_PARTED = frozenset({Shape.ID, Shape.PATH, Shape.VERSION, Shape.EMAIL})


def _wordly(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


_SEARCHES: dict[Kind, Callable[[Value, Index, Around], Iterator[Hit]]] = {
    Kind.NUMBER: _numbers,
    Kind.INSTANT: _instants,
    Kind.NAME: _names,
}
