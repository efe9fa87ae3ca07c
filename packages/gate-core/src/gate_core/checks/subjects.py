"""What an answer is about: the things it names that the prompt named or a call touched (spec 10, "Subjects")."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gate_core.footprint.targets import name_target
from gate_core.ledger import Ledger
from gate_core.ledger.index import TargetIndex, names
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import leaves, text_of
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence, Token, TokenKind
from gate_core.values.lexicon import standards
from gate_core.values.names import squeezed
from gate_core.values.units import meanings


def subject_targets(reading: Reading, ledger: Ledger, config: GateConfig) -> tuple[str, ...]:
    """The target names the answer must have looked at, as it spells them.

    With a declared `surface` only its entries count, plus this turn's changes. A name in a sentence that states an
    inability is none: it is what could not be looked at.
    """
    tokens = [t for t in reading.subjects if t.kind is not TokenKind.SYMBOL and not _unable(reading, t)]
    named = [token.target for token in tokens]
    if config.surface:
        declared = names(name_target(entry, config) for entry in config.surface)
        changed = names(effect.target for _, effect in ledger.changes_here)
        return tuple(dict.fromkeys(name for name in named if declared.means(name) or changed.means(name)))
    asked = names(prompted(ledger))
    return tuple(dict.fromkeys(token.target for token in tokens if _is_subject(token, asked, ledger)))


def _is_subject(token: Token, asked: TargetIndex[None], ledger: Ledger) -> bool:
    """True for what a call touched, and for a path or an address that the prompt names. A prompted id is one while no
    look shows it or asked for it; a number, a date or a time is a value and no name."""
    if touched(ledger, token.target):
        return True
    if not asked.means(token.target):
        return False
    return token.kind is not TokenKind.ID or not (_is_value(token.text) or shows_symbol(ledger, token.text))


_VALUE = late(
    r"#?\d{1,3}(?:[.,:/_-]\d+)*[A-Za-z%]{0,5}|(?:\d+(?:\.\d+)?[a-z]{1,3}){2,4}|\d{1,2}[hH]\d\d|(?:1[5-9]|20)\d\d|\d[\d.,:]*[A-Za-z%]{1,5}|\d{4}-\d\d(?:-\d\d)?T?[\d:.]*Z?"
)


def _is_value(text: str) -> bool:
    """True for a number, a date, a time, a unit ("mmHg") or a number with its unit; for a public standard ("UTF-8")."""
    spelt = _VALUE.fullmatch(text) or standards().fullmatch(text.lower())
    return spelt is not None or bool(meanings(text, touching=False))


def prompted(ledger: Ledger) -> tuple[str, ...]:
    """What the messages of this turn name, as targets."""
    return tuple(name for said in ledger.state.said if said.turn == ledger.turn for name in said.subjects)


def subject_symbols(reading: Reading) -> tuple[str, ...]:
    """The symbols and ids the answer names; a bare number is a value, not a name."""
    kinds = (TokenKind.SYMBOL, TokenKind.ID)
    named = (t.text for t in reading.subjects if t.kind in kinds and not t.text.isdigit())
    return tuple(text.removesuffix("()") for text in named if not _is_value(text))


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
        if found is None or _stands_in(symbol, text_of(found[1])):
            return True
        if any(symbol in word for word in leaves(found[0]) if len(word) <= _ARGUMENT):
            return True
    return False


_ARGUMENT = 2000  # characters of an argument that asks for something; a longer one is content


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
