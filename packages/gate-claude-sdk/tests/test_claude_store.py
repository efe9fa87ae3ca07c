"""Sessions and texts on disk."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from gate_claude_sdk._session import SCHEMA
from gate_claude_sdk._store import SessionStore
from gate_claude_sdk._texts import Spool
from gate_core import ConfigError, StateError


def test_a_session_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    """One file per session, readable by its owner alone, and nothing else is left in the folder."""
    store = SessionStore(tmp_path / "new" / "state")
    store.save("abc-1", {"schema": SCHEMA, "root": "/\ud800w"})
    assert store.load("abc-1") == {"schema": SCHEMA, "root": "/\ud800w"}
    assert store.ids() == ("abc-1",)
    files = list((tmp_path / "new" / "state").iterdir())
    assert [(f.name, stat.S_IMODE(f.stat().st_mode)) for f in files] == [("abc-1.session.json", 0o600)]


def test_a_session_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    """The file is replaced as a whole or not at all."""
    store = SessionStore(tmp_path)
    store.save("s", {"schema": SCHEMA, "heard": 1})
    with pytest.raises(TypeError):
        store.save("s", {"schema": SCHEMA, "heard": object()})  # type: ignore[dict-item]  # the point of the test
    assert store.load("s") == {"schema": SCHEMA, "heard": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["s.session.json"]


def test_a_session_id_cannot_leave_the_folder(tmp_path: Path) -> None:
    """An id that is no plain name is kept under its digest."""
    store = SessionStore(tmp_path / "state")
    store.save("../../x", {"schema": SCHEMA})
    store.save("\ud800", {"schema": SCHEMA})
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert store.load("../../x") == {"schema": SCHEMA}
    assert len(store.ids()) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema": "other/9"}', b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_an_error_and_not_a_fresh_session(tmp_path: Path, content: bytes) -> None:
    """Whoever asks has to know that something was lost."""
    store = SessionStore(tmp_path)
    (tmp_path / "s.session.json").write_bytes(content)
    with pytest.raises(StateError, match=r"s\.session\.json"):
        store.load("s")


def test_an_unknown_session_is_nothing(tmp_path: Path) -> None:
    """A session that was never kept is None."""
    assert SessionStore(tmp_path).load("s") is None


def test_a_state_dir_that_is_a_file_is_refused_when_the_gate_is_built(tmp_path: Path) -> None:
    """The user's mistake, said at once."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="state_dir"):
        SessionStore(tmp_path / "file")


def test_another_process_finds_the_texts_in_the_spool(tmp_path: Path) -> None:
    """Arguments and result come back as they were put in; a row torn by a crash costs that row only."""
    path = tmp_path / "s.texts.jsonl"
    first = Spool(path)
    assert first.call("a") is None
    first.put("a", {"path": "ä\ud800"}, [{"type": "text", "text": "x"}])
    first.put("b", {"n": 2}, "two")
    with path.open("ab") as file:
        file.write(b'\n["c", {}, "thr')
    second = Spool(path)
    assert second.call("b") == ({"n": 2}, "two")
    second.put("d", {}, "four")
    for spool in (second, Spool(path)):
        assert spool.call("a") == ({"path": "ä\ud800"}, [{"type": "text", "text": "x"}])
        assert (spool.call("b"), spool.call("c"), spool.call("d")) == (({"n": 2}, "two"), None, ({}, "four"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
