"""A context variable that holds a value for the length of a `with` block."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Bound(Generic[_Value]):
    """`with Bound(variable, value) as value:`. A class, because a generator costs four times as much, and three of
    these are around every tool call."""

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[_Value | None], value: _Value) -> None:
        self._variable, self._value = variable, value

    def __enter__(self) -> _Value:
        self._token: Token[_Value | None] = self._variable.set(self._value)
        return self._value

    def __exit__(self, *raised: object) -> None:
        self._variable.reset(self._token)
