"""`Gate`: one conversation. It keeps the state, takes the probes, counts the tries and asks the verifier; every
decision is `boundary_check`'s."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from gate_core.checks.finding import finding
from gate_core.checks.requires import check_names
from gate_core.decide import decide, judge, try_of
from gate_core.footprint.observe import recorded
from gate_core.hearing import heard, passed, supplied
from gate_core.ledger import Ledger
from gate_core.ledger.budget import REASONING
from gate_core.ledger.debts import EXISTS_PROBE
from gate_core.ledger.keeping import MOST
from gate_core.memory import Memory
from gate_core.model.call import Attempt, TextSource, ToolCall
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact, fact_of_signal
from gate_core.model.json import Json, JsonObject, digest
from gate_core.model.kinds import GATE_AGENT, LEGAL_NEXT, Action, Claim, Did, Layer, Outcome, ProbeKind, Strength
from gate_core.model.reading import Reading
from gate_core.model.state import GateState, Said
from gate_core.model.verdict import Probe, ProbeResult, Verdict
from gate_core.progress import progress
from gate_core.reading import is_marked
from gate_core.running import begun_by, runs_on, without_effect
from gate_core.seated import Seated
from gate_core.spans import BOUNDARY, OBSERVE, begun
from gate_core.verifier import Dialogue, Verifier, answered, question_of

if TYPE_CHECKING:
    from logging import Logger

    from gate_core.audit import AuditWriter

_LOST = LookupError("something of this turn was not recorded")


class Prober(Protocol):
    """An edge that takes probes (spec 05). `gate_core.probes.FileProber` is the one for local files."""

    def take(self, probes: tuple[Probe, ...]) -> tuple[ProbeResult, ...]:
        """One result per probe, in order; never raises."""
        ...


class Gate(Seated):
    """The gate of one conversation (spec 00, "Public shape of the core").

    `texts` finds texts again that this process no longer holds. `wired` says whether an observer is attached; an
    adapter starts with False and sets it when its observer first ran, and `unwired` names what is missing.
    Neither `observe` nor `boundary_check` raises: a failure inside the gate becomes `gate-error`. Only an audit record
    that cannot be written raises, before its verdict is used (spec 40, "Audit log"); `audit` is where records go, in
    place of the file that the configuration names.

    Raises:
        ConfigError: a required signal is nearly one that a rule raises (spec 20, "Signals").
    """

    def __init__(  # noqa: PLR0913 - each is one thing a host may bring
        self,
        config: GateConfig | None = None,
        *,
        state: GateState | None = None,
        texts: TextSource | None = None,
        prober: Prober | None = None,
        verifier: Verifier | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
        wired: bool = True,
        unwired: str = "attach the observer",
        audit: AuditWriter | None = None,
    ) -> None:
        self.config = config or GateConfig()
        check_names(self.config)
        self._audit = audit
        self.state = state or GateState()
        self.wired = wired or bool(self.state.facts)
        self._unwired = unwired
        self._memory = Memory(self.config, texts)
        self._prober = prober if prober is not None else _default_prober(self.config)
        self._verifier = verifier
        self._on_verdict = on_verdict
        self._verdicts: list[Verdict] = []
        self._counted, self._last_step = (-1, -1), -1

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts this process gave, in order."""
        return tuple(self._verdicts)

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict this process gave."""
        return self._verdicts[-1] if self._verdicts else None

    @property
    def exited_unverified(self) -> bool:
        """True when the last answer of the conversation went out without support."""
        return self.state.exited_unverified

    def begin_turn(self, text: str) -> bool:
        """A message of the top-level user starts a turn; our own feedback coming back starts none.

        Returns:
            False when the text is the gate's own feedback.
        """
        if self.is_feedback(text):
            return False
        if not self.state.config:
            self.state.config = self.config.digest
        self.state.turn += 1
        results = self._at_risk()
        self._memory.turn(self.state)
        gone = [result for key, result in results.items() if key not in self.state.facts]
        self._hear(passed(gone, self.state))
        self.state.exited_unverified = self.state.lost = self.state.tampered = False
        self._hear(heard(text, self.state, self.config))
        if self._seated:
            self._seats.heard(self.state, text)
        return True

    def supply(self, text: str, *, role: str = "system") -> None:
        """What the host itself states: the system prompt, figures of the application. Its values need no other source
        (spec 30, "supplied"); it starts no turn. The same text again changes nothing."""
        self._hear(supplied(text, role, self.state, self.config))

    def _hear(self, said: Said | None) -> None:
        if said is not None:
            self.state.said = (*self.state.said, said)

    def _at_risk(self) -> dict[str, Json]:
        """The results of facts that the next turn may let go of, while they are at hand."""
        facts = self.state.facts
        if len(facts) <= MOST or self.config.layers[Layer.VALUES] is Strength.OFF:
            return {}
        held = ((key, self._memory.recall(fact)) for key, fact in facts.items() if fact.executed)
        return {key: texts[1] for key, texts in held if texts is not None}

    def is_feedback(self, text: str) -> bool:
        """True for a message this gate sent to the model, however the framework wrapped it in blank space."""
        told = digest(text.strip())
        return any(t.feedback == told for t in self.state.tries)

    def observe(self, call: ToolCall) -> Fact:
        """Record a completed call and return what was made of it. Fills turn, step and reference where absent.

        Raises:
            TypeError: `call` is no ToolCall; whatever is in one raises nothing.
        """
        _must_be(ToolCall, call)
        end = begun(OBSERVE)
        self.wired = True
        step = call.step if isinstance(call.step, int) else self._next_step()
        config = self.config
        began = begun_by(call, config, self.state.facts.values(), self._memory.call)
        if began is not None:
            if not runs_on(call, config):
                self._recorded(began, config, step)
            config = without_effect(call, config)
        fact = self._recorded(call, config, step)
        end(fact)
        return fact

    def _recorded(self, call: ToolCall, config: GateConfig, step: int) -> Fact:
        fact, size = recorded(call, config, turn=self.state.turn, step=step)
        if size is not None:
            self._memory.keep(fact, call.args, call.result, size)
        self._add(fact)
        return fact

    def _next_step(self) -> int:
        """One after the last step of this turn. Counted again only when facts came from elsewhere."""
        mark = (self.state.turn, len(self.state.facts))
        if mark != self._counted:
            here = (f.step for f in self.state.facts.values() if f.turn == self.state.turn)
            self._counted, self._last_step = mark, max(here, default=-1)
        return 1 + self._last_step

    def _add(self, fact: Fact) -> None:
        self._next_step()
        self.state.add(fact)
        self._counted = (self.state.turn, len(self.state.facts))
        self._last_step = max(self._last_step, fact.step)

    def reasoning_step(self) -> tuple[str, ...]:
        """A model step that brought neither a call nor an attempt.

        Returns:
            The legal moves when the gate is halted and refuses the step, which costs all the same; else ().
        """
        halted = self._memory.view(self.state).budget.halted
        self._record(REASONING, Outcome.OK, (), step=self._next_step())
        return LEGAL_NEXT if halted else ()

    def boundary_check(self, attempt: Attempt) -> Verdict:
        """The verdict on an attempt to finish, with its action; free looks are taken first where an edge can.

        Raises:
            TypeError: `attempt` is no Attempt; whatever is in one raises nothing.
        """
        _must_be(Attempt, attempt)
        return answered(self._boundary(attempt), self._verifier)

    def aboundary_check(self, attempt: Attempt) -> Coroutine[object, None, Verdict]:
        """`boundary_check` to be awaited: a slow verifier does not hold up the event loop (spec 10, "Verifier tier").

        An asynchronous verifier is awaited, any other runs in a thread; without a verifier nothing is waited for.
        """
        _must_be(Attempt, attempt)
        from gate_core.judges.asking import answered_async  # the edge that waits is loaded only where it is used

        return answered_async(self._boundary(attempt), self._verifier)

    def _boundary(self, attempt: Attempt) -> Dialogue:
        end, verdict = begun(BOUNDARY), None
        try:
            verdict = yield from self._decided(attempt)
        finally:
            end(verdict)
        return verdict

    def _decided(self, attempt: Attempt) -> Dialogue:
        try:
            verdict = self._failed(attempt, _LOST) if self.state.lost else (yield from self._checked(attempt))
        except Exception as error:  # noqa: BLE001 - our bug must neither crash the run nor let an answer through
            verdict = self._failed(attempt, error)
        if self._seated:
            verdict = self._seats.answered(self._memory.view(self.state), attempt, verdict)
        self._close(verdict)
        return verdict

    def _checked(self, attempt: Attempt) -> Dialogue:
        if not self.wired:
            _log().warning("gate-unwired: %s", self._unwired)
            unwired = finding(Code.GATE_UNWIRED, self._unwired, where=self._unwired)
            return decide([unwired], self._unread(attempt), self._memory.ledger(self.state), final=True)
        verdict = self._judged(attempt)
        if verdict.needs and self._prober is not None:
            step = self._next_step()  # one for all: looks of one boundary are unordered
            for result in self._prober.take(verdict.needs):
                self.record_probe(result, step=step)
            verdict = self._judged(attempt)
        verdict = yield from self._second_opinion(attempt, verdict)
        return self._downgraded(verdict, Code.GATE_TAMPERED, final=True) if self.state.tampered else verdict

    def _judged(self, attempt: Attempt) -> Verdict:
        ledger = self._memory.ledger(self.state)
        verdict = judge(ledger, attempt)
        self._memory.asked(ledger)
        return verdict

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """The gate is a `TextSource` itself: what this process holds, else what the host finds."""
        return self._memory.call(ref)

    def _second_opinion(self, attempt: Attempt, verdict: Verdict) -> Dialogue:
        if self._verifier is None:
            return verdict
        question = question_of(attempt, verdict, self._memory.ledger(self.state))
        confidence = None if question is None else (yield question)
        if confidence is None or confidence >= self.config.verify_threshold:
            return replace(verdict, confidence=confidence)
        return replace(self._downgraded(verdict, Code.VERIFIER_DOWNGRADE), confidence=confidence)

    def _downgraded(self, verdict: Verdict, code: Code, *, final: bool = False) -> Verdict:
        """The verdict with one more thing that speaks against the answer."""
        reading = Reading(claim=verdict.claim, decided_by=verdict.decided_by)
        found = decide([*verdict.findings, finding(code)], reading, self._memory.ledger(self.state), final=final)
        return replace(found, confidence=verdict.confidence, provenance=verdict.provenance)

    def lose(self) -> None:
        """Something of this turn could not be recorded, so nothing it says can be checked: its answers end as
        `gate-error`, for an adapter whose observer failed (spec 50)."""
        self.state.lost = True

    def tamper(self) -> None:
        """The gate's own files (state, spool, audit log, settings, plugin) were touched in this turn, for who saw it:
        what is answered in it can only go out unverified, as `gate-tampered` (spec 70)."""
        self.state.tampered = True

    def _failed(self, attempt: Attempt, error: Exception) -> Verdict:
        """One rejection, then a marked release (spec 50). What failed is not asked again: no texts are read."""
        ledger = Ledger(self.state, self.config)
        again = any(code == Code.GATE_ERROR for t in ledger.tries for code, _ in t.pairs)
        return decide(
            [finding(Code.GATE_ERROR, where=type(error).__name__)], self._unread(attempt), ledger, final=again
        )

    def _unread(self, attempt: Attempt) -> Reading:
        """The reading of an answer that could not be read: as typed, else a completion, the strictest claim.

        An honest "could not confirm" is let out even then (spec 00, invariant 1).
        """
        try:
            honest = is_marked(attempt, self.config.marker)
        except Exception:  # noqa: BLE001 - texts of the wrong type; whatever they are, they do not say the marker
            honest = False
        return Reading(claim=Claim.UNVERIFIED if honest else attempt.typed or Claim.COMPLETION)

    def _close(self, verdict: Verdict) -> None:
        """Count the verdict, and tell the host. An accept after rejections is counted too: it ends the halt."""
        self._verdicts.append(verdict)
        ledger = self._memory.view(self.state)
        if verdict.exit is not None:
            self.state.exits[verdict.exit] = self.state.exits.get(verdict.exit, 0) + 1
        if verdict.action is not Action.DELIVER or ledger.tries:
            told = digest(verdict.feedback) if verdict.feedback else ""
            self.state.tries = (*self.state.tries, try_of(verdict, ledger, told))
        self.state.exited_unverified = verdict.unverified
        if self._on_verdict is not None:
            try:
                self._on_verdict(verdict)
            except Exception:  # noqa: BLE001 - the host's own affair; it must neither end the run nor let a draft out
                _log().exception("on_verdict failed")

    def record_probe(self, result: ProbeResult, *, step: int | None = None) -> None:
        """Record a free look, in a step of its own without `step`; one that saw nothing leaves no trace."""
        if result.held is None:
            return
        shows = Did.ABSENT if result.probe.kind is ProbeKind.ABSENT else Did.SHOWED
        effect = Effect(did=shows, target=result.probe.path)
        outcome = Outcome.OK if result.held else Outcome.NOT_FOUND
        tool = EXISTS_PROBE if result.probe.kind is ProbeKind.EXISTS else "probe"
        self._record(
            tool, outcome, (effect,), step=self._next_step() if step is None else step, about=result.probe.about
        )

    def raise_signal(self, name: str, *, failed: bool = False) -> None:
        """A named event happened that no call of the agent shows (CI passed, a reviewer approved); only host code may
        say so (spec 40, "Evidence"). Later changes drop it as they drop any other.

        Raises:
            GateUsageError: no name.
        """
        self._add(fact_of_signal(name, failed=failed, turn=self.state.turn, step=self._next_step()))

    def _record(self, tool: str, outcome: Outcome, effects: tuple[Effect, ...], *, step: int, about: str = "") -> None:
        targets = [effect.target for effect in effects]
        key = digest(GATE_AGENT, tool, str(self.state.turn), str(step), outcome.value, about, *targets)
        fact = Fact(
            key=key,
            turn=self.state.turn,
            step=step,
            call="",
            agent=GATE_AGENT,
            tool=tool,
            profile=GATE_AGENT,
            outcome=outcome,
            effects=effects,
        )
        self._add(fact)

    def progress(self) -> dict[str, Json]:
        """Counters of the conversation for hosts and users (spec 00); pure, never raises."""
        return progress(self._memory.view(self.state))

    def to_json(self) -> dict[str, Json]:
        """The state as JSON, for whatever the host persists."""
        return self.state.to_json()

    @classmethod
    def from_json(
        cls, data: Mapping[str, Json], config: GateConfig | None = None, *, texts: TextSource | None = None
    ) -> Gate:
        """A gate that goes on from a persisted state.

        Raises:
            StateError: the data is not a state of this format.
        """
        return cls(config, state=GateState.from_json(data), texts=texts)


def _must_be(kind: type, given: object) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(given).__name__}")


def _log() -> Logger:
    import logging  # only something out of the ordinary needs it

    return logging.getLogger("gate_core")


def _default_prober(config: GateConfig) -> Prober | None:
    if not config.probe_roots:
        return None
    from gate_core.probes import FileProber  # the edge is loaded only when a host named roots

    return FileProber(config.probe_roots)
