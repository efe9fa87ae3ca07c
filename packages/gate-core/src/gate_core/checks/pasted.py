"""What the user pasted may be told again: a trace, a log, a table names things that no call has to look at (spec 20,
"attribution"; spec 30, `supplied`)."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.model.late import late
from gate_core.model.reading import Says, Sentence
from gate_core.reading import PASTED

_OWN = frozenset({Says.CHANGED, Says.DONE, Says.PASSIVE, Says.LOOKED})
_DIGITS = late(r"\d+")


def is_pasted(name: str, told: Sequence[Sentence], ledger: Ledger) -> bool:
    """True when a message shows a name in what it pasted, and the sentences about it tell of no work and of no figure
    that is not the user's."""
    shown = [kind.removeprefix(PASTED) for said in ledger.state.said for kind in said.told if kind.startswith(PASTED)]
    if not told or not names(shown).means(name) or any(sentence.says & _OWN for sentence in told):
        return False
    given = {digits for said in ledger.state.said for value in said.values for digits in _DIGITS.findall(value)}
    given.update(digits for shown_name in shown for digits in _DIGITS.findall(shown_name))
    return all(given.issuperset(_DIGITS.findall(sentence.text)) for sentence in told)
