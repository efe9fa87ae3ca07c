"""Long ids whose digits the evidence groups otherwise: "MSKU7281134" for "MSKU 728113-4" (spec 30, "Matching")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from gate_core.values.fields import MOST
from gate_core.values.index import Index
from gate_core.values.names import squeezed

_LONG = 9  # signs of an id that may be written in groups
_DIGITS = 6  # of which so many are digits


def grouped(name: str, index: Index) -> Iterator[int]:
    """The places of a document that hold all signs of a long id, blanks and hyphens between them aside."""
    signs = squeezed(name)
    if len(signs) >= _LONG and sum(map(str.isdigit, signs)) >= _DIGITS and signs.isalnum():
        pattern = re.compile(rf"(?<![a-z0-9-]){'[ -]?'.join(signs)}(?![a-z0-9]|-[a-z0-9])")
        yield from (match.start() for match in islice(pattern.finditer(index.folded), MOST))
