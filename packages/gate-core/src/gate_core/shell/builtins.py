"""Commands of the shell itself: they change what the next ones see, and run nothing."""

from __future__ import annotations

from collections.abc import Callable

from gate_core.shell.exits import DONE, LEFT, NONE, Exit
from gate_core.shell.expand import Scope, Word

_DEEPEST_STACK = 20


def cd(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """cd: the folder of what follows."""
    words = [word for word in argv[1:] if not word.text.startswith("-") or word.text == "-"]
    goal = words[0] if words else Word("~")
    if goal.text == "-":
        scope.cwd, scope.before = scope.before, scope.cwd
        return Exit()
    scope.before, scope.cwd = scope.cwd, _folder(goal, scope.cwd)
    return Exit()


def _folder(goal: Word, cwd: str | None) -> str | None:
    text = goal.text
    if not goal.known or goal.glob:
        return None
    if text.startswith(("/", "~")) or text[1:2] == ":":
        return text
    if cwd is None or text in (".", ""):
        return cwd
    return f"{cwd.rstrip('/')}/{text}" if cwd else text


def pushd(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """pushd: like cd, and remembers where it came from."""
    scope.folders = (*scope.folders[-_DEEPEST_STACK:], scope.cwd)
    return cd(argv, scope, status)


def popd(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """popd: back to where pushd came from."""
    scope.cwd = scope.folders[-1] if scope.folders else None
    scope.folders = scope.folders[:-1]
    return Exit()


def set_options(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """set: `-e`, `-o pipefail`, and `-- words`."""
    words = [word.text for word in argv[1:]]
    if "--" in words:
        at = words.index("--") + 2
        scope.arguments((scope.names.get("0", Word("$0", known=False)), *argv[at:]))
        words = words[: words.index("--")]
    options(words, scope)
    return DONE


def options(words: list[str], scope: Scope) -> None:
    """Turn `-e`, `+e`, `-o name` and `+o name` on and off."""
    for at, text in enumerate(words):
        if text[:1] not in ("-", "+") or text.startswith("--"):
            continue
        on, named = text[0] == "-", words[at + 1] if text.endswith("o") and at + 1 < len(words) else ""
        if "e" in text[1:] or named == "errexit":
            scope.errexit = on
        if named == "pipefail":
            scope.pipefail = on


def leave(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """exit, return: with the status of what ran before, with a number, or with what nobody knows."""
    given = argv[1].text if len(argv) > 1 else "$?"
    if given.startswith("$"):
        return Exit(None, None, status.ok, NONE, status.same)
    return Exit(None, None, NONE) if given.strip() in ("0", "") else LEFT


def read(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """read, mapfile: names get what nobody knows, lines of the input."""
    names = [word.text for word in argv[1:] if word.known and word.text.isidentifier()]
    for name in names or ("REPLY",):
        scope.bind(name, Word(f"${name}", known=False))
        scope.lists[name] = (Word(f"${name}", known=False),)
    if len(names) < 2:
        scope.lines |= set(names or ("REPLY",))
    return Exit()


def shift(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """shift: the arguments move up."""
    count = int(argv[1].text) if len(argv) > 1 and argv[1].text.isdecimal() and len(argv[1].text) < 3 else 1
    words = scope.lists.get("@")
    if words is not None:
        scope.arguments((scope.names.get("0", Word("$0", known=False)), *words[count:]))
    return DONE


def unset(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """unset: names that stand for nothing."""
    for word in argv[1:]:
        scope.names.pop(word.text, None)
        scope.forget(word.text)
    return DONE


def quiet(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """It does nothing that matters here and does not fail."""
    return DONE


def fails(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """It always fails."""
    return Exit(ok=None)


def may_fail(argv: tuple[Word, ...], scope: Scope, status: Exit) -> Exit:
    """It does nothing that matters here and may fail."""
    return Exit()


DECLARES = frozenset({"export", "local", "declare", "readonly", "typeset"})
BUILTINS: dict[str, Callable[[tuple[Word, ...], Scope, Exit], Exit]] = {
    "cd": cd,
    "chdir": cd,
    "pushd": pushd,
    "popd": popd,
    "set": set_options,
    "exit": leave,
    "return": leave,
    "read": read,
    "mapfile": read,
    "readarray": read,
    "shift": shift,
    "unset": unset,
    "false": fails,
    **dict.fromkeys(DECLARES, quiet),
    **dict.fromkeys(("true", ":", "shopt", "ulimit", "trap", "alias", "unalias", "umask", "sleep", "disown"), quiet),
    **dict.fromkeys(("break", "continue", "hash", "setopt", "unsetopt", "enable", "bind", "complete", "exec"), quiet),
    **dict.fromkeys(("wait", "let", "getopts", "fg", "bg", "compgen", "((", "suspend", "local"), may_fail),
}
