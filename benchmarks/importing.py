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
