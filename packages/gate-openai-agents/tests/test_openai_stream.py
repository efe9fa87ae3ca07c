"""Streams: what the user reads is the delivered answer and nothing else, at the runner and inside the model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, MaxTurnsExceeded, ModelProvider, RunConfig, Runner, SQLiteSession
from agents import set_tracing_disabled as _set
from agents.testing import ScriptedModel, function_call
from openai_scripts import HONEST, LIE, STRICT, edit, edit_file, read, read_file, say
from pydantic import BaseModel

from gate_core import Action, AnswerWithheld, GateConfig, Verdict
from gate_openai_agents import GatedStream, GateRunner

_set(True)
RAILS = GateConfig(policy="strict", posture="rails")  # type: ignore[arg-type]


def repair() -> ScriptedModel:
    """Narrates, edits, claims, is refused, reads, answers."""
    return ScriptedModel([[say("I edit it now. ", 7), edit()], [say(LIE, 1)], [read()], [say(HONEST, 2)]])


def liar() -> ScriptedModel:
    return ScriptedModel([[edit()], [say(LIE, 1)], [say(LIE, 2)]])


def agent_of(model: Any, **extra: Any) -> Agent[Any]:
    return Agent(name="worker", model=model, tools=[edit_file, read_file], **extra)


class Read:
    """What a reader of a stream gets: the text deltas joined, and everything as text."""

    def __init__(self) -> None:
        self.text = ""
        self.all = ""
        self.kinds: list[str] = []

    async def of(self, stream: Any) -> Read:
        async for event in stream.stream_events():
            self.all += str(event)
            self.kinds.append(event.type)
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                self.text += event.data.delta
        return self


def stream(model: Any, *, config: GateConfig = STRICT, **extra: Any) -> tuple[Read, GatedStream]:
    """Read a gated stream to its end."""
    runner = GateRunner(config=config, mark_text=extra.pop("mark_text", False))

    async def go() -> tuple[Read, GatedStream]:
        found = runner.run_streamed(agent_of(model), "Set it.", **extra)
        return await Read().of(found), found

    return asyncio.run(go())


def test_the_deltas_are_the_accepted_answer() -> None:
    """The concatenated text deltas equal the accepted answer exactly; no event carries a word of the refused draft."""
    model = repair()
    seen, found = stream(model)
    assert seen.text == found.final_output == HONEST
    assert LIE not in seen.all
    assert [verdict.action for verdict in found.verdicts] == [Action.REVISE, Action.DELIVER]
    assert found.verdict is found.verdicts[-1]
    assert (found.exited_unverified, found.progress()["rejections"], len(model.calls)) == (False, 1, 4)
    assert (LIE in str(found.to_input_list()), found.result.is_complete) == (False, True)


def test_calls_are_streamed_at_once_and_narration_on_request() -> None:
    """Tool events pass; what the model says beside a call is shown as a whole or not at all."""
    seen, _ = stream(repair())
    assert "I edit it now." not in seen.text
    assert seen.kinds.count("run_item_stream_event") == 5
    told, found = stream(repair(), narration=True)
    assert told.text == f"I edit it now. {HONEST}"
    assert found.final_output == HONEST


def test_a_stream_keeps_its_session_clean() -> None:
    """The session of a gated stream gets neither draft nor feedback."""
    session = SQLiteSession("s")
    stream(repair(), session=session)
    kept = str(asyncio.run(session.get_items()))
    assert (LIE in kept, "[gate]" in kept, HONEST in kept) == (False, False, True)
    session.close()


@pytest.mark.parametrize("mark_text", [False, True])
def test_a_released_stream_is_marked_on_request(mark_text: bool) -> None:
    """With `mark_text` the marker is the beginning of the stream, without it only metadata carries it."""
    seen, found = stream(liar(), mark_text=mark_text)
    assert seen.text == found.final_output == ("UNVERIFIED: " if mark_text else "") + LIE
    assert found.exited_unverified


def test_a_withheld_stream_shows_nothing() -> None:
    """Posture rails: no text at all, then the error."""
    seen = Read()

    async def go() -> GatedStream:
        found = GateRunner(config=RAILS).run_streamed(agent_of(liar()), "Set it.")
        with pytest.raises(AnswerWithheld):
            await seen.of(found)
        return found

    found = asyncio.run(go())
    assert (seen.text, found.final_output, LIE in seen.all) == ("", None, False)


def test_attempts_of_a_stream_share_one_budget() -> None:
    """The limit of turns is that of the whole stream."""
    with pytest.raises(MaxTurnsExceeded, match=r"Max turns \(3\) exceeded"):
        stream(repair(), max_turns=3)


class Cancels(ScriptedModel):
    """A model in the middle of whose text the run is cancelled, after the reader has got what there is."""

    stream: GatedStream

    async def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        async for event in super().stream_response(*args, **kwargs):
            yield event
            if event.type == "response.output_text.delta":
                for _ in range(20):
                    await asyncio.sleep(0)
                self.stream.cancel()


def test_a_cancelled_answer_is_not_shown() -> None:
    """An answer in the middle of which the run is cancelled was never judged: nothing of it comes out."""
    model = Cancels([[say("Hello there, how are you?")]])

    async def go() -> tuple[Read, GatedStream]:
        model.stream = GateRunner(config=STRICT).run_streamed(agent_of(model), "Hi")
        return await Read().of(model.stream), model.stream

    seen, found = asyncio.run(go())
    assert ("Hello" in seen.all, found.verdict, found.final_output) == (False, None, None)


def test_a_run_that_may_finish_its_turn_is_judged() -> None:
    """`cancel("after_turn")` lets the answer end: it is judged, and shown when it is let go."""

    async def go() -> tuple[Read, GatedStream]:
        found = GateRunner(config=STRICT).run_streamed(agent_of(ScriptedModel([[say("Hello there!")]])), "Hi")
        seen = Read()
        async for event in found.stream_events():
            found.cancel("after_turn")
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                seen.text += event.data.delta
        return seen, found

    seen, found = asyncio.run(go())
    assert (seen.text, len(found.verdicts)) == ("Hello there!", 1)


# -- the boundary inside the model


class Named(ModelProvider):
    """A provider of one model."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        self.closed = False

    def get_model(self, model_name: str | None) -> ScriptedModel:
        return self.model

    async def aclose(self) -> None:
        self.closed = True


def plain(gate: GateRunner, model: ScriptedModel, **changes: Any) -> dict[str, Any]:
    """What plain `Runner` calls are given for a boundary in the model."""
    config = gate.run_config(RunConfig(model_provider=gate.model_provider(Named(model)), **changes))
    return {"hooks": gate.hooks(), "run_config": config}


def test_plain_runs_get_the_accepted_answer_of_the_model() -> None:
    """`Runner.run` with hooks and provider: the refused draft is repaired in the run, and is in no history."""
    gate, model = GateRunner(config=STRICT), repair()
    session = SQLiteSession("s")

    async def go() -> Any:
        return await Runner.run(agent_of("any"), "Set it.", session=session, **plain(gate, model))

    result = asyncio.run(go())
    assert (result.final_output, len(model.calls)) == (HONEST, 4)
    said = [str(item.get("content")) for item in model.calls[3].input]
    assert LIE in said
    assert any(text.startswith("[gate]") for text in said)
    assert LIE not in str(asyncio.run(session.get_items())) + str(result.to_input_list())
    infos = [item.output.output_info for item in result.output_guardrail_results]
    assert [info.action for info in infos if isinstance(info, Verdict)] == [Action.DELIVER]
    found = gate.result_of(result)
    assert found is not None
    assert [verdict.action for verdict in found.verdicts] == [Action.REVISE, Action.DELIVER]
    session.close()


def test_plain_streams_do_not_leak() -> None:
    """Under plain `Runner.run_streamed` the deltas of a gated model are narration and the accepted answer only."""
    gate, model = GateRunner(config=STRICT), repair()

    async def go() -> Read:
        return await Read().of(Runner.run_streamed(agent_of("any"), "Set it.", **plain(gate, model)))

    seen = asyncio.run(go())
    assert (seen.text, LIE in seen.all) == (f"I edit it now. {HONEST}", False)


def test_the_model_is_judged_once_in_a_gated_run() -> None:
    """A gated model in a gated run: one verdict per draft, not one per boundary."""
    gate, model = GateRunner(config=STRICT), repair()
    result = asyncio.run(gate.run(agent_of(gate.model(model)), "Set it."))
    assert (result.final_output, len(result.verdicts), len(model.calls)) == (HONEST, 2, 4)


def test_a_gated_model_withholds_under_rails() -> None:
    """The error is the gate's own, and the draft is nowhere."""
    gate = GateRunner(config=RAILS)
    with pytest.raises(AnswerWithheld):
        asyncio.run(Runner.run(agent_of("any"), "Set it.", **plain(gate, liar())))


@pytest.mark.parametrize("posture", ["guard", "rails"])
def test_a_gated_model_without_hooks_says_so(posture: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody observed, so nothing can be checked: released under guard, withheld under rails, and logged."""
    heard: list[Verdict] = []
    gate = GateRunner(config=GateConfig(posture=posture), on_verdict=heard.append)  # type: ignore[arg-type]
    run = Runner.run(agent_of(gate.model(ScriptedModel([[edit()], [say(LIE)]]))), "Set it.")
    if posture == "rails":
        with pytest.raises(AnswerWithheld):
            asyncio.run(run)
    else:
        assert asyncio.run(run).final_output == LIE
    assert [verdict.codes for verdict in heard] == [("gate-unwired",)]
    assert "hooks=gate.hooks()" in caplog.text


@pytest.mark.parametrize("hooked", [True, False])
def test_an_agent_used_as_a_tool_is_not_judged_by_its_model(hooked: bool) -> None:
    """A gated model of an agent used as a tool gives testimony; only the run's own answer is judged."""
    heard: list[Verdict] = []
    gate = GateRunner(config=STRICT, on_verdict=heard.append)
    inner = agent_of(gate.model(ScriptedModel([[say(LIE, 5)]])))
    tool = inner.as_tool("ask_inner", "asks", hooks=gate.hooks() if hooked else None)
    steps: list[Any] = [[function_call("ask_inner", {"input": "x"}, call_id="p1")], [say("UNVERIFIED: see above", 9)]]
    outer: Agent[Any] = Agent(name="outer", model=gate.model(ScriptedModel(steps)), tools=[tool])
    result = asyncio.run(Runner.run(outer, "go", hooks=gate.hooks(), run_config=gate.run_config()))
    found = gate.result_of(result)
    assert found is not None
    assert list(found.verdicts) == heard
    assert len(heard) == 1


class Answer(BaseModel):
    """A typed answer."""

    text: str


def test_a_typed_answer_is_judged_in_the_model() -> None:
    """With an `output_type` the model's text is read as the typed answer."""
    gate = GateRunner(config=STRICT)
    steps: list[Any] = [[edit()], [say(Answer(text=LIE).model_dump_json(), 1)], [read()]]
    model = ScriptedModel([*steps, [say(Answer(text=HONEST).model_dump_json(), 2)]])
    agent: Agent[Any] = agent_of(gate.model(model), output_type=Answer)
    result = asyncio.run(gate.run(agent, "Set it."))
    assert result.final_output == Answer(text=HONEST)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]


def test_the_provider_is_closed_with_the_wrapper() -> None:
    """Closing goes through to what is wrapped."""
    inner = Named(repair())
    provider = GateRunner().model_provider(inner)
    assert provider.get_model("x") is provider.get_model("y")
    asyncio.run(provider.aclose())
    assert inner.closed
