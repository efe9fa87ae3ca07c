"""Which runs exercise which files: a whole run any local file, a part those it names (spec 10, `signal`)."""

from __future__ import annotations

from collections.abc import Collection

from gate_core.footprint.rules import of_kind
from gate_core.footprint.targets import FILES, last_name, same_target
from gate_core.model.call import SignalEvent
from gate_core.model.config import GateConfig
from gate_core.model.kinds import SignalState
from gate_core.model.late import late

EXERCISING = ("tests_passed",)
"""Signals whose run exercises the code of the local files."""

FORMAT_CHECK = "format_passed"
"""The signal that shows what a formatter did, and nothing else."""

_MODULE = late(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")

_TEST = late(r"^test_|_test(?=\.|$)|Tests?(?=\.|$)|_spec(?=\.|$)|Spec(?=\.|$)|\.(?:test|spec)(?=\.)")
"""How the names of tests differ from those of what they test."""


def exercising(config: GateConfig) -> frozenset[str]:
    """Signals whose run exercises the code of the local files: tests, and what the user declared to count."""
    own = (rule.name for rule in config.signals if rule.needs_count and rule.domain == FILES and not rule.event)
    return frozenset((*EXERCISING, *own))


def exercises(signal: SignalEvent, names: Collection[str] = EXERCISING) -> bool:
    """True for a run that settles what it exercised."""
    return signal.name in names and signal.state is SignalState.PASSED


def exercised(signal: SignalEvent, target: str) -> bool:
    """True for a file that a run exercised: any for a whole run, for a part those it names, tests or holds."""
    words = signal.scope.split()
    options = {word for word in words if word.startswith("-")}  # a part of what it names
    return not words or any(
        _tests(word, target)
        or (not options and _holds(word, target))
        or (options <= of_kind("packages") and _belongs(word, target))
        or _is_picked(word, target)
        or (not options and _is_module(word, target))
        for word in words
    )


def _is_picked(word: str, target: str) -> bool:
    """True for a name of the file or of its tests by which a part was picked: "RingTests" picks Ring.swift."""
    stem = last_name(target).partition(".")[0]
    parts = [part.strip("*~") for part in word.replace("::", ".").split(".")]
    if not stem or "/" in word or word.startswith("-"):
        return False
    return any(_TEST.sub("", part) == stem for part in parts if part)


def _is_module(word: str, target: str) -> bool:
    """True for a dotted module ("shop.cart") that is the file, holds it, or is the tests of the package it lies in."""
    if "/" in word or not _MODULE.fullmatch(word):
        return False
    path = word.replace(".", "/")
    stem = f"/{target}".rpartition(".")[0]
    return stem.endswith(f"/{path}") or f"/{path}/" in stem


def _belongs(word: str, target: str) -> bool:
    """True for a package of a workspace ("@acme/ui") in whose folder, by the usual names, a file lies."""
    name = word.strip("{}.:").rstrip("/").rpartition("/")[2]
    return not word.startswith("-") and bool(name) and f"/{name}/" in f"/{target}"


def _holds(path: str, target: str) -> bool:
    """True for a folder of a scope ("./lexer/...", "packages/core/") below which the file lies."""
    folder = path.removesuffix("...").removeprefix("./").strip("/")
    named = path.endswith(("/", "/...")) or "." not in last_name(folder)
    return bool(folder) and named and not folder.startswith((".", "-")) and f"/{folder}/" in f"/{target}"


def _tests(word: str, target: str) -> bool:
    """True when a word of a scope names the file or, by the usual names, its test: test_api.py for api.py."""
    path = word.partition("::")[0]
    if same_target(path, target):
        return True
    tested, stem = last_name(path), last_name(target).partition(".")[0]
    return bool(stem) and _TEST.search(tested) is not None and _TEST.sub("", tested).partition(".")[0] == stem
