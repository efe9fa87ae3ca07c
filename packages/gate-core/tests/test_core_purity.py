"""The core is pure, and its rooms import from left to right only."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gate_core

ROOT = Path(gate_core.__file__).parent
EDGES = {
    "transcripts",
    "conformance",
    "cli",
    "console",
    "probes",
    "judges",
    "audit",
    "retrying",
    "telemetry",
    "versions",
}
REACHED = {
    ("gate", "probes"),
    ("gate", "judges"),
    ("gate", "audit"),
    ("seats", "audit"),
    ("seated", "audit"),
    ("arguments", "audit"),
    ("arguments", "versions"),
    ("spans", "telemetry"),
}
ORDER = [
    "model",
    "data",
    "profiles",
    "shell",
    "footprint",
    "ledger",
    "values",
    "reading",
    "admission",
    "checks",
    "policies",
]
LAST = [
    "hearing",
    "running",
    "needs",
    "feedback",
    "decide",
    "verifier",
    "store",
    "memory",
    "progress",
    "seats",
    "seated",
    "spans",
    "gate",
    "loop",
    "arguments",
]
FORBIDDEN = {
    "asyncio", "datetime", "glob", "http", "os", "pickle", "queue", "random", "secrets", "shutil", "socket",
    "subprocess", "tempfile", "threading", "time", "urllib.request", "uuid",
}  # fmt: skip


def _room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


FILES = [path for path in sorted(ROOT.rglob("*.py")) if _room(path) not in EDGES | {"__init__"}]


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(str(node.module))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_before_it(path: Path) -> None:
    """model, data, profiles, shell, footprint, ledger, reading, admission, checks, then what makes verdicts."""
    order = [*ORDER, *LAST]
    room = _room(path)
    assert room in order, f"{room} has no place in the order"
    before = set(order[: order.index(room) + 1])
    for name in _imports(path):
        if name.startswith("gate_core."):
            imported = name.split(".")[1]
            assert imported in before or (room, imported) in REACHED, f"{path}: {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_rule_room_uses_no_clock_no_chance_no_files(path: Path) -> None:
    """Nor the environment, sockets, threads or async; `data` alone opens files, those of this distribution."""
    tree = ast.parse(path.read_text("utf-8"))
    assert not _imports(path) & FORBIDDEN
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    if path.name != "data.py":
        assert "open" not in calls
    assert not calls & {"input", "print", "eval", "exec", "hash", "id", "__import__"}
    assert not any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(tree))


def test_importing_the_core_loads_no_edge_and_no_third_party_module() -> None:
    """In a fresh process; the standard library and the rooms are all there is."""
    script = (
        "import sys; before = set(sys.modules); import gate_core; print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    foreign = {name.partition(".")[0] for name in told} - set(sys.stdlib_module_names) - {"gate_core"}
    assert {name for name in foreign if not name.startswith("_")} == set()
    assert [name for name in told if name.startswith("gate_core.") and name.split(".")[1] in EDGES] == []


def test_observing_and_judging_loads_nothing_more() -> None:
    """No module of an edge or of the network comes in while the core works."""
    script = (
        "import sys; from gate_core import *; g = Gate(); g.begin_turn('x'); "
        "g.observe(ToolCall(tool='read_file', args={'path': 'a'}, result='x')); "
        "g.boundary_check(Attempt(parts=('Done.',))); "
        "print(*sorted(sys.modules), sep='\\n')"
    )
    told = set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not told & {
        "asyncio",
        "socket",
        "random",
        "subprocess",
        "gate_core.probes",
        "gate_core.judges",
        "gate_core.cli",
    }


def test_the_public_names_are_those_of_all() -> None:
    """`__all__` is sorted, complete, and everything in it is there."""
    assert gate_core.__all__ == sorted(gate_core.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n))
    assert all(hasattr(gate_core, name) for name in gate_core.__all__)
    init = ast.parse((ROOT / "__init__.py").read_text("utf-8"))
    rooms = [n for n in ast.walk(init) if isinstance(n, ast.ImportFrom) and str(n.module).startswith("gate_core.")]
    assert {a.asname or a.name for n in rooms for a in n.names} == set(gate_core.__all__)
    homes = {a.name: n.module for n in rooms for a in n.names}
    assert homes == gate_core._HOME  # what a type checker sees is what is imported
    assert set(gate_core.__all__) <= set(dir(gate_core))


def test_a_name_that_is_not_there_says_so() -> None:
    """As every module does."""
    with pytest.raises(AttributeError, match="has no attribute 'Gatee'"):
        _ = gate_core.Gatee  # type: ignore[attr-defined]


def test_importing_the_core_loads_no_room() -> None:
    """A name loads its own room, and a type of the model no more than the model."""
    script = (
        "import sys, gate_core; a = [n for n in sys.modules if n.startswith('gate_core.')]; gate_core.ToolCall; "
        "print(a, {n.split('.')[1] for n in sys.modules if n.startswith('gate_core.')})"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told == "[] {'model'}\n"


def test_the_distribution_says_that_it_is_typed() -> None:
    """PEP 561."""
    assert (ROOT / "py.typed").exists()
