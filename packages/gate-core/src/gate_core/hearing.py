"""What is said to the agent, as the state keeps it: digests, names and values, never the words (spec 05, `said`)."""

from __future__ import annotations

from collections.abc import Collection

from gate_core.footprint.targets import name_target
from gate_core.model.config import GateConfig
from gate_core.model.json import Json, digest
from gate_core.model.kinds import Layer, Strength
from gate_core.model.state import GateState, Said
from gate_core.reading import PASTED, asks_of, names_in, names_pasted, told_in
from gate_core.values import PAST, distil, distilled


def heard(text: str, state: GateState, config: GateConfig) -> Said:
    """A message of the top-level user, for the turn that it begins."""
    return Said(
        digest=digest(text),
        role="user",
        turn=state.turn,
        subjects=tuple(dict.fromkeys(name_target(name, config) for name in names_in(text))),
        asks=asks_of(text, before=state.said),
        values=_values(text, "user", config),
        told=_told(text, config),
    )


def _told(text: str, config: GateConfig) -> tuple[str, ...]:
    """The kinds of events a message tells of, and the targets that it shows in what it pasted."""
    pasted = dict.fromkeys(f"{PASTED}{name_target(name, config)}" for name in names_pasted(text))
    return (*(told_in(text) if config.layers[Layer.STATEMENTS] is not Strength.OFF else ()), *pasted)


def supplied(text: str, role: str, state: GateState, config: GateConfig) -> Said | None:
    """What the host itself states; None for what it stated before."""
    told = digest(text)
    if any(said.role == role and said.digest == told for said in state.said):
        return None
    return Said(digest=told, role=role, turn=state.turn, values=_values(text, role, config))


def passed(results: Collection[Json], state: GateState) -> Said | None:
    """The values of results that were let go of; None where there are none (spec 05, "Lazy observation")."""
    if not results:
        return None
    kept = sum(len(value) for said in state.said if said.role == PAST for value in said.values)
    values = distilled(list(results), kept=kept)
    return Said(digest="", role=PAST, turn=state.turn - 1, values=values) if values else None


def _values(text: str, role: str, config: GateConfig) -> tuple[str, ...]:
    return distil(text, role=role) if config.layers[Layer.VALUES] is not Strength.OFF else ()
