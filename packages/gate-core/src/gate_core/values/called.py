"""What the records of a document are called: whole short fields, first words of lines, keys of objects of one kind
(spec 30, "Pairing")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from gate_core.model.late import late
from gate_core.values.document import Document
from gate_core.values.fields import MOST, Fields
from gate_core.values.names import squeezed
from gate_core.values.normal import folded
from gate_core.values.wholes import Wholes

_LONGEST_LABEL = 64
_LATIN = "0-9A-Za-z_\u00c0-\u024f\u0370-\u052f"  # scripts that part words by blanks
WORD = rf"[{_LATIN}][{_LATIN}./:@#+-]*|[^\W{_LATIN}]+"
_LEAD = late(rf"^((?>{WORD}))[^\n]", re.MULTILINE)
_FIRST_WORD = r"[ \-*•]*+(\w[\w.@#+-]*+(?:[/:][\w.@#+-]++)*+)"
_FIRST = late(_FIRST_WORD)
_FIRSTS = late(rf"\n{_FIRST_WORD}")
_LETTERED = late(rf"\n([^a-z\n]{{0,{_LONGEST_LABEL}}}+[a-z][^\n]*)")
_DIGIT = late(r"\d")
_LETTER = late(r"[^\W\d_]")
_PARTING = "-_ \t\n\v\f\r\x1c\x1d\x1e\x1f"  # what squeezing leaves out of a text of ASCII
_PARTED = late(r"[\s_-]")
COINED = late(r"[^\W\d_][\s_-]?\d")  # an id: "lh716", "lh 716"
LONGEST_NAME = 24  # characters of a label that may be parted otherwise
HEAD = 4  # first signs of a label that are told apart


class Called(Fields):
    """The fields of one document and the labels among them."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.rows_called: dict[str, tuple[tuple[str, int], ...]] = {}

    @cached_property
    def idle_words(self) -> set[str]:
        """Words with which no label begins, as they are met."""
        return set()

    @property
    def knows_labels(self) -> bool:
        """True once somebody asked for the labels; to tell them takes a look at all fields."""
        return "labels" in self.__dict__

    @cached_property
    def labels(self) -> frozenset[str]:
        """What records may be called: whole short fields, first words of lines, keys of objects of one kind."""
        others = [folded(self.document.step[record]) for record in self._keyed]
        if self.document.lines and "" in self.keys:
            lines = self.folded if len(self.keys) == 1 else "\n".join(("", *self._unnamed()))
            others += _FIRSTS.findall(lines)
        rest = self.rest.lower() if self.rest.isascii() else self.folded_rest
        return frozenset(chain(_lettered(rest), filter(_LETTER.search, set(others))))

    @cached_property
    def leads(self) -> frozenset[str]:
        """The first words of labels of more than one word."""
        return frozenset(_LEAD.findall("\n".join(self.labels)))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest label."""
        return max(map(len, self.labels), default=0)

    @cached_property
    def coined_heads(self) -> dict[str, int]:
        """The first signs of labels that hold a digit, as many as are told apart and fewer, and how long the longest of
        them is: they may be parted otherwise."""
        coined = filter(_DIGIT.search, chain(self.labels, self._squeezed_labels))
        longest = {label[:HEAD]: len(label) for label in sorted(coined, key=len)}
        found: dict[str, int] = {}
        for head, size in longest.items():
            for number in range(1, HEAD + 1):
                found[head[:number]] = max(size, found.get(head[:number], 0))
        return found

    @cached_property
    def openings(self) -> frozenset[str]:
        """The first two signs of what may be such a label, in ASCII, though squeezing may leave out the second."""
        heads = self.coined_heads.keys()
        return frozenset(heads).union(f"{head}{sign}" for head in heads if len(head) == 1 for sign in _PARTING)

    def parted_otherwise(self, bare: str) -> str:
        """The label that is this when squeezed, "" for none: an id that parts its letters and digits otherwise."""
        return bare if bare in self.labels else self._squeezed_labels.get(bare, "")

    @cached_property
    def _squeezed_labels(self) -> dict[str, str]:
        parted = (label for label in sorted(self.labels) if _PARTED.search(label) and len(label) <= LONGEST_NAME)
        return {squeezed(label): label for label in parted if any(map(str.isdigit, label))}

    def _unnamed(self) -> Iterator[str]:
        """The folded fields without a key: lines of a text."""
        document = self.document
        for start, text, key in zip(self.starts, document.texts, document.keys, strict=False):
            if not key:
                yield self.folded[start : start + len(text)]

    @cached_property
    def _keyed(self) -> tuple[int, ...]:
        groups = self.document.group
        return tuple(record for record, group in enumerate(groups) if group.endswith("/{}"))

    @cached_property
    def _records_by_key(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for record in self._keyed:
            found.setdefault(folded(self.document.step[record]), []).append(record)
        return found

    def records_called(self, label: str, *, most: int = MOST) -> list[tuple[str, int]]:
        """(kind, record) of the records a label names; kinds tell apart what the label is of them."""
        document = self.document
        found = [(document.group[record], record) for record in self._records_by_key.get(label, ())]
        for number in self._alone(label, most):
            if document.keys[number] and not document.is_key(number):
                owner = document.owner[number]
                found.append((f"{document.group[owner]}.{document.keys[number]}", owner))
                if len(found) >= most:
                    return found
        if self.document.lines and len(found) < most:
            found.extend(self._lines_called(label, most - len(found)))
        return found

    def _alone(self, label: str, most: int) -> Sequence[int]:
        """The fields that are a label and nothing else, at most so many."""
        if label in self.labels:
            return self._wholes.of(label)[:most]
        return [self.field_at(at + 1) for at in self.searches.of(f"\n{label}\n", low=True, most=most)]

    @cached_property
    def _wholes(self) -> Wholes:
        lines = self.folded.split("\n")[1:-1]
        if len(lines) != len(self.document.texts):
            lines = [
                self.folded[at : at + len(text)] for at, text in zip(self.starts, self.document.texts, strict=False)
            ]
        return Wholes(lines, self.labels)

    def _lines_called(self, label: str, most: int) -> Iterator[tuple[str, int]]:
        for lead in ("", "- ", "* ", "• "):
            for at in self.places(f"\n{lead}{label}", low=True, most=most):
                end = at + 1 + len(lead) + len(label)
                number = self.field_at(at + 1)
                if not self.document.keys[number] and not (self.folded[end].isalnum() or self.folded[end] in "_-"):
                    rest = self.document.texts[number][len(lead) + len(label) :]
                    yield f"line:{_skeleton(rest)}", self.document.owner[number]

    def line_label(self, number: int) -> Iterator[tuple[str, str]]:
        """(label, shape of the rest) of a line of text."""
        text = self.document.texts[number]
        match = _FIRST.match(text)
        if match is not None:
            yield folded(match[1]), _skeleton(text[match.end() :])


def _lettered(text: str) -> Iterator[str]:
    """The lines of a text that hold a letter and are no longer than a label, between line ends. Of a table most are
    numbers."""
    if text.isascii():
        lines: Iterable[str] = _LETTERED.findall(text)
    else:
        lines = filter(_LETTER.search, (line for line in text.split("\n") if len(line) <= _LONGEST_LABEL))
    return (line for line in lines if 1 < len(line) <= _LONGEST_LABEL)


_DIGITS = late(r"\d+(?:[.,]\d+)*")


def _skeleton(text: str) -> str:
    return _DIGITS.sub("0", text)[:80]
