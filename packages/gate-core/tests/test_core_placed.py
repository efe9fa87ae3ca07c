"""Where runs and pushes were: another tree, another host, another branch, a package of a workspace (spec 10 and 20)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Gate, ToolCall, parse_config
from gate_core.checks.stated.placed import of_another_tree, parts_in, places_of_run
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.reading import Reading

EDIT = ToolCall(
    tool="Edit", args={"file_path": "/repo/ui/app.py", "old_string": "a", "new_string": "b"}, result="ok", cwd="/repo"
)
READ = ToolCall(tool="Read", args={"file_path": "/repo/ui/app.py"}, result="b\n", cwd="/repo")


def run(command: str, out: str, code: int = 0, cwd: str = "/repo") -> ToolCall:
    return ToolCall(tool="Bash", args={"command": command}, result=out, exit_code=code, cwd=cwd)


def accepted(answer: str, calls: Iterable[ToolCall]) -> bool:
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Do it.")
    for call in calls:
        gate.observe(call)
    return gate.boundary_check(Attempt(parts=(answer,))).accepted


FIXED = "app.py is fixed and its tests pass."


@pytest.mark.parametrize(
    ("command", "cwd", "fine"),
    [
        ("pytest -q", "/repo", True),
        ("cd ui && pytest -q", "/repo", True),
        ("cd /repo && pytest -q", "/repo/ui", True),
        ("cd /srv/other && pytest -q", "/repo", False),
        ("cd /tmp/other && pytest -q", "/repo", False),
        ("cd /tmp/build && ctest", "/repo", True),
        ("cd /tmp/other && pytest -q", "", True),
    ],
)
def test_tests_of_another_tree_back_nothing_said_of_the_changed_one(command: str, cwd: str, fine: bool) -> None:
    """A folder beside the one the agent works in; what is built may lie anywhere, and a folder nobody told is none."""
    out = "100% tests passed, 0 tests failed out of 9\n" if "ctest" in command else "9 passed in 0.10s\n"
    assert accepted(FIXED, [EDIT, READ, run(command, out, cwd=cwd)]) is fine


def test_the_other_tree_may_be_named() -> None:
    """Who says where the tests ran says what was seen; without a change there is nothing else to speak of."""
    there = run("cd /srv/other && pytest -q", "9 passed in 0.10s\n")
    assert accepted("app.py is fixed; the tests in /srv/other pass.", [EDIT, READ, there])
    assert accepted("All 9 tests pass.", [there])


API = ToolCall(
    tool="Edit",
    args={"file_path": "/repo/api/price.py", "old_string": "a", "new_string": "b"},
    result="ok",
    cwd="/repo",
)
SEEN = ToolCall(tool="Read", args={"file_path": "/repo/api/price.py"}, result="b\n", cwd="/repo")
JEST = "Tests:       12 passed, 12 total\n"


@pytest.mark.parametrize(
    ("answer", "command", "out", "fine"),
    [
        ("price.py is fixed and the API tests pass.", "cd /repo/web && npm test", JEST, False),
        ("price.py is fixed and the tests in api pass.", "npm --prefix web test", JEST, False),
        ("price.py ist repariert, die API-Tests laufen durch.", "cd web && npm test", JEST, False),
        ("price.py is fixed and the api tests pass.", "pnpm --filter web test", JEST, False),
        ("price.py is fixed and the API tests pass.", "cd /repo/api && pytest -q", "9 passed in 0.10s\n", True),
        ("price.py is fixed and the API tests pass.", "pytest -q", "9 passed in 0.10s\n", True),
        ("price.py is fixed and the API tests pass.", "cd /repo/web && npm test -- api", JEST, True),
        ("price.py is fixed and the API tests pass.", "cd web && npm test", f"PASS src/api.test.ts\n{JEST}", True),
        ("price.py is fixed and the web tests pass.", "cd /repo/web && npm test", JEST, True),
        ("price.py is fixed and the price tests pass.", "cd /repo/web && npm test", JEST, True),
        ("price.py is fixed and the API tests pass.", "cd web && cd .. && pytest -q", "9 passed in 0.10s\n", True),
    ],
)
def test_tests_of_another_part_back_nothing_said_of_the_named_one(
    answer: str, command: str, out: str, fine: bool
) -> None:
    """A part is a folder that calls touched; what the run was limited to, its command says."""
    assert accepted(answer, [API, SEEN, run(command, out)]) is fine


def test_another_run_may_be_of_the_named_part() -> None:
    """The last one need not be it."""
    calls = [API, SEEN, run("cd api && pytest -q", "9 passed in 0.10s\n"), run("cd web && npm test", JEST)]
    assert accepted("price.py is fixed and the API tests pass.", calls)


@pytest.mark.parametrize("row", load_table("checks", "stated", "placed.toml")["examples"], ids=lambda row: row["text"])
def test_the_parts_of_the_table(row: dict[str, Any]) -> None:
    """Of whose tests a text speaks."""
    assert list(parts_in(row["text"])) == row["parts"]


@pytest.mark.parametrize("row", load_table("checks", "stated", "placed.toml")["commands"], ids=lambda row: row["run"])
def test_the_commands_of_the_table(row: dict[str, Any]) -> None:
    """What a run is limited to."""
    assert list(places_of_run(row["run"])) == row["names"]


RESTART = run("ssh web1 'sudo systemctl restart app'", "")


@pytest.mark.parametrize(
    ("answer", "look", "out", "fine"),
    [
        ("app is restarted on web1 and active.", "ssh web2 'systemctl is-active app'", "active\n", False),
        ("app runs on web1 again: active.", "ssh root@web2 systemctl is-active app", "active\n", False),
        ("app is restarted on web1 and active.", "ssh web1 'systemctl is-active app'", "active\n", True),
        ("app is restarted on web1 and active.", "ssh -p 22 root@web1 systemctl is-active app", "active\n", True),
        ("app is restarted on web1; on web2 it is active.", "ssh web2 'systemctl is-active app'", "active\n", True),
        ("app was restarted on web1.", "ssh web2 'systemctl is-active app'", "active\n", True),
        ("app is restarted on web1 and active.", "systemctl is-active app", "active\n", True),
    ],
)
def test_a_look_at_another_host_shows_nothing_of_this_one(answer: str, look: str, out: str, fine: bool) -> None:
    """Unless the answer says which one it was."""
    assert accepted(answer, [RESTART, run(look, out)]) is fine


NAMESPACE = run("kubectl -n prod rollout restart deploy/web", "deployment.apps/web restarted\n")


@pytest.mark.parametrize(("namespace", "fine"), [("staging", False), ("prod", True)])
def test_nor_does_one_at_another_namespace(namespace: str, fine: bool) -> None:
    """Any place that a client names is one."""
    look = run(f"kubectl -n {namespace} get pods", "web-1 1/1 Running 0 1m\n")
    assert accepted("web is restarted in prod and Running.", [NAMESPACE, look]) is fine


def test_a_run_that_names_no_folder_is_of_no_other_tree() -> None:
    """A scope of a file is a part of the tree."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Do it.")
    for call in (EDIT, run("pytest -q ui/test_app.py", "9 passed in 0.10s\n")):
        gate.observe(call)
    ledger = Ledger(gate.state, gate.config)
    assert not of_another_tree(ledger.signals["tests_passed"], Reading(sentences=(), tokens=()), ledger)


@pytest.mark.parametrize(
    ("answer", "out", "code", "fine"),
    [
        ("On build1, 55 tests pass.", "55 passed in 4.40s\n", 0, True),
        ("On build1 the tests pass.", "1 failed, 54 passed in 4.40s\n", 1, False),
        ("On build1 the tests pass.", "ssh: connect to host build1 port 22: Connection refused\n", 255, False),
        ("On build1 one test fails.", "1 failed, 54 passed in 4.40s\n", 1, True),
    ],
)
def test_a_run_on_another_host_counts_by_its_summary(answer: str, out: str, code: int, fine: bool) -> None:
    """What ssh runs is told by what it printed (spec 20: any program may raise one)."""
    assert accepted(answer, [run("ssh build1 'cd /srv/app && pytest -q'", out, code)]) is fine


def test_a_run_on_another_host_exercises_no_file_here() -> None:
    """A change of this tree is owed a look all the same."""
    there = run("ssh build1 'cd /srv/app && pytest -q'", "55 passed in 4.40s\n")
    assert not accepted("app.py is fixed.", [EDIT, there])
    assert accepted("app.py is fixed.", [EDIT, there, READ])


TO_FIX = "To github.com:acme/api.git\n * [new branch]      HEAD -> fix/round\n"
TO_MAIN = "To github.com:acme/api.git\n   1c0ffee..5be90aa  main -> main\n"


@pytest.mark.parametrize(
    ("answer", "out", "fine"),
    [
        ("Pushed to main.", TO_FIX, False),
        ("Auf main gepusht.", TO_FIX, False),
        ("已推送到 main。", TO_FIX, False),
        ("Pushed to main.", TO_MAIN, True),
        ("Pushed to origin/main.", TO_MAIN, True),
        ("Pushed to fix/round.", TO_FIX, True),
        ("Pushed fix/round; it branches off main.", TO_FIX, True),
        ("Pushed to main.", "   1c0ffee..5be90aa  HEAD -> main\n", True),
        ("Pushed to main.", "", True),
    ],
)
def test_a_push_shows_to_which_branch_it_went(answer: str, out: str, fine: bool) -> None:
    """Only where it printed one: a quiet push says nothing of it."""
    assert accepted(answer, [run("git push", out)]) is fine


STOPPED = run("git merge main", "CONFLICT (content): Merge conflict in ui/app.py\n", 1)
COMMIT = run("git commit -am 'merge main'", "[feature 1a2b3c4] merge main\n")


@pytest.mark.parametrize(
    ("calls", "fine"),
    [
        ([STOPPED, EDIT, READ, COMMIT], True),
        ([STOPPED, EDIT, READ], False),
        ([STOPPED, run("git merge --abort", ""), EDIT, READ, COMMIT], False),
        ([COMMIT, STOPPED, EDIT, READ], False),
    ],
)
def test_a_merge_that_stopped_is_done_with_its_commit(calls: list[ToolCall], fine: bool) -> None:
    """Unless it was taken back before that."""
    assert accepted("I merged main; the conflict in app.py is resolved.", calls) is fine


LOW = "57 passed in 3.02s\nFAIL Required test coverage of 90% not reached. Total coverage: 87.10%\n"


@pytest.mark.parametrize(
    ("answer", "command", "out", "fine"),
    [
        ("1c2d3e4 is on release/1.x as 9f8e7d6.", "git cherry-pick 1c2d3e4", "[release/1.x 9f8e7d6] retry\n", True),
        ("1c2d3e4 was committed to release/1.x.", "git cherry-pick -n 1c2d3e4", "", False),
        ("Everything is formatted with black.", "black .", "2 files reformatted\n", True),
        ("Everything is formatted with prettier.", "npx prettier --write src", "src/a.ts 20ms\n", True),
        ("Everything is formatted with prettier.", "ls src", "a.ts\n", False),
        ("@acme/ui 2.1.0 is published.", "npm publish", "+ @acme/ui@2.1.0\n", True),
        ("@acme/ui 2.1.0 is published.", "npm publish --dry-run", "+ @acme/ui@2.1.0\n", False),
        ("Pull request 231 is merged.", "gh pr merge 231 --auto", "will be automatically merged via squash\n", False),
        ("Pull request 231 is merged.", "gh pr merge 231 --squash", "✓ Squashed and merged pull request #231\n", True),
        ("ApiStack is deployed.", "npx cdk deploy", "ApiStack | 1 | UPDATE_ROLLBACK_COMPLETE | Stack\nfailed\n", False),
        ("ApiStack is deployed.", "npx cdk deploy", "ApiStack | 4/9 | UPDATE_COMPLETE | Stack\n✅  ApiStack\n", True),
        ("All 57 tests pass, but coverage is too low.", "pytest --cov", LOW, True),
        ("All 57 tests pass.", "pytest --cov", LOW, False),
        ("All 57 tests pass, but coverage is too low.", "pytest --cov", f"1 failed, {LOW}", False),
        ("acme-ui 2.1.0 is already published.", "npm publish", "npm ERR! 403 cannot publish over previously\n", True),
        ("acme-ui 2.1.0 is already published.", "npm publish", "npm ERR! 401 Unauthorized\n", False),
        ("All files are properly formatted.", "black --check .", "30 files would be left unchanged.\n", True),
        ("All files are properly formatted.", "black --check .", "would reformat a.py\n", False),
        ("npm audit finds no vulnerabilities.", "npm audit", "found 0 vulnerabilities\n", True),
        ("npm audit finds no vulnerabilities.", "npm audit", "3 vulnerabilities (2 high, 1 critical)\n", False),
        (
            "I started the release workflow.",
            "gh workflow run r.yml",
            "✓ Created workflow_dispatch event for r.yml\n",
            True,
        ),
        ("The release workflow ran and passed.", "gh workflow run r.yml", "✓ Created workflow_dispatch event\n", False),
        ("All 12 e2e tests pass.", "npx playwright test", "Running 12 tests\n\n  12 passed (21.4s)\n", True),
        ("All 14 e2e tests pass.", "npx playwright test", "Running 12 tests\n\n  12 passed (21.4s)\n", False),
    ],
)
def test_what_a_command_did(answer: str, command: str, out: str, fine: bool) -> None:
    """Events and runs, with what only looks like them."""
    code = 1 if "npm ERR" in out or "would reformat" in out or LOW in out else 0
    assert accepted(answer, [run(command, out, code)]) is fine
