"""The edge of the retry loop that waits: proposals come from a model that is awaited."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable

from gate_core.admission.policy import Policy
from gate_core.admission.retry import Retried, RetryOn, dialogue
from gate_core.admission.units import Proposal, U
from gate_core.model.evidence import Evidence


async def aretry(
    propose: Callable[[str], Awaitable[Proposal[U]]],
    policy: Policy[U],
    evidence: Iterable[Evidence] = (),
    *,
    on: Collection[str] = (RetryOn.REJECT,),
    most: int = 3,
) -> Retried[U]:
    """`admission.retry` for a `propose` that is awaited."""
    talk = dialogue(policy, evidence, on=on, most=most)
    told = next(talk)
    while True:
        try:
            told = talk.send(await propose(told))
        except StopIteration as stop:
            done: Retried[U] = stop.value
            return done
