"""The table of programs: what each does with its operands, as data (programs/*.toml).

One row is one program, or one subcommand of it. Its operands have roles, its options may take values or change what it
does, and `shows` says what reaches its output. Programs whose words need more than roles name a handler.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from gate_core.data import load_table, parse_row, row_texts
from gate_core.model.late import late
from gate_core.shell.expand import Word

TABLES = ("files", "text", "git", "code", "system", "net", "data", "cloud")


class Role(StrEnum):
    """What a program does with a place. LEAVE is what a move takes away; RUN is executed; MAKE is created without
    content (a folder, an empty file, a mode); ABSENT is asked whether it is missing."""

    READ = "read"
    LIST = "list"
    WRITE = "write"
    MAKE = "make"
    DELETE = "delete"
    LEAVE = "leave"
    ABSENT = "absent"
    RUN = "run"
    SKIP = "skip"


class Shows(StrEnum):
    """What of the places a program reads reaches its output."""

    CONTENT = "content"  # all of it
    PART = "part"  # some lines
    DIFF = "diff"  # lines marked "+" and "-"
    NAMES = "names"  # that they exist, their size, a count, a digest
    OWN = "own"  # text about something else
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One row of the table.

    Attributes:
        names: the names it is called by.
        sub: the words of a subcommand that must follow, options between them aside.
        operands: the roles of its operands in order; one of them may end in "*" and takes as many as there are.
        values: options that take a value ("-n", "--lines").
        options: options whose value is a place, and its role.
        pattern_with: options that stand in for the first operand ("grep -e").
        shows: what reaches the output.
        names_with: options with which it only lists or counts.
        writes_with: options with which it writes what it otherwise reads ("sed -i").
        checks_with: options with which an opaque program changes nothing ("--check", "--dry-run").
        default: the place it looks at when it is given none.
        recursive: its places are folders with all they hold.
        answers: exit codes besides 0 that are answers.
        opaque: it may change files that nobody can name.
        sweeps: what an opaque program changes is everything below its folder, as far as git or a patch knows it.
        domain: the world it acts in; "" for local files.
        handler: the code that reads its words, see handlers.py.
        single_dash: its long options have one dash.
        kind: what its operands name in that world ("container"), see handlers/client.py.
        inline: single-letter options whose value, if they have one, stands in the same word ("mysql -psecret").
        ends: after so many operands the words are those of another command ("ssh host cat a").
        folder_with: options that say where it works ("git -C"); of one that ends in "-path", the folder around it.
        harsh_with: options with which its risk is high and nothing brings back what is lost ("push --force").
        filters_with: options with which it shows only some of what is there.
        family, risk, reversible: what admission asks for (spec 40).
    """

    names: tuple[str, ...]
    sub: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    values: frozenset[str] = frozenset()
    options: Mapping[str, Role] = field(default_factory=dict)
    pattern_with: frozenset[str] = frozenset()
    shows: Shows = Shows.OWN
    names_with: frozenset[str] = frozenset()
    writes_with: frozenset[str] = frozenset()
    checks_with: frozenset[str] = frozenset()
    default: str = ""
    recursive: bool = False
    answers: tuple[int, ...] = ()
    opaque: bool = False
    sweeps: bool = False
    domain: str = ""
    handler: str = ""
    single_dash: bool = False
    kind: str = ""
    inline: frozenset[str] = frozenset()
    ends: int = 0
    folder_with: frozenset[str] = frozenset()
    harsh_with: frozenset[str] = frozenset()
    filters_with: frozenset[str] = frozenset()
    family: str = ""
    risk: str = "low"
    reversible: bool = True


@lru_cache(2048)
def programs_named(name: str) -> tuple[Program, ...]:
    """The rows of a name, the most specific subcommand first."""
    found = [program for text in _texts().get(name, ()) for program in _programs(_parsed(text))]
    return tuple(sorted(found, key=lambda program: -len(program.sub)))


@cache
def _texts() -> dict[str, list[str]]:
    """Name -> the rows that bear it, as they stand in the files."""
    found: dict[str, list[str]] = {}
    for table in TABLES:
        for text in row_texts("program", "shell", "programs", f"{table}.toml")[1]:
            names = _NAMES.search(text)
            for name in json.loads(names[1]) if names is not None else ():
                found.setdefault(name, []).append(text)
    return found


_NAMES = late(r"^names = (\[.*\])$", re.MULTILINE)
_parsed = cache(parse_row)


@cache
def _head(table: str) -> dict[str, Any]:
    """What stands in a file before its rows."""
    return parse_row(row_texts("program", "shell", "programs", f"{table}.toml")[0])


def rows() -> list[dict[str, Any]]:
    """All rows of all tables as they stand in the files, examples included."""
    return [row for table in TABLES for row in load_table("shell", "programs", f"{table}.toml").get("program", ())]


def _programs(row: Mapping[str, Any]) -> Iterator[Program]:
    """The programs of a row: `subs` gives several subcommands that do the same, each a text of words."""
    known = {spec.name: str(spec.type) for spec in fields(Program)}
    values = {key: _value(known[key], value) for key, value in row.items() if key not in ("examples", "subs")}
    if "subs" not in row:
        yield Program(**values)
    for text in row.get("subs", ()):
        yield Program(**values, sub=tuple(text.split()))


def _value(annotation: str, value: Any) -> Any:
    if annotation.startswith("tuple"):
        return tuple(value)
    if annotation.startswith("frozenset"):
        return frozenset(value)
    if annotation == "Shows":
        return Shows(value)
    if annotation.startswith("Mapping"):
        return {key: Role(role) for key, role in value.items()}
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The words of a stage, sorted out: operands, flags as written without values, and the values of options; those
    that stand before a subcommand are `above`."""

    operands: tuple[Word, ...]
    flags: frozenset[str]
    values: tuple[tuple[str, Word], ...]
    above: tuple[tuple[str, Word], ...] = ()

    def has(self, options: frozenset[str]) -> bool:
        """True when one of the options is given."""
        return not options.isdisjoint(self.flags) or any(name in options for name, _ in self.values)

    def of(self, *names: str) -> Word | None:
        """The value of an option, the last one given."""
        return next((word for name, word in reversed(self.values) if name in names), None)


def lays_out(head: str) -> bool:
    """True when the command that begins with these words is a formatter: it changes layout, and no word."""
    first, _, rest = head.partition(" ")
    return not _layout().isdisjoint((first, f"{first} {rest.partition(' ')[0]}"))


@cache
def _layout() -> frozenset[str]:
    return frozenset(_head("code")["layout"])


def find_program(argv: tuple[Word, ...], name: str) -> tuple[Program, Arguments] | None:
    """The row for a stage and its words sorted by it, or None for a program nobody knows."""
    name, *first = _aliases().get(name, name).split()
    words = (*map(Word, first), *argv[1:])
    some = programs_named(name)
    if not some:
        return None
    heads = _heads(words, some)
    texts = tuple([words[at].text for at in heads])
    for program in some:
        if program.sub == texts[: len(program.sub)]:
            return _sorted_out(program, words, heads[: len(program.sub)], some[-1])
    return None


@cache
def _aliases() -> dict[str, str]:
    """Other spellings of a program and its first words ("docker-compose" is "docker compose")."""
    table: dict[str, str] = _head("cloud")["aliases"]
    return table


def _sorted_out(
    program: Program, words: tuple[Word, ...], heads: list[int], whole: Program
) -> tuple[Program, Arguments]:
    behind = heads[-1] + 1 if heads else 0
    args = arguments(words[behind:], program)
    if behind:
        before = tuple(word for at, word in enumerate(words[:behind]) if at not in heads)
        above = arguments(before, replace(whole, values=_above(whole), ends=0))
        args = replace(args, flags=args.flags | above.flags, above=above.values)
    if args.has(program.harsh_with):
        program = replace(program, risk="high", reversible=False)
    if whole.folder_with and not whole.sub:
        program = replace(program, folder_with=program.folder_with | whole.folder_with)
    return program, args


_GLOBAL_VALUES = frozenset(
    {"-C", "-c", "-n", "--namespace", "--context", "-f", "-p", "-R", "--repo", "--prefix", "-F", "-D"}
)


def _above(whole: Program) -> frozenset[str]:
    """The options that take a value before a subcommand: those of the row without one, where there is such a row."""
    return _GLOBAL_VALUES if whole.sub else whole.values | whole.folder_with | set(whole.options)


def _heads(words: tuple[Word, ...], some: tuple[Program, ...]) -> list[int]:
    """Where the first words stand that are no options and no values of them: as many as the longest subcommand has."""
    takes, most = _above(some[-1]), len(some[0].sub)
    found: list[int] = []
    at = 0
    while at < len(words) and len(found) < most and words[at].text != "--":
        text, at = words[at].text, at + 1
        if not text.startswith("-"):
            found.append(at - 1)
        elif text in takes:
            at += 1
    return found


def arguments(words: tuple[Word, ...], program: Program) -> Arguments:
    """The words after the program's name, sorted."""
    takes = program.values | program.folder_with | set(program.options)
    operands: list[Word] = []
    flags: set[str] = set()
    values: list[tuple[str, Word]] = []
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        text = word.text
        if text == "--" or (program.ends and len(operands) >= program.ends):
            operands.extend(words[at if text == "--" and not program.ends else at - 1 :])
            break
        if not text.startswith("-") or text == "-":
            operands.append(word)
        elif text.startswith("--") or program.single_dash:
            name, equals, inline = text.partition("=")
            if equals:
                values.append((name, Word(inline, word.known, word.glob)))
                flags.add(name)
            elif name in takes and at < len(words):
                values.append((name, words[at]))
                at += 1
            else:
                flags.add(name)
        else:
            at = _cluster(word, words, at, program, flags, values)
    return Arguments(operands=tuple(operands), flags=frozenset(flags), values=tuple(values))


def _cluster(
    word: Word,
    words: tuple[Word, ...],
    at: int,
    program: Program,
    flags: set[str],
    values: list[tuple[str, Word]],
) -> int:
    """`-rne x`: single letters, the last of which may take a value, in the word or behind it."""
    text = word.text
    takes = program.values | program.folder_with | program.inline | set(program.options)
    for place, letter in enumerate(text[1:], start=2):
        name = f"-{letter}"
        if name in takes:
            if text[place:]:
                values.append((name, Word(text[place:], word.known, word.glob)))
            elif name in program.inline:
                flags.add(name)
            elif at < len(words):
                values.append((name, words[at]))
                at += 1
            return at
        flags.add(name)
    flags.add(text)
    return at
