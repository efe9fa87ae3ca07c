"""`gate audit verify|show|replay LOG`: is the log whole, what is in it, what would another configuration decide
(spec 40).

verify: exit 0 whole, 1 damaged, 2 not to be read or of another version. replay: 0 nothing differs, 1 something does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gate_core.audit import AuditError, Report, load_head, records_of, verify
from gate_core.audit.replay import Replayed, replay
from gate_core.cli.configs import load_config
from gate_core.model.errors import GateUserError

_MOST = 20  # damages told one by one


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    try:
        return _COMMANDS[options.command](options)
    except GateUserError as error:
        print(f"gate audit: {error}", file=sys.stderr)
        return 2


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate audit",
        description="Reads an audit log: evidence of accidents, since whoever may write the file can rewrite it whole.",
        epilog="exit status: 0 whole, nothing differs · 1 damaged, or something differs · 2 not to be read",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="verify|show|replay")
    checks = commands.add_parser("verify", help="follow the chain: edits, gaps, merges, a torn or cut tail")
    checks.add_argument("--head", metavar="FILE", help="a head that was saved before; it must still be in the log")
    checks.add_argument("--expect-head", metavar="HASH", default="", help="the hash the log must end with")
    checks.add_argument("--save-head", metavar="FILE", help="write the head of a whole log there")
    shows = commands.add_parser("show", help="the records, one a line")
    shows.add_argument("--kind", action="append", default=[], help="only records of this kind (repeatable)")
    shows.add_argument("--last", type=int, metavar="N", help="only the last N")
    again = commands.add_parser("replay", help="decide the records again and print what differs")
    again.add_argument("--config", required=True, metavar="FILE", help="gate.toml, or pyproject.toml with [tool.gate]")
    again.add_argument("--all", action="store_true", help="also what stays the same")
    for command in (checks, shows, again):
        command.add_argument("log", metavar="LOG")
        command.add_argument("--json", action="store_true", help="JSON instead of text")
    return parser.parse_args(argv)


def _verify(options: argparse.Namespace) -> int:
    head = load_head(options.head) if options.head else None
    report = verify(options.log, head=head, expect_head=options.expect_head)
    print(json.dumps(report.to_dict())) if options.json else _tell(report)
    if report.whole and options.save_head:
        Path(options.save_head).write_text(json.dumps(report.head.to_dict()) + "\n", encoding="utf-8")
    if report.damage and all(item.kind == "version" for item in report.damage):
        return 2
    return 0 if report.whole else 1


def _tell(report: Report) -> None:
    for item in report.damage[:_MOST]:
        print(f"{report.path}:{item.line}: {item.kind}: {item.says}")
    if len(report.damage) > _MOST:
        print(f"... and {len(report.damage) - _MOST} more")
    state = "whole" if report.whole else "damaged"
    print(f"{state}: {report.records} records, head {report.head.seq} {report.head.hash or '-'}")


def _show(options: argparse.Namespace) -> int:
    every = list(records_of(options.log))
    if not every and Path(options.log).stat().st_size:
        raise AuditError("no record in it; is it an audit log?", path=options.log)
    rows = [row for row in every if not options.kind or row[1].get("kind") in options.kind]
    for line, record in rows[-options.last :] if options.last else rows:
        print(json.dumps({"line": line, **record}) if options.json else _row(record))
    return 0


def _row(record: Mapping[str, object]) -> str:
    found = record.get("findings")
    codes = [str(row.get("code")) for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    unit = record.get("unit")
    about = unit.get("tool") or unit.get("key") or unit.get("proposal") or "" if isinstance(unit, dict) else ""
    parts = (record["seq"], record.get("timestamp"), record.get("kind"), record.get("verdict", "-"), about)
    return "  ".join([*map(str, parts), ", ".join(codes)]).rstrip()


def _replay(options: argparse.Namespace) -> int:
    config = load_config(options.config)
    all_of = list(replay(options.log, config))
    differing = [item for item in all_of if item.differs]
    for item in all_of if options.all else differing:
        print(json.dumps(item.to_dict()) if options.json else _difference(item))
    if not options.json:
        print(f"{len(all_of)} decisions, {len(differing)} would differ")
    return int(bool(differing))


def _difference(item: Replayed) -> str:
    codes = f" ({', '.join(item.codes)})" if item.codes else ""
    return f"{item.line}: {item.kind} {item.audit_id}: {item.before} -> {item.after}{codes} [{item.how}]"


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"verify": _verify, "show": _show, "replay": _replay}
