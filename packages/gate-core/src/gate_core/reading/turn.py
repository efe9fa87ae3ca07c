"""What the ledger says about the words of an answer: whether they tell of this turn, of an earlier one, of none."""

from __future__ import annotations

from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.ledger.touch import acted
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Mood, Reading, Says, Sentence, Token, TokenKind
from gate_core.model.state import Asks
from gate_core.reading.cues import says
from gate_core.reading.packs import pack
from gate_core.reading.tokens import is_well_known

_STATING = frozenset({Says.STATE, Says.STARTED})
_TOLD = frozenset({Says.CHANGED, Says.PASSIVE, Says.DONE})


def asked(ledger: Ledger) -> Asks:
    """What the message of this turn asks for."""
    here = [said.asks for said in ledger.state.said if said.turn == ledger.turn]
    return Asks.CHANGE if Asks.CHANGE in here else (here[-1] if here else Asks.UNKNOWN)


def in_the_background(ledger: Ledger) -> bool:
    """True when a call of this turn still runs."""
    return any(fact.outcome is Outcome.PENDING for fact in ledger.calls_here)


def is_recap(reading: Reading, ledger: Ledger) -> bool:
    """True when the answer tells of changes of earlier turns that were settled: the user asked for no change, the turn
    made and tried none, and the ledger backs every path that the answer names with a change."""
    if asked(ledger) not in (Asks.LOOK, Asks.EXPLAIN) or ledger.worked_here or ledger.opaque_here:
        return False
    told = [t for t in _tokens(reading, _TOLD) if t.kind in (TokenKind.PATH, TokenKind.URL)]
    if told:
        return all(ledger.settled(token.target) for token in told)
    settled = any(debt.by is not None and debt.change.turn < ledger.turn for debt in ledger.debts)
    return settled or _tells_of_acts(reading, ledger)


def _tells_of_acts(reading: Reading, ledger: Ledger) -> bool:
    """True when all changes that are told of are acts of kinds that are checked by themselves (sent, booked, pushed),
    and an earlier turn acted on another world than files."""
    told = [s for s in reading.sentences if s.says & _TOLD and s.mood is Mood.INDICATIVE]
    before = (fact for fact in ledger.facts if fact.turn < ledger.turn and fact.executed and acted(fact))
    return all(s.events for s in told) and any(e.domain != FILES for fact in before for e in fact.effects)


def tells_state(sentence: Sentence) -> bool:
    """True for "it has been paid", of which nobody is said to have done it."""
    return says("was_done", sentence)


def says_earlier(sentence: Sentence) -> bool:
    """True when a sentence dates what it states back ("I have already checked")."""
    found = pack(sentence.language).earlier if sentence.language else None
    return found is not None and found.search(sentence.text) is not None


def names_subjects(reading: Reading) -> bool:
    """True when the answer names something that a look could be asked for."""
    return any(token.kind in (TokenKind.PATH, TokenKind.URL) for token in reading.subjects)


def about_a_change(reading: Reading, ledger: Ledger) -> bool:
    """True when a state is stated about something that an ok named change of this turn touched."""
    stated = [t for t in _tokens(reading, {Says.STATE}) if t.kind is not TokenKind.SYMBOL]
    named = names(token.target for token in stated)
    ids = {target for token in stated for target in ledger.by_id.get(token.text.lower(), ())}
    stating = (s for s in reading.sentences if s.says & _STATING and s.mood is Mood.INDICATIVE)
    told = " ".join(s.head for s in stating)
    spoken = {word.strip(".,:;!`'\"*()").lower() for word in told.split()}
    return any(
        named.means(effect.target) or effect.target in ids or _is_spoken(effect.target, spoken)
        for _, effect in ledger.changes_here
    )


def _is_spoken(target: str, words: set[str]) -> bool:
    """True for a thing of a client that is called by its bare name: "web" of "kubernetes:deployment/web"."""
    kind, slash, name = target.partition("/")
    return bool(slash) and ":" in kind and "://" not in target and len(name) > 1 and name.lower() in words


def only_general(reading: Reading, ledger: Ledger) -> bool:
    """True when what is stated is general knowledge: a question about how things are, answered without a call, in
    words about files that every project has, or about examples that neither the prompt nor a call knows."""
    if asked(ledger) is not Asks.EXPLAIN or ledger.calls_here:
        return False
    stating = [s for s in reading.sentences if Says.STATE in s.says]
    if any(says("ours", sentence) for sentence in stating):
        return False
    prompted = names(name for said in ledger.state.said if said.turn == ledger.turn for name in said.subjects)
    return all(
        (is_well_known(token.text) or not prompted.means(token.target)) and not ledger.touches.means(token.target)
        for token in _tokens(reading, {Says.STATE})
        if token.kind in (TokenKind.PATH, TokenKind.URL)
    )


def _tokens(reading: Reading, kinds: frozenset[Says] | set[Says]) -> list[Token]:
    """The tokens in sentences that state one of these kinds."""
    stating = {i for i, sentence in enumerate(reading.sentences) if sentence.says & kinds}
    return [token for token in reading.tokens if token.sentence in stating and not token.quoted]
