"""`python -m gate_core.conformance DRIVER...`: the suite on installed drivers, as text, JSON or Markdown.

Exit 0 when every case passed or is excluded with a reason, 1 when some failed or errored, 2 for a driver that is not
installed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence

from gate_core.conformance.case import Case, load_cases
from gate_core.conformance.runner import Result, Status, installed_drivers, run_suite
from gate_core.console import close_pipe, stoppable
from gate_core.model.errors import GateUserError

_BAD = (Status.FAILED, Status.ERRORED)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = _options(argv)
    known = installed_drivers()
    unknown = [name for name in options.drivers if name not in known]
    if unknown:
        print(f"not installed: {', '.join(unknown)}; installed: {', '.join(known)}", file=sys.stderr)
        return 2
    cases = [case for case in load_cases() if not options.case or case.id in options.case]
    results: list[Result] = []
    try:
        with stoppable():
            for name in options.drivers or list(known):
                results += asyncio.run(run_suite(known[name](), cases, progress=_progress(options)))
        _print(results, cases, options)
        sys.stdout.flush()
    except BrokenPipeError:
        close_pipe()
    except GateUserError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return int(any(result.status in _BAD for result in results))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gate_core.conformance", description=__doc__)
    parser.add_argument("drivers", nargs="*", metavar="DRIVER", help="names of installed drivers; all when left out")
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this case (repeatable)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object per result")
    form.add_argument("--markdown", action="store_true", help="a table, cases by drivers")
    return parser.parse_args(argv)


def _progress(options: argparse.Namespace) -> Callable[[Result], None] | None:
    """A line per case on a terminal, while the report is still being made."""
    if not sys.stderr.isatty():
        return None
    return lambda result: print(f"... {result.driver}: {result.case} {result.status.value}", file=sys.stderr)


def _print(results: list[Result], cases: Sequence[Case], options: argparse.Namespace) -> None:
    if options.json:
        for result in results:
            print(json.dumps(result.to_dict()))
        return
    if options.markdown:
        print(markdown(results, cases))
        return
    for result in results:
        print(f"{result.status.value:9} {result.driver:12} {result.case}")
        for reason in result.reasons:
            print(f"          {reason}")
    count = {status: sum(1 for r in results if r.status is status) for status in Status}
    excluded = f", {count[Status.EXCLUDED]} excluded" if count[Status.EXCLUDED] else ""
    print(f"{count[Status.PASSED]} passed, {count[Status.FAILED] + count[Status.ERRORED]} failed{excluded}")


def markdown(results: Sequence[Result], cases: Sequence[Case]) -> str:
    """A table with one row per case and one column per driver."""
    drivers = list(dict.fromkeys(result.driver for result in results))
    by = {(result.case, result.driver): result.status.value for result in results}
    rows = [f"| {case.id} | " + " | ".join(by.get((case.id, d), "not run") for d in drivers) + " |" for case in cases]
    head = f"| case | {' | '.join(drivers)} |"
    return "\n".join([head, "|---" * (len(drivers) + 1) + "|", *rows])


if __name__ == "__main__":
    sys.exit(main())
