"""Commands within commands: scripts that shells are told to run, what find executes, what xargs hands on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.shell.builtins import options
from gate_core.shell.expand import Scope, Word
from gate_core.shell.stages import Sent, Stage
from gate_core.shell.syntax import Kind, Raw

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
_TAKES_SCRIPT = {"su": ("-c", "--command"), "script": ("-c", "--command"), "runuser": ("-c", "--command"), "watch": ()}
_EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
_FINDERS = frozenset({"find", "gfind", "fd", "fdfind"})
_FILTERS = frozenset({"grep", "egrep", "sort", "uniq", "head", "tail", "shuf"})
_PRINTERS = frozenset({"echo", "printf"})
_SEARCHERS = frozenset({"grep", "egrep", "rg"})
_NAMES_ONLY = late(r"-[A-Za-z]*l[A-Za-z]*|--files-with-matches")
_MOST_TOLD = 16


class Inner(NamedTuple):
    """A script: its text and its arguments; `here` for one that runs in this very shell."""

    text: str
    arguments: tuple[Word, ...] = ()
    here: bool = False
    errexit: bool = False
    pipefail: bool = False


def script_of(argv: tuple[Word, ...], fed: Sequence[Sent]) -> Inner | None:
    """The text that a shell is told to run, or None when it is a file or cannot be told."""
    name = argv[0].text.rpartition("/")[2]
    if name == "eval":
        text = " ".join([word.text for word in argv[1:]])
        return Inner(text, here=True) if all(word.known for word in argv) else None
    if name in _TAKES_SCRIPT:
        return _told_to_run(name, argv)
    return _of_shell(argv, fed) if name in _SHELLS else None


def _told_to_run(name: str, argv: tuple[Word, ...]) -> Inner | None:
    """`su -c "..."`, `watch "..."`."""
    if name == "watch":
        values = ("-n", "--interval")
        words = argv[next((i for i in range(1, len(argv)) if _is_operand(argv[i], argv[i - 1], values)), len(argv)) :]
        return Inner(" ".join(w.text for w in words)) if words and all(w.known for w in words) else None
    at = next((i for i, word in enumerate(argv) if word.text in _TAKES_SCRIPT[name]), len(argv))
    return Inner(argv[at + 1].text) if at + 1 < len(argv) and argv[at + 1].known else None


def _is_operand(word: Word, before: Word, values: tuple[str, ...]) -> bool:
    return not word.text.startswith("-") and before.text not in values


def _of_shell(argv: tuple[Word, ...], fed: Sequence[Sent]) -> Inner | None:
    """`bash -euo pipefail -c "..." name words`, or a script in a here-document."""
    at, flags = 1, Scope()
    reads, told = False, False
    while at < len(argv) and argv[at].text[:1] in ("-", "+") and argv[at].text != "-":
        text = argv[at].text
        options([word.text for word in argv[at : at + 2]], flags)
        short = not text.startswith("--")
        if short and "n" in text:
            return None
        told, reads = told or (short and "c" in text), reads or (short and "s" in text)
        at += 2 if short and text.endswith(("o", "O")) else 1
    if told:
        known = at < len(argv) and argv[at].known
        return Inner(argv[at].text, argv[at + 1 :], False, flags.errexit, flags.pipefail) if known else None
    if (at < len(argv) and argv[at].text != "-" and not reads) or not fed or not fed[0].word.known:
        return None
    return Inner(fed[0].word.text, (Word("bash"), *argv[at:]), False, flags.errexit, flags.pipefail)


def executed(argv: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """The commands that find runs for what it finds, with what it looks for in the place of "{}"."""
    if not argv or argv[0].text.rpartition("/")[2] not in _FINDERS:
        return []
    found = []
    for at, word in enumerate(argv):
        if word.text in _EXECUTES:
            end = next((i for i in range(at, len(argv)) if argv[i].text in (";", "+")), len(argv))
            words = argv[at + 1 : end]
            if argv[0].text.startswith("fd") and not any("{" in w.text for w in words):
                words = (*words, Word("{}"))
            if words:
                found.append(fed_with(words, "{}", searched(argv)))
    return found[:_MOST_TOLD]


def searched(argv: tuple[Word, ...]) -> tuple[Word, ...]:
    """The places that find looks at, as patterns; what fd looks for cannot be told."""
    if not argv[0].text.rpartition("/")[2].endswith("find") or argv[0].text.startswith("fd"):
        return (Word("{}", known=False),)
    words = argv[1:]
    starts = [i for i, word in enumerate(words) if word.text.startswith("-") or word.text in ("(", "!")]
    at = starts[0] if starts else len(words)
    roots = words[:at] or (Word("."),)
    if any(word.text in ("-o", "-or") for word in words[at:]):
        return tuple(root._replace(glob=True) for root in roots)
    named = [i for i in range(at, len(words) - 1) if words[i].text in ("-name", "-iname") and _plain(words, i)]
    if not named:
        return tuple(root._replace(text=f"{root.text.rstrip('/')}/*", glob=True) for root in roots)
    name = words[named[0] + 1]
    return tuple(Word(f"{root.text.rstrip('/')}/{name.text}", root.known and name.known, glob=True) for root in roots)


def _plain(words: tuple[Word, ...], at: int) -> bool:
    """True of a test that is not negated."""
    return at == 0 or words[at - 1].text not in ("!", "-not")


def fed_with(argv: tuple[Word, ...], mark: str, told: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words with the operands in the place of the mark, or behind them."""
    if not mark or not any(mark in word.text for word in argv):
        return argv if mark == "{}" and len(told) > 1 else (*argv, *told)
    found: list[Word] = []
    for word in argv:
        if word.text == mark:
            found += told
        elif mark in word.text:
            found.append(_marked(word, mark, told))
        else:
            found.append(word)
    return tuple(found)


def _marked(word: Word, mark: str, told: tuple[Word, ...]) -> Word:
    if len(told) != 1:
        return word._replace(known=False)
    return Word(word.text.replace(mark, told[0].text), word.known and told[0].known, told[0].glob)


def names_told(stages: Sequence[Stage], before: tuple[Word, ...] | None) -> tuple[Word, ...] | None:
    """The files that a part of a pipeline names in its output; filters name some of what they are told."""
    if len(stages) != 1 or not stages[0].argv:
        return None
    argv, program = stages[0].argv, stages[0].program
    operands = tuple(word for word in argv[1:] if not word.text.startswith("-"))
    if program in ("find", "gfind") and not any(w.text in _EXECUTES or w.text.startswith("-printf") for w in argv):
        return searched(argv)
    if program == "ls" and operands and all(word.known and (word.glob or "." in word.text) for word in operands):
        return operands[:_MOST_TOLD]
    if program in _SEARCHERS and any(_NAMES_ONLY.fullmatch(word.text) for word in argv):
        return tuple([_below(word) for word in operands[1:][:_MOST_TOLD]]) or None
    if program == "echo" and operands and all(word.known and " " not in word.text for word in operands):
        return operands[:_MOST_TOLD]
    return before if program in _FILTERS and stages[0].piped else None


def _below(word: Word) -> Word:
    """What lies below a folder, as a pattern; a file is one of its own."""
    text = word.text
    plain = word.glob or "." in text.rpartition("/")[2].lstrip(".")
    return word if plain else Word(f"{text.rstrip('/')}/*", word.known, glob=True)


def prints(raw: Raw) -> bool:
    """True of the name of a program that prints its words."""
    return len(raw) == 1 and raw[0].text in _PRINTERS


def echoed(words: list[Raw], scope: Scope) -> bool:
    """`echo "$line"`, `printf '%s\\n' "$line"` of a line that was read: the input passes through."""
    last = words[-1]
    plain = len(last) == 1 and last[0].kind is Kind.NAME and last[0].text in scope.lines
    between = ["".join([part.text for part in raw]) for raw in words[1:-1]]
    return plain and between in ([], ["%s\\n"], ["-e"], ["--", "%s\\n"], ["-E"])


def status_name(raw: Raw) -> str:
    """The name whose value the word is, "" for any other word."""
    return raw[0].text if len(raw) == 1 and raw[0].kind is Kind.NAME else ""
