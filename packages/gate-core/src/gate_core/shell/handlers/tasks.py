"""Runners of named tasks, and tools that check or rewrite sources."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use, by_roles

_CUT = late(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_HARMLESS, _CHANGES = "harmless", "changes"
_LONGEST_NAME = 80
_VERBS = frozenset(
    {
        "run",
        "test",
        "open",
        "discover",
        "analyse",
        "analyze",
        "check",
        "lint",
        "scan",
        "build",
        "dev",
        "serve",
        "start",
        "export",
        "watch",
        "fmt",
        "format",
        "ci",
    }
)


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(load_table("shell", "tasks.toml")[kind])


@cache
def _less(program: str) -> frozenset[str]:
    return frozenset(load_table("shell", "tasks.toml")["less"].get(program, ()))


def may_change(name: str, program: str = "") -> bool:
    """True when a task of this name may change sources."""
    if name in _less(program):
        return False
    parts = {part.lower() for part in _CUT.split(name[:_LONGEST_NAME]) if part}
    return not parts.isdisjoint(_words(_CHANGES)) or parts.isdisjoint(_words(_HARMLESS))


def runs_tasks(program: Program, args: Arguments, stage: Stage) -> Use:
    """make, just, npm run: what their tasks are called tells whether sources may change; none is the build."""
    names = [word for word in args.operands if "=" not in word.text]
    if program.kind == "first":
        names = names[:1]
    if args.has(program.checks_with):
        return Use(program=program)
    acts = any(not word.known or may_change(word.text, stage.program) for word in names)
    return Use(opaque=acts or (program.opaque and not names) or stage.fed, domain=program.domain, program=program)


def runs_tests(program: Program, args: Arguments, stage: Stage) -> Use:
    """Test runners: they change nothing, unless they are told to take what came out for what is expected."""
    use = by_roles(replace(program, writes_with=frozenset()), _without_verb(args), stage)
    return replace(use, opaque=args.has(program.writes_with))


def _without_verb(args: Arguments) -> Arguments:
    """The words without "run" and the like in front, which name no file."""
    named = bool(args.operands) and args.operands[0].text in _VERBS
    return replace(args, operands=args.operands[1:]) if named else args


def runs_shell(program: Program, args: Arguments, stage: Stage) -> Use:
    """bash, pwsh, fish with a script that was not read: it runs, and may do anything."""
    words = [word for word in args.operands[:1] if word.text not in NOWHERE and " " not in word.text]
    places = tuple([Place(Role.RUN, word) for word in words if not word.text.startswith("/c")])
    return Use(places=places, opaque=not args.has(program.checks_with), program=program)


def runs_biome(program: Program, args: Arguments, stage: Stage) -> Use:
    """biome: a verb, then what it is about."""
    return checks_sources(program, replace(args, operands=args.operands[1:]), stage)


def checks_sources(program: Program, args: Arguments, stage: Stage) -> Use:
    """Linters and formatters: they look, or they rewrite the files that are named; of a folder nobody knows which."""
    files = [word for word in _without_verb(args).operands if word.text not in NOWHERE]
    checks = args.has(program.checks_with)
    fixes = not checks and (args.has(program.writes_with) if program.writes_with else True)
    if not fixes:
        places = tuple([Place(Role.RUN, word) for word in files])
        return Use(places=places, answers=program.answers, program=program, shows=Shows.OWN)
    named = [word for word in files if _is_file(word)]
    if stage.piped and not files:
        return Use(program=program)
    return Use(
        places=tuple([Place(Role.WRITE, word) for word in named]),
        opaque=stage.fed or not named or len(named) < len(files),
        answers=program.answers,
        program=program,
    )


def _is_file(word: Word) -> bool:
    name = word.text.rstrip("/").rpartition("/")[2]
    return not word.text.endswith("/") and "." in name.lstrip(".")


def acts_if_told(program: Program, args: Arguments, stage: Stage) -> Use:
    """date, sysctl: they ask, and with some of their options they set."""
    acts = args.has(program.writes_with)
    return Use(opaque=acts, domain=program.domain if acts else "", program=program)


_QUERIES = late(r"-(?:Q|Ss|Si|Sl|Sg|F|T|V)\w{0,8}")
_ARCH = frozenset({"pacman", "yay", "paru"})


def manages_packages(program: Program, args: Arguments, stage: Stage) -> Use:
    """dpkg, rpm, pacman: one letter decides whether they ask or act."""
    texts = [word.text for word in stage.argv[1:]]
    if stage.program in _ARCH:
        asks = any(_QUERIES.fullmatch(text) for text in texts)
    else:
        asks = any(text in program.checks_with for text in texts)
    return Use(opaque=not asks, domain=program.domain, program=program)
