"""Commands that run another one in a world of its own: docker exec, kubectl exec, ssh.

What it prints is of that world: a `cat a.cfg` on a host shows nothing of the a.cfg that is here. The inner command is
read only to tell whether it looks or may change something there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.tree import parse
from gate_core.shell.uses import Place, Use
from gate_core.shell.walk import stages_of
from gate_core.shell.words import UnreadableError
from gate_core.shell.wrappers import peel

_WORLDS = frozenset({"ssh", "docker", "podman", "kubectl", "oc", "mosh", "heroku", "fly", "flyctl", "ansible"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ash", "ksh"})
_CHANGES = frozenset({Role.WRITE, Role.MAKE, Role.DELETE, Role.LEAVE})
_LONGEST = 20_000  # characters of an inner command that are read


@dataclass(frozen=True, slots=True)
class _Inner:
    """What a command does where it runs."""

    changes: bool
    looks: bool


_ANYTHING = _Inner(changes=True, looks=False)


def runs_inside(program: Program, args: Arguments, stage: Stage) -> Use:
    """docker exec, kubectl exec, ssh: a look there, or something that may change whatever is there."""
    if not args.operands:
        return Use(opaque=bool(program.domain), domain=program.domain, program=program)
    where, *rest = args.operands
    if where.text == "--" and rest:
        where, *rest = rest
    rest = _behind_options(rest)
    whole = [Word(" ".join(word.text for word in rest), all(word.known for word in rest))]  # a host reads it anew
    return _told(program, _place(program, where), _inner(rest if program.domain or not rest else whole))


def starts_container(program: Program, args: Arguments, stage: Stage) -> Use:
    """docker run: a new container. With a folder of this machine in it, local files may change."""
    if any(_is_mount(name, word.text) for name, word in args.values):
        return Use(opaque=True, program=program)
    image, *rest = args.operands or (Word(""),)
    if "--rm" in args.flags and rest:
        return _told(program, _place(replace(program, kind="image"), image), _inner(rest))
    name = args.of("--name")
    at = _place(program, name) if name is not None else Word(f"tool:{program.domain}")
    return Use(places=(Place(Role.WRITE, at),), domain=program.domain, program=program)


def _is_mount(name: str, value: str) -> bool:
    if name in ("-v", "--volume"):
        return value.startswith((".", "/", "~", "$"))
    return name == "--mount" and "type=bind" in value


def _told(program: Program, place: Word, inner: _Inner) -> Use:
    """The use of a command whose inner one is read; a place that is an address is opaque when it is run."""
    if inner.changes:
        return Use(
            places=(Place(Role.RUN, place),), opaque=bool(program.domain), domain=program.domain, program=program
        )
    role, shows = (Role.READ, Shows.CONTENT) if inner.looks else (Role.LIST, Shows.OWN)
    return Use(places=(Place(role, place),), shows=shows, domain=program.domain, program=program)


def _place(program: Program, word: Word) -> Word:
    if not program.domain:
        host = word.text.removeprefix("ssh://").rpartition("@")[2]
        return word._replace(text=f"ssh://{host}")
    name = word.text.rpartition("/")[2]
    return word._replace(text=f"{program.domain}:{program.kind}/{name}")


def _behind_options(words: list[Word]) -> list[Word]:
    """`kubectl exec web -c app -- ls`: the command stands behind the two dashes."""
    at = next((i for i, word in enumerate(words[:20]) if word.text == "--"), None)
    return words if at is None else words[at + 1 :]


def _inner(words: list[Word]) -> _Inner:
    if not words or not all(word.known for word in words):
        return _ANYTHING
    texts = [word.text for word in words]
    if texts[0].rpartition("/")[2] in _SHELLS:
        if len(texts) < 3 or not texts[1].startswith("-") or not texts[1].endswith("c"):
            return _ANYTHING
        return _script(texts[2])
    return _script(texts[0]) if len(texts) == 1 else _read([Stage(argv=peel(tuple(words))[0])])


def _script(text: str) -> _Inner:
    if len(text) > _LONGEST:
        return _ANYTHING
    try:
        return _read(list(stages_of(parse(text), "").stages))
    except (UnreadableError, RecursionError):
        return _ANYTHING


def _read(stages: list[Stage]) -> _Inner:
    from gate_core.shell.reading import use_of

    if any(stage.program in _WORLDS for stage in stages):
        return _ANYTHING
    uses = [use_of(stage) for stage in stages]
    changes = any(use.opaque or any(place.role in _CHANGES for place in use.places) for use in uses)
    looks = any(use.shows not in (Shows.OWN, Shows.NOTHING) for use in uses)
    return _Inner(changes=changes or not uses, looks=looks)
