"""The TOML files of the core are read as `tomllib` reads them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import gate_core
from gate_core.tables import parse

HERE = Path(gate_core.__file__).parent
FILES = sorted(HERE.rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(HERE)) for path in FILES])
def test_a_shipped_file_is_read_as_toml(path: Path) -> None:
    """Every table, key and value is the one that the parser of the standard library gives."""
    text = path.read_text("utf-8")
    assert parse(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "a = 1\nb = [1, 2,\n]\n",
        "a = 'C:\\d+' # raw\nb = '''\nc = 1\n'''\n",
        'a = """\n[x]\nb = 2\n"""\nc = 3\n',
        'a = [\n"x", # one\n# two\n"y",\n]\n',
        "\"quoted key\" = 1\n'raw key' = 2\n",
        '[t]\n"quoted" = 1\nx=2\n[t.u]\ny = 3\n[[t.rows]]\nz = 1\n[[t.rows]]\nz = 2\n[t.rows.in]\nw = 3\n',
        "a = { b = 1, \"c d\" = 'x', e = [true, false,] }\n",
        "a = { b = \"c = 1, d\", e = '#' } # = '\n",
        "a = 1_000\nb = 0x1F\nc = inf\nd = 2026-11-30\ne = 1e3\nf.g = 2\n",
        'a = "tab\\t \\u00e9 \\" ] # no comment"\n',
        "[t]\n# nothing\n",
    ],
)
def test_other_files_are_read_as_toml_too(text: str) -> None:
    """What the quick way cannot read is left to the parser of the standard library."""
    assert parse(text) == tomllib.loads(text)


@pytest.mark.parametrize("text", ["a = \n", "[t\n", "a = [1, 2\n", "a = nothing\n"])
def test_what_is_no_toml_is_refused(text: str) -> None:
    """A broken file is an error, no empty table."""
    with pytest.raises(tomllib.TOMLDecodeError):
        parse(text)
