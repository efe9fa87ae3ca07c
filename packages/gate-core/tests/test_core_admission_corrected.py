"""Corrections: what was taken back is neither stored nor done, what was put in its place is (spec 40)."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Gate, GateConfig
from gate_core.admission.action import Action
from gate_core.admission.asked import is_asked
from gate_core.admission.intent import intents_of, offers_of
from gate_core.admission.units import StateWrite
from gate_core.model.grants import Mood

WRITES: list[tuple[str, str, Any, Any]] = [
    ("You have my birthday as 3 May; it's actually 5 May.", "birthday", "5 May", "3 May"),
    ("The form says my name is Jon, but it's John.", "name", "John", "Jon"),
    ("I'm 34. Well, 35 since yesterday.", "age", 35, 34),
    ("Mein Budget ist 500, äh, 600 Euro.", "budget", 600, 500),
    ("Vivo en Madrid, digo, en Toledo.", "city", "Toledo", "Madrid"),
    ("誕生日は3月3日、いえ、3月4日です。", "birthday", "3月4日", "3月3日"),
    ("My doctor thinks I'm diabetic, but I'm not.", "name", None, "diabetic"),
    ("My sister's birthday is not 3 May; it's 5 May.", "birthday", None, "5 May"),
    ("I like tea. Well, coffee too.", "drink", "tea", None),
    ("I have two cats, and I'm not allergic.", "pets", "two cats", "allergic"),
]


@pytest.mark.parametrize(("said", "key", "good", "bad"), WRITES, ids=[row[0] for row in WRITES])
def test_the_last_word_on_a_value_counts(said: str, key: str, good: Any, bad: Any) -> None:
    """Also where it sets right what somebody else has noted down, but only of the speaker."""
    gate = Gate(GateConfig(layers={"writes": "block"}, audit=False))  # type: ignore[dict-item]
    gate.begin_turn(said)
    stored = [
        value is not None and gate.admit_write(StateWrite(subject="user-1", key=key, value=value)).accepted
        for value in (good, bad)
    ]
    assert stored == [good is not None, False]


REQUESTS: list[tuple[str, str, str]] = [
    ("Order the blue pen. No, not the blue one, the red one.", "red pen", "blue pen"),
    ("Order the blue pen. Not the blue one, but the red one please.", "red pen", "blue pen"),
    ("Bestell den blauen Stift. Nicht den blauen, sondern den roten.", "roten Stift", "blauen Stift"),
    ("Order paper and toner. No, not the toner, the ink.", "ink", "toner"),
]


@pytest.mark.parametrize(("said", "good", "bad"), REQUESTS, ids=[row[0] for row in REQUESTS])
def test_one_thing_is_put_in_the_place_of_another(said: str, good: str, bad: str) -> None:
    """And keeps what else was said of it."""
    asked = [is_asked(Action(family="order", objects=(thing,)), intents_of(said)) for thing in (good, bad)]
    assert asked == [True, False]


ANSWERS: list[tuple[str, list[str], list[str]]] = [
    ("👍", ["t-1"], ["t-2"]),
    ("👎", [], ["t-1"]),
    ("…", [], ["t-1"]),
    ("Yes, and T-2 as well.", ["t-1", "t-2"], ["t-3"]),
    ("Yes, and what about T-2?", [], ["t-2"]),
    ("I don't see why not, go ahead.", ["t-1"], ["t-2"]),
    ("I don't see why.", [], ["t-1"]),
    ("Yes, close T-2.", ["t-2"], ["t-3"]),
]


@pytest.mark.parametrize(("answer", "good", "bad"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_an_answer_to_an_offer(answer: str, good: list[str], bad: list[str]) -> None:
    """A sign is an answer; what is added to a yes is asked for too."""
    offers = offers_of("Shall I close T-1?")
    assert [offer.mood for offer in offers] == [Mood.OFFERED]
    heard = intents_of(answer, offers, turn=1)

    def asked(thing: str) -> bool:
        return is_asked(Action(family="close", objects=(thing,)), heard)

    assert [thing for thing in (*good, *bad) if asked(thing)] == good
