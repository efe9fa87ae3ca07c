"""Entry point: finds the sub-command and runs it. Each command lives in its own file and is imported when asked for."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from gate_core.console import close_pipe, stoppable

COMMANDS = {
    "demo": "the same scripted agent, ungated and gated, on every installed framework",
    "check": "labelled cases: does the gate decide them as expected?",
    "replay": "conversations that are over: what would the gate have done?",
    "explain": "a conversation as a timeline: what was done, owed, settled, said, and what it rests on",
    "tools": "the tools in conversations, how each is known, a profile to fill in for the others",
    "config": "what is in force and what every key means; is a file right?",
    "audit": "an audit log: is it whole, what is in it, what would another configuration decide?",
    "doctor": "which seats are attached, proved by a canary call",
    "tune": "which cap, refill and grounding suit an agent: tries them, and writes nothing",
}
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _calm_output()
    parser = _parser()
    options, rest = parser.parse_known_args(argv)
    if options.command is None:
        return _without_command(parser, rest)
    missing = _missing_libraries()
    if missing:
        print(
            f"gate: {', '.join(missing)} missing; install the command with: pip install 'gate-core[cli]'",
            file=sys.stderr,
        )
        return 2
    command = importlib.import_module(f"gate_core.cli.{options.command}")
    try:
        with stoppable():
            code = int(command.run(rest))
            sys.stdout.flush()
            return code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        close_pipe()
        return 0
    except OSError as error:  # a full disk behind `>`; what a command reads it reports itself
        close_pipe()
        print(f"gate: {error}", file=sys.stderr)
        return 1


def _without_command(parser: argparse.ArgumentParser, rest: Sequence[str]) -> int:
    if rest and rest[0] == "--version":
        from importlib.metadata import version

        print(f"gate {version('gate-core')}")
        return 0
    if rest and rest[0] not in ("-h", "--help"):
        parser.error(f"unknown option {rest[0]!r}")
    parser.print_help()
    return 0 if rest else 2


def _parser() -> argparse.ArgumentParser:
    names = "\n".join(f"  {name:8} {text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="gate",
        description="A deterministic gate between an AI agent and its user.",
        usage="gate COMMAND [OPTIONS]",
        epilog=f"commands:\n{names}\n\n`gate COMMAND --help` tells more; `gate --version` tells the version.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    parser.add_argument("command", nargs="?", choices=[*COMMANDS], metavar="COMMAND", help=argparse.SUPPRESS)
    return parser


def _calm_output() -> None:
    """Text in any script must not crash a terminal that cannot show it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _missing_libraries() -> list[str]:
    from importlib.util import find_spec

    return [name for name in ("jsonschema", "rich") if find_spec(name) is None]
