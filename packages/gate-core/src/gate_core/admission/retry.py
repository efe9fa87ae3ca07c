"""Proposing again: the retry loop of units as a dialogue (spec 40, "Retry for units").

The loop yields what the proposer is told ("" at first) and is sent the next proposal; `retry` leads it synchronously,
`gate_core.retrying.aretry` asynchronously. Units approved once stay unless they are proposed anew, and are judged
together with what comes later, so that a conflict between attempts is one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic

from gate_core.admission.pipeline import admit_units
from gate_core.admission.policy import Policy
from gate_core.admission.result import AdmissionResult, Judged, Status
from gate_core.admission.units import Pool, Proposal, U, text_field
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence
from gate_core.model.late import late

_SAFE = late(r"[\w./:@%+,=-]{1,64}")
_MOST = 12  # units named in one message


class RetryOn(StrEnum):
    """What is worth another attempt."""

    REJECT = "reject"
    DOWNGRADE = "downgrade"
    CONFLICT = "conflict"


@dataclass(frozen=True, kw_only=True)
class Retried(Generic[U]):
    """The best attempt, and all of them in order."""

    best: AdmissionResult[U]
    attempts: tuple[AdmissionResult[U], ...]


def retry(
    propose: Callable[[str], Proposal[U]],
    policy: Policy[U],
    evidence: Iterable[Evidence] = (),
    *,
    on: Collection[str] = (RetryOn.REJECT,),
    most: int = 3,
) -> Retried[U]:
    """Ask for proposals until one needs no other, nothing gets better, or `most` were judged.

    `propose` is called with "" first, then with what the last attempt was told.
    """
    talk = dialogue(policy, evidence, on=on, most=most)
    told = next(talk)
    while True:
        try:
            told = talk.send(propose(told))
        except StopIteration as stop:
            done: Retried[U] = stop.value
            return done


def dialogue(
    policy: Policy[U], evidence: Iterable[Evidence] = (), *, on: Collection[str] = (RetryOn.REJECT,), most: int = 3
) -> Generator[str, Proposal[U], Retried[U]]:
    """The loop itself: yields feedback, takes proposals, returns what came of it."""
    pool = evidence if isinstance(evidence, Pool) else Pool(evidence)
    wanted = frozenset(RetryOn(word) for word in on)
    attempts: list[AdmissionResult[U]] = []
    kept: dict[str, U] = {}
    told = ""
    while True:
        proposal = yield told
        result = admit_units(
            _with_kept(proposal, kept), policy, pool, attempts=attempts[-1].attempts if attempts else ()
        )
        before = _open(attempts[-1], wanted) if attempts else None
        attempts.append(result)
        kept.update({item.id: item.unit for item in result.admitted if item.status is Status.APPROVED})
        left = _open(result, wanted)
        if not left or left == before or len(attempts) >= most:
            return Retried(best=max(attempts, key=_merit), attempts=tuple(attempts))
        told = feedback(result, policy)


def _with_kept(proposal: Proposal[U], kept: dict[str, U]) -> Proposal[U]:
    """The proposal with the units approved before that it does not replace."""
    if not proposal.units or not kept:
        return proposal
    named = {text_field(unit, "id") for unit in proposal.units}
    return replace(proposal, units=(*(unit for ident, unit in kept.items() if ident not in named), *proposal.units))


def _open(result: AdmissionResult[U], on: frozenset[RetryOn]) -> frozenset[tuple[str, str]]:
    """The (unit, code) pairs that another attempt is for; one of them gone is progress."""
    pairs = {("", result.code)} if result.code else set()
    if RetryOn.REJECT in on:
        pairs |= {(item.id, item.code) for item in result.rejected}
    if RetryOn.DOWNGRADE in on:
        pairs |= {(item.id, item.code) for item in result.admitted if item.status is Status.DOWNGRADED}
    if RetryOn.CONFLICT in on:
        pairs |= {(item.id, code) for item in result.judged for code in item.conflicts}
    return frozenset(pairs)


def _merit(result: AdmissionResult[U]) -> tuple[int, int, int]:
    approved = sum(item.status is Status.APPROVED for item in result.admitted)
    return (len(result.admitted), approved, -len(result.rejected))


def feedback(result: AdmissionResult[U], policy: Policy[U]) -> str:
    """What the proposer is told: our words, codes, hints and names; nothing that a unit or a result says."""
    if policy.feedback is not None:
        return policy.feedback(result, policy)
    lines = [f"{len(result.admitted)} of {len(result.judged)} units were admitted."]
    if result.code:
        lines.append(f"{result.code}: {policy.hint(result.code)}.")
        lines += [f"- {error}" for error in result.errors if result.code == Code.STRUCTURE_INVALID]
        return "\n".join(lines)
    objected = [item for item in result.judged if item.code or item.conflicts]
    lines += [_line(at, item, policy) for at, item in enumerate(objected[:_MOST], 1)]
    if len(objected) > _MOST:
        lines.append(f"... and {len(objected) - _MOST} more.")
    return "\n".join(lines)


def _line(at: int, item: Judged[U], policy: Policy[U]) -> str:
    return f"- {_name(item.id, at)} {item.status.value}: {'; '.join(_reasons(item, policy))}."


def _reasons(item: Judged[U], policy: Policy[U]) -> Iterator[str]:
    for code in dict.fromkeys((item.code, item.own_code, *item.conflicts)):
        if code:
            hint = policy.hint(code)
            yield f"{code} ({hint})" if hint else code
    if item.unsupported:
        names = ", ".join(_name(name, at) for at, name in enumerate(item.unsupported, 1))
        yield f"nothing supports {names}"


def _name(text: str, at: int) -> str:
    return text if _SAFE.fullmatch(text) else f"number {at}"
