"""What a `Gate` remembers of its conversation between two questions: the texts it saw, and what was made of the turns
that are over. Nothing of it is part of a verdict: `boundary_check` says the same without it (spec 05)."""

from __future__ import annotations

from gate_core.ledger import Ledger
from gate_core.ledger.folded import Folded
from gate_core.ledger.keeping import MOST, deciding
from gate_core.ledger.sight import Known
from gate_core.model.call import TextSource
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject
from gate_core.model.state import GateState
from gate_core.store import TextStore


class Memory:
    """The texts and the folded turns of one conversation. `texts` finds texts that are no longer held; where it is
    given, it alone answers for turns that are over."""

    def __init__(self, config: GateConfig, texts: TextSource | None = None) -> None:
        self.store = TextStore()
        self._config = config
        self._texts = texts
        self._closed: Ledger | None = None
        self._turn: int | None = None
        self._known: Known = {}
        self._kept = 0
        self._folded: Folded | None = None

    def keep(self, fact: Fact, args: JsonObject, result: Json, size: int) -> None:
        """Remember the texts that a fact was made of; `size` is their length in characters."""
        self.store.keep(fact.ref, args, result, told=fact.digest, size=size)

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """What this process holds, else what the host finds."""
        found = self.store.call(ref)
        if found is None and self._texts is not None:
            found = self._texts.call(ref)
        return found

    def recall(self, fact: Fact) -> tuple[JsonObject, Json] | None:
        """The texts of a fact as this process kept them: made of them, so that nobody has to compare."""
        held = self.store.held(fact.ref)
        return (held.args, held.result) if held is not None and held.told == fact.digest else None

    def ledger(self, state: GateState) -> Ledger:
        """The ledger of a state, folded on from where earlier turns ended."""
        if self._turn != state.turn:
            self._close(state)
        return Ledger(state, self._config, self, recall=self.recall, closed=self._closed, known=self._known)

    def _close(self, state: GateState) -> None:
        """Fold the turns before the one of the state; there is nothing to go on from where they have no facts."""
        facts = state.facts
        if any(fact.turn >= state.turn for fact in facts.values()):
            facts = {key: fact for key, fact in facts.items() if fact.turn < state.turn}
        closed, known = self._closed, self._known
        self._closed, self._known, self._turn = None, {}, None
        if facts:
            old = GateState(turn=state.turn - 1, facts=facts)
            self._closed = Ledger(old, self._config, self, recall=self.recall, closed=closed, known=known).close()
        self._turn = state.turn

    def view(self, state: GateState) -> Ledger:
        """The ledger for what must not fail: a text that cannot be got is gone."""
        return Ledger(state, self._config, _Careful(self), recall=self.recall, closed=self._closed, folded=self._folded)

    def asked(self, ledger: Ledger) -> None:
        """A ledger was judged: what it folded serves the views that follow."""
        self._folded = ledger.folded()

    def turn(self, state: GateState) -> None:
        """A turn begins: let go of facts and texts of the earlier ones that decide nothing any more. Never raises."""
        try:
            self.ledger(state)  # what texts decide is folded while they are at hand
        except Exception:  # noqa: BLE001 - a text source of the host that fails; then nothing is let go of
            return
        if self._texts is not None:
            self.store.retain(())
        number = sum(1 for fact in state.facts.values() if fact.turn < state.turn)
        if self._closed is None or number <= max(MOST, 2 * self._kept):
            return
        kept = deciding(self._closed, lambda facts: self._fold(state, facts))
        if kept is not None:
            state.facts = {key: fact for key, fact in state.facts.items() if fact.turn >= state.turn or key in kept}
            self.store.retain({fact.ref for fact in state.facts.values()})
            self._closed = self._turn = None
        self._kept = number if kept is None else len(kept)

    def _fold(self, state: GateState, facts: dict[str, Fact]) -> Ledger:
        """A ledger of some facts of the turns that are over."""
        return Ledger(GateState(turn=state.turn - 1, facts=facts), self._config, _Careful(self), recall=self.recall)


class _Careful:
    """A text source that raises nothing: what it cannot get is gone."""

    def __init__(self, source: TextSource) -> None:
        self._source = source

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        try:
            return self._source.call(ref)
        except Exception:  # noqa: BLE001 - the host's own code
            return None
