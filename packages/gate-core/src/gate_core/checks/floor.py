"""The floor: was there a fresh, relevant look after the last change? (spec 10, "What each claim type requires")"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from gate_core.checks.acts import is_far
from gate_core.checks.attempted import check_attempted
from gate_core.checks.completion import check_completion, unpaid_code
from gate_core.checks.finding import finding
from gate_core.checks.pasted import is_pasted
from gate_core.checks.stated.declared import own_signals
from gate_core.checks.subjects import ids_matching, shows_symbol, subject_symbols, subject_targets
from gate_core.checks.told_of import is_faulted, is_told_of, was_refused
from gate_core.data import load_table
from gate_core.footprint.rules import UNREADABLE, event_names
from gate_core.footprint.targets import last_name, same_target
from gate_core.ledger import Ledger
from gate_core.ledger.touch import Touch
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.json import text_of
from gate_core.model.kinds import Claim, Did, Outcome, Severity, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Reading, Says, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says
from gate_core.reading.events import RUNS, TOLD
from gate_core.reading.turn import says_earlier


def check_floor(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """What the claim type requires, and notes about calls that could not be judged."""
    found: list[Finding] = []
    if reading.claim is Claim.ASSERTION:
        found = list(_assertion(reading, ledger, config))
    elif reading.claim in (Claim.COMPLETION, Claim.UNVERIFIED):
        found = list(check_completion(reading, ledger, config))
    yield from found
    if not any(item.severity is Severity.BLOCK for item in found) and reading.claim is not Claim.UNVERIFIED:
        yield from check_attempted(reading, ledger)
    yield from _notes(reading, ledger)


def _assertion(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterator[Finding]:
    subjects = subject_targets(reading, ledger, config)
    for name in subjects:
        if not _is_only_handed_on(name, reading, ledger):
            yield from _subject(name, reading, ledger, config)
    if subjects:
        return
    symbols = tuple(symbol for symbol in subject_symbols(reading) if not _is_given(symbol, ledger))
    symbols = tuple(symbol for symbol in symbols if symbol not in own_signals(config))
    seen = ledger.looks_here or _from_before(reading, symbols, ledger, config)
    if not (seen or _saw_it_end(reading, ledger, config) or was_refused(reading, ledger)):
        yield finding(Code.NOTHING_OBSERVED)
    elif symbols and not any(shows_symbol(ledger, symbol) or _in_failure(symbol, ledger) for symbol in symbols):
        yield from (finding(Code.SUBJECT_UNSEEN, symbol, where="a name in the answer") for symbol in symbols[:1])
    else:
        yield finding(Code.SUBJECT_UNKNOWN)
        if config.strict_grounding:
            yield from _verified_tier(ledger)


def _is_only_handed_on(name: str, reading: Reading, ledger: Ledger) -> bool:
    """True for a name of which the answer says nothing but that it was committed, pushed or released, where that
    happened: the event itself backs it."""
    told = _sentences_of(name, reading)
    happened = {kind for kind, run in ledger.signals.items() if run.event.state is SignalState.PASSED}
    return bool(told) and all(
        {kind.removesuffix(TOLD) for kind in s.events} & happened & event_names() and not s.says & {Says.LOOKED}
        for s in told
    )


def _in_failure(symbol: str, ledger: Ledger) -> bool:
    """True for a symbol by which a call that failed says why ("card_declined")."""
    failed = (fact for fact in ledger.calls_here if fact.outcome in (Outcome.FAILED, Outcome.UNKNOWN))
    return any(symbol in (ledger.sight.text(fact) or "") for fact in failed)


def _from_before(reading: Reading, symbols: tuple[str, ...], ledger: Ledger, config: GateConfig) -> bool:
    """True when the answer tells of looks of earlier turns: by the names they showed, or by saying so."""
    if config.strict or config.strict_grounding:
        return False
    dated = any(s.says and says_earlier(s) for s in reading.sentences)
    return (dated and bool(ledger.looks_before)) or any(shows_symbol(ledger, symbol) for symbol in symbols)


def _is_given(symbol: str, ledger: Ledger) -> bool:
    """True for an option that the agent gave a program: part of what it did, and no thing to be looked at."""
    if not symbol.startswith("-"):
        return False
    given = re.compile(rf"(?<![\w-]){re.escape(symbol)}(?![\w-])")
    texts = (ledger.text(fact) for fact in ledger.facts if fact.executed and fact.ran)
    return any(found is not None and given.search(text_of(found[0])) for found in texts)


def _saw_it_end(reading: Reading, ledger: Ledger, config: GateConfig) -> bool:
    """True when the answer tells of runs and of nothing else it looked at, and a run was seen to end: its exit status
    is all that a silent one shows."""
    told = [sentence for sentence in reading.sentences if sentence.says & _LOOKING]
    if config.strict_grounding or not all(sentence.events & RUNS for sentence in told):
        return False
    calls = ledger.calls_here if config.strict else [fact for fact in ledger.facts if fact.executed]
    return any(fact.signals and fact.outcome in (Outcome.OK, Outcome.FAILED) for fact in calls)


_LOOKING = frozenset({Says.LOOKED, Says.STATE})


def _verified_tier(ledger: Ledger) -> Iterator[Finding]:
    """Strict grounding: the look must be later than a change, and something must have changed."""
    changed = [debt.change.at for debt in ledger.debts]
    if not changed or all(fact.at <= max(changed) for fact in ledger.looks_here):
        yield finding(Code.LOOK_STALE if changed else Code.NO_CHANGE)


def _subject(name: str, reading: Reading, ledger: Ledger, config: GateConfig) -> Iterator[Finding]:
    """One subject needs a look later than its last known change; what was settled since is known too."""
    touch = _merged(name, ledger)
    looked = touch.looked if touch is not None else None
    if looked is not None and config.strict and looked[0] != ledger.turn:
        looked = None
    if looked is not None and touch is not None and touch.absent and _says_content(name, reading):
        looked = None  # what was found missing backs no content
    if looked is not None and touch is not None and not touch.content and _tells_figures(name, reading, ledger):
        looked = None  # nor does what only listed it
    if touch is None or looked is None:
        known = ledger.settled(name) or _listed(name, reading, ledger) or _sought(name, ledger)
        known = known or is_told_of(name, ledger) or _told_afar(name, ledger) or _is_kept(name, reading, ledger)
        told = _sentences_of(name, reading)
        if not known and not is_pasted(name, told, ledger) and not is_faulted(name, told, ledger):
            unseen = Code.SUBJECT_UNSEEN if ledger.looks_here else Code.NOTHING_OBSERVED
            yield from _unless_owed(unseen, name, ledger)
        return
    last = max(filter(None, (touch.changed, touch.stirred)), default=None)
    if last is not None and last > looked and not ledger.settled(name):
        yield from _unless_owed(Code.LOOK_STALE, name, ledger)
    elif config.strict_grounding:
        yield from _verified(name, looked, ledger)


def _verified(name: str, looked: tuple[int, int], ledger: Ledger) -> Iterator[Finding]:
    """Strict grounding: something was changed, and the look is later than the last change in its domain."""
    if not ledger.debts:
        yield finding(Code.NO_CHANGE, name)
        return
    domains = {e.domain for f in ledger.facts if f.at == looked for e in f.effects if same_target(e.target, name)}
    changed = max(filter(None, (ledger.changed_in(domain) for domain in domains)), default=None)
    if changed is not None and changed >= looked and not ledger.settled(name):
        yield finding(Code.LOOK_STALE, name)


def _says_content(name: str, reading: Reading) -> bool:
    """True when a sentence states something of the name that is no absence."""
    told = (s for s in _sentences_of(name, reading) if Says.STATE in s.says)
    return any(not says("absent", s._replace(text=s.text.replace(last_name(name), ""))) for s in told)


_FIGURE = late(r"(?<![\w.-])\d[\d.,]*")


def _tells_deeds(name: str, reading: Reading) -> bool:
    """ "client.go retries three times": a name that does something is a file that was opened."""
    does = re.compile(rf"(?<![\w.-]){re.escape(last_name(name))}[`\"'*]{{0,3}} {_deed()}")
    return any(does.search(sentence.text) for sentence in _sentences_of(name, reading))


@cache
def _deed() -> str:
    """A verb of the third person that no listing shows."""
    words = "|".join(load_table("checks", "files.toml")["listed"])
    return rf"(?:also |still |now |only )?(?!(?:{words})\b)[a-z]{{2,20}}(?<!s)s\b"


def _tells_figures(name: str, reading: Reading, ledger: Ledger) -> bool:
    """True when a figure is stated of a name and no look showed any figure at all, nor as many lines as that."""
    told = [s for s in _sentences_of(name, reading) if Says.STATE in s.says and not says("there", s)]
    figures = {found for s in told for found in _FIGURE.findall(s.text.replace(last_name(name), ""))}
    if not figures:
        return False
    texts = [text_of(found[1]) for fact in ledger.looks_here if (found := ledger.text(fact)) is not None]
    counts = {str(len(text.split())) for text in texts} | {str(len(text.splitlines())) for text in texts}
    shown = any(_FIGURE.search(text) for text in texts) or bool(ledger.looks_before)
    return bool(texts) and not shown and figures.isdisjoint(counts)


def _listed(name: str, reading: Reading, ledger: Ledger) -> bool:
    """True when the answer says no more of the name than that it is there, and a listing of this turn holds it."""
    if _tells_deeds(name, reading):
        return False
    told = [s for s in _sentences_of(name, reading) if Says.STATE in s.says and not says("there", s)]
    if told and not all(_searched_for(s, name, ledger) for s in told):
        return False
    listings = (f for f in ledger.looks_here if f.profile in _LISTING and any(e.did is Did.LISTED for e in f.effects))
    return any(ledger.sight.lists(fact, name) for fact in listings)


def _told_afar(name: str, ledger: Ledger) -> bool:
    """True when a look into another world than files names it: its records are what is asked for."""
    listers = set(load_table("checks", "statements.toml")["schedulers"])
    looks = (
        fact
        for fact in ledger.looks_here
        if any(e.did is Did.SHOWED and is_far(e.domain) for e in fact.effects)
        or not listers.isdisjoint(head.partition(" ")[0] for head in fact.ran)
    )
    return any(name in (ledger.sight.text(fact) or "") for fact in looks)


def _is_kept(name: str, reading: Reading, ledger: Ledger) -> bool:
    """True when a call that the user refused named it, and the answer says no more of it than that it is still
    there."""
    told = _sentences_of(name, reading)
    if not told or not all(says("there", sentence) for sentence in told) or _tells_figures(name, reading, ledger):
        return False
    stopped = (fact for fact in ledger.facts if fact.note == "denied" and fact.turn == ledger.turn)
    texts = (ledger.text(fact) for fact in stopped)
    return any(found is not None and name in text_of(found[0]) for found in texts)


def _sought(name: str, ledger: Ledger) -> bool:
    """True when the name is no file but just what a search was for."""
    texts = (ledger.text(fact) for fact in ledger.looks_here)
    return any(found is not None and found[0].get("pattern") == name for found in texts)


def _searched_for(sentence: Sentence, name: str, ledger: Ledger) -> bool:
    """True when the sentence speaks of what a search that named the file was for."""
    for fact in ledger.looks_here:
        found = ledger.text(fact)
        pattern = found[0].get("pattern") if found is not None else None
        if isinstance(pattern, str) and pattern and pattern in sentence.text and ledger.sight.lists(fact, name):
            return True
    return False


_LISTING = frozenset({"list", "read", "command"})


def _sentences_of(name: str, reading: Reading) -> list[Sentence]:
    return [reading.sentences[t.sentence] for t in reading.tokens if t.target == name and not t.quoted]


def _unless_owed(code: Code, name: str, ledger: Ledger) -> Iterator[Finding]:
    """An unsettled change of this turn is always `change-unseen`, whatever else it looks like."""
    owed = [debt for debt in ledger.debts_of(name) if debt.by is None and debt.change.turn == ledger.turn]
    yield finding(unpaid_code(owed[0], ledger) if owed else code, name, where="a name in the answer")


def _merged(name: str, ledger: Ledger) -> Touch | None:
    """What is known under every spelling of the name; None when nothing ever touched it."""
    found = [touch for _, touch in ledger.touches.matching(name)]
    found += [touch for target in ids_matching(ledger, name) if (touch := ledger.touches.get(target))]
    if not found:
        return None
    latest = max(found, key=lambda t: t.looked or (-1, -1))
    return Touch(
        looked=latest.looked,
        absent=latest.absent,
        content=latest.content,
        changed=max((t.changed for t in found if t.changed), default=None),
        stirred=max((t.stirred for t in found if t.stirred), default=None),
    )


def _notes(reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What the ledger could not name, once per tool (info)."""
    told: set[tuple[Code, str]] = set()
    for fact in ledger.calls_here:
        for code in _note_codes(fact.profile, [effect.did for effect in fact.effects]):
            if (code, fact.tool) not in told:
                told.add((code, fact.tool))
                yield finding(code, fact.tool, where="a tool", evidence=(fact,))
    calls: dict[str, str] = {}
    for fact in ledger.calls_here:
        if fact.call and calls.setdefault(fact.call, fact.digest) != fact.digest:
            yield finding(Code.CALL_CONFLICT, fact.call, where="a call", evidence=(fact,))
    if reading.truncated:
        yield finding(Code.ANSWER_TRUNCATED)
    if reading.typed is not None and reading.typed not in set(Claim):
        yield finding(Code.CLAIM_TYPE_UNKNOWN)


def _note_codes(profile: str, did: list[Did]) -> Iterator[Code]:
    if not profile or profile == "unknown":
        yield Code.TOOL_UNKNOWN
    elif profile == "shell":
        yield Code.SHELL_NOT_ANALYSED
    elif profile == UNREADABLE:
        yield Code.COMMAND_UNREADABLE
    elif Did.OPAQUE in did:
        yield Code.OPAQUE_CHANGE
