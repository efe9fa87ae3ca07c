"""Where spellings stand in a text that is searched often: by the words and numbers they are made of (spec 80).

A search through a megabyte for each of a hundred values costs more than everything else of a check. So the text is cut
into blocks at line ends, and each run of letters or digits knows the blocks that hold it; a spelling is then searched
in the blocks that hold its rarest runs. Short texts are simply searched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from gate_core.model.late import late

_SHORT = 32_768  # characters of a text that is searched as a whole
_BLOCK = 512
_RUN = re.compile(r"[0-9]+|[A-Za-z]+")


_APART = {code: " " for code in range(128) if not chr(code).isalnum()}


def runs_of(low: str) -> set[str]:
    """The runs of digits and of ASCII letters of a text in lower case."""
    if not low.isascii():
        return set(_RUN.findall(low))
    words = set(low.translate(_APART).split())
    mixed = [word for word in words if not (word.isalpha() or word.isdigit())]
    words.difference_update(mixed)
    words.update(_RUN.findall(" ".join(mixed)))
    return words


class Places:
    """The searches of one text. `low` is the same text in one case, of the same length."""

    def __init__(self, text: str, low: str) -> None:
        self._text = text
        self._low = low

    def of(
        self, spelling: str, *, low: bool = False, cut: bool = False, anywhere: bool = False, most: int
    ) -> list[int]:
        """Where a spelling stands, in order, at most so many places. Its ends must be ends of runs of digits or ASCII
        letters in the text as well, the last one only without `cut`, none with `anywhere`; `low` searches the text in
        one case."""
        text = self._low if low else self._text
        found: list[int] = []
        runs = _RUN.findall(spelling.lower()) if len(text) > _SHORT and not anywhere else ()
        if not runs:
            _find(text, spelling, (0, len(text)), found, most)
            return found
        ends = self._ends
        for block in self._blocks_of(runs, cut=cut and spelling[-1:].isalnum()):
            _find(text, spelling, (max(0, ends[block - 1] - 1) if block else 0, ends[block]), found, most)
            if len(found) >= most:
                break
        return found

    def _blocks_of(self, runs: Sequence[str], *, cut: bool) -> Sequence[int]:
        """The blocks that hold the two rarest of the runs; the last run may go on in the text."""
        known = self._blocks
        if len(runs) == 1 and not cut:
            return known.get(runs[0], ())
        wholes = [known.get(run, ()) for run in (runs[:-1] if cut else runs)]
        if cut:
            wholes.append(sorted({block for run in self._starting(runs[-1]) for block in known[run]}))
        rarest, *others = sorted(wholes, key=len)
        return _common(rarest, others[0]) if others and len(rarest) > 1 else rarest

    def _starting(self, head: str) -> Iterator[str]:
        at = bisect_left(self._sorted, head)
        while at < len(self._sorted) and self._sorted[at].startswith(head):
            yield self._sorted[at]
            at += 1

    @cached_property
    def runs(self) -> AbstractSet[str]:
        """All runs of the text in one case."""
        return self._blocks.keys() if len(self._low) > _SHORT else runs_of(self._low)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._blocks)

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
    def _blocks(self) -> dict[str, Sequence[int]]:
        """Run -> the blocks that hold it, in order."""
        alone: dict[str, tuple[int]] = {}
        several: dict[str, list[int]] = {}
        start = 0
        for block, end in enumerate(self._ends):
            here = (block,)
            for run in runs_of(self._low[start:end]):
                if run in several:
                    several[run].append(block)
                elif run in alone:
                    several[run] = [alone[run][0], block]
                else:
                    alone[run] = here
            start = end
        return {**alone, **several}


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


def _find(text: str, spelling: str, span: tuple[int, int], found: list[int], most: int) -> None:
    """Add the places of a spelling between two others."""
    start, end = span
    at = text.find(spelling, start, end)
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(spelling, at + 1, end)
