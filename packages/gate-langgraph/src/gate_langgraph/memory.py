"""The seat before a state write: a LangGraph store that keeps of the user only what the user said (spec 40).

    agent = create_agent(model, tools, middleware=with_gate([...], config=config), store=GatedStore(store))

Tools that write through the store (langmem's, or your own over `runtime.store`) are asked about, whatever they are
called. A refused write goes to the model as the tool's result, with reason and remedy. The store decides nothing: it
asks the gate of the call that runs. Outside of a gated call there is no conversation to ask; host code writes to the
store inside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextvars import ContextVar
from typing import Any, TypeAlias, cast

from langchain.agents.middleware import ToolCallRequest
from langchain_core.tools import ToolException
from langgraph.store.base import BaseStore, Op, PutOp, Result

from gate_core import SPEAKER, GateFactory, GateUsageError, Json, Layer, StateWrite, Strength, Verdict
from gate_langgraph._bound import Bound
from gate_langgraph._decide import open_thread

_Asked: TypeAlias = tuple[GateFactory, ToolCallRequest]
_RUNNING: ContextVar[_Asked | None] = ContextVar("gate_langgraph_running", default=None)


class WriteRefused(ToolException):
    """The gate refused a write; `verdict` says why, and the text is what the model is told."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.feedback)
        self.verdict = verdict


def running(factory: GateFactory, request: ToolCallRequest) -> Bound[_Asked]:
    """Say which call runs, inside a `with`, so that what it writes can be asked about."""
    return Bound(_RUNNING, (factory, request))


class GatedStore(BaseStore):
    """A store in front of another. Looks and deletions pass; what a gated call puts is asked about first.

    `fields` are the fields of a value that hold what is remembered ("content"); all of them without it.

    Raises:
        WriteRefused: the user did not say so. Nothing of the batch was written.
        GateUsageError: no gated call is running.
    """

    def __init__(self, store: BaseStore, *, fields: Collection[str] = ()) -> None:
        self.store = store
        self.fields = frozenset(fields)
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Ask about every write, then hand the batch on."""
        return self.store.batch(self._admitted(ops))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`."""
        return await self.store.abatch(self._admitted(ops))

    def _admitted(self, ops: Iterable[Op]) -> list[Op]:
        found = list(ops)
        for op in found:
            if isinstance(op, PutOp) and op.value is not None:
                self._ask(op.key, op.value)
        return found

    def _ask(self, key: str, value: Mapping[str, Any]) -> None:
        asked = _RUNNING.get()
        if asked is None:
            raise GateUsageError(
                "a gated store was written to outside of a gated tool call; code of the host writes to the store inside"
            )
        factory, request = asked
        if factory.config.layers[Layer.WRITES] is Strength.OFF:
            return
        told = {name: item for name, item in value.items() if not self.fields or name in self.fields}
        write = StateWrite(subject=SPEAKER, key=key, value=cast("Json", told))
        verdict = open_thread(factory, request.state).gate.admit_write(write)
        if not verdict.accepted:
            raise WriteRefused(verdict)
