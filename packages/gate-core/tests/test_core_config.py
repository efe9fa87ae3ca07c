"""The configuration: the keys of spec page 70, checked once, wrong values named."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gate_core import (
    Attempt,
    ConfigError,
    Gate,
    GateConfig,
    Layer,
    Policy,
    Posture,
    Settle,
    Strength,
    ToolCall,
    parse_config,
)
from gate_core.model.config import LANGUAGES
from gate_core.model.profile import parse_profile, parse_signal
from gate_core.reading import languages

KEYS = """posture policy layers settle model_class cap refill requires signals profiles surface trusted_servers scratch
ignores exempt shapes min_digits names bare_counts marker max_blocks home case_insensitive strict_shell probe_roots
novelty_exempt verify_threshold languages audit audit_on_error audit_content normalizers extractors redact"""


def test_the_keys_are_those_of_the_spec() -> None:
    """Exactly the list of page 70; `to_dict` leaves out what only Python can say."""
    assert {field.name for field in fields(GateConfig)} == set(KEYS.split())
    assert set(GateConfig().to_dict()) == set(KEYS.split()) - {"normalizers", "extractors", "redact"}


def test_the_defaults_are_those_of_the_spec() -> None:
    """Page 00, "Defaults and dials"."""
    config = GateConfig()
    assert {layer.value: strength.value for layer, strength in config.layers.items()} == {
        "floor": "block",
        "budget": "warn",
        "statements": "certified",
        "values": "warn",
        "actions": "off",
        "writes": "off",
    }
    assert config.settle == {Settle.READ, Settle.PROBE, Settle.STATE, Settle.SIGNAL}
    assert (config.posture, config.policy, config.max_blocks, config.marker) == (
        Posture.GUARD,
        Policy.DEFAULT,
        3,
        "UNVERIFIED",
    )
    assert (config.cap, config.refill, config.min_digits, config.verify_threshold) == (6, 2, 4, 0.5)


def test_strict_is_the_original_law() -> None:
    """Settle by read alone, budget blocks; what the user says himself still wins."""
    strict = GateConfig(policy="strict")  # type: ignore[arg-type]
    assert (strict.settle, strict.layers[Layer.BUDGET], strict.strict) == ({Settle.READ}, Strength.BLOCK, True)
    own = parse_config({"policy": "strict", "settle": ["probe"], "layers": {"budget": "off"}})
    assert (own.settle, own.layers[Layer.BUDGET]) == ({Settle.PROBE}, Strength.OFF)


@pytest.mark.parametrize(
    ("data", "layer", "strength"),
    [
        ({"statements": "enforce"}, "statements", "block"),
        ({"values": "off"}, "values", "off"),
        ({"state_writes": "warn"}, "writes", "warn"),
        ({"writes": "enforce"}, "writes", "block"),
        ({"layers": {"floor": "enforce"}}, "floor", "block"),
        ({"layers": {"statements": "certified"}}, "statements", "certified"),
    ],
)
def test_layers_may_stand_flat(data: dict[str, Any], layer: str, strength: str) -> None:
    """`enforce` is another word for block, `state_writes` for writes."""
    assert parse_config(data).layers[Layer(layer)] is Strength(strength)


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("postur", "posture"),
        ("max_block", "max_blocks"),
        ("require", "requires"),
        ("statement", "statements"),
        ("zzzzzz", None),
        ("redact", None),
        ("normalizers", None),
    ],
)
def test_an_unknown_key_names_the_nearest(key: str, nearest: str | None) -> None:
    """The error says which key was meant; keys that only Python has are unknown in a file."""
    with pytest.raises(ConfigError) as caught:
        parse_config({key: 1})
    assert caught.value.key == key
    if nearest:
        assert caught.value.nearest == nearest
        assert f"did you mean {nearest!r}?" in str(caught.value)


WRONG: dict[str, list[Any]] = {
    "posture": ["guards", 1, None, ["guard"]],
    "policy": ["strictly", False],
    "layers": [1, "floor", {"flor": "block"}, {"verifier": "off"}, {"floor": "blocked"}, {"floor": "certified"}],
    "settle": ["read", 1, ["reading"], [1]],
    "model_class": ["fast", 1, None, []],
    "cap": [1, 0, -3, "6", 2.5, True],
    "refill": [6, 7, 0, -1, "2", 1.5, True],
    "requires": ["tests_passed", 1, {"a": 1}, [1]],
    "signals": ["x", 1, [1], [{"nam": "x"}], [{}]],
    "profiles": [1, [1], {"t": 1}, {"t": {"effect": "eat"}}, {"t": {}}, {"t": {"effect": "read", "target": "x"}}],
    "surface": ["app.cfg", 1],
    "trusted_servers": ["a"],
    "scratch": ["/tmp", 5],
    "ignores": ["*.md"],
    "exempt": ["a"],
    "shapes": ["a", 1, [1]],
    "min_digits": ["4", -1, 1.5, True, None],
    "names": ["no", 0, None],
    "bare_counts": ["no", 1],
    "marker": ["NOPE", "", 1, None],
    "max_blocks": [-1, "3", 1.5, True, None],
    "home": [1, None],
    "case_insensitive": ["yes", 1],
    "strict_shell": [0, "x"],
    "probe_roots": ["/p", 1],
    "novelty_exempt": ["x"],
    "verify_threshold": [-0.1, 1.1, "0.5", None, float("nan"), True],
    "languages": ["en", 1],
    "audit": [1, ["x"]],
    "audit_on_error": ["ignore", 1, None],
    "audit_content": ["x", 1],
}


@pytest.mark.parametrize(
    ("key", "value"),
    [pytest.param(key, value, id=f"{key}-{value!r}") for key, values in WRONG.items() for value in values],
)
def test_a_wrong_value_is_an_error_that_names_its_key(key: str, value: Any) -> None:
    """Never a silent default, never a bare TypeError in the middle of a run."""
    with pytest.raises(ConfigError) as caught:
        parse_config({key: value})
    assert caught.value.key
    assert str(caught.value)


def test_every_key_has_a_wrong_value_in_the_table() -> None:
    """The table above is complete."""
    assert set(WRONG) == set(GateConfig().to_dict())


@pytest.mark.parametrize(("cap", "refill"), [(2, 1), (10, 9), (3, None)])
def test_cap_and_refill_override_the_class(cap: int, refill: int | None) -> None:
    """Any 1 <= refill < cap."""
    config = GateConfig(cap=cap, refill=refill)
    assert (config.cap, config.refill) == (cap, refill or 2)


def test_the_digest_covers_what_the_user_set() -> None:
    """Equal settings have one digest, in whatever order and spelling; other settings another."""
    one = parse_config({"settle": ["read", "probe"], "values": "enforce"})
    other = parse_config({"layers": {"values": "block"}, "settle": ["probe", "read"]})
    assert one.digest == other.digest
    assert one.digest != GateConfig().digest
    assert GateConfig().digest == GateConfig(redact=str.upper).digest


def test_a_profile_and_a_signal_parse() -> None:
    """`confirms` means `receipt = "state"`; one string stands for a list of one; unknown keys are refused."""
    profile = parse_profile("pay", {"effect": "change", "targets": "bill:{id}", "confirms": True})
    assert (profile.receipt.value, profile.targets, profile.reversible, profile.risk) == (
        "state",
        ("bill:{id}",),
        True,
        "low",
    )
    assert parse_profile("pay", {"effect": "change", "confirms": False}).receipt.value == "none"
    assert parse_signal({"name": "ok", "programs": ["make"]}).programs == ("make",)
    wrong: list[dict[str, Any]] = [
        {"effect": "change", "risk": "huge"},
        {"effect": "read", "targets": 5},
        {"effect": "read", "recipt": 1},
        {"effect": 5},
        {"effect": "read", "line_base": True},
        {"effect": "read", "line_base": "1"},
        {"effect": "read", "reversible": "no"},
    ]
    for data in wrong:
        with pytest.raises(ConfigError):
            parse_profile("x", data)


def test_python_keys_pass_through() -> None:
    """Callables are taken as given."""
    config = GateConfig(normalizers={"t": str.strip}, extractors={"t": lambda args, result: ()})
    assert config.normalizers["t"](" a ") == "a"
    assert config.extractors["t"]({}, None) == ()


def test_languages_choose_the_packs_that_are_read() -> None:
    """The names are those of the packs; a language left out is not read, one that is unknown is an error."""
    assert set(LANGUAGES) == set(languages.LANGUAGES)
    for chosen, codes in (((), True), (("de",), True), (("en", "fr"), False)):
        gate = Gate(GateConfig(languages=chosen, layers={Layer.STATEMENTS: Strength.BLOCK}))
        gate.begin_turn("Wie steht es?")
        gate.observe(ToolCall(tool="read_file", args={"path": "a.cfg"}, result="t = 30"))
        verdict = gate.boundary_check(Attempt(parts=("Alle Tests sind grün.",)))
        assert ("statement-unbacked" in verdict.codes) is codes, chosen
    with pytest.raises(ConfigError, match="languages"):
        parse_config({"languages": ["german"]})


def test_an_extractor_says_what_a_call_names() -> None:
    """It replaces the rule for its tool: a look at a ticket backs the ticket, and no other."""
    config = GateConfig(extractors={"pick": lambda args, result: [f"/t/{str(result).partition(' ')[0]}.md"]})
    for gate, backed in ((Gate(config), True), (Gate(), False)):
        gate.begin_turn("What is in /t/T-7.md?")
        fact = gate.observe(ToolCall(tool="pick", args={"path": "/t/any.md"}, result="T-7 is open"))
        assert ("/t/T-7.md" in [effect.target for effect in fact.effects]) is backed


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("test_passed", "tests_passed"),
        ("tests-passed", "tests_passed"),
        ("Tests_Passed", "tests_passed"),
        ("tests", "tests_passed"),
        ("lint_pass", "lint_passed"),
        ("commit", "committed"),
        ("deploy", "deployed"),
        ("smoke_pased", "smoke_passed"),
        ("tests_passed", None),
        ("smoke_passed", None),
        ("e2e_tests_passed", None),
        ("staged", None),
        ("reviewed", None),
        ("ok", None),
    ],
)
def test_a_required_signal_that_looks_like_a_slip_is_refused(name: str, meant: str | None) -> None:
    """What no rule raises is for host code, unless it is nearly the name of one that a rule raises."""
    own = parse_signal({"name": "smoke_passed", "programs": ["./smoke.sh"]})
    config = GateConfig(requires=(name,), signals=(own,))
    if meant is None:
        assert Gate(config).config.requires == (name,)
        return
    with pytest.raises(ConfigError, match=f"did you mean '{meant}'") as caught:
        Gate(config)
    assert (caught.value.key, caught.value.nearest) == ("requires", meant)
    assert Gate(GateConfig(requires=(name,), signals=(own, parse_signal({"name": name})))).config.requires == (name,)
