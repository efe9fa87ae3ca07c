"""The verdict on single values: where each comes from, and what is wrong with it (spec 30)."""

from __future__ import annotations

import pytest

from gate_core import (
    Attempt,
    CallStatus,
    Code,
    ConfigError,
    Gate,
    GateConfig,
    GateFactory,
    GateState,
    Json,
    Layer,
    ToolCall,
    ValueReport,
    check_answer,
    parse_config,
)
from gate_core.model.patterns import compiled
from gate_core.model.state import Said
from gate_core.shell import available
from gate_core.values import PAST, distilled
from gate_core.values.normal import normal
from gate_core.values.scan import scan
from gate_core.values.shapes import shapes_of
from gate_core.values.value import Shape
from gate_core.values.vault import unpacked

HOSTS: list[Json] = [{"host": "web-a1", "errors": 5210}, {"host": "web-b2", "errors": 1207}]


def found(report: ValueReport) -> list[tuple[str, str, str | None]]:
    """(value, provenance, code) of every value."""
    return [(v.text, v.provenance.value, v.code and v.code.value) for v in report.values]


READ: list[tuple[str, Json]] = [
    ("Revenue was $1.23 million.", {"revenue": 1234567.89}),
    ("The year closed with a loss of (4,521.30).", {"net": -4521.3}),
    ("A loss of 4,521.30.", {"net": -4521.3}),
    ("The total is ₹12,34,567.", {"total_inr": 1234567}),
    ("Median latency is 1,007 µs.", "p50 latency 1007us"),
    ("Coverage is 85%.", {"coverage": 85.19}),
    ("Coverage is 85.2%.", {"coverage": 0.8519}),
    ("The file is 1.5 GB.", {"size_bytes": 1_500_000_000}),
    ("The file is 1.4 GiB.", {"size_bytes": 1_500_000_000}),
    ("It ran for 90 minutes.", {"duration_h": 1.5}),
    ("It took 22 seconds.", "real\t0m22.013s\nuser\t0m20.100s"),
    ("It took 82 seconds.", "real\t1m22.013s"),
    ("It took 1 min 22 s.", "real\t1m22.013s"),
    ("It is 68 °F.", {"temp_c": 20}),
    ("It is 62 miles away.", "100 km"),
    ("It costs $125.00.", {"price_cents": 12500}),
    ("It was 23:30 on Nov 30, so 04:30 UTC on Dec 1.", {"at": "2026-11-30T23:30:00-05:00"}),
    ("See config.py, place 1,203.", "src/config.py:1203:def load():"),
    ("Net income was -$4.5 million.", {"net_income": -4521300}),
    ("Sales fell 5.2%.", {"change_pct": -5.2}),
    ("The rate is 450 bps.", {"rate": "4.5%"}),
    ("It has 10 million users.", {"users": "10,000,000"}),
    ("Paid 1,250 USD.", {"price": 1250, "currency": "USD"}),
    ("売上は1.2億円です。", {"yen": 120_000_000}),
    ("Le total est de 9 876 543 €.", {"total_eur": 9876543}),
    ("Balance ٤٥٦٧.", {"balance": 4567}),
    ("Der Umsatz betrug 12.345,67 €.", {"umsatz_eur": 12345.67}),
    ("The id is 9007199254740993.", {"id": 9007199254740993}),
    ("The id is 9007199254740993.", '{"id": 9007199254740993}'),
    ("The id is 1500 on port 8080.", "id:1500 port:8080"),
    ("The values are 5210 and 8841.", "5210,8841"),
    ("It has 1,000+ users.", {"users": 1312}),
    ("Blood pressure was 142/91.", {"systolic": 142, "diastolic": 91}),
    (
        "LH2035 leaves at 2:05 PM on 30 November 2026 (13:05 UTC).",
        {"flight": "LH 2035", "at": "2026-11-30T14:05:00+01:00"},
    ),
    ("Started 2026-11-30 14:05.", {"ts": 1796047500}),
    ("It leaves on 30.11.2026 at 14h05.", {"date": "2026-11-30", "time": "14:05"}),
    ("It leaves 2026-11-30 14:05.", {"date": "2026-11-30", "time": "14:05"}),
    (
        "It is at main.py:120, since commit 3f2a9c1.",
        {"file": "src/app/main.py:120", "commit": "3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39"},
    ),
    ("It runs 1.2.3.", {"version": "v1.2.3"}),
    ("Write to J.Patel@example.com.", {"owner": "j.patel@example.com"}),
    ("See `parse_cfg` in src/app/cfg.py.", "src/app/cfg.py:10:def parse_cfg(x):"),
    ("The card ending in 3658 was used by T-4471.", {"card": "****3658", "ticket": "T-4471"}),
    ("It moved from 5,210 to 1,207.", [{"before": 5210, "after": 1207}]),
    ("Nested: 4,711.", {"a": '{"b": {"c": 4711}}'}),
    ("Cut: 4,711.", '[{"a": 4711, "b": "x"}, {"a": 48'),
    ("Two: 4,711 and 4,812.", '{"a": 4711}\n{"a": 4812}'),
]


@pytest.mark.parametrize(("answer", "result"), READ, ids=[f"{n} {answer[:40]}" for n, (answer, _) in enumerate(READ)])
def test_what_a_result_shows_is_read(answer: str, result: Json) -> None:
    """In every spelling, unit, zone and rounding."""
    report = check_answer(answer, [result])
    assert report.values
    assert {(v.provenance.value, v.code) for v in report.values} == {("read", None)}


WRONG: list[tuple[str, Json, str]] = [
    ("Revenue was $9.87 million.", {"revenue": 1234567.89}, "value-unsupported"),
    ("The rate is 61.0.", {"rate": 61.1}, "value-unsupported"),
    ("It took 92 seconds.", "real\t1m22.013s", "value-unsupported"),
    ("It took 1 min 23 s.", "real\t1m22.013s", "value-unsupported"),
    ("The year closed with a profit of 4,521.30.", {"net": -4521.3}, "value-sign"),
    ("The loss was 4,521.30.", {"net": 4521.3}, "value-sign"),
    ("The balance is -4,521.30.", {"balance": 4521.3}, "value-sign"),
    ("The price is €1,250.", {"price": 1250, "currency": "USD"}, "value-unit"),
    ("Market cap is $53.2 billion.", {"marketCap": 53_200_000_000, "currency": "NOK"}, "value-unit"),
    ("It weighs 500 km.", "500 kg", "value-unit"),
    ("Give 50 mg twice daily.", {"dose": "500 mg", "schedule": "BID"}, "value-unsupported"),
    ("It is 854 miles.", "854 km", "value-unit"),
    ("Latency is 1,007 ms.", "p50 latency 1007us", "value-unit"),
    ("web-a1のエラーは1,207件、web-b2は5,210件です。", HOSTS, "value-mispaired"),
    ("The id is 9007199254740992.", '{"id": 9007199254740993}', "value-unsupported"),
    ("web-a1 had 1,207 errors.", HOSTS, "value-mispaired"),
    ("Alice spent 5,210.", "name,spent\nAlice,1207\nBob,5210\n", "value-mispaired"),
    ("| Alice | 5,210 |", "name,spent\nAlice,1207\nBob,5210\n", "value-mispaired"),
    ("Alice spent 5,210.", "Alice: 1207\nBob: 5210\n", "value-mispaired"),
    ("alpha uses 5,210.", {"alpha": {"n": 1207}, "beta": {"n": 5210}}, "value-mispaired"),
    ("It left at 2:10 PM.", {"at": "2026-11-30T14:05:00+01:00"}, "value-unsupported"),
    ("Your meeting is at 11:00.", {"start": "2026-11-30T13:00:00+02:00"}, "value-unsupported"),
    ("It was on 31 November 2026.", {"d": "2026-11-30"}, "value-unsupported"),
    ("See commit 3f2a9c2.", {"commit": "3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39"}, "value-unsupported"),
    ("See app.py.", {"file": "myapp.py"}, "value-unsupported"),
    ("It runs 1.2.3.", {"version": "1.2.30"}, "value-unsupported"),
    ("See T-447.", {"ticket": "T-4471"}, "value-unsupported"),
    ("The last is 48,123.", '[{"a": 4711, "b": "x"}, {"a": 48123', "value-unsupported"),
]


@pytest.mark.parametrize(("answer", "result", "code"), WRONG, ids=[f"{n} {row[0][:40]}" for n, row in enumerate(WRONG)])
def test_what_no_result_shows_is_told(answer: str, result: Json, code: str) -> None:
    """Each with the code that says what is wrong."""
    assert code in [v.code and v.code.value for v in check_answer(answer, [result]).values]


COMPUTED: list[tuple[str, Json]] = [
    ("3 of 48 hosts are down (6.25%).", {"down": 3, "total": 48}),
    ("The downtime was 0.05%.", {"uptime_pct": 99.95}),
    ("There are 1,024 users.", {"users": [{"id": n} for n in range(1024)]}),
    ("There are 12 messages.", {"messages": [{"t": 1}] * 12}),
    ("That makes 1,000 mg a day.", {"drug": "X", "dose": "500 mg", "schedule": "BID"}),
    ("It took 25 minutes.", {"start": "14:05", "end": "14:30"}),
    ("In total there were 6,417 errors.", HOSTS),
    ("The average is 3,208.5 errors.", HOSTS),
    ("Предоплата — 25 500 евро.", "contract_amount: 85 000 евро; prepayment_percentage: 30%"),
]


@pytest.mark.parametrize(("answer", "result"), COMPUTED, ids=[answer for answer, _ in COMPUTED])
def test_what_follows_from_a_result_is_computed(answer: str, result: Json) -> None:
    """And the report says how."""
    computed = [v for v in check_answer(answer, [result]).values if v.provenance.value == "computed"]
    assert computed
    assert all(v.formula and v.code is None for v in computed)


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("3 of 48 hosts are down (8.33%).", {"down": 3, "total": 48}),
        ("There are 1,042 users.", {"users": [{"id": n} for n in range(1024)]}),
        ("There are 14 messages.", {"messages": [{"t": 1}] * 12}),
        ("The share is 23.17%.", [{"shop": f"s{n}", "a": 5210 + n, "b": 1207 + n} for n in range(9)]),
    ],
)
def test_what_does_not_follow_is_unsupported(answer: str, result: Json) -> None:
    """Nor does what nothing in the sentence anchors."""
    assert not check_answer(answer, [result]).supported


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("```\nserve --port 8081 --buf 4096\n```", "code"),
        ("> it was 4,096", "quoted"),
        ("Shall I set it to 4,096?", "question"),
        ("See RFC 7231.", "standard"),
        ("It listens on port 8080.", "standard"),
        ("As section 3.2.11 says.", "standard"),
        ("It is the 2,000th visit.", "ordinal"),
        ("For example, 4,096 would do.", "example"),
        ("If you set 4,096, it fits.", "condition"),
        ("There is no user u-1234.", "negated"),
        ("I saw 12 of them.", "small"),
    ],
)
def test_what_is_not_asserted_is_counted_apart(answer: str, reason: str) -> None:
    """And is never enforced."""
    report = check_answer(answer, ["x"])
    assert report.supported
    assert set(report.not_examined) == {reason}
    assert report.candidates == sum(report.not_examined.values())


@pytest.mark.parametrize(
    ("prompt", "answer", "expected"),
    [
        ("Set the limit to 4,096.", "The limit is 4,096.", ("supplied", None)),
        ("Can you set the limit to 4,096?", "The limit is 4,096.", ("supplied", None)),
        ("Is my balance 4,521.00?", "Yes, your balance is 4,521.00.", ("guessed", "value-echoed")),
        ("Did revenue reach $94.7B?", "Yes, revenue reached $94.7B.", ("guessed", "value-echoed")),
        ("My balance is 4,521.00, right?", "Your balance is 4,521.00.", ("guessed", "value-echoed")),
        ("Beträgt der Saldo 4.521,00?", "Ja, der Saldo beträgt 4.521,00.", ("guessed", "value-echoed")),
        ("Is my balance 4,521.00?", "You asked about 4,521.00; I could not find it.", ("guessed", None)),
        ("Is my balance 4,521.00?", "You asked about 4,521.00, and that is right.", ("guessed", "value-echoed")),
        ("Is my balance 4,521.00?", "No, it is not 4,521.00.", ("guessed", None)),
    ],
)
def test_the_users_own_values(prompt: str, answer: str, expected: tuple[str, str | None]) -> None:
    """A statement supplies, a question about a state only guesses, and quoting it back claims nothing."""
    assert [(p, c) for _, p, c in found(check_answer(answer, [], prompt=prompt))] == [expected]


def test_a_typed_answer_is_walked() -> None:
    """Numbers by their pointer; keys are never judged; strings are read as sentences."""
    report = check_answer(
        {"total": 12.55, "rows": [{"host": "web-a1", "errors": 1207}], "2026": None}, [{"sum": 12.55}, HOSTS]
    )
    assert [(v.text, v.where, v.code and v.code.value) for v in report.values] == [
        ("web-a1", "sentence 1", None),
        ("12.55", "/total", None),
        ("1207", "/rows/0/errors", "value-mispaired"),
    ]


@pytest.mark.parametrize(
    ("answer", "result", "told"),
    [
        ("½ of lot Ｑ１２３ was sold.", "lot Ｑ１２３", [("Q123", "read")]),
        ("½ of lot Ｑ１２３ was sold.", "lot Ｑ１２４", [("Q123", "unsupported")]),
        ("½ of lot Q123 was sold.", "lot Q124", []),
    ],
)
def test_a_declared_shape_is_looked_for_in_what_is_written(
    answer: str, result: str, told: list[tuple[str, str]]
) -> None:
    """Its pattern sees the signs the answer uses; the value is then compared like any other."""
    config = parse_config({"shapes": [{"name": "lot", "pattern": "(?-i:Ｑ\\d{3})"}]})
    report = check_answer(answer, [result], config)
    assert [(v.text, v.provenance.value) for v in report.values if v.kind == "name"] == told
    spans = [v for v in scan(answer, shapes_of(config.shapes)) if v.shape is Shape.DECLARED]
    assert [normal(answer)[v.start : v.end] for v in spans] == [text for text, _ in told]


def test_an_exempt_value_may_be_written_as_the_answer_writes_it() -> None:
    """Values are compared in compatibility form, and so is what is exempt."""
    config = parse_config({"exempt": ["４，０９６"]})
    report = check_answer("The limit is ４，０９６ bytes, the other 4,096, the third 4,097.", [], config)
    told = [(v.text, v.provenance.value) for v in report.values]
    assert told == [("4,096 bytes", "exempt"), ("4,096", "exempt"), ("4,097", "unsupported")]


def test_a_declared_shape_is_examined_and_an_exempt_value_is_not() -> None:
    """`shapes` find what is no identifier by itself; `exempt` takes strings and patterns."""
    config = parse_config(
        {"shapes": [{"name": "pnr", "pattern": "(?-i:\\b[A-Z]{6}\\b)"}], "exempt": ["4,096", "/T-\\d+/"]}
    )
    report = check_answer("Booking UHDAHF, limit 4,096, ticket T-99812.", [{"pnr": "UHDAHX"}], config)
    assert found(report) == [
        ("UHDAHF", "unsupported", "value-unsupported"),
        ("4,096", "exempt", None),
        ("T-99812", "exempt", None),
    ]


@pytest.mark.parametrize("pattern", ["(a+)+", "(?=x)y", "(x)\\1", "a*b*c*", "["])
def test_a_pattern_outside_of_the_linear_subset_is_refused(pattern: str) -> None:
    """When it is set, with the key named."""
    with pytest.raises(ConfigError, match="shapes"):
        GateConfig(shapes=({"name": "x", "pattern": pattern},))
    with pytest.raises(ConfigError, match="exempt"):
        GateConfig(exempt=("4711", f"/{pattern}/"))


def test_a_shape_without_a_pattern_is_refused() -> None:
    """A table says what, and how it looks."""
    with pytest.raises(ConfigError, match="name and pattern"):
        parse_config({"shapes": [{"name": "order"}]})
    with pytest.raises(ConfigError, match="list of tables"):
        parse_config({"shapes": "order"})


def test_an_open_repetition_ends() -> None:
    """So that a shape costs the same at every place of a text."""
    assert compiled(r"[A-Z+]+-\d{3,}\*").pattern == r"[A-Z+]{1,64}-\d{3,64}\*"


def gate(**layers: Json) -> Gate:
    """A gate whose values layer blocks, with tools that read and change."""
    profiles: Json = {"lookup": {"effect": "read"}, "book": {"effect": "change", "targets": ["slot:{slot}"]}}
    return Gate(parse_config({"values": "enforce", "profiles": profiles, **layers}))


def says(conversation: Gate, text: str) -> dict[str, str]:
    """Value -> provenance of an answer."""
    verdict = conversation.boundary_check(Attempt(parts=(text,)))
    return {**verdict.provenance, "codes": " ".join(c for c in verdict.codes if c.startswith("value"))}


def test_arguments_ground_nothing() -> None:
    """An id that a search did not find, and one that was only passed on."""
    conversation = gate()
    conversation.begin_turn("Who is it?")
    conversation.observe(
        ToolCall(
            tool="lookup",
            args={"q": "u-55812"},
            result="Error: u-55812 not found",
            status=CallStatus.ERROR,
            call_id="c1",
        )
    )
    assert says(conversation, "The user is u-55812.") == {"u-55812": "echoed", "codes": "value-echoed"}


@pytest.mark.skipif(not available(), reason="the extra [shell] is not installed")
def test_echo_grounds_nothing() -> None:
    """What a command was told to print was not looked up."""
    conversation = gate()
    conversation.begin_turn("How many users?")
    conversation.observe(
        ToolCall(
            tool="shell", args={"command": "echo 48,211 users"}, result="48,211 users\n", exit_code=0, call_id="c1"
        )
    )
    assert says(conversation, "There are 48,211 users.")["48,211"] in ("echoed", "authored")


def test_a_value_of_an_earlier_turn_is_stale() -> None:
    """It is read, and the report says that nobody looked again."""
    conversation = gate()
    conversation.begin_turn("Balance?")
    conversation.observe(ToolCall(tool="lookup", args={"q": "x"}, result={"balance": 4521.5}, call_id="c1"))
    assert says(conversation, "The balance is 4,521.50.") == {"4,521.50": "read", "codes": ""}
    conversation.begin_turn("And again?")
    assert says(conversation, "The balance is 4,521.50.") == {"4,521.50": "read", "codes": "value-stale"}


def test_a_value_whose_text_is_gone_is_not_examined() -> None:
    """Counted, told, never a block and never silence."""
    conversation = gate(floor="off")
    conversation.begin_turn("Balance?")
    conversation.observe(ToolCall(tool="lookup", args={"q": "x"}, result={"balance": 4521.5}, call_id="c1"))
    later = Gate.from_json(conversation.to_json(), conversation.config)
    verdict = later.boundary_check(Attempt(parts=("The balance is 4,521.50.",)))
    assert verdict.accepted
    assert Code.VALUE_UNEXAMINED.value in verdict.codes


def test_what_was_supplied_survives_a_restart() -> None:
    """The values of messages are part of the state."""
    conversation = gate(floor="off")
    conversation.supply("The fee is $50 a bag.")
    conversation.begin_turn("Two bags with fee code F-7781 please.")
    later = Gate.from_json(conversation.to_json(), conversation.config)
    assert says(later, "The fee is $50 for F-7781.") == {"$50": "supplied", "F-7781": "supplied", "codes": ""}


def test_a_supplied_value_does_not_cover_another_outcome() -> None:
    """Asked for 11:00, the calendar answered 13:00+02:00."""
    conversation = gate(floor="off")
    conversation.begin_turn("Book slot s-1 at 11:00.")
    conversation.observe(
        ToolCall(
            tool="book",
            args={"slot": "s-1", "at": "11:00"},
            result={"slot": "s-1", "at": "2026-11-30T13:00:00+02:00"},
            call_id="c1",
        )
    )
    assert "value" in says(conversation, "Booked for 11:00.")["codes"]
    assert says(conversation, "Booked for 13:00.")["codes"] == ""


def test_feedback_is_one_message_of_at_most_twelve_values() -> None:
    """The rest is counted; a value with other signs is named by its place."""
    conversation = gate(floor="off")
    conversation.begin_turn("List them.")
    conversation.observe(ToolCall(tool="lookup", args={"q": "x"}, result="nothing", call_id="c1"))
    verdict = conversation.boundary_check(
        Attempt(parts=(" ".join(f"There were {n} of them." for n in range(4100, 4120)) + " Also $1 234 567.",))
    )
    told = [f for f in verdict.blocking if f.layer is Layer.VALUES]
    assert len(told) == 13
    assert told[-1].where == "9 more values"
    assert verdict.feedback.count("4100") == 1
    assert "4111, 9 more values" in verdict.feedback
    assert "4112" not in verdict.feedback


def test_the_evidence_line_counts_values() -> None:
    """What the user is told of an accepted answer."""
    conversation = gate()
    conversation.begin_turn("Errors?")
    conversation.observe(ToolCall(tool="lookup", args={"q": "x"}, result=HOSTS, call_id="c1"))
    verdict = conversation.boundary_check(Attempt(parts=("web-a1 had 5,210 errors.",)))
    assert verdict.accepted
    assert "2 of 2 values" in verdict.evidence_line
    assert Layer.VALUES not in verdict.unchecked


def test_every_value_has_its_carriers() -> None:
    """Call, pointer or line, turn."""
    report = check_answer("web-a1 had 5,210 errors.", {"c7": HOSTS})
    assert [(c.call, c.pointer) for v in report.values for c in v.carriers] == [("c7", "/0/host"), ("c7", "/0/errors")]
    report = check_answer("It was 4,711.", {"c8": "a\nb 4711\n"})
    assert [(c.call, c.pointer) for v in report.values for c in v.carriers] == [("c8", "line 2")]


def test_values_of_results_that_were_let_go_of_are_still_read() -> None:
    """A long conversation forgets facts that decide nothing; the values they showed stay, as stale."""
    conversation = gate(floor="off", budget="off")
    for turn in range(40):
        conversation.begin_turn(f"Look up part {turn}.")
        for row in range(30):
            note = "Kept in the hall behind the old workshop, on the shelf at the window; ask the keeper for the key."
            result: Json = {"part": f"P-{turn}-{row}", "size": 100_000 + 97 * (30 * turn + row), "note": note}
            conversation.observe(
                ToolCall(tool="lookup", args={"q": f"{turn}-{row}"}, result=result, call_id=f"{turn}.{row}")
            )
    conversation.begin_turn("Which was the first?")
    assert len(conversation.state.facts) < 1_200
    assert says(conversation, "The first was P-0-0 with 100,000.")["codes"] == "value-stale"
    assert says(conversation, "The first was P-0-77.")["codes"] == "value-unsupported"
    later = Gate.from_json(conversation.to_json(), conversation.config)
    assert says(later, "The first was P-0-0.")["codes"] == "value-stale"


def test_what_is_kept_of_results_stays_small_and_says_what_it_left_out() -> None:
    """Values of dense results do not all fit; what could have been among them is not examined, and not accused."""
    results: list[Json] = [f"{number * 7919} {number * 104729}" for number in range(10_000, 11_000)]
    kept = distilled(results)
    values, cut = unpacked(kept)
    assert (len(kept), cut) == (1, True)
    assert len(kept[0]) <= 0.12 * sum(len(str(result)) for result in results)
    assert set(values) <= {cell for result in results for cell in str(result).split()}
    state = GateState(turn=1, said=(Said(digest="", role=PAST, turn=0, values=kept),))
    conversation = Gate(state=state)
    conversation.begin_turn("Which was it?")
    assert says(conversation, f"It was {values[0]}.")["codes"] == "value-stale"
    assert says(conversation, "It was 123456789.")["codes"] == "value-unexamined"


def test_what_is_kept_of_results_is_read_whole() -> None:
    """Units stay beside their numbers, small numbers go; what was kept before, or is broken, does no harm."""
    kept = distilled(["It weighs 12,500 kg, ticket T-4471, 7.", {"at": "2026-11-30T14:05:00Z"}] * 9)
    assert unpacked(kept) == (("12,500 kg", "2026-11-30T14:05:00Z", "T-4471"), False)
    assert unpacked(["T-1", "zlib:broken"]) == (("T-1",), True)
    assert distilled(["nothing here"]) == ()


def test_reading_back_what_one_wrote_is_no_independent_source() -> None:
    """Authored: fine for "I wrote it", a note for "it is so", never a block."""
    calls = [
        ToolCall(tool="write_file", args={"path": "n.txt", "content": "revenue 9,876,543"}, result="ok", call_id="c1"),
        ToolCall(tool="read_file", args={"path": "n.txt"}, result="revenue 9,876,543", call_id="c2"),
    ]
    conversation = gate(floor="off")
    conversation.begin_turn("What is the revenue?")
    for call in calls:
        conversation.observe(call)
    verdict = conversation.boundary_check(Attempt(parts=("Revenue is 9,876,543.",), claim="assertion"))
    assert verdict.accepted
    assert verdict.provenance["9,876,543"] == "authored"
    assert [f.severity.value for f in verdict.findings if f.layer is Layer.VALUES] == ["info"]
    verdict = conversation.boundary_check(Attempt(parts=("Done, I wrote 9,876,543.",), claim="completion"))
    assert [f for f in verdict.findings if f.layer is Layer.VALUES] == []


def test_a_listed_name_is_read_with_its_folder() -> None:
    """A listing shows bare names; the answer may say where they are."""
    conversation = gate()
    conversation.begin_turn("List src/app.")
    conversation.observe(ToolCall(tool="list_dir", args={"path": "src/app"}, result="main_10.py\n", call_id="c1"))
    assert says(conversation, "There is src/app/main_10.py.")["src/app/main_10.py"] == "read"
    assert says(conversation, "There is src/lib/main_10.py.")["src/lib/main_10.py"] == "unsupported"


def test_one_column_of_two_named_records() -> None:
    """Both named: their difference; one named, or another column: nothing."""
    rows: list[Json] = [
        {"host": "web-a1", "errors": 5210, "warnings": 900, "x": 1, "y": 2, "z": 3},
        {"host": "web-b2", "errors": 1207, "warnings": 400, "x": 1, "y": 2, "z": 3},
    ]
    assert check_answer("web-a1 had 4,003 more errors than web-b2.", [rows]).supported
    assert not check_answer("web-a1 had 4,003 more warnings than web-b2.", [rows]).supported
    assert not check_answer("web-a1 had 4,003 more errors.", [rows]).supported


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("Revenue grew 33.04%.", "Deferred revenue 9,086,173 -> 12,088,616"),
        ("It was 5 of 9 (55.6%).", "5 passed, 4 failed"),
        ("Take 1,500 mg a day.", "500 mg TID"),
    ],
)
def test_a_short_text_is_one_record(answer: str, result: str) -> None:
    """At most four numbers anchor each other."""
    assert check_answer(answer, [result]).supported


def test_what_the_host_supplies_counts_in_every_conversation() -> None:
    """Also in one that goes on from a state, where it is not said again."""
    factory = GateFactory({"supplied": ["A bag costs $57."]})
    conversation = factory.new(wired=True)
    conversation.begin_turn("What does a bag cost?")
    again = factory.new(state=conversation.state, wired=True)
    found = says(again, "A bag costs $57, a seat $58.")
    assert (found["$57"], found["$58"]) == ("supplied", "unsupported")
    assert [said.role for said in again.state.said] == ["system", "user"]
    with pytest.raises(ConfigError, match="supplied"):
        GateFactory({"supplied": "A bag costs $57."})


PEOPLE: Json = {"first_name": "Aarav", "last_name": "Garcia", "city": "Denver", "company": "Meyer GmbH"}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The passenger is Aarav Garcia of Meyer GmbH.", []),
        ("On Monday in May, the passenger flew to Denver.", []),
        ("The passenger is Aarav Garza from Dallas.", ["Aarav Garza", "Dallas"]),
        ("Then Ines Duarte called the REST API.", ["Ines Duarte"]),
        ("**Payment Method**: a card", []),
        ("Next Steps And Total Cost", []),
    ],
)
def test_proper_names_are_notes_where_they_are_asked_for(answer: str, wrong: list[str]) -> None:
    """And nothing where they are not."""
    report = check_answer(answer, [PEOPLE], GateConfig(names=True))
    assert [value.text for value in report.values if value.code] == wrong
    assert check_answer(answer, [PEOPLE]).values == ()


def test_a_proper_name_without_a_source_blocks_nothing() -> None:
    """It is advice."""
    conversation = gate(names=True)
    conversation.begin_turn("Who flies?")
    conversation.observe(ToolCall(tool="lookup", args={"q": "who"}, result=PEOPLE, call_id="1"))
    verdict = conversation.boundary_check(Attempt(parts=("The passenger is Aarav Garza.",)))
    told = [(f.code.value, f.severity.value) for f in verdict.findings if f.code is Code.VALUE_UNSUPPORTED]
    assert (verdict.action.value, told) == ("DELIVER", [("value-unsupported", "info")])


@pytest.mark.parametrize(
    ("answer", "unseen"),
    [
        ("Blood pressure 128/84 mmHg.", False),
        ("It ran from 18:30 to 20:15 (1h45m).", False),
        ("Encoded as UTF-8, hashed with SHA-256.", False),
        ("It calls retryCount here.", True),
    ],
)
def test_units_durations_and_standards_are_no_subjects(answer: str, unseen: bool) -> None:
    """Nobody has to look at "mmHg"; a symbol that no look showed is a subject (spec 10 and 30)."""
    gate = Gate(parse_config({"profiles": {"lookup": {"effect": "read"}}}))
    gate.begin_turn("Look it up.")
    gate.observe(ToolCall(tool="lookup", args={}, result="BP 128/84, 18:30, 20:15"))
    verdict = gate.boundary_check(Attempt(parts=(answer,)))
    assert (Code.SUBJECT_UNSEEN in [finding.code for finding in verdict.findings]) is unseen
