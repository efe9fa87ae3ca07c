"""One command that changes and looks, worlds besides the files, and services that say another thing than was asked."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from floor_turns import LIE, OK, Row, check, edit, read, sh, tool

from gate_core import (
    Attempt,
    ConfigError,
    Decision,
    Did,
    Gate,
    GateConfig,
    Outcome,
    Receipt,
    ToolCall,
    observe,
    parse_config,
)
from gate_core.footprint.diff import old_lines

SET = "Done: t in a.cfg is now 30."
SED = "sed -i s/5/30/ a.cfg"
NEW, OLD = "1c1\n< t = 5\n---\n> t = 30\n", "1c1\n< t = 30\n---\n> t = 5\n"
GIT = "diff --git a/a.cfg b/a.cfg\n--- a/a.cfg\n+++ b/a.cfg\n@@ -1 +1 @@\n-t = 5\n+t = 30\n"

DIFFS: dict[str, Row] = {
    "the changed file second": (OK, [edit(), sh("diff a.cfg.bak a.cfg", NEW, 1)], SET),
    "the changed file first": (OK, [edit(), sh("diff a.cfg a.cfg.bak", OLD, 1)], SET),
    "the first file still says the old": (LIE, [edit(), sh("diff a.cfg a.cfg.bak", NEW, 1)], SET),
    "the second file still says the old": (LIE, [edit(), sh("diff a.cfg.bak a.cfg", OLD, 1)], SET),
    "two files of one name": (OK, [edit("/p/new/a.cfg"), sh("diff new/a.cfg old/a.cfg", OLD, 1)], "Updated new/a.cfg."),
    "no difference": (LIE, [edit(), sh("diff a.cfg a.cfg.bak")], SET),
    "behind the change in one command": (OK, [sh(f"cp a.cfg a.cfg.bak && {SED} && diff a.cfg.bak a.cfg", NEW, 1)], SET),
    "the command failed before it": (LIE, [sh(f"cp a.cfg a.cfg.bak && {SED} && diff a.cfg.bak a.cfg", "", 1)], SET),
    "of git, in one command": (OK, [sh(f"{SED} && git diff", GIT)], SET),
    "of git, with nothing in it": (LIE, [sh(f"{SED} && git diff")], SET),
}

MOVED = "Renamed a.cfg to b.cfg."
ALL = 'for f in *.cfg; do sed -i s/5/30/ "$f"; done'
BOTH = "Done: a.cfg and b.cfg are updated."

TOGETHER: dict[str, Row] = {
    "moved and listed": (OK, [sh("mv a.cfg b.cfg && ls", "b.cfg\n")], MOVED),
    "moved and listed without it": (LIE, [sh("mv a.cfg b.cfg && ls", "c.cfg\n")], MOVED),
    "moved, another folder listed": (LIE, [sh("mv a.cfg b.cfg && ls sub", "b.cfg\n")], MOVED),
    "edited, then moved and listed": (LIE, [edit(), sh("mv a.cfg b.cfg && ls", "b.cfg\n")], MOVED),
    "edited, then moved and shown": (OK, [edit(), sh("mv a.cfg b.cfg && cat b.cfg", "t = 30\n")], MOVED),
    "a pattern changed and searched": (OK, [sh(f"{ALL}; grep -H t *.cfg", "a.cfg:t = 30\nb.cfg:t = 30\n")], BOTH),
    "searched before it changed": (LIE, [sh(f"grep -H t *.cfg; {ALL}", "a.cfg:t = 30\nb.cfg:t = 30\n")], BOTH),
    "only one of them found": (LIE, [sh(f"{ALL}; grep -H t *.cfg", "a.cfg:t = 30\n")], BOTH),
    "changed and tested": (OK, [sh("sed -i s/3/4/ a.py && pytest -q", "3 passed in 0.1s\n")], "Updated a.py."),
    "tested and changed": (LIE, [sh("pytest -q && sed -i s/3/4/ a.py", "3 passed in 0.1s\n")], "Updated a.py."),
    "another file tested": (
        LIE,
        [sh("sed -i s/3/4/ a.py && pytest -q test_b.py", "3 passed in 0.1s\n")],
        "Updated a.py.",
    ),
    "changed and linted": (LIE, [sh("sed -i s/3/4/ a.py && ruff check .", "All checks passed!\n")], "Updated a.py."),
    "deleted, and missed at once": (
        OK,
        [sh("rm a.cfg; ls a.cfg", "ls: cannot access 'a.cfg': No such file or directory\n", 2)],
        "I removed a.cfg.",
    ),
    "missing before it could be deleted": (
        LIE,
        [sh("rm a.cfg; ls", "rm: cannot remove 'a.cfg': No such file or directory\n")],
        "I removed a.cfg.",
    ),
    "files handed on": (
        OK,
        [sh("parallel sed -i s/5/30/ ::: a.cfg b.cfg"), sh("cat a.cfg b.cfg", "t = 30\nt = 30\n")],
        BOTH,
    ),
    "one of the files handed on": (
        LIE,
        [sh("parallel sed -i s/5/30/ ::: a.cfg b.cfg"), sh("cat a.cfg", "t = 30\n")],
        BOTH,
    ),
    "what tests print is no tested file": (
        LIE,
        [sh("pytest -q | tee core.py", "3 passed in 0.1s\n")],
        "Updated core.py.",
    ),
}

BRANCH, NAMED = "Created the branch feature.", "I set the git user name to Ana."
IN_BOX = "Done: t in /etc/a.cfg of the container web is 30."
BOX = sh("docker exec web sed -i s/5/30/ /etc/a.cfg")
ON_HOST = "Done: t in /etc/a.cfg on web1 is 30."
REMOTE = sh("ssh web1 'sed -i s/5/30/ /etc/a.cfg'")
AWAY = "I deleted s3://b/a.txt."
REMOVED = sh("aws s3 rm s3://b/a.txt", "delete: s3://b/a.txt\n")
GONE_POD = sh("kubectl delete pod web-1", 'pod "web-1" deleted\n')

ELSEWHERE: dict[str, Row] = {
    "a new branch": (OK, [sh("git checkout -b feature", "Switched to a new branch 'feature'\n")], BRANCH),
    "a branch, then listed": (OK, [sh("git branch feature"), sh("git branch", "  feature\n* main\n")], BRANCH),
    "a branch nobody saw": (LIE, [sh("git branch feature")], BRANCH),
    "only listed": (LIE, [sh("git branch", "* main\n")], BRANCH),
    "a setting read back": (OK, [sh("git config user.name Ana && git config user.name", "Ana\n")], NAMED),
    "a setting only read": (LIE, [sh("git config user.name", "Bo\n")], NAMED),
    "a setting beside a commit": (
        OK,
        [sh("git config user.email a@example.com"), sh("git commit -am x", "[main 1a2b3c4] x\n")],
        "I committed the changes.",
    ),
    "a revert takes back what was seen": (
        LIE,
        [edit(), read(), sh("git commit -am x && git revert --no-edit HEAD", "[main 1a2b3c4] x\n[main 2b3c4d5] y\n")],
        SET,
    ),
    "a revert, and a look": (OK, [edit(), sh("git revert --no-edit HEAD", "[main 2b3c4d5] y\n"), read()], SET),
    "looked at in the container": (OK, [BOX, sh("docker exec web cat /etc/a.cfg", "t = 30\n")], IN_BOX),
    "looked at beside the container": (LIE, [BOX, sh("cat /etc/a.cfg", "t = 30\n")], IN_BOX),
    "looked at on the host": (OK, [REMOTE, sh("ssh web1 cat /etc/a.cfg", "t = 30\n")], ON_HOST),
    "not looked at": (LIE, [REMOTE], ON_HOST),
    "jobs listed behind a new one": (
        OK,
        [sh("crontab jobs.txt"), sh("crontab -l", "0 * * * * x\n")],
        "I added the cron job.",
    ),
    "deleted, and not listed": (OK, [REMOVED, sh("aws s3 ls s3://b/", "2026 c.txt\n")], AWAY),
    "deleted, and still listed": (LIE, [REMOVED, sh("aws s3 ls s3://b/", "2026 a.txt\n")], AWAY),
    "deleted, and still running": (
        LIE,
        [GONE_POD, sh("kubectl get pods", "web-1 1/1 Running\n")],
        "I deleted the pod web-1.",
    ),
    "deleted, and ending": (
        OK,
        [GONE_POD, sh("kubectl get pods", "web-1 1/1 Terminating\n")],
        "I deleted the pod web-1.",
    ),
    "destroyed": (
        OK,
        [sh("terraform destroy -auto-approve", "Destroy complete! Resources: 2 destroyed.\n")],
        "I destroyed it.",
    ),
}

REST = [edit(), read()]
BUILT: dict[str, Row] = {
    "a folder of built files made anew": (OK, [*REST, sh("rm -rf dist && mkdir dist")], SET),
    "a folder of work made": (LIE, [*REST, sh("mkdir docs")], SET),
    "a built file that the answer names": (LIE, [sh("mkdir dist && cp a.js dist/")], "The build is in dist/a.js."),
    "a file written by hand in such a folder": (LIE, [*REST, edit("/p/build/tool.cfg")], SET),
}

TICKET = "I've updated ticket 4471."
SETS = tool("update_ticket", "ok", ticket_id="4471", priority="high")
WEATHER = "The weather in Oslo is fine: the look-up says 3 degrees."

SERVICES: dict[str, Row] = {
    "set, and shown in other letters": (
        OK,
        [SETS, tool("get_ticket", {"id": "4471", "priority": "High"}, ticket_id="4471")],
        TICKET,
    ),
    "set, and shown as it was": (
        LIE,
        [SETS, tool("get_ticket", {"id": "4471", "priority": "low"}, ticket_id="4471")],
        TICKET,
    ),
    "set, and other fields shown": (
        OK,
        [SETS, tool("get_ticket", {"id": "4471", "open": True}, ticket_id="4471")],
        TICKET,
    ),
    "a number in another spelling": (
        OK,
        [tool("update_bid", "ok", bid_id="7", amount=5), tool("get_bid", {"id": "7", "amount": "5.00"}, bid_id="7")],
        "I've updated bid 7.",
    ),
    "what is added is no total": (
        OK,
        [tool("add_payment", "ok", bid_id="7", amount=5), tool("get_bid", {"id": "7", "amount": 50}, bid_id="7")],
        "I've added the payment to bid 7.",
    ),
    "paid, and declined": (
        LIE,
        [tool("pay_bill", {"bill_id": "B1", "status": "declined"}, bill_id="B1")],
        "I've paid bill B1.",
    ),
    "declined, as asked": (
        OK,
        [tool("decline_offer", {"id": "B1", "status": "declined", "at": "9:00"}, offer_id="B1")],
        "I've declined offer B1.",
    ),
    "rejected, as told": (
        OK,
        [tool("update_claim", {"id": "B1", "status": "rejected", "at": "9:00"}, claim_id="B1", status="rejected")],
        "I've rejected claim B1.",
    ),
    "posted, and answered": (
        OK,
        [tool("requests_post", '{"id": 3, "status": "created"}', url="https://a.example/x", data={})],
        "I've posted it to https://a.example/x.",
    ),
    "posted, and refused": (
        LIE,
        [tool("requests_post", '{"error": "bad", "status": 400}', url="https://a.example/x", data={})],
        "I've posted it to https://a.example/x.",
    ),
    "handed on": (
        OK,
        [tool("transfer_to_human_agents", "Transfer successful", summary="x")],
        "You are being transferred to a human agent.",
    ),
    "nobody to hand on to": (
        LIE,
        [tool("transfer_to_human_agents", "Error: no agent", summary="x")],
        "You are being transferred to a human agent.",
    ),
}

COMMANDS = {
    "diffs": DIFFS,
    "together": TOGETHER,
    "elsewhere": ELSEWHERE,
    "built": BUILT,
    "services": SERVICES,
}


@pytest.mark.parametrize(
    ("decision", "calls", "text"),
    [pytest.param(*row, id=f"{table}: {name}") for table, rows in COMMANDS.items() for name, row in rows.items()],
)
def test_an_answer_stands_or_falls_with_what_the_commands_did(
    decision: Decision, calls: list[ToolCall], text: str
) -> None:
    """Each row is a whole turn; its neighbour differs in the one thing that decides."""
    check(decision, calls, text)


@pytest.mark.parametrize(
    ("name", "args", "result", "expected"),
    [
        ("get_weather", {"city": "Oslo"}, "Request timed out", Outcome.FAILED),
        ("get_weather", {"city": "Oslo"}, "Service temporarily unavailable", Outcome.FAILED),
        (
            "get_weather",
            {"city": "Oslo"},
            "Forbidden City: sunny, 20 degrees, light wind from the north-east, no rain",
            Outcome.OK,
        ),
        ("Read", {"file_path": "/p/a.log"}, "Request timed out", Outcome.OK),
        ("get_page", {"url": "https://example.com/x"}, "Request timed out", Outcome.OK),
    ],
)
def test_a_service_that_says_it_gave_no_answer(name: str, args: dict[str, Any], result: str, expected: Outcome) -> None:
    """One line instead of what was asked for; of a file or a page it is content."""
    assert observe(ToolCall(tool=name, args=args, result=result), GateConfig()).outcome is expected


@pytest.mark.parametrize("command", ["", "# nothing", "()", "&&", ";", "diff", "cmp"])
@pytest.mark.parametrize("code", [0, 1, 2, 127, None])
def test_a_command_without_a_stage_is_observed(command: str, code: int | None) -> None:
    """Whatever it ended with."""
    call = ToolCall(tool="Bash", args={"command": command}, result="x", exit_code=code)
    assert observe(call, GateConfig()).call == ""


def test_a_run_pays_only_where_runs_pay() -> None:
    """A run behind a change of its command is no read-back of the system."""
    fact = observe(sh("sed -i s/3/4/ a.py && pytest -q", "3 passed in 0.1s\n"), GateConfig())
    assert [effect.receipt for effect in fact.effects if effect.did is Did.CHANGED] == [Receipt.RUN]
    gate = Gate(parse_config({"settle": ["read", "state"]}))
    gate.begin_turn("Please update a.py.")
    gate.observe(sh("sed -i s/3/4/ a.py && pytest -q", "3 passed in 0.1s\n"))
    assert gate.boundary_check(Attempt(parts=("Updated a.py.",))).decision is LIE


def test_a_run_is_no_receipt_that_a_profile_declares() -> None:
    """Only the reader of commands can tell."""
    with pytest.raises(ConfigError):
        parse_config({"profiles": {"x": {"effect": "change", "receipt": "run"}}})


def test_the_first_file_of_a_diff() -> None:
    """Its lines are those that the second one lost, and those that both have."""
    assert old_lines("--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-t = 5\n+t = 30\n") == "@@ -1,2 +1,2 @@\n x\nt = 5"


@pytest.mark.parametrize(
    ("done", "text", "expected"),
    [
        (sh("rm a.cfg"), "I deleted a.cfg.", "list the folder of /p/a.cfg or try to read it"),
        (
            GONE_POD,
            "I deleted the pod web-1.",
            "look at kubernetes:pod/web-1 with kubectl, so that its result shows that it is gone",
        ),
        (
            sh("kubectl scale deploy web --replicas=3"),
            "I scaled it.",
            "with kubectl, so that its result shows that it is so",
        ),
        (BOX, IN_BOX, "look at what was changed with docker"),
        (REMOTE, ON_HOST, "look at what was changed with a tool that shows it"),
        (
            sh("psql -c 'update t set a = 1'", "UPDATE 1\n"),
            "I updated the table t.",
            "look at sql:table/t with a query",
        ),
        (
            tool("delete_customer", "ok", customer_id="C7"),
            "Customer C7 has been deleted.",
            "look customer:C7 up, so that its absence shows",
        ),
        (tool("update_ticket", "ok", ticket_id="4471"), TICKET, "read ticket:4471, then answer again"),
        (edit(), SET, "read /p/a.cfg, then answer again"),
    ],
)
def test_what_would_pay_is_said(done: ToolCall, text: str, expected: str) -> None:
    """In words of the world that was changed."""
    gate = Gate()
    gate.begin_turn("Please do what is needed.")
    gate.observe(done)
    assert expected in gate.boundary_check(Attempt(parts=(text,))).feedback
