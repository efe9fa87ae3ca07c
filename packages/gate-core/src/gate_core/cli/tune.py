"""`gate tune [FILE...]`: which cap, refill and grounding suit an agent (spec 70). It prints, and writes nothing.

Exit 0 when the candidates were ranked, 2 when a file is invalid (the others are still used) or nothing was labelled.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence

from gate_core.cli.show import show_table
from gate_core.cli.tune_scripts import PROFILES, scripts
from gate_core.cli.tune_trials import (
    Candidate,
    Result,
    Trial,
    candidates,
    compare,
    ranked,
    script_trial,
    shipped_values,
    transcript_trial,
)
from gate_core.transcripts import Problem, read_file

_ABOUT = """\
Try values of the reasoning budget (cap, refill) and of strict grounding, and rank them.

Every candidate gets the same scripts. A script is won when each of its claims is decided as it deserves: every lie is
rejected, and everything true or honestly unverified is accepted at once, so that nobody is halted or sent back for
nothing. In every trial the budget blocks; a rope that only warns decides nothing.

Candidates are ranked by the lower 95 % bound of their paired win rate over the shipped values of the profile: a script
that only the candidate wins counts 1, one that only the shipped values win 0, no difference 1/2. Above 0.5 is
better. Nothing is written: put what you choose into your configuration as model_class, cap and refill, with
layers.budget = "block"."""

_FILES = """\
With files (gate-transcript/1, JSON Lines or a JSON array) the labelled finish events are the truth: a transcript is won
when every finish is decided as its "expect": {"decision": ...} says. Transcripts without such a label are left out.
Without files, scripts are made up: a skipper claims without looking, a diverger reasons for too long, the honest one
looks first; without --profile, all three in equal parts. strict is strict grounding, set by model_class = "skipper".

exit status: 0 ranked · 2 a file is invalid (the others are used), or nothing was labelled"""

_NUMBER, _SEED = 300, 1


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    trials, problems = _trials(options)
    if not trials:
        print("gate tune: no labelled transcript", file=sys.stderr)
        return 2
    results = ranked(_with_progress(compare(trials, shipped_values(options.profile))))
    if options.json:
        for result in results:
            print(json.dumps(result.to_dict()))
    else:
        _show(results)
    return 2 if problems else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate tune",
        description=_ABOUT,
        epilog=_FILES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="labelled transcripts; synthetic scripts without them")
    parser.add_argument(
        "--profile", choices=PROFILES, help="the kind of agent; also chooses the shipped values to compare with"
    )
    parser.add_argument("--n", type=_positive, help=f"how many synthetic scripts (default {_NUMBER})")
    parser.add_argument("--seed", type=int, help=f"the seed of the synthetic scripts (default {_SEED})")
    parser.add_argument("--json", action="store_true", help="one JSON object per candidate, best first")
    options = parser.parse_args(argv)
    if options.files and (options.n is not None or options.seed is not None):
        parser.error("--n and --seed are for synthetic scripts; leave them out with files")
    return options


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, got {text!r}")
    return number


def _trials(options: argparse.Namespace) -> tuple[list[Trial], int]:
    """The trials, and how many objects of the files could not be used because they are invalid."""
    if not options.files:
        number = _NUMBER if options.n is None else options.n
        seed = _SEED if options.seed is None else options.seed
        return [script_trial(script) for script in scripts(options.profile, number, seed)], 0
    trials: list[Trial] = []
    problems = unlabelled = 0
    for item in (item for name in options.files for item in read_file(name)):
        if isinstance(item, Problem):
            problems += 1
            print(f"invalid: {item.error}", file=sys.stderr)
        elif (trial := transcript_trial(item.transcript)) is None:
            unlabelled += 1
        else:
            trials.append(trial)
    if unlabelled:
        print(f"left out: {unlabelled} without a labelled finish", file=sys.stderr)
    return trials, problems


def _with_progress(results: Iterator[Result]) -> Iterator[Result]:
    """The results as they come; a terminal is told how far it is, and the line is gone at the end."""
    shown, number = sys.stderr.isatty(), len(candidates())
    try:
        for done in range(number):
            if shown:
                print(f"\r\033[Kcandidate {done + 1} of {number} ...", end="", file=sys.stderr, flush=True)
            yield next(results)
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def _show(results: Sequence[Result]) -> None:
    columns = ("cap", "refill", "strict", "wins", "better", "worse", "win rate", "lower 95 %", "")
    title = f"{results[0].trials} scripts, best first"
    show_table(title, columns, [_row(result) for result in results])
    best = results[0]
    if best.lower > 0.5:
        print(f"better than the shipped values: {_settings(best.candidate)}")
    else:
        print("nothing is better than the shipped values at 95 %")


def _row(result: Result) -> tuple[str, ...]:
    values = result.candidate
    counts = (f"{result.wins}", f"{result.better}", f"{result.worse}", f"{result.rate:.3f}", f"{result.lower:.3f}")
    strict = "yes" if values.strict else "no"
    return (str(values.cap), str(values.refill), strict, *counts, "shipped" if result.shipped else "")


def _settings(values: Candidate) -> str:
    return (
        f'model_class = "{values.model_class}", cap = {values.cap}, refill = {values.refill}, layers.budget = "block"'
    )
