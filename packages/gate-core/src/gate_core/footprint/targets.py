"""Names of touched things: how arguments become targets, and when two names mean the same thing (spec 10, "Targets").

A target is a path ("/p/a.cfg", "a.cfg"), a URL, or "kind:id". Paths are made absolute when the working directory is
known, folded lexically, and never resolved on disk.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit, urlunsplit

from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.origin import BUILTIN, bare_name, origin_of

_PLACEHOLDER = re.compile(r"\{([\w.]+)\}")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DRIVE = re.compile(r"([A-Za-z]):[\\/]")
_RESOURCE = re.compile(r"[a-z][\w-]*:(?!//)")
_PATH_KEYS = re.compile(
    r"(?:.*_)?(?:path|paths|file|files|filename|filepath|dir|directory|folder|src|dst|source|destination)"
)
_URL_KEYS = re.compile(r"(?:.*_)?(?:url|uri|link|endpoint)")
_ID_KEYS = re.compile(r"(?:(?P<kind>.+)_)?ids?")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FOREIGN_FOLDERS = frozenset({"node_modules", ".venv", "site-packages", ".git"})
FILES = "files"
_TAILS = 40  # components; a relative name of more of them means only itself


def path_target(raw: str, *, cwd: str = "", config: GateConfig) -> str:
    """The target a path names: absolute when possible, "." and ".." folded, Windows spelling unified."""
    path = _slashed(raw.strip().removeprefix("file://"))
    if config.home and (path == "~" or path.startswith("~/")):
        path = config.home.rstrip("/") + path[1:]
    if cwd and not _is_absolute(path):
        path = f"{_slashed(cwd).rstrip('/')}/{path}"
    path = posixpath.normpath(path) if path else path
    if path.startswith("//"):
        path = path[1:]
    if path.startswith("/private/"):
        path = path.removeprefix("/private")
    return path.lower() if config.case_insensitive else path


def _slashed(path: str) -> str:
    drive = _DRIVE.match(path)
    if drive:
        path = path[0].upper() + path[1:]
    return path.replace("\\", "/") if drive or ("\\" in path and "/" not in path) else path


def url_target(raw: str) -> str:
    """The target a URL names: host, path and query; a fragment and a closing slash name nothing."""
    try:
        parts = urlsplit(raw)
    except ValueError:
        return raw
    path = parts.path if parts.query else parts.path.rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc.lower(), path, parts.query, ""))


def name_target(name: str, config: GateConfig) -> str:
    """The target that a name in a prompt, an answer or a `surface` means, as far as it can be told without a folder."""
    return url_target(name) if _URL.match(name) else path_target(name, config=config)


def is_placed(target: str) -> bool:
    """True for what no other spelling can complete: an absolute path, a URL, the folder one is in."""
    return _is_absolute(target) or _URL.match(target) is not None or target in ("", ".")


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or _DRIVE.match(path) is not None


def tails(target: str) -> Iterator[str]:
    """The trailing whole components of a path, shortest first; a URL or a "kind:id" has none."""
    if ":" in target.partition("/")[0] and not _DRIVE.match(target):
        return
    end = len(target)
    for _ in range(_TAILS):
        end = target.rfind("/", 0, end)
        if end < 0:
            return
        yield target[end + 1 :]


def same_target(one: str, other: str) -> bool:
    """True when two targets name the same thing: equal, or one is relative and its whole components end the other."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if is_placed(short) or not long.endswith(f"/{short}") or next(tails(long), None) is None:
        return False
    above = long[: -len(short)].split("/")
    return "/" in short or not _FOREIGN_FOLDERS.intersection(above)


def last_name(target: str) -> str:
    """The last component of a target, the key of name indexes."""
    return target.rstrip("/").rpartition("/")[2]


def targets_of(profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[tuple[str, str], ...]:
    """The (target, domain) pairs a call names: by the profile's templates, else by the keys of its arguments."""
    if profile.targets:
        found = [raw for template in profile.targets for raw in expand(template, call.args)]
    else:
        found = list(_by_key(call))
    if not found and not profile.targets:
        found = list(_by_surface(call, config))
    if not found:
        found = ["." if _looks_around(profile) else f"tool:{call.tool}"]
    return tuple(dict.fromkeys(_placed(raw, profile, call, config) for raw in found))


def _looks_around(profile: ToolProfile) -> bool:
    """A listing or a search of files that is told no place looks where it stands."""
    return profile.domain == FILES and (profile.effect is ToolEffect.LIST or bool(profile.search))


def source_of(profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[tuple[str, str], ...]:
    """What a move takes away."""
    return tuple(_placed(raw, profile, call, config) for raw in expand(profile.source, call.args))


def expand(template: str, args: JsonObject) -> Iterator[str]:
    """The strings a template gives: one per list item, none when an argument is missing."""
    names = _PLACEHOLDER.findall(template)
    if not names:
        if template:
            yield template
        return
    values = {name: _words(lookup(args, name)) for name in names}
    if len(values) == 1:
        for value in values[names[0]]:
            yield template.replace(f"{{{names[0]}}}", value)
    elif all(values.values()):
        yield _PLACEHOLDER.sub(lambda match: values[match[1]][0], template)


def lookup(value: Json, dotted: str) -> Json:
    """The value at a dotted path; a list on the way is mapped over. None when there is nothing."""
    head, _, rest = dotted.partition(".")
    if isinstance(value, list | tuple):
        return [lookup(item, dotted) for item in value]
    if isinstance(value, Mapping):
        inner = value.get(head)
        return lookup(inner, rest) if rest else inner
    return None


def _words(value: Json) -> list[str]:
    if isinstance(value, list | tuple):
        return [word for item in value for word in _words(item)]
    if isinstance(value, bool) or value is None or isinstance(value, Mapping):
        return []
    return [str(value)] if str(value).strip() else []


def _by_key(call: ToolCall) -> Iterator[str]:
    for key, value in call.args.items():
        lower = _HUMP.sub("_", key).lower()
        if _PATH_KEYS.fullmatch(lower) or _URL_KEYS.fullmatch(lower):
            yield from _words(value)
        elif match := _ID_KEYS.fullmatch(lower):
            kind = match["kind"] or _noun(call.tool)
            yield from (f"{kind}:{word}" for word in _words(value))


def _by_surface(call: ToolCall, config: GateConfig) -> Iterator[str]:
    """The `surface` entries that a text argument names."""
    texts = [value for value in call.args.values() if isinstance(value, str)]
    yield from (entry for entry in config.surface if any(entry in text for text in texts))


def _noun(tool: str) -> str:
    return re.split(r"[^A-Za-z0-9]+", bare_name(tool))[-1].lower() or "id"


def _placed(raw: str, profile: ToolProfile, call: ToolCall, config: GateConfig) -> tuple[str, str]:
    origin = origin_of(call)
    if _URL.match(raw) and not raw.startswith("file://"):
        url = url_target(raw)
        return url, f"host:{url.partition('://')[2].partition('/')[0]}"
    if raw.startswith("tool:"):
        return raw, profile.domain or (raw if origin == BUILTIN else origin)
    if _RESOURCE.match(raw) and not _DRIVE.match(raw) and profile.domain != FILES:
        return raw, profile.domain or (raw.partition(":")[0] if origin == BUILTIN else origin)
    domain = profile.domain or (FILES if origin == BUILTIN else origin)
    return path_target(raw, cwd=call.cwd if domain == FILES else "", config=config), domain
