"""Which looks showed something new (spec 10, "Novelty").

A look is a repeat when the same tool with the same arguments showed the same result before and nothing it rests on
changed in between. Digests decide almost always: equal bytes are the same, another skeleton is another result. Only
when the skeletons are equal and the bytes are not are both texts fetched, scrubbed and compared, each once.

A text that is gone counts as new. What it showed cannot be told any more, and the doubt must not cost an agent its
budget or keep it halted: a wrong "new" refills a rope, a wrong "repeat" blocks an honest answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gate_core.footprint.observe import normalized
from gate_core.ledger.renewal import Renewals, When
from gate_core.ledger.scrub import scrub
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, digest, text_of
from gate_core.model.kinds import Did

Texts: TypeAlias = Callable[[Fact], "tuple[JsonObject, Json] | None"]

LOOKS = frozenset({Did.SHOWED, Did.LISTED, Did.ABSENT})

_MOST = 8192  # scrubbed digests remembered by this process, some 150 bytes each
_scrubbed: dict[str, str] = {}


@dataclass(slots=True)
class _Shown:
    """Looks of one call and one skeleton since what they rest on last changed. `bytes` are the digests of facts,
    `plain` those of scrubbed texts, `waiting` the one text that nothing was compared with yet."""

    at: When
    bytes: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    waiting: Fact | None = None


class Novelty:
    """Tells new looks from repeats, over facts given in order, step by step."""

    def __init__(self, config: GateConfig, texts: Texts | None = None) -> None:
        self._config = config
        self._texts = texts
        self._shown: dict[str, _Shown] = {}
        self._renewals = Renewals()

    def new(self, look: Fact) -> bool:
        """True when the look shows something that the same call did not show before. It is remembered either way."""
        shown = self._shown.get(look.skeleton)
        if shown is None or self._renewals.since(shown.at, look):
            self._shown[look.skeleton] = _Shown(look.at, {look.digest}, waiting=look)
            return True
        shown.at = look.at
        if look.digest in shown.bytes:
            return False
        shown.bytes.add(look.digest)
        return self._differs(look, shown)

    def changed(self, fact: Fact) -> None:
        """Note the changes of a fact; after all looks of its step, which may have come before it or after."""
        self._renewals.record(fact)

    def _differs(self, look: Fact, shown: _Shown) -> bool:
        if shown.waiting is not None:
            if (first := self._plain(shown.waiting)) is not None:
                shown.plain.add(first)
            shown.waiting = None
        plain = self._plain(look)
        if plain is None or plain in shown.plain:
            return plain is None
        shown.plain.add(plain)
        return True

    def _plain(self, look: Fact) -> str | None:
        """The digest of the look's scrubbed text; None when the text is gone."""
        found = self._texts(look) if self._texts is not None else None
        if found is None:
            return None
        if look.tool in self._config.normalizers:
            return _digest(look.tool, text_of(found[1]), self._config.normalizers)
        known = _scrubbed.get(look.digest)
        if known is None:
            if len(_scrubbed) >= _MOST:
                _scrubbed.clear()
            known = _scrubbed[look.digest] = _digest(look.tool, text_of(found[1]), {})
        return known


def _digest(tool: str, text: str, normalizers: Mapping[str, Callable[[str], str]]) -> str:
    return digest(scrub(normalized(tool, text, normalizers)))


def is_look(fact: Fact) -> bool:
    """True for an executed call that showed or listed something, or its absence."""
    return fact.executed and not LOOKS.isdisjoint([effect.did for effect in fact.effects])
