"""`gate demo --scenario admission`: eight small stories of admission, played by the core (spec 40)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gate_core.admission import (
    AdmissionResult,
    AnthropicSearchResults,
    ClaimUnit,
    Conflict,
    Evidence,
    GeminiParts,
    OpenAIMessages,
    Policy,
    Proposal,
    RuleContext,
    StateWrite,
    Weight,
    admit_units,
    render,
    retry,
)
from gate_core.admission.ready import attributes_supported, cites_something
from gate_core.admission.result import Judged
from gate_core.gate import Gate
from gate_core.model.call import ToolCall
from gate_core.model.config import parse_config
from gate_core.model.json import Json

SHELF = Evidence(id="shelf", source_type="tool_output", source_id="c1", attributes={"item": "milk", "litres": 2})
SHOP = Evidence(id="shop", source_type="document", source_id="prices.csv", attributes={"item": "milk", "price": 2})
CONFIG: dict[str, Json] = {
    "actions": "block",
    "state_writes": "block",
    "audit": False,
    "profiles": {
        "order_milk": {"effect": "change", "targets": ["order:milk"], "family": "order"},
        "delete_list": {"effect": "delete", "targets": ["list:{name}"], "family": "delete", "reversible": False},
    },
}


def _conflicts(units: Sequence[Judged[ClaimUnit]], context: RuleContext[ClaimUnit]) -> Iterator[Conflict]:
    """Prices that differ exclude each other; two sources for one price are noted."""
    prices = [item for item in units if "price" in item.unit.attributes]
    if len(prices) > 1:
        same = len({str(item.unit.attributes["price"]) for item in prices}) == 1
        severity = Weight.INFORMATIONAL if same else Weight.BLOCKING
        yield Conflict(
            units=tuple(item.id for item in prices), code="two-sources" if same else "two-prices", severity=severity
        )


POLICY: Policy[ClaimUnit] = Policy(
    name="demo",
    rules=(cites_something, attributes_supported("derived")),
    conflicts=_conflicts,
    codes={"two-sources": "name one source", "two-prices": "give the price of one shop"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One scenario: what came of it, line by line, and whether that is what it shows."""

    title: str
    lines: tuple[str, ...]
    as_it_should: bool

    def to_dict(self) -> dict[str, Json]:
        """As JSON."""
        return {"title": self.title, "lines": list(self.lines), "as_it_should": self.as_it_should}


def play(*, as_json: bool) -> int:
    """Print the stories. Exit 0 when each showed what it should."""
    stories = [_story(title, tell, wanted) for title, tell, wanted in _STORIES]
    for number, story in enumerate(stories, 1):
        if as_json:
            print(json.dumps(story.to_dict()))
        else:
            mark = "" if story.as_it_should else "  (not as it should be)"
            print("\n".join((f"{number}. {story.title}{mark}", *(f"   {line}" for line in story.lines))))
    return 0 if all(story.as_it_should for story in stories) else 1


def _story(title: str, tell: Callable[[], Iterator[str]], wanted: tuple[str, ...]) -> Story:
    lines = tuple(tell())
    return Story(title=title, lines=lines, as_it_should=tuple(line.rpartition(": ")[2] for line in lines) == wanted)


def _claim(ident: str, text: str, *cites: str, **attributes: Json) -> ClaimUnit:
    return ClaimUnit(id=ident, text=text, grade="proven", cites=cites, attributes=attributes)


MILK = _claim("stock", "There are 2 litres of milk.", "shelf", item="milk", litres=2)
PRICE = _claim("price", "It costs 2.", "shop", price=2)
BRAND = _claim("brand", "There are 2 litres of Oatly.", "shelf", litres=2, brand="Oatly")


def _judged(*units: ClaimUnit, evidence: Sequence[Evidence] = (SHELF, SHOP)) -> AdmissionResult[ClaimUnit]:
    return admit_units(Proposal(id="answer", units=units), POLICY, evidence)


def _told(result: AdmissionResult[ClaimUnit]) -> Iterator[str]:
    for item in result.judged:
        says = " ".join(filter(None, (item.status.value, item.code, *item.unsupported, *item.conflicts)))
        yield f'"{item.unit.text}": {says}'


def _supported() -> Iterator[str]:
    return _told(_judged(MILK, PRICE))


def _unsourced() -> Iterator[str]:
    return _told(_judged(_claim("stock", "There are 2 litres of milk.", litres=2)))


def _beyond() -> Iterator[str]:
    return _told(_judged(BRAND))


def _contradicting() -> Iterator[str]:
    other = Evidence(id="other", source_type="document", source_id="other.csv", attributes={"price": 3})
    again = _claim("again", "Two shops ask 2.", "shop", price=2)
    yield from _told(_judged(PRICE, again))
    yield from _told(_judged(PRICE, _claim("dear", "It costs 3.", "other", price=3), evidence=(SHOP, other)))


def _retried() -> Iterator[str]:
    drafts = iter([(_claim("stock", "There is milk.", litres=2),), (MILK,)])
    done = retry(lambda told: Proposal(id="answer", units=next(drafts)), POLICY, [SHELF])
    for number, attempt in enumerate(done.attempts, 1):
        yield from (f"attempt {number}: {line}" for line in _told(attempt))


def _rendered() -> Iterator[str]:
    context = render(_judged(BRAND), POLICY)
    for adapter in (AnthropicSearchResults(), OpenAIMessages(), GeminiParts()):
        sent = json.dumps(adapter.adapt(context))
        yield f"{type(adapter).__name__}: {'with its caveat' if 'not supported: brand' in sent else 'bare'}"


def _acted() -> Iterator[str]:
    gate = Gate(parse_config(CONFIG))
    order, delete = ToolCall(tool="order_milk"), ToolCall(tool="delete_list", args={"name": "groceries"})
    gate.begin_turn("Order more milk.")
    yield f"asked for milk, order_milk: {_codes(gate, order)}"
    yield f"asked for milk, delete_list: {_codes(gate, delete)}"
    gate.begin_turn("Delete the list groceries.")
    yield f"asked for, not confirmed: {_codes(gate, delete)}"
    gate.confirm(delete)
    yield f"confirmed: {_codes(gate, delete)}"


def _codes(gate: Gate, call: ToolCall) -> str:
    return ", ".join(gate.admit(call).codes) or "may run"


def _remembered() -> Iterator[str]:
    gate = Gate(parse_config(CONFIG))
    gate.begin_turn("We're running low on milk.")
    for key, value in (("milk_stock", "low"), ("brand", "Oatly"), ("budget", "$50")):
        verdict = gate.admit_write(StateWrite(subject="user-1", key=key, value=value))
        yield f"{key} = {value}: {', '.join(verdict.codes) or 'stored'}"


_STORIES: tuple[tuple[str, Callable[[], Iterator[str]], tuple[str, ...]], ...] = (
    ("Two claims that evidence supports", _supported, ("approved", "approved")),
    ("Proven, without a source", _unsourced, ("rejected missing-evidence",)),
    ("A brand beyond the evidence", _beyond, ("downgraded over-specific brand",)),
    (
        "Two sources for one price, then two prices",
        _contradicting,
        (*["approved_with_conflict two-sources"] * 2, *["rejected blocking-conflict two-prices"] * 2),
    ),
    ("Rejected, told why, approved", _retried, ("rejected missing-evidence", "approved")),
    ("Three renderers, each with the caveat", _rendered, ("with its caveat",) * 3),
    (
        "Actions: not asked for, then not confirmed, then confirmed",
        _acted,
        ("may run", "intent-not-established, confirmation-required", "confirmation-required", "may run"),
    ),
    ("Memory: what was said, and nothing else", _remembered, ("stored", "inferred-not-stated", "inferred-not-stated")),
)
