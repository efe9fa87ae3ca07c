"""What the SDK does where nothing of ours can be done, or is needed; the docs have to say it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    ModelBehaviorError,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    Runner,
    SQLiteSession,
    UserError,
    set_tracing_disabled,
)
from agents.realtime import RealtimeAgent, RealtimeModel, RealtimeModelTranscriptDeltaEvent, RealtimeSession
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionWebSearch
from openai_scripts import LIE, STRICT, edit, edit_file, read_file, say

from gate_openai_agents import GateRunner

set_tracing_disabled(True)
DOC = Path(__file__).resolve().parents[3] / "docs" / "openai-agents.md"
SPOKEN = "Done, the timeout in a.cfg is 30. " * 4


def worker(*responses: list[Any]) -> Agent[Any]:
    """An agent with the two tools."""
    return Agent(name="w", model=ScriptedModel(list(responses)), tools=[edit_file, read_file])


def test_a_plain_stream_shows_what_its_guardrail_refuses() -> None:
    """T2: with the guardrail alone the text is out before the tripwire; the docs say so."""
    gate, seen = GateRunner(config=STRICT), ""

    async def go() -> None:
        nonlocal seen
        pieces: dict[str, Any] = {"hooks": gate.hooks(), "run_config": gate.run_config()}
        async for event in Runner.run_streamed(worker([edit()], [say(LIE)]), "Set it.", **pieces).stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                seen += event.data.delta

    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(go())
    assert seen == LIE
    assert "shows the text first and raises afterwards" in " ".join(DOC.read_text(encoding="utf-8").split())


def test_a_session_beside_a_conversation_id_is_the_sdks_error() -> None:
    """T16: the two cannot be combined, with the gate as without it."""
    session = SQLiteSession("s")
    agent = worker([say("Hello!")])
    with pytest.raises(UserError, match="conversation_id"):
        asyncio.run(Runner.run(agent, "Hi", session=session, conversation_id="c"))
    with pytest.raises(UserError, match="conversation_id"):
        asyncio.run(GateRunner().run(agent, "Hi", session=session, conversation_id="c"))
    session.close()


SEARCH = ResponseFunctionWebSearch.model_validate(
    {"id": "w1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}
)


def test_the_scripted_model_streams_no_hosted_calls() -> None:
    """T24: streams of them are tested with a provider on the loopback, since the SDK's own test model has none."""

    async def go() -> None:
        async for _ in Runner.run_streamed(worker([SEARCH, say("Hello!")]), "Hi").stream_events():
            pass

    with pytest.raises(ModelBehaviorError, match="Automatic streaming does not support"):
        asyncio.run(go())


class Line(RealtimeModel):
    """A connection on which nobody answers. Keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def connect(self, options: object) -> None:
        """Nothing to connect to."""

    def add_listener(self, listener: object) -> None:
        """The test speaks to the session itself."""

    def remove_listener(self, listener: object) -> None:
        """Nothing was added."""

    async def send_event(self, event: object) -> None:
        """Note the kind of the event."""
        self.sent.append(type(event).__name__)

    async def close(self) -> None:
        """Nothing to close."""


async def spoken(guardrail: Any) -> list[str]:
    """What a session sends its model after this much of the transcript has come, with this guardrail."""
    line = Line()
    agent: RealtimeAgent[Any] = RealtimeAgent(name="w", output_guardrails=[OutputGuardrail(guardrail, name="evidence")])
    async with RealtimeSession(line, agent, None) as session:
        line.sent.clear()
        await session.on_event(RealtimeModelTranscriptDeltaEvent(item_id="i1", delta=SPOKEN, response_id="r1"))
        await asyncio.gather(*session._guardrail_tasks)
    return line.sent


def trips(context: object, agent: object, output: object) -> GuardrailFunctionOutput:
    """A guardrail that refuses what is said."""
    return GuardrailFunctionOutput(output_info="not read back", tripwire_triggered=True)


def breaks(context: object, agent: object, output: object) -> GuardrailFunctionOutput:
    """A guardrail that cannot decide."""
    raise RuntimeError("bug")


@pytest.mark.parametrize(("guardrail", "sent"), [(trips, ["RealtimeModelSendInterrupt"]), (breaks, [])])
def test_a_guardrail_that_raises_is_skipped(guardrail: Any, sent: list[str]) -> None:
    """T20: in a realtime session one that trips interrupts what is being said; one that raises lets it go on."""
    assert asyncio.run(spoken(guardrail))[:1] == sent


def test_the_docs_say_what_fails_open() -> None:
    """T20: voice and realtime are no promise of the gate; the docs name what does not hold there."""
    section = DOC.read_text(encoding="utf-8").split("\n## Voice and Realtime\n")[1].split("\n## ")[0]
    for word in (
        "Realtime",
        "Voice",
        "fails open",
        "debounce_text_length",
        "tool_start",
        "cannot be taken back",
        "no promise",
    ):
        assert word in " ".join(section.split())
