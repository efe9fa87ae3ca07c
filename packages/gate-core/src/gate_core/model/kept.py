"""Properties that are computed once per object and kept in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")


class kept(Generic[_Value]):  # noqa: N801 - used as a decorator, as `property` is
    """`functools.cached_property` without its lock, which Python had until 3.12 and which costs more than most of what
    is computed here. Two threads at once compute the same thing twice."""

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type[object]) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[object]) -> _Value: ...

    def __get__(self, instance: object | None, owner: type[object]) -> Self | _Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
