"""What the one reader makes of an answer: sentences, tokens, statements, a claim type (spec 05, spec 20).

Sentences and tokens are named tuples: an answer has dozens of them, and a frozen class takes six times as long to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from gate_core.model.json import Json
from gate_core.model.kinds import Claim

_HEAD = 2_000  # characters of a sentence


class Mood(StrEnum):
    """How a sentence speaks. Only INDICATIVE sentences claim something."""

    INDICATIVE = "indicative"
    QUESTION = "question"
    PLAN = "plan"


class Says(StrEnum):
    """What a sentence states about this work; the coarse kinds that decide the claim type (spec 20).

    PASSIVE is a change told without saying whose it was; STARTED says that something runs and has not ended.
    """

    CHANGED = "changed"
    DONE = "done"
    LOOKED = "looked"
    STATE = "state"
    ALREADY = "already"
    UNCHANGED = "unchanged"
    UNABLE = "unable"
    HEDGE = "hedge"
    PASSIVE = "passive"
    STARTED = "started"


class TokenKind(StrEnum):
    """What a token names."""

    PATH = "path"
    URL = "url"
    ID = "id"
    SYMBOL = "symbol"


class Token(NamedTuple):
    """A thing the text names, in the sentence of that index; `quoted` and `negated` tokens are no subjects.

    `quoted` names are not the answer's own word: they stand in a quote, a question, a plan or a condition.
    `target` is what it names as targets are spelt: folded, with the home folder filled in.
    """

    kind: TokenKind
    text: str
    sentence: int
    quoted: bool = False
    negated: bool = False
    target: str = ""


class Sentence(NamedTuple):
    """One sentence. `says` lists what it states, `events` the kinds of events it says happened ("tests_passed",
    "pushed"; with "-red" that it failed); `quoted` is true inside block quotes, `code` inside fences."""

    text: str
    mood: Mood = Mood.INDICATIVE
    says: frozenset[Says] = frozenset()
    quoted: bool = False
    code: bool = False
    language: str = ""
    events: frozenset[str] = frozenset()

    @property
    def head(self) -> str:
        """As much of the text as patterns are run over: no sentence of a person is longer."""
        return self.text[:_HEAD]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The reading of an answer; the checks see nothing else of it. `decided_by` is the step of claim typing,
    `truncated` says that the end of a long answer was not read, `output` is the typed answer as it came."""

    sentences: tuple[Sentence, ...] = ()
    tokens: tuple[Token, ...] = ()
    claim: Claim = Claim.NONE
    decided_by: int = 0
    typed: str | None = None
    truncated: bool = False
    output: Json = None

    def states(self, kind: Says) -> bool:
        """True when some indicative sentence states `kind`."""
        return kind in self._stated

    @cached_property
    def _stated(self) -> frozenset[Says]:
        return frozenset().union(*[s.says for s in self.sentences if s.mood is Mood.INDICATIVE])

    @cached_property
    def subjects(self) -> tuple[Token, ...]:
        """Tokens the answer itself asserts something about, each text once."""
        seen: dict[str, Token] = {}
        for token in self.tokens:
            if not (token.quoted or token.negated):
                seen.setdefault(token.text, token)
        return tuple(seen.values())
