"""Programs that only run another one: they are seen through, whatever they are stacked from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.shell.expand import Word

_MOST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """One way to run another program.

    Attributes:
        first: the words that must follow the name ("run"), options before them aside.
        last: the option behind which the program stands ("python -m").
        values: options that take a value.
        skip: the operands before the program.
        feeds: it hands on operands of its own ("xargs").
        marks: options whose value stands for those operands ("xargs -I").
        not_with: options with which it runs nothing ("command -v").
        script: programs by the ending of a file that it runs ("uv run a.py").
        behind: the word behind which the operands stand that it hands on, where they do ("parallel gzip ::: a b").
    """

    first: tuple[str, ...] = ()
    last: str = ""
    values: frozenset[str] = frozenset()
    skip: int = 0
    feeds: bool = False
    marks: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()
    script: str = ""
    behind: str = ""


class Peeled(NamedTuple):
    """The words of the program that really runs, whether it gets operands from its input, and what stands for them."""

    argv: tuple[Word, ...]
    fed: bool = False
    mark: str = ""


@cache
def wrappers() -> dict[str, tuple[Wrapper, ...]]:
    """Program name -> the ways in which it wraps."""
    found: dict[str, list[Wrapper]] = {}
    for row in load_table("shell", "wrappers.toml")["wrapper"]:
        wrapper = Wrapper(
            first=tuple(row.get("first", ())),
            last=row.get("last", ""),
            values=frozenset(row.get("values", ())),
            skip=row.get("skip", 0),
            feeds=row.get("feeds", False),
            marks=frozenset(row.get("marks", ())),
            not_with=frozenset(row.get("not_with", ())),
            script=row.get("script", ""),
            behind=row.get("behind", ""),
        )
        for name in row["names"]:
            found.setdefault(name, []).append(wrapper)
    return {name: tuple(rows) for name, rows in found.items()}


def peel(argv: tuple[Word, ...]) -> Peeled:
    """Take off all wrappers."""
    known = wrappers()
    peeled = Peeled(argv)
    for _ in range(_MOST):
        if not peeled.argv or not peeled.argv[0].known:
            break
        ways = known.get(peeled.argv[0].text.rpartition("/")[2].removesuffix(".exe"), ())
        inner = next((found for way in ways if (found := _inside(peeled.argv, way)) is not None), None)
        if inner is None:
            break
        peeled = Peeled(inner.argv, peeled.fed or inner.fed, inner.mark or peeled.mark)
    return peeled


def _inside(argv: tuple[Word, ...], way: Wrapper) -> Peeled | None:
    """The wrapped words, or None when this way does not apply."""
    at, mark, left = 1, "", [*way.first, *[""] * way.skip]
    while at < len(argv):
        text = argv[at].text
        if not left and text == (way.last or "--"):
            at += 1
            break
        if text.startswith("-") and len(text) > 1:
            if text in way.not_with:
                return None
            mark = _mark(text, argv, at, way) or mark
            at += 2 if text in way.values else 1
        elif not left and way.last:
            return None
        elif not left and not _assigns(text):
            break
        else:
            at += 1
            if left and left.pop(0) not in ("", text):
                return None
    if at >= len(argv) or left:
        return None
    handed = _handed_on(argv[at:], way, mark or "{}")
    return Peeled(_script(handed or argv[at:], way), way.feeds and handed is None, mark)


def _handed_on(argv: tuple[Word, ...], way: Wrapper, mark: str) -> tuple[Word, ...] | None:
    """The program with the operands that stand behind it, in the place of their mark or at its end; None where none do,
    or where the mark is only a part of a word."""
    at = next((i for i, word in enumerate(argv) if word.text == way.behind), 0) if way.behind else 0
    program, operands = argv[:at], argv[at + 1 :]
    if not at or not operands or any(mark in word.text and word.text != mark for word in program):
        return None
    places = [i for i, word in enumerate(program) if word.text == mark] or [at]
    return (*program[: places[0]], *operands, *program[places[0] + 1 :])


def _assigns(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.isidentifier()


def _mark(text: str, argv: tuple[Word, ...], at: int, way: Wrapper) -> str:
    """What an option says stands for the operands: `-I{}`, `-I {}`, `-i`."""
    if text in way.marks:
        return argv[at + 1].text if text in way.values and at + 1 < len(argv) else "{}"
    return text[2:] if text[:2] in way.marks else ""


def _script(argv: tuple[Word, ...], way: Wrapper) -> tuple[Word, ...]:
    """A script named where a program is expected is run by its interpreter."""
    if way.script and argv[0].text.endswith(".py"):
        return (Word(way.script), *argv)
    return argv
