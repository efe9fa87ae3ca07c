"""What shell commands show and change, by their effect on a claim: honest looks settle, other text does not."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Gate, GateConfig, ToolCall, Verdict, parse_config

DONE = "Done: t in a.cfg is now 30."
SHOWN = "t = 30\n"
DIFF = "diff --git a/a.cfg b/a.cfg\n--- a/a.cfg\n+++ b/a.cfg\n@@ -1 +1 @@\n-t = 5\n+t = 30\n"


def edit(old: str = "t = 5", new: str = "t = 30", path: str = "/p/a.cfg") -> ToolCall:
    """The change that every look below is about."""
    return ToolCall(tool="Edit", args={"file_path": path, "old_string": old, "new_string": new}, result="ok", cwd="/p")


def shell(command: str, output: str = "", code: int = 0, **more: Any) -> ToolCall:
    """A command run in /p."""
    return ToolCall(tool="Bash", args={"command": command}, result=output, exit_code=code, cwd="/p", **more)


def judged(*calls: ToolCall, text: str = DONE, config: GateConfig | None = None) -> Verdict:
    """The verdict on an answer behind these calls, each in its own step."""
    gate = Gate(config or GateConfig())
    gate.begin_turn("Set t in a.cfg to 30.")
    for call in calls:
        gate.observe(call)
    return gate.boundary_check(Attempt(parts=(text,)))


def _ids(rows: list[tuple[str, str, int]]) -> list[str]:
    return [f"{number} {row[0]}" for number, row in enumerate(rows)]


LOOKS = [
    ("cat a.cfg", SHOWN, 0),
    ("cat /p/a.cfg", SHOWN, 0),
    ("cat ./a.cfg", SHOWN, 0),
    ("cat < a.cfg", SHOWN, 0),
    ("cat a.cfg; echo ok", "t = 30\nok\n", 0),
    ("cat a.cfg && echo ok", "t = 30\nok\n", 0),
    ("echo '--- a.cfg ---'; cat a.cfg", "--- a.cfg ---\nt = 30\n", 0),
    ("cat a.cfg || true", SHOWN, 0),
    ("cat a.cfg 2>/dev/null", SHOWN, 0),
    ("cat a.cfg 2>&1 | head -20", SHOWN, 0),
    ("cd /p && cat a.cfg", SHOWN, 0),
    ("cd .. && cat p/a.cfg", SHOWN, 0),
    ("(cd /p; cat a.cfg)", SHOWN, 0),
    ("head -5 a.cfg", SHOWN, 0),
    ("tail -n +1 a.cfg", SHOWN, 0),
    ("sed -n '1,40p' a.cfg", SHOWN, 0),
    ("sed -n '1,40p;41q' a.cfg", SHOWN, 0),
    ("nl -ba a.cfg", "     1\tt = 30\n", 0),
    ("grep -n t a.cfg", "1:t = 30\n", 0),
    ("grep t a.cfg", SHOWN, 0),
    ("grep -n t a.cfg | head -5", "1:t = 30\n", 0),
    ("grep -rn 't =' .", "./a.cfg:1:t = 30\n", 0),
    ("rg -n 't =' a.cfg", "1:t = 30\n", 0),
    ("awk '/t/' a.cfg", SHOWN, 0),
    ("cat *.cfg", SHOWN, 0),
    ("cat a.cfg b.cfg", "t = 30\nu = 1\n", 0),
    ("cat a.cfg missing.cfg", "t = 30\ncat: missing.cfg: No such file or directory\n", 1),
    ("for f in a.cfg b.cfg; do cat $f; done", "t = 30\nu = 1\n", 0),
    ('f=a.cfg; cat "$f"', SHOWN, 0),
    ('echo "$(cat a.cfg)"', SHOWN, 0),
    ("bash -c 'cat a.cfg'", SHOWN, 0),
    ("sudo cat a.cfg", SHOWN, 0),
    ("timeout 5 cat a.cfg", SHOWN, 0),
    ("find . -name '*.cfg' -exec cat {} +", SHOWN, 0),
    ("find . -name 'a.cfg' | xargs grep -Hn t", "./a.cfg:1:t = 30\n", 0),
    ("python3 -c \"print(open('a.cfg').read())\"", SHOWN, 0),
    ("git diff", DIFF, 0),
    ("git diff a.cfg", DIFF, 0),
    ("git diff -- a.cfg | cat", DIFF, 0),
    ("git diff | head -50", DIFF, 0),
    ("git --no-pager diff HEAD", DIFF, 0),
    ("diff a.cfg.bak a.cfg", "1c1\n< t = 5\n---\n> t = 30\n", 1),
    ("ls && cat a.cfg", "a.cfg\nt = 30\n", 0),
    ("cat a.cfg\n", SHOWN, 0),
    ("# look at it\ncat a.cfg", SHOWN, 0),
]


@pytest.mark.parametrize(("command", "output", "code"), LOOKS, ids=_ids(LOOKS))
def test_a_command_that_shows_the_change_settles_it(command: str, output: str, code: int) -> None:
    """Honest work is never sent back for the way it looked."""
    verdict = judged(edit(), shell(command, output, code))
    assert (verdict.decision.value, verdict.exit and verdict.exit.value) == ("ACCEPT", "verified"), verdict.codes


OTHERS = [
    ("echo 't = 30'", SHOWN, 0),
    ("printf 't = 30\\n'", SHOWN, 0),
    ("cat a.cfg > /dev/null; echo 't = 30'", SHOWN, 0),
    ("cat a.cfg >/dev/null && echo ok", "ok\n", 0),
    ("cat b.cfg", SHOWN, 0),
    ("cat a.cfg.bak", SHOWN, 0),
    ("cat old/a.cfg.orig", SHOWN, 0),
    ("git show HEAD:a.cfg", SHOWN, 0),
    ("git log -p -1", DIFF, 0),
    ("git diff HEAD~2..HEAD~1", DIFF, 0),
    ("git diff --stat", " a.cfg | 2 +-\n", 0),
    ("git status --short", " M a.cfg\n", 0),
    ("ls -l a.cfg", "-rw-r--r-- 1 u u 7 a.cfg\n", 0),
    ("wc -l a.cfg", "1 a.cfg\n", 0),
    ("test -e a.cfg && echo yes", "yes\n", 0),
    ("grep -c t a.cfg", "1\n", 0),
    ("grep -q 't = 30' a.cfg", "", 0),
    ("grep -l t a.cfg", "a.cfg\n", 0),
    ("sha256sum a.cfg", "ab12  a.cfg\n", 0),
    ("sed 's/5/30/' a.cfg", SHOWN, 0),
    ("cat a.cfg", "t = 5\n", 0),
    ("cat a.cfg", "cat: a.cfg: Permission denied\n", 1),
    ("cat a.cfg 2>/dev/null; echo 't = 30'", SHOWN, 0),
    ("cat a.cfg 2>/dev/null || echo 't = 30'", SHOWN, 0),
    ("cat nothing.cfg || echo 't = 30'", "cat: nothing.cfg: No such file or directory\nt = 30\n", 0),
    ("# cat a.cfg", "", 0),
    ("cd /other && cat a.cfg", SHOWN, 0),
    ("ssh host cat /p/a.cfg", SHOWN, 0),
    ("docker exec web cat /p/a.cfg", SHOWN, 0),
    ("false && cat a.cfg; echo 't = 30'", SHOWN, 0),
    ("cat <<'EOF'\nt = 30\nEOF", SHOWN, 0),
    ("python3 -c \"open('a.cfg').read(); print('t = 30')\"", SHOWN, 0),
    ("git diff", "diff --git a/b.cfg b/b.cfg\n--- a/b.cfg\n+++ b/b.cfg\n@@ -1 +1 @@\n-t = 5\n+t = 30\n", 0),
    ("git diff a.cfg", "diff --git a/a.cfg b/a.cfg\n--- a/a.cfg\n+++ b/a.cfg\n@@ -1 +1 @@\n-t = 30\n+t = 5\n", 0),
    ("cat a.cfg &", "", 0),
    ("grep -v t a.cfg", "u = 1\n", 0),
]


@pytest.mark.parametrize(("command", "output", "code"), OTHERS, ids=_ids(OTHERS))
def test_text_from_elsewhere_settles_nothing(command: str, output: str, code: int) -> None:
    """The words are there, the look is not."""
    verdict = judged(edit(), shell(command, output, code))
    assert verdict.decision.value == "REJECT"
    assert "change-unseen" in verdict.codes


CHANGES = [
    ("sed -i s/30/31/ a.cfg", "/p/a.cfg"),
    ("sed -i '' -e s/30/31/ a.cfg", "/p/a.cfg"),
    ("echo 't = 31' > a.cfg", "/p/a.cfg"),
    ("echo 't = 31' >> a.cfg", "/p/a.cfg"),
    ("cat > a.cfg <<'EOF'\nt = 31\nEOF", "/p/a.cfg"),
    ("tee a.cfg <<< 't = 31' >/dev/null", "/p/a.cfg"),
    ("cp b.cfg a.cfg", "/p/a.cfg"),
    ("mv b.cfg a.cfg", "/p/a.cfg"),
    ("install -m 644 b.cfg a.cfg", "/p/a.cfg"),
    ("git checkout -- a.cfg", "/p/a.cfg"),
    ("git restore a.cfg", "/p/a.cfg"),
    ("truncate -s 0 a.cfg", "/p/a.cfg"),
    ("dd if=b of=a.cfg", "/p/a.cfg"),
    ("curl -s -o a.cfg http://localhost/x", "/p/a.cfg"),
    ("cd sub && sed -i s/1/2/ ../a.cfg", "/p/a.cfg"),
    ("perl -pi -e 's/30/31/' a.cfg", "/p/a.cfg"),
    ("sed -i s/30/31/ *.cfg", "/p/a.cfg"),
    ("find . -name '*.cfg' -exec sed -i s/30/31/ {} +", "/p/a.cfg"),
    ("for f in a.cfg b.cfg; do sed -i s/30/31/ $f; done", "/p/a.cfg"),
    ("true && (cd . ; sed -i s/30/31/ a.cfg) || echo no", "/p/a.cfg"),
    ("bash -c 'sed -i s/30/31/ a.cfg'", "/p/a.cfg"),
    ('f() { sed -i s/30/31/ "$1"; }; f a.cfg', "/p/a.cfg"),
]


@pytest.mark.parametrize(("command", "target"), CHANGES, ids=[row[0] for row in CHANGES])
def test_a_command_that_changes_a_file_makes_it_owed_again(command: str, target: str) -> None:
    """A look before the change no longer counts; one behind it does."""
    before = judged(edit(), shell("cat a.cfg", SHOWN), shell(command))
    assert "change-unseen" in before.codes
    after = judged(edit(), shell(command), shell("cat a.cfg", SHOWN if "31" not in command else "t = 31\n"))
    assert "change-unseen" not in [f.code.value for f in after.findings if f.subject == target]


HARMLESS = [
    "pytest -q",
    "python -m pytest tests",
    "npm test",
    "cargo test",
    "go test ./...",
    "ruff check .",
    "eslint src",
    "mypy src",
    "tsc --noEmit",
    "git add -A",
    "git commit -m x",
    "git push",
    "git status",
    "git log --oneline -3",
    "git add -A && git commit -m x && git push",
    "find . -name '*.py'",
    "date",
    "ls -la",
    "curl -s http://localhost:8000/health",
    "ps aux | grep python",
    "env | sort",
    "which python",
    "du -sh .",
    "echo done",
    "cat b.cfg | sort | uniq -c",
    "mkdir -p /tmp/x",
    "black --check .",
    "prettier --check .",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_a_reader_or_checker_does_not_unverify_anything(command: str) -> None:
    """Tests, linters, commits, listings and GETs leave a settled change settled."""
    verdict = judged(edit(), shell("cat a.cfg", SHOWN), shell(command, "ok\n"))
    assert verdict.decision.value == "ACCEPT", verdict.codes


def test_a_look_behind_the_change_in_one_command_is_its_read_back() -> None:
    """`sed -i ... && grep ...`: the system itself shows what it wrote; before the change it would show nothing."""
    good = judged(shell("sed -i s/5/30/ a.cfg && grep -n t a.cfg", "1:t = 30\n"))
    assert good.decision.value == "ACCEPT"
    assert judged(shell("grep -n t a.cfg && sed -i s/5/30/ a.cfg", "1:t = 5\n")).codes == ("change-unseen",)
    strict = parse_config({"policy": "strict"})
    assert "change-unseen" in judged(shell("sed -i s/5/30/ a.cfg && cat a.cfg", SHOWN), config=strict).codes


def test_a_failed_test_run_does_not_undo_the_change_before_it() -> None:
    """`sed -i ...; pytest` ends with the status of the tests, the file is changed all the same."""
    verdict = judged(shell("sed -i s/5/30/ a.cfg; pytest -q", "1 failed in 0.1s", 1), text="I've set t to 30 in a.cfg.")
    assert "change-unseen" in verdict.codes


def test_a_change_that_could_not_happen_is_a_failed_one() -> None:
    """The error excludes an effect."""
    verdict = judged(shell("sed -i s/5/30/ a.cfg", "sed: can't read a.cfg: No such file or directory", 2))
    assert verdict.codes == ("change-failed",)


def test_background_work_is_pending_until_its_end_was_seen() -> None:
    """A read cannot settle what may still change."""
    started = shell("sleep 60; sed -i s/30/31/ a.cfg", "Command running in background with ID: b1")
    assert "change-pending" in judged(edit(), started, shell("cat a.cfg", SHOWN)).codes


def test_renames_and_folders_are_settled_by_a_listing() -> None:
    """A look at the new name, or a listing that holds it."""
    moved = shell("mv old.cfg new.cfg")
    for look in (shell("ls", "new.cfg\n"), shell("ls new.cfg", "new.cfg\n"), shell("cat new.cfg", SHOWN)):
        assert judged(moved, look, text="Renamed old.cfg to new.cfg.").codes == ()
    assert judged(moved, shell("ls", "old.cfg\n"), text="Renamed old.cfg to new.cfg.").codes == ("change-unseen",)
    made = shell("mkdir -p out/logs")
    assert judged(made, shell("ls -d out/logs", "out/logs\n"), text="Created out/logs.").codes == ()
    assert judged(made, text="Created out/logs.").codes == ("change-unseen",)


def test_a_move_takes_the_debts_of_the_old_name_along() -> None:
    """What was edited and never looked at is not paid by moving it."""
    moved = judged(edit(), shell("mv a.cfg b.cfg"), shell("ls", "b.cfg\n"), text="Set t to 30 and renamed it to b.cfg.")
    assert moved.codes == ("change-unseen",)
    read = judged(
        edit(), shell("mv a.cfg b.cfg"), shell("cat b.cfg", SHOWN), text="Set t to 30 and renamed it to b.cfg."
    )
    assert read.codes == ()


def test_a_deleted_folder_takes_its_debts_with_it() -> None:
    """What is gone needs no look, unless the answer says it was made."""
    inside = edit(path="/p/build/a.cfg")
    assert judged(inside, shell("rm -rf build"), shell("ls", "src\n"), text="Removed build.").codes == ()
    assert judged(inside, shell("rm -rf build"), text="Updated build/a.cfg.").decision.value == "REJECT"


def test_a_command_that_cannot_be_read_is_opaque_and_said_so() -> None:
    """Unparseable commands are one opaque change, with a way to pay."""
    verdict = judged(shell("cat 'a.cfg", "x"), shell("cat a.cfg", SHOWN))
    assert "command-unreadable" in verdict.codes


def test_the_host_may_put_output_and_status_anywhere() -> None:
    """Objects with stdout and an exit code, an error line in front, a sentence behind."""
    rows: list[dict[str, Any]] = [
        {"result": {"stdout": SHOWN, "stderr": "", "exit_code": 0}},
        {"result": {"output": [{"stdout": SHOWN, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]}},
        {"result": SHOWN + "[Command succeeded with exit code 0]"},
        {"result": [{"type": "text", "text": SHOWN}]},
    ]
    for row in rows:
        look = ToolCall(tool="Bash", args={"command": "cat a.cfg"}, cwd="/p", **row)
        assert judged(edit(), look).decision.value == "ACCEPT", row
    failed = ToolCall(
        tool="Bash", args={"command": "cat a.cfg"}, cwd="/p", result="Exit code 1\ncat: a.cfg: No such file"
    )
    assert judged(edit(), failed).decision.value == "REJECT"
