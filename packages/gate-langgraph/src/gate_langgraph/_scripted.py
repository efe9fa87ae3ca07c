"""The scripted side of the driver: a chat model that plays a case, and the neutral file tools as LangChain tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import PrivateAttr

from gate_core.conformance import FileTools, ModelStep, ToolFailure


class ScriptedModel(BaseChatModel):
    """Answers every request with what `respond` makes of it, usually the next response of a script."""

    _respond: Callable[[Sequence[BaseMessage]], ModelStep] = PrivateAttr()
    _requests: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    def __init__(self, respond: Callable[[Sequence[BaseMessage]], ModelStep]) -> None:
        super().__init__()
        self._respond = respond

    @classmethod
    def of(cls, *steps: ModelStep) -> ScriptedModel:
        """A model that goes through `steps` and then says the last one again."""
        left = list(steps)
        return cls(lambda _: left.pop(0) if len(left) > 1 else left[0])

    @property
    def requests(self) -> list[list[BaseMessage]]:
        """What the framework sent, one list of messages per request."""
        return self._requests

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, object] | type | Callable[..., object] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: object,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The model itself: its calls come from the script."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        self._requests.append(list(messages))
        return ChatResult(generations=[ChatGeneration(message=_message(self._respond(messages)))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return self._generate(messages)


def _message(step: ModelStep) -> AIMessage:
    calls = [{"name": call.tool, "args": dict(call.args), "id": call.id, "type": "tool_call"} for call in step.calls]
    return AIMessage(content=step.text, tool_calls=calls)


def file_tools(workspace: Path) -> list[BaseTool]:
    """The neutral tools over `workspace`. A failure reaches the model as a tool message of status "error"."""
    return [_tool(name, function) for name, function in FileTools(workspace).all().items()]


def _tool(name: str, function: Callable[..., str]) -> BaseTool:
    def call(**arguments: object) -> str:
        try:
            return function(**arguments)
        except ToolFailure as failure:
            raise ToolException(str(failure)) from None

    async def acall(**arguments: object) -> str:
        return call(**arguments)  # in the loop, not in a thread: parallel calls start in the order of the script

    schema = StructuredTool.from_function(function, name=name).args_schema
    return StructuredTool.from_function(
        call,
        coroutine=acall,
        name=name,
        description=function.__doc__ or name,
        args_schema=schema,
        infer_schema=False,
        handle_tool_error=True,
    )
