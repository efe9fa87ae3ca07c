"""Which lines of which files the output of a content search shows."""

from __future__ import annotations

from gate_core.model.fact import Lines
from gate_core.model.late import late

SOMEWHERE: Lines = (0, 0)
"""The lines of a look that shows parts of a file and does not say which."""

_NUMBERED = late(r"(?:(?P<path>[^\n]{1,300}?)[:-])?(?P<line>\d{1,7})[:-]")
_PREFIXED = late(r"(?P<path>[^\s:]{0,300}[./][^\s:]{0,300}):")
_MOST_LINES = 5000
_MOST_FILES = 50
_MOST_SPANS = 20


def shown_places(output: str, *, one_file: bool) -> dict[str, tuple[Lines, ...]]:
    """File as the output names it ("" when it names none) -> the runs of lines shown, at most twenty of each.

    With `one_file` the search was of a single file, and what stands before a colon is its text.
    """
    numbers: dict[str, list[int]] = {}
    for line in output.splitlines()[:_MOST_LINES]:
        found = _NUMBERED.match(line) or (None if one_file else _PREFIXED.match(line))
        path = (found["path"] or "") if found and not one_file else ""
        if path in numbers or len(numbers) < _MOST_FILES:
            place = int(found["line"]) if found and "line" in found.groupdict() else 0
            numbers.setdefault(path, []).append(place)
    return {path: _runs(lines) for path, lines in numbers.items()}


def _runs(numbers: list[int]) -> tuple[Lines, ...]:
    runs: list[Lines] = []
    for number in sorted({n for n in numbers if n > 0}):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs[:_MOST_SPANS]) or (SOMEWHERE,)
