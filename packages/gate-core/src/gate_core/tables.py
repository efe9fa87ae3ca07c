"""Parses the TOML files the core ships, several times as fast as `tomllib`, which a fresh process would wait for.

Most of their values are written as JSON would write them or nearly so, and for those the parser of `json` does the
work: what it takes for a value, TOML takes for the same value. The rest is left to `tomllib`, piece by piece; so is a
file that does not fall into pieces. For files of this distribution only: that a file is valid TOML is a matter of its
tests, which compare the two.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

from gate_core.model.late import late

_Table: TypeAlias = "dict[str, Any]"
_PIECE = late(r"^(?:\[(?P<row>\[)?(?P<path>[\w.-]+)\]\]?[^\S\n]*$|(?P<key>[\w-]+) = )", re.MULTILINE)
_NOTHING = late(r"(?:\s+|#[^\n]*)*")
_TOKEN = late(
    r"(?P<key>\"(?:\\.|[^\"\\\n])*\"|[\w-]+) = |\"(?:\\.|[^\"\\\n])*\"|"
    r"'(?P<raw>[^'\n]*)'|(?P<last>,(?=\s*[\]}]))|(?P<said>#[^\n]*)"
)


def parse(text: str) -> _Table:
    """The TOML text as plain data.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML.
    """
    try:
        return _parsed(text)
    except ValueError:  # what looked like the begin of a piece stood within a value
        return _by_the_book(text)


def _parsed(text: str) -> _Table:
    found: _Table = {}
    pieces = list(_PIECE.finditer(text))
    ends = [piece.start() for piece in pieces] + [len(text)]
    table = found
    table.update(_rest(text[: ends[0]]))
    for piece, end in zip(pieces, ends[1:], strict=True):
        body = text[piece.end() : end]
        if piece["key"] is None:
            table = _entered(found, piece["path"].split("."), row=piece["row"] is not None)
            table.update(_rest(body))
        elif (value := _value(body.strip())) is not None:
            table[piece["key"]] = value
        else:
            table.update(_by_the_book(text[piece.start() : end]))
    return found


def _value(text: str) -> Any:
    """A value that JSON writes the same way but for its last comma, its keys and its raw strings; None for others."""
    if text.endswith("]") and (items := text[:-1].rstrip()).endswith(","):
        text = items[:-1] + "]"
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(_TOKEN.sub(_as_json, text))
    except ValueError:
        return None


def _as_json(token: re.Match[str]) -> str:
    if (key := token["key"]) is not None:
        return f"{key}: " if key[0] == '"' else f'"{key}": '
    if (raw := token["raw"]) is not None:
        return json.dumps(raw)
    return "" if token.lastgroup in ("last", "said") else token[0]


def _entered(root: _Table, path: list[str], *, row: bool) -> _Table:
    """The table that a heading opens, or the new row of an array of tables."""
    node: Any = root
    for name in path[:-1]:
        node = node.setdefault(name, {})
        node = node[-1] if isinstance(node, list) else node
    if row:
        node.setdefault(path[-1], []).append(entered := {})
    else:
        entered = node.setdefault(path[-1], {})
    return entered


def _rest(text: str) -> _Table:
    """What stands before the first key that was found: comments, as a rule."""
    return {} if _NOTHING.fullmatch(text) else _by_the_book(text)


def _by_the_book(text: str) -> _Table:
    import tomllib  # few processes need it, and it compiles patterns of its own

    return tomllib.loads(text)
