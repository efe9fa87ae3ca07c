"""Framework objects to the gate's words, without any state (spec 50).

Everything the SDK hands out may be a Pydantic model, a dataclass or a plain mapping (sessions and restored run states
give mappings), and any field may be missing. Nothing here raises: what cannot be read is left empty.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate_core import CallStatus, Claim, Json, JsonObject, ToolCall

BUILTIN = "builtin"
"""The origin of the tools the SDK itself brings."""

FUNCTION = "function_call"

LOCAL: Mapping[str, str] = {
    FUNCTION: "",
    "custom_tool_call": "",
    "shell_call": "shell",
    "local_shell_call": "local_shell",
    "apply_patch_call": "apply_patch",
    "computer_call": "computer",
}
"""Item type of a call that runs on this side -> the tool's name; "" when the item carries the name."""

OUTPUTS: Mapping[str, str] = {
    "function_call_output": FUNCTION,
    "custom_tool_call_output": "custom_tool_call",
    "shell_call_output": "shell_call",
    "local_shell_call_output": "local_shell_call",
    "apply_patch_call_output": "apply_patch_call",
    "computer_call_output": "computer_call",
}
"""Item type of an output -> item type of the call it answers."""

HOSTED: Mapping[str, str] = {
    "web_search_call": "web_search",
    "file_search_call": "file_search",
    "code_interpreter_call": "code_interpreter",
    "image_generation_call": "image_generation",
    "mcp_call": "",
}
"""Item type of a call the model's provider ran -> the tool's name; "" when the item carries the name."""

PROGRAM = "program"
"""The tool's name of a program that calls tools; the provider runs it, over several responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call the model asked for that runs on this side. `kind` is its item type."""

    kind: str
    call_id: str
    tool: str
    args: JsonObject
    cwd: str = ""

    @property
    def named(self) -> bool:
        """True when the SDK tells start and end of this call by its id; native tools are told without one."""
        return self.kind in (FUNCTION, "custom_tool_call")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The output of a call, as the model is about to see it."""

    call_id: str
    result: Json
    status: CallStatus
    exit_code: int | None = None


def asked(items: Iterable[object]) -> list[Asked]:
    """The calls of one model response that run on this side."""
    return [_asked(item, kind) for item in items if (kind := word(item, "type")) in LOCAL]


def hosted(items: Iterable[object]) -> list[ToolCall]:
    """The calls of one model response that the provider already ran; the items hold call and result at once."""
    return [_hosted(item, kind) for item in items if (kind := word(item, "type")) in HOSTED]


def programs(items: Iterable[object]) -> dict[str, str]:
    """The programs the model wrote to call tools by: call id -> code. The calls they make are items of their own."""
    return {word(item, "call_id"): word(item, "code") for item in items if word(item, "type") == "program"}


def program_outputs(items: Iterable[object], programs: Mapping[str, str]) -> list[ToolCall]:
    """What programs came to. The model sees this, and of the results of their calls only what is in it."""
    return [
        ToolCall(
            tool=PROGRAM,
            args={"code": programs.get(word(item, "call_id"), "")},
            result=word(item, "result"),
            status=CallStatus.OK if word(item, "status") == "completed" else CallStatus.ERROR,
            call_id=word(item, "call_id"),
            origin=BUILTIN,
        )
        for item in items
        if word(item, "type") == "program_output"
    ]


def answered(items: Iterable[object]) -> list[Answered]:
    """The tool outputs among the items the model is about to see."""
    return [_answered(item, kind) for item in items if (kind := word(item, "type")) in OUTPUTS]


def texts(items: Iterable[object]) -> tuple[str, ...]:
    """All texts of one model response, one per message, in order; refusals are not texts."""
    found = (_message_text(item) for item in items if field(item, "type") == "message")
    return tuple(text for text in found if text)


def speaks(items: Iterable[object]) -> bool:
    """True when a model response holds a message, be it empty or a refusal."""
    return any(field(item, "type") == "message" for item in items)


def claim_of(output: object) -> str | None:
    """The claim type a typed answer states in its field `claim_type`; an application's own words there are none."""
    told = word(output, "claim_type")
    return told if told in {claim.value for claim in Claim} else None


def user_text(given: object) -> str:
    """The newest words of the human in a run's input: its last unbroken run of user messages."""
    if isinstance(given, str):
        return given
    words: list[str] = []
    for item in reversed(_list(given)):
        if field(item, "role") == "user":
            words.append(_message_text(item))
        elif words:
            break
    return "\n".join(text for text in reversed(words) if text)


def arguments(raw: object) -> JsonObject:
    """Arguments as an object; text that is no JSON object is kept whole under `input`."""
    if isinstance(raw, str):
        try:
            parsed = json.loads(raw) if raw.strip() else {}
        except ValueError:
            parsed = raw
        return parsed if isinstance(parsed, dict) else {"input": raw}
    value = json_of(raw)
    if isinstance(value, Mapping):
        return value
    return {} if value is None else {"input": value}


def json_of(value: object) -> Json:
    """A value of the framework as JSON; what JSON has no word for becomes its text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): json_of(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_of(item) for item in value]
    return _of_object(value)


def _of_object(value: object) -> Json:
    dump = getattr(value, "model_dump", None)
    try:
        if callable(dump):
            return json_of(dump(mode="json", exclude_none=True))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {f.name: json_of(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return str(value)
    except Exception:  # noqa: BLE001 - a value that cannot even be printed is still a value
        return f"<{type(value).__name__}>"


def field(item: object, name: str) -> object:
    """A field of a mapping or an object, None when it is not there."""
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def word(item: object, name: str) -> str:
    """A text field, "" when it is missing or not a text."""
    value = field(item, name)
    return value if isinstance(value, str) else ""


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else ()


def _asked(item: object, kind: str) -> Asked:
    tool = LOCAL[kind] or ".".join(part for part in (word(item, "namespace"), word(item, "name")) if part)
    raw = field(
        item, {FUNCTION: "arguments", "custom_tool_call": "input", "apply_patch_call": "operation"}.get(kind, "action")
    )
    if kind == "computer_call" and raw is None:
        raw = {"actions": json_of(field(item, "actions"))}
    args = arguments(raw)
    return Asked(
        kind=kind,
        call_id=word(item, "call_id") or word(item, "id"),
        tool=tool,
        args=args,
        cwd=word(args, "working_directory") if kind == "local_shell_call" else "",
    )


_HOSTED_ARGS: Mapping[str, tuple[str, ...]] = {
    "web_search_call": ("action",),
    "file_search_call": ("queries",),
    "code_interpreter_call": ("code", "container_id"),
    "image_generation_call": (),
    "mcp_call": ("arguments",),
}
_HOSTED_RESULT = {"mcp_call": "output", "file_search_call": "results", "code_interpreter_call": "outputs"}


def _hosted(item: object, kind: str) -> ToolCall:
    names = _HOSTED_ARGS[kind]
    if len(names) == 1 and names[0] != "queries":
        args = arguments(field(item, names[0]))
    else:
        args = {name: json_of(value) for name in names if (value := field(item, name)) is not None}
    error = json_of(field(item, "error"))
    result = json_of(field(item, _HOSTED_RESULT.get(kind, ""))) if error is None else {"error": error}
    failed = error is not None or field(item, "status") not in (None, "completed")
    server = word(item, "server_label")
    return ToolCall(
        tool=HOSTED[kind] or word(item, "name"),
        args=args,
        result=result,
        status=CallStatus.ERROR if failed else CallStatus.OK,
        call_id=word(item, "id"),
        origin=f"mcp:{server}" if kind == "mcp_call" else BUILTIN,
    )


def _answered(item: object, kind: str) -> Answered:
    output = field(item, "output")
    call_id = word(item, "call_id")
    if kind == "shell_call_output":
        return _shell(item, call_id, _list(output))
    failed = kind == "apply_patch_call_output" and field(item, "status") != "completed"
    return Answered(
        call_id=call_id,
        result=_readable(output, kind),
        status=CallStatus.ERROR if failed else CallStatus.OK,
    )


def _readable(output: object, kind: str) -> Json:
    """The output without pictures: a screenshot shows that there was one."""
    return "<screenshot>" if kind == "computer_call_output" else json_of(output)


def _shell(item: object, call_id: str, chunks: Sequence[object]) -> Answered:
    """A shell output holds one chunk per command."""
    outcomes = [field(chunk, "outcome") for chunk in chunks]
    codes = [code for outcome in outcomes if isinstance(code := field(outcome, "exit_code"), int)]
    bad = _believed(codes)
    failed = bool(bad) or field(item, "status") == "failed" or any(word(o, "type") == "timeout" for o in outcomes)
    shown = "\n".join(filter(None, (word(chunk, name) for chunk in chunks for name in ("stdout", "stderr"))))
    return Answered(
        call_id=call_id,
        result=shown,
        status=CallStatus.ERROR if failed else CallStatus.OK,
        exit_code=bad,
    )


def _believed(codes: Iterable[int]) -> int | None:
    """The first code that is not 0. Code 0 is not passed on: the SDK writes 0 for an executor that gave only a text,
    and nothing tells the two apart."""
    return next((code for code in codes if code != 0), None)


def _message_text(item: object) -> str:
    content = field(item, "content")
    if isinstance(content, str):
        return content
    return "".join(word(part, "text") for part in _list(content))
