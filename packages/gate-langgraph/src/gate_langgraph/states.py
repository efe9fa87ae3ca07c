"""The gate's channels for hand-built graphs: a base for each kind of state LangGraph takes.

`create_agent` needs none of them, its middleware brings the channels. A state may also declare the fields itself; what
counts is the names and the reducers, and `check_builder` looks at both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from langgraph.graph import MessagesState
from pydantic import BaseModel, Field

from gate_langgraph._channels import merge_facts, merge_grants


class GateMessagesState(MessagesState, total=False):
    """For `TypedDict` states: LangGraph's `MessagesState` with the gate's channels."""

    gate_facts: Annotated[dict[str, Any], merge_facts]
    gate_run: dict[str, Any]
    gate_grants: Annotated[dict[str, Any], merge_grants]
    gate_verdict: dict[str, Any] | None
    gate_report: dict[str, Any] | None


class GateModel(BaseModel):
    """For pydantic states: `class State(GateModel)` with `messages: Annotated[list[AnyMessage], add_messages]`."""

    gate_facts: Annotated[dict[str, Any], merge_facts] = Field(default_factory=dict)
    gate_run: dict[str, Any] = Field(default_factory=dict)
    gate_grants: Annotated[dict[str, Any], merge_grants] = Field(default_factory=dict)
    gate_verdict: dict[str, Any] | None = None
    gate_report: dict[str, Any] | None = None


@dataclass(kw_only=True)
class GateFields:
    """For dataclass states: `@dataclass(kw_only=True) class State(GateFields)`."""

    gate_facts: Annotated[dict[str, Any], merge_facts] = field(default_factory=dict)
    gate_run: dict[str, Any] = field(default_factory=dict)
    gate_grants: Annotated[dict[str, Any], merge_grants] = field(default_factory=dict)
    gate_verdict: dict[str, Any] | None = None
    gate_report: dict[str, Any] | None = None
