"""Where spellings stand in a text that is searched often: by the words and numbers they are made of (spec 80).

A search through a megabyte for each of a hundred values costs more than everything else of a check. So the text is cut
into blocks at line ends, and each run of letters or digits knows the blocks that hold it; a spelling is then searched
in the blocks that hold its rarest runs. Short texts are simply searched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from gate_core.model.late import late

_SHORT = 32_768  # characters of a text that is searched as a whole
_BLOCK = 512
_MOST_KEPT = 1_000
_RUN = late(r"[0-9]+|[A-Za-z]+")


_DIGITS = bytes(code if 48 <= code <= 57 else 32 for code in range(256))
_LETTERS = bytes(code if chr(code).isalpha() and code < 128 else 32 for code in range(256))


def runs_of(low: str) -> set[str]:
    """The runs of digits and of ASCII letters of a text in lower case."""
    return {*digits_of(low), *letters_of(low)}


def digits_of(low: str) -> set[str]:
    """The runs of digits of a text."""
    return set(_alone(low, _DIGITS).split())


def letters_of(low: str) -> set[str]:
    """The runs of ASCII letters of a text in lower case."""
    return set(_alone(low, _LETTERS).split())


class Places:
    """The searches of one text. `low` is the same text in one case, of the same length."""

    def __init__(self, text: str, low: str) -> None:
        self._text = text
        self._low = low
        self._found: dict[tuple[str, bool, bool, bool, int], list[int]] = {}

    def of(
        self, spelling: str, *, low: bool = False, cut: bool = False, anywhere: bool = False, most: int = 1 << 60
    ) -> list[int]:
        """Where a spelling stands, in order, at most so many places. Its ends must be ends of runs of digits or ASCII
        letters in the text as well, the last one only without `cut`, none with `anywhere`; `low` searches the text in
        one case. The last ones are kept: a name is a value, and may be a label."""
        key = (spelling, low, cut, anywhere, most)
        found = self._found.get(key)
        if found is None:
            if len(self._found) > _MOST_KEPT:
                self._found.clear()
            found = self._found[key] = self._search(spelling, low=low, cut=cut, anywhere=anywhere, most=most)
        return found

    def _search(self, spelling: str, *, low: bool, cut: bool, anywhere: bool, most: int) -> list[int]:
        text = self._low if low else self._text
        runs = _RUN.findall(spelling.lower()) if len(text) > _SHORT and not anywhere else ()
        found: list[int] = []
        find = text.find
        for start, end in self._spans_of(runs, cut=cut and spelling[-1:].isalnum()) if runs else ((0, len(text)),):
            at = find(spelling, start, end)
            while at >= 0 and len(found) < most:
                found.append(at)
                at = find(spelling, at + 1, end)
            if len(found) >= most:
                break
        return found

    def _spans_of(self, runs: Sequence[str], *, cut: bool) -> Iterator[tuple[int, int]]:
        """Where the blocks lie that hold all of the runs, and the line end before each; the last run may go on."""
        ends = self._ends
        for block in self._blocks_of(runs, cut=cut):
            yield ends[block - 1] - 1 if block else 0, ends[block]

    def _blocks_of(self, runs: Sequence[str], *, cut: bool) -> Sequence[int]:
        """The blocks that hold the two rarest of the runs; the last run may go on in the text."""
        wholes = [self._with(run) for run in (runs[:-1] if cut else runs)]
        if cut:
            wholes.append(sorted({block for run in self._starting(runs[-1]) for block in self._with(run)}))
        if len(wholes) == 1:
            return wholes[0]
        rarest, other = sorted(wholes, key=len)[:2]
        return _common(rarest, other) if len(rarest) > 1 else rarest

    def _with(self, run: str) -> Sequence[int]:
        """The blocks that hold a run."""
        known = (self._digits if run[0].isdigit() else self._letters).get(run, ())
        return (known,) if isinstance(known, int) else known

    def _starting(self, head: str) -> Iterator[str]:
        runs = self._sorted_digits if head[0].isdigit() else self._sorted_letters
        at = bisect_left(runs, head)
        while at < len(runs) and runs[at].startswith(head):
            yield runs[at]
            at += 1

    @cached_property
    def _sorted_digits(self) -> list[str]:
        return sorted(self._digits)

    @cached_property
    def _sorted_letters(self) -> list[str]:
        return sorted(self._letters)

    @cached_property
    def _ends(self) -> list[int]:
        """Where each block ends: behind the first line end past its size."""
        found, at, text = [], 0, self._low
        while at < len(text):
            end = text.find("\n", at + _BLOCK)
            at = len(text) if end < 0 else end + 1
            found.append(at)
        return found

    @cached_property
    def _digits(self) -> dict[str, int | list[int]]:
        return self._blocks(_DIGITS)

    @cached_property
    def _letters(self) -> dict[str, int | list[int]]:
        return self._blocks(_LETTERS)

    def _blocks(self, kind: bytes) -> dict[str, int | list[int]]:
        """Run of a kind of signs -> the block that holds it, or the blocks in order."""
        found: dict[str, int | list[int]] = {}
        get = found.get
        text = _alone(self._low, kind)
        start = 0
        for block, end in enumerate(self._ends):
            for run in set(text[start:end].split()):
                known = get(run)
                if known is None:
                    found[run] = block
                elif type(known) is int:
                    found[run] = [known, block]
                else:
                    known.append(block)  # type: ignore[union-attr]  # no int
            start = end
        return found


def _alone(low: str, table: bytes) -> str:
    """A text of the same length in which everything but digits, or letters, is blank."""
    return low.encode("ascii", "replace").translate(table).decode("ascii")


def _common(few: Sequence[int], many: Sequence[int]) -> list[int]:
    """What stands in both of two lists in order, the shorter first."""
    if len(few) * 16 > len(many):
        return sorted(set(few).intersection(many))
    found = []
    for block in few:
        at = bisect_left(many, block)
        if at < len(many) and many[at] == block:
            found.append(block)
    return found
