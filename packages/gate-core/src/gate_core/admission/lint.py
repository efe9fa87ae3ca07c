"""What is wrong with a policy before it judges anything: unreachable rules, unknown codes, codes without a hint.

The codes of a rule are those it was declared with (`@gives("code")`), else the kebab-case words among its constants.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import CodeType
from typing import TypeVar

from gate_core.admission.policy import KEBAB, Policy, rule_name
from gate_core.admission.units import U

F = TypeVar("F", bound=Callable[..., object])
_BUILDERS = frozenset({"approve", "reject", "downgrade"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """One thing to mend: "unreachable-rule", "unknown-code" or "code-without-hint", where, and about which code."""

    kind: str
    rule: str = ""
    code: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.kind, self.rule, self.code) if part)


def gives(*codes: str) -> Callable[[F], F]:
    """Declare the codes a rule can give."""

    def marked(rule: F) -> F:
        rule.codes = codes  # type: ignore[attr-defined]  # read by `lint`
        return rule

    return marked


def lint(policy: Policy[U]) -> tuple[Flaw, ...]:
    """The flaws of a policy, those of its rules in their order first."""
    return tuple(dict.fromkeys(_flaws(policy)))


def _flaws(policy: Policy[U]) -> Iterator[Flaw]:
    closed = False
    seen: list[Callable[..., object]] = []
    for rule in _flat(policy.rules):
        name = rule_name(rule)
        if closed or any(rule is other for other in seen):
            yield Flaw(kind="unreachable-rule", rule=name)
        seen.append(rule)
        closed = closed or _always_rules(rule)
        for code in _codes(rule):
            if not policy.knows(code):
                yield Flaw(kind="unknown-code", rule=name, code=code)
    for code in policy.codes:
        if not policy.codes[code].strip():
            yield Flaw(kind="code-without-hint", code=code)


def _flat(rules: Sequence[Callable[..., object]]) -> Iterator[Callable[..., object]]:
    for rule in rules:
        parts = getattr(rule, "parts", None)
        if parts:
            yield from _flat(parts)
        else:
            yield rule


def _code_of(rule: Callable[..., object]) -> CodeType | None:
    code = getattr(rule, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _codes(rule: Callable[..., object]) -> tuple[str, ...]:
    declared = getattr(rule, "codes", None)
    if declared is not None:
        return tuple(str(code) for code in declared)
    code = _code_of(rule)
    if code is None or not _BUILDERS & {*code.co_names}:
        return ()
    words = (const for const in _constants(code) if isinstance(const, str))
    return tuple(dict.fromkeys(word for word in words if "-" in word and KEBAB.fullmatch(word)))


def _constants(code: CodeType) -> Iterator[object]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _constants(const)
        else:
            yield const


def _always_rules(rule: Callable[..., object]) -> bool:
    """True when every way out of the rule is a ruling: it calls nothing but the builders, and never gives None."""
    code = _code_of(rule)
    if code is None:
        return False
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "EXTENDED_ARG", "NOP")]
    called = {step.argval for step in steps if step.opname == "LOAD_GLOBAL"}
    ends = [before for before, step in pairwise(steps) if step.opname == "RETURN_VALUE"]
    silent = any(step.opname in ("LOAD_CONST", "RETURN_CONST") and step.argval is None for step in steps)
    return bool(ends) and not silent and called <= _BUILDERS and all(end.opname.startswith("CALL") for end in ends)
