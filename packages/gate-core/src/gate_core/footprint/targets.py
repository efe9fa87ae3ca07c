"""Names of touched things, and when two names mean the same thing (spec 10, "Targets").

A target is a path ("/p/a.cfg", "a.cfg"), a URL, or "kind:id". Paths are made absolute when the working directory is
known, folded lexically, and never resolved on disk. Which targets a call names is found in `named`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from gate_core.model.config import GateConfig
from gate_core.model.json import Json, JsonObject
from gate_core.model.late import late
from gate_core.model.profile import PLACEHOLDER

URL = late(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
DRIVE = late(r"([A-Za-z]):[\\/]")
_HOST = late(
    r"(?:(?P<near>localhost|\d{1,3}(?:\.\d{1,3}){3})|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_MOUNTED = late(r"/(?:mnt/|cygdrive/)?([A-Za-z])(?:/|$)")
_FOREIGN_FOLDERS = frozenset({"node_modules", ".venv", "site-packages", ".git"})
_ALIASED = ("/private/tmp", "/private/var", "/private/etc")  # macOS has each of them under both names
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_LOCAL = late(r"localhost$|127\.|\[::1\]$")
FILES = "files"
_TAILS = 40  # components; a relative name of more of them means only itself


def path_target(raw: str, *, cwd: str = "", config: GateConfig) -> str:
    """The target a path names: absolute when possible, "." and ".." folded, Windows spelling unified."""
    return _folded(raw, cwd, config.home, config.case_insensitive)


@lru_cache(maxsize=4096)
def _folded(raw: str, cwd: str, home: str, case_insensitive: bool) -> str:
    path = _slashed(_without_scheme(raw.strip()))
    if DRIVE.match(cwd) and (mounted := _MOUNTED.match(path)):  # how the shells of Windows spell a drive
        path = f"{mounted[1].upper()}:/{path[mounted.end() :]}"
    if home and (path == "~" or path.startswith("~/")):
        path = home.rstrip("/") + path[1:]
    if cwd and not _is_absolute(path):
        path = f"{_slashed(cwd).rstrip('/')}/{path}"
    path = posixpath.normpath(path) if path else path
    if path.startswith("//"):
        path = path[1:]
    if path.startswith(_ALIASED) and path[12:13] in ("", "/"):
        path = path.removeprefix("/private")
    path = path if path.isascii() else normalize("NFC", path)
    return path.lower() if case_insensitive else path


def _without_scheme(raw: str) -> str:
    """The path of a `file:` URL; anything else as it is."""
    if raw[:7].lower() != "file://":
        return raw
    path = unquote(raw[7:].removeprefix("localhost"))
    return path[1:] if path.startswith("/") and DRIVE.match(path[1:]) else path


def _slashed(path: str) -> str:
    drive = DRIVE.match(path)
    if drive:
        path = path[0].upper() + path[1:]
    return path.replace("\\", "/") if drive or ("\\" in path and "/" not in path) else path


def url_target(raw: str) -> str:
    """The target a URL names: host, path and query.

    Credentials, the default port, a fragment and a closing slash name nothing; nor does the "s" of https, except
    where a port is given or the host is this machine.
    """
    try:
        parts = urlsplit(raw)
        host = _host(parts)
    except ValueError:
        return raw
    path = posixpath.normpath(parts.path) if "/." in parts.path else parts.path
    path = path if parts.query else path.rstrip("/")
    plain = parts.scheme == "http" and ":" not in host and not _LOCAL.match(host)
    return urlunsplit(("https" if plain else parts.scheme, host, path, parts.query, ""))


def _host(parts: SplitResult) -> str:
    host = parts.netloc.rpartition("@")[2].lower()
    default = _PORTS.get(parts.scheme)
    return host.removesuffix(f":{default}") if parts.port == default else host


def web_target(raw: str) -> str | None:
    """The target of what stands where a URL is expected, "example.com/x" included; None when it is no address."""
    raw = raw.strip().strip("\"'<>")
    if is_url(raw):
        return url_target(raw)
    bare = _HOST.fullmatch(raw)
    return url_target(f"{'http' if bare['near'] else 'https'}://{raw}") if bare else None


def name_target(name: str, config: GateConfig) -> str:
    """The target that a name in a prompt, an answer or a `surface` means, as far as it can be told without a folder."""
    return url_target(name) if is_url(name) else path_target(name, config=config)


def is_url(raw: str) -> bool:
    """True for an address with a scheme; a `file:` URL is a path."""
    return URL.match(raw) is not None and raw[:7].lower() != "file://"


def is_placed(target: str) -> bool:
    """True for what no other spelling can complete: an absolute path, a URL, the folder one is in."""
    return _is_absolute(target) or URL.match(target) is not None or target in ("", ".")


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or DRIVE.match(path) is not None


def tails(target: str) -> Iterator[str]:
    """The shorter spellings of a target: the trailing whole components of a path, shortest first; a URL without its
    scheme. A "kind:id" has none."""
    if URL.match(target):
        bare = target.partition("://")[2]
        if _HOST.fullmatch(bare):
            yield bare
        return
    if ":" in target.partition("/")[0] and not DRIVE.match(target):
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
    if is_placed(short) or not long.endswith(f"/{short}") or short not in tails(long):
        return False
    above = long[: -len(short)].split("/")
    return "/" in short or not _FOREIGN_FOLDERS.intersection(above)


def last_name(target: str) -> str:
    """The last component of a target, the key of name indexes."""
    return target.rstrip("/").rpartition("/")[2]


def expand(template: str, args: JsonObject) -> list[str]:
    """The strings a template gives: one per list item, none when an argument is missing."""
    names = names_in(template)
    if not names:
        return [template] if template else []
    if len(names) == 1 and isinstance(given := args.get(names[0]), str):
        return [template.replace(f"{{{names[0]}}}", given)] if given.strip() else []
    values = {name: words(lookup(args, name)) for name in names}
    if len(values) == 1:
        return [template.replace(f"{{{names[0]}}}", value) for value in values[names[0]]]
    if not all(values.values()):
        return []
    return [PLACEHOLDER.sub(lambda match: values[match[1]][0], template)]


@lru_cache(maxsize=2048)
def names_in(template: str) -> tuple[str, ...]:
    """The arguments a template names."""
    return tuple(PLACEHOLDER.findall(template))


def lookup(value: Json, dotted: str) -> Json:
    """The value at a dotted path; a list on the way is mapped over. None when there is nothing."""
    head, _, rest = dotted.partition(".")
    if isinstance(value, list | tuple):
        return [lookup(item, dotted) for item in value]
    if isinstance(value, Mapping):
        inner = value.get(head)
        return lookup(inner, rest) if rest else inner
    return None


def words(value: Json) -> list[str]:
    """The texts and numbers of an argument, those of a list one by one."""
    if isinstance(value, list | tuple):
        return [word for item in value for word in words(item)]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return []
    return [str(value)] if str(value).strip() else []
