"""Which targets a call names, and the world each lives in: by the profile's templates, else by the keys of its
arguments (spec 10, "Targets")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from gate_core.footprint.keys import Kind, kind_of
from gate_core.footprint.targets import (
    DRIVE,
    FILES,
    expand,
    is_url,
    names_in,
    path_target,
    url_target,
    web_target,
    words,
)
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.json import Json, digest
from gate_core.model.kinds import ToolEffect
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.profiles.origin import BUILTIN, origin_of
from gate_core.profiles.verbs import name_kinds, name_words, noun_of

_RESOURCE = late(r"[a-z][\w-]*:(?!//)")
_DEPTH = 2  # levels of arguments inside arguments
_MOST = 100  # targets of one call
_LONGEST = 2000  # characters of a name; a longer one is data, and stands for itself by its digest


class Raw(NamedTuple):
    """A name as an argument gives it, what the argument's key says it is, and whether something is taken from it."""

    text: str
    kind: Kind = Kind.TEXT
    source: bool = False


def targets_of(profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[tuple[str, str], ...]:
    """The (target, domain) pairs a call names; an extractor of the host replaces the rule for its tool."""
    own = config.extractors.get(call.tool)
    if own is not None:
        found = [Raw(str(subject)) for subject in own(call.args, call.result)]
    elif profile.targets:
        found = _by_templates(profile.targets, call)
    else:
        found = _by_keys(profile, call)
    if not found and not profile.targets:
        found = [Raw(entry) for entry in _by_surface(call, config)]
    if not found:
        found = [Raw("." if _looks_around(profile) else f"tool:{call.tool}")]
    if len(found) == 1:
        return (place(found[0], profile, call, config),)
    return tuple(dict.fromkeys(place(raw, profile, call, config) for raw in found[:_MOST]))


def source_of(profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[tuple[str, str], ...]:
    """What a move takes away."""
    found = _by_templates((profile.source,), call)
    if not profile.targets and profile.effect is ToolEffect.MOVE:
        named = list(_by_key(call))
        found = found or [raw for raw in named if raw.source and not all(other.source for other in named)]
    return tuple(place(raw, profile, call, config) for raw in found)


def _by_templates(templates: tuple[str, ...], call: ToolCall) -> list[Raw]:
    return [Raw(text, _kind_in(template)) for template in templates for text in expand(template, call.args)]


@lru_cache(2048)
def _kind_in(template: str) -> Kind:
    """What a template names: what the key says, where it is one argument and nothing else."""
    names = names_in(template)
    whole = len(names) == 1 and template == f"{{{names[0]}}}"
    return kind_of(names[0].rpartition(".")[2]).kind if whole else Kind.TEXT


def _looks_around(profile: ToolProfile) -> bool:
    """A listing or a search of files that is told no place looks where it stands."""
    return profile.domain == FILES and (profile.effect is ToolEffect.LIST or bool(profile.search))


def _by_keys(profile: ToolProfile, call: ToolCall) -> list[Raw]:
    """What the arguments name; where something goes from one place to another, only the other is changed."""
    named = list(_by_key(call))
    if profile.effect in (ToolEffect.CHANGE, ToolEffect.MOVE):
        return [raw for raw in named if not raw.source] or named
    return named


def _by_key(call: ToolCall) -> Iterator[Raw]:
    """Paths and addresses, and the ids of the things the tool's name speaks of; of all things when it names none."""
    tool = {word.removesuffix("s") for word in name_words(call.tool)} | set(name_words(call.tool))
    ids: dict[int, list[tuple[str, Raw]]] = {}
    for key, owner, value, inside in _pairs(call.args, "", 0):
        told = kind_of(key)
        if told.kind is Kind.ID:
            thing = told.thing or owner or noun_of(call.tool)
            found = [(thing, Raw(f"{thing}:{word}", Kind.ID)) for word in words(value)]
            ids[inside] = ids.get(inside, []) + found
        else:
            places = (_raw(word, key, told.kind, tool) for word in words(value))
            yield from (raw._replace(source=told.source) for raw in places if raw is not None)
    yield from _meant(ids, tool)


def _meant(ids: dict[int, list[tuple[str, Raw]]], tool: set[str]) -> list[Raw]:
    """The outermost ids that are meant: those inside other arguments say what of the thing is concerned."""
    for level in sorted(ids):
        if meant := [raw for thing, raw in ids[level] if tool.issuperset(thing.split("_"))]:
            return meant
    return [raw for level in sorted(ids)[:1] for _, raw in ids[level]]


def _raw(word: str, key: str, kind: Kind, tool: set[str]) -> Raw | None:
    """A word under a key that may hold a path or an address, or None when the word is neither."""
    if kind is Kind.URL:
        return Raw(word, kind) if web_target(word) or word[:5].lower() == "file:" else Raw(f"{key}:{word}")
    if kind is Kind.PLACE and is_url(word):
        return Raw(word)
    if kind is Kind.PLACE and not _like_path(word):
        if not tool.isdisjoint(name_kinds("access")):
            return Raw(f"{key}:{word}", Kind.ID)
        if tool.isdisjoint(name_kinds("files")):
            return None
    return Raw(word, Kind.PATH) if kind in (Kind.PATH, Kind.PLACE) else None


def _like_path(word: str) -> bool:
    return "/" in word or "\\" in word or re.search(r"\w\.\w{1,8}$", word) is not None


def _pairs(args: Mapping[str, Json], owner: str, inside: int) -> Iterator[tuple[str, str, Json, int]]:
    """(key, the key it stands under, value, how deep) of the arguments and of those inside them."""
    for key, value in args.items():
        inner = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
        yield str(key), owner, value, inside
        for item in inner if inside < _DEPTH else ():
            if isinstance(item, Mapping):
                yield from _pairs(item, kind_of(str(key)).singular, inside + 1)


def _by_surface(call: ToolCall, config: GateConfig) -> Iterator[str]:
    """The `surface` entries that a text argument names."""
    texts = [value for value in call.args.values() if isinstance(value, str)]
    yield from (entry for entry in config.surface if any(entry in text for text in texts))


def place(raw: Raw, profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[str, str]:
    """(target, domain) of a name."""
    text, origin = raw.text, origin_of(call)
    domain = "".join(expand(profile.domain, call.args)[:1]) if "{" in profile.domain else profile.domain
    if len(text) > _LONGEST:
        return f"{text[:60]}:{digest(text)}", domain or _home(origin, text.partition(":")[0])
    if ":" not in text and raw.kind is not Kind.URL:  # nothing but a path, as most are
        domain = domain or _home(origin, FILES)
        return path_target(text, cwd=call.cwd if domain == FILES else "", config=config), domain
    address = web_target(text) if raw.kind is Kind.URL else url_target(text) if is_url(text) else None
    if address is not None:
        return address, domain if domain not in ("", FILES) else f"host:{address.partition('://')[2].partition('/')[0]}"
    if text.startswith("tool:"):
        return text, domain or _home(origin, text)
    if raw.kind is not Kind.PATH and domain != FILES and _RESOURCE.match(text) and not DRIVE.match(text):
        return text, domain or _home(origin, text.partition(":")[0])
    domain = domain or _home(origin, FILES)
    return path_target(text, cwd=call.cwd if domain == FILES else "", config=config), domain


def _home(origin: str, own: str) -> str:
    """The world of a target: its own for a tool of the framework, else the MCP server the tool belongs to."""
    return own if origin == BUILTIN else origin
