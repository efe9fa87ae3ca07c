"""`gate replay --report`: one HTML file that shows everything and in which a transcript is never markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gate_core.cli import main
from gate_core.cli import replay as command

pytest.importorskip("jinja2", reason="Jinja comes with the extra [cli]")

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Its tags, attributes and texts; fails when tags are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


def case(ident: str, **more: Any) -> dict[str, Any]:
    """A conversation with a supported value and an invented one."""
    events = [
        {"type": "call", "id": "c 1", "tool": "read_file", "args": {"path": "a.cfg"}, "result": "limit = 4471\n"},
        {"type": "finish", "text": "In a.cfg the limit is 4471 and the port 8099."},
    ]
    turns = [{"prompt": "What is in a.cfg?", "events": events}]
    return {"schema": "gate-transcript/1", "id": ident, "gate": {"values": "block"}, "turns": turns, **more}


def written(folder: Path, *cases: dict[str, Any], argv: tuple[str, ...] = ()) -> str:
    """The report on these conversations."""
    file, report = folder / "a.jsonl", folder / "report.html"
    file.write_text("\n".join(map(json.dumps, cases)), "utf-8")
    assert main(["replay", str(file), "--report", str(report), *argv]) == 0
    return report.read_text("utf-8")


def test_what_it_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Conversations, answers, values linked to the results they came from, findings, totals; and rows are printed."""
    page = Page(written(tmp_path, case("one"), case("two", title="Another.")))
    assert "one " in capsys.readouterr().out
    assert any(text.startswith("Another. ") for text in page.texts)
    assert {"one", "two", "What is in a.cfg?", "4471", "limit = 4471", "value-unsupported"} <= {*page.texts}
    assert "In a.cfg the limit is 4471 and the port 8099." in page.texts
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = {attributes["href"] for tag, attributes in page.tags if tag == "a"}
    assert links == {"#c1-1-c%201", "#c2-1-c%201"}
    assert {"c1-1-c 1", "c2-1-c 1"} <= ids
    codes = [attributes["data-codes"] for tag, attributes in page.tags if "data-codes" in attributes]
    assert codes == ["value-unsupported", "value-unsupported"]
    assert [text for text in page.texts[page.texts.index("conversations") :] if text][:2] == ["conversations", "2"]


def test_it_needs_nothing_else(tmp_path: Path) -> None:
    """No address of anything, and a policy that lets nothing in."""
    page = Page(written(tmp_path, case("one")))
    assert [tag for tag, _ in page.tags if tag in ("link", "img", "iframe")] == []
    assert [attributes for _, attributes in page.tags if "src" in attributes] == []
    assert any("default-src 'none'" in (attributes.get("content") or "") for _, attributes in page.tags)


HOSTILE = (
    "</title><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "<!-- -->]]></details></body>",
    "\ud800\0\u2028",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_transcript_is_never_markup(text: str, tmp_path: Path) -> None:
    """Wherever it stands: the page has no tag and no attribute that a page of harmless words has not."""

    def filled(words: str) -> Page:
        events = [
            {"type": "call", "id": words, "tool": words or "x", "args": {"path": words}, "result": f"{words} 4471"},
            {"type": "finish", "text": f"It is 4471. {words}"},
        ]
        told = case(words or "x", title=words, turns=[{"prompt": words, "events": events}])
        return Page(written(tmp_path, told))

    def kinds(page: Page) -> set[tuple[str, ...]]:
        return {(tag, *sorted(attributes)) for tag, attributes in page.tags}

    page = filled(text)
    assert kinds(page) <= kinds(filled("harmless words 8099"))
    assert [tag for tag, _ in page.tags].count("script") == 1


def test_several_processes_write_the_same(tmp_path: Path) -> None:
    """In the order of the files."""
    alone = written(tmp_path, case("one"), case("two"))
    (tmp_path / "b.jsonl").write_text(json.dumps(case("three")), "utf-8")
    both = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    reports = []
    for jobs in ("1", "2"):
        assert main(["replay", *both, "--jobs", jobs, "--report", str(tmp_path / "r.html")]) == 0
        reports.append((tmp_path / "r.html").read_text("utf-8"))
    assert reports[0] == reports[1]
    assert reports[0] != alone


def test_what_hinders_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is not there; Jinja that is not installed."""
    (tmp_path / "a.jsonl").write_text(json.dumps(case("one")), "utf-8")
    argv = ["replay", str(tmp_path / "a.jsonl"), "--report", str(tmp_path / "none" / "r.html")]
    assert main(argv) == 2
    assert "r.html: cannot be written: No such file or directory" in capsys.readouterr().err
    monkeypatch.setattr(command, "available", lambda: False)
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    assert "pip install 'gate-core[cli]'" in capsys.readouterr().err
