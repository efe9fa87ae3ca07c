"""A search that found nothing, and what it was for: the natural proof of a rename or a removal (spec 10, "Debts").

An empty search pays for nothing it merely did not meet. It does pay where it looked for just the text that a change
took away, over a place that holds the changed file: then the old name is gone, and the change is why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from gate_core.footprint.targets import last_name, same_target
from gate_core.model.json import JsonObject
from gate_core.model.late import late

_PLAIN = late(r"(?:\\[^\w\s<>()|{}+?]|[^\\\[\]*+?{}|^$()\n])+")
_BASIC = late(r"(?:\\[^\w\s<>()|{}+?]|[^\\\[\]*^$\n])+")
"""Patterns that mean what they spell; parentheses and braces are plain text to a basic grep."""
_EDGE = late(r"\\[b<>]")
_NAME = late(r"[A-Za-z_$@.][\w$.:-]{2,80}(?:\(\)?)?")
_TOKEN = late(r"\w+|[^\w\s]")
_SHORT = late(r"-[rRnIHhislcwFEGPoaUZ]+")
_LONG = {
    "--recursive": "r", "--ignore-case": "i", "--word-regexp": "w", "--fixed-strings": "F", "--line-number": "n",
    "--no-messages": "", "--files-with-matches": "l", "--count": "c", "--color=never": "", "--color=auto": "",
    "--hidden": "", "--no-ignore": "", "--no-heading": "", "--": "",
}  # fmt: skip
_EXCLUDES = ("--exclude=", "--exclude-dir=", "-g!", "--glob=!")
_INCLUDES = ("--include=", "--glob=")
_TAKES = frozenset({"-e", "--regexp", "--include", "--exclude", "--exclude-dir", "-g", "--glob"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Vain:
    """What a search did not find, and where: `roots` are the targets it looked through; `only` and `but` limit the
    names it looked at; `shy` says that it passes over hidden files."""

    text: str
    roots: tuple[str, ...]
    word: bool = False
    fold: bool = False
    deep: bool = True
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    shy: bool = False

    def covers(self, target: str) -> bool:
        """True when the target is among what was searched."""
        parts = target.split("/")
        if self.shy and any(part.startswith(".") and part not in (".", "..") for part in parts):
            return False
        if self.only and not any(fnmatchcase(last_name(target), last_name(pattern)) for pattern in self.only):
            return False
        if any(fnmatchcase(part, last_name(pattern.rstrip("/*"))) for pattern in self.but for part in parts):
            return False
        return any(self._within(root, target) for root in self.roots)

    def _within(self, root: str, target: str) -> bool:
        inside = root in (".", "") and not target.startswith(("/", "..")) and target[1:2] != ":"
        return same_target(root, target) or (self.deep and (inside or target.startswith(f"{root.rstrip('/')}/")))

    def took(self, new: str, old: str) -> bool:
        """True when a change from `old` to `new` took just that away: a name that was replaced by another name, or that
        went with what else was removed, lines or parts of them."""
        if not self._stands_in(old) or self._stands_in(new):
            return False
        if _is_removal(new, old):
            return True
        return _NAME.fullmatch(self.text) is not None and (_renamed(self.text, new, old) or _is_shorter(new, old))

    def _stands_in(self, text: str) -> bool:
        flags = re.IGNORECASE if self.fold else 0
        edge = r"\b" if self.word else ""
        return re.search(f"{edge}{re.escape(self.text)}{edge}", text, flags) is not None


def _is_removal(new: str, old: str) -> bool:
    rest = iter(old.splitlines())
    return all(any(line == other for other in rest) for line in new.splitlines())


def _is_shorter(new: str, old: str) -> bool:
    """True when words and signs were taken out of a text, and nothing was added."""
    rest = iter(_TOKEN.findall(old))
    return all(any(token == other for other in rest) for token in _TOKEN.findall(new))


def _renamed(name: str, new: str, old: str) -> bool:
    """True when one other name stands in every place of the name, and nothing else was changed."""
    parts = old.split(name)
    size, odd = divmod(len(new) - sum(map(len, parts)), max(len(parts) - 1, 1))
    other = new[len(parts[0]) : len(parts[0]) + size]
    return not odd and _NAME.fullmatch(other) is not None and other.join(parts) == new


def vain_of_tool(args: JsonObject, roots: Sequence[str]) -> Vain | None:
    """What a search tool that answered with nothing was for, over the targets it searched."""
    pattern, glob = args.get("pattern"), args.get("glob", args.get("include"))
    if not isinstance(pattern, str) or args.get("type") is not None or (glob is not None and not _is_glob(glob)):
        return None
    found = _literal(pattern, basic=False)
    if found is None:
        return None
    only = (glob,) if isinstance(glob, str) else ()
    return Vain(text=found[0], word=found[1], roots=tuple(roots), only=only, fold=args.get("-i") is True, shy=True)


def _is_glob(glob: object) -> bool:
    return isinstance(glob, str) and "{" not in glob and not glob.startswith("!")


@dataclass
class _Asked:
    patterns: list[str] = field(default_factory=list)
    flags: str = ""
    only: list[str] = field(default_factory=list)
    but: list[str] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    shy: bool = False


def vain_of_words(words: Sequence[str], roots: Sequence[str]) -> Vain | None:
    """What the words of a grep, an rg or a `git grep` ask for, over the targets that stand for its operands; None for
    what cannot be told."""
    asked = _asked(words)
    if asked is None:
        return None
    patterns = asked.patterns or asked.operands[:1]
    basic = words[0] in ("grep", "ggrep", "git") and not set("EP") & set(asked.flags)
    if len(patterns) != 1:
        return None
    found = (patterns[0], False) if "F" in asked.flags else _literal(patterns[0], basic=basic)
    if found is None or not found[0]:
        return None
    walks = words[0] not in ("grep", "ggrep", "egrep", "fgrep")
    return Vain(
        text=found[0],
        word=found[1] or "w" in asked.flags,
        fold="i" in asked.flags,
        roots=tuple(roots),
        deep=walks or bool(set("rR") & set(asked.flags)),
        only=tuple(asked.only),
        but=tuple(asked.but),
        shy=walks and not asked.shy,
    )


def _asked(words: Sequence[str]) -> _Asked | None:
    """The words of a search by what they are; None for an option that bends what is found."""
    asked = _Asked()
    rest = iter(words[2:] if words[0] == "git" else words[1:])
    for word in rest:
        value = next(rest, "") if word in _TAKES else ""
        if not _sorted_in(asked, word, value):
            return None
    return asked


def _sorted_in(asked: _Asked, word: str, value: str) -> bool:
    name, _, told = word.partition("=")
    if not word.startswith("-") or word == "-":
        asked.operands.append(word)
    elif value and name in ("-e", "--regexp"):
        asked.patterns.append(value)
    elif name == "--regexp":
        asked.patterns.append(told)
    elif word.startswith(_EXCLUDES) or name in ("--exclude", "--exclude-dir") or value.startswith("!"):
        asked.but.append((value or word.partition("!")[2] or told).lstrip("!"))
    elif word.startswith(_INCLUDES) or name in ("--include", "-g", "--glob"):
        asked.only.append(value or told)
    elif word in _LONG:
        asked.flags += _LONG[word]
        asked.shy = asked.shy or word == "--hidden"
    elif _SHORT.fullmatch(word):
        asked.flags += word[1:]
    else:
        return False
    return True


def _literal(pattern: str, *, basic: bool) -> tuple[str, bool] | None:
    """(the text that a pattern spells, whether it stands for whole words); None for a pattern that means more."""
    bare = _EDGE.sub("", pattern)
    if not (_BASIC if basic else _PLAIN).fullmatch(bare):
        return None
    return re.sub(r"\\(.)", r"\1", bare), bare != pattern


_SUBSTITUTES = late(r"s([/|#,!@])((?:(?!\1)[^\\\n]|\\.){1,300})\1((?:(?!\1)[^\\\n]|\\.){0,300})\1[gI]{0,2}")
_DELETES = late(r"/((?:[^/\\\n]|\\.){1,300})/d")


def told_by_script(scripts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(new text, replaced text) of what scripts of sed say they replace or delete, where they mean what they spell."""
    found = [pair for script in scripts for pair in _pairs(script)]
    return tuple(pair for pair in found if pair is not None) if all(pair is not None for pair in found) else ()


def _pairs(script: str) -> Iterator[tuple[str, str] | None]:
    for part in re.split(r";\s*(?=[s/])|\n", script.strip().rstrip(";")):
        found, gone = _SUBSTITUTES.fullmatch(part.strip()), _DELETES.fullmatch(part.strip())
        literal = _literal((found[2] if found else gone[1] if gone else "["), basic=True)
        new = re.sub(r"\\(.)", r"\1", found[3]) if found and "&" not in found[3] else None if found else ""
        yield (
            None
            if literal is None or new is None or re.search(r"\\\d", found[3] if found else "")
            else (new, literal[0])
        )
