"""What is said to the model only: refused drafts and feedback, each at its place in the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from agents import ItemHelpers, TResponseInputItem
from agents.exceptions import RunErrorDetails

from gate_openai_agents import _translate

Items = list[TResponseInputItem]

_MESSAGES = ("message_output_item", "reasoning_item")


class Aside:
    """Drafts and feedback of one run. Neither sessions nor `to_input_list()` get to see them."""

    def __init__(self) -> None:
        self._said: list[tuple[Items, Items]] = []

    def keep(self, data: RunErrorDetails, feedback: str) -> Items:
        """Take the refused draft out of the run's history and remember it; returns the history without it.

        Reasoning goes with the message it led to: providers refuse one without the other.
        """
        items = [item for item in data.new_items if item.type != "tool_approval_item"]
        draft: list[str] = []
        while items and items[-1].type in _MESSAGES:
            draft[:0] = _translate.texts([items.pop().raw_item])
        history = [*ItemHelpers.input_to_new_input_list(data.input), *(item.to_input_item() for item in items)]
        self.say(history, draft, feedback)
        return list(history)

    def say(self, history: Items, draft: Sequence[str], feedback: str) -> None:
        """Remember what is to be said after this history."""
        said: list[Mapping[str, str]] = [{"role": "assistant", "content": text} for text in draft]
        said.append({"role": "user", "content": feedback})
        self._said.append((list(history), cast("Items", said)))

    def joined(self, items: Items) -> Items:
        """The items with everything in its place."""
        for history, said in reversed(self._said):
            items = _insert(items, history, said)
        return items


def _insert(items: Items, history: Sequence[TResponseInputItem], said: Items) -> Items:
    """`said` after the history it belongs to; at the end when a hand-off has rewritten that history."""
    known = [_identity(item) for item in history]
    at = len(history) if [_identity(item) for item in items[: len(history)]] == known else len(items)
    return [*items[:at], *said, *items[at:]]


def _identity(item: object) -> tuple[str, ...]:
    """What stays of an item however the SDK normalises it."""
    return tuple(_translate.word(item, name) for name in ("type", "role", "call_id"))
