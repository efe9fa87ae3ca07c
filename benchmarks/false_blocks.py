"""How many answers of solved conversations the gate would send back at the adapters' defaults (spec 60).

Plays unlabelled conversations of gate-transcript/1. A conversation whose `outcome` is 1 was solved, so a block in it is
taken for a false one until somebody reads it: `--list` shows each with what was found and the answer. Of the
transcript's own `gate` only the profiles are used, which a host would declare; with `--bare` not even these.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate_core import Action, Severity, Verdict
from gate_core.arguments import GateFactory
from gate_core.transcripts import Problem, play, read_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The first judgement of one answer."""

    conversation: str
    pointer: str
    answer: str
    verdict: Verdict

    @property
    def sent_back(self) -> bool:
        """True when the answer did not go out as it was."""
        return self.verdict.action is not Action.DELIVER


def judgements(paths: Sequence[str], *, profiles: bool, layers: Mapping[str, str] | None = None) -> Iterator[Judgement]:
    """Every answer of every solved conversation, at the defaults but for some `layers`."""
    for transcript in solved(paths):
        yield from _judged(transcript, profiles=profiles, layers=layers or {})


def solved(paths: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Every solved conversation of some files. What is no transcript is told on stderr and left out."""
    for path in paths:
        for item in read_file(path):
            if isinstance(item, Problem):
                print(item.error, file=sys.stderr)
            elif item.transcript.get("outcome") == 1:
                yield item.transcript


def _judged(transcript: Mapping[str, Any], *, profiles: bool, layers: Mapping[str, str]) -> Iterator[Judgement]:
    own = transcript.get("gate", {}).get("profiles", {}) if profiles else {}
    defaults = _defaults()
    gate = {**defaults, "layers": {**defaults["layers"], **layers}, "profiles": own}
    played = play({**transcript, "gate": gate})
    for judged in played.judged:
        _, _, turn, _, event = judged.pointer.split("/")
        finish = transcript["turns"][int(turn)]["events"][int(event)]
        if judged.verdict is not None and finish["type"] == "finish":
            answer = finish.get("text") or "\n".join(finish.get("parts", ()))
            yield Judgement(
                conversation=transcript["id"], pointer=judged.pointer, answer=answer, verdict=judged.verdict
            )


def _defaults() -> dict[str, Any]:
    """What an adapter that was told nothing plays by; `play` takes no free looks of its own."""
    config = GateFactory({}).config
    return {"layers": {layer.value: strength.value for layer, strength in config.layers.items()}}


def report(found: Sequence[Judgement], *, full: bool) -> str:
    """The counts, then with `full` each answer that was sent back."""
    back = [item for item in found if item.sent_back]
    reasons = Counter((f.layer.value, f.code.value) for item in back for f in item.verdict.blocking)
    lines = [
        f"{len({item.conversation for item in found})} solved conversations, {len(found)} answers judged",
        f"{len(back)} sent back ({100 * len(back) / max(len(found), 1):.1f} %)",
        *(f"{number:5}  {layer}/{code}" for (layer, code), number in reasons.most_common()),
    ]
    if full:
        lines += [line for item in back for line in _told(item)]
    return "\n".join(lines)


def _told(item: Judgement) -> Iterator[str]:
    verdict = item.verdict
    yield f"\n{item.conversation} {item.pointer}  {verdict.claim.value}, step {verdict.decided_by}"
    for finding in verdict.findings:
        if finding.severity is not Severity.INFO:
            yield f"  {finding.severity.value} {finding.code.value} {finding.subject} ({finding.where}): {finding.says}"
    yield from (f"  | {line}" for line in item.answer.splitlines())


def _pair(text: str) -> tuple[str, str]:
    name, _, strength = text.partition("=")
    return name, strength


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report. Exit 0, or 1 when more answers than `--most` were sent back."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.false_blocks", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="conversations of gate-transcript/1 with an outcome")
    parser.add_argument("--list", action="store_true", help="show every answer that was sent back")
    parser.add_argument("--bare", action="store_true", help="without the profiles the transcripts bring along")
    parser.add_argument(
        "--layer", action="append", default=[], metavar="NAME=STRENGTH", help="another strength, as values=block"
    )
    parser.add_argument("--most", type=int, help="fail when more answers were sent back")
    asked = parser.parse_args(arguments)
    found = list(judgements(asked.files, profiles=not asked.bare, layers=dict(map(_pair, asked.layer))))
    print(report(found, full=asked.list))
    back = sum(item.sent_back for item in found)
    return 1 if asked.most is not None and back > asked.most else 0


if __name__ == "__main__":
    sys.exit(main())
