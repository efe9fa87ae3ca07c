"""What the key of an argument says about its value: a path, an address, the id of a thing, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from gate_core.model.late import late


class Kind(Enum):
    """What an argument names. A PLACE is a path only where the value or the tool's name says so."""

    TEXT = "text"
    PATH = "path"
    PLACE = "place"
    URL = "url"
    ID = "id"


@dataclass(frozen=True, slots=True)
class Told:
    """What a key tells: the kind of its value, for an id the kind of thing it is of, the key as a singular, and whether
    something is taken from there rather than put there."""

    kind: Kind
    thing: str
    singular: str
    source: bool = False


_HUMP = late(r"(?<=[a-z0-9])(?=[A-Z])")
_PATH = late(r"(?:.*_)?(?:path|paths|file|files|filename|filenames|filepath|filepaths|dir|directory)")
_PLACE = late(r"(?:.*_)?(?:src|dst|source|destination|folder)")
_SOURCE = late(r"(?:src|source|from|old|input)(?:_(?:path|file|filename|dir|directory|folder|url|uri)s?)?")
_URL = late(r"(?:.*_)?(?:urls?|uris?|link|endpoint)")
_ID = late(
    r"(?:(?P<thing>.+)_)?(?:ids?|uuid|guid)|(?P<counted>.+)_number|"
    r"(?P<keyed>issue|ticket|project|story|epic|task|page|card|record|item)_(?:id_or_)?key"
)
_NO_THINGS = frozenset({"page", "line", "row", "column", "phone", "port", "version", "max", "min", "chunk", "step"})


@lru_cache(4096)
def kind_of(key: str) -> Told:
    """What the value under a key is."""
    lower = _HUMP.sub("_", key[:100]).replace("-", "_").lower()
    singular = lower.removesuffix("s") if not lower.endswith("ss") else lower
    for pattern, kind in ((_PATH, Kind.PATH), (_PLACE, Kind.PLACE), (_URL, Kind.URL)):
        if pattern.fullmatch(lower):
            return Told(kind, "", singular, source=_SOURCE.fullmatch(lower) is not None)
    found = _ID.fullmatch(lower)
    if found is None or found["counted"] in _NO_THINGS:
        return Told(Kind.TEXT, "", singular)
    return Told(Kind.ID, found["thing"] or found["counted"] or found["keyed"] or "", singular)
