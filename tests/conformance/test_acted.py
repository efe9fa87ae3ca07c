"""The labelled transcripts get the same verdicts from a running agent of each framework as from the core."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.acted import Seen, by_core, script_of, transcripts

PLAYED = list(transcripts())

NOT_FOUND_AGAIN = frozenset({"values-6-190"})
"""Transcripts in which a new runner does not find the text of an earlier turn in its history."""

NOT_SERVED = frozenset({"confirm", "proposed"})
"""Events of which an MCP server has no seat: it asks for no approval."""

Diff = dict[str, tuple[list[Seen], list[Seen]]]


def differences(
    act: Callable[[dict[str, Any]], Coroutine[Any, Any, list[Seen]]],
    core: Callable[[dict[str, Any]], list[Seen]],
    played: list[dict[str, Any]],
) -> Diff:
    """Core and adapter, by the id of a transcript of which they say something else."""
    told = {transcript["id"]: (core(transcript), asyncio.run(act(transcript))) for transcript in played}
    return {name: both for name, both in told.items() if both[0] != both[1]}


def by_texts(transcript: dict[str, Any]) -> list[Seen]:
    """The core, told what a tool of the user's tells."""
    return by_core(transcript, script_of(transcript))


def test_there_is_enough_to_play() -> None:
    """Calls, answers, actions and approvals, in some hundred conversations."""
    events = {event["type"] for t in PLAYED for turn in t["turns"] for event in turn["events"]}
    assert len(PLAYED) >= 120
    assert events == {"call", "finish", "proposed", "confirm"}


def test_a_difference_is_told() -> None:
    """The comparison can fail: an adapter that forgets the last verdict is named for every transcript."""

    async def forgetful(transcript: dict[str, Any]) -> list[Seen]:
        return by_texts(transcript)[:-1]

    judged = [t for t in PLAYED[:9] if by_texts(t)]
    assert list(differences(forgetful, by_texts, judged)) == [t["id"] for t in judged] != []


@pytest.mark.parametrize("driver", ["LangGraphDriver", "LangGraphGraphDriver"])
def test_on_langgraph(driver: str) -> None:
    """`create_agent` with `with_gate`, and a graph by hand."""
    from tests.conformance.acted_langgraph import act

    import gate_langgraph.harness

    kind = getattr(gate_langgraph.harness, driver)
    assert differences(lambda transcript: act(transcript, kind), by_texts, PLAYED) == {}


def unexamined(seen: list[Seen]) -> list[Seen]:
    """What only an earlier turn shows is not examined where the texts of that turn went with its runner."""
    return [
        (decision, action, tuple("value-unexamined" if code == "value-stale" else code for code in codes), claim)
        for decision, action, codes, claim in seen
    ]


def test_on_openai_agents() -> None:
    """`GateRunner.run` with function tools, a new one for every turn."""
    from tests.conformance.acted_openai import act

    found = differences(act, by_texts, PLAYED)
    assert {name: both for name, both in found.items() if name not in NOT_FOUND_AGAIN} == {}
    assert all(unexamined(both[0]) == unexamined(both[1]) for both in found.values())


def test_on_openai_agents_with_a_server() -> None:
    """The same tools behind an MCP server, whose results come as content blocks."""
    from tests.conformance.acted_openai import SERVER, act

    def core(transcript: dict[str, Any]) -> list[Seen]:
        return by_core(transcript, script_of(transcript), lambda tool: f"mcp:{SERVER}")

    kinds = {t["id"]: {event["type"] for turn in t["turns"] for event in turn["events"]} for t in PLAYED}
    played = [t for t in PLAYED if not kinds[t["id"]] & NOT_SERVED]
    assert differences(lambda transcript: act(transcript, served=True), core, played) == {}


def test_on_the_hooks_of_claude(tmp_path: Path) -> None:
    """The hook events of the SDK, with a state that outlives each turn's process."""
    from tests.conformance.acted_claude import act

    def core(transcript: dict[str, Any]) -> list[Seen]:
        return by_core(transcript, script_of(transcript, native=True), _origin)

    assert differences(lambda transcript: act(transcript, tmp_path / transcript["id"]), core, PLAYED) == {}


def _origin(tool: str) -> str:
    return f"mcp:{tool.split('__')[1]}" if tool.startswith("mcp__") else "builtin"
