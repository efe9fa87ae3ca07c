"""What one writes who does not know the SDK's traps: it stands in for our handling where a test takes that away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from agents import ItemHelpers, get_current_span

from gate_core import Attempt
from gate_openai_agents import _translate
from gate_openai_agents._ledger import RunLedger
from gate_openai_agents._turn import Turn

_texts = _translate.texts


def nothing(*args: object, **named: object) -> None:
    """A function that notes nothing, or finds nothing."""


async def nothing_awaited(*args: object, **named: object) -> None:
    """The same as a coroutine function."""


def always(value: object) -> Callable[..., Any]:
    """A function that gives this, whatever it is asked."""
    return lambda *args, **named: value


def the_tool_itself(instruments: object, tool: object) -> object:
    """T4, T5: a tool as the user made it."""
    return tool


def as_they_come(held: object, event: object) -> Iterator[object]:
    """T2: every event at once."""
    yield event


def the_last_message(ledger: RunLedger, output: object) -> Attempt:
    """T3: what the SDK calls the final output, and nothing else."""
    return Attempt(parts=(str(output),))


def the_exit_code(codes: Iterable[int]) -> int | None:
    """T5: the exit code that the SDK gives."""
    return next(iter(codes), None)


def raised(ledger: object, error: Exception) -> object:
    """T6: the exception itself where a tripwire should be."""
    raise error


def the_models_words(ledger: RunLedger, output: object) -> Attempt:
    """T7: what the model said last, whatever the run ends with."""
    return Attempt(parts=vars(ledger)["_texts"])


def contains_error(context: object, tool: object, result: object) -> bool:
    """T10: a failure is what speaks of one."""
    return "error" in str(result)


async def on_handoff(hooks: object, context: object, agent: object, target: object) -> None:
    """T12: a hook whose parameters have names of its own."""


def ask_a_clone(turn: Turn[Any], data: Any, feedback: str) -> None:
    """T13: going on with a copy of the agent, lest its input guardrails run again."""
    said = (item.to_input_item() for item in data.new_items if item.type != "tool_approval_item")
    history = [*ItemHelpers.input_to_new_input_list(data.input), *said]
    turn.agent = data.last_agent.clone(input_guardrails=[])
    turn.input = [*history, {"role": "user", "content": feedback}]
    turn.options["context"] = data.context_wrapper


def go_on_from_a_state(turn: Turn[Any], data: Any, feedback: str) -> None:
    """T13: a `RunState` where the provider keeps the history."""
    turn._go_on(data, feedback)


def say_it_as_the_user(turn: Turn[Any], data: Any, feedback: str) -> None:
    """T17: the feedback as the next thing that the user says."""
    turn.input = [{"role": "user", "content": feedback}]


def named_after_the_tool(tool: Any) -> str:
    """T18: the item type of a tool's calls, made of the name that hooks are given."""
    return f"{tool.name}_call"


def marked_in_the_trace(context: object, tool: object, result: object) -> bool:
    """T19: a failure is what the trace calls one."""
    span = get_current_span()
    return span is not None and span.error is not None


def empty_where_none_is(items: Sequence[object]) -> tuple[str, ...]:
    """T23: a response without a message, read as an empty answer."""
    return _texts(items) or ("",)
