"""The frameworks the command knows, what each is installed with, and what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from gate_core.conformance import Driver, installed_drivers


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """One framework: its driver's name, the distribution that brings the gate to it, what it is built on."""

    name: str
    title: str
    distribution: str
    built_on: tuple[str, ...] = ()

    @property
    def versions(self) -> str:
        """The title with the installed versions."""
        found = [f"{package} {installed}" for package in self.built_on if (installed := _version(package))]
        return f"{self.title} ({', '.join(found)})" if found else self.title

    @property
    def install(self) -> str:
        """The line that installs it."""
        return f"pip install {self.distribution}"


FRAMEWORKS = (
    Framework(name="core", title="plain loop", distribution="gate-core", built_on=("gate-core",)),
    Framework(name="claude", title="Claude Agent SDK", distribution="gate-claude-sdk", built_on=("claude-agent-sdk",)),
    Framework(name="langgraph", title="LangGraph", distribution="gate-langgraph", built_on=("langchain", "langgraph")),
    Framework(
        name="openai",
        title="OpenAI Agents SDK",
        distribution="gate-openai-agents",
        built_on=("openai-agents",),
    ),
)
NAMES = tuple(framework.name for framework in FRAMEWORKS)


def chosen(name: str) -> tuple[list[tuple[Framework, Callable[[], Driver]]], list[Framework]]:
    """(installed frameworks with their driver, the missing ones) of one name, or of all."""
    drivers = installed_drivers()
    wanted = [framework for framework in FRAMEWORKS if name in ("all", framework.name)]
    there = [(framework, drivers[framework.name]) for framework in wanted if framework.name in drivers]
    return there, [framework for framework in wanted if framework.name not in drivers]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
