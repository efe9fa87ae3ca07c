"""What an answer is about: the things it names that the prompt named or a call touched (spec 10, "Subjects")."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gate_core.footprint.targets import name_target
from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.reading import Mood, Reading, Says, Sentence, Token, TokenKind
from gate_core.values.names import squeezed


def subject_targets(reading: Reading, ledger: Ledger, config: GateConfig) -> tuple[str, ...]:
    """The target names the answer must have looked at, as it spells them.

    With a declared `surface` only its entries count, plus this turn's changes. A name in a sentence that states an
    inability is none: it is what could not be looked at.
    """
    named = [t.target for t in reading.subjects if t.kind is not TokenKind.SYMBOL and not _unable(reading, t)]
    if config.surface:
        declared = names(name_target(entry, config) for entry in config.surface)
        changed = names(effect.target for _, effect in ledger.changes_here)
        return tuple(dict.fromkeys(name for name in named if declared.means(name) or changed.means(name)))
    asked = names(prompted(ledger))
    return tuple(dict.fromkeys(name for name in named if asked.means(name) or touched(ledger, name)))


def prompted(ledger: Ledger) -> tuple[str, ...]:
    """What the messages of this turn name, as targets."""
    return tuple(name for said in ledger.state.said if said.turn == ledger.turn for name in said.subjects)


def subject_symbols(reading: Reading) -> tuple[str, ...]:
    """The symbols and ids the answer names; a bare number is a value, not a name."""
    kinds = (TokenKind.SYMBOL, TokenKind.ID)
    return tuple(t.text.removesuffix("()") for t in reading.subjects if t.kind in kinds and not t.text.isdigit())


def touched(ledger: Ledger, name: str) -> bool:
    """True when a call ever touched what the name means."""
    return ledger.touches.means(name) or bool(ids_matching(ledger, name))


def ids_matching(ledger: Ledger, name: str) -> tuple[str, ...]:
    """The "kind:id" targets whose id is the name."""
    return ledger.by_id.get(name.lower(), ())


def shows_symbol(ledger: Ledger, symbol: str) -> bool:
    """True when a look of this turn shows the symbol or searched for it, or its text is gone; an earlier turn's look
    does too, where nothing was changed since."""
    return _shown_by(ledger.looks_here, ledger, symbol) or (
        not ledger.config.strict and _shown_by(ledger.looks_before, ledger, symbol)
    )


def _shown_by(looks: Iterable[Fact], ledger: Ledger, symbol: str) -> bool:
    for fact in looks:
        found = ledger.text(fact)
        if found is None or _stands_in(symbol, text_of(found[1])) or symbol in text_of(found[0].get("pattern")):
            return True
    return False


def _stands_in(symbol: str, text: str) -> bool:
    """An id is the same with and without its separators: "LH 2035" is LH2035 (spec 30)."""
    return symbol in text or (any(sign.isdigit() for sign in symbol) and squeezed(symbol) in squeezed(text))


def claimed(reading: Reading) -> tuple[Token, ...]:
    """The tokens of sentences that claim something: not of plans, quotes, hedges or pure inabilities."""
    return tuple(t for t in reading.tokens if not t.quoted and _claims(reading.sentences[t.sentence]))


def _claims(sentence: Sentence) -> bool:
    doubtful = sentence.says & {Says.UNABLE, Says.HEDGE}
    return sentence.mood is not Mood.PLAN and (not doubtful or bool(sentence.says & {Says.CHANGED, Says.PASSIVE}))


def sentence_names(reading: Reading, which: Callable[[Sentence], bool]) -> tuple[str, ...]:
    """The targets named in the sentences of a kind, quotes left out."""
    return tuple(t.target for t in reading.tokens if not t.quoted and which(reading.sentences[t.sentence]))


def _unable(reading: Reading, token: Token) -> bool:
    return Says.UNABLE in reading.sentences[token.sentence].says


def stated_changes(reading: Reading) -> tuple[str, ...]:
    """The paths named in sentences that state a change."""
    stating = {i for i, s in enumerate(reading.sentences) if s.says & {Says.CHANGED, Says.PASSIVE, Says.STATE}}
    return tuple(t.target for t in reading.subjects if t.kind is TokenKind.PATH and t.sentence in stating)
