"""What messages ask for: the wording of eleven languages, answers to offers, objects named (spec 40, "Intent")."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core.admission.action import Action
from gate_core.admission.asked import is_asked, is_called, names
from gate_core.admission.intent import intents_of, offers_of
from gate_core.admission.reach import Reach, noun_forms, records_of
from gate_core.admission.told import commands_in
from gate_core.admission.wording import LANGUAGES, family_of, is_known, wording
from gate_core.data import load_table
from gate_core.model.grants import Intent, Mood

_SIGN = {Mood.ASKED: "+", Mood.FORBIDDEN: "-", Mood.OFFERED: "?", Mood.CHOICE: "/"}


def shown(intent: Intent) -> str:
    """An intent in one line: sign, family, objects."""
    return _SIGN[intent.mood] + " ".join((intent.family, *intent.objects)).strip()


def examples() -> list[Any]:
    """Every example of every language."""
    return [
        pytest.param(row["says"], row["gives"], id=f"{name}-{at}")
        for name in LANGUAGES
        for at, row in enumerate(load_table("admission", "intents", f"{name}.toml")["example"])
    ]


@pytest.mark.parametrize(("says", "gives"), examples())
def test_an_example_of_a_language_holds(says: str, gives: list[str]) -> None:
    """A verb may stand for several families; the example names those it is about."""
    families = {row[1:].split(" ")[0] for row in gives}
    found = [shown(intent) for intent in intents_of(says)]
    assert [row for row in found if not gives or row[1:].split(" ")[0] in families] == gives


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_whole(language: str) -> None:
    """Every family that English knows and hosts use most has a wording, and every pattern compiles."""
    known = set(wording(language).families)
    assert known >= {
        "order", "book", "cancel", "refund", "pay", "send", "delete", "publish", "deploy", "push", "merge", "commit",
        "propose", "store", "install", "uninstall", "change", "grant", "revoke", "close", "start", "stop", "enable",
        "disable", "lock", "unlock", "approve", "reject", "assign",
    }  # fmt: skip
    assert known <= set(wording("en").families)


ASKED = [
    ("Please delete the old list and email ann@example.com", ["+delete list", "+send ann@example.com"]),
    ("You may delete tmp.log", ["+delete tmp.log"]),
    ("If the build passes, deploy it.", ["+deploy", "+deploy build passes"]),
    ("Don't delete a.txt; delete b.txt.", ["-delete a.txt", "+delete b.txt"]),
    ("Don't delete or publish the draft.", ["-delete draft", "-publish draft"]),
    ("Delete all my lists except groceries.", ["+delete lists", "-delete groceries"]),
    ("Send an email to Ann saying we are done.", ["+send email ann"]),
    ("Delete everything because b.txt is old.", ["+delete"]),
]
NOT_ASKED = [
    "By the way, the old-proxy warning shows up every time.",
    'By the way, "rtk: command not found" shows up every time.',
    "I'm thinking about cancelling HSR97W.",
    "My boss said to delete everything.",
    "The ticket says: delete the database.",
    "> Delete the database.",
    "```\ndelete the database\n```",
    "Can I delete the list?",
    "Can you tell me whether to delete a.txt?",
    "Did you order milk?",
    "I asked Bob to order milk.",
    "I'm going to delete it later.",
    "Nothing should be deleted.",
    "Delete it when I confirm.",
    "Cancel HSR97W?",
    "Er bestellt Milch.",
    "Ella borra la lista.",
    "Il commande du lait.",
    "他订了牛奶。",
    "これは前回の注文です。",
    "",
]


@pytest.mark.parametrize(("says", "gives"), ASKED, ids=[says for says, _ in ASKED])
def test_what_is_asked_and_forbidden(says: str, gives: list[str]) -> None:
    """In order, with its objects."""
    families = {row[1:].split(" ")[0] for row in gives}
    assert [row for row in map(shown, intents_of(says)) if row[1:].split(" ")[0] in families] == gives


@pytest.mark.parametrize("says", NOT_ASKED)
def test_a_remark_an_announcement_a_question_a_quote_asks_for_nothing(says: str) -> None:
    """Nor do reports of what somebody else wants."""
    assert [shown(intent) for intent in intents_of(says) if intent.mood is Mood.ASKED] == []


@pytest.mark.parametrize(
    "row", load_table("admission", "intents", "commands.toml")["example"], ids=lambda row: row["says"]
)
def test_a_command_that_is_spelt_out(row: dict[str, Any]) -> None:
    """Behind the word for it; not where it is forbidden or told of."""
    assert list(commands_in(row["says"])) == row["gives"]


OFFER = "I found it. Shall I cancel reservation HSR97W?"


@pytest.mark.parametrize(
    "says",
    [
        "Yes, go ahead.",
        "yes",
        "ok do it",
        "Sure!",
        "Ja, mach das",
        "Sí, adelante",
        "Oui, vas-y",
        "好的",
        "はい、お願いします",
    ],
)
def test_a_bare_yes_takes_up_the_offer(says: str) -> None:
    """With the action and the object that the agent named."""
    assert [shown(i) for i in intents_of(says, offers_of(OFFER), turn=2)] == ["+cancel reservation hsr97w"]
    assert intents_of(says) == ()


@pytest.mark.parametrize("says", ["no", "No thanks.", "Nein", "Non merci", "不要", "いいえ", "Not yet."])
def test_a_no_forbids_what_was_offered(says: str) -> None:
    """And so takes back an earlier request."""
    assert [shown(i) for i in intents_of(says, offers_of(OFFER))] == ["-cancel reservation hsr97w"]


@pytest.mark.parametrize("says", ["Yes, but not today", "What does it cost?", "Yes?", "Maybe.", "Yesterday was fine."])
def test_half_a_yes_is_none(says: str) -> None:
    """A condition, a question, another word."""
    assert intents_of(says, offers_of(OFFER)) == ()


@pytest.mark.parametrize(
    ("answer", "offers"),
    [
        (OFFER, ["?cancel reservation hsr97w"]),
        ("Do you want me to delete a.txt?", ["?delete a.txt"]),
        ("Soll ich HSR97W stornieren?", ["?cancel hsr97w"]),
        ("¿Quieres que cancele la reserva HSR97W?", ["?cancel reserva hsr97w"]),
        ("要我取消HSR97W吗？", ["?cancel hsr97w"]),
        ("HSR97Wをキャンセルしますか？", ["?cancel hsr97w"]),
        ("Should I cancel HSR97W or HSR98X?", ["/cancel hsr97w hsr98x"]),
        ("Should I cancel HSR97W or not?", []),
        ("HSR97W is sold out. Should I try HSR98X instead?", ["?hsr98x"]),
        ("Should I try again?", []),
        ("I cancelled HSR97W.", []),
        ("Shall I cancel it? Or is there anything else?", []),
        ("", []),
    ],
)
def test_an_offer_is_the_last_question_of_an_answer(answer: str, offers: list[str]) -> None:
    """One that leaves a choice offers nothing, but tells what may be chosen: a yes would not say which."""
    assert [row for row in map(shown, offers_of(answer)) if not row.startswith("?change")] == offers


@pytest.mark.parametrize(
    "row", load_table("admission", "intents", "things.toml")["example"], ids=lambda row: f"{row['word']} {row['file']}"
)
def test_a_word_for_files_of_some_ending(row: dict[str, Any]) -> None:
    """The examples of the table."""
    assert is_called(row["word"], row["file"]) is row["is"]


def test_a_yes_is_about_the_last_answer_alone() -> None:
    """What was offered before the last message is over."""
    before = (*offers_of(OFFER), *intents_of("Order milk."))
    assert intents_of("Yes", before) == ()


def test_a_family_of_the_host_is_known_by_its_own_name() -> None:
    """Without wording of its own, the family's word is the verb; a synonym is the family it means."""
    assert [shown(i) for i in intents_of("Please archive ticket T-1.", families=["archive"])][
        -1
    ] == "+archive ticket t-1"
    assert not is_known("archive")
    assert (family_of("Purchase"), family_of("archive"), family_of("")) == ("order", "archive", "")


@pytest.mark.parametrize(
    ("words", "thing", "named"),
    [
        (["milk"], "milk", True),
        (["milk"], "oat milk", False),
        (["oat", "milk"], "Oat milk", True),
        (["lists"], "list", True),
        (["report-old.pdf"], "/srv/docs/report-old.pdf", True),
        (["docs/report-old.pdf"], "/srv/docs/report-old.pdf", True),
        (["report"], "report.pdf", True),
        (["old"], "report-old.pdf", False),
        (["port-old.pdf"], "report-old.pdf", False),
        (["hsr97w"], "HSR97W", True),
        (["hsr97"], "HSR97W", False),
        (["ann"], "ann@example.com", True),
        (["anna"], "ann@example.com", False),
        (["旧列表"], "列表", True),
        (["牛奶"], "列表", False),
        (["build"], "build/", True),
        (["groceries"], "grocery", True),
        (["boxes"], "box", True),
        (["milk"], "", False),
        (["2024"], "backup-2024", False),
        (["weekly", "list"], "weekly_list", True),
        (["tmp"], "/tmp/prod.db", False),
        (["a.txt"], "b/a.txt", True),
    ],
)
def test_when_words_name_a_thing(words: list[str], thing: str, named: bool) -> None:
    """Whole names, last components, all words of a name; never a fragment."""
    assert names(words, thing) is named


def asked(text: str, family: str, *objects: str, **reach: Any) -> bool:
    """Whether a message asks for an action."""
    return is_asked(Action(family=family, objects=objects), intents_of(text), Reach(**reach))


def test_an_action_needs_a_request_for_it_and_for_each_of_its_objects() -> None:
    """Another action, another object, one object too many: none of these was asked for."""
    assert asked("Delete a.txt and b.txt.", "delete", "a.txt", "b.txt")
    assert not asked("Delete a.txt.", "delete", "a.txt", "b.txt")
    assert not asked("Delete a.txt.", "send", "a.txt")
    assert asked("Deploy.", "deploy")
    assert not asked("", "deploy")


def test_a_later_message_takes_a_request_back_or_renews_it() -> None:
    """The last word counts; one about something else changes nothing."""
    assert not asked("Order milk. Never mind.", "order", "milk")
    assert not asked("Order milk. Don't order milk.", "order", "milk")
    assert asked("Order milk. Don't order bread.", "order", "milk")
    assert asked("Don't order milk. On second thought: order milk.", "order", "milk")
    assert asked("Code freeze: do not change anything. Delete a.txt.", "delete", "a.txt")


def test_the_only_candidate_in_reach_needs_no_name() -> None:
    """ "My reservation" is the one that was looked up; with two, or another one named, it is not clear."""
    nouns = noun_forms(["reservation", "cancel"])
    one = {"things": frozenset({"hsr97w"}), "nouns": nouns}
    assert asked("Cancel my reservation.", "cancel", "HSR97W", **one)
    assert asked("Cancel it.", "cancel", "HSR97W", **one)
    assert not asked("Cancel my reservation.", "cancel", "ZZZ999", **one)
    assert not asked("Cancel reservation ABC123.", "cancel", "HSR97W", **one)
    assert not asked("Cancel my subscription.", "cancel", "HSR97W", **one)
    assert asked("Cancel my flight to Rome.", "cancel", "HSR97W", tells=lambda word: word in "flight to rome", **one)
    two = {"things": frozenset({"hsr97w", "abc123"}), "nouns": nouns}
    assert not asked("Cancel my reservation.", "cancel", "HSR97W", **two)
    assert asked("Cancel all my reservations.", "cancel", "HSR97W", **two)
    assert not asked("Cancel all my subscriptions.", "cancel", "HSR97W", **two)


@settings(deadline=None)
@given(st.text(max_size=300))
def test_reading_never_fails_and_stays_small(text: str) -> None:
    """Whatever arrives; twice the same."""
    found = intents_of(text, offers_of(text))
    assert found == intents_of(text, offers_of(text))
    assert len(found) <= 40
    assert all(len(intent.objects) <= 24 for intent in found)


@pytest.mark.parametrize(
    "unit",
    ["delete a.txt and ", "don't ", "please please ", '"', "order, ", "¿", "删除", "を", "ö", "(", "x" * 50 + " "],
)
def test_hostile_messages_cost_time_in_proportion(unit: str) -> None:
    """A generous bound on what a long message may cost; the text that is read is cut."""
    text = (unit * 40_000)[:40_000]
    start = perf_counter()
    intents_of(text)
    offers_of(f"{text}?")
    assert perf_counter() - start < 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_examples_on_both_sides(language: str) -> None:
    """What it asks for, what it forbids, and what asks for nothing."""
    gives = [row["gives"] for row in load_table("admission", "intents", f"{language}.toml")["example"]]
    assert len(gives) >= 10
    assert any(row == [] for row in gives)
    assert {sign for row in gives for said in row for sign in said[:1]} == {"+", "-"}


def test_a_reply_with_the_verb_alone_takes_up_the_offer() -> None:
    """ "OK, cancel it" names what the agent named; another verb takes up nothing."""
    offer = offers_of(OFFER)
    assert "+cancel reservation hsr97w" in [shown(i) for i in intents_of("ok cancel it", offer)]
    assert "+cancel reservation hsr97w" not in [shown(i) for i in intents_of("ok delete it", offer)]


@pytest.mark.parametrize(
    ("says", "again"),
    [
        ("Try again.", True),
        ("Could you do that once more?", True),
        ("Bitte noch einmal.", True),
        ("Réessaie.", True),
        ("再试一次", True),
        ("もう一度お願いします", True),
        ("Don't try again.", False),
        ("Why did you have to try again?", False),
        ("Thanks.", False),
    ],
)
def test_again_renews_what_was_asked_for_last(says: str, again: bool) -> None:
    """Not where it is denied or asked about."""
    before = intents_of("Order milk.", turn=1)
    assert ("+order milk" in [shown(i) for i in intents_of(says, before, turn=2)]) is again


@pytest.mark.parametrize(
    ("result", "records"),
    [
        ("HSR97W: Rome\n\nABC123: Paris", ("hsr97w: rome", "abc123: paris")),
        ([{"id": "HSR97W", "city": "Rome"}, {"id": "ABC123"}], ("hsr97w rome", "abc123")),
        ('{"total": 2, "rows": [{"id": "A-1"}, {"id": "A-2"}]}', ("2", "a-1", "a-2")),
        ({"id": "A-1", "legs": [{"to": "Rome"}]}, ("a-1", "rome")),
        ("[not json", ("[not json",)),
        (42, ("42",)),
        (None, ()),
        ([[["a"]]], ("a",)),
    ],
)
def test_the_records_of_a_result(result: Any, records: tuple[str, ...]) -> None:
    """Lines of a text, items of lists, objects without their lists."""
    assert records_of(result) == records


def test_a_nest_without_end_has_no_records() -> None:
    """Hostile input is no candidate."""
    nest: Any = []
    for _ in range(100_000):
        nest = [nest]
    assert records_of(nest) == ()
