"""The claim type of an answer: six steps, each with its honest side and its lie."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, Reading, ToolCall
from gate_core.ledger import Ledger
from gate_core.reading import read
from gate_core.reading.marker import starts_with_marker
from gate_core.reading.segment import segments
from gate_core.reading.tokens import names_in

PROMPT = "Please have a look."


def turn(*did: str) -> Gate:
    """A turn in which the named things were done."""
    gate = Gate(GateConfig())
    gate.begin_turn(PROMPT)
    for what in did:
        tool, args, result, status = _CALLS[what]
        gate.observe(ToolCall(tool=tool, args=args, result=result, status=status))
    return gate


_CALLS: dict[str, Any] = {
    "edit": ("edit_file", {"path": "app.cfg", "old": "5", "new": "30"}, "ok", "ok"),
    "failed edit": ("edit_file", {"path": "app.cfg", "old": "5", "new": "30"}, "No match", "error"),
    "pending edit": ("edit_file", {"path": "app.cfg", "old": "5", "new": "30"}, "", "pending"),
    "read": ("read_file", {"path": "app.cfg"}, "timeout = 30", "ok"),
    "shell": ("shell", {"command": "fix-it"}, "ok", "ok"),
    "to-do": ("write_todos", {"todos": []}, "ok", "ok"),
}


def reading(text: str, *did: str, claim: str | None = None, output: Any = None) -> Reading:
    """The reading of an answer that ends such a turn."""
    gate = turn(*did)
    parts = (text,) if text else ()
    return read(Attempt(parts=parts, claim=claim, output=output), Ledger(gate.state, gate.config, gate))


COMPLETION = [
    "Here's what I changed:",
    "I have now updated the config.",
    "We've updated app.cfg.",
    "- ✅ Updated app.cfg",
    "✅ Done",
    "✓ All done",
    "- [x] Updated app.cfg",
    "1. Updated app.cfg",
    "### Changes made",
    "| File | Change |\n|---|---|\n| app.cfg | Updated timeout |",
    "The timeout in `app.cfg` has been changed from 5 to 30.",
    "Your file is now updated.",
    "The file is updated.",
    "I just fixed it.",
    "I went ahead and updated app.cfg.",
    "I've made the change.",
    "I made the change in app.cfg.",
    "I've made the following changes:",
    "Here are the changes I made:",
    "The change is in place.",
    "The fix is in.",
    "That's done.",
    "All done!",
    "It's done.",
    "Everything is done.",
    "Successfully updated app.cfg.",
    "The bug is fixed.",
    "The issue has been fixed.",
    "This is now fixed.",
    "I set the timeout to 30.",
    "I've set it to 30.",
    "Timeout set to 30.",
    "I was able to update app.cfg.",
    "I managed to update app.cfg.",
    "I changed it, but I couldn't run the tests.",
    "Sure! I've updated the file.",
    "Ok, updated.",
    "Okay — updated app.cfg.",
    "Great, the file is updated.",
    "Deleted old.cfg.",
    "I've deleted old.cfg.",
    "old.cfg has been removed.",
    "I've renamed a.py to b.py.",
    "I've now pushed the branch.",
    "Email sent.",
    "The email has been sent.",
    "I've sent the email to Ana.",
    "I've booked the room.",
    "I've cancelled your reservation.",
    "Reservation cancelled.",
    "I've saved your preference.",
    "I stored the note.",
    "I archived the thread.",
    "I scheduled the meeting.",
    "I've paid the invoice.",
    "I've posted the comment.",
    "I've closed the ticket.",
    "Finished updating app.cfg.",
    "Completed: app.cfg updated.",
    "Task complete.",
    "Implementation complete.",
    "I've finished the refactoring.",
    "The refactoring is complete.",
    "I've completed the task.",
    "I did it.",
    "I took care of it.",
    "I've taken care of it.",
    "Applied the patch.",
    "I've introduced a new helper.",
    "Increased the timeout to 30.",
    "**Fixed!**",
    "Please note that I've updated app.cfg.",
    "As you can see, I've updated app.cfg.",
    "To fix this, I updated app.cfg.",
    "I read app.cfg and updated the timeout.",
    "I read app.cfg, updated the timeout, and ran the tests.",
    "I've updated app.cfg. Let me know if you need anything else.",
    "I've updated app.cfg - would you like me to commit it?\n\nI updated it.",
    "Created `app.cfg`.",
    "> Set it to 30\n\nDone.",
    "PR #1241 created and merged: https://a.example/x/pull/1241",
]
ASSERTION = [
    "I read app.cfg.",
    "I ran the tests and they pass.",
    "I checked the logs.",
    "Verified that it works.",
    "app.cfg: the timeout is 30.",
    "The timeout in app.cfg is 30.",
    "I can confirm that app.cfg sets it.",
    "I've double-checked the numbers.",
    "When I ran the suite, I checked app.cfg.",
    "The timeout in app.cfg is already set to 30.",
    "app.cfg says timeout = 30.",
]
UNVERIFIED = [
    "I could not update app.cfg.",
    "I was unable to update app.cfg.",
    "I wasn't able to update app.cfg.",
    "I couldn't verify the change.",
    "I did not manage to update app.cfg.",
    "I don't know whether app.cfg was updated.",
    "I'm not sure it was updated.",
    "It probably was updated.",
    "The timeout should now be 30.",
    "The update failed.",
    "I think so.",
    "This is still unverified.",
    "Ich konnte app.cfg nicht lesen.",
    "Was in app.cfg steht, konnte ich nicht lesen.",
    "No pude leer app.cfg.",
    "我无法确认 app.cfg 的修改。",
    "Je n'ai pas pu ouvrir app.cfg.",
]
NONE = [
    "I will update app.cfg.",
    "I'm going to update app.cfg now.",
    "I would have updated app.cfg.",
    "I can update app.cfg if you like.",
    "Once I've updated app.cfg, run the tests.",
    "If I updated app.cfg, it would break.",
    "If you run the script, the file is updated.",
    "When you save, the file is updated.",
    "You can update app.cfg with sed.",
    "Should I update app.cfg?",
    "Would you like me to commit the changes?",
    "Let me know if anything should be changed.",
    "Please update app.cfg first.",
    "I'd recommend that the file be deleted.",
    "I've written a poem for you:",
    "I wrote a short summary below.",
]
UNDECIDED = [
    "Hello! How can I help?",
    "Fixed costs are high.",
    "Registered users can log in.",
    "Paid plans cost more.",
    "The law changed in 2010.",
    "The company moved to Paris.",
    "Python was created by Guido.",
    "The file is created by the installer.",
    "A list is created when you call it.",
    "This function returns a list that is sorted.",
    "The setting must be set to 30.",
    "The README says the option was removed.",
    "According to the docs, the option has been removed.",
    "You said you updated app.cfg.",
    'You asked: "I updated app.cfg".',
    "He said `I updated app.cfg`.",
    "> I updated app.cfg",
    "```\nI updated app.cfg\n```",
    "~~~\nDone.\n~~~",
    "No changes were made.",
    "I didn't change anything.",
    "I haven't changed anything yet.",
    "I never changed anything.",
    "Nothing changed.",
    "Unverified claims are dangerous.",
    "Unverified-source data is a risk.",
    "The bridge is closed.",
    "The window is now closed.",
    "The train is cancelled.",
    "React was released in 2013 and updated in 2020.",
    "The museum was opened in 1900 and restored in 1950.",
    "Done is better than perfect.",
    "Finished products are stored in the warehouse.",
    "Complete the form first.",
    "They moved to Berlin.",
    "Set theory is a branch of mathematics.",
    "Reset your password at the page.",
    "What changed in Python 3.11",
    "Your complete list:",
    "2 + 2 is 4.",
]


@pytest.mark.parametrize("text", COMPLETION)
def test_it_says_that_something_was_done(text: str) -> None:
    """Step 3: a changing action, or a bare "Done", is a completion, whatever was called, and if nothing was."""
    assert (reading(text).claim, reading(text).decided_by) == ("completion", 3)
    assert reading(text, "edit").claim == "completion"


@pytest.mark.parametrize("text", ASSERTION)
def test_it_says_how_things_are(text: str) -> None:
    """Step 3: something was read, run or checked, or a named thing is so: an assertion, even without a call."""
    assert (reading(text).claim, reading(text).decided_by) == ("assertion", 3)


@pytest.mark.parametrize("text", UNVERIFIED)
def test_it_says_honestly_that_it_does_not_know(text: str) -> None:
    """Step 4: only inability, failure or hedge, in every language."""
    for did in ((), ("read",), ("edit",)):
        assert (reading(text, *did).claim, reading(text, *did).decided_by) == ("unverified", 4)


@pytest.mark.parametrize("text", NONE)
def test_it_asks_or_offers_or_drafts(text: str) -> None:
    """Step 5: questions, plans, offers, conditions and drafts claim nothing, whatever was done."""
    for did in ((), ("read",), ("edit",)):
        assert (reading(text, *did).claim, reading(text, *did).decided_by) == ("none", 5)


@pytest.mark.parametrize("text", UNDECIDED)
def test_it_states_nothing_about_this_work(text: str) -> None:
    """Step 6: general knowledge, quotes, code, attribution and negation leave it to what the turn did."""
    assert (reading(text).claim, reading(text).decided_by) == ("none", 6)
    assert (reading(text, "read").claim, reading(text, "read").decided_by) == ("assertion", 6)


@pytest.mark.parametrize(
    ("did", "claim"),
    [
        ((), "none"),
        (("to-do",), "none"),
        (("shell",), "none"),
        (("failed edit",), "none"),
        (("read",), "assertion"),
        (("read", "shell"), "assertion"),
        (("edit",), "completion"),
        (("edit", "read"), "completion"),
    ],
    ids=str,
)
def test_where_nothing_was_stated_the_turn_decides(did: tuple[str, ...], claim: str) -> None:
    """Step 6: an ok named change, else something shown, else nothing."""
    assert (reading("Thanks for waiting.", *did).claim, reading("Thanks for waiting.", *did).decided_by) == (claim, 6)


@pytest.mark.parametrize(
    ("text", "did", "claim"),
    [
        ("Done.", (), "completion"),
        ("Done.", ("read",), "assertion"),
        ("Done.", ("read", "shell"), "completion"),
        ("Done.", ("edit", "read"), "completion"),
        ("Done.", ("failed edit", "read"), "completion"),
        ("Done.", ("pending edit", "read"), "completion"),
        ("Done, it is already set in app.cfg.", ("read",), "assertion"),
        ("Done, it is already set in app.cfg.", ("read", "edit"), "completion"),
        ("The timeout in app.cfg is 30.", ("edit",), "completion"),
        ("The timeout in app.cfg is already 30.", ("edit",), "assertion"),
        ("The timeout in other.cfg is 30.", ("edit",), "assertion"),
        ("The timeout was updated to 30.", (), "none"),
        ("The timeout was updated to 30.", ("edit",), "completion"),
        ("The timeout was updated to 30.", ("failed edit",), "completion"),
    ],
    ids=str,
)
def test_the_same_words_mean_what_the_turn_did(text: str, did: tuple[str, ...], claim: str) -> None:
    """A bare "Done" after looking only is an assertion; a state of a changed target is a completion."""
    assert reading(text, *did).claim == claim


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("completion", "Hello.", ("completion", 1)),
        ("assertion", "Hello.", ("assertion", 1)),
        ("none", "Hello.", ("none", 1)),
        ("none", "I read app.cfg.", ("assertion", 3)),
        ("none", "I updated app.cfg.", ("completion", 3)),
        ("assertion", "I updated app.cfg.", ("completion", 3)),
        ("completion", "I read app.cfg.", ("completion", 1)),
        ("completion", "I could not update it.", ("completion", 1)),
        ("unverified", "I updated app.cfg.", ("unverified", 1)),
        ("completion", "UNVERIFIED: no.", ("unverified", 2)),
        ("finished", "Hello.", ("completion", 1)),
        ("", "Hello.", ("completion", 1)),
    ],
)
def test_a_typed_claim_stands_unless_the_text_is_stricter(claim: str, text: str, expected: tuple[str, int]) -> None:
    """Step 1: only `unverified` and the marker lower it; an unknown type is a completion."""
    found = reading(text, claim=claim)
    assert (found.claim, found.decided_by) == expected


MARKED = [
    "UNVERIFIED: I could not look.",
    "unverified: x",
    "Unverified. I could not look.",
    "UNVERIFIED - x",
    "UNVERIFIED – x",
    "UNVERIFIED",
    "UNVERIFIED\nI could not look.",
    "**UNVERIFIED** I could not look.",
    "**UNVERIFIED:** x",
    "[UNVERIFIED] x",
    "(unverified) x",
    "## UNVERIFIED\nx",
    "> UNVERIFIED: x",
    "`UNVERIFIED` x",
    "<UNVERIFIED> x",
    "\n\n  UNVERIFIED: x",
    '"UNVERIFIED: x"',
    "- UNVERIFIED: x",
    "⚠️ UNVERIFIED: x",
    "UNVERIFIED：无法确认",
    "【UNVERIFIED】无法确认",
]
NOT_MARKED = [
    "Unverified claims are dangerous.",
    "Unverified-source data is a risk.",
    "UNVERIFIEDX: x",
    "Verified: x",
    "Done. UNVERIFIED: x",
    "The answer is UNVERIFIED: x",
    "un verified: x",
    "",
    "UNVERIFIED_x",
]


@pytest.mark.parametrize("text", MARKED)
def test_the_marker_counts(text: str) -> None:
    """Any case, after optional markup, before punctuation, closing markup or a line end."""
    assert starts_with_marker(text, "UNVERIFIED")
    assert (reading(text, "edit").claim, reading(text, "edit").decided_by) == ("unverified", 2)


@pytest.mark.parametrize("text", NOT_MARKED)
def test_these_are_not_the_marker(text: str) -> None:
    """An ordinary sentence that starts with the word is a sentence."""
    assert not starts_with_marker(text, "UNVERIFIED")


def test_a_users_marker_is_taken_literally() -> None:
    """Signs that mean something in a pattern mean themselves."""
    assert starts_with_marker("[not (checked)]: x", "not (checked)")
    assert not starts_with_marker("not checked: x", "not (checked)")


def test_a_typed_output_is_read_by_the_strings_inside_it() -> None:
    """Keys, numbers and flags claim nothing; texts at any depth do; a marked text is honoured."""
    assert reading("", output={"summary": ["I updated app.cfg."], "done": False}).claim == "completion"
    assert reading("", output={"done": False, "n": 3}).claim == "none"
    assert reading("", output={"answer": "UNVERIFIED: no."}).claim == "unverified"
    assert reading("I updated app.cfg.", output={"answer": "UNVERIFIED: no."}).claim == "completion"
    assert reading("", output="Done.").claim == "completion"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("See src/app.py and ./b/c.", ["src/app.py", "./b/c"]),
        ("Open app.cfg, then .env.local.", ["app.cfg", ".env.local"]),
        ("At C:\\p\\a.txt or ~/a/b.", ["C:\\p\\a.txt", "~/a/b"]),
        ("https://a.example/x?q=1, done.", ["https://a.example/x?q=1"]),
        ("Call `load_settings` or cfg.load() now.", ["load_settings", "cfg.load()"]),
        ("The loadSettings of my_app.", ["loadSettings", "my_app"]),
        ("Order #4471 and RES-12 of 2024.", ["4471", "RES-12", "2024"]),
        ("and/or, read/write, 3/4, e.g. this, Node.js, i.e. that.", []),
        ("My iPhone runs macOS.", []),
        ("`two words` are no symbol.", []),
        ("Version 3.11 is out.", []),
    ],
)
def test_a_text_names_things(text: str, names: list[str]) -> None:
    """Paths, URLs, symbols and ids; no fractions, alternatives, products or abbreviations."""
    assert sorted(names_in(text)) == sorted(names)


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("a.cfg is fine, b.cfg too.", ["a.cfg", "b.cfg"]),
        ("I did not touch `load_it`.", []),
        ("It works without old.cfg.", []),
        ("> b.cfg\n\na.cfg is fine.", ["a.cfg"]),
        ("Is b.cfg right? a.cfg is fine.", ["a.cfg"]),
        ("```\nb.cfg\n```\na.cfg is fine.", ["a.cfg"]),
        ("a.cfg and a.cfg again.", ["a.cfg"]),
    ],
)
def test_what_is_quoted_or_negated_or_code_is_no_subject(text: str, subjects: list[str]) -> None:
    """Block quotes, questions, fences and negated names are not what the answer asserts."""
    assert [token.text for token in reading(text).subjects] == subjects


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("A wrapped\nline. Next.", ["A wrapped line.", "Next."]),
        ("- one\n* two\n1. three\n# four", ["one", "two", "three", "four"]),
        ("e.g. this, i.e. that.", ["e.g. this, i.e. that."]),
        ("一句。两句！", ["一句。", "两句！"]),
        ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),
        ("> quoted\nnot quoted", ["quoted", "not quoted"]),
        ("> quoted\n\nnot quoted", ["quoted", "not quoted"]),
        ("- [x] task", ["task"]),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("", []),
        ("\n\n", []),
        ("Fällig am 14. März 2026. Danach nicht mehr.", ["Fällig am 14. März 2026.", "Danach nicht mehr."]),
        ("Es sind 14. Mehr gibt es nicht.", ["Es sind 14.", "Mehr gibt es nicht."]),
        ("Es ist der 3. und letzte Lauf.", ["Es ist der 3. und letzte Lauf."]),
    ],
)
def test_a_text_falls_into_sentences(text: str, sentences: list[str]) -> None:
    """Wrapped lines are one paragraph; list items and table rows stand alone."""
    assert [segment.text for segment in segments(text)] == sentences


def test_fences_and_quotes_are_known() -> None:
    """An unclosed fence lasts to the end."""
    found = segments("a\n> q\n```py\nx = 1\n\n~~~\nz")
    assert [(s.text, s.code, s.quoted) for s in found] == [
        ("a", False, False),
        ("q", False, True),
        ("x = 1", True, False),
        ("", True, False),
        ("z", False, False),
    ]


def test_a_token_knows_its_target() -> None:
    """Names of an answer are folded like the targets they are compared with."""
    gate = Gate(GateConfig(home="/home/u"))
    gate.begin_turn("x")
    found = read(Attempt(parts=("~/a.cfg, ./b/c.cfg and `load_it` are fine.",)), Ledger(gate.state, gate.config))
    assert {t.text: t.target for t in found.tokens} == {
        "~/a.cfg": "/home/u/a.cfg",
        "./b/c.cfg": "b/c.cfg",
        "load_it": "load_it",
    }
    quoted = read(Attempt(parts=("> a.cfg is fine.",)), Ledger(gate.state, gate.config))
    assert [token.quoted for token in quoted.tokens] == [True]
