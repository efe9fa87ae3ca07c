"""What people ask of the command: install, uninstall, status, wrong, plugin."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import gate_claude_sdk.plugin
from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_claude_sdk.command import settings, wrong
from gate_claude_sdk.command.fold import Folded
from gate_claude_sdk.command.status import Row, rows_of_status
from gate_core import GateUserError, JsonObject


def run(words: Sequence[str], usage: str) -> int:
    """Run one command for a person, and print what came of it."""
    parser = argparse.ArgumentParser(prog="gate-claude-hook", usage=usage.removeprefix("usage: "), add_help=False)
    parser.add_argument("command", choices=sorted(_COMMANDS))
    parser.add_argument("session", nargs="?", default="")
    parser.add_argument("--user", action="store_true")
    parser.add_argument("--project", action="store_true")
    parser.add_argument("--config", default="")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", default="")
    if not words or {"-h", "--help"} & set(words):
        sys.stdout.write(usage)
        return 0 if words else 2
    given = parser.parse_args(list(words))
    try:
        sys.stdout.write(_COMMANDS[given.command](given))
    except (GateUserError, OSError) as error:
        sys.stderr.write(f"gate-claude-hook: {error}\n")
        return 1
    return 0


def told(found: Folded, session: str, words: Sequence[str]) -> str:
    """The answer to `/gate` and `/gate wrong`."""
    if words[:1] == ["wrong"]:
        return f"gate: this turn was written to {wrong.write(session, '')}; look through it before you send it"
    return _line(Row.of(session, found.to_json(), found.session.gate.progress()))


def _install(given: argparse.Namespace) -> str:
    path = settings.install(user=given.user, project=given.project, config=given.config)
    return f"the gate's hooks are in {path}; they are used from the next session on\n"


def _uninstall(given: argparse.Namespace) -> str:
    path = settings.uninstall(user=given.user, project=given.project)
    return f"the gate's hooks are not in {path} any more\n"


def _status(given: argparse.Namespace) -> str:
    rows = rows_of_status()
    if given.json:
        return json.dumps([row.to_json() for row in rows], indent=2) + "\n"
    return "".join(f"{_line(row)}\n\n" for row in rows) or "no session yet\n"


def _wrong(given: argparse.Namespace) -> str:
    return f"{wrong.write(given.session, given.out)}\n"


def _plugin(given: argparse.Namespace) -> str:
    return f"{Path(str(gate_claude_sdk.plugin.__file__)).parent}\n"


def _line(row: Row) -> str:
    verdict = row.last
    lines = [f"gate: session {row.session}, {row.calls} calls"]
    if row.pending:
        lines.append(f"  not settled: {', '.join(row.pending)}")
    if row.unjudged:
        lines.append("  no answer was judged since: the session is still running, or the gate was silenced")
    lines.append(f"  last verdict: {_verdict(verdict)}" if verdict else "  no verdict yet")
    return "\n".join(lines)


def _verdict(verdict: JsonObject) -> str:
    findings = [as_object(finding) for finding in as_list(verdict.get("findings"))]
    codes = ", ".join(dict.fromkeys(as_text(finding.get("code")) for finding in findings))
    how = as_text(verdict.get("exit")) or as_text(verdict.get("action")).lower()
    evidence = as_text(verdict.get("evidence_line"))
    return " | ".join(part for part in (as_text(verdict.get("decision")).lower(), how, codes, evidence) if part)


_COMMANDS: dict[str, Callable[[argparse.Namespace], str]] = {
    "install": _install,
    "uninstall": _uninstall,
    "status": _status,
    "wrong": _wrong,
    "plugin": _plugin,
}
