"""What `import gate_core` costs a process, beside six modules of the standard library that any such library needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.measure import MS, beside, seconds
from benchmarks.table import Row, Sample, Target

SIX = "import dataclasses, enum, re, json, typing, hashlib"
_STRANGERS = (
    "import sys; before = set(sys.modules); import gate_core; "
    "print(len({n.partition('.')[0] for n in set(sys.modules) - before} - sys.stdlib_module_names - {'gate_core'}))"
)


_TIMED = "from time import process_time as now; start = now(); "
_GATE = _TIMED + "import gate_core.gate; print(now() - start)"
_FIRST = """
from time import process_time as now
from gate_core import Attempt, Gate, ToolCall
gate = Gate()
edit = {"file_path": "/p/app.cfg", "old_string": "timeout = 5", "new_string": "timeout = 30"}
start = now()
gate.begin_turn("Set the timeout to 30 in app.cfg and run the tests.")
gate.observe(ToolCall(tool="Edit", args=edit, result="ok", call_id="1", cwd="/p"))
gate.observe(ToolCall(tool="Read", args={"file_path": "/p/app.cfg"}, result="timeout = 30", call_id="2", cwd="/p"))
gate.observe(ToolCall(tool="Bash", args={"command": "pytest -q"}, result="12 passed", call_id="3", exit_code=0))
gate.boundary_check(Attempt(parts=("Done: the timeout in app.cfg is 30 and all 12 tests pass.",)))
print(now() - start)
"""
_COLD = {
    "import of the gate with its rooms": Target(most=140),
    "first prompt and answer of a process": Target(most=120),
}


def importing(*, quick: bool) -> Iterator[Row]:
    """Whole processes, interleaved; then how many third-party packages came along."""
    works = {"ours": _process("import gate_core"), "six": _process(SIX)}
    taken = {name: sample.scaled(MS) for name, sample in beside(works, rounds=1 if quick else 30).items()}
    yield Row(
        name="import gate_core, whole process",
        unit="ms",
        ours=taken["ours"],
        reference=taken["six"],
        beside="six imports",
        target=Target(ratio=1.5),
    )
    for name, code in (("import of the gate with its rooms", _GATE), ("first prompt and answer of a process", _FIRST)):
        spent = [float(_python(code)) * MS for _ in range(1 if quick else 10)]
        yield Row(name=name, unit="ms", ours=Sample.of(spent), note="processor time", target=_COLD[name])
    strangers = float(_python(_STRANGERS))
    yield Row(
        name="third-party packages imported",
        unit="",
        ours=Sample(median=strangers, minimum=strangers),
        target=Target(most=0),
    )


def _process(code: str) -> Callable[[], float]:
    return lambda: seconds(lambda: _python(code))


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    return done.stdout
