"""The table of codes and the rules that raise them agree; sentences are whole and safe."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import gate_core
from gate_core import Code, Severity
from gate_core.checks.finding import call_name, finding, printable
from gate_core.model.codes import CODES

ROOT = Path(gate_core.__file__).parent
RULES = [
    *sorted((ROOT / "checks").rglob("*.py")),
    *sorted((ROOT / "admission").glob("*.py")),
    *sorted((ROOT / "values").glob("*.py")),
    *(ROOT / name for name in ("decide.py", "gate.py", "seats.py")),
]


def _used() -> set[str]:
    return {
        node.attr
        for path in RULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Code"
    }


def test_every_code_is_listed_and_raised() -> None:
    """A code used and not listed, or listed and never raised, is a defect (spec 05, "Codes")."""
    assert _used() == {code.name for code in Code}
    assert set(CODES) == set(Code)


def test_no_rule_spells_a_code_by_hand() -> None:
    """A code in a string would escape the table."""
    values = {code.value for code in Code}
    spelt = {
        (path.name, node.value)
        for path in sorted(ROOT.rglob("*.py"))
        if path.name != "codes.py" and path.parent.name not in ("conformance", "cli", "transcripts")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in values
    }
    assert spelt == set()


@pytest.mark.parametrize("code", Code, ids=str)
def test_an_entry_is_whole(code: Code) -> None:
    """Kebab-case, a sentence that formats, and a remedy for everything that blocks."""
    entry = CODES[code]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", code.value)
    for text in (entry.says, entry.fix):
        assert {field for _, field, _, _ in Formatter().parse(text) if field is not None} <= {"subject"}
        assert not text.endswith(".")
    assert entry.says
    assert entry.fix or entry.severity is not Severity.BLOCK
    made = finding(code, "app.cfg")
    assert "{" not in made.says
    assert (made.code, made.layer) == (code, entry.layer)
    assert finding(code).subject == ""


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        ("app.cfg", "app.cfg"),
        ("/p/a+b@c:d%1=x,y-z_0.cfg", "/p/a+b@c:d%1=x,y-z_0.cfg"),
        ("tool:deploy", "deploy"),
        ("order:4471", "order:4471"),
        ("/p/my file.txt", "it"),
        ("/my folder/a.cfg", ".../a.cfg"),
        ("/my folder/b/a.cfg", ".../b/a.cfg"),
        ("/x" * 40 + "/a.cfg", "..." + "/x" * 27 + "/a.cfg"),
        ("a\nb", "it"),
        ("a" * 65, "it"),
        ("<b>", "it"),
        ("", "it"),
    ],
)
def test_a_datum_is_printed_only_when_it_is_one_word(subject: str, shown: str) -> None:
    """Else its last whole components, else its position."""
    assert printable(subject, where="it") == shown
    assert printable("a b") == "what was touched"


@pytest.mark.parametrize(
    ("call", "name"),
    [("c1", "call c1"), ("call_9-a", "call call_9-a"), ("", "a call"), ("a b", "a call"), ("x" * 65, "a call")],
)
def test_a_call_is_named_by_an_id_of_one_word(call: str, name: str) -> None:
    """Ids come from models and frameworks."""
    assert call_name(call) == name
