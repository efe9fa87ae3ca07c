"""Clients of databases: what a script asks and changes, and what the client's own commands do.

A place in a database is "sql:table/orders", "mongodb:collection/orders" or "redis:key/orders". A script in a file is
opaque there. The client's own commands ("\\d", ".tables") are known by the table `metas` of data.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.handlers.sql import Script, each_once, read_script
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use, spread

_META = late(r"^[ \t]*(?:\\([a-zA-Z!?]{1,16}\+?)|\.([a-z]{2,12}))(?=[ \t\n;]|\Z)[ \t]*([^\n]*)", re.MULTILINE)


def queries(program: Program, args: Arguments, stage: Stage) -> Use:
    """mysql -e, psql -c, sqlite3: a query reads its tables, any other statement changes them."""
    files = [
        Place(program.options[name], word)
        for name, word in args.values
        if name in program.options and word.text not in NOWHERE
    ]
    texts = list(_scripts(program, args, stage))
    if not texts:
        return _without_script(program, args, files)
    script = _joined([_read(word) for word in texts])
    row = program
    if script.harsh:
        row = replace(program, risk="high", reversible=False, family="delete")
    elif any(place.role is Role.WRITE for place in script.places):
        row = replace(program, risk="medium")
    return Use(
        places=(*script.places, *files),
        shows=Shows.CONTENT if script.shows else Shows.OWN,
        domain=program.domain,
        program=row,
        opaque=script.opaque or _runs_file(files),
    )


def _scripts(program: Program, args: Arguments, stage: Stage) -> Iterator[Word]:
    """The texts a client is told to run: options, operands of the role "run", or a here-document."""
    yield from (word for name, word in args.values if name in program.pattern_with)
    roles = spread(list(program.operands), len(args.operands))
    yield from (word for role, word in zip(roles, args.operands, strict=False) if role is Role.RUN)
    yield from (word for op, _, word in stage.sent if op in ("<<", "<<<"))


def _without_script(program: Program, args: Arguments, files: list[Place]) -> Use:
    """A script that is fed, or in a file, may do anything; some options only ask."""
    asks = args.has(program.names_with)
    if asks or args.has(program.checks_with):
        listed = [Place(Role.LIST, Word(f"{program.domain}:database"))] if asks else []
        shows = Shows.NAMES if asks else Shows.OWN
        return Use(places=(*listed, *files), shows=shows, domain=program.domain, program=program)
    return Use(places=tuple(files), opaque=True, domain=program.domain, program=program)


def _runs_file(files: list[Place]) -> bool:
    return any(place.role is Role.LIST for place in files)


def _joined(scripts: list[Script]) -> Script:
    return Script(
        places=each_once(place for script in scripts for place in script.places),
        shows=any(script.shows for script in scripts),
        opaque=any(script.opaque for script in scripts),
        harsh=any(script.harsh for script in scripts),
    )


def _read(word: Word) -> Script:
    """A script with the client's own commands in it. A name that holds a variable is not known."""
    text = word.text[:200_000]
    told = [_meta(found[1] or found[2], found[3]) for found in _META.finditer(text)]
    whole = _joined([*told, read_script(_META.sub("", text))])
    if word.known:
        return whole
    places = tuple(p._replace(word=p.word._replace(known="$" not in p.word.text)) for p in whole.places)
    return whole._replace(places=places, opaque=whole.opaque or not places)


@cache
def _metas() -> dict[str, str]:
    table = load_table("shell", "programs", "data.toml")["metas"]
    return {name: effect for effect, names in table.items() for name in names}


def _meta(name: str, rest: str) -> Script:
    """One command of a client: "neutral", or what it does to the words behind it."""
    effect = _metas().get(name, "opaque")
    words = re.findall(r"[^\s'\";]{1,400}", rest)[:10]
    if effect == "copies":
        return _copied(name, words)
    table = f"sql:table/{words[0].lower()}" if words else "sql:table"
    places = {
        "list": [Place(Role.LIST, Word(table))],
        "read": [Place(Role.READ, Word(table))],
        "runs": [Place(Role.LIST, Word(word)) for word in words[:1]],
        "writes": [Place(Role.WRITE, Word(word)) for word in words[-1:] if word not in NOWHERE],
    }.get(effect, [])
    return Script(tuple(places), shows=effect in ("list", "read"), opaque=effect in ("runs", "opaque"))


def _copied(name: str, words: list[str]) -> Script:
    """psql's `\\copy t from f`, sqlite's `.import f t`."""
    lower = [word.lower() for word in words]
    if name == "import" and len(words) > 1:
        file, table = words[-2:]
        return Script((Place(Role.LIST, Word(file)), Place(Role.WRITE, Word(f"sql:table/{table.lower()}"))))
    way = next((i for i, word in enumerate(lower) if word in ("from", "to")), 0)
    if not way or way + 1 >= len(words) or words[0].startswith("("):
        return Script(opaque=True)
    table_, file_ = Word(f"sql:table/{lower[0].partition('(')[0]}"), Word(words[way + 1])
    if lower[way] == "from":
        return Script((Place(Role.LIST, file_), Place(Role.WRITE, table_)))
    return Script((Place(Role.LIST, table_), Place(Role.WRITE, file_)))


_MONGO = late(
    r"\bdb\s*\.\s*(?:getCollection\(\s*['\"](?P<quoted>[\w.-]{1,80})['\"]\s*\)|(?P<name>[A-Za-z_]\w{0,80}))"
    r"\s*\.\s*(?P<verb>[a-zA-Z]{1,40})\s*\("
)
_MONGO_LOOKS = late(
    r"find|findOne|count\w*|estimatedDocumentCount|aggregate|distinct|explain|stats|getIndexes|dataSize"
)
_MONGO_CHANGES = late(r"(?:insert|update|replace|delete|remove|drop|bulk|save|create|rename|findOneAnd|findAnd)\w*")


def asks_documents(program: Program, args: Arguments, stage: Stage) -> Use:
    """mongosh --eval: calls on collections."""
    texts = " ".join(word.text for word in _scripts(program, args, stage))[:100_000]
    files = tuple(Place(Role.LIST, word) for word in args.operands if word.text.endswith(".js"))
    calls = [(found["quoted"] or found["name"], found["verb"]) for found in _MONGO.finditer(texts)][:100]
    places = [Place(role, Word(f"mongodb:collection/{name}")) for name, verb in calls if (role := _mongo_role(verb))]
    shows = any(place.role is Role.READ for place in places) or re.match(r"\s*show\s", texts) is not None
    gone = any(verb.startswith(("drop", "delete", "remove")) for _, verb in calls)
    return Use(
        places=(*places, *files),
        shows=Shows.CONTENT if shows else Shows.OWN,
        opaque=not (places or shows or args.has(program.checks_with)) or len(places) < len(calls) or bool(files),
        domain=program.domain,
        program=replace(program, risk="high", reversible=False, family="delete") if gone else program,
    )


def _mongo_role(verb: str) -> Role | None:
    if _MONGO_CHANGES.fullmatch(verb):
        return Role.WRITE
    return Role.READ if _MONGO_LOOKS.fullmatch(verb) else None


@cache
def _commands() -> dict[str, str]:
    table = load_table("shell", "programs", "data.toml")["redis"]
    return {name: effect for effect, names in table.items() for name in names}


def asks_keys(program: Program, args: Arguments, stage: Stage) -> Use:
    """redis-cli: the first operand is a command, the next one the key."""
    if not args.operands:
        return Use(opaque=not args.has(program.checks_with), domain=program.domain, program=program)
    command, *rest = args.operands
    effect = _commands().get(command.text.lower(), "opaque")
    if effect in ("opaque", "neutral"):
        return Use(opaque=effect == "opaque", domain=program.domain, program=program)
    role = Role(effect)
    at = rest[0]._replace(text=f"redis:key/{rest[0].text}") if rest else Word("tool:redis")
    row = replace(program, risk="high", reversible=False, family="delete") if role is Role.DELETE else program
    shows = Shows.CONTENT if role is Role.READ else Shows.OWN
    return Use(places=(Place(role, at),), shows=shows, domain=program.domain, program=row)
