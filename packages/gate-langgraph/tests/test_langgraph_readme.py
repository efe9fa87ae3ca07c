"""What the README and the example show is what runs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import factory
from langgraph.checkpoint.memory import InMemorySaver

from gate_core import Action
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import results
from gate_langgraph._scripted import ScriptedModel, file_tools

PACKAGE = Path(__file__).parents[1]
WRITE = ModelStep(calls=(CaseCall(id="c1", tool="write_file", args={"path": "app.cfg", "content": "timeout = 30\n"}),))
READ = ModelStep(calls=(CaseCall(id="c2", tool="read_file", args={"path": "app.cfg"}),))
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
TOLD = "Done, the timeout in app.cfg is 30.\nchecked: app.cfg read after change"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_readme_snippet_catches_an_unchecked_claim(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code block, word for word; only the model behind its name is scripted."""
    model = ScriptedModel.of(WRITE, DONE, READ, DONE)
    monkeypatch.setattr(factory, "init_chat_model", lambda name: model)
    (snippet,) = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    exec(compile(snippet, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out.strip() == TOLD
    assert len(model.requests) == 4


def test_the_example_runs() -> None:
    """The file a user would copy, with a scripted model handed in."""
    example = runpy.run_path(str(PACKAGE.parents[1] / "examples" / "langgraph_agent.py"))
    assert example["main"]("Set the timeout to 30.", ScriptedModel.of(WRITE, DONE, READ, DONE)) == TOLD
    unrepaired = example["main"]("Set the timeout to 30.", ScriptedModel.of(WRITE, DONE))
    assert unrepaired == "UNVERIFIED: Done, the timeout in app.cfg is 30."


def test_the_hand_built_graph_of_the_docs_runs(folder: Path) -> None:
    """The code block, word for word, with a scripted model, real tools and a saver filled in."""
    text = (PACKAGE.parents[1] / "docs" / "langgraph.md").read_text("utf-8")
    (snippet,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "check_builder" in block]
    model = ScriptedModel.of(WRITE, DONE, READ, DONE)
    names = {
        "call_model": lambda state: {"messages": [model.invoke(state["messages"])]},
        "tools": file_tools(folder),
        "saver": InMemorySaver(),
    }
    exec(compile(snippet, "langgraph.md", "exec"), names)
    app: Any = names["app"]
    result = app.invoke({"messages": [("user", "Set the timeout to 30.")]}, {"configurable": {"thread_id": "t"}})
    assert [verdict.action for verdict in results(result).verdicts] == [Action.REVISE, Action.DELIVER]
    assert result["messages"][-1].text == DONE.text


def test_every_public_name_is_told_and_there() -> None:
    """The list is kept by hand: what it names is there, and what a reader needs of it is in the docs."""
    import gate_langgraph

    listed = set(gate_langgraph.__all__)
    assert listed == {name for name in vars(gate_langgraph) if name in listed}
    told = (PACKAGE.parents[1] / "docs" / "langgraph.md").read_text("utf-8") + (PACKAGE / "README.md").read_text(
        "utf-8"
    )
    inner = {"AnyMiddleware", "Decision", "GateBoundary", "GateChannels", "GateRecorder", "GateResult", "decide"}
    assert {name for name in listed - inner if name not in told} == {"adecide", "merge_facts", "merge_grants"}
