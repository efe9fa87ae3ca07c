"""SQL: which tables a script reads and which it changes.

No grammar of a dialect: comments and texts are blanked, statements are cut at semicolons, and each is told by its first
word and by the names behind the words that take a table. What cannot be told so is opaque.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.programs import Role
from gate_core.shell.uses import Place

_LONGEST = 100_000  # characters of a script that are read
_MOST = 200  # statements of one


class Script(NamedTuple):
    """What a script does: its tables in order, whether it shows rows, whether some of it cannot be told, and whether
    it drops what nothing brings back."""

    places: tuple[Place, ...] = ()
    shows: bool = False
    opaque: bool = False
    harsh: bool = False


_BLANKED = late(
    r"--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\$(\w{0,20})\$(?:[^$]|\$(?!\1\$))*(?:\$\1\$|\Z)"
)
_FIRST = late(r"[\s(]*([A-Za-z]+)")
_NAME = r"[`\"\[]?(?P<name>[\w$]{1,80}(?:[`\"\]]?\.[`\"\[]?[\w$]{1,80}){0,3})"
_SKIPPED = r"(?:(?:if\s+(?:not\s+)?exists|only|ignore|low_priority|table|or\s+\w+)\s+){0,3}"
_CHANGED = late(
    r"(?P<before>\b(?:for|key|on|do|then|no\s+key)\s+)?"
    r"\b(?P<verb>into|update|delete\s+from|truncate|overwrite)\s+" + _SKIPPED + _NAME,
    re.IGNORECASE,
)
_OBJECT = late(
    r"\s*(?P<verb>create|alter|drop|rename|refresh|comment\s+on)\s+"
    r"(?:(?:or\s+replace|temp|temporary|unlogged|external|unique|materialized|foreign|concurrently|global|local|virtual|if)\s+){0,4}"
    r"(?P<kind>table|view|index|database|schema|function|procedure|trigger|user|role|type|sequence|extension|policy|column)\s+"
    r"(?:(?:if\s+(?:not\s+)?exists|concurrently|only)\s+){0,2}" + _NAME,
    re.IGNORECASE,
)
_READ = late(
    r"\b(?:from|join|describe|desc|show\s+columns\s+(?:from|in))\s+(?:only\s+|lateral\s+)?" + _NAME, re.IGNORECASE
)
_ALIAS = late(r"[`\"\]]?(?:\s+(?:as\s+)?\w{1,60})?\s*(?=,)", re.IGNORECASE)
_QUOTES = late(r"[][`\"]")
_LISTED = late(r",\s*" + _NAME + r"(?=[\s,;)`\"\]]|\Z)")
_CTE = late(
    r"(?:\bwith(?:\s+recursive)?|,)\s+"
    + _NAME
    + r"[`\"\]]?\s*(?:\([^()]{0,400}\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(",
    re.IGNORECASE,
)
_FILTERED = late(
    r"\b(?:where|having|limit|top\s*\(?\s*\d|fetch\s+(?:first|next)|offset|tablesample|sample|qualify)\b", re.IGNORECASE
)
_RETURNS = late(r"\breturning\s+[\w*\"`(]", re.IGNORECASE)
_DML = late(r"\b(?:insert\s+into|replace\s+into|merge\s+into|update|delete\s+from)\b", re.IGNORECASE)

_NO_SOURCE = late(
    r"(?<=\()\s*(?:year|month|day|hour|minute|second|epoch|dow|doy|week|quarter|both|leading|trailing|'')\s+from\b"
    r"|\bdistinct\s+from\b",
    re.IGNORECASE,
)
_COPIED = late(r"\s*copy\s+" + _NAME + r"[^;]{0,2000}?\s(?P<way>from|to)\b", re.IGNORECASE)


@cache
def _words(kind: str) -> frozenset[str]:
    """The verbs of a kind (`asks`, `changes`, `neutral`), and what follows FROM and is no table (`no_table`)."""
    return frozenset(load_table("shell", "programs", "data.toml")["sql"][kind])


def read_script(text: str) -> Script:
    """What the statements of a script do. What was changed in a transaction that is rolled back, is only listed."""
    if len(text) > _LONGEST:
        return Script(opaque=True)
    statements = [part for part in _blanked(text).split(";") if part.strip()]
    done = [_done(statement, _verb(statement)) for statement in statements[:_MOST]]
    return Script(
        places=each_once(_kept(statements, done)),
        shows=any(script.shows for script in done),
        opaque=any(script.opaque for script in done) or len(statements) > _MOST,
        harsh=any(script.harsh for script in done),
    )


def each_once(places: Iterable[Place]) -> tuple[Place, ...]:
    """The places in order, each once; what is read behind a change of it is read again."""
    found: dict[tuple[Place, int], None] = {}
    changes: Counter[Word] = Counter()
    for place in places:
        looks = place.role in (Role.READ, Role.LIST)
        found.setdefault((place, changes[place.word] if looks else 0))
        changes[place.word] += not looks
    return tuple([place for place, _ in found])


def _blanked(text: str) -> str:
    """The text without its comments, its literals, and the functions that are written with a FROM."""
    plain = _BLANKED.sub(lambda found: "''" if found[0][0] in "'$" else " ", text)
    return _NO_SOURCE.sub(" , ", " ".join(plain.split()))


def _done(statement: str, verb: str) -> Script:
    places = tuple(_statement(statement, verb))
    told = bool(places) or verb in _words("asks") or verb in _words("neutral")
    lower = statement.lower()
    return Script(
        places=places,
        shows=verb in _words("asks") or verb in ("explain", "copy") or _RETURNS.search(statement) is not None,
        opaque=not told,
        harsh=verb in ("drop", "truncate") or (verb == "delete" and " where " not in lower.replace("\n", " ")),
    )


def _kept(statements: list[str], done: list[Script]) -> Iterator[Place]:
    """The places in order; what a transaction changed that is rolled back, is listed."""
    open_: list[Place] = []
    begun = False
    for statement, script in zip(statements, done, strict=False):
        verb = _verb(statement)
        undone = begun and verb in ("rollback", "abort") and re.search(r"\bto\b", statement, re.IGNORECASE) is None
        if undone or verb in ("begin", "start", "commit"):
            yield from (place._replace(role=Role.LIST) if undone else place for place in open_)
            open_, begun = [], verb in ("begin", "start")
        if begun:
            open_ += script.places
        else:
            yield from script.places
    yield from open_


def _verb(statement: str) -> str:
    found = _FIRST.match(statement)
    return found[1].lower() if found else ""


def _statement(text: str, verb: str) -> Iterator[Place]:
    if verb == "explain":
        runs = re.match(r"\s*explain\s+\(?\s*(?:verbose\s+)?analyze", text, re.IGNORECASE)
        if not runs or not _DML.search(text):
            yield from (place._replace(role=Role.LIST) for place in _reads(text))
            return
    if verb == "copy" and (copied := _COPIED.match(text)):
        yield _place(Role.READ if copied["way"].lower() == "to" else Role.WRITE, "table", copied["name"])
        return
    if verb == "show" and not _READ.search(text):
        yield Place(Role.LIST, Word("sql:table"))
        return
    if verb in _words("changes") or verb in ("with", "explain", "select"):
        changes = list(_changes(text))
        yield from changes
        if verb != "with" and _RETURNS.search(text):
            yield from (place._replace(role=Role.READ, filtered=True) for place in changes[:1])
        if changes or verb in _words("changes"):
            return
    if verb in _words("asks"):
        yield from _reads(text)


def _changes(text: str) -> Iterator[Place]:
    made = _OBJECT.match(text)
    if made:
        verb = made["verb"].lower()
        role = Role.DELETE if verb == "drop" else Role.MAKE if verb in ("create", "alter") else Role.WRITE
        yield _place(role, made["kind"].lower(), made["name"])
        return
    own = _ctes(text)
    for found in _CHANGED.finditer(text):
        if not found["before"] and found["name"].lower() not in _words("no_table") and found["name"].lower() not in own:
            yield _place(Role.WRITE, "table", found["name"])
    if _verb(text) == "delete" and not _CHANGED.search(text):
        yield from (place._replace(role=Role.WRITE, filtered=False) for place in list(_reads(text))[:1])


def _reads(text: str) -> Iterator[Place]:
    own = _ctes(text)
    some = _FILTERED.search(text) is not None
    at = 0
    while found := _READ.search(text, at):
        names = [found["name"]]
        at = found.end()
        while (alias := _ALIAS.match(text, at)) and (more := _LISTED.match(text, alias.end())):
            names.append(more["name"])
            at = more.end()
        for name in names:
            if name.lower() not in own and name.lower() not in _words("no_table"):
                yield _place(Role.READ, "table", name, filtered=some)


def _ctes(text: str) -> frozenset[str]:
    """The names that a statement gives to its own parts."""
    return frozenset(found["name"].lower() for found in _CTE.finditer(text))


def _place(role: Role, kind: str, name: str, *, filtered: bool = False) -> Place:
    return Place(role, Word(f"sql:{kind}/{_QUOTES.sub('', name).lower()}"), filtered=filtered)
