"""Where the texts of earlier calls are found again: in the history the model is shown (spec 05, "Lazy observation")."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core import Json, JsonObject
from gate_openai_agents import _translate


class History:
    """A `TextSource` over the items of the last model call. The reference of a call is its call id.

    The gate asks it only for what this process no longer holds: after a restart, or beyond its own memory. It checks
    by digest that the texts are those it observed.
    """

    def __init__(self) -> None:
        self._items: Sequence[object] = ()
        self._index: dict[str, tuple[JsonObject, Json]] | None = None

    def show(self, items: Sequence[object]) -> None:
        """These items are what the model sees now; they are read when somebody asks."""
        self._items = items
        self._index = None

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result of the call with this id, or None when the history does not hold both."""
        if self._index is None:
            outputs = {output.call_id: output.result for output in _translate.answered(self._items)}
            asked = _translate.asked(self._items)
            self._index = {a.call_id: (a.args, outputs[a.call_id]) for a in asked if a.call_id in outputs}
        return self._index.get(ref)
