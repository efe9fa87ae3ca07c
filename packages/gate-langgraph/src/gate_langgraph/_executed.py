"""What a tool was really called with, told by the tool itself.

Hosts put middleware behind the gate's inner half: deepagents' `interrupt_on` does, and a person edits a call or answers
in its place there. What the gate saw is then not what ran. LangChain's tools say what they start with to whoever is
configured for the run, and a handler in a context variable is, without a place in anybody's list.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import ToolCall
from langchain_core.tools import BaseTool, StructuredTool, Tool
from langchain_core.tracers.context import register_configure_hook

from gate_langgraph._bound import Bound

_ENTRIES = ("invoke", "ainvoke", "run", "arun")


class Started(BaseCallbackHandler):
    """Notes the start of one call; `call` is None until it started. Tools that a tool calls have other ids."""

    run_inline = True

    def __init__(self, call_id: str | None, tool: object) -> None:
        self._id = call_id
        self._tells = call_id is not None and isinstance(tool, BaseTool) and _is_usual(type(tool))
        self.call: ToolCall | None = None

    @property
    def never(self) -> bool:
        """True when it is sure that the tool did not start: somebody answered in its place."""
        return self._tells and self.call is None

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Note name and arguments, without what the framework injects."""
        if self._id is not None and kwargs.get("tool_call_id") == self._id and isinstance(inputs, Mapping):
            self.call = ToolCall(name=str(serialized.get("name") or ""), args=dict(inputs), id=self._id)


_STARTED: ContextVar[Started | None] = ContextVar("gate_langgraph_started", default=None)
register_configure_hook(_STARTED, inheritable=False)


@cache
def _is_usual(kind: type[BaseTool]) -> bool:
    """False for a class of the user's own that is run another way and may not tell."""
    return all(getattr(kind, name) in _USUAL for name in _ENTRIES)


_USUAL = frozenset(getattr(kind, name) for kind in (BaseTool, StructuredTool, Tool) for name in _ENTRIES)


def listening(call_id: str | None, tool: object) -> Bound[Started]:
    """Listen for the start of a call, inside a `with`."""
    return Bound(_STARTED, Started(call_id, tool))
