"""Puts the gate's halves around other middleware, and refuses a list in which they would fail without a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from langchain.agents.middleware import AgentMiddleware

from gate_core import ConfigError, GateArguments, GateFactory, Posture
from gate_langgraph._tested import TESTED
from gate_langgraph.middleware import (
    AnyMiddleware,
    GateBoundary,
    GateMiddleware,
    GateRecorder,
    Lone,
    LoneRecorder,
    LoneWithholdingRecorder,
    QuietBoundary,
    WithholdingRecorder,
)

_USE = "build the list with with_gate([...])"


def with_gate(middleware: Sequence[AnyMiddleware] = (), **arguments: Unpack[GateArguments]) -> list[AnyMiddleware]:
    """The middleware list for `create_agent`: recorder, the others in their order, boundary.

    The boundary is last so that it sees what really runs, and judges before anything the others do at the end.

    Raises:
        ConfigError: a wrong argument, or a list that already holds a part of a gate.
    """
    factory = GateFactory(arguments, tested=TESTED)
    recorder, boundary = _halves(factory, between=any(map(_wraps_tools, middleware)))
    whole = [recorder, *middleware, boundary]
    check_middleware(whole)
    return whole


def _halves(factory: GateFactory, *, between: bool) -> tuple[GateRecorder, GateBoundary]:
    """Recorder and boundary; `between` says that others around the tools stand there."""
    rails = factory.config.posture is Posture.RAILS
    if between:
        return (WithholdingRecorder if rails else GateRecorder)(factory), GateBoundary(factory)
    return (LoneWithholdingRecorder if rails else LoneRecorder)(factory), QuietBoundary(factory)


def check_middleware(middleware: Sequence[AnyMiddleware]) -> None:
    """Refuse a list in which the gate would miss calls, make others repeat them, or not come back to the model.

    Raises:
        ConfigError: says what is wrong and how the list should look.
    """
    gates = [m for m in middleware if isinstance(m, GateBoundary)]
    recorders = [m for m in middleware if isinstance(m, GateRecorder)]
    if len(gates) != 1 or len(recorders) > 1:
        held = f"{len(gates)} gates and {len(recorders)} recorders"
        raise ConfigError(f"expected one gate in the middleware list, got {held}; {_USE}", key="middleware")
    if middleware[-1] is not gates[0]:
        raise ConfigError(
            f"{gates[0].name} must be last in the middleware list: it has to see what really runs, and to judge"
            f" before others clean up; {_USE}",
            key="middleware",
        )
    _check_jump(gates[0])
    if isinstance(gates[0], GateMiddleware):
        _check_alone(middleware, recorders)
    else:
        _check_pair(middleware, gates[0], recorders)


def _check_alone(middleware: Sequence[AnyMiddleware], recorders: Sequence[GateRecorder]) -> None:
    if recorders:
        raise ConfigError(f"GateMiddleware and GateRecorder in one list: each call counts twice; {_USE}")
    others = [m.name for m in middleware[:-1] if _wraps_tools(m)]
    if others:
        raise ConfigError(
            f"GateMiddleware beside {', '.join(others)}, which also wraps tool calls: it would see a Command where it"
            f" expects a tool message, and may run tools again; {_USE}",
            key="middleware",
        )


def _check_pair(middleware: Sequence[AnyMiddleware], gate: GateBoundary, recorders: Sequence[GateRecorder]) -> None:
    if not recorders:
        raise ConfigError(f"GateBoundary without its GateRecorder records nothing; {_USE}", key="middleware")
    if middleware[0] is not recorders[0]:
        raise ConfigError(f"GateRecorder must be first in the middleware list; {_USE}", key="middleware")
    _check_between(middleware[1:-1], gate, recorders[0])
    if recorders[0].factory is not gate.factory:
        raise ConfigError(f"GateRecorder and GateBoundary come from two gates; {_USE}", key="middleware")
    if gate.factory.config.posture is Posture.RAILS and not isinstance(recorders[0], WithholdingRecorder):
        raise ConfigError(f"posture 'rails' needs the WithholdingRecorder; {_USE}", key="posture")


def _check_between(between: Sequence[AnyMiddleware], gate: GateBoundary, recorder: GateRecorder) -> None:
    """A list that was built for no others around the tools would not see each of their attempts, or see nothing."""
    others = [m.name for m in between if _wraps_tools(m)]
    if isinstance(recorder, Lone) is not isinstance(gate, QuietBoundary) or (others and isinstance(recorder, Lone)):
        raise ConfigError(
            f"the two halves were built for another list than this one with {', '.join(others) or 'nobody'} around the"
            f" tools between them; {_USE}",
            key="middleware",
        )


def _check_jump(gate: GateBoundary) -> None:
    """A subclass that overrides the hook without `hook_config` would end the run on the gate's own feedback."""
    for name in ("after_agent", "aafter_agent"):
        if "model" not in getattr(getattr(type(gate), name), "__can_jump_to__", ()):
            raise ConfigError(
                f"{type(gate).__name__}.{name} lost @hook_config(can_jump_to=['model']); do not override it",
                key="middleware",
            )


def _wraps_tools(middleware: AnyMiddleware) -> bool:
    kind = type(middleware)
    return (
        kind.wrap_tool_call is not AgentMiddleware.wrap_tool_call
        or kind.awrap_tool_call is not AgentMiddleware.awrap_tool_call
    )
