"""Numbers the steps of a session: calls of one model response share a step, later responses have later steps.

Tool events do not say which response they belong to; PostToolBatch says that one is over. So the first call an agent
reports opens a step, and its batch closes it. Each agent has its own: while a sub-agent works through many responses,
the parent's one response is still open.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gate_claude_sdk._payload import as_count, as_list, as_object, as_text
from gate_core import Json, JsonObject


@dataclass(slots=True, kw_only=True)
class OpenStep:
    """A response whose batch is not over: its step, and the ids of its calls that were reported so far."""

    step: int
    reported: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class Steps:
    """The step counter of one session. `last` is the highest step given out, -1 before the first."""

    last: int = -1
    open: dict[str, OpenStep] = field(default_factory=dict)

    def of(self, agent: str, call_id: str) -> int:
        """The step of a call of `agent` ("" for the main one)."""
        if agent not in self.open:
            self.open[agent] = OpenStep(step=self.next())
        opened = self.open[agent]
        opened.reported.add(call_id)
        return opened.step

    def reported(self, agent: str, call_id: str) -> bool:
        """True when the call was seen since the agent's last batch."""
        return call_id in self.open[agent].reported if agent in self.open else False

    def next(self) -> int:
        """A step of its own."""
        self.last += 1
        return self.last

    def after(self, step: int) -> None:
        """Steps given out from now on are later than `step`, which somebody else used."""
        self.last = max(self.last, step)

    def close(self, agent: str) -> None:
        """The agent's response is over."""
        self.open.pop(agent, None)

    def to_json(self) -> dict[str, Json]:
        """The counter as JSON."""
        return {"last": self.last, "open": {a: [o.step, sorted(o.reported)] for a, o in self.open.items()}}

    @classmethod
    def from_json(cls, data: JsonObject) -> Steps:
        """The counter that `to_json` wrote; what cannot be read is left out."""
        last = as_count(data.get("last"))
        steps = cls(last=-1 if last is None else last)
        for agent, row in as_object(data.get("open")).items():
            cells = as_list(row)
            step = as_count(cells[0]) if len(cells) == 2 else None
            if step is not None:
                steps.open[agent] = OpenStep(step=step, reported={as_text(c) for c in as_list(cells[1])})
        return steps
