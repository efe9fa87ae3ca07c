"""What the gate keeps in a thread: a few channels, each a plain JSON object.

Dicts only, for two reasons that cost others a thread: a checkpointer in strict msgpack mode turns typed values into
dicts without a word, and a top-level string with a NUL cannot be written to Postgres. Facts are a set, so parallel
tool calls, replays and forks merge without an order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NotRequired

from langchain.agents.middleware.types import AgentState, OmitFromInput, PrivateStateAttr

from gate_core import Json

FACTS, RUN, VERDICT, REPORT = "gate_facts", "gate_run", "gate_verdict", "gate_report"
GRANTS = "gate_grants"
KEYS = (FACTS, RUN, VERDICT, REPORT, GRANTS)
"""The names of the gate's channels; a tool's own `Command` may not write them."""


def channel(state: object, key: str) -> object:
    """What a graph state holds under a key, whatever kind of state it is; None for nothing."""
    if type(state) is dict or isinstance(state, Mapping):
        return state.get(key)
    return getattr(state, key, None)


def mapping(state: object, key: str) -> Mapping[str, Json]:
    """The JSON object that a graph state holds under a key; an empty one for anything else."""
    return as_object(channel(state, key))


def as_object(value: object) -> Mapping[str, Json]:
    """What a channel or a field of one holds as a JSON object; an empty one for anything else."""
    return value if type(value) is dict or isinstance(value, Mapping) else {}


def merge_facts(left: dict[str, object] | None, right: dict[str, object] | None) -> dict[str, object]:
    """The union of two sets of facts; the first fact of a key stays (spec 00, invariants 5 and 6)."""
    return {**(left or {}), **{key: fact for key, fact in (right or {}).items() if key not in (left or {})}}


def merge_grants(left: dict[str, object] | None, right: dict[str, object] | None) -> dict[str, object]:
    """What parallel calls were granted, by call. None takes an entry out again: it went into `gate_run`."""
    both = {**(left or {}), **(right or {})}
    return {key: entry for key, entry in both.items() if entry is not None}


class FactChannels(AgentState):
    """The agent's state with the channels that every gate needs.

    Private: `gate_facts` (fact key -> encoded fact) and `gate_run` (`state`: `GateState` without its facts; `wired`:
    whether a recorder ever ran; `tag`: id of the message the turn began with; `drafts`: ids of rejected answers and of
    what was sent back; `verdicts` of this turn; `counted`: ids of model messages that went into the budget; `given`:
    ids of those that came with the turn's input). Output: `gate_verdict` (`Verdict.to_dict()`) and `gate_report`
    (`verdicts` of this turn, `progress`, `exited_unverified`).
    """

    # LangGraph takes a reducer only from the last place of the metadata.
    gate_facts: NotRequired[Annotated[dict[str, object], PrivateStateAttr, merge_facts]]
    gate_run: NotRequired[Annotated[dict[str, object], PrivateStateAttr]]
    gate_verdict: NotRequired[Annotated[dict[str, object] | None, OmitFromInput]]
    gate_report: NotRequired[Annotated[dict[str, object] | None, OmitFromInput]]


class GateChannels(FactChannels):
    """All channels of the gate: also `gate_grants`, private, for what the seat before a tool gave until the next
    boundary. Only a gate with that seat needs it; LangGraph goes over every channel several times in each step."""

    gate_grants: NotRequired[Annotated[dict[str, object], PrivateStateAttr, merge_grants]]
