"""The values check: every value of the answer has a source (spec 30)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from gate_core.checks.finding import finding
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.json import Json
from gate_core.model.kinds import Claim, Layer, Severity, Strength
from gate_core.model.reading import Reading, Sentence
from gate_core.model.state import GateState
from gate_core.model.verdict import Finding
from gate_core.reading import read
from gate_core.values import Evidence, Judged, Passage, Provenance, ValueReport, distil, examine, of_ledger, of_results
from gate_core.values.normal import normal
from gate_core.values.scan import scan_all
from gate_core.values.shapes import shapes_of
from gate_core.values.spelled import spells_any
from gate_core.values.supplied import GUESS
from gate_core.values.units import unit_of_key
from gate_core.values.value import Shape

MOST_TOLD = 12
"""Values told in one message; the others are counted."""
_MOST_LEAVES = 20_000

_MOST_ANSWERED = 8
_ANSWERED: dict[tuple[object, ...], ValueReport] = {}
"""The last reports of this process by what they were made of."""
_REPORTS: WeakKeyDictionary[Ledger, tuple[Reading, ValueReport]] = WeakKeyDictionary()


def check_values(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """One finding per value that lacks a source, the first of each spelling; past the twelfth they are counted."""
    report = report_of(reading, ledger, config)
    if report is None:
        return
    told = 0
    facts = {fact.key: fact for fact in ledger.facts}
    wrong = [value for value in _distinct(report.values) if value.code is not None]
    for value in wrong:
        weighs = not _is_note(value)
        told += weighs
        if weighs and told > MOST_TOLD:
            continue
        carried = tuple(facts[c.fact] for c in value.carriers if c.fact in facts)
        item = finding(value.code or Code.VALUE_UNSUPPORTED, value.text, where=value.where, evidence=carried)
        yield item if weighs or item.severity is Severity.INFO else _softened(item)
    if told > MOST_TOLD:
        yield finding(
            Code.VALUE_UNSUPPORTED, f"{told - MOST_TOLD} more values", where=f"{told - MOST_TOLD} more values"
        )


def _distinct(values: Sequence[Judged]) -> Iterator[Judged]:
    seen: set[tuple[str, Code | None]] = set()
    for value in values:
        if (value.text, value.code) not in seen:
            seen.add((value.text, value.code))
            yield value


def _is_note(value: Judged) -> bool:
    """What is told and never blocks: stale, unexamined, written by the agent itself, proper names."""
    if value.kind == Shape.PROPER.value:
        return True
    return value.code in (Code.VALUE_STALE, Code.VALUE_UNEXAMINED) or value.provenance is Provenance.AUTHORED


def _softened(item: Finding) -> Finding:
    return Finding(
        code=item.code,
        severity=Severity.INFO,
        subject=item.subject,
        where=item.where,
        says=item.says,
        fix=item.fix,
        evidence=item.evidence,
    )


def report_of(reading: Reading, ledger: Ledger, config: GateConfig) -> ValueReport | None:
    """The report on an answer, made once per ledger; None when the layer is off."""
    if config.layers[Layer.VALUES] is Strength.OFF:
        return None
    known = _REPORTS.get(ledger)
    if known is None or known[0] is not reading:
        made = ValueReport() if _names_none(reading, config) else report_on(reading, of_ledger(ledger), config)
        known = (reading, made)
        _REPORTS[ledger] = known
    return known[1]


def _names_none(reading: Reading, config: GateConfig) -> bool:
    """True for an answer without any value: no text of a call has to be fetched for it."""
    if reading.output is not None or config.names:
        return False
    if any(scan_all([sentence.text for sentence in reading.sentences], shapes_of(config.shapes))):
        return False
    return not any(spells_any(sentence.text, sentence.language) for sentence in reading.sentences)


def report_on(reading: Reading, evidence: Evidence, config: GateConfig) -> ValueReport:
    """The report on a reading. The last ones are remembered: an answer comes again after a free look, and where a host
    asks twice."""
    told = evidence.key if reading.output is None else None
    if told is None:
        return _reported(reading, evidence, config)
    key = (config.digest, reading.claim, reading.sentences, told)
    found = _ANSWERED.pop(key, None) or _reported(reading, evidence, config)
    _ANSWERED[key] = found
    if len(_ANSWERED) > _MOST_ANSWERED:
        del _ANSWERED[next(iter(_ANSWERED))]
    return found


def _reported(reading: Reading, evidence: Evidence, config: GateConfig) -> ValueReport:
    passages = [Passage(sentence=s, where=f"sentence {n}") for n, s in enumerate(reading.sentences, 1)]
    passages.extend(_typed(reading.output))
    return examine(passages, evidence, config, completion=reading.claim is Claim.COMPLETION)


def check_answer(
    answer: Json,
    evidence: Sequence[Json] | Mapping[str, Json] = (),
    config: GateConfig | None = None,
    *,
    prompt: str = "",
) -> ValueReport:
    """The report on an answer without a `Gate` (spec 30): a text, or a typed answer.

    `evidence` are results of calls, in order or by name; `prompt` is what the user said. JSON-like input never
    makes it raise.

    Raises:
        ConfigError: a declared shape that is no pattern of the linear subset.
    """
    config = config or GateConfig()
    told = distil(prompt) if prompt else ()
    found = of_results(evidence, [value for value in told if not value.startswith(GUESS)])
    found.guessed = tuple(value[1:] for value in told if value.startswith(GUESS))
    attempt = Attempt(parts=(answer,)) if isinstance(answer, str) else Attempt(output=answer)
    return report_on(read(attempt, Ledger(GateState(), config)), found, config)


def _typed(output: Json) -> Iterator[Passage]:
    """The numbers of a typed answer, each with what its object calls it; its strings are read as sentences."""
    stack: list[tuple[str, str, Json]] = [("", "", output)]
    left = _MOST_LEAVES
    while stack and left:
        pointer, about, item = stack.pop()
        left -= 1
        if isinstance(item, Mapping):
            labels = " ".join(str(v) for v in item.values() if isinstance(v, str) and len(v) <= 40)[:200]
            stack.extend((f"{pointer}/{k}", f"{labels}|{k}", inner) for k, inner in reversed(list(item.items())))
        elif isinstance(item, Sequence) and not isinstance(item, str | bytes):
            stack.extend((f"{pointer}/{place}", about, inner) for place, inner in reversed(list(enumerate(item))))
        elif isinstance(item, int | float) and not isinstance(item, bool):
            text, start = _as_sentence(about, item)
            yield Passage(sentence=Sentence(text=text), where=pointer or "/", start=start)


def _as_sentence(about: str, item: float) -> tuple[str, int]:
    """What the object calls the number, the key in words without digits, the number with the unit of its key; and where
    the number starts."""
    labels, _, key = about.rpartition("|")
    words = "".join(sign for sign in key.replace("_", " ") if not sign.isdigit())
    unit = unit_of_key(key)
    head = normal(f"{labels} {words}: ")
    return f"{head}{_written(item)}{'' if unit.startswith('cur:') else f' {unit}'.rstrip()}", len(head)


def _written(item: float) -> str:
    try:
        return str(item)
    except ValueError:
        return "0"
