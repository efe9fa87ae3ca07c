"""Cases: labelled transcripts with files, so that a real framework can play them (spec 60).

A case is a `gate-transcript/1` object with `files` (the workspace at the start), `rule`, `harm`, `requires` and
`exceptions`. Calls with the same `step` number belong to one model response. Two events are for drivers only: `outside`
changes a file behind the agent's back, `restart` reloads the gate from what was persisted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, cast

from gate_core.model.config import GateConfig, parse_config
from gate_core.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCall:
    """One tool call of the scripted model, in neutral words; paths are relative to the workspace."""

    id: str
    tool: str
    args: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStep:
    """One model response: parallel calls, or a text that ends the turn if it is accepted.

    `outside` maps file names to new contents (None: gone), applied just before. `expect` is what the verdict must be.
    """

    calls: tuple[CaseCall, ...] = ()
    text: str = ""
    outside: Mapping[str, str | None] = field(default_factory=dict)
    restart: bool = False
    expect: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTurn:
    """One turn: the user's prompt and the model's responses."""

    prompt: str
    steps: tuple[ModelStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case. `transcript` is the object it was read from."""

    id: str
    title: str
    rule: str
    harm: str
    requires: frozenset[str]
    exceptions: Mapping[str, str]
    files: Mapping[str, str]
    gate: JsonObject
    turns: tuple[CaseTurn, ...]
    transcript: JsonObject

    @property
    def config(self) -> GateConfig:
        """The configuration of the case, without probe roots: the driver names its workspace."""
        return parse_config(self.gate)

    @property
    def expected(self) -> tuple[JsonObject, ...]:
        """What each verdict must be, in order."""
        return tuple(step.expect for turn in self.turns for step in turn.steps if not step.calls)


def load_cases() -> tuple[Case, ...]:
    """The shipped cases, by id."""
    folder = files("gate_core.conformance") / "cases"
    found = [
        parse_case(json.loads(item.read_text("utf-8"))) for item in folder.iterdir() if item.name.endswith(".json")
    ]
    return tuple(sorted(found, key=lambda case: case.id))


def parse_case(data: JsonObject) -> Case:
    """A case from its transcript object, which must follow the schema."""
    raw = cast("Mapping[str, Any]", data)  # the schema was checked; see transcripts.schema
    return Case(
        id=raw["id"],
        title=raw["title"],
        rule=raw.get("rule", ""),
        harm=raw.get("harm", ""),
        requires=frozenset(raw.get("requires", ())),
        exceptions=raw.get("exceptions", {}),
        files=raw.get("files", {}),
        gate=raw.get("gate", {}),
        turns=tuple(CaseTurn(prompt=turn["prompt"], steps=_steps(turn["events"])) for turn in raw["turns"]),
        transcript=data,
    )


def _steps(events: Sequence[Mapping[str, Any]]) -> tuple[ModelStep, ...]:
    steps: list[ModelStep] = []
    calls: list[CaseCall] = []
    group: Json = None
    outside: dict[str, str | None] = {}
    restart = False

    def flush(text: str = "", expect: JsonObject | None = None) -> None:
        nonlocal calls, outside, restart
        if calls:
            steps.append(ModelStep(calls=tuple(calls), outside=outside, restart=restart))
            calls, outside, restart = [], {}, False
        if expect is not None:
            steps.append(ModelStep(text=text, expect=expect, outside=outside, restart=restart))
            outside, restart = {}, False

    for event in events:
        kind = event["type"]
        if kind == "call":
            if calls and (event.get("step") is None or event.get("step") != group):
                flush()
            group = event.get("step")
            calls.append(CaseCall(id=event["id"], tool=event["tool"], args=event["args"]))
        elif kind == "finish":
            flush()
            flush(text=event["text"], expect=event.get("expect", {}))
        elif kind == "outside":
            flush()
            outside[event["path"]] = event.get("content")
        elif kind == "restart":
            flush()
            restart = True
    flush()
    return tuple(steps)
