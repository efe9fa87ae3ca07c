"""What tools of memory are about to store: which arguments, and whether the user said so (spec 40, "State writes")."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Gate, GateConfig, ToolCall
from gate_core.admission.memory import writes_of
from gate_core.admission.units import StateWrite
from gate_core.model.profile import parse_profile

INFERRED, SCOPE, OLD = "inferred-not-stated", "scope-violation", "conflicting-values"


def gate(*said: str, **layers: str) -> Gate:
    """A gate that heard the user."""
    dials: Any = {"writes": "block", **layers}
    made = Gate(GateConfig(layers=dials, audit=False))
    for text in said:
        made.begin_turn(text)
    return made


def codes(made: Gate, value: Any, key: str = "m1") -> tuple[str, ...]:
    """What speaks against a write about the user."""
    return made.admit_write(StateWrite(subject="user-1", key=key, value=value)).codes


RETOLD = [
    ("I'm vegetarian and live in Rome.", "User is vegetarian and lives in Rome", ""),
    ("I'm vegetarian and live in Rome.", "The user lives in Rome.", ""),
    ("I'm vegetarian and live in Rome.", "User lives in Paris", INFERRED),
    ("I'm vegetarian and live in Rome.", "User is not vegetarian", INFERRED),
    ("I'm vegetarian and live in Rome.", "User prefers Oatly", INFERRED),
    ("I don't eat meat.", "User does not eat meat", ""),
    ("I don't eat meat.", "User eats meat", INFERRED),
    ("My sister Ana is allergic to nuts.", "User is allergic to nuts", SCOPE),
    ("My sister Ana is allergic to nuts.", "The user's sister Ana is allergic to nuts", ""),
    ("I prefer tea over coffee.", "User prefers tea over coffee", ""),
    ("I prefer tea over coffee.", "User prefers coffee over tea", INFERRED),
    ("My name is Ada and I work at ACME.", "# Notes\n- Name: Ada\n- User works at ACME", ""),
    ("My name is Ada.", "Name: Bob", INFERRED),
    ("My budget is 500 euros.", "User has a budget of 500 euros", ""),
    ("My budget is 500 euros.", "User has a budget of 5000 euros", INFERRED),
    ("Ich wohne in Berlin.", "Der Nutzer wohnt in Berlin", ""),
    ("Ich wohne in Berlin.", "Der Nutzer wohnt in Hamburg", INFERRED),
    ("Am I vegetarian?", "User is vegetarian", INFERRED),
    ("We're running low on milk.", "User is running low on milk", ""),
    ("We're running low on milk.", "User likes the brand Oatly", INFERRED),
    ("I hate mornings.", "User hates mornings", ""),
    ("I hate mornings.", "User loves mornings", INFERRED),
    ("I never drink coffee.", "User hates coffee", INFERRED),
    ("I'm no longer a vegetarian.", "User is vegetarian", INFERRED),
    ("I like tea and don't like coffee.", "User likes tea", ""),
    ("I like tea and don't like coffee.", "User likes coffee", INFERRED),
    ("Ich habe drei Kinder und trinke keinen Kaffee.", "Der Nutzer hat drei Kinder", ""),
    ("Ich habe drei Kinder und trinke keinen Kaffee.", "Der Nutzer trinkt Kaffee", INFERRED),
    ("J'habite à Lyon et je suis allergique aux noix.", "L'utilisateur habite à Lyon", ""),
    ("J'habite à Lyon et je suis allergique aux noix.", "L'utilisateur habite à Paris", INFERRED),
    ("My wife works at ACME; I work at Globex.", "User works at ACME", SCOPE),
    ("My wife works at ACME; I work at Globex.", "User's wife works at ACME", ""),
]


@pytest.mark.parametrize(("said", "told", "code"), RETOLD)
def test_a_sentence_that_tells_what_was_said(said: str, told: str, code: str) -> None:
    """In other forms of the same words, with the same denial, about the same one; nothing added."""
    assert codes(gate(said), told) == ((code,) if code else ())


def test_a_sentence_that_was_overtaken_is_old() -> None:
    """The last statement counts for sentences too."""
    made = gate("I live in Rome.", "I live in Paris now.")
    assert codes(made, "User lives in Rome") == (OLD,)
    assert codes(made, "User lives in Paris") == ()


def test_a_key_may_say_whom_it_is_about() -> None:
    """The name behind "my sister"; a word of the value is nobody."""
    made = gate("My sister Ana is allergic to nuts.")
    assert codes(made, "allergic to nuts", "Ana") == ()
    assert codes(made, "allergic to nuts", "nuts_allergy") == (SCOPE,)


@pytest.mark.parametrize(
    ("tool", "args", "writes"),
    [
        ("remember", {"key": "diet", "value": "vegan"}, [("diet", "vegan")]),
        ("memory", {"command": "create", "path": "/memories/a.md", "file_text": "x"}, [("/memories/a.md", "x")]),
        (
            "memory",
            {"command": "str_replace", "path": "/memories/a.md", "old_str": "x", "new_str": "y"},
            [("/memories/a.md", "y")],
        ),
        ("memory", {"command": "view", "path": "/memories/a.md"}, []),
        (
            "mcp__memory__create_entities",
            {"entities": [{"name": "Ana", "observations": ["tall", "old"]}, {"name": "Bo", "observations": []}]},
            [("Ana", "tall"), ("Ana", "old")],
        ),
        (
            "mcp__memory__add_observations",
            {"observations": [{"entityName": "Ana", "contents": ["tall"]}]},
            [("Ana", "tall")],
        ),
        ("manage_memory", {"content": "User is vegan", "action": "create"}, [("manage_memory", "User is vegan")]),
        ("manage_memory", {"id": "m1", "action": "delete"}, []),
        ("mcp__memory__add_observations", {"observations": "broken"}, []),
    ],
)
def test_what_a_call_would_remember(tool: str, args: Any, writes: list[tuple[str, str]]) -> None:
    """By the catalog; the key stands beside the value."""
    call = ToolCall(tool=tool, args=args)
    assert [(write.key, write.value) for write in writes_of(call, GateConfig())] == writes


def test_a_tool_of_the_host_says_what_it_stores() -> None:
    """A profile names the arguments; nested ones by their path."""
    profile = parse_profile(
        "note", {"effect": "change", "stores": ["facts.value", "title"], "store_key": "facts.name", "family": "store"}
    )
    call = ToolCall(tool="note", args={"facts": {"name": "diet", "value": ["vegan", "halal"]}, "title": "x"})
    config = GateConfig(profiles={"note": profile})
    assert [(w.subject, w.key, w.value) for w in writes_of(call, config)] == [
        ("user-1", "diet", "vegan"),
        ("user-1", "diet", "halal"),
        ("user-1", "note", "x"),
    ]


def store(made: Gate, value: str) -> tuple[str, ...]:
    """What speaks against a call that remembers."""
    return made.admit(ToolCall(tool="remember", args={"key": "diet", "value": value})).codes


def test_a_memory_tool_is_asked_before_it_runs() -> None:
    """The seat before a tool runs covers it, with or without the layer of actions."""
    assert store(gate("I'm vegan."), "vegan") == ()
    assert store(gate("I'm vegan."), "vegetarian") == (INFERRED,)
    verdict = gate("I'm vegan.").admit(ToolCall(tool="remember", args={"key": "diet", "value": "halal"}))
    assert not verdict.accepted
    assert "was not stated" in verdict.feedback


def test_what_was_stated_may_be_kept_without_being_asked_to() -> None:
    """With both layers on the words decide; with the layer of actions alone a request does."""
    assert store(gate("I'm vegan.", actions="block"), "vegan") == ()
    assert store(gate("I'm vegan.", actions="block"), "halal") == (INFERRED,)
    assert store(gate("I'm vegan.", actions="block", writes="off"), "vegan") == ("intent-not-established",)
    assert store(gate("I'm vegan.", writes="off"), "halal") == ()
