"""The seat before a state write: what a user stated of themselves may be stored, and nothing else (spec 40)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import Gate, GateConfig
from gate_core.admission.stated import statements_of
from gate_core.admission.supported import as_number, holds, same_number
from gate_core.admission.units import StateWrite
from gate_core.checks.writes import states
from gate_core.data import load_table
from gate_core.model.grants import About

INFERRED, SCOPE, EMPTY, CONFLICT = "inferred-not-stated", "scope-violation", "write-empty", "conflicting-values"


def code(said: str | list[str], key: str, value: Any, *, subject: str = "user-1", grade: str = "stated") -> str:
    """The code of a write after these messages, "" when it may be stored."""
    gate = Gate(GateConfig(layers={"writes": "block"}, audit=False))  # type: ignore[dict-item]
    for text in [said] if isinstance(said, str) else said:
        gate.begin_turn(text)
    verdict = gate.admit_write(StateWrite(subject=subject, key=key, value=value, grade=grade))
    assert verdict.accepted is not bool(verdict.blocking)
    return verdict.codes[0] if verdict.codes else ""


STORED: list[tuple[str, str, Any]] = [
    ("We're running low on milk.", "milk_stock", "low"),
    ("I'm vegetarian.", "diet", "vegetarian"),
    ("My name is Ada.", "name", "Ada"),
    ("My name is Ada.", "name", "ADA"),
    ("I live in New York.", "city", "New York"),
    ("My budget is 1,410 euros.", "budget", 1410),
    ("My budget is $50.", "budget", "$50"),
    ("I have 2 cats and 3 dogs.", "pets", [2, 3]),
    ("I take no sugar.", "coffee", "no sugar"),
    ("I don't eat meat; I'm vegan.", "diet", "vegan"),
    ("I'm not vegetarian but vegan.", "diet", "vegan"),
    ("No, I'm vegan.", "diet", "vegan"),
    ("My wife and I are vegan.", "diet", "vegan"),
    ("I am vegetarian.", "vegetarian", True),
    ("I am not vegetarian.", "vegetarian", False),
    ("Ich bin Vegetarier.", "diet", "Vegetarier"),
    ("Soy vegetariana.", "diet", "vegetariana"),
    ("Je suis végétarienne.", "diet", "végétarienne"),
    ("我吃素。", "diet", "素"),
    ("私は東京に住んでいます。", "city", "東京"),
    ("I live with my sister in Rome.", "city", "Rome"),
    ("My phone is +49 30 1234567.", "phone", "+49 30 1234567"),
    ("My mail is ada@x.org", "mail", "ada@x.org"),
    ("My rate is 12.5 %", "rate", 12.5),
    ("我的预算是500元。", "budget", 500),
    ("予算は500円です。", "budget", 500),
    ("We have three kids.", "kids", 3),
    ("I was born on 3 May 1990.", "birthday", "1990-05-03"),
]


@pytest.mark.parametrize(("said", "key", "value"), STORED, ids=[f"{said} {value!r}" for said, _, value in STORED])
def test_what_was_stated_may_be_stored(said: str, key: str, value: Any) -> None:
    """In whole words, as an equal number, in any script."""
    assert code(said, key, value) == ""


REFUSED: list[tuple[str, str, Any, str]] = [
    ("We're running low on milk.", "preferred_brand", "Oatly", INFERRED),
    ("We're running low on milk.", "budget", "$50", INFERRED),
    ("We're running low on milk.", "milk_stock", "", EMPTY),
    ("We're running low on milk.", "milk_stock", None, EMPTY),
    ("We're running low on milk.", "milk_stock", "  ", EMPTY),
    ("We're running low on milk.", "milk_stock", [], EMPTY),
    ("We're running low on milk.", "milk_stock", {"a": ""}, EMPTY),
    ("We're running low on milk.", "milk_stock", "...", EMPTY),
    ("I am not vegetarian.", "diet", "vegetarian", INFERRED),
    ("Am I vegetarian?", "diet", "vegetarian", INFERRED),
    ("I'm no vegetarian.", "diet", "vegetarian", INFERRED),
    ("I never drink coffee.", "drink", "coffee", INFERRED),
    ("I paid 14100 euros.", "budget", 410, INFERRED),
    ("I paid 14,100 euros.", "budget", 100, INFERRED),
    ("I paid 4.10 euros.", "budget", 410, INFERRED),
    ("我付了14100元。", "budget", 410, INFERRED),
    ("We have three kids.", "kids", 4, INFERRED),
    ("I was born on 3 May 1990.", "birthday", "1990-05-04", INFERRED),
    ("My budget is not 410.", "budget", 410, INFERRED),
    ("I like peanuts.", "likes", "nuts", INFERRED),
    ("I like nuts.", "likes", "nut", INFERRED),
    ("There is no such term.", "term", "term", INFERRED),
    ("If I were vegetarian I'd cook more.", "diet", "vegetarian", INFERRED),
    ("Maybe I'm vegetarian.", "diet", "vegetarian", INFERRED),
    ("My sister Ana is allergic to nuts.", "allergy", "nuts", SCOPE),
    ("Ana is allergic to nuts.", "allergy", "nuts", SCOPE),
    ("She loves jazz.", "music", "jazz", SCOPE),
    ("Mein Bruder mag Jazz.", "music", "Jazz", SCOPE),
    ("Mi hermana es vegetariana.", "diet", "vegetariana", SCOPE),
    ("Ma sœur est végétarienne.", "diet", "végétarienne", SCOPE),
    ("我妹妹吃素。", "diet", "素", SCOPE),
    ("妹は東京に住んでいます。", "city", "東京", SCOPE),
    ("Ich bin kein Vegetarier.", "diet", "Vegetarier", INFERRED),
    ("No soy vegetariana.", "diet", "vegetariana", INFERRED),
    ("Je ne suis pas végétarienne.", "diet", "végétarienne", INFERRED),
    ("我不吃素。", "diet", "素", INFERRED),
    ("I am vegetarian.", "vegetarian", False, INFERRED),
    ("I am tall.", "vegetarian", True, INFERRED),
    ("> I am vegan", "diet", "vegan", INFERRED),
    ('He said "I am a very happy vegan now".', "diet", "vegan", INFERRED),
    ("I'm vegan.", "diet", ["vegan", "Oatly"], INFERRED),
    ("I used to be vegetarian.", "diet", "vegetarian", INFERRED),
    ("I'm vegan.", "", "vegan", EMPTY),
]


@pytest.mark.parametrize(("said", "key", "value", "why"), REFUSED, ids=[f"{r[0]} {r[2]!r}" for r in REFUSED])
def test_what_was_not_stated_may_not_be_stored(said: str, key: str, value: Any, why: str) -> None:
    """Invented, denied, asked, supposed, a fragment, somebody else's, or nothing at all."""
    assert code(said, key, value) == why


@pytest.mark.parametrize("grade", ["stated", "inferred", "guess", "", "low"])
def test_a_lower_grade_dodges_nothing(grade: str) -> None:
    """How sure the writer says to be is no evidence."""
    assert code("We're running low on milk.", "brand", "Oatly", grade=grade) == INFERRED


def test_a_statement_of_one_user_is_not_stored_for_another() -> None:
    """Nor for one nobody knows."""
    assert code("I'm vegan.", "diet", "vegan", subject="user-2") == SCOPE
    assert code("I'm vegan.", "diet", "Oatly", subject="user-2") == INFERRED
    assert code("I'm vegan.", "diet", "vegan", subject=" ") == EMPTY


def test_two_people_in_one_sentence_and_whose_cat_it_is() -> None:
    """Each half is about its own subject; a key may be about somebody of the user's."""
    both, cat = "My wife is called Ana and I am called Bob.", "Our cat is called Milo."
    assert (code(both, "name", "Bob"), code(both, "name", "Ana")) == ("", SCOPE)
    assert (code(cat, "cat_name", "Milo"), code(cat, "name", "Milo")) == ("", SCOPE)


@pytest.mark.parametrize(
    ("said", "key", "old", "new"),
    [
        (["My budget is 50.", "Sorry, my budget is 80."], "budget", 50, 80),
        (["I live in Rome.", "I live in Paris."], "city", "Rome", "Paris"),
        (["I'm vegan.", "I am not vegan anymore. I eat meat."], "diet", "vegan", "meat"),
        (["My budget is 50, no wait, the budget should be 80."], "budget", 50, 80),
    ],
)
def test_the_last_stated_value_counts(said: list[str], key: str, old: Any, new: Any) -> None:
    """An older one is in conflict with it."""
    assert code(said, key, old) == CONFLICT
    assert code(said, key, new) == ""


def test_a_figure_taken_back_in_the_same_breath_is_old() -> None:
    """ "500, no wait, 600", in several languages; a remark in between takes nothing back."""
    for text in (
        "My budget is 500, no wait, 600 euros.",
        "Mein Budget ist 500, nein, 600 Euro.",
        "预算是500，不对，600。",
    ):
        assert code(text, "budget", 500) == CONFLICT
        assert code(text, "budget", 600) == ""
    assert code("My budget is 500, I think, and I have 2 cats.", "budget", 500) == ""


def test_another_matter_is_no_later_value() -> None:
    """What is said of other keys and of other people changes nothing."""
    said = ["My budget is 50.", "I have 3 cats.", "My sister's budget is 80."]
    assert code(said, "budget", 50) == ""


def test_a_refusal_carries_no_text_of_the_user() -> None:
    """The key is named, the value is not."""
    gate = Gate(GateConfig(layers={"writes": "block"}, audit=False))  # type: ignore[dict-item]
    gate.begin_turn("Hello.")
    verdict = gate.admit_write(StateWrite(subject="user-1", key="brand", value="Oatly"))
    assert "Oatly" not in verdict.feedback
    assert "brand" in verdict.feedback
    assert verdict.feedback.startswith("[gate] This was not stored:")


def test_a_layer_that_is_off_keeps_no_words() -> None:
    """What a user says is kept for the layers that need it alone."""
    gate = Gate()
    gate.begin_turn("I'm vegan.")
    assert gate.state.grants.to_json() == []
    assert gate.admit_write(StateWrite(subject="user-1", key="diet", value="Oatly")).accepted


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("I am here", About.SELF),
        ("my dog is ill", About.OTHER),
        ("my budget is 5", About.SELF),
        ("Bob likes tea", About.OTHER),
        ("it rains", About.OPEN),
        ("my wife and I travel", About.SELF),
        ("my wife says I snore", About.OTHER),
    ],
)
def test_whom_a_clause_is_about(text: str, about: About) -> None:
    """The first word that says so."""
    assert [clause.about for clause in statements_of(text)] == [about]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,410", 1410.0),
        ("1.410,50", 1410.5),
        ("1'000", 1000.0),
        ("12.5", 12.5),
        ("x", None),
        ("$5", 5.0),
        ("4-5", None),
    ],
)
def test_a_written_number_is_read(text: str, number: float | None) -> None:
    """Grouping marks of several countries."""
    assert as_number(text) == number


def test_a_number_with_two_readings_matches_either() -> None:
    """1.410 may be 1410 or 1.41."""
    assert same_number("1.410", 1410.0)
    assert same_number("1.410", 1.41)
    assert not same_number("14100", 410.0)
    assert not holds("x", None)
    assert not holds("true", True)


@settings(deadline=None)
@given(st.text(max_size=200), st.text(min_size=1, max_size=10))
def test_reading_never_fails(text: str, value: str) -> None:
    """Whatever arrives."""
    code(text, "key", value)


@settings(deadline=None)
@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_a_number_is_stated_only_by_an_equal_one(said: int, stored: int) -> None:
    """Never by its digits inside of another."""
    assert (code(f"My budget is {said} euros.", "budget", stored) == "") is (said == stored)


@pytest.mark.parametrize(
    "row", load_table("checks", "writes.toml")["examples"], ids=lambda row: f"{row['says']} {row['key']}"
)
def test_the_words_of_keys(row: dict[str, Any]) -> None:
    """The examples of the table: what was so before belongs under a key that says so."""
    (clause,) = statements_of(row["says"])
    assert states(clause, row["value"], row["key"]) is row["states"]
