"""The submit tool: an agent that ends by calling a tool says with its answer what kind of claim it makes.

A tool input guardrail is the boundary: a refused answer never becomes the tool's result, the feedback does, and the
run goes on. Nothing but public tool seats is used, and no text is streamed before it was judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from agents import (
    Agent,
    FunctionTool,
    FunctionToolResult,
    RunContextWrapper,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    ToolsToFinalOutputResult,
    function_tool,
)

from gate_core import Action, ConfigError
from gate_openai_agents import _translate
from gate_openai_agents._ledger import Find

SUBMIT = "submit_answer"
"""The name of the submit tool; its calls are no calls of the agent's."""

ALONE = f"{SUBMIT} was not run: call it alone, after you have seen the results of your other calls."

ClaimWord = Literal["none", "assertion", "completion", "unverified"]

DESCRIPTION = (
    "Give your final answer to the user. claim says what kind of answer it is: completion (I did it), assertion (it is "
    "so), unverified (I could not confirm it), none (it claims nothing)."
)


def submit_tool(find: Find[Any], answer_type: type) -> FunctionTool:
    """The tool. `answer_type` is the type of the answer: a text, or what the agent has as `output_type`."""

    async def submit_answer(answer: Any, claim: Any) -> Any:
        return answer

    submit_answer.__annotations__ = {"answer": answer_type, "claim": ClaimWord, "return": Any}

    async def judge(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        refuse_ending(data.agent)
        call_id = data.context.tool_call_id
        ledger = find(data.context)
        if not ledger.calls.is_top(call_id):
            return ToolGuardrailFunctionOutput.allow()
        if not ledger.calls.is_alone(call_id):
            return ToolGuardrailFunctionOutput.reject_content(ALONE)
        given = _translate.arguments(data.context.tool_arguments)
        verdict = await ledger.submitted(given.get("answer"), _translate.word(given, "claim") or None)
        if verdict.action is Action.REVISE:
            return ToolGuardrailFunctionOutput.reject_content(verdict.feedback, verdict)
        if verdict.action is Action.WITHHOLD:
            return ToolGuardrailFunctionOutput.raise_exception(verdict)
        return ToolGuardrailFunctionOutput.allow(verdict)

    return function_tool(
        submit_answer,
        name_override=SUBMIT,
        description_override=DESCRIPTION,
        tool_input_guardrails=[ToolInputGuardrail(guardrail_function=judge, name="evidence_gate")],
    )


class UntilAccepted:
    """A `tool_use_behavior` that ends the run with the submitted answer, once it was let go."""

    def __init__(self, find: Find[Any]) -> None:
        self._find = find

    def __call__(
        self, context: RunContextWrapper[Any], results: Sequence[FunctionToolResult]
    ) -> ToolsToFinalOutputResult:
        """Final only with an accepted or released submission; a refused one is a result like any other."""
        for result in results:
            if result.tool.name == SUBMIT and self._find(context).settled is not None:
                return ToolsToFinalOutputResult(is_final_output=True, final_output=result.output)
        return ToolsToFinalOutputResult(is_final_output=False)


def refuse_ending(agent: Agent[Any]) -> None:
    """Behaviours that end a run with the first result make a refusal the final answer.

    Raises:
        ConfigError: the agent has the submit tool and such a behaviour.
    """
    behaviour = agent.tool_use_behavior
    if not any(isinstance(tool, FunctionTool) and tool.name == SUBMIT for tool in agent.tools):
        return
    if _ends_with_the_call(behaviour):
        raise ConfigError(
            f"with {behaviour!r} a refused {SUBMIT} would be the final answer; "
            "use tool_use_behavior=gate.until_accepted",
            key="tool_use_behavior",
        )


def _ends_with_the_call(behaviour: object) -> bool:
    """True when the run ends with whatever the submit tool gives back."""
    stops = behaviour.get("stop_at_tool_names", ()) if isinstance(behaviour, dict) else ()
    return behaviour == "stop_on_first_tool" or SUBMIT in stops
