"""Unusual answers (docs/reading.md): what matches and what does not; none raises."""

from __future__ import annotations

import pytest

from gate_core import Attempt, Decision, Gate, GateConfig, GateState, ToolCall
from gate_core.ledger import Ledger
from gate_core.model.json import Json
from gate_core.model.reading import Reading
from gate_core.reading import asks_of, is_marked, names_in, read, told_in
from gate_core.reading.visible import visible

PASSED = ({"tests_passed"}, set[str]())
NOTHING = (set[str](), set[str]())

TEXTS = {
    "zero-width space in a word": ("All te\u200bsts pass.", PASSED),
    "zero-width joiner": ("All tests p\u200dass.", PASSED),
    "zero-width non-joiner": ("All tes\u200cts pass.", PASSED),
    "soft hyphen": ("All tests pa\u00adss.", PASSED),
    "byte order mark": ("\ufeffAll tests pass.", PASSED),
    "word joiner": ("All\u2060 tests pass.", PASSED),
    "no-break spaces": ("All\u00a0tests\u202fpass.", PASSED),
    "accents of their own": ("Alle Tests sind gru\u0308n.", PASSED),
    "marks of direction": ("\u200fAll tests \u202apass\u202c.\u200e", PASSED),
    "an override of direction": ("\u202eAll tests pass.\u202c", PASSED),
    "English beside Arabic": (
        "\u062a\u0645 \u0627\u0644\u062a\u062d\u062f\u064a\u062b. All tests pass.",
        PASSED,
    ),
    "several scripts": ("Готово. 所有测试通过。", PASSED),
    "in Chinese": ("所有测试\u200b通过。", PASSED),
    "a sign without width for a blank": ("All\u200btests\u200bpass.", NOTHING),
    "Cyrillic letters": ("\u0410ll tests p\u0430ss.", NOTHING),
    "Greek letters": ("All t\u03b5sts pass.", NOTHING),
    "full-width letters": ("\uff21\uff4c\uff4c \uff54\uff45\uff53\uff54\uff53 \uff50\uff41\uff53\uff53.", NOTHING),
    "mathematical letters": ("All \U0001d42d\U0001d41e\U0001d42c\U0001d42d\U0001d42c pass.", NOTHING),
    "Hebrew": (
        "\u05db\u05dc \u05d4\u05d1\u05d3\u05d9\u05e7\u05d5\u05ea \u05e2\u05d5\u05d1\u05e8\u05d5\u05ea.",
        NOTHING,
    ),
    "JSON as a text": ('{"summary": "All tests pass.", "steps": ["I pushed."]}', NOTHING),
    "a fence that is not closed": ("```\nAll tests pass.", NOTHING),
    "nothing": ("", NOTHING),
    "blanks": (" \n\t\u00a0\n", NOTHING),
    "only what nobody sees": ("\u200b\ufeff\u200e", NOTHING),
    "a file with a sign without width": ("I updated app\u200b.cfg.", (set[str](), {"app.cfg"})),
    "a file in Arabic": ("\u062a\u0645 \u062a\u062d\u062f\u064a\u062b app.cfg", (set[str](), {"app.cfg"})),
    "a file of another script": ("I updated \u0430pp.cfg.", (set[str](), {"\u0430pp.cfg"})),
}


def reading(text: str, output: Json = None) -> Reading:
    """A text as it is read after nothing."""
    return read(Attempt(parts=(text,), output=output), Ledger(GateState(), GateConfig()))


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS.keys())
def test_an_unusual_text(text: str, expected: tuple[set[str], set[str]]) -> None:
    """The runs it states and what it names; a prompt is read in the same way."""
    found = reading(text)
    assert ({event for sentence in found.sentences for event in sentence.events}, {t.text for t in found.tokens}) == (
        expected
    )
    assert set(names_in(text)) == expected[1]
    assert asks_of(text) is not None
    assert isinstance(told_in(text), tuple)


def test_an_empty_text_has_no_sentence() -> None:
    """Nor has one of which nothing is seen."""
    assert [reading(text).sentences for text in ("", " \n", "\u200b")] == [(), (), ()]


def test_markdown_inside_a_typed_answer_counts() -> None:
    """Each string is a text of its own; a code block in it states nothing."""
    told = "## Done\n\n- All tests pass.\n\n```\nAll checks on CI pass.\n```"
    found = reading("", {"result": [{"summary": told}]})
    assert [s.text for s in found.sentences if s.events] == ["All tests pass."]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("UN\u200bVERIFIED: I could not look.", True),
        ("\ufeffUNVERIFIED: I could not look.", True),
        ("\u200f**UNVERIFIED** x", True),
        ("UNVERIFI\u0415D: x", False),
        ("UN VERIFIED: x", False),
    ],
)
def test_the_marker_is_what_is_seen(text: str, marked: bool) -> None:
    """Signs without width do not break it, letters of another script do."""
    assert is_marked(Attempt(parts=(text,)), "UNVERIFIED") is marked


def after_an_edit(answer: str, *, looked: bool) -> Decision:
    """The decision about an answer after an edit."""
    gate = Gate()
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    edit = {"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}
    gate.observe(ToolCall(tool="edit_file", args=edit, result="ok", call_id="1"))
    if looked:
        gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result="timeout = 30\n", call_id="2"))
    return gate.boundary_check(Attempt(parts=(answer,))).decision


@pytest.mark.parametrize(
    "answer",
    [
        "I upd\u0430ted app.cfg.",
        "\u05e2\u05d3\u05db\u05e0\u05ea\u05d9 \u05d0\u05ea app.cfg.",
        '{"summary": "I updated app.cfg."}',
        "\u200b",
        "I up\u200bdated app\u200b.cfg.",
    ],
)
def test_what_is_not_understood_is_no_way_around_the_floor(answer: str) -> None:
    """A change owes its look in whatever words it is told, and with the look every one is delivered."""
    assert after_an_edit(answer, looked=False) is Decision.REJECT
    assert after_an_edit(answer, looked=True) is Decision.ACCEPT


LONG = {
    "signs without width": "All te\u200bsts pass. ",
    "homoglyphs": "\u0410ll t\u0435sts p\u0430ss. ",
    "right to left": "\u05db\u05dc \u05d4\u05d1\u05d3\u05d9\u05e7\u05d5\u05ea \u05e2\u05d5\u05d1\u05e8\u05d5\u05ea. ",
    "accents": "gea\u0308ndert ",
    "mixed": "Все тесты проходят, and all tests pass. 所有测试通过。",
    "JSON": '{"a": "## Done\\n- All tests pass."}, ',
    "no-break spaces": "All\u00a0tests\u00a0pass\u00a0",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG.keys())
def test_a_long_text_is_read(piece: str) -> None:
    """200,000 characters of it, and of more the first 200,000; the benchmark of hostile texts measures the time."""
    text = piece * (200_000 // len(piece) + 1)
    found = reading(text + " Two tests fail.")
    assert found.truncated
    assert not any("tests_passed-red" in sentence.events for sentence in found.sentences)


def test_a_text_is_what_is_seen_of_it() -> None:
    """ASCII stays as it is; marks of other scripts are no signs without width."""
    assert visible("a\tb\n") == "a\tb\n"
    assert visible("e\u0301\u00a0\u202f\u200bx\ufeff") == "\u00e9  x"
    assert visible("\u5168\u3000\u89d2\uff1a") == "\u5168\u3000\u89d2\uff1a"
