"""Leads a boundary's dialogue with a verifier that may have to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import isawaitable, iscoroutinefunction
from typing import TypeVar

from gate_core.model.verdict import Verdict
from gate_core.verifier import Dialogue, Question, Verifier, failed, weakest

Given = TypeVar("Given")


async def answered_async(dialogue: Dialogue, verifier: Verifier | None) -> Verdict:
    """The verdict of a dialogue; the twin of `gate_core.verifier.answered`.

    When the wait is cancelled the dialogue ends without a verdict, and nothing is counted.
    """
    try:
        question = next(dialogue)
        while True:
            try:
                confidence = weakest(await _score(verifier, question))
            except Exception as error:  # noqa: BLE001 - it goes where failures of the gate are handled
                question = dialogue.throw(failed(error))
            else:
                question = dialogue.send(confidence)
    except StopIteration as ended:
        verdict: Verdict = ended.value
        return verdict


async def _score(verifier: Verifier | None, question: Question) -> object:
    if verifier is None:
        return None
    ask: Callable[..., object] = getattr(verifier, "ascore", verifier.score)
    given = (question.attempt, question.looks, question.criteria)
    score = ask(*given) if is_async(ask) else await in_thread(ask, *given)
    return await score if isawaitable(score) else score


def is_async(function: object) -> bool:
    """True for what gives something to await at once, so that no thread is needed."""
    return iscoroutinefunction(function) or iscoroutinefunction(getattr(type(function), "__call__", None))  # noqa: B004


async def in_thread(function: Callable[..., Given], *given: object) -> Given:
    """Run a function that may block in a thread."""

    def call() -> Given:
        try:
            return function(*given)
        except StopIteration as error:
            raise RuntimeError("StopIteration") from error  # a future cannot carry it: its waiter would wait for ever

    return await asyncio.to_thread(call)
