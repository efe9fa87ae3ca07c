"""The tools of a sandbox agent on the SDK's local sandbox: real files and real processes in a folder of its own."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Callable
from typing import Any

import pytest
from agents import Agent, RunConfig, ToolOutputImage, ToolOutputText, function_tool, set_tracing_disabled
from agents.run_config import SandboxRunConfig
from agents.sandbox import Manifest, SandboxAgent
from agents.sandbox.capabilities import Filesystem
from agents.sandbox.capabilities.filesystem import FilesystemToolSet
from agents.sandbox.sandboxes.unix_local import UnixLocalSandboxClient
from agents.sandbox.session.pty_types import PtyExecUpdate
from agents.testing import ScriptedModel, function_call
from agents.testing.sandbox import scripted_sandbox_session
from openai.types.responses import ResponseCustomToolCall
from openai_scripts import say

from gate_core import Action, Fact, GateConfig
from gate_openai_agents import GatedResult, GateRunner
from gate_openai_agents._pictures import without_data
from gate_openai_agents._sandbox import is_sandbox_failure

set_tracing_disabled(True)
STRICT = GateConfig(policy="strict")  # type: ignore[arg-type]  # strings are accepted
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
END = say("UNVERIFIED: end", 99)

Step = list[Any] | Callable[[str], list[Any]]
"""A response of the model, or one made of what the last call answered."""


class Looks(ScriptedModel):
    """A scripted model whose responses may depend on the result of the call before."""

    def __init__(self, steps: list[Step]) -> None:
        super().__init__([])
        self.steps = steps

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:
        step, given = self.steps.pop(0), kwargs["input"]
        output = step if isinstance(step, list) else step(str(given[-1].get("output", "")))
        return await ScriptedModel([output]).get_response(*args, **kwargs)


def play(*steps: Step, files: dict[str, bytes] | None = None, config: GateConfig = ASSIST, **extra: Any) -> GatedResult:
    """Run the steps in a sandbox with these files."""

    async def go() -> GatedResult:
        client = UnixLocalSandboxClient()
        session = await client.create(manifest=Manifest())
        agent: Any = SandboxAgent(name="w", model=Looks([*steps]), **extra)
        settings = RunConfig(sandbox=SandboxRunConfig(session=session), tracing_disabled=True)
        try:
            async with session:
                for name, held in (files or {}).items():
                    text = base64.b64encode(held).decode()
                    done = await session.exec(f"printf %s '{text}' | base64 -d > {name}", shell=True)
                    assert done.exit_code == 0
                return await GateRunner(config=config).run(agent, "Set the timeout to 30.", run_config=settings)
        finally:
            await client.delete(session)

    return asyncio.run(go())


def facts(result: GatedResult) -> list[Fact]:
    return sorted(result.gate.state.facts.values(), key=lambda fact: (fact.step, fact.tool))


def told(fact: Fact) -> tuple[str, list[tuple[str, str]]]:
    return fact.outcome.value, [(effect.did.value, effect.target) for effect in fact.effects]


def patch(text: str, number: int = 1) -> Any:
    name = f"p{number}"
    return ResponseCustomToolCall(type="custom_tool_call", id=name, call_id=name, name="apply_patch", input=text)


def update(path: str, old: str, new: str) -> str:
    return f"*** Update File: {path}\n@@\n-{old}\n+{new}\n"


def patched(*operations: str) -> str:
    return f"*** Begin Patch\n{''.join(operations)}*** End Patch\n"


def shell(cmd: str, number: int = 1, **args: Any) -> Any:
    return function_call("exec_command", {"cmd": cmd, **args}, call_id=f"s{number}")


def image(path: str) -> Any:
    return function_call("view_image", {"path": path}, call_id="v1")


def typed(chars: str, number: int) -> Callable[[str], list[Any]]:
    """The model types into the command that runs on, and waits for its end."""

    def step(output: str) -> list[Any]:
        session = re.search(r"session ID (\d+)", output)
        assert session is not None
        args = {"session_id": int(session[1]), "chars": chars, "yield_time_ms": 30_000}
        return [function_call("write_stdin", args, call_id=f"w{number}")]

    return step


CONFIG = {"a.cfg": b"timeout = 5\n"}
GOOD = update("a.cfg", "timeout = 5", "timeout = 30")
BAD = update("a.cfg", "timeout = 7", "timeout = 30")
GONE = update("gone.cfg", "x", "y")
CHANGED, LOST = ("changed", "a.cfg"), ("changed", "gone.cfg")

PATCHES: list[Any] = [
    pytest.param(patched(GOOD), "ok", [CHANGED], id="one-change"),
    pytest.param(patched(BAD), "failed", [CHANGED], id="no-such-line"),
    pytest.param(patched(GONE), "unknown", [LOST], id="no-such-file"),
    pytest.param(patched(GOOD, GONE), "unknown", [CHANGED, LOST], id="the-second-one-fails"),
    pytest.param(patched(GOOD, BAD), "unknown", [CHANGED, CHANGED], id="the-second-hunk-fails"),
    pytest.param(patched("*** Add File: b.cfg\n+x\n"), "ok", [("changed", "b.cfg")], id="a-new-file"),
    pytest.param(patched("*** Delete File: a.cfg\n"), "ok", [("deleted", "a.cfg")], id="a-deletion"),
    pytest.param("set the timeout", "failed", [], id="no-patch"),
]


@pytest.mark.parametrize(("text", "outcome", "effects"), PATCHES)
def test_a_patch_is_what_the_sandbox_made_of_it(text: str, outcome: str, effects: list[tuple[str, str]]) -> None:
    """The SDK gives a patch that failed as a result like any other; one of several may have been made."""
    (fact,) = facts(play([patch(text)], [END], files=CONFIG))
    found, did = told(fact)
    assert (found, list(dict.fromkeys(did))) == (outcome, list(dict.fromkeys(effects)))


def test_a_patch_that_failed_is_no_change() -> None:
    """The lie goes back; the change that was made and read back goes out."""
    lie = say("Done, the timeout in a.cfg is 30.", 1)
    mended: list[Step] = [
        [patch(patched(GOOD), 2)],
        [shell("cat a.cfg")],
        [say("Done, the timeout in a.cfg is 30.", 2)],
    ]
    result = play([patch(patched(BAD))], [lie], *mended, files=CONFIG, config=STRICT)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]


def test_an_editor_of_the_users_has_words_of_its_own() -> None:
    """What another editor answers is not known, so it is not taken for a failure."""

    class Editor:
        async def update_file(self, operation: Any) -> Any:
            return type("Done", (), {"output": "alles gut"})()

    def configure(tools: FilesystemToolSet) -> None:
        tools.apply_patch.editor = Editor()  # type: ignore[assignment]

    result = play([patch(patched(GOOD))], [END], capabilities=[Filesystem(configure_tools=configure)])
    assert told(facts(result)[0]) == ("ok", [CHANGED])


IMAGES: list[Any] = [
    pytest.param("p.png", "ok", [("showed", "p.png")], id="a-picture"),
    pytest.param("q.png", "not_found", [("absent", "q.png")], id="none-there"),
    pytest.param("a.cfg", "failed", [], id="no-picture"),
    pytest.param("../../x.png", "failed", [], id="outside"),
]


@pytest.mark.parametrize(("path", "outcome", "effects"), IMAGES)
def test_a_picture_is_a_look(path: str, outcome: str, effects: list[tuple[str, str]]) -> None:
    """Only a picture that came was seen; every text in its place says why there is none."""
    result = play([image(path)], [END], files={**CONFIG, "p.png": PNG})
    assert told(facts(result)[0]) == (outcome, effects)


def test_a_refusal_to_show_a_file_is_no_look_after_a_change() -> None:
    """A change is not settled by a tool that says it cannot show the file; reading it settles it."""
    done = [say(f"Done, the timeout in a.cfg is 30.{' ' * n}", n) for n in range(2)]
    steps: list[Step] = [[patch(patched(GOOD))], [image("a.cfg")], [done[0]], [shell("cat a.cfg")], [done[1]]]
    result = play(*steps, files=CONFIG, config=STRICT)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]


def test_the_data_of_a_picture_is_not_kept() -> None:
    """A digest stands for it; another picture has another one. A text stays as the model reads it."""
    result = play([image("p.png")], [END], files={"p.png": PNG})
    kept = result.gate.call("v1")
    assert kept is not None
    assert re.fullmatch(r"\{'type': 'image', 'image_url': '<image/png [0-9a-f]{16}>'\}", str(kept[1]))
    one, two = (without_data(["x", {"url": f"data:image/png;base64,{data}"}]) for data in ("AA", "BB"))
    assert one != two
    assert without_data("data:image/png;base64,AA") == "data:image/png;base64,AA"


def test_pictures_of_other_tools_are_not_kept_either() -> None:
    """Any tool may return some, and an instrumented one is not taken for one whose result was replaced."""

    @function_tool
    def look(path: str) -> list[Any]:
        """Look."""
        return [ToolOutputText(text="a chart"), ToolOutputImage(image_url="data:image/png;base64,AAAA")]

    call = function_call("look", {"path": "p.png"}, call_id="c1")
    gate = GateRunner(config=ASSIST)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[call], [END]]), tools=[look])
    result = asyncio.run(gate.run(gate.instrument(agent), "go"))
    kept = result.gate.call("c1")
    assert kept is not None
    assert ("a chart" in str(kept[1]), "AAAA" in str(kept[1])) == (True, False)


WAITS = 'read -r code; echo "it ends with $code"; exit "$code"'


@pytest.mark.parametrize(("code", "outcome"), [("0", "ok"), ("3", "failed")])
def test_what_is_typed_into_a_command_is_its_own_news(code: str, outcome: str) -> None:
    """The end of a command that waited for input is that of the call that started it."""
    result = play([shell(WAITS, tty=True, yield_time_ms=100)], typed(f"{code}\n", 1), [END])
    began, ended, wrote = facts(result)
    assert (began.outcome.value, began.call) == ("pending", "s1")
    assert (ended.call, ended.tool, ended.step) == ("s1", "exec_command", wrote.step)
    assert (told(ended)[0], told(wrote)) == (outcome, ("ok", []))
    kept = result.gate.call("s1")
    assert kept is not None
    assert f"it ends with {code}" in str(kept[1])


def update_of(printed: str, code: int | None) -> PtyExecUpdate:
    """What a terminal of the sandbox tells of a command."""
    session = 7 if code is None else None
    return PtyExecUpdate(process_id=session, output=printed.encode(), exit_code=code, original_token_count=None)


@pytest.mark.parametrize(
    ("code", "summary", "actions"),
    [(0, "3 passed in 0.1s", ["REVISE", "DELIVER"]), (1, "1 failed in 0.1s", ["REVISE", "REVISE", "DELIVER"])],
)
def test_a_command_that_still_runs_proves_nothing(code: int, summary: str, actions: list[str]) -> None:
    """Nothing is believed before the end was seen; then it is what the tests said."""
    steps: list[Any] = [
        {"method": "pty_exec_start", "result": update_of("...", None)},
        {"method": "pty_write_stdin", "result": update_of("...", None)},
        {"method": "pty_write_stdin", "result": update_of(f"\n{summary}\n", code)},
    ]
    session = scripted_sandbox_session(steps)
    polls = [[function_call("write_stdin", {"session_id": 7}, call_id=f"w{n}")] for n in range(2)]
    claims = [[say("All tests pass.", n)] for n in range(2)]
    model = ScriptedModel(
        [[shell("pytest -q")], polls[0], claims[0], polls[1], claims[1], [say("UNVERIFIED: one fails.", 3)]]
    )
    agent: Any = SandboxAgent(name="w", model=model)
    config = RunConfig(sandbox=SandboxRunConfig(session=session), tracing_disabled=True)
    result = asyncio.run(GateRunner().run(agent, "Run the tests.", run_config=config))
    session.assert_complete()
    assert [verdict.action for verdict in result.verdicts] == [Action[name] for name in actions]


def test_typing_into_nothing_is_a_failure() -> None:
    """A session that nobody started brings no end of anything."""
    call = function_call("write_stdin", {"session_id": 99, "chars": "y"}, call_id="w1")
    assert told(facts(play([call], [END]))[0])[0] == "failed"


def test_a_command_that_timed_out_has_no_end() -> None:
    """Where a sandbox has no terminal the SDK tells a time-out in the output only, without an exit code."""

    async def late(call: Any) -> Any:
        raise TimeoutError

    session = scripted_sandbox_session([{"method": "exec", "responder": late}])
    agent: Any = SandboxAgent(name="w", model=ScriptedModel([[shell("make deploy")], [END]]))
    config = RunConfig(sandbox=SandboxRunConfig(session=session), tracing_disabled=True)
    result = asyncio.run(GateRunner(config=ASSIST).run(agent, "Deploy.", run_config=config))
    assert told(facts(result)[0])[0] == "unknown"


def test_tools_of_ones_own_are_not_asked() -> None:
    """Only the SDK's own classes are known, whatever a tool is called."""
    assert not is_sandbox_failure(object(), "Invalid Context 0:")
