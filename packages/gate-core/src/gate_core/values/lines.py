"""A line of a file, "src/keys.py:47", that results show in other spellings: "File "src/keys.py", line 47", a number
below the name of the file, a line of the file itself (spec 30, "Evidence")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from gate_core.footprint.body import body_of
from gate_core.model.json import Json
from gate_core.model.late import late
from gate_core.values.evidence import Look, Source
from gate_core.values.fields import MOST
from gate_core.values.index import Index

_PLACE = late(r"(.+?)(?::|#L)(\d{1,7})(?:(?::|-L?)\d{1,7})?")
_SPELT = r"(?:[\"'`]?[,:]?(?: on| at|, in)? (?:line|Zeile|ligne|línea|linha|riga|regel|строка|行)[ :]?|\()0*"
_AHEAD = late(r"[ \t]*([^\s:][^:\n]{0,300}):?[ \t]*")  # a line that is a name
_FAR = 400  # lines below the name of a file
_NEAR = 40


def shows_line(path: str, sources: Iterable[Source]) -> bool:
    """True when one of the results shows this line of this file."""
    found = _PLACE.fullmatch(path)
    if found is None:
        return False
    name, line = found[1].removeprefix("./"), int(found[2])
    return any(_shows(source, name, line) for source in sources)


def _shows(source: Source, name: str, line: int) -> bool:
    looks = [look for look in source.looks if same_file(look.target, name)] if source.whole else []
    if looks and any(_covers(look, source, line) for look in looks):
        return True
    index = source.index
    places = (at for at in index.places(name, most=MOST) if _begins(index.blob[at - 1]))
    return any(_beside(index, at + len(name), line) for at in places) or line in _below(index, name)


def _begins(before: str) -> bool:
    return not (before.isalnum() or before in "_-.")


def same_file(target: str, name: str) -> bool:
    """True when a name is the path of a target or the end of it, by whole components."""
    return target == name or target.endswith(f"/{name.lstrip('/')}")


def _covers(look: Look, source: Source, line: int) -> bool:
    """True for a line that a look at the file showed: by its number where the lines have some, else by its place."""
    text = body_of(cast("Json", source.result)).text
    numbers = {int(number) for number in _OWN_NUMBER.findall(text)}
    if len(numbers) * 2 > text.count("\n"):
        return line in numbers
    first, last = look.lines or (1, text.count("\n") + (not text.endswith("\n")))
    return first <= line <= last


_OWN_NUMBER = late(r"(?m)^[ \t]*(\d{1,7})(?:[\t:|→│]|-(?!\d)| {2})")


@lru_cache(512)
def _spelt(line: int) -> re.Pattern[str]:
    return re.compile(rf"{_SPELT}{line}(?!\d)")


def _beside(index: Index, end: int, line: int) -> bool:
    """True where the number of a line stands behind the name of the file."""
    return _spelt(line).match(index.blob, end, end + _NEAR) is not None


def _below(index: Index, name: str) -> tuple[int, ...]:
    """The numbers with which lines begin below the name of a file that is a line of its own, up to a blank one."""
    known = index.found.get(("below", name))
    if known is None:
        blob = index.blob
        ends = dict.fromkeys(blob.find("\n", at) for at in index.places(name, most=MOST) if _begins(blob[at - 1]))
        heads = [end for end in ends if _AHEAD.fullmatch(blob, blob.rfind("\n", 0, end) + 1, end)]
        known = index.found["below", name] = tuple({number for end in heads for number in _leading(index, end)})
    return known


_LEADING = late(r"[ \t]*0*(\d{1,7})[:\-\t ]")


def _leading(index: Index, end: int) -> Iterator[int]:
    """The numbers with which the lines below a place begin."""
    for _ in range(_FAR):
        match = _LEADING.match(index.blob, end + 1)
        if match is None:
            return
        yield int(match[1])
        end = index.blob.find("\n", end + 1)
