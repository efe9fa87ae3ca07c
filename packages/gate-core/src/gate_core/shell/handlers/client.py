"""Clients of worlds that are no local files: containers, clusters, forges, clouds.

A place there is spelled "<domain>:<kind>/<name>" ("docker:image/web:1"), "<domain>:<kind>" when the command names only
the kind, and "tool:<domain>" when a change names nothing. Whatever the client does, local files are touched only by
options that hold a path, and by copies from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use, spread

_OFF = frozenset({"none", "false", "no"})


def acts(program: Program, args: Arguments, stage: Stage) -> Use:
    """The common reading of a client's row: operands name things of its world, options may hold local paths."""
    kind = program.kind or "".join(program.sub[:1])
    roles = spread(list(program.operands), len(args.operands))
    named = [(role, there(program, kind, word)) for role, word in zip(roles, args.operands, strict=False)]
    return use_there(program, args, [pair for pair in named if pair[0] is not Role.SKIP], kind)


def use_there(program: Program, args: Arguments, named: list[tuple[Role, Word]], kind: str) -> Use:
    """The use of a client that names so much, with the local files of its options."""
    files = tuple(_files(program, args))
    if only_checks(program, args):
        return Use(places=files, domain=program.domain, program=program)
    some = args.has(program.filters_with)
    places = [Place(role, word, filtered=some and role is Role.READ) for role, word in named]
    if not places and (role := first_role(program)) is not None:
        looks = role in (Role.READ, Role.LIST)
        at = f"{program.domain}:{kind}" if looks and kind else f"tool:{program.domain}"
        places = [Place(role, Word(at), filtered=some and looks)]
    return Use(
        places=(*places, *files),
        shows=program.shows,
        opaque=program.opaque,
        domain=program.domain,
        answers=program.answers,
        program=program,
    )


def only_checks(program: Program, args: Arguments) -> bool:
    """True for a dry run, or a question about the client itself."""
    told = args.of(*program.checks_with)
    dry = args.has(program.checks_with) and (told is None or told.text not in _OFF)
    return dry or not {"--help", "--version"}.isdisjoint(args.flags)


def _files(program: Program, args: Arguments) -> Iterator[Place]:
    for name, word in args.values:
        if name in program.options and word.text not in NOWHERE:
            yield Place(program.options[name], word)


def first_role(program: Program) -> Role | None:
    """What a client does, whatever it is done to."""
    roles = [role.removesuffix("*") for role in program.operands if role not in ("skip", "skip*")]
    return Role(roles[0]) if roles else None


def there(program: Program, kind: str, word: Word) -> Word:
    """The place a word names in the world of a program; an address of a store ("s3://b/k") keeps what follows it."""
    _, scheme, behind = word.text.partition("://")
    name = behind if scheme else word.text
    return word._replace(text=f"{program.domain}:{kind}/{name}" if kind else f"{program.domain}:{name}")


def calls_api(program: Program, args: Arguments, stage: Stage) -> Use:
    """gh api, glab api: a GET reads what its path names; fields make it a POST unless a method is given."""
    method = args.of("-X", "--method")
    given = method.text.upper() if method else "POST" if args.has(program.writes_with) else "GET"
    if args.operands and args.operands[0].text == "graphql":
        asked = next((word.text for name, word in args.values if word.text.startswith("query=")), "mutation")
        given = "POST" if "mutation" in asked else "GET"
    role = {"GET": Role.READ, "HEAD": Role.LIST, "DELETE": Role.DELETE}.get(given, Role.WRITE)
    row = replace(program, operands=(role.value,), shows=Shows.CONTENT if role is Role.READ else Shows.OWN)
    row = replace(row, risk="high", reversible=False) if role is Role.DELETE else row
    operand = [(role, there(program, "api", word._replace(text=word.text.strip("/")))) for word in args.operands[:1]]
    return use_there(row, args, operand, "api")


def builds_image(program: Program, args: Arguments, stage: Stage) -> Use:
    """docker build: reads a folder, makes an image; `--output` writes files."""
    tags = [word for name, word in args.values if name in ("-t", "--tag")]
    folder = tuple(Place(Role.LIST, word) for word in args.operands if word.text not in NOWHERE)
    use = use_there(program, args, [(Role.WRITE, there(program, "image", word)) for word in tags], "image")
    return replace(use, places=(*use.places, *folder))


def uploads(program: Program, args: Arguments, stage: Stage) -> Use:
    """twine upload, cargo publish: what is handed to a registry are local files."""
    use = use_there(program, args, [], "")
    return replace(use, places=(*use.places, *(Place(Role.LIST, word) for word in args.operands)))
