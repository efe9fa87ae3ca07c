"""Commands of PowerShell, cmd and fish: one verb with its words is read as the program that does the same."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word

_ODD = late(r"[|;&<>{}()$`@\n]")
_WORD = late(r"'([^']*)'|\"([^\"]*)\"|(\S+)")
_LONGEST = 2_000
_TAKES = frozenset({"-c", "-command", "-lc", "/c", "/k"})
_SHELLS = {"pwsh": "powershell", "powershell": "powershell", "cmd": "cmd", "fish": "fish"}


@cache
def _table() -> dict[str, Any]:
    return load_table("shell", "verbs.toml")


@cache
def _verbs(shell: str) -> dict[str, str]:
    return {verb: program for program, verbs in _table().get(shell, {}).items() for verb in verbs}


def native(command: str) -> str:
    """A command line of Windows; one that begins with a verb of cmd parts its paths with backslashes."""
    return command.replace("\\", "/") if _is_bare((command.split(maxsplit=1) or [""])[0]) else command


def of_powershell(command: str) -> str:
    """A line of PowerShell as the Unix grammar can read it: paths parted by slashes, and its idiom for a change of a
    file, `(Get-Content f) -replace 'a','b' | Set-Content f`, as the pipe it is."""
    return _REPLACED.sub(r"\1 | sed s/a/b/", command.replace("\\", "/"))


_REPLACED = late(
    r"\(\s*((?:Get-Content|gc|cat|type)\s[^()|;]{1,400}?)\s*\)"
    r"(?:\.Replace\([^()]{0,400}\)|\s*-[ci]?replace\s+(?:'[^']{0,400}'|\"[^\"]{0,400}\")(?:\s*,\s*(?:'[^']{0,400}'|\"[^\"]{0,400}\"))?){1,20}",
    re.IGNORECASE,
)


def _is_bare(verb: str) -> bool:
    return verb.lower() in _table()["bare"]


def translated(argv: tuple[Word, ...], *, windows: bool = False) -> tuple[Word, ...]:
    """The words that do the same in a Unix shell; the words as they are where there is no such thing. In a folder of
    `windows` some verbs of cmd stand for themselves."""
    name = argv[0].text.rpartition("/")[2].removesuffix(".exe").lower()
    if windows and _is_bare(name):
        return _same("cmd", argv) or argv
    shell = _SHELLS.get(name)
    if shell is None:
        return _same("powershell", argv) or argv if "-" in name and name in _verbs("powershell") else argv
    at = next((i for i, word in enumerate(argv) if word.text.lower() in _TAKES), len(argv))
    words = argv[at + 1 :]
    text = " ".join([word.text for word in words])
    if not words or len(text) > _LONGEST or not all(word.known for word in words) or _ODD.search(text):
        return argv
    found = _WORD.findall(text) if len(words) == 1 else [(word.text,) for word in words]
    return _same(shell, tuple([Word("".join(groups)) for groups in found])) or argv


def _same(shell: str, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """The program of the verb with its operands; None for a verb nobody knows."""
    if shell == "fish":
        return words
    program = _verbs(shell).get(words[0].text.lower()) if words else None
    if program is None:
        return None
    operands = _cmd_operands(words[1:]) if shell == "cmd" else _operands(words[1:])
    if words[0].text.lower() in _table()["first"]:
        operands = operands[:1]
    asks = [Word("-e")] if program == "test" else []
    return (Word(program), *asks, *operands)


def _cmd_operands(words: tuple[Word, ...]) -> list[Word]:
    return [word for word in words if not word.text.startswith("/")]


def _operands(words: tuple[Word, ...]) -> list[Word]:
    """The operands of a cmdlet, its parameters aside."""
    places, flags = _table()["places"], _table()["flags"]
    at = next((i for i, word in enumerate(words[:-1]) if word.text.lower() == "-pattern"), 0)
    words = (*words[at : at + 2], *words[:at], *words[at + 2 :]) if at else words
    found: list[Word] = []
    at = 0
    while at < len(words):
        text = words[at].text.lower()
        at += 1
        if not text.startswith("-"):
            found.append(words[at - 1])
        elif text not in flags and text not in places:
            at += 1
    return found
