"""Units that cannot stand side by side (spec 40, "Typed units"). A blocking conflict rejects everybody in it, an
informational one leaves a note; who was rejected before is out of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from gate_core.admission.policy import Detector, RuleContext
from gate_core.admission.result import Conflict, Judged, Weight
from gate_core.admission.units import U, field_of
from gate_core.model.json import canonical


def one_value_per(
    key: Callable[[U], Hashable], value: Callable[[U], object], code: str, severity: str = Weight.BLOCKING
) -> Detector[U]:
    """A detector: units of one key with two different values are in conflict, all units of that key.

    None is no key. A duplicate hides nothing: of A, B, A all three are in it.
    """

    def detect(units: Sequence[Judged[U]], context: RuleContext[U]) -> Iterator[Conflict]:
        groups: dict[Hashable, list[Judged[U]]] = {}
        for judged in units:
            groups.setdefault(key(judged.unit), []).append(judged)
        groups.pop(None, None)
        for group in groups.values():
            if len({canonical(value(judged.unit)) for judged in group}) > 1:
                yield Conflict(units=tuple(judged.id for judged in group), code=code, severity=severity)

    return detect


def by_field(name: str) -> Callable[[object], Hashable]:
    """The field of a unit as a key."""

    def found(unit: object) -> Hashable:
        value = field_of(unit, name)
        return None if value is None else canonical(value)

    return found
