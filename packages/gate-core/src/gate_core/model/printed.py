"""Objects as Python's `str` writes them: frameworks that know only texts often hand the results of tools on that way.

They are rewritten as JSON and read as such, so that nothing in them is ever run, and numbers stay as they were written.
"""

from __future__ import annotations

import re

from gate_core.model.late import late

_BEGINS = late(r"\s*[\[{][\[{(\s]*'")
# A string that never ends goes to the end of the text, or each of its quotes would be tried anew.
_TOKEN = late(
    r"'(?P<one>(?:[^'\\]|\\.)*+)(?:'|\Z|\\\Z)|\"(?P<two>(?:[^\"\\]|\\.)*+)(?:\"|\Z|\\\Z)"
    r"|\b(?:True|False|None)\b|[()]|,(?=\s*\))",
    re.DOTALL,
)
_SIGN = late(r"\\(?P<escaped>x[0-9a-fA-F]{2}|.)|\"", re.DOTALL)
_WORDS = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}


def as_json(text: str) -> str:
    """A text that begins as a printed dictionary or list does, as JSON text; any other as it is. Linear."""
    return _TOKEN.sub(_token, text) if _BEGINS.match(text) else text


def _token(found: re.Match[str]) -> str:
    inner = found["one"] if found["two"] is None else found["two"]
    if inner is not None:
        return f'"{_SIGN.sub(_sign, inner)}"'
    return _WORDS.get(found[0], "")


def _sign(found: re.Match[str]) -> str:
    """A sign of a string that JSON writes another way."""
    escaped = found["escaped"]
    if escaped is None:
        return '\\"'
    if escaped == "'":
        return "'"
    return f"\\u00{escaped[1:]}" if len(escaped) > 1 else found[0]
