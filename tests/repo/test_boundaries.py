"""Who may import whom: the core no framework, adapters only the core's public names and never each other."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = {
    "gate-claude-sdk": "gate_claude_sdk",
    "gate-langgraph": "gate_langgraph",
    "gate-openai-agents": "gate_openai_agents",
}
PACKAGES = {"gate-core": "gate_core", **ADAPTERS}
FRAMEWORKS = ("claude_agent_sdk", "langchain", "langchain_core", "langgraph", "agents", "openai")


def imports(package: str) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """(file, module, names) of every import of a package's sources."""
    for file in sorted((ROOT / "packages" / package / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield file, node.module, tuple(alias.name for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((file, alias.name, ()) for alias in node.names)


def test_the_core_imports_no_framework() -> None:
    """The core works in any loop."""
    found = [(file.name, module) for file, module, _ in imports("gate-core") if module.split(".")[0] in FRAMEWORKS]
    assert found == []


@pytest.mark.parametrize("package", ADAPTERS)
def test_an_adapter_imports_only_public_names_of_the_core(package: str) -> None:
    """What an adapter needs is exported by `gate_core`, or by `gate_core.conformance` for its driver."""
    public = {name: set(importlib.import_module(name).__all__) for name in ("gate_core", "gate_core.conformance")}
    strange = [
        (file.name, module, name)
        for file, module, names in imports(package)
        if module.split(".")[0] == "gate_core"
        for name in names or ("*",)
        if name not in public.get(module, set())
    ]
    assert strange == []


@pytest.mark.parametrize("package", ADAPTERS)
def test_adapters_do_not_import_each_other(package: str) -> None:
    """Each adapter is installed alone."""
    others = set(ADAPTERS.values()) - {ADAPTERS[package]}
    assert [(f.name, m) for f, m, _ in imports(package) if m.split(".")[0] in others] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_all_names_what_a_package_offers(package: str) -> None:
    """`__all__` holds every public name of `__init__`, sorted, and nothing that is not there."""
    module = importlib.import_module(PACKAGES[package])
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    bound = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(PACKAGES[package])
        for alias in node.names
    }
    assert set(module.__all__) == {name for name in bound if not name.startswith("_")}
    assert len(module.__all__) == len(set(module.__all__))
