"""A result as fields and records: what is walked once and searched often (spec 30, "Evidence").

A field is a piece of text with the key or column it stands under; a record is the object, row or line it belongs to.
Both are kept in columns, because a result of a megabyte has a hundred thousand of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

KEY, NAME = "#", "##"
"""What fields stand under that are keys themselves: one of a value, and one of a record (spec 30: keys are walked)."""


@dataclass(slots=True)
class Document:
    """What a result holds. `parent`, `step`, `group` describe records: where each one hangs and what kind it is.

    `group` is the pointer with places in lists left out, so that rows of one table share it. `sizes` holds
    (record, key, number of items) of every list; `lines` says that pointers are line numbers.
    """

    texts: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    step: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    sizes: list[tuple[int, str, int]] = field(default_factory=list)
    lines: bool = False

    def record(self, parent: int, step: str, group: str) -> int:
        """A new record; its number."""
        self.parent.append(parent)
        self.step.append(step)
        self.group.append(group)
        return len(self.parent) - 1

    def add(self, record: int, key: str, text: str) -> None:
        """A field of a record."""
        self.texts.append(text)
        self.keys.append(key)
        self.owner.append(record)

    def pointer(self, number: int) -> str:
        """Where a field stands: a JSON pointer, or a line counted from 1."""
        if self.keys[number] == KEY:
            return "line 1" if self.lines else self.pointer(self.keys.index(self.texts[number]))
        at = self.owner[number]
        if self.lines:
            return f"line {self.step[at] if at > 0 else 1}"
        key = self.keys[number]
        path = f"/{_escaped(key)}" if key not in ("", NAME) else ""
        while at > 0:
            path = f"/{_escaped(self.step[at])}{path}"
            at = self.parent[at]
        return path

    def is_key(self, number: int) -> bool:
        """True for a field that is a key and no value."""
        return self.keys[number] in (KEY, NAME)

    def ancestors(self, record: int) -> tuple[int, ...]:
        """The record and everything above it except the root, nearest first; at most 32."""
        found: list[int] = []
        while record > 0 and len(found) < 32:
            found.append(record)
            record = self.parent[record]
        return tuple(found)


def _escaped(step: str) -> str:
    return step if step.isalnum() else step.replace("~", "~0").replace("/", "~1")
