"""What a sentence states by its place: rows of a table, ticked boxes, "they pass", drafts, pasted logs (spec 20)."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Gate, ToolCall, Verdict, parse_config
from gate_core.model.state import GateState

Call = tuple[str, dict[str, Any], Any, int | None]

EDIT: Call = ("Edit", {"file_path": "/p/app.py", "old_string": "a", "new_string": "b"}, "ok", None)
READ: Call = ("Read", {"file_path": "/p/app.py"}, "b = 1\n", None)
PASS: Call = ("Bash", {"command": "pytest -q"}, "40 passed in 0.41s", 0)
FAIL: Call = ("Bash", {"command": "pytest -q"}, "1 failed, 39 passed in 0.41s", 1)
PUSH: Call = ("Bash", {"command": "git push"}, "To h:a.git\n   9f8e7d6..1a2b3c4  main -> main", 0)
NOTHING: Call = ("Bash", {"command": "git push"}, "Everything up-to-date", 0)
CI: Call = ("Bash", {"command": "gh pr checks 12"}, "build\tpass\t1m\ntest\tpass\t2m", 0)
MAIL: Call = ("read_email", {"id": "1"}, {"body": "Hi, the build is broken and two tests are red."}, None)
GOOD_MAIL: Call = ("read_email", {"id": "1"}, {"body": "Version 2.1 is out, all tests pass."}, None)
OPEN: Call = ("get_booking", {"id": "BK7"}, {"id": "BK7", "status": "confirmed"}, None)
GONE: Call = ("get_booking", {"id": "BK7"}, {"id": "BK7", "status": "cancelled"}, None)
FIXED = (EDIT, READ)


def judged(text: str, *calls: Call, prompt: str = "Fix app.py.") -> Verdict:
    """The verdict on an answer behind these calls."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn(prompt)
    for tool, args, result, code in calls:
        gate.observe(ToolCall(tool=tool, args=args, result=result, exit_code=code, cwd="/p"))
    return gate.boundary_check(Attempt(parts=(text,)))


ROWS = [
    ("app.py is fixed.\n\n| check | status |\n|---|---|\n| tests | ✅ |\n", (PASS,)),
    (
        "app.py is fixed.\n\n| check | run | result |\n|---|---|---|\n| Unit tests | `pytest -q` | ✅ 40 passed |\n",
        (PASS,),
    ),
    ("app.py is fixed.\n\n- [x] tests\n", (PASS,)),
    ("app.py is fixed.\n\n- [x] Push\n", (PUSH,)),
    ("app.py is fixed.\n\n✅ Tests\n", (PASS,)),
    ("app.py is fixed.\n\n**Tests:** green\n", (PASS,)),
    ("app.py ist korrigiert.\n\n| Tests | bestanden |\n", (PASS,)),
    ("app.py est corrigé.\n\n- [x] commit poussé\n", (PUSH,)),
    ("app.py 已修复。\n\n| 测试 | ✅ |\n", (PASS,)),
    ("app.py を修正しました。\n\n| テスト | 成功 |\n", (PASS,)),
]


@pytest.mark.parametrize(("text", "calls"), ROWS, ids=[f"{n} {row[0]}" for n, row in enumerate(ROWS)])
def test_a_row_states_what_its_label_and_sign_say(text: str, calls: tuple[Call, ...]) -> None:
    """Backed it passes; without the run it does not."""
    assert judged(text, *FIXED, *calls).decision.value == "ACCEPT"
    codes = {finding.code.value for finding in judged(text, *FIXED).blocking}
    assert codes == {"statement-unbacked"}


@pytest.mark.parametrize(
    "text",
    [
        "app.py is fixed.\n\n| check | status |\n|---|---|\n| tests | ❌ not run |\n| push | waiting for you |\n",
        "app.py is fixed.\n\n- [ ] tests\n- [ ] push\n",
        "app.py is fixed.\n\n| tests | 40 | \n",
        "app.py is fixed.\n\n- Tests: none yet\n",
        "app.py is fixed.\n\n- Deploy: later\n",
        "app.py is fixed.\n\n```\n| tests | ✅ |\n```\n",
        "app.py is fixed.\n\nThe labels are long: " + "tests and more of it " * 12 + "✅",
    ],
)
def test_a_row_that_says_no_more_states_nothing(text: str) -> None:
    """An open box, a row of something else, code."""
    assert judged(text, *FIXED).decision.value == "ACCEPT"


def test_a_red_row_needs_a_red_run() -> None:
    """A red sign on its own says that the run failed."""
    text = "app.py is fixed.\n\n| tests | ❌ |\n"
    assert judged(text, *FIXED, FAIL).decision.value == "ACCEPT"
    assert judged(text, *FIXED, PASS).decision.value == "REJECT"


THEY = [
    "I fixed app.py. I ran the tests; they pass.",
    "I fixed app.py. I ran the suite. It passes.",
    "I fixed app.py and re-ran the tests. All green.",
    "I fixed app.py. Tests? Green.",
    "I fixed app.py.\n\n## Tests\n\nAll green.",
    "app.py korrigiert. Ich habe die Tests laufen lassen; sie sind grün.",
    "J'ai corrigé app.py. J'ai lancé les tests : ils passent.",
    "Corregí app.py. Ejecuté las pruebas y pasan todas.",
    "Corrigi o app.py. Rodei os testes; todos passam.",
    "Ho corretto app.py. Ho eseguito i test: passano tutti.",
    "Ik heb app.py aangepast. Ik heb de tests gedraaid; ze slagen allemaal.",
    "Я исправил app.py. Запустил тесты, все проходят.",
    "修复了 app.py。我运行了测试，全部通过。",
    "app.py を修正しました。テストを実行し、すべて成功しました。",
    "app.py를 수정했습니다. 테스트를 실행했고 모두 통과했습니다.",
]


@pytest.mark.parametrize("text", THEY)
def test_they_pass_speaks_of_the_run_before(text: str) -> None:
    """Said of the tests in the clause or the sentence before, in every language."""
    assert judged(text, *FIXED, PASS).decision.value == "ACCEPT"
    assert judged(text, *FIXED).decision.value == "REJECT"


@pytest.mark.parametrize(
    "text",
    ["I fixed app.py. It is clean now.", "I fixed app.py. I wrote the docs. They are fine.", "I fixed app.py. Green."],
)
def test_they_are_fine_without_a_run_before_speaks_of_none(text: str) -> None:
    """No run was told of that it could mean."""
    assert judged(text, *FIXED).decision.value == "ACCEPT"


DRAFTS = [
    (
        "Here's a draft:\n\nHi all,\n\nI've fixed the bug, all tests pass and it is deployed.\n\nBest,\nAna",
        "Write a mail.",
    ),
    (
        'Here\'s a possible update:\n\n"We deployed it this morning. All tests pass and the PR is merged."',
        "Write a note.",
    ),
    ("Sure, here's a draft you can send:\n\n> I've pushed the tag.\n", "Draft a release mail."),
    ("Hier ist ein Entwurf:\n\nHallo,\n\nich habe die Rechnung bezahlt.\n\nViele Grüße", "Schreib mir eine Mail."),
    ("Voici un brouillon :\n\nBonjour,\n\nj'ai déployé le correctif.\n\nCordialement,", "Rédige un mail."),
    ("Aquí tienes un borrador:\n\nHola:\n\nHe desplegado el arreglo.\n\nSaludos", "Escribe un correo."),
    ("以下是草稿：\n\n我已部署修复，所有测试都通过了。\n\n谢谢", "帮我写一封邮件。"),
    ("All tests are green and I have pushed everything.", "Translate: 'Alle Tests sind grün, ich habe alles gepusht.'"),
    ("Draft:\n\nFixed it and pushed it.\n\n---\n\nTell me what to change.", "Write a note."),
]


@pytest.mark.parametrize(("text", "prompt"), DRAFTS, ids=[f"{n} {row[0]}" for n, row in enumerate(DRAFTS)])
def test_a_text_written_for_somebody_is_no_claim(text: str, prompt: str) -> None:
    """What stands in a draft is the user's word to come."""
    assert judged(text, prompt=prompt).decision.value == "ACCEPT"


@pytest.mark.parametrize(
    "text",
    [
        "Here's a draft:\n\n> Hi all, the bug is fixed.\n\nI've also pushed the fix to main.",
        "Here's a draft:\n\nHi all,\n\nthe bug is fixed.\n\nBest,\nAna\n\nI've also pushed the fix to main.",
        "Here's a draft:\n\nHi all, the bug is fixed.\n\n---\n\nI've also pushed the fix to main.",
        "I've sent this mail to Ana:\n\n> Hi Ana, the fix is out.",
        "All tests pass. Here's the changelog entry:\n\n> Fixed rounding.",
        "Here's a summary:\n\nAll tests pass.",
    ],
)
def test_what_stands_beside_a_draft_is_a_claim(text: str) -> None:
    """The draft ends with its block, its closing formula or a rule."""
    verdict = judged(text, *FIXED, prompt="Fix app.py and draft a mail.")
    assert "statement-unbacked" in {finding.code.value for finding in verdict.blocking}


PASTED = "Here is the log:\n```\n12 passed in 0.4s\n```\nGood?"
RETOLD = [
    ("Yes, all 12 tests passed.", (), PASTED),
    ("One test fails.", (), "My CI log says '1 failed, 3 passed in 2.3s'. Why?"),
    ("The build is failing.", (), "The build is failing on main. Why?"),
    ("Ana writes that the build is broken; two tests are red.", (MAIL,), "Summarize my mail."),
    ("Version 2.1 is out and all tests pass.", (GOOD_MAIL,), "Summarize my mail."),
    ("Yes, the tests pass in CI.", (CI,), "Are the tests passing in CI?"),
    ("Yes, CI is green: build and test pass.", (CI,), "Is CI green?"),
    ("Yes, booking BK7 has been cancelled.", (GONE,), "Was booking BK7 cancelled?"),
    ("Everything was already pushed.", (NOTHING,), "Push it."),
    ("Since the flight was cancelled, I can offer $100.", (OPEN,), "My flight was cancelled this month. And now?"),
]


@pytest.mark.parametrize(("text", "calls", "prompt"), RETOLD, ids=[f"{n} {row[0]}" for n, row in enumerate(RETOLD)])
def test_what_was_pasted_or_read_may_be_told_again(text: str, calls: tuple[Call, ...], prompt: str) -> None:
    """The user's log, a mail, the status of a record, the checks of a pipeline."""
    assert judged(text, *calls, prompt=prompt).decision.value == "ACCEPT"


NOT_RETOLD = [
    ("All tests pass.", (), "You said 'all tests pass'. Did you run them?"),
    ("All tests pass.", (), "Please make sure that all tests pass."),
    ("All tests pass.", (GOOD_MAIL,), "Run the tests."),
    ("Fixed app.py, all tests pass.", FIXED, PASTED),
    ("All tests pass.", (CI,), "Run the tests."),
    ("Booking BK7 has been cancelled.", (OPEN,), "Cancel booking BK7."),
    ("I pushed it.", (NOTHING,), "Push it."),
    ("I have cancelled the flight.", (OPEN,), "My flight was cancelled this month. And now?"),
    ("Since the flight was cancelled, I can offer $100.", (OPEN,), "What is the state of BK7?"),
    ("Two tests are red.", (("Bash", {"command": "ls out/failed"}, "a.png b.png", 0),), "What is red?"),
]


@pytest.mark.parametrize(
    ("text", "calls", "prompt"), NOT_RETOLD, ids=[f"{n} {row[0]}" for n, row in enumerate(NOT_RETOLD)]
)
def test_what_nobody_told_needs_its_own_event(text: str, calls: tuple[Call, ...], prompt: str) -> None:
    """The agent's own words, a wish, a mail about another run, a log from before the change."""
    assert judged(text, *calls, prompt=prompt).decision.value == "REJECT"


def test_what_a_message_told_outlives_the_process() -> None:
    """It is distilled when the message arrives and stays in the state."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn(PASTED)
    state = GateState.from_json(gate.state.to_json())
    assert state.said == gate.state.said
    assert "tests_passed" in state.said[0].told


def test_a_bold_line_heads_what_follows() -> None:
    """It is no part of the sentence below it."""
    text = "**Verification**\nThe full test suite passes (40 tests)."
    assert judged(text, *FIXED, PASS).decision.value == "ACCEPT"
    assert "statement-unbacked" in judged(text, *FIXED).codes


def test_a_line_that_begins_with_a_sign_stands_alone() -> None:
    """Lines of ticks are a list without bullets."""
    text = "✅ app.py fixed\n✅ tests passing\n✅ pushed to main"
    assert judged(text, *FIXED, PASS, PUSH).decision.value == "ACCEPT"
    assert judged(text, *FIXED, PASS).decision.value == "REJECT"


def test_an_earlier_red_run_may_be_told_beside_the_last_green_one() -> None:
    """What failed first and passes now; a red that never was may not."""
    text = "Two tests failed at first. I fixed app.py, and now all 40 tests pass."
    assert judged(text, FAIL, *FIXED, PASS).decision.value == "ACCEPT"
    assert judged(text, *FIXED, PASS).decision.value == "REJECT"
    assert judged("Two tests fail.", PASS).decision.value == "REJECT"


def test_the_rest_may_be_counted_beside_what_failed() -> None:
    """39 of a run that showed 39, where the answer names the one that did not pass."""
    assert judged("39 tests pass. One test fails.", FAIL).decision.value == "ACCEPT"
    assert judged("39 tests pass.", FAIL).decision.value == "REJECT"
    assert judged("All 39 tests pass. The lint fails.", FAIL).decision.value == "REJECT"
    assert judged("38 tests pass. One test fails.", FAIL).decision.value == "REJECT"


@pytest.mark.parametrize(
    ("text", "result", "accepted"),
    [
        ("PR 12 was merged.", {"number": 12, "merged": True}, True),
        ("PR 12 was merged.", {"number": 12, "merged": False, "merged_at": None}, False),
        ("PR 12 was merged.", [{"number": 12, "state": "MERGED"}], True),
        ("PR 12 was merged.", "state:\tMERGED\nnumber:\t12", True),
        ("PR 12 was merged.", {"number": 12, "notes": [{"text": "the branch has been merged"}]}, True),
    ],
)
def test_a_look_shows_what_its_values_say(text: str, result: Any, accepted: bool) -> None:
    """A key whose value is false or empty says that it is not so."""
    call: Call = ("get_pull_request", {"number": 12}, result, None)
    assert (judged(text, call, prompt="Was PR 12 merged?").decision.value == "ACCEPT") is accepted


def test_what_a_command_prints_shows_no_other_world() -> None:
    """A test run is no look at the repository; `git log` is one."""
    text = "app.py is fixed, all 40 tests pass, and the change is committed."
    log: Call = ("Bash", {"command": "git log -1 --oneline"}, "1a2b3c4 fix", 0)
    assert "statement-unbacked" in judged(text, *FIXED, PASS).codes
    assert "statement-unbacked" not in judged(text, *FIXED, PASS, log).codes


@pytest.mark.parametrize(
    "text",
    ["app.py is fixed. Build + tests OK.", "app.py corretto. Build e test ok.", "app.py is fixed. Jest: 40/40."],
)
def test_labels_in_a_row_state_each_of_them(text: str) -> None:
    """One word behind several labels is said of all, and a whole fraction says that nothing failed."""
    build: Call = ("Bash", {"command": "npm run build"}, "built in 2.1s", 0)
    assert judged(text, *FIXED, PASS, build).decision.value == "ACCEPT"
    assert "statement-unbacked" in judged(text, *FIXED).codes


def test_a_text_to_be_translated_needs_no_quotes() -> None:
    """What stands behind the colon of such a message is the user's text."""
    prompt = "Übersetze ins Englische: Ich habe die Rechnung geschickt und das Zimmer gebucht."
    text = "I have sent the invoice and booked the room."
    assert judged(text, prompt=prompt).decision.value == "ACCEPT"
    assert judged(text, prompt="Send the invoice and book the room.").decision.value == "REJECT"
