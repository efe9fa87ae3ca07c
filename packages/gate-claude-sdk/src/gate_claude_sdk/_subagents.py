"""The boundary of a sub-agent (`gate_subagent_stop=True`): its final text against what that sub-agent did.

Its calls are facts of the session like any others. Its verdicts are its own: they count neither as the session's tries
nor as its exits, and nothing of a sub-agent is withheld, since what it says is testimony to its parent.
"""

from __future__ import annotations

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._payload import as_text
from gate_claude_sdk._session import Session
from gate_core import Action, Gate, GateFactory, Json, JsonObject


async def subagent_output(session: Session, event: JsonObject, factory: GateFactory) -> dict[str, Json]:
    """What the SubagentStop hook answers. Compaction raises the event too, without an agent type: that is nobody."""
    agent = as_text(event.get("agent_id"))
    if not agent or not as_text(event.get("agent_type")):
        return {}
    gate = session.agents.get(agent)
    if gate is None:
        gate = session.agents[agent] = _gate(session, factory)
    gate.state.facts = {key: fact for key, fact in session.gate.state.facts.items() if fact.agent in (agent, "gate")}
    verdict = await gate.aboundary_check(translate.attempt_of(event, ()))
    return translate.stop_output(verdict, factory.config.marker) if verdict.action is Action.REVISE else {}


def _gate(session: Session, factory: GateFactory) -> Gate:
    """A gate in the turn of the session, with no prompt of its own: nobody links a sub-agent's prompt to its id."""
    roots = (session.root,) if session.root else ()
    gate = factory.new(texts=session.gate, probe_roots=roots, wired=True)
    gate.state.turn = session.gate.state.turn
    return gate
