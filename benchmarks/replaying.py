"""`gate replay` on session files: megabytes of file per second, and whether more conversations need more memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import beside, seconds
from benchmarks.table import Row, Sample, Target
from benchmarks.texts import log
from gate_core import GateConfig, Json, Layer, Strength
from gate_core.transcripts import Read, conversations, replay

_MB = 1_000_000
_RESULT = 20_000  # characters of a tool's result
_TURNS, _CALLS = 60, 8
_PEAK = """
import resource, sys
from pathlib import Path
from gate_core.transcripts import conversations, replay
for item in conversations(Path(sys.argv[1]), "gate"):
    replay(item)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def replaying(*, quick: bool) -> Iterator[Row]:
    """A session of Claude Code with values off and on; and what many conversations weigh beside half as many.

    Peak memory is level from some 70 MB of text on, where the store of indexes is full (spec 05, "Lazy observation").
    """
    turns = 2 if quick else _TURNS
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "session.jsonl"
        file.write_text("".join(f"{json.dumps(line)}\n" for line in session(turns)), "utf-8")
        size = file.stat().st_size / _MB
        works = {
            name: partial(_rate, file, GateConfig(layers={Layer.VALUES: strength}))
            for name, strength in (("off", Strength.OFF), ("on", Strength.WARN))
        }
        taken = beside(works, rounds=1 if quick else 5)
        for name, least in (("off", 20), ("on", 5)):
            title = f"gate replay of a session of {size:.0f} MB, values {name}"
            yield Row(name=title, unit="MB/s", ours=taken[name], target=Target(least=least))
        yield from _memory(Path(folder), few=2 if quick else 80, many=4 if quick else 160)


def _rate(file: Path, config: GateConfig) -> float:
    """Megabytes of file per second."""
    return file.stat().st_size / _MB / seconds(lambda: _replayed(file, config))


def _replayed(file: Path, config: GateConfig) -> None:
    (item,) = conversations(file, "claude-code")
    assert isinstance(item, Read)
    done = replay(item, config)
    assert done.rows
    assert not any(finding.code == "gate-error" for row in done.rows for finding in row.verdict.findings)


def _memory(folder: Path, *, few: int, many: int) -> Iterator[Row]:
    peaks = []
    for number in (few, many):
        file = folder / f"{number}.jsonl"
        with file.open("w", encoding="utf-8") as out:
            for n in range(number):
                out.write(f"{json.dumps(_conversation(n))}\n")
        done = subprocess.run([sys.executable, "-c", _PEAK, str(file)], capture_output=True, text=True, check=True)
        peaks.append(Sample.of([int(done.stdout) / 1000]))
    yield Row(
        name=f"gate replay, peak memory with {many} conversations",
        unit="MB",
        ours=peaks[1],
        reference=peaks[0],
        beside=f"ours with {few}",
        target=Target(ratio=1.1),
    )


def _conversation(number: int) -> dict[str, Json]:
    path = f"src/module_{number}.py"
    calls: list[Json] = [
        {"type": "call", "tool": "read_file", "args": {"path": path}, "result": log(_RESULT, seed=number * 50 + n)}
        for n in range(50)
    ]
    finish: dict[str, Json] = {"type": "finish", "text": f"I read {path}."}
    turn: dict[str, Json] = {"prompt": f"Read {path}.", "events": [*calls, finish]}
    return {"schema": "gate-transcript/1", "id": f"c{number}", "turns": [turn]}


def session(turns: int) -> Iterator[dict[str, Json]]:
    """The lines of a session that reads, searches and edits, and says at the end of every turn what it did."""
    for turn in range(turns):
        path = f"/w/src/module_{turn}.py"
        yield _line("user", f"Set the timeout in {path} to {30 + turn}.")
        for n in range(_CALLS):
            yield from _call(turn * _CALLS + n, path, turn)
        said = f"Done: the timeout in {path} is {30 + turn}. The log names src/app/module_7.py line 103."
        yield _line("assistant", [{"type": "text", "text": said}], f"end_{turn}")


def _call(number: int, path: str, turn: int) -> Iterator[dict[str, Json]]:
    text, ident = log(_RESULT, seed=number), f"toolu_{number}"
    told: Json = text
    whole: dict[str, Json]
    name: str
    args: dict[str, Json]
    if number % 4 == 3:
        name, args = "Bash", {"command": f"cd /w && grep -rn timeout src | head -40; cat {path}"}
        told = f"{text}\ntimeout = {30 + turn}\n"
        whole = {"stdout": told, "stderr": "", "interrupted": False}
    elif number % _CALLS == 2:
        name, args = "Edit", {"file_path": path, "old_string": "timeout = 5", "new_string": f"timeout = {30 + turn}"}
        told, whole = "updated", {"filePath": path, "originalFile": text, "structuredPatch": []}
    else:
        name, args = "Read", {"file_path": f"/w/src/other_{number % 40}.py"}
        whole = {"type": "text", "file": {"filePath": args["file_path"], "content": text, "startLine": 1}}
    yield _line("assistant", [{"type": "tool_use", "id": ident, "name": name, "input": args}], f"msg_{number}")
    result: dict[str, Json] = {"type": "tool_result", "tool_use_id": ident, "content": told}
    yield {**_line("user", [result]), "toolUseResult": whole}


def _line(kind: str, content: Json, message: str = "") -> dict[str, Json]:
    inner: dict[str, Json] = {"id": message, "role": kind, "content": content}
    return {"type": kind, "sessionId": "session", "cwd": "/w", "message": inner}
