"""Every example that stands beside a rule in a data file is a test."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import GateConfig, ToolCall, ToolEffect
from gate_core.data import load_table
from gate_core.footprint.observe import footprint
from gate_core.model.fact import Effect
from gate_core.model.kinds import CallStatus
from gate_core.profiles import resolve
from gate_core.profiles.catalog import CATALOGS, entries
from gate_core.profiles.verbs import effect_of_name
from gate_core.reading.languages import LANGUAGES
from gate_core.reading.segment import segments
from gate_core.reading.statements import state
from gate_core.reading.tokens import named_in
from gate_core.shell import available


def _catalog_examples() -> list[Any]:
    return [
        pytest.param(row, example, id=f"{row['name']}-{number}-{index}")
        for number, row in enumerate(entries())
        for index, example in enumerate(row["examples"])
    ]


def _shown(effect: Effect) -> str:
    lines = f" {effect.lines[0]}-{effect.lines[1]}" if effect.lines else ""
    return f"{effect.did.value} {effect.target}{lines}"


@pytest.mark.parametrize(("row", "example"), _catalog_examples())
def test_a_catalog_example_holds(row: dict[str, Any], example: dict[str, Any]) -> None:
    """A call of the example is found in the catalog and has exactly the effects and the outcome that stand there."""
    known = {"args", "result", "status", "exit_code", "side", "outcome", "gives", "bare"}
    assert set(example) <= known
    call = ToolCall(
        tool=row["name"],
        args=example["args"],
        result=example["result"],
        status=CallStatus(example.get("status", "ok")),
        exit_code=example.get("exit_code"),
        side=example.get("side", {}),
        origin=row.get("origin", ""),
    )
    found = resolve(call, GateConfig())
    assert (found.source, found.profile.name, found.profile.needs) == (
        "catalog",
        row["name"],
        tuple(row.get("needs", ())),
    )
    mark = footprint(found.profile, found.source, call, GateConfig())
    bare = "bare" in example and not available()  # what a shell tool gives without the extra [shell]
    assert [_shown(effect) for effect in mark.effects] == example["bare" if bare else "gives"]
    assert mark.outcome == example.get("outcome", "ok")


@pytest.mark.parametrize("name", CATALOGS)
def test_every_catalog_entry_has_an_example(name: str) -> None:
    """An entry without an example would be an entry nobody tried."""
    rows = load_table("profiles", "catalog", f"{name}.toml")["tool"]
    assert rows
    assert [row["name"] for row in rows if not row.get("examples")] == []


def _pack_examples() -> list[Any]:
    return [
        pytest.param(language, row, id=f"{language}-{number}")
        for language in LANGUAGES
        for number, row in enumerate(load_table("reading", "packs", f"{language}.toml")["examples"])
    ]


@pytest.mark.parametrize(("language", "row"), _pack_examples())
def test_a_pack_example_states_what_it_says(language: str, row: dict[str, Any]) -> None:
    """The sentence states exactly the kinds of the example, and its own language recognises it."""
    said: set[str] = set()
    languages = set()
    for segment in segments(row["text"]):
        targets = [token.text for token in named_in(segment.text) if token.kind.value == "path"]
        stated = state(segment.text, targets)
        said |= {kind.value for kind in stated.says}
        languages.add(stated.language)
    assert sorted(said) == sorted(row["says"])
    assert not row["says"] or language in languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_examples_on_both_sides(language: str) -> None:
    """Each kind a pack can give is given by some example, and some sentences of its language state nothing."""
    table = load_table("reading", "packs", f"{language}.toml")
    cues = {"unable", "hedge", "started"}.intersection(table["cut"])
    shown = {kind for row in table["examples"] for kind in row["says"]}
    assert shown == {*table["kinds"], *cues}
    assert any(row["says"] == [] for row in table["examples"])


def test_all_packs_have_one_schema() -> None:
    """A language is grown by adding words, so every pack has the same tables."""
    english = load_table("reading", "packs", "en.toml")
    for language in LANGUAGES[1:]:
        table = load_table("reading", "packs", f"{language}.toml")
        assert {*table} <= {*english, "hints"}
        assert {*table["cut"]} <= {*english["cut"]}
        assert {*table["kinds"]} == {*english["kinds"]}
        assert {*table["asks"]} <= {*english["asks"]}


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("list_and_delete", "delete"),
        ("deleteFile", "delete"),
        ("run_query", "exec"),
        ("HTTPPost", "change"),
        ("rename-item", "move"),
        ("get_or_create", "change"),
        ("get_order", "read"),
        ("list_commit", "list"),
        ("order", "change"),
        ("place_order", "change"),
        ("get_and_delete_order", "delete"),
        ("ls", "list"),
        ("getUser", "read"),
        ("readURL", "read"),
        ("calculator", None),
        ("", None),
        ("ünïcode", None),
    ],
    ids=str,
)
def test_the_most_dangerous_verb_of_a_name_decides(name: str, effect: str | None) -> None:
    """A tool nobody knows is taken for the worst its name says."""
    assert effect_of_name(name) == (None if effect is None else ToolEffect(effect))


def test_no_verb_stands_in_two_classes() -> None:
    """A verb in two classes would make the later entry dead."""
    table = load_table("profiles", "verbs.toml")["most_dangerous_first"]
    verbs = [verb for row in table.values() for verb in row]
    assert sorted(verbs) == sorted(set(verbs))


@pytest.mark.parametrize(
    ("call", "source", "effect"),
    [
        (ToolCall(tool="read_file", args={"path": "a"}), "catalog", "read"),
        (ToolCall(tool="mcp__crm__read_file", args={"path": "a"}), "verb", "read"),
        (ToolCall(tool="read_file", args={"path": "a"}, origin="mcp:crm"), "verb", "read"),
        (ToolCall(tool="Read", args={"path": "a"}), "verb", "read"),
        (ToolCall(tool="frobnicate"), "", "unknown"),
        (ToolCall(tool="frobnicate", mutating=True), "host", "change"),
        (ToolCall(tool="delete_all", mutating=False), "host", "read"),
        (ToolCall(tool="apply_patch", args={"path": "a", "type": "delete_file"}), "catalog", "delete"),
        (ToolCall(tool="apply_patch", args={"path": "a", "type": "create_file"}), "catalog", "change"),
        (ToolCall(tool="mcp__bad"), "", "unknown"),
    ],
    ids=["neutral", "mcp-name", "mcp-origin", "wrong-shape", "unknown", "mutating", "harmless", "v1", "v2", "half-mcp"],
)
def test_profiles_are_found_in_the_order_of_authority(call: ToolCall, source: str, effect: str) -> None:
    """User, host, catalog bound to its origin, verb, nothing."""
    found = resolve(call, GateConfig())
    assert (found.source, found.profile.effect.value) == (source, effect)


def test_the_users_profile_comes_first() -> None:
    """A user's profile wins over the catalog, by the full name and by the bare one."""
    from gate_core import ToolProfile

    own = ToolProfile(name="Read", effect=ToolEffect.NEUTRAL)
    config = GateConfig(profiles={"Read": own})
    for call in (ToolCall(tool="Read", args={"file_path": "a"}), ToolCall(tool="mcp__x__Read")):
        assert resolve(call, config).profile is own
