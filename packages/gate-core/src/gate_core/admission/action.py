"""What a call is about to do, as admission sees it: family, risk, what is lost for good, on which objects (spec 40).

All of it comes from the profile or from the program's row, never from the proposer. One command may be several actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gate_core.admission.wording import family_of
from gate_core.data import load_table
from gate_core.footprint.targets import path_target
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.json import Json, canonical, digest
from gate_core.model.kinds import ToolEffect
from gate_core.model.late import late
from gate_core.model.profile import PLACEHOLDER, ToolProfile
from gate_core.profiles import resolve
from gate_core.profiles.verbs import name_words
from gate_core.shell import Analysis, Place, Role, Stage, Use, analyse, available

CHANGE = "change"
"""The family of writes outside of the working directory, and of what nobody has a better word for."""

DELETE, STORE = "delete", "store"
_CHANGING = frozenset({ToolEffect.CHANGE, ToolEffect.DELETE, ToolEffect.MOVE})
_WRITES = frozenset({Role.WRITE, Role.MAKE, Role.DELETE, Role.LEAVE})
_SYSTEM = (
    "/etc/",
    "/usr/",
    "/bin/",
    "/sbin/",
    "/lib/",
    "/opt/",
    "/boot/",
    "/root/",
    "/sys/",
    "/dev/",
    "/var/",
    "/srv/",
)
_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
_LITERAL = late(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
_LOSES = late(
    r"\s*(?:delete\s+from|drop\s+\w+|truncate(?:\s+table)?)\s+(?:if\s+exists\s+)?([\w.\"`\[\]]+)?", re.IGNORECASE
)
_ALTERS = late(r"\s*(?:update|alter\s+\w+)\s+([\w.\"`\[\]]+)", re.IGNORECASE)
_WHERE = late(r"\bwhere\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing a call is about to do. `objects` are what it does it to, as the call spells them; `kind` is what they
    are ("reservation", "file"); `target` is how it is named in findings; `implicit` says that the command names no
    thing and acts on all of its program's world.
    """

    family: str
    objects: tuple[str, ...] = ()
    kind: str = ""
    risk: str = "low"
    reversible: bool = True
    target: str = ""
    authorization: str = ""
    implicit: bool = False

    @property
    def concerned(self) -> bool:
        """True when admission has anything to ask of it."""
        return bool(self.family) or self.final

    @property
    def final(self) -> bool:
        """True when it cannot be taken back, or might do much harm."""
        return self.risk == "high" or not self.reversible


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A call before it runs, read. `unread` says why its command could not be: "shell" without the extra, "command"."""

    key: str
    actions: tuple[Action, ...]
    sourced: tuple[tuple[str, Json], ...] = ()
    unread: str = ""


def key_of(tool: str, args: Json) -> str:
    """What a confirmation is bound to: the tool and all of its arguments."""
    return digest("call", tool, canonical(args))


def proposed(call: ToolCall, config: GateConfig) -> Proposed:
    """What a call is about to do."""
    profile = resolve(call, config).profile
    sourced = tuple((name, call.args[name]) for name in profile.sourced if name in call.args)
    unread = ""
    if profile.effect is ToolEffect.SHELL:
        actions, unread = _commands(profile, call, config)
    elif profile.effect is ToolEffect.SQL:
        actions = tuple(_statements(profile, call))
    else:
        actions = tuple(_of_profile(profile, call, config))
    concerned = tuple(action for action in actions if action.concerned)
    return Proposed(key=key_of(call.tool, call.args), actions=concerned, sourced=sourced, unread=unread)


def _of_profile(profile: ToolProfile, call: ToolCall, config: GateConfig) -> Iterator[Action]:
    objects = tuple(_objects(profile, call))
    outside = [name for name in objects if profile.effect in _CHANGING and _outside(name, call, config)]
    files = profile.domain in ("", "files") and any(t.startswith("{") for t in profile.targets)
    family = family_for(profile) or (CHANGE if outside and files else "")
    yield Action(
        family=family,
        objects=objects,
        kind=_kind(profile),
        risk=profile.risk,
        reversible=profile.reversible,
        target=_target(profile, objects, call),
        authorization=profile.authorization,
    )


def family_for(profile: ToolProfile) -> str:
    """The family of a tool. One that cannot be taken back and names none is known by what it does, or by its verb."""
    if profile.family or (profile.risk != "high" and profile.reversible):
        return family_of(profile.family)
    if profile.effect is ToolEffect.DELETE:
        return DELETE
    return family_of(next(iter(name_words(profile.name)), CHANGE))


def _objects(profile: ToolProfile, call: ToolCall) -> Iterator[str]:
    """The arguments that the profile's targets are made of, as they were given."""
    for template in (*profile.targets, profile.source):
        for match in PLACEHOLDER.finditer(template):
            value: Json = call.args
            for part in match[1].split("."):
                value = value.get(part) if isinstance(value, dict) else None
            for item in value if isinstance(value, list | tuple) else (value,):
                if isinstance(item, str | int | float) and not isinstance(item, bool) and str(item).strip():
                    yield str(item).strip()


def _kind(profile: ToolProfile) -> str:
    first = profile.targets[0] if profile.targets else ""
    kind, colon, _ = first.partition(":")
    return kind if colon and "{" not in kind else "file" if first.startswith("{") else ""


def _target(profile: ToolProfile, objects: Sequence[str], call: ToolCall) -> str:
    kind = _kind(profile)
    if not objects:
        return f"tool:{call.tool}"
    return objects[0] if kind in ("", "file") else f"{kind}:{objects[0]}"


def _outside(name: str, call: ToolCall, config: GateConfig) -> bool:
    """True for a path that does not lie below the working directory; without one, for the system's own folders."""
    if name in _HARMLESS or "://" in name:
        return False
    cwd = path_target(call.cwd, cwd="", config=config) if call.cwd else ""
    path = path_target(name, cwd=cwd, config=config)
    if any(path == place.rstrip("/") or path.startswith(place.rstrip("/") + "/") for place in config.scratch):
        return False
    if cwd:
        inside = cwd.rstrip("/") + "/"
        return path.startswith(("/", "~", "..")) and not f"{path}/".startswith(inside)
    return path.startswith(_SYSTEM) or name.startswith("~")


def _commands(profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[tuple[Action, ...], str]:
    """(actions, why it was not read) of a shell call."""
    given = call.args.get(profile.command_arg)
    text = " ".join(map(str, given)) if isinstance(given, list | tuple) else given
    if not isinstance(text, str) or not text.strip():
        return (), ""
    if not available():
        return (), "shell"
    analysis = analyse(text)
    if analysis is None:
        return (Action(family=CHANGE, risk="high", target=f"tool:{call.tool}"),), "command"
    return tuple(_stages(analysis, call, config)), ""


def _stages(analysis: Analysis, call: ToolCall, config: GateConfig) -> Iterator[Action]:
    for stage, use in zip(analysis.stages, analysis.uses, strict=True):
        words = [word.text for word in stage.argv]
        if not words and not use.places:
            continue
        row = use.program
        objects = tuple(dict.fromkeys(_named(place, use) for place in use.places if place.role in _WRITES))
        objects = tuple(filter(None, objects)) or tuple(word for word in words[1:] if "://" in word)
        family, operands = _package(words)
        if row is not None and row.family:
            family, operands = row.family, list(objects)
        name = stage.program or (words[0] if words else "")
        risk, reversible = (row.risk, row.reversible) if row is not None else ("low", True)
        if not family and (risk == "high" or not reversible):
            kinds = {place.role for place in use.places if place.role in _WRITES}
            family = DELETE if kinds and kinds == {Role.DELETE} else CHANGE
        if family:
            named = tuple(operands) or objects
            yield Action(
                family=family_of(family),
                objects=named or ((name,) if name else ()),
                kind=name,
                risk=risk,
                reversible=reversible,
                target=named[0] if named else f"tool:{name or call.tool}",
                implicit=not named,
            )
        yield from _strays(stage, use, call, config)


def _named(place: Place, use: Use) -> str:
    """A place as the command calls it: "docker:container/web" is "web"; "" for a whole world ("tool:git")."""
    text = place.word.text
    if not use.domain_of(place):
        return text
    kind, _, name = text.partition("/")
    return name if ":" in kind else "" if text.startswith("tool:") else text.partition(":")[2]


def nouns_of(program: str) -> tuple[str, ...]:
    """What people call the world of a program."""
    table: dict[str, list[str]] = load_table("admission", "packages.toml")["nouns"]
    return (program, *table.get(program, ()))


def _strays(stage: Stage, use: Use, call: ToolCall, config: GateConfig) -> Iterator[Action]:
    """Writes outside of the working directory, and unknown programs that are given a place there."""
    here = call if not stage.cwd else ToolCall(tool=call.tool, cwd=call.cwd)
    for place in use.places:
        text = place.word.text
        unknown = use.program is None and use.opaque and place.role is Role.RUN and text != _head(stage)
        if (place.role in _WRITES or unknown) and not use.domain_of(place) and _outside(text, here, config):
            gone = place.role is Role.DELETE
            yield Action(family=DELETE if gone else CHANGE, objects=(text,), kind="file", target=text)


def _head(stage: Stage) -> str:
    return stage.argv[0].text if stage.argv else ""


def _package(words: Sequence[str]) -> tuple[str, list[str]]:
    """(family, packages) of a package manager's command; ("", []) for any other."""
    if not words:
        return "", []
    for name, manager in _managers().get(words[0].rpartition("/")[2], ()):
        rest = list(words[1:])
        extra = name.split()[1:]
        if rest[: len(extra)] != extra:
            continue
        plain = _plain(rest[len(extra) :], manager["values"])
        for family in ("install", "uninstall"):
            for sub in manager[family]:
                parts = sub.split()
                if plain[: len(parts)] == parts:
                    return family, plain[len(parts) :]
    return "", []


def _plain(words: Sequence[str], values: Sequence[str]) -> list[str]:
    """The words that are no options and no values of them; an option that is a subcommand stays."""
    found: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in values:
            skip = True
        elif not word.startswith("-") or word.endswith("-extension"):
            found.append(word)
    return found


@cache
def _managers() -> dict[str, list[tuple[str, dict[str, Any]]]]:
    found: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for row in load_table("admission", "packages.toml")["manager"]:
        for name in row["names"]:
            found.setdefault(name.split()[0], []).append((name, row))
    for rows in found.values():
        rows.sort(key=lambda pair: -len(pair[0]))
    return found


def _statements(profile: ToolProfile, call: ToolCall) -> Iterator[Action]:
    """What an SQL text loses, or changes everywhere. What it changes in chosen rows is no matter of admission, unless
    the profile has a family."""
    text = call.args.get(profile.command_arg)
    own = family_of(profile.family)
    for statement in _LITERAL.sub(" ", text).split(";") if isinstance(text, str) else ():
        loses, alters = _LOSES.match(statement), _ALTERS.match(statement)
        match = loses or alters
        if match is None:
            continue
        table = (match[1] or "").strip('"`[]')
        final = loses is not None or _WHERE.search(statement) is None
        if final or own:
            yield Action(
                family=own or (DELETE if loses else CHANGE),
                objects=(table,) if table else (),
                kind="table",
                risk="high" if final else profile.risk,
                reversible=profile.reversible and not final,
                target=table or f"tool:{call.tool}",
            )
