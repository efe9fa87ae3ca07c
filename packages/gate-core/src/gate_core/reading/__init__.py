"""The one reader of answers: sentences, what they state, what they name, what type of claim it adds up to (spec 20)."""

from __future__ import annotations

from gate_core.reading.asks import asks_of
from gate_core.reading.marker import is_marked
from gate_core.reading.read import read
from gate_core.reading.tokens import names_in
from gate_core.reading.told import PASTED, names_pasted, told_in

__all__ = ["PASTED", "asks_of", "is_marked", "names_in", "names_pasted", "read", "told_in"]
