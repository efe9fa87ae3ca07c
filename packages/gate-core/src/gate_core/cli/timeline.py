"""A conversation as a timeline: what calls did, which debts and signals came and went, what each answer rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from gate_core.checks.values import report_of
from gate_core.gate import Gate
from gate_core.ledger import Debt, Ledger
from gate_core.ledger.signals import Raised
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, text_of
from gate_core.model.verdict import Verdict
from gate_core.reading import read
from gate_core.transcripts import Read, play
from gate_core.transcripts.play import attempt_of
from gate_core.transcripts.replay import Assumed
from gate_core.values.report import Judged

_LONGEST = 300  # characters of a text that are shown


def timeline(
    item: Read, config: GateConfig | None = None, *, assume: bool = True, longest: int = _LONGEST
) -> dict[str, Json]:
    """The timeline as JSON: the turns, each with `entries` for its events.

    An entry has `at` (JSON pointer), `event`, `lines` (what is new, in words), `call` and the beginning of its
    `result`, and where something was decided `decision`, `codes`, `answer` and the `values` of the answer (spec 30).
    """
    watch = _Watch(longest)
    played = play(item.transcript, config, prober=Assumed() if assume else None, watch=watch)
    raw = cast("Mapping[str, Any]", item.transcript)
    turns: list[Json] = []
    for number, turn in enumerate(raw["turns"]):
        entries: list[Json] = [entry for entry in watch.entries if str(entry["at"]).startswith(f"/turns/{number}/")]
        turns.append({"turn": number + 1, "prompt": turn["prompt"], "entries": entries})
    return {"id": played.id, "title": raw.get("title", ""), "file": item.file, "turns": turns}


def shown(told: Mapping[str, Any]) -> Iterator[str]:
    """A timeline as lines of text."""
    yield f"{told['id']}: {told['title']}".rstrip(": ")
    for turn in told["turns"]:
        yield f"\nturn {turn['turn']}  user: {_short(turn['prompt'])}"
        for entry in turn["entries"]:
            first, *rest = [*([_short(entry["answer"])] if entry["answer"] else []), *entry["lines"]] or [""]
            yield f"  {entry['event']:10} {first}"
            yield from (f"  {'':10}   {line}" for line in rest)


class _Watch:
    """Looks at the gate after every event and says what is new."""

    def __init__(self, longest: int) -> None:
        self.entries: list[dict[str, Json]] = []
        self._longest = longest
        self._facts: set[str] = set()
        self._debts: dict[tuple[str, str], Debt] = {}
        self._signals: dict[str, Raised] = {}

    def __call__(self, pointer: str, event: Mapping[str, Any], gate: Gate, verdict: Verdict | None) -> None:
        ledger = Ledger(gate.state, gate.config, gate)
        lines = [*self._new_facts(ledger.facts), *self._new_debts(ledger.debts), *self._new_signals(ledger.signals)]
        values = _values(event, ledger)
        if verdict is not None:
            lines = [*lines, *map(_value_line, values), *_verdict(verdict)]
        told: list[Json] = list(lines)
        self.entries.append(
            {
                "at": pointer,
                "event": event["type"],
                "lines": told,
                "call": event.get("id", ""),
                "result": text_of(event.get("result"))[: self._longest],
                "decision": verdict.decision.value if verdict is not None else "",
                "codes": list(verdict.codes) if verdict is not None else [],
                "answer": _answer(event)[: self._longest],
                "values": [value.to_dict() for value in values],
            }
        )

    def _new_facts(self, facts: Iterable[Fact]) -> Iterator[str]:
        for fact in facts:
            if fact.key not in self._facts:
                self._facts.add(fact.key)
                yield fact_line(fact)

    def _new_debts(self, debts: Iterable[Debt]) -> Iterator[str]:
        now = {(debt.domain, debt.target): debt for debt in debts}
        for place, debt in now.items():
            before = self._debts.get(place)
            if before is None or before.change.key != debt.change.key:
                yield f"owes: {debt.target}"
            if debt.by is not None and (before is None or before.by is None or before.change.key != debt.change.key):
                yield f"settled: {debt.target}, by {debt.by.value}"
            if debt.hidden and not (before is not None and before.hidden):
                yield f"looked at {debt.target}, and the new text was not to be seen"
            if debt.contradicted and not (before is not None and before.contradicted):
                yield f"not there: {debt.target}"
        self._debts = now

    def _new_signals(self, signals: Mapping[str, Raised]) -> Iterator[str]:
        for name, raised in signals.items():
            before = self._signals.get(name)
            if before is None or before.fact.key != raised.fact.key:
                count = f" ({raised.event.count})" if raised.event.count else ""
                yield f"signal {name}: {raised.event.state.value}{count}"
            if not raised.current and (before is None or before.current):
                yield f"signal {name}: dropped by a later change"
        self._signals = dict(signals)


def fact_line(fact: Fact) -> str:
    """A fact in one line: turn and step, call, tool, outcome and what it did."""
    did = ", ".join(
        f"{e.did} {e.target}" + (f" {e.lines[0]}-{e.lines[1]}" if e.lines else "") + f" [{e.domain}]"
        for e in fact.effects
    )
    who = f" by {fact.agent}" if fact.agent else ""
    note = f" ({fact.note})" if fact.note else ""
    return f"{fact.turn}.{fact.step} {fact.call or '-'} {fact.tool}{who}: {fact.outcome}{note}; {did or 'no effect'}"


def _answer(event: Mapping[str, Any]) -> str:
    if event["type"] != "finish":
        return ""
    attempt = attempt_of(event)
    return "\n".join(attempt.parts) if attempt.parts else text_of(attempt.output)


def _values(event: Mapping[str, Any], ledger: Ledger) -> tuple[Judged, ...]:
    """Each examined value of an answer and where it comes from."""
    if event["type"] != "finish":
        return ()
    report = report_of(read(attempt_of(event), ledger), ledger, ledger.config)
    return report.values if report is not None else ()


def _value_line(value: Judged) -> str:
    places = [f"{carrier.call or '-'} {carrier.pointer}".strip() for carrier in value.carriers[:3]]
    source = f" in {', '.join(places)}" if places else f" {value.formula}" if value.formula else ""
    wrong = f"  {value.code.value}" if value.code else ""
    return f"value {value.text}: {value.provenance.value}{source}{wrong}"


def _verdict(verdict: Verdict) -> Iterator[str]:
    outcome = verdict.exit or "revising"
    yield f"{verdict.decision} {verdict.action} ({outcome}); claim {verdict.claim} by step {verdict.decided_by}"
    for f in verdict.findings:
        yield f"{f.severity} {f.code} {f.subject}: {f.says}"
    if verdict.unchecked:
        yield f"not checked by this version: {', '.join(verdict.unchecked)}"
    if verdict.evidence_line:
        yield verdict.evidence_line


def _short(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
