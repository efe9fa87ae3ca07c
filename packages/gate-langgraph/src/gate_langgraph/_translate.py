"""Framework objects in, the core's words out. Pure: no state, no graph, and nothing here raises on a payload.

What a message means is not decided here; a shape that was not expected becomes the call with what could be read.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, cast

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.types import Command
from pydantic import BaseModel, ValidationError

from gate_core import Attempt, CallStatus, GateState, Json, JsonObject, ToolCall
from gate_langgraph._channels import FACTS, as_object, mapping
from gate_langgraph._origin import annotations_of, origin_of
from gate_langgraph._turns import Turn, text_parts

_LOG = logging.getLogger("gate_langgraph")

SOURCE = "gate"
"""Marks what the gate wrote: the notification source, and the key in an answer's `additional_kwargs`."""

_DEEPEST = 64  # levels; nothing a model or a tool sends on purpose is nested deeper


# --- values -----------------------------------------------------------------------------------------------------


def to_json(value: object, depth: int = 0) -> Json:
    """Any value as JSON: models, dataclasses and mappings by their fields, the rest by its text."""
    if value is None or isinstance(value, _SCALARS):
        return value
    if depth >= _DEEPEST:
        return f"<{type(value).__name__}>"
    value = value if type(value) in _CONTAINERS else _fields(value)
    if type(value) is dict or isinstance(value, Mapping):
        return {str(key): to_json(item, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [to_json(item, depth + 1) for item in value]
    return _text(value)


_SCALARS = (bool, int, float, str)
_CONTAINERS = (dict, list)


def _fields(value: object) -> object:
    """A model or a dataclass as a mapping, anything else as it is."""
    if isinstance(value, BaseModel):
        try:
            return value.model_dump(mode="json")
        except Exception:  # noqa: BLE001 - a serializer of the user's own; its fields are still readable
            return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    return value


def _text(value: object) -> str:
    if type(value) is str:
        return value
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - a __str__ of the user's own
        return f"<{type(value).__name__}>"


def _object(value: object) -> JsonObject:
    plain = to_json(value)
    return plain if isinstance(plain, dict) else {}


# --- attempts ------------------------------------------------------------------------------------------------------


def attempt_of(turn: Turn, structured: object, steps: Mapping[str, int]) -> Attempt:
    """The answer that a turn ends with. `steps` is tool call id -> step, for narration between calls."""
    own = {id(message) for message in turn.answer}  # messages compare by all their fields
    return Attempt(
        parts=tuple(part for message in turn.answer for part in text_parts(message.content)),
        output=_output(structured),
        earlier=_narration([m for m in turn.messages if id(m) not in own], steps),
    )


def _output(structured: object) -> Json:
    """The typed answer as JSON, its text when a class of the user's own cannot be read by fields."""
    try:
        return to_json(structured)
    except Exception:  # noqa: BLE001 - an answer that cannot be read must still be judged
        return _text(structured)


def _narration(messages: Sequence[BaseMessage], steps: Mapping[str, int]) -> tuple[tuple[int, str], ...]:
    """Text beside tool calls, as of the step of those calls. A message without calls was a rejected answer."""
    said: list[tuple[int, str]] = []
    for message in messages:
        if isinstance(message, AIMessage) and message.tool_calls and message.content:
            step = max((steps[i] for c in message.tool_calls if (i := c["id"] or "") in steps), default=None)
            if step is not None:
                said += [(step, text) for text in text_parts(message.content)]
    return tuple(said)


# --- tool calls -------------------------------------------------------------------------------------------------


def read_call(
    request: object,
    *,
    result: object = None,
    error: BaseException | None = None,
    status: CallStatus | None = None,
) -> ToolCall:
    """One execution of a tool as a `ToolCall`, from a `ToolCallRequest` and what came of it.

    `status` is what the seat itself knows: pending for a call that did not end, denied for one that it stopped.

    A payload that cannot be read at all is still a call, of which nothing is known but that it was one.
    """
    call = as_object(getattr(request, "tool_call", None))
    try:
        return _read_call(request, call, result, error, status)
    except Exception:  # noqa: BLE001 - whatever a foreign object did, its call is on record and the run goes on
        _LOG.warning("a tool call could not be read; it is recorded as an unknown call", exc_info=True)
        ref = _text(call.get("id") or "")
        return ToolCall(tool=_text(call.get("name") or ""), call_id=ref, ref=ref, status=CallStatus.ERROR)


def _read_call(
    request: object,
    call: Mapping[str, object],
    result: object,
    error: BaseException | None,
    status: CallStatus | None,
) -> ToolCall:
    ref = _text(call.get("id") or "")
    metadata = _metadata(request)
    step = _step(metadata)
    message = answer_to(result, ref)
    artifact = message.artifact if message is not None else None
    tool = getattr(request, "tool", None)
    return ToolCall(
        tool=_text(call.get("name") or ""),
        args=_object(call.get("args")),
        result=f"{type(error).__name__}: {_text(error)}" if error else to_json(message.content if message else None),
        status=status or _status(tool, call.get("args"), result, message, error),
        exit_code=_exit_code(artifact),
        call_id=f"{ref}@{step}" if _is_taken(ref, getattr(request, "state", None)) else ref,
        ref=ref,
        step=step,
        agent=_text(metadata.get("lc_agent_name") or ""),
        origin=origin_of(tool),
        side=_side(tool, artifact),
    )


def _is_taken(ref: str, state: object) -> bool:
    """True when a call of this id is on record already: some models number each response's calls anew."""
    return GateState.has_call(mapping(state, FACTS), ref)


def unexecuted(message: ToolMessage, call: Mapping[str, object] | None) -> ToolCall:
    """A tool message that no execution stands behind: refused, unknown, emulated, limited, or a human's answer."""
    call_id = _text(message.tool_call_id or "")
    return ToolCall(
        tool=_text((call or {}).get("name") or message.name or ""),
        args=_object((call or {}).get("args")),
        result=to_json(message.content),
        status=CallStatus.NOT_EXECUTED,
        call_id=call_id,
        ref=call_id,
    )


def read_message_call(message: ToolMessage, call: Mapping[str, object] | None) -> ToolCall:
    """A call as its messages tell it, for transcripts: whether it ran that way is not known from them."""
    told = unexecuted(message, call)
    status = CallStatus.ERROR if message.status == "error" else CallStatus.OK
    return dataclasses.replace(told, status=status, exit_code=_exit_code(message.artifact))


def calls_by_id(messages: Sequence[BaseMessage]) -> dict[str, Mapping[str, object]]:
    """Every call the model asked for, by id."""
    asked = (call for m in messages if isinstance(m, AIMessage) for call in m.tool_calls)
    return {_text(call["id"]): cast("Mapping[str, object]", call) for call in asked}


def answer_to(result: object, call_id: str) -> ToolMessage | None:
    """The tool message for `call_id` in what a tool call returned: a message, a Command, or a list of them."""
    if isinstance(result, ToolMessage):
        return result
    found = list(_tool_messages(result))
    return next((m for m in reversed(found) if m.tool_call_id == call_id), found[-1] if found else None)


def _tool_messages(result: object) -> Iterator[ToolMessage]:
    if isinstance(result, ToolMessage):
        yield result
    elif isinstance(result, Command):
        update = result.update
        yield from _tool_messages(update.get("messages") if isinstance(update, Mapping) else update)
    elif isinstance(result, list | tuple):
        for item in result:
            yield from _tool_messages(item)


def _status(
    tool: object, args: object, result: object, message: ToolMessage | None, error: BaseException | None
) -> CallStatus:
    if error is not None:
        return CallStatus.ERROR
    if message is None or message.status != "error":
        return CallStatus.OK if message is not None or result is not None else CallStatus.ERROR
    return CallStatus.ERROR if _could_run(tool, args) else CallStatus.NOT_EXECUTED


def _could_run(tool: object, args: object) -> bool:
    """False when the framework answered for the tool: it is not registered, or its arguments do not validate."""
    if not isinstance(tool, BaseTool):
        return tool is not None
    try:
        schema = tool.tool_call_schema
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            schema.model_validate(args)
    except ValidationError:
        return False
    except Exception:  # noqa: BLE001 - a schema of the user's own that cannot be read: it may have run
        return True
    return True


def _exit_code(artifact: object) -> int | None:
    code = as_object(artifact).get("exit_code") if artifact is not None else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _side(tool: object, artifact: object) -> dict[str, Json]:
    """The hints of the tool's server, and the artifact's flags and numbers; an artifact may hold anything, so nothing
    else of it is taken along."""
    side: dict[str, Json] = {}
    if hints := annotations_of(tool):
        side["annotations"] = hints
    if artifact is not None:
        plain = {str(k): value for k, value in as_object(artifact).items() if isinstance(value, _SCALARS)}
        if plain:
            side["artifact"] = plain
    return side


def _metadata(request: object) -> Mapping[str, object]:
    config = getattr(getattr(request, "runtime", None), "config", None)
    return as_object(as_object(config).get("metadata"))


def _step(metadata: Mapping[str, object]) -> int | None:
    """The superstep: all calls of one model message share it, and it only grows within a thread."""
    step = metadata.get("langgraph_step")
    return step if isinstance(step, int) and not isinstance(step, bool) else None


# --- texts ------------------------------------------------------------------------------------------------------


_Texts: TypeAlias = Mapping[str, tuple[JsonObject, Json]]


class MessageTexts:
    """Arguments and results as the thread's messages hold them (a `TextSource`; the ref is the tool call id). `others`
    finds those of calls that have no tool message."""

    def __init__(self, messages: Sequence[BaseMessage], others: Callable[[Sequence[BaseMessage]], _Texts]) -> None:
        self._messages = messages
        self._find = others

    @cached_property
    def _others(self) -> _Texts:
        return self._find(self._messages)

    @cached_property
    def _calls(self) -> dict[str, Mapping[str, object]]:
        return calls_by_id(self._messages)

    @cached_property
    def _results(self) -> dict[str, ToolMessage]:
        return {m.tool_call_id: m for m in self._messages if isinstance(m, ToolMessage)}

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result of the call `ref`, None when a summary or a trim took them away."""
        call, message = self._calls.get(ref), self._results.get(ref)
        if call is None or message is None:
            return self._others.get(ref)
        return _object(call.get("args")), to_json(message.content)
