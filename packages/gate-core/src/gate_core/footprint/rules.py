"""The rules by which runs raise signals, as data (runs.toml), and how a shell tool was known.

This file imports nothing of the shell room, so that folding a ledger without a command stays cheap.
"""

from __future__ import annotations

from functools import cache

from gate_core.data import load_table
from gate_core.model.profile import SignalRule, parse_signal

ANALYSED, UNREADABLE = "command", "unreadable"
"""How a shell tool was known, beside "shell" for one that was not analysed."""

OBSCURE = frozenset({"", "unknown", "exec", "shell", UNREADABLE, "delegate"})
"""Profiles of calls that may have done and shown anything: their output backs an assertion but never pays a debt
(spec 10, "Profiles and effects"), and what they left undone nobody can tell."""


@cache
def event_names() -> frozenset[str]:
    """The signals that are changes of their own."""
    return frozenset(rule.name for rule in builtin_rules() if rule.event)


@cache
def builtin_rules() -> tuple[SignalRule, ...]:
    """The rules this distribution ships."""
    rows = load_table("footprint", "runs.toml")["signal"]
    return tuple(parse_signal({key: value for key, value in row.items() if key != "examples"}) for row in rows)


def does(what: str, head: str) -> bool:
    """True when a command that begins so does that: "search", "compare", "copy" (does.toml)."""
    return f"{head} ".startswith(_beginnings(what))


@cache
def that(what: str) -> frozenset[str]:
    """The programs that do it, each by its own name."""
    return frozenset(words.partition(" ")[0] for words in load_table("footprint", "does.toml")["does"][what])


@cache
def _beginnings(what: str) -> tuple[str, ...]:
    return tuple(f"{words} " for words in load_table("footprint", "does.toml")["does"][what])


@cache
def by_id() -> frozenset[str]:
    """Worlds in which a look at one thing says nothing of another."""
    return frozenset(load_table("footprint", "does.toml")["worlds"]["by_id"])


@cache
def of_kind(kind: str) -> frozenset[str]:
    """The programs or options that are one thing to runs: "remote", "containers", "out_of_tree", "packages"."""
    return frozenset(load_table("footprint", "runs.toml")["kinds"][kind])
