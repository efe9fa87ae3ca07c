"""What the words of a command stand for, as far as it can be told without running it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.shell.exits import Exit
from gate_core.shell.syntax import Kind, Node, Part, Raw

_LONGEST_VALUE = 20_000  # characters of a variable; a longer one is not known
_MOST_WORDS = 64
_LONGEST_PATTERN = 200
_LONGEST_BRACES = 2_000
_SHAPED = late(r"\$\{(\w+)(:?[-+=?]|%%?|##?)([^${}`]*)\}")
_RANGE = late(r"(-?\d{1,6})\.\.(-?\d{1,6})")
_FOLDER = late(r"\$\(\s*pwd(?:\s+-[LP])?\s*\)|`pwd`")


class Word(NamedTuple):
    """A word after expansion. `known` is false when some part of it cannot be told; `glob` says that its unquoted
    text holds a pattern."""

    text: str
    known: bool = True
    glob: bool = False


@dataclass(slots=True)
class Scope:
    """What the commands before left behind. `cwd` is None when a `cd` cannot be followed; `statuses` are names that
    hold an exit status, `outputs` names that hold the output of stages, `lines` names that hold a line of the input."""

    cwd: str | None = ""
    names: dict[str, Word] = field(default_factory=dict)
    lists: dict[str, tuple[Word, ...]] = field(default_factory=dict)
    functions: dict[str, Node] = field(default_factory=dict)
    statuses: dict[str, Exit] = field(default_factory=dict)
    outputs: dict[str, tuple[int, ...]] = field(default_factory=dict)
    lines: frozenset[str] = frozenset()
    folders: tuple[str | None, ...] = ()
    before: str | None = None
    pipefail: bool = False
    errexit: bool = False
    away: bool = False

    def inner(self) -> Scope:
        """A copy for a subshell: what it sets is lost when it ends."""
        return Scope(
            self.cwd,
            dict(self.names),
            dict(self.lists),
            dict(self.functions),
            dict(self.statuses),
            dict(self.outputs),
            self.lines,
            self.folders,
            self.before,
            self.pipefail,
            self.errexit,
            self.away,
        )

    def bind(self, name: str, word: Word) -> None:
        """Give a name a value; what else it stood for is gone."""
        self.names[name] = word if len(word.text) <= _LONGEST_VALUE else Word(f"${name}", known=False)
        self.forget(name)

    def restore(self, name: str, word: Word | None) -> None:
        """Give a name back the value it had, or none."""
        self.forget(name)
        if word is None:
            self.names.pop(name, None)
        else:
            self.names[name] = word

    def forget(self, name: str) -> None:
        """Drop what a name stood for besides its value."""
        self.lists.pop(name, None)
        self.statuses.pop(name, None)
        self.outputs.pop(name, None)
        self.lines -= {name}

    def arguments(self, words: tuple[Word, ...]) -> None:
        """The positional names: `words` are the name of the script or function and what it is given."""
        for at in range(10):
            self.names.pop(str(at), None)
        self.names.update({str(at): word for at, word in enumerate(words[:10])})
        self.lists["@"] = words[1:]

    def merge(self, ends: list[Scope]) -> None:
        """Go on from one of several ends: what they agree on is known."""
        if not ends:
            return
        self.cwd = ends[0].cwd if all(end.cwd == ends[0].cwd for end in ends) else None
        for name in {name for end in ends for name in end.names}:
            values = {end.names.get(name) for end in ends}
            self.names[name] = (values.pop() if len(values) == 1 else None) or Word(f"${name}", known=False)
        for name in {name for end in ends for name in end.lists}:
            values_ = {end.lists.get(name) for end in ends}
            self.lists[name] = (values_.pop() if len(values_) == 1 else None) or (Word(f"${name}", known=False),)
        for end in ends:
            self.functions.update(end.functions)
        self.statuses = {k: v for k, v in ends[0].statuses.items() if all(end.statuses.get(k) == v for end in ends)}
        self.errexit = all(end.errexit for end in ends)
        self.pipefail = all(end.pipefail for end in ends)


def expand(raw: Raw, scope: Scope) -> Word:
    """The word for the raw one."""
    if len(raw) == 1 and raw[0].kind in (Kind.BARE, Kind.TEXT):
        text = raw[0].text
        return Word(text, True, raw[0].kind is Kind.BARE and _is_glob(text))
    values = [_part(part, scope) for part in raw]
    return Word(
        "".join([value.text for value in values]),
        all(value.known for value in values),
        any(value.glob for value in values),
    )


def _is_glob(text: str) -> bool:
    return "*" in text or "?" in text or "[" in text


def _part(part: Part, scope: Scope) -> Word:
    kind = part.kind
    if kind is Kind.TEXT:
        return Word(part.text)
    if kind is Kind.BARE:
        return Word(part.text, True, _is_glob(part.text))
    if kind is Kind.NAME:
        return _value(part.text, scope)
    if kind is Kind.FILE:
        return Word("-")  # a pipe, and no file of anybody's
    if kind is Kind.RUN and scope.cwd is not None and _FOLDER.fullmatch(part.text):
        return Word(scope.cwd or ".")
    return _shaped(part.text, scope) or Word(part.text, known=False)


def _value(name: str, scope: Scope) -> Word:
    if name == "PWD" and scope.cwd is not None:
        return Word(scope.cwd or ".")
    if name == "HOME" and name not in scope.names:
        return Word("~")
    items = listed(name, scope)
    if items is not None:
        return Word(" ".join(item.text for item in items), all(item.known for item in items))
    return scope.names.get(name) or Word(f"${name}", known=False)


def listed(name: str, scope: Scope) -> tuple[Word, ...] | None:
    """The items of `@` and `array[@]`."""
    if name in ("@", "*"):
        return scope.lists.get("@")
    return scope.lists.get(name[:-3]) if name.endswith(("[@]", "[*]")) else None


def _shaped(text: str, scope: Scope) -> Word | None:
    """`${name:-default}`, `${name%.cfg}`, `${name##*/}` of a known name."""
    found = _SHAPED.fullmatch(text)
    value = scope.names.get(found[1]) if found else None
    if found is None or value is None or not value.known or len(value.text) > _LONGEST_PATTERN:
        return None
    if found[2] in ("-", ":-", "=", ":=", "?", ":?"):
        return value if value.text or ":" not in found[2] else Word(found[3])
    if found[2] in ("+", ":+"):
        return Word(found[3]) if value.text else Word("")
    return value._replace(text=_trimmed(value.text, found[2], found[3]))


def _trimmed(text: str, op: str, pattern: str) -> str:
    """The text without what the pattern matches at its end ("%") or its start ("#"); doubled, the longest."""
    if len(pattern) > 20 or pattern.count("*") > 2:
        return text
    cuts = range(len(text) + 1) if (op in ("#", "%%")) else range(len(text), -1, -1)
    for at in cuts:
        if fnmatchcase(text[at:] if op[0] == "%" else text[:at], pattern):
            return text[:at] if op[0] == "%" else text[at:]
    return text


def split(word: Word, raw: Raw, scope: Scope) -> list[Word]:
    """Braces, lists and unquoted variables make many words of one."""
    if len(raw) == 1 and raw[0].kind is Kind.NAME:
        items = listed(raw[0].text, scope)
        if items is not None:
            return list(items)
        if word.known and (" " in word.text or "\n" in word.text):
            return [Word(text, glob=_is_glob(text)) for text in word.text.split()]
    elif "{" in word.text and any(part.kind is Kind.BARE and ("{" in part.text or "," in part.text) for part in raw):
        return [word._replace(text=text) for text in braces(word.text)]
    return [word]


def braces(text: str) -> list[str]:
    """`a.{x,y}` and `a{1..3}` as their words; text with more than 64 of them stays as it is."""
    if len(text) > _LONGEST_BRACES:
        return [text]
    done, open_ = [], [text]
    while open_:
        item = open_.pop()
        choices = _choices(item)
        if choices is None:
            done.append(item)
        else:
            open_ += choices[::-1]
        if len(done) + len(open_) > _MOST_WORDS:
            return [text]
    return done


def _choices(text: str) -> list[str] | None:
    """The texts for the first innermost pair of braces; None when there is none that stands for many."""
    end = -1
    while (end := text.find("}", end + 1)) >= 0:
        start = text.rfind("{", 0, end)
        if start < 0:
            continue
        inside = text[start + 1 : end]
        items = inside.split(",") if "," in inside else _counted(inside)
        if items and len(items) <= _MOST_WORDS:
            return [f"{text[:start]}{item}{text[end + 1 :]}" for item in items]
    return None


def _counted(inside: str) -> list[str]:
    found = _RANGE.fullmatch(inside)
    if found is None:
        return []
    first, last = int(found[1]), int(found[2])
    numbers = range(first, last + 1) if first <= last else range(first, last - 1, -1)
    return [str(number) for number in numbers[: _MOST_WORDS + 1]]
