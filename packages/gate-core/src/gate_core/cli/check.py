"""`gate check FILE...`: labelled cases through the core, compared with what they expect (spec 60).

Exit 0 when all hold, 1 when some do not, 2 when a file is invalid; the other files still run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from gate_core.cli.explain import explanation
from gate_core.model.json import Json
from gate_core.transcripts import Played, Problem, Read, play, read_file


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    passed = failed = problems = silent = 0
    for item in _selected(options):
        if isinstance(item, Problem):
            problems += 1
            print(f"invalid: {item.error}", file=sys.stderr)
            continue
        played = play(item.transcript)
        if played.labelled:
            passed, failed = (passed + 1, failed) if played.holds else (passed, failed + 1)
        else:
            silent += 1
        _report(item, played, options)
    if not options.json:
        print(f"{passed} passed, {failed} failed" + (f", {silent} without an expectation" if silent else ""))
    if passed + failed + problems + silent == 0:
        chosen = options.id or options.tag or options.explain
        print(f"gate check: {'no case selected' if chosen else 'no transcript in these files'}", file=sys.stderr)
        return 2
    return 2 if problems else int(failed > 0)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate check",
        description="Run labelled transcripts and compare the verdicts.",
        epilog="exit status: 0 all hold · 1 some do not · 2 a file is invalid, or nothing was run",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="gate-transcript/1 as JSON Lines or a JSON array")
    parser.add_argument("--json", action="store_true", help="one JSON object per case")
    parser.add_argument("--id", action="append", default=[], metavar="ID", help="only this case (repeatable)")
    parser.add_argument("--tag", action="append", default=[], help="only cases with this tag (repeatable)")
    parser.add_argument("--explain", metavar="ID", help="the ledger and every finding of one case")
    return parser.parse_args(argv)


def _selected(options: argparse.Namespace) -> Iterator[Read | Problem]:
    wanted = {*options.id, *([options.explain] if options.explain else [])}
    for name in options.files:
        for item in read_file(name):
            if isinstance(item, Problem) or _matches(item, wanted, set(options.tag)):
                yield item


def _matches(item: Read, ids: set[str], tags: set[str]) -> bool:
    own = item.transcript.get("tags")
    has = set(own) if isinstance(own, list) else set()
    return (not ids or item.transcript["id"] in ids) and (not tags or bool(tags & has))


def _report(item: Read, played: Played, options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(_as_json(item, played)))
        return
    if options.explain:
        print(explanation(item, played))
        return
    for judged in played.judged:
        for unmet in judged.unmet:
            print(f"failed: {played.id} {judged.pointer}: {unmet}")


def _as_json(item: Read, played: Played) -> dict[str, Json]:
    return {
        "id": played.id,
        "file": item.file,
        "line": item.line,
        "holds": played.holds,
        "verdicts": [
            {
                "at": judged.pointer,
                "unmet": list(judged.unmet),
                "verdict": judged.verdict.to_dict() if judged.verdict else None,
            }
            for judged in played.judged
        ],
    }
