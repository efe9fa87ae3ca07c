"""Which words a pattern needs: what is not woken matches nowhere (spec 20, "Statements")."""

from __future__ import annotations

from time import process_time

import pytest

from gate_core.data import has_table, load_table
from gate_core.reading.anchors import EDGE, needs
from gate_core.reading.languages import LANGUAGES
from gate_core.reading.packs import pack
from gate_core.reading.rules import Rule, Rules
from gate_core.reading.segment import segments
from gate_core.reading.statements import state


def shown(pattern: str) -> list[set[str]]:
    """What a pattern needs, with edges written as |."""
    return [{word.replace(EDGE, "|") for word in group} for group in needs(pattern)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bpushed\b", [{"|pushed|"}]),
        (r"\b(?:is|was) pushed", [{"|pushed"}, {"|is|", "|was|"}]),
        (r"e-?mail(?:ed)?", [{"mail"}, {"e"}]),
        (r"analy[sz]ed", [{"analy"}, {"ed"}]),
        (r"(?!not\b)sent\b(?= to)", [{"sent|"}, {"|to"}]),
        (r"(?<!\w)sent(?!\w)", [{"|sent|"}]),
        (r"(?<!-)sent(?!-)", [{"sent"}]),
        (r"^sent$", [{"|sent|"}]),
        (r"^\W{0,9}(?:(?:ok|so)\b\W{1,3}){0,2}sent\b", [{"|sent|"}]),
        (r"^\W{0,9}(?:ok|so)?sent\b", [{"sent|"}]),
        (r"\bsent(?: (?:now|up)){0,2} to\b", [{"|sent|"}, {"|to|"}]),
        (r"\bsent(?:up)? to\b", [{"|sent"}, {"|to|"}]),
        (r"(?=.{0,9}\bsent\b)\w", [{"|sent|"}]),
        (r"(?:sent|\w+ed)", [{"sent", "ed"}]),
        (r"(?:sent|\w+)", []),
        (r"(?:ab){2}\d", [{"ab"}]),
        (r"(?:sent)?x*", []),
        (r"\u00fcber\.", [{"über|"}]),
        (r"a+b\x41", [{"ba"}, {"a"}]),
        (r"(?P<name>sent){0,3}.", []),
        (r"[]a]\)x", [{"|x"}]),
        (r"\btests?\W{0,4}[✅❌]", [{"|test"}, {"|✅|", "|❌|"}]),
        (r"\btests:? ✅", [{"|tests|"}, {"|✅|"}]),
        (r"\btests\W{0,6}[:=] ok", [{"|tests|"}, {"|ok"}, {"|:|", "|=|"}]),
        (r"(?-i:[A-Z][a-z]{1,9}) said", [{"|said"}]),
    ],
    ids=str,
)
def test_a_pattern_needs_the_words_that_every_match_holds(pattern: str, expected: list[set[str]]) -> None:
    """Options need one of each, what may be missing nothing."""
    assert shown(pattern) == expected


def test_a_rule_wakes_by_all_its_words() -> None:
    """A prefix wakes by the word that begins with it; a rule that needs nothing is always awake."""
    rules = Rules([Rule("a", "both", r"\btests? pass"), Rule("b", "free", r"\w+ed\b|\d")])
    assert {group: [rule.name for rule in found] for group, found in rules.awake("Tests PASSED.").items()} == {
        "a": ["both"],
        "b": ["free"],
    }
    signed = Rules([Rule("a", "sign", r"\btests?\W{0,4}[✅❌]")])
    assert signed.awake("Tests: ✅")
    assert not signed.awake("The tests.")
    assert "a" not in rules.awake("The test.")
    assert "a" not in rules.awake("contests pass " + "w" * 40)


def test_words_are_forgotten_in_time() -> None:
    """The memory of words is bounded."""
    rules = Rules([Rule("a", "x", r"\bpushed\b")])
    for number in range(5_000):
        rules.awake(f"w{number}")
    assert len(rules._masks) <= 4_096
    assert rules.awake("pushed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_sleeps_matches_nowhere(language: str) -> None:
    """For every example of the language and of English, asleep means no match; every pattern compiles."""
    rules = pack(language).rules
    rows = [row for name in {language, "en"} for row in load_table("reading", "packs", f"{name}.toml")["examples"]]
    for name in {language, "en"}:
        if has_table("reading", "events", f"{name}.toml"):
            rows += load_table("reading", "events", f"{name}.toml")["examples"]
    for text in {row["text"] for row in rows}:
        awake = {id(rule) for found in rules.awake(text).values() for rule in found}
        asleep = [rule for rule in rules.rules if id(rule) not in awake]
        assert [rule for rule in asleep if rule.pattern.search(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Ran {number}. " for number in range(10_000)),
        "I did x. " * 11_000,
        "the tests all " * 7_000,
        "a; " * 33_000,
        "and sent, " * 10_000,
        "the the the tests were " * 4_000,
    ],
    ids=["varied", "tiny", "one", "clauses", "and", "subjects"],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    """100 KB take well under a second of the processor; a quadratic pattern would take minutes."""
    start = process_time()
    for segment in segments(text):
        state(segment.text, [])
    assert process_time() - start < 5
