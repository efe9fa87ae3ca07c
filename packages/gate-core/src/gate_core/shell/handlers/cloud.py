"""Clusters and clouds: clients whose words give the kind, the verb and the names of what they touch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.handlers.client import first_role, there, use_there
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import Place, Use


@cache
def _spellings(name: str) -> dict[str, str]:
    """A table of cloud.toml that lists spellings, turned around: spelling -> what it means."""
    table = load_table("shell", "programs", "cloud.toml")[name]
    return {spelling: meaning for meaning, spellings in table.items() for spelling in spellings}


def _kind_of(text: str) -> str:
    """The kind a cluster knows under many names ("deploy", "deployments.apps")."""
    plain = text.lower().partition(".")[0]
    return _spellings("kinds").get(plain, plain)


def steers_cluster(program: Program, args: Arguments, stage: Stage) -> Use:
    """kubectl: `TYPE NAME...`, `TYPE/NAME...`, or a name of the kind its row gives."""
    role = first_role(program) or Role.SKIP
    words = [word for word in args.operands if "=" not in word.text and not word.text.endswith("-")]
    if program.kind:
        named = [_member(program, program.kind, word) for word in words[:1]]
        return use_there(program, args, [(role, word) for word in named], program.kind)
    kinds: list[str] = []
    if words and words[0].known and "/" not in words[0].text:
        kinds = [_kind_of(kind) for kind in words.pop(0).text.split(",")][:20]
    named = [_member(program, kinds[0] if kinds else "", word) for word in words]
    named = named or [Word(f"{program.domain}:{kind}") for kind in kinds]
    return use_there(program, args, [(role, word) for word in named], "")


def _member(program: Program, kind: str, word: Word) -> Word:
    own, slash, name = word.text.partition("/")
    text = f"{_kind_of(own)}/{name}" if slash else f"{kind}/{word.text}" if kind else word.text
    return word._replace(text=f"{program.domain}:{text}")


_NAMING = late(r"-n|--(?:[a-z0-9-]{1,60}-)?(?:name|id|arn|identifier|bucket|key|cluster|service|function|group)s?")
_SELECTING = late(r"--(?:filters?|limit|max-items|page-size|filter-[a-z-]{1,30}|tag-filters?)")
_BARE = frozenset(
    {"--quiet", "-q", "--yes", "-y", "--debug", "--no-wait", "--force", "--async", "--verbose", "--dry-run"}
)
_TO_FILE = frozenset({"get-object", "invoke", "invoke-model"})


def steers_cloud(program: Program, args: Arguments, stage: Stage) -> Use:
    """aws, gcloud, az: groups of words, a verb that says what happens, and names in operands or options."""
    words = list(stage.argv[1:])
    groups, verb, at = _until_verb(words, program)
    role = _role_of(verb)
    if role is None or not groups:
        return _unknown(program, args, verb)
    operands, options = _behind_verb(words[at:])
    kind = ".".join(groups)
    names = [word for name, word in options if _NAMING.fullmatch(name)]
    written = operands if verb in _TO_FILE else []
    names += [] if written else operands
    named = [(role, there(program, kind, word)) for word in names] or [(role, Word(f"{program.domain}:{kind}"))]
    some = any(_SELECTING.fullmatch(name) or (name == "--query" and "[?" in word.text) for name, word in options)
    places = [Place(role, word, filtered=some and role is Role.READ) for role, word in named[:50]]
    shows = Shows.CONTENT if role is Role.READ else Shows.OWN
    row = replace(program, risk="high", reversible=False, family="delete") if role is Role.DELETE else program
    files = tuple(Place(Role.WRITE, word) for word in written)
    return Use(places=(*places, *files), shows=shows, domain=program.domain, program=row)


def _unknown(program: Program, args: Arguments, verb: str) -> Use:
    asks = not verb or not {"--help", "--version", "help"}.isdisjoint({*args.flags, verb})
    return Use(opaque=not asks, domain=program.domain, program=program)


def _until_verb(words: list[Word], program: Program) -> tuple[list[str], str, int]:
    """The groups in front of the verb, the verb, and where what follows it begins. The first word is a group, even
    where it could be a verb ("gcloud run deploy"); without a known verb the last word of them is taken for one."""
    groups: list[str] = []
    at = 0
    while at < len(words) and len(groups) < 6:
        text, at = words[at].text, at + 1
        if text.startswith("-"):
            at += text in program.values
        elif groups and _role_of(text) is not None:
            return groups, text, at
        else:
            groups.append(text)
    return groups[:-1], groups[-1] if groups else "", at


def _role_of(verb: str) -> Role | None:
    """What a verb does: the first part of an operation ("describe-instances"), where the whole is not listed."""
    table = _spellings("verbs")
    meaning = table.get(verb) or table.get(verb.partition("-")[0])
    return Role(meaning) if meaning else None


def _behind_verb(words: list[Word]) -> tuple[list[Word], list[tuple[str, Word]]]:
    """(operands, options with their values); an option takes every word up to the next one, operands come first or
    last: what follows the first value of an option is an operand, unless the option is a plural."""
    operands: list[Word] = []
    options: list[tuple[str, Word]] = []
    open_ = ""
    for word in words:
        name, equals, value = word.text.partition("=")
        if word.text.startswith("-"):
            open_ = "" if equals or name in _BARE else name
            options.append((name, word._replace(text=value)) if equals else (name, Word("")))
        elif open_:
            options.append((open_, word))
            open_ = open_ if open_.endswith("s") else ""
        else:
            operands.append(word)
    return operands, [(name, word) for name, word in options if word.text or not _NAMING.fullmatch(name)]
