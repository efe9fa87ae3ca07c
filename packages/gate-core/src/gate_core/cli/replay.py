"""`gate replay FILE|FOLDER...`: what the gate would have done in conversations that are over (spec 60).

Exit 0 when everything was read, 1 when lines were skipped, 2 when a file could not be read or nothing was found.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from gate_core.cli.configs import load_config
from gate_core.cli.inputs import Found, found_files, size_of
from gate_core.cli.report import available, told_of, write_report
from gate_core.console import Progress
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.model.kinds import Severity
from gate_core.transcripts import Problem, Replayed, Row, Skipped, conversations, reader_names, replay
from gate_core.transcripts.replay import codes_of

_ABOUT = """\
Run conversations that are over through the gate and print what it would have done: one row per attempt to finish.

Folders are searched for *.jsonl and *.json. The format of a file is found by its beginning; the readers of Claude
Code sessions, LangChain messages and OpenAI items come with the adapters (pip install gate-claude-sdk, gate-langgraph,
gate-openai-agents)."""

_EXITS = """\
exit status: 0 everything was read · 1 lines were skipped · 2 a file could not be read, or nothing was found"""

Told: TypeAlias = "dict[str, Json]"
Result: TypeAlias = "Replayed | Skipped | Problem | Told"
_CONVERSATION, _MOST_CODES = 40, 12


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    try:
        config = load_config(options.config) if options.config else None
    except ConfigError as error:
        print(f"gate replay: {error}", file=sys.stderr)
        return 2
    found = list(found_files(options.paths, options.format))
    totals = Totals(unknown=sum(1 for item in found if not item.format and not item.why))
    for item in found:
        if item.why:
            totals.problems += 1
            print(f"invalid: {item.path}: {item.why}", file=sys.stderr)
    files = [item for item in found if item.format]
    told = _tell_all(_results(files, config, options), totals, options, several=len(files) > 1)
    try:
        if options.report:
            write_report(options.report, told, totals.to_dict)
        for _ in told:
            pass
    except BrokenProcessPool:
        print("gate replay: a worker process was ended from outside; try fewer --jobs", file=sys.stderr)
        return 2
    except OSError as error:
        if not options.report or str(error.filename) != options.report:
            raise
        print(f"gate replay: {options.report}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    print(json.dumps({"totals": totals.to_dict()})) if options.json else _sum_up(totals)
    if totals.problems or not totals.conversations:
        return 2
    return 1 if totals.skipped else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate replay",
        description=_ABOUT,
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", metavar="FILE|FOLDER")
    parser.add_argument("--from", dest="format", choices=reader_names(), metavar="FORMAT", help=_formats())
    parser.add_argument("--config", metavar="FILE", help="gate.toml, or pyproject.toml with [tool.gate]")
    parser.add_argument(
        "--probes",
        choices=["assume", "none"],
        default="assume",
        help="the gate cannot look at files afterwards: take local edits that succeeded as found (assume, the default) "
        "or let them count as not looked at (none)",
    )
    parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="so many processes (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object per attempt, then the totals")
    parser.add_argument("--report", metavar="FILE", help="also write a report: one HTML file that needs nothing else")
    options = parser.parse_args(argv)
    if options.report and not available():
        parser.error("--report needs Jinja; install it with: pip install 'gate-core[cli]'")
    return options


def _formats() -> str:
    return f"the format of all files, one of {', '.join(reader_names())}; found by itself without"


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, got {text!r}")
    return number


def _results(files: Sequence[Found], config: GateConfig | None, options: argparse.Namespace) -> Iterator[Result]:
    """The results of all files in order."""
    one = partial(_played, config=config, assume=options.probes == "assume", report=bool(options.report))
    with Progress(sum(size_of(item.path) for item in files)) as progress:
        if options.jobs == 1 or len(files) < 2:
            for item in files:
                progress.at(str(item.path))
                yield from one(item)
                progress.done(size_of(item.path))
            return
        with ProcessPoolExecutor(min(options.jobs, len(files)), initializer=_worker) as pool:
            try:
                for item, results in zip(files, pool.map(partial(_listed, one), files), strict=True):
                    progress.at(str(item.path))
                    yield from results
                    progress.done(size_of(item.path))
            except BaseException:  # told to stop, or the reader has gone away: nobody waits for what is under way
                for child in multiprocessing.active_children():
                    child.terminate()
                raise


def _worker() -> None:
    """A worker leaves Ctrl-C to the process that started it, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _listed(one: partial[Iterator[Result]], item: Found) -> list[Result]:
    return list(one(item))


def _played(item: Found, *, config: GateConfig | None, assume: bool, report: bool) -> Iterator[Result]:
    """One conversation after the other, so that no more than one is held; for a report, what is said of each."""
    for told in conversations(item.path, item.format):
        if isinstance(told, Problem | Skipped):
            yield told
        else:
            yield replay(told, config, assume=assume)
            if report:
                yield told_of(told, config, assume=assume)


def _tell_all(
    results: Iterator[Result], totals: Totals, options: argparse.Namespace, *, several: bool
) -> Iterator[Told]:
    """Print every result as it comes, and hand on what goes into the report."""
    for result in results:
        if isinstance(result, dict):
            yield result
        else:
            _tell(result, totals, options, several=several)


@dataclass(slots=True)
class Totals:
    """What is said at the end."""

    unknown: int = 0
    problems: int = 0
    skipped: int = 0
    conversations: int = 0
    calls: int = 0
    accepted: int = 0
    rejected: int = 0
    assumed: int = 0
    blocks: Counter[str] = field(default_factory=Counter)
    warns: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row) -> None:
        """Count an attempt."""
        if row.verdict.accepted:
            self.accepted += 1
        else:
            self.rejected += 1
        self.blocks.update(codes_of(row.verdict, Severity.BLOCK))
        self.warns.update(codes_of(row.verdict, Severity.WARN))

    def to_dict(self) -> dict[str, Json]:
        """The totals as JSON."""
        return {
            "conversations": self.conversations,
            "calls": self.calls,
            "attempts": self.accepted + self.rejected,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "blocking": dict(self.blocks.most_common()),
            "warning": dict(self.warns.most_common()),
            "assumed_edits": self.assumed,
            "skipped_lines": self.skipped,
            "invalid": self.problems,
            "no_transcript": self.unknown,
        }


def _tell(result: Replayed | Skipped | Problem, totals: Totals, options: argparse.Namespace, *, several: bool) -> None:
    if isinstance(result, Problem):
        totals.problems += 1
        print(f"invalid: {result.error}", file=sys.stderr)
    elif isinstance(result, Skipped):
        totals.skipped += 1
        print(f"skipped: {result.file}:{result.line}: {result.why}", file=sys.stderr)
    else:
        if not options.json and not totals.accepted + totals.rejected and result.rows:
            print(_line("conversation", "turn", "event", "decision", "codes"))
        totals.conversations += 1
        totals.calls += result.calls
        totals.assumed += result.assumed
        for row in result.rows:
            totals.add(row)
            print(json.dumps(row.to_dict()) if options.json else _row(row, several=several))


def _row(row: Row, *, several: bool) -> str:
    """A line of the table; of several files, a conversation goes by the file's name too where that says more."""
    decision = "accept" if row.verdict.accepted else "reject"
    stem = Path(row.file).stem
    name = f"{stem}/{row.conversation}" if several and stem != row.conversation else row.conversation
    return _line(name, str(row.turn), row.event, decision, ", ".join(_marked(row)))


def _marked(row: Row) -> Iterable[str]:
    blocks = set(codes_of(row.verdict, Severity.BLOCK))
    return (code if code in blocks else f"({code})" for code in row.codes)


def _line(conversation: str, turn: str, event: str, decision: str, codes: str) -> str:
    name = conversation if len(conversation) <= _CONVERSATION else f"…{conversation[1 - _CONVERSATION :]}"
    return f"{name:{_CONVERSATION}}  {turn:>4}  {event:8}  {decision:8}  {codes}".rstrip()


def _sum_up(totals: Totals) -> None:
    attempts = totals.accepted + totals.rejected
    share = f" ({100 * totals.rejected / attempts:.0f} %)" if totals.rejected else ""
    print(
        f"\n{_count(totals.conversations, 'conversation')}, {_count(totals.calls, 'call')}, "
        f"{_count(attempts, 'attempt')}: {totals.accepted} accepted, {totals.rejected} rejected{share}"
    )
    for title, counts in (("blocking", totals.blocks), ("warning", totals.warns)):
        if counts:
            print(f"{title}: {', '.join(f'{code} {n}' for code, n in counts.most_common(_MOST_CODES))}")
    if totals.assumed:
        them = "it" if totals.assumed == 1 else "them"
        print(f"{_count(totals.assumed, 'edit')} taken as found; --probes none lets {them} count as not looked at")
    if totals.skipped:
        print(f"{_count(totals.skipped, 'line')} skipped")
    if totals.unknown:
        print(f"{_count(totals.unknown, 'file')} of no known format")


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
