"""Decisions of the floor: what each claim type requires, and what it says when it is not there."""

from __future__ import annotations

from typing import Any, cast

import pytest

from gate_core import Attempt, Gate, GateConfig, ToolCall, Verdict, boundary_check, parse_config
from gate_core.shell import available

ASK = "What is the timeout in app.cfg?"
SET = "Set the timeout in app.cfg to 30."


def play(prompt: str, calls: list[tuple[Any, ...]], **config: Any) -> Gate:
    """A turn of (tool, args, result[, more]) calls, each in its own step unless `step` is given."""
    gate = Gate(parse_config({"values": "off", **config}))
    gate.begin_turn(prompt)
    act(gate, calls)
    return gate


def act(gate: Gate, calls: list[tuple[Any, ...]]) -> None:
    """More calls of the turn."""
    for tool, args, result, *more in calls:
        gate.observe(ToolCall(tool=tool, args=args, result=result, **(more[0] if more else {})))


def say(gate: Gate, text: str, claim: str | None = None) -> Verdict:
    """One attempt."""
    return gate.boundary_check(Attempt(parts=(text,), claim=claim))


def read(path: str = "app.cfg", result: str = "timeout = 30", **more: Any) -> tuple[Any, ...]:
    """A read."""
    return ("read_file", {"path": path}, result, more)


def edit(path: str = "app.cfg", result: Any = "ok", **more: Any) -> tuple[Any, ...]:
    """An edit."""
    return ("edit_file", {"path": path, "old": "5", "new": "30"}, result, more)


UNNAMED = "opaque-change" if available() else "shell-not-analysed"
IS_30 = "The timeout in app.cfg is 30."
FAIL = {"status": "error"}

CASES: dict[str, tuple[str, list[tuple[Any, ...]], str, tuple[str, ...]]] = {
    "question answered after a read": (ASK, [read()], IS_30, ()),
    "question answered out of thin air": (ASK, [], IS_30, ("nothing-observed",)),
    "question answered after another file": (ASK, [read("b.cfg")], IS_30, ("subject-unseen",)),
    "the file is known by its absolute name": (ASK, [read("/p/app.cfg")], IS_30, ()),
    "two files, one read": (
        "Compare a.cfg and b.cfg.",
        [read("a.cfg")],
        "a.cfg is 30, b.cfg is 30.",
        ("subject-unseen",),
    ),
    "a failed read shows nothing": (ASK, [read(result="Permission denied", **FAIL)], IS_30, ("nothing-observed",)),
    "a not_found read shows absence": (ASK, [read(result="No such file", **FAIL)], "app.cfg is missing.", ()),
    "a denied read is no call": (ASK, [read(status="denied")], IS_30, ("nothing-observed",)),
    "a delegate's text backs nothing": (ASK, [("task", {"description": "x"}, "30")], IS_30, ("nothing-observed",)),
    "nothing named, nothing looked at": ("Hi", [], "I checked everything.", ("nothing-observed",)),
    "nothing named, something looked at": ("Hi", [read("b")], "I checked everything.", ("subject-unknown",)),
    "looked, then changed by a stranger": (
        ASK,
        [read(), ("zz", {"path": "app.cfg"}, "")],
        IS_30,
        ("look-stale", "tool-unknown"),
    ),
    "a stranger that showed it itself": (ASK, [("zz", {"path": "app.cfg"}, "timeout = 30")], IS_30, ("tool-unknown",)),
    "one file read, the other honestly not": (
        "Compare a.cfg and b.cfg.",
        [read("a.cfg")],
        "a.cfg is 30. I could not open b.cfg.",
        (),
    ),
    "looked again after the stranger": (
        ASK,
        [read(), ("zz", {"path": "app.cfg"}, ""), read()],
        IS_30,
        ("tool-unknown",),
    ),
    "done, and nothing was called": (SET, [], "Done.", ("no-change",)),
    "done, and it was only read": (SET, [read()], "I've updated app.cfg.", ("no-change",)),
    "done, and it failed": (SET, [edit(result="No match", **FAIL)], "Done.", ("change-failed",)),
    "done, and nothing came of it": (SET, [edit(result="No changes made")], "Done.", ("change-failed",)),
    "done, and not looked at": (SET, [edit()], "Done.", ("change-unseen",)),
    "done, and looked at": (SET, [edit(), read()], "Done.", ()),
    "done, looked at before only": (SET, [read(), edit()], "Done.", ("change-unseen",)),
    "done, looked at in the same step": (SET, [edit(step=1), read(step=1)], "Done.", ("change-unseen",)),
    "two changed, one looked at": (SET, [edit("a"), edit("b"), read("a")], "Done.", ("change-unseen",)),
    "two changed, both looked at": (SET, [edit("a"), edit("b"), read("a"), read("b")], "Done.", ()),
    "one failed and was made good": (SET, [edit(result="No match", **FAIL), edit(), read()], "Updated app.cfg.", ()),
    "one failed and is claimed": (
        SET,
        [edit(result="No match", **FAIL), edit("b"), read("b")],
        "I updated app.cfg and b.",
        ("change-failed",),
    ),
    "one failed and is admitted": (
        SET,
        [edit(result="No match", **FAIL), edit("b"), read("b")],
        "I updated b, but could not update app.cfg.",
        (),
    ),
    "already so": (SET, [read()], "The timeout in app.cfg is already set to 30, so no change was needed.", ()),
    "already so, unseen": (SET, [], "The timeout in app.cfg is already set to 30.", ("nothing-observed",)),
    "a state of what was changed": (SET, [edit()], IS_30, ("change-unseen",)),
    "a deletion nobody speaks of": (
        SET,
        [edit(), read(), ("delete_file", {"path": "/t/x"}, "ok")],
        "Done, app.cfg.",
        (),
    ),
    "a deletion that is claimed": (
        SET,
        [edit(), read(), ("delete_file", {"path": "/t/x.py"}, "ok")],
        "Done, and x.py is deleted.",
        ("change-unseen",),
    ),
    "a deletion alone": (SET, [("delete_file", {"path": "/t/x.py"}, "ok")], "Done.", ("change-unseen",)),
    "an opaque change that printed something": (
        SET,
        [("shell", {"command": "x"}, "ok")],
        "Done.",
        (UNNAMED,),
    ),
    "an opaque change that printed nothing": (
        SET,
        [("shell", {"command": "x"}, "")],
        "Done.",
        ("change-unseen", UNNAMED),
    ),
    "an opaque change, then a look": (SET, [("shell", {"command": "x"}, ""), read()], "Done.", (UNNAMED,)),
    "an opaque change of named files": (
        SET,
        [("shell", {"command": "./fix"}, "ok")],
        "I've updated app.cfg.",
        ("change-unseen", UNNAMED),
    ),
    "an opaque change of named files, read": (
        SET,
        [("shell", {"command": "./fix"}, "ok"), read()],
        "I've updated app.cfg.",
        (UNNAMED,),
    ),
    "an unknown tool of its own world": (
        SET,
        [("update_thing", {"v": 1}, "ok")],
        "Done.",
        ("change-unseen", "opaque-change"),
    ),
    "plain talk": ("Hi", [], "Hello there.", ()),
    "an id that was looked up": (
        "Where is order 4471?",
        [("get_order", {"id": 4471}, {"at": "x"})],
        "I checked 4471.",
        (),
    ),
    "an id that was not": (
        "Where is order 4471?",
        [("get_order", {"id": 9}, {"at": "x"})],
        "I checked 4471.",
        ("subject-unseen",),
    ),
}


@pytest.mark.parametrize(("prompt", "calls", "text", "codes"), CASES.values(), ids=CASES.keys())
def test_the_floor_decides(prompt: str, calls: list[tuple[Any, ...]], text: str, codes: tuple[str, ...]) -> None:
    """One row per situation; an accept has no block among its codes, a reject has one."""
    verdict = say(play(prompt, calls), text)
    assert verdict.codes == codes
    notes = {"subject-unknown", "tool-unknown", UNNAMED, "opaque-change"}
    assert verdict.accepted is (set(codes) <= notes)


def test_a_typed_completion_gets_no_relief_for_already_so() -> None:
    """Nothing changed is `no-change`, whatever was read, when the agent typed a completion."""
    assert say(play(SET, [read()]), "app.cfg is already set.", claim="completion").codes == ("no-change",)


def test_an_unknown_claim_type_is_noted() -> None:
    """It is taken as a completion."""
    assert say(play(SET, [read()]), "x", claim="finished").codes == ("no-change", "claim-type-unknown")


@pytest.mark.parametrize(
    ("surface", "text", "codes"),
    [
        (["b.cfg"], "a.cfg is 30.", ("subject-unknown",)),
        (["a.cfg"], "a.cfg is 30.", ("subject-unseen",)),
        (["./conf/a.cfg"], "a.cfg is 30.", ("subject-unseen",)),
        (["b.cfg"], "b.cfg is 30.", ()),
    ],
)
def test_a_declared_surface_alone_counts(surface: list[str], text: str, codes: tuple[str, ...]) -> None:
    """What the prompt names does not matter then; this turn's changes do."""
    assert say(play("About a.cfg", [read("b.cfg")], surface=surface), text).codes == codes


def test_the_surface_includes_what_was_changed() -> None:
    """A changed target is a subject, declared or not."""
    gate = play("x", [edit("c.cfg"), ("zz", {"path": "c.cfg"}, "")], surface=["b.cfg"])
    assert say(gate, "c.cfg is already 30.").codes == ("change-unseen", "tool-unknown")


@pytest.mark.parametrize(
    ("calls", "text", "codes"),
    [
        ([read()], IS_30, ("no-change",)),
        ([edit(), read()], IS_30, ()),
        ([read(), edit("b"), read("b")], "app.cfg is fine.", ("look-stale",)),
        ([read("x")], "I checked it all.", ("subject-unknown", "no-change")),
        ([edit("x"), read("x")], "I checked it all.", ("subject-unknown",)),
        ([read("x"), edit("x")], "I checked it all.", ("subject-unknown", "look-stale")),
        ([], "Shall I?", ()),
    ],
    ids=str,
)
def test_a_skipper_needs_the_verified_tier(calls: list[tuple[Any, ...]], text: str, codes: tuple[str, ...]) -> None:
    """Strict grounding: a conversation that changes nothing can only end `none` or `unverified`."""
    assert say(play(ASK, calls, model_class="skipper"), text).codes == codes


def test_looks_of_earlier_turns_count_by_default_and_not_under_strict() -> None:
    """A question answered from an earlier look is accepted; the strict law wants a look of this turn."""
    for policy, codes in (("default", ()), ("strict", ("nothing-observed",))):
        gate = play(ASK, [read()], policy=policy)
        gate.begin_turn("And again: the timeout in app.cfg?")
        assert say(gate, IS_30).codes == codes


def test_an_earlier_look_is_stale_after_a_later_change() -> None:
    """A debt of an earlier turn leaves the look stale; reading again mends it."""
    gate = play(SET, [read(), edit()])
    gate.begin_turn(ASK)
    assert say(gate, IS_30).codes == ("look-stale",)
    act(gate, [read()])
    assert say(gate, IS_30).codes == ()


@pytest.mark.parametrize(
    ("result", "text", "codes"),
    [
        ("def load_settings(): ...", "I checked `load_settings`.", ("subject-unknown",)),
        ("nothing of the kind", "I checked `load_settings`.", ("subject-unseen",)),
        ("x = cfg.load_settings()", "I checked load_settings().", ("subject-unknown",)),
        ("RES-12 is open", "I checked RES-12.", ("subject-unknown",)),
        ("RES-13 is open", "I checked RES-12.", ("subject-unseen",)),
        ("nothing", "I checked 2024.", ("subject-unknown",)),
    ],
)
def test_without_a_target_the_look_must_show_a_symbol(result: str, text: str, codes: tuple[str, ...]) -> None:
    """A symbol or id of the answer stands in what was shown; a bare number is no name."""
    assert say(play("Look around.", [read("/p/x.py", result)]), text).codes == codes


def test_a_symbol_is_not_held_against_texts_that_are_gone() -> None:
    """Without the texts nobody can say that it was not shown."""
    gate = play("Look around.", [read("/p/x.py", "nothing")])
    attempt = Attempt(parts=("I checked `load_settings`.",))
    assert boundary_check(gate.state, attempt, gate.config).codes == ("subject-unknown",)


@pytest.mark.parametrize(
    ("config", "target", "text"),
    [
        ({"home": "/home/u"}, "/home/u/app.cfg", "~/app.cfg is 30."),
        ({"case_insensitive": True}, "/P/App.cfg", "app.CFG is 30."),
        ({}, "/p/src/app.cfg", "./src/app.cfg is 30."),
        ({}, "C:\\p\\app.cfg", "app.cfg is 30."),
        ({}, "/private/tmp/app.cfg", "/tmp/app.cfg is 30."),
    ],
)
def test_an_answer_may_spell_its_subject_otherwise(config: dict[str, Any], target: str, text: str) -> None:
    """Home folder, case, dots and drives are folded on both sides: unread it is rejected, read it is accepted."""
    prompt = f"What about {text.split(maxsplit=1)[0]}?"
    assert say(play(prompt, [read("other")], **config), text).codes == ("subject-unseen",)
    assert say(play(prompt, [read(target)], **config), text).codes == ()


def test_a_change_that_was_exercised_is_known_too() -> None:
    """What a test run or a receipt settled needs no read before it may be spoken of."""
    from gate_core import SignalEvent

    run: tuple[Any, ...] = ("get_tests", {}, "3 passed", {"signals": (SignalEvent(name="tests_passed"),)})
    assert say(play(SET, [edit(), run]), "app.cfg is already fine.").codes == ()


def test_a_change_without_a_target_says_how_to_look() -> None:
    """No path can be named, so the remedy speaks of the tool; nothing is probed."""
    profiles = {"deploy": {"effect": "change", "domain": "files"}}
    gate = play("Deploy", [("deploy", {}, "ok")], profiles=profiles)
    verdict = say(gate, "Done.")
    assert (verdict.codes, verdict.needs) == (("change-unseen",), ())
    assert verdict.findings[0].fix == "look at what deploy changed with a reading tool, then answer again"


def test_an_error_that_the_host_hid_is_read() -> None:
    """`side.error` holds what the tool said where the agent saw a fixed sentence."""
    hidden = {"status": "error", "side": {"error": "Permission denied"}}
    for side, codes in ((hidden, ("change-failed",)), ({"status": "error"}, ("change-unseen",))):
        gate = play(SET, [("edit_file", {"path": "app.cfg", "old": "5", "new": "30"}, "Something went wrong", side)])
        assert say(gate, "Done.").codes == codes


def test_one_id_with_two_contents_is_noted() -> None:
    """Both facts are kept."""
    gate = play(ASK, [read(call_id="c1"), read(result="timeout = 31", call_id="c1")])
    assert len(gate.state.facts) == 2
    assert say(gate, IS_30).codes == ("call-conflict",)


def test_required_signals_must_be_there_and_current() -> None:
    """`requires`: missing, failed, stale, current; only completions need them."""
    from gate_core import SignalEvent, SignalState

    def run(state: SignalState = SignalState.PASSED) -> tuple[Any, ...]:
        return ("run_tests", {}, "12 passed", {"signals": (SignalEvent(name="tests_passed", state=state),)})

    rows: list[tuple[list[tuple[Any, ...]], tuple[str, ...]]] = [
        ([edit(), read()], ("signal-missing",)),
        ([edit(), read(), run(SignalState.FAILED)], ("opaque-change", "signal-contradicted")),
        ([edit(), read(), run(SignalState.EMPTY)], ("opaque-change", "signal-empty")),
        ([edit(), read(), run(SignalState.MASKED)], ("opaque-change", "signal-inconclusive")),
        ([run(), edit(), read()], ("opaque-change", "signal-stale")),
        ([run(), edit("README.md"), read("README.md")], ("opaque-change",)),
        ([edit(), read(), run()], ("opaque-change",)),
        ([edit(), run()], ("opaque-change",)),
    ]
    for calls, codes in rows:
        assert say(play(SET, calls, requires=["tests_passed"]), "Done.").codes == codes
    assert say(play(ASK, [read()], requires=["tests_passed"]), IS_30).codes == ()


def test_signal_rules_say_what_drops_a_signal() -> None:
    """`survives_changes`, another domain, `ignores` and `scratch` keep a signal current."""
    from gate_core import SignalEvent

    passed = {"signals": (SignalEvent(name="ok"),)}
    base: dict[str, Any] = {"requires": ["ok"]}
    rows: list[tuple[dict[str, Any], str, bool]] = [
        ({"signals": [{"name": "ok"}]}, "a.py", False),
        ({"signals": [{"name": "ok", "survives_changes": True}]}, "a.py", True),
        ({"signals": [{"name": "ok", "domain": "crm"}]}, "a.py", True),
        ({"scratch": ["build/**"]}, "/p/build/a.py", True),
        ({"ignores": ["*.py"]}, "a.py", True),
        ({"ignores": ["*.py"]}, "a.md", False),
        ({}, "docs/a.py", True),
        ({}, "/p/LICENSE.txt", True),
    ]
    for config, path, current in rows:
        gate = play(SET, [("get_x", {}, "x", passed), edit(path), read(path)], **base, **config)
        assert ("signal-stale" not in say(gate, "Done.").codes) is current, (config, path)


def test_a_layer_that_is_off_or_warns_does_not_block() -> None:
    """The dial is the highest severity a layer may give; an off layer gives nothing."""
    warned = say(play(SET, [edit()], floor="warn"), "Done.")
    assert (warned.accepted, warned.exit, [f.severity.value for f in warned.findings]) == (True, "verified", ["warn"])
    assert say(play(SET, [edit()], floor="off"), "Done.").codes == ()


def test_every_layer_has_a_check() -> None:
    """Switched on and unchecked would be said, not hidden; no layer is."""
    assert say(play(ASK, [read()], values="warn", actions="block", writes="block"), IS_30).unchecked == ()


def test_an_accepted_answer_carries_its_evidence() -> None:
    """What was checked, exactly; nothing for plain talk; long lists are cut."""
    assert (
        say(play(SET, [edit("/p/app.cfg"), read("/p/app.cfg")]), "Done.").evidence_line
        == "checked: app.cfg read after change"
    )
    assert say(play(ASK, [read()]), IS_30).evidence_line == "checked: 1 look"
    assert say(play(ASK, [read(), read("b")]), IS_30).evidence_line == "checked: 2 looks"
    assert say(play("Hi", []), "Hello.").evidence_line == ""
    assert say(play("Hi", []), "UNVERIFIED: no.").evidence_line == ""
    many = [call for n in range(10) for call in (edit(f"/p/{n}.cfg"), read(f"/p/{n}.cfg"))]
    assert say(play(SET, many), "Done.").evidence_line.endswith("· 7.cfg read after change · 2 more")
    same = [edit("/p/a/x"), edit("/p/b/x"), read("/p/a/x"), read("/p/b/x")]
    assert say(play(SET, same), "Done.").evidence_line == "checked: /p/a/x read after change · /p/b/x read after change"


def test_a_named_target_that_a_call_touched_has_a_provenance() -> None:
    """Paths and the ids inside "kind:id" targets count as read."""
    gate = play("Orders", [("get_order", {"id": "RES-12"}, {"at": "x"}), read()])
    assert say(gate, "RES-12 and app.cfg are fine, other.cfg too.").provenance == {"RES-12": "read", "app.cfg": "read"}


def test_a_changed_configuration_is_noted() -> None:
    """The digest is pinned by the first turn."""
    gate = play(ASK, [read()])
    other = Gate(GateConfig(max_blocks=5), state=gate.state)
    assert say(other, IS_30).codes == ("config-changed",)


def test_strict_grounding_wants_a_look_behind_the_last_change_of_its_world() -> None:
    """`skipper`: the verified tier. A look at b.cfg before a.cfg was changed no longer counts (spec 10, tiers)."""
    other = [read("b.cfg", "t = 2"), edit("a.cfg"), read("a.cfg")]
    asked = "What does b.cfg set?"
    assert say(play(asked, other, model_class="skipper"), "b.cfg sets t to 2.", "assertion").codes == ("look-stale",)
    assert say(play(asked, other), "b.cfg sets t to 2.", "assertion").codes == ()
    again = [*other, read("b.cfg", "t = 2")]
    assert say(play(asked, again, model_class="skipper"), "b.cfg sets t to 2.", "assertion").codes == ()


def test_a_file_in_a_list_of_changed_ones_was_changed_too() -> None:
    """One of two was edited: the other is named. A file the sentence only mentions is no item of the list."""
    done = [edit("a.md"), read("a.md")]
    assert say(play(SET, done), "I updated `a.md` and `b.md`.").codes == ("change-unseen",)
    assert say(play(SET, done), "I updated a.md, b.md and c.md.").codes == ("change-unseen",)
    assert say(play(SET, [*done, edit("b.md"), read("b.md")]), "I updated `a.md` and `b.md`.").codes == ()
    assert say(play(SET, done), "I updated `a.md` to match `b.md`.").codes == ()
    assert say(play(SET, done), "I updated `a.md`; `b.md` is unchanged.").codes == ()


def test_without_the_extra_the_feedback_says_so() -> None:
    """Where no command is read, running it again would show nothing; where commands are read, the run backs it."""
    gate = play("Run the tests.", [("Bash", {"command": "pytest -q"}, "3 passed in 0.1s", {"exit_code": 0})])
    assert ("gate-core[shell]" in say(gate, "All tests pass.").feedback) is not available()


def test_a_programming_error_is_told_as_one() -> None:
    """What is no call and no attempt is refused by its type, not judged."""
    gate = play(SET, [])
    with pytest.raises(TypeError, match="expected ToolCall, got str"):
        gate.observe(cast("Any", "x"))
    with pytest.raises(TypeError, match="expected Attempt, got str"):
        gate.boundary_check(cast("Any", "Done."))


@pytest.mark.skipif(not available(), reason="the extra [shell] is not installed")
@pytest.mark.parametrize(
    ("command", "backed"),
    [
        ("/bin/cat app.cfg", True),
        ("cat app.cfg", False),
        ("/bin/cat app.cfg | head", False),
        ("sudo /bin/cat app.cfg", False),
        ("LD_PRELOAD=x.so /bin/cat app.cfg", False),
    ],
)
def test_a_strict_shell_credits_no_program_that_can_be_shadowed(command: str, backed: bool) -> None:
    """A function or another PATH may stand behind a bare name; what a command changed counts all the same."""
    calls = [("Bash", {"command": command}, "timeout = 30", {"exit_code": 0})]
    strict = play(ASK, calls, strict_shell=True)
    assert ("nothing-observed" not in say(strict, IS_30).codes) is backed
    assert say(play(ASK, calls), IS_30).codes == ()
    written = play(SET, [("Bash", {"command": "sed -i s/5/30/ app.cfg"}, "", {"exit_code": 0})], strict_shell=True)
    assert "change-unseen" in say(written, "Done.").codes
