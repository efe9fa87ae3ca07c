"""Which messages make a turn, and which of them are its answer. Pure, and nothing here raises on a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeVar, cast

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    get_notification_metadata,
)

from gate_langgraph._channels import channel

_M = TypeVar("_M", bound=BaseMessage)


def of_kind(messages: Iterable[object], kind: type[_M]) -> list[_M]:
    """The messages of a kind, as `isinstance` has it: each class is asked once, because a thread is gone through with
    every tool call and pydantic's classes answer in Python code."""
    given = list(messages)
    found = frozenset(map(type, given))
    classes = _classes(found, kind)
    fitting = given if classes == found else [message for message in given if type(message) in classes]
    return cast("list[_M]", fitting)


@lru_cache(maxsize=64)
def _classes(found: frozenset[type], kind: type) -> frozenset[type]:
    return frozenset(cls for cls in found if issubclass(cls, kind))


def messages_of(state: object) -> list[BaseMessage]:
    """The messages of a graph state: a mapping or an object with `messages`, or a bare list."""
    return of_kind(held_in(state), BaseMessage)


def held_in(state: object) -> Sequence[object]:
    """What a graph state holds as its messages, whatever it is."""
    found = state if isinstance(state, list) else channel(state, "messages")
    return found if isinstance(found, Sequence) else ()


def is_user(message: BaseMessage) -> bool:
    """True for words of the top-level human: a HumanMessage no middleware wrote.

    The mark is settable by a client, so it only tells turns apart; it never makes anything evidence.
    """
    return isinstance(message, HumanMessage) and get_notification_metadata(message) is None


class Turn(NamedTuple):
    """The messages after the user's last one, all of them when a summary took that away; and which of them are the
    final response: the last model message, with those right before it."""

    messages: list[BaseMessage]
    answer: list[AIMessage]


def turn_of(messages: Sequence[BaseMessage]) -> Turn:
    """The turn that a thread is in."""
    here = [*messages[_place_of_user(messages) + 1 :]]
    return Turn(here, _answer_in(here))


def _answer_in(turn: Sequence[BaseMessage]) -> list[AIMessage]:
    answer: list[AIMessage] = []
    for message in reversed(turn):
        if isinstance(message, AIMessage) and not (answer and message.tool_calls):
            answer.append(message)
        elif answer:
            break
    return answer[::-1]


def latest_user(messages: Sequence[object]) -> HumanMessage | None:
    """The last words of the user."""
    place = _place_of_user(messages)
    return cast("HumanMessage", messages[place]) if place >= 0 else None


def _place_of_user(messages: Sequence[object]) -> int:
    """Where the user spoke last, -1 for nowhere. Asked with every tool call, over all that came since, so most messages
    are passed by on their class alone."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if type(message) not in _NO_USERS and isinstance(message, HumanMessage) and is_user(message):
            return place
    return -1


_NO_USERS = frozenset({AIMessage, ToolMessage})


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What the user said to begin a turn. `tag` is the id of its last message, "" when there is none."""

    tag: str = ""
    text: str = ""


def prompts_since(messages: Sequence[BaseMessage], tag: str) -> list[Prompt]:
    """The turns begun after the message `tag`, oldest first; consecutive user messages are one prompt.

    An unknown tag (summarised away, replaced) leaves one thing certain: the last prompt.
    """
    latest = latest_user(messages)
    if latest is None or (latest.id or "") == tag:
        return []
    prompts = _prompts(messages)
    known = [i for i, prompt in enumerate(prompts) if prompt.tag == tag]
    if known:
        return prompts[known[-1] + 1 :]
    return prompts[-1:] if tag else prompts


def _prompts(messages: Sequence[BaseMessage]) -> list[Prompt]:
    found: list[Prompt] = []
    joins = False
    for message in messages:
        if is_user(message):
            text = "\n".join(text_parts(message.content))
            before = found.pop().text if joins else ""
            found.append(Prompt(tag=message.id or "", text="\n\n".join(part for part in (before, text) if part)))
        joins = is_user(message)
    return found


def system_texts(messages: Sequence[BaseMessage]) -> tuple[str, ...]:
    """The texts of the system messages a thread begins with."""
    first = takewhile(lambda message: isinstance(message, SystemMessage), messages)
    return tuple("\n".join(text_parts(message.content)) for message in first)


def text_parts(content: object) -> tuple[str, ...]:
    """The visible texts of a message's content, in order; reasoning, images and calls are left out."""
    if isinstance(content, str):
        return (content,) if content else ()
    blocks = content if isinstance(content, Sequence) else ()
    return tuple(part for block in blocks if (part := _block_text(block)))


def _block_text(block: object) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, Mapping) and block.get("type") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    return ""
