"""git: which words are paths and which are revisions, and what becomes of the working tree.

A word in front of `--` is a path when it looks like one (an extension, a slash at an end, a pattern, the usual name of
a folder). Any other is taken for a revision: a diff that was asked about an unlikely path still names it in its output,
while two branches taken for paths would make a look at the files out of a look at history.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import SOMEWHERE, Place, Use, by_roles

_REVISION = late(
    r"(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|main|master|trunk|develop|v\d[\w.-]{0,60}|[0-9a-f]{7,40}"
    r"|(?:[\w.-]{1,80}/){0,4}v?\d{1,6}(?:\.\d{1,6}){0,3}\.x"  # a line of releases: release/1.x
    r"|(?:origin|upstream|refs)/\S{1,200}|@(?:\{[^}]{1,60}\})?|[\w./-]{1,200}(?=[~^@]))(?:[~^@]\S{0,60})?"
)
_EXTENSION = late(r"\.[A-Za-z]\w{0,11}")


@cache
def _places() -> frozenset[str]:
    """Names that are hardly ever branches: usual folders and files without an extension."""
    return frozenset(load_table("shell", "programs", "git.toml")["places"])


class Named(NamedTuple):
    """The operands of a git command by what they name."""

    revisions: tuple[Word, ...]
    paths: tuple[Word, ...]


def named(operands: tuple[Word, ...], stage: Stage) -> Named:
    """Tell revisions and paths apart. Behind `--` there are only paths."""
    texts = [word.text for word in stage.argv]
    behind = len(texts) - texts.index("--") - 1 if "--" in texts else 0
    ahead, after = operands[: len(operands) - behind], operands[len(operands) - behind :]
    paths = tuple(word for word in ahead if _is_path(word))
    return Named(tuple(word for word in ahead if not _is_path(word)), (*paths, *after))


def _is_path(word: Word) -> bool:
    text = word.text
    if word.glob or text.startswith((".", "/", "~", ":(", ":!", ":/")) or text.endswith("/") or text in _places():
        return True
    if ":" in text or ".." in text.replace("/../", "/") or _REVISION.fullmatch(text):
        return False
    name = text.rpartition("/")[2]
    return _EXTENSION.fullmatch(name[name.rfind(".") :]) is not None if "." in name else False


def compares_revisions(program: Program, args: Arguments, stage: Stage) -> Use:
    """git diff: what stands in the working tree against an older state; two revisions are history. `--no-index`
    compares two files. What is staged (`--cached`) was copied from the working tree, and counts as it."""
    operands = named(args.operands, stage)
    if "--no-index" in args.flags:
        return by_roles(program, args, stage)
    if len(operands.revisions) > 1 or any(".." in word.text for word in operands.revisions):
        return Use(program=program, answers=program.answers)
    counts = args.has(program.names_with)
    row = replace(program, shows=Shows.PART) if counts else program
    use = by_roles(row, replace(args, operands=operands.paths), stage)
    return replace(use, finds=not counts)


def shows_revision(program: Program, args: Arguments, stage: Stage) -> Use:
    """git show, git log: history, which says nothing about the working tree."""
    return Use(program=program, answers=program.answers)


def searches_tree(program: Program, args: Arguments, stage: Stage) -> Use:
    """git grep: the tracked files of the working tree, or those of a revision."""
    pattern = 0 if args.has(program.pattern_with) else 1
    operands = named(args.operands[pattern:], stage)
    if operands.revisions or "--cached" in args.flags:
        return Use(program=program, answers=program.answers)
    return by_roles(program, replace(args, operands=(*args.operands[:pattern], *operands.paths)), stage)


def annotates(program: Program, args: Arguments, stage: Stage) -> Use:
    """git blame: the lines of a file in the working tree; with a revision, of an old state."""
    given = args.of("-L")
    window = re.fullmatch(r"(\d{1,9}),(\d{1,9})", given.text) if given else None
    lines = (int(window[1]), int(window[2])) if window else SOMEWHERE if given else None
    if len(args.operands) != 1:
        return Use(program=program)
    return Use(places=(Place(Role.READ, args.operands[0], lines),), shows=program.shows, program=program)


def restores(program: Program, args: Arguments, stage: Stage) -> Use:
    """git checkout, git restore, git stash push: named files are written; with a branch or a folder, anything may be.

    A new branch that starts where one is changes no file, only what git keeps; nor does `restore --staged`.
    """
    fresh = args.of("-b", "-B", "-c", "-C", "--create", "--orphan") is not None
    if fresh and all(word.text in ("HEAD", "@") for word in args.operands):
        return Use(opaque=True, quiet=True, domain=_SETTINGS, program=replace(program, sweeps=False))
    staged = not {"--staged", "-S"}.isdisjoint(args.flags) and {"--worktree", "-W"}.isdisjoint(args.flags)
    if "restore" in program.sub and staged:
        return Use(quiet=True, program=program)
    words = named(args.operands, stage)
    paths = words.paths or (words.revisions if "restore" in program.sub else ())
    if not paths or any(_is_folder(word.text) for word in paths):
        return Use(opaque=True, program=replace(program, sweeps=program.sweeps or bool(paths)))
    return Use(places=tuple(Place(Role.WRITE, word) for word in paths), quiet=True, program=program)


def _is_folder(text: str) -> bool:
    return text.endswith(("/", ".", "..")) or text.startswith(":") or (text in _places() and text.islower())


def changes_if_told(program: Program, args: Arguments, stage: Stage) -> Use:
    """Programs that change what nobody can name only with some of their options (git reset --hard)."""
    return Use(opaque=args.has(program.writes_with), program=program)


def resets(program: Program, args: Arguments, stage: Stage) -> Use:
    """git reset: the files with --hard, else what only git itself keeps."""
    if args.has(program.writes_with):
        return Use(opaque=True, program=program)
    return Use(opaque=True, quiet=True, domain=_SETTINGS, program=replace(program, sweeps=False))


def applies_patch(program: Program, args: Arguments, stage: Stage) -> Use:
    """git apply: a patch that stands in the command names the files it changes; any other may change anything."""
    files = tuple(Place(Role.LIST, word) for word in args.operands if word.text != "-")
    if args.has(program.checks_with):
        return Use(places=files, program=program)
    fed = [word for op, _, word in stage.sent if op in ("<<", "<<<")]
    changed = tuple(_patched(fed[0].text, args.of("-p"))) if fed and fed[0].known and not files else ()
    return Use(places=(*files, *changed), opaque=not changed, quiet=True, program=program)


def applies_text(program: Program, args: Arguments, stage: Stage) -> Use:
    """apply_patch: a text of its own kind, given as a word or fed in, names the files it adds, updates and deletes."""
    fed = [word for op, _, word in stage.sent if op in ("<<", "<<<")]
    texts = [word for word in (*args.operands, *fed) if word.known]
    places = [_operation(verb, path) for word in texts for verb, path in _OPERATION.findall(word.text)]
    return Use(places=tuple(places), opaque=not places, program=program)


_OPERATION = late(r"^\*\*\* (Add File|Update File|Delete File|Move to): (\S[^\n]{0,400}?)\s*$", re.MULTILINE)


def _operation(verb: str, path: str) -> Place:
    return Place(Role.DELETE if verb == "Delete File" else Role.WRITE, Word(path))


_HEADER = late(r"^--- ([^\t\n]{1,400})[^\n]*\n\+\+\+ ([^\t\n]{1,400})", re.MULTILINE)


def _patched(text: str, strip: Word | None) -> list[Place]:
    depth = int(strip.text) if strip is not None and strip.text.isdecimal() and len(strip.text) < 3 else 1
    return [_header(old.strip(), new.strip(), depth) for old, new in _HEADER.findall(text)]


def _header(old: str, new: str, depth: int) -> Place:
    if new == "/dev/null":
        return Place(Role.DELETE, Word(_stripped(old, depth)))
    return Place(Role.WRITE, Word(_stripped(new, depth)))


def _stripped(path: str, depth: int) -> str:
    parts = path.split("/")
    return "/".join(parts[min(depth, len(parts) - 1) :])


def clones(program: Program, args: Arguments, stage: Stage) -> Use:
    """git clone: makes a folder, named like the repository unless it is told another name."""
    if not args.operands:
        return Use(program=program)
    source = args.operands[0]
    name = re.split(r"[/:]", source.text.rstrip("/"))[-1].removesuffix(".git")
    folder = args.operands[1] if len(args.operands) > 1 else Word(name, source.known)
    return Use(places=(Place(Role.MAKE, folder),), program=program)


def pushes(program: Program, args: Arguments, stage: Stage) -> Use:
    """git push: changes no file here. A reference spelled "+x" or ":x" overwrites or removes one there."""
    if any(word.text.startswith(("+", ":")) for word in args.operands):
        program = replace(program, risk="high", reversible=False)
    return Use(program=program)


def configures(program: Program, args: Arguments, stage: Stage) -> Use:
    """git config: with `-f`, a file is read or written; otherwise the settings of git."""
    file = args.of("-f", "--file")
    asks = args.has(program.names_with) or len(args.operands) < _PAIR or args.operands[0].text in ("get", "list")
    if file is None:
        return _settings(program, args, asks=asks and _UNSETS.isdisjoint(args.flags))
    if asks:
        return Use(places=(Place(Role.READ, file, SOMEWHERE),), shows=Shows.PART, program=program)
    return Use(places=(Place(Role.WRITE, file),), quiet=True, program=program)


_PAIR = 2  # a name and a value
_UNSETS = frozenset({"--unset", "--unset-all", "--remove-section", "--rename-section", "-e", "--edit"})


def _settings(program: Program, args: Arguments, *, asks: bool) -> Use:
    """The settings of git itself, a world of their own: what is set there is no file of the work."""
    if not asks:
        return Use(opaque=True, quiet=True, domain=_SETTINGS, program=program)
    named = [word for word in args.operands if word.text not in ("get", "list")][:1]
    places = tuple(Place(Role.READ, word._replace(text=f"{_SETTINGS}:config/{word.text}")) for word in named)
    return Use(places=places, shows=Shows.CONTENT if places else Shows.OWN, domain=_SETTINGS, program=program)


_SETTINGS = "git"
_NAMES = frozenset({"-d", "-D", "--delete", "-m", "-M", "--move", "-c", "-C", "--copy", "-u", "--set-upstream-to"})
_REMOTES = frozenset({"add", "remove", "rm", "rename", "set-url", "set-head", "set-branches"})
_LISTS = frozenset({"-l", "--list", "--contains", "--merged", "--no-merged", "--points-at", "--show-current"})


def names_branches(program: Program, args: Arguments, stage: Stage) -> Use:
    """git branch, git remote: they list, or change what only git itself keeps."""
    verb = args.operands[0].text if args.operands else ""
    if "remote" in program.sub:
        acts = verb in _REMOTES
    else:
        given = {*args.flags, *(name for name, _ in args.values)}
        acts = not given.isdisjoint(_NAMES) or (bool(verb) and given.isdisjoint(_LISTS))
    return Use(opaque=acts, quiet=acts, domain=_SETTINGS, program=program)
