"""`SamplingVerifier`: the same yes/no question several times; the score is the share of yes (spec 10)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from inspect import isawaitable
from typing import Literal, Protocol, TypeAlias, get_args

from gate_core.judges.asking import in_thread, is_async
from gate_core.judges.prompt import question_text, says_yes
from gate_core.model.call import Attempt
from gate_core.model.errors import ConfigError, GateUsageError
from gate_core.verifier import answer_text

_LOG = logging.getLogger("gate_core")

Reply: TypeAlias = "str | bool | None"

OnError: TypeAlias = Literal["abstain", "downgrade"]
"""What a judge that could not be asked counts as: nothing, or a no."""


class Judge(Protocol):
    """Answers one question in text: yes, no, or something else to abstain. It may be asynchronous."""

    def __call__(self, question: str, /) -> Reply | Awaitable[Reply]:
        """The judge's own words, or a truth value; None when there is no answer. May raise."""
        ...


@dataclass(frozen=True, slots=True)
class SamplingVerifier:
    """Asks `judge` `k` independent times per criterion; a criterion's score is the share of yes among yes and no.

    A reply that is neither is left out; a criterion without any yes or no is left out of the scores, and with none
    left the verifier abstains. Nothing is sent that would steer the sampling. `on_error` says what a judge that raises
    counts as. `at_once` questions are asked at the same time; 0 means what the judge says it can bear (its `at_once`),
    else one after the other.

    Raises:
        ConfigError: `k` or `at_once` out of range, another word for `on_error`, a judge that cannot be called.
    """

    judge: Judge
    k: int = 5
    on_error: OnError = "abstain"
    at_once: int = 0

    def __post_init__(self) -> None:
        if not callable(self.judge):
            raise ConfigError(f"a judge is a function of one text, got {self.judge!r:.60}", key="verifier")
        for name, lowest in (("k", 1), ("at_once", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < lowest:
                raise ConfigError(f"{name} takes a whole number from {lowest}, got {value!r:.60}", key="verifier")
        check_on_error(self.on_error)

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Mapping[str, float]:
        """The share of yes per criterion.

        Raises:
            GateUsageError: the judge has to be awaited, which `ascore` does.
        """
        asked = self._questions(attempt, looks, criteria)
        many = min(self._width(), len(asked))
        if many <= 1:
            return _shares(criteria, asked, [self._vote(text) for _, text in asked])
        with ThreadPoolExecutor(many) as pool:
            return _shares(criteria, asked, list(pool.map(self._vote, [text for _, text in asked])))

    async def ascore(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Mapping[str, float]:
        """The same, awaited; a judge that does not need it runs in a thread."""
        asked = self._questions(attempt, looks, criteria)
        room = asyncio.Semaphore(self._width())

        async def one(text: str) -> bool | None:
            async with room:
                return await self._avote(text)

        return _shares(criteria, asked, await asyncio.gather(*(one(text) for _, text in asked)))

    def _questions(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> list[tuple[str, str]]:
        answer = answer_text(attempt)
        texts = [(name, question_text(answer, looks, name)) for name in criteria]
        return [pair for pair in texts for _ in range(self.k)]

    def _width(self) -> int:
        own = getattr(self.judge, "at_once", 1)
        return self.at_once or (own if isinstance(own, int) and own > 0 else 1)

    def _vote(self, text: str) -> bool | None:
        try:
            reply = self.judge(text)
        except Exception as error:  # noqa: BLE001 - a judge out of reach must not end the run
            return self._outage(error)
        if isawaitable(reply):
            if isinstance(reply, Coroutine):
                reply.close()
            raise GateUsageError("this judge has to be awaited; use Gate.aboundary_check")
        return says_yes(reply)

    async def _avote(self, text: str) -> bool | None:
        try:
            reply = self.judge(text) if is_async(self.judge) else await in_thread(self.judge, text)
            return says_yes(await reply if isawaitable(reply) else reply)
        except Exception as error:  # noqa: BLE001 - a judge out of reach must not end the run
            return self._outage(error)

    def _outage(self, error: Exception) -> bool | None:
        _LOG.warning("the judge could not be asked: %s", type(error).__name__)
        return False if self.on_error == "downgrade" else None


def _shares(
    criteria: Iterable[str], asked: Sequence[tuple[str, str]], votes: Sequence[bool | None]
) -> dict[str, float]:
    said: dict[str, list[bool]] = {name: [] for name in criteria}
    for (name, _), vote in zip(asked, votes, strict=True):
        if vote is not None:
            said[name].append(vote)
    return {name: sum(given) / len(given) for name, given in said.items() if given}


def check_on_error(word: str) -> None:
    """Refuse another word than those of `OnError`.

    Raises:
        ConfigError: the word is none of them.
    """
    if word not in get_args(OnError):
        raise ConfigError.unknown_value("on_error", str(word), get_args(OnError))
