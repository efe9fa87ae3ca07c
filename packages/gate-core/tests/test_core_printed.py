"""Objects that Python printed are read as the objects they were, whatever is in them."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core.model.json import Json
from gate_core.model.printed import as_json
from gate_core.values.walk import walk

calm = settings(deadline=None)  # the first example compiles the patterns
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\U000e0001"), max_size=8)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3))


@calm
@given(st.dictionaries(words, values, min_size=1, max_size=4))
def test_a_printed_dictionary_is_read_as_it_was(value: dict[str, Json]) -> None:
    """Keys, quotes of both kinds, escapes, constants, nesting. What begins with a double quote is left to JSON."""
    text = str(value)
    if text.startswith("{'") and "\\U" not in text:
        assert json.loads(as_json(text)) == value


@calm
@given(st.text(max_size=40))
def test_any_other_text_stays_as_it_is(text: str) -> None:
    """Nothing raises, and what is no printed object is not touched."""
    as_json("{'" + text)
    if not text.lstrip().startswith(("{", "[")):
        assert as_json(text) == text


def test_tuples_are_lists_and_numbers_stay_as_they_were_written() -> None:
    """The index tells 1.50 from 1.5."""
    assert as_json("{'a': (1.50, (2,)), 'b': ()}") == '{"a": [1.50, [2]], "b": []}'
    assert "1.50" in walk("[{'price': 1.50, 'currency': 'USD'}]").texts
