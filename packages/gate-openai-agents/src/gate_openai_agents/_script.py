"""The scripted side of the conformance drivers: a model that answers what the case says, and its tools."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import (
    AgentOutputSchemaBase,
    FunctionTool,
    Handoff,
    Model,
    ModelResponse,
    ModelSettings,
    ModelTracing,
    Tool,
    TResponseInputItem,
    Usage,
    function_tool,
)
from agents.items import TResponseStreamEvent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openai.types.responses.response_prompt_param import ResponsePromptParam
from pydantic import TypeAdapter

from gate_core.conformance import FileTools, ModelStep, Player
from gate_openai_agents._speech import responses_events


class Script:
    """What the model answers next, in words every transport understands. `told` are the lines of the demo."""

    def __init__(self, player: Player, *, restarts: bool) -> None:
        self._player = player
        self._restarts = restarts
        self._asked = 0
        self._before = 0
        self.told: list[str] = []
        self._tools: list[FunctionTool] = []

    @property
    def asked(self) -> int:
        """How often the model was asked in this turn."""
        return self._asked - self._before

    def begin_turn(self) -> str:
        """Move to the next turn and return the user's prompt."""
        self._before = self._asked
        prompt = self._player.begin_turn()
        self.told.append(f"user: {prompt}")
        return prompt

    @property
    def restarts_next(self) -> bool:
        """See `Player.restarts_next`; a run that is not gated has nothing to reload."""
        return self._restarts and self._player.restarts_next

    def respond(self) -> list[dict[str, Any]]:
        """The output items of the next response, as the Responses API writes them.

        When the response after a restart holds calls, every tool needs an approval from now on: the calls wait, and
        the process ends while they do.
        """
        restart = self.restarts_next
        step = self._player.respond()
        self._asked += 1
        items = self._calls(step) if step.calls else [self._message(step.text)]
        for tool in self._tools if restart else ():
            tool.needs_approval = True
        return items

    def _calls(self, step: ModelStep) -> list[dict[str, Any]]:
        for call in step.calls:
            self.told.append(f"calls {call.tool}({', '.join(str(value) for value in list(call.args.values())[:1])})")
        return [
            {
                "id": f"fc_{self._asked}_{call.id}",
                "type": "function_call",
                "status": "completed",
                "name": call.tool,
                "arguments": json.dumps(call.args),
                "call_id": f"call_{self._asked}_{call.id}",
            }
            for call in step.calls
        ]

    def _message(self, text: str) -> dict[str, Any]:
        self.told.append(f"drafts: {text}")
        return {
            "id": f"msg_{self._asked}",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
        }

    def tools(self, workspace: Path) -> list[Tool]:
        """The neutral file tools as function tools. Failures are raised: the SDK's own error handling answers.

        Not strict, because the cases leave out arguments that have defaults. A callable `needs_approval` would not do
        either: the SDK asks for an approval whenever defaults were filled in.
        """
        made = [
            function_tool(do, name_override=name, strict_mode=False) for name, do in FileTools(workspace).all().items()
        ]
        self._tools = made
        return list(made)


class ScriptedModel(Model):
    """A model in this process that answers from the script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    async def get_response(  # noqa: PLR0913 - the SDK's signature
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the name the SDK calls it by
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """The next response of the script."""
        output = [typed(item) for item in self._script.respond()]
        return ModelResponse(output=list(output), usage=Usage(requests=1), response_id=None)

    async def stream_response(self, *args: object, **kwargs: object) -> AsyncIterator[TResponseStreamEvent]:
        """The same response as a stream of events."""
        adapter: TypeAdapter[TResponseStreamEvent] = TypeAdapter(TResponseStreamEvent)
        for event in responses_events(self._script.respond(), "scripted"):
            yield adapter.validate_python(event)


def typed(item: dict[str, Any]) -> ResponseFunctionToolCall | ResponseOutputMessage:
    """A scripted item as the type the SDK's models return."""
    if item["type"] == "function_call":
        return ResponseFunctionToolCall.model_validate(item)
    content = [ResponseOutputText.model_validate(part) for part in item["content"]]
    return ResponseOutputMessage.model_validate({**item, "content": content})
