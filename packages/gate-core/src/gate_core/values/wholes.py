"""Which fields of a document are one of its labels and nothing else: labels are asked for by every sentence that names
one, and to search for each would cost more than to look at all fields once (spec 80)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress


class Wholes:
    """The fields of a document by the label that fills them. `lines` are the fields in one case, in order."""

    def __init__(self, lines: Sequence[str], labels: AbstractSet[str]) -> None:
        self._fields: dict[str, int | list[int]] = {}
        fields = self._fields
        for field, line in _labelled(lines, labels):
            known = fields.setdefault(line, field)
            if type(known) is list:
                known.append(field)
            elif known != field:
                fields[line] = [known, field]  # type: ignore[list-item]  # no list

    def of(self, label: str) -> Sequence[int]:
        """The fields that are a label, in order."""
        found = self._fields.get(label, ())
        return (found,) if isinstance(found, int) else found


def _labelled(lines: Sequence[str], labels: AbstractSet[str]) -> Iterable[tuple[int, str]]:
    return compress(enumerate(lines), map(labels.__contains__, lines))
