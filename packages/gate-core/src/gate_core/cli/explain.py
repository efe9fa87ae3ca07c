"""`gate explain FILE [--id ID]`: a conversation as a timeline (spec 70); and one case of `gate check` in full.

Exit 0 when something was explained, 2 when a file cannot be read or no conversation was chosen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from gate_core.cli.configs import load_config
from gate_core.cli.inputs import add_inputs, told_in
from gate_core.cli.timeline import fact_line, shown, timeline
from gate_core.ledger import Ledger
from gate_core.model.errors import ConfigError
from gate_core.transcripts import Judged, Played, Problem, Read, Skipped


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    try:
        config = load_config(options.config) if options.config else None
    except ConfigError as error:
        print(f"gate explain: {error}", file=sys.stderr)
        return 2
    number, wrong = 0, False
    for item in _chosen(options):
        if not isinstance(item, Read):
            wrong = True
            said = item.error if isinstance(item, Problem) else f"{item.file}:{item.line}: {item.why}"
            print(f"gate explain: {said}", file=sys.stderr)
            continue
        told = timeline(item, config, assume=options.probes == "assume")
        if options.json:
            print(json.dumps(told, ensure_ascii=False))
        else:
            print("\n".join(["", *shown(told)] if number else shown(told)))
        number += 1
    if not number:
        print("gate explain: no such conversation", file=sys.stderr)
    return 0 if number and not wrong else 2


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate explain",
        description="Conversations as timelines: calls, effects, debts opened and settled, signals raised and dropped, "
        "every value of the answers with its source, findings.",
        epilog="exit status: 0 explained · 2 something cannot be read, or there is no such conversation",
    )
    add_inputs(parser)
    parser.add_argument("--id", action="append", default=[], help="only this conversation (repeatable)")
    parser.add_argument("--probes", choices=["assume", "none"], default="assume", help="as for gate replay")
    parser.add_argument("--json", action="store_true", help="one JSON object per conversation")
    return parser.parse_args(argv)


def _chosen(options: argparse.Namespace) -> Iterator[Read | Skipped | Problem]:
    for item in told_in(options):
        if not isinstance(item, Read) or not options.id or item.transcript["id"] in options.id:
            yield item


def explanation(item: Read, played: Played) -> str:
    """The ledger, the debts, and each verdict of a played case."""
    title = item.transcript.get("title", "")
    ledger = Ledger(played.gate.state, played.gate.config, played.gate)
    lines = [f"{played.id}: {title}", "", "ledger", *(f"  {fact_line(fact)}" for fact in ledger.facts)]
    lines += ["", "debts", *_debts(ledger)]
    for judged in played.judged:
        lines += ["", *_judged(judged)]
    return "\n".join(lines) + "\n"


def _debts(ledger: Ledger) -> Iterator[str]:
    for debt in ledger.debts:
        state = f"settled by {debt.by}" if debt.by else "contradicted" if debt.contradicted else "open"
        yield f"  {debt.target} since {debt.change.turn}.{debt.change.step}: {state}"


def _judged(judged: Judged) -> Iterator[str]:
    verdict = judged.verdict
    if verdict is None:
        yield f"{judged.pointer}: no verdict"
    else:
        outcome = verdict.exit or "revising"
        yield (
            f"{judged.pointer}: {verdict.decision} {verdict.action} ({outcome}); "
            f"claim {verdict.claim}, decided by step {verdict.decided_by}"
        )
        for f in verdict.findings:
            yield f"  {f.severity} {f.code} {f.subject}: {f.says}"
        if verdict.unchecked:
            yield f"  not checked by this version: {', '.join(verdict.unchecked)}"
        if verdict.evidence_line:
            yield f"  {verdict.evidence_line}"
    yield from (f"  UNMET {unmet}" for unmet in judged.unmet)
