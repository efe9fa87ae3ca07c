"""The audit file: nothing acknowledged is lost, nothing is glued, whatever happens to the writers (spec 40)."""

from __future__ import annotations

import errno
import json
import logging
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gate_core.audit import AuditError, FileWriter, records_of, verify
from gate_core.audit import lock as locks

several = pytest.mark.skipif(not locks.available(), reason="the extra [audit] is not installed")

WRITER = """
import sys
from gate_core.audit import FileWriter
writer = FileWriter(sys.argv[1])
out = open(sys.argv[2], "a", buffering=1)
for n in range(int(sys.argv[4])):
    writer.append({"kind": "test", "metadata": {"who": sys.argv[3], "n": n, "fill": "x" * int(sys.argv[5])}})
    out.write(f"{sys.argv[3]} {n}\\n")
"""


def start(log: Path, told: Path, who: str, count: int, fill: int = 10) -> subprocess.Popen[bytes]:
    """A process that writes so many records and notes each one once it was acknowledged."""
    return subprocess.Popen([sys.executable, "-c", WRITER, str(log), str(told), who, str(count), str(fill)])


def acknowledged(*files: Path) -> list[tuple[str, int]]:
    """(writer, number) of every whole line noted."""
    lines = [line for file in files if file.exists() for line in file.read_text().split("\n")[:-1]]
    return [(line.split()[0], int(line.split()[1])) for line in lines]


def written(log: Path) -> list[tuple[str, int]]:
    """(writer, number) of every record of the writers, in order."""
    return [(r["metadata"]["who"], r["metadata"]["n"]) for _, r in records_of(log) if r["kind"] == "test"]


def test_a_log_is_created_with_the_first_record_and_for_its_owner_alone(tmp_path: Path) -> None:
    """Not before; mode 0600, in a folder of mode 0700."""
    log = tmp_path / ".gate" / "audit.jsonl"
    writer = FileWriter(log, clock=lambda: "2026-01-01T00:00:00.000+00:00")
    assert not log.parent.exists()
    writer.append({"kind": "action", "verdict": "ACCEPT", "seq": 99, "hash": "mine"})
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700
    record = json.loads(log.read_text())
    assert list(record) == ["v", "seq", "prev", "timestamp", "kind", "verdict", "hash"]
    assert (record["v"], record["seq"], record["prev"]) == (1, 1, "")
    assert (writer.head.seq, writer.head.hash) == (1, record["hash"])


@several
def test_eight_processes_share_a_log(tmp_path: Path) -> None:
    """8 x 2,000 records: each there once, each writer's in order, the chain whole; a reader meanwhile sees a whole
    log at any time."""
    log = tmp_path / "audit.jsonl"
    acks = [tmp_path / f"ack{n}" for n in range(8)]
    running = [start(log, acks[n], str(n), 2000) for n in range(8)]
    checked = 0
    while any(process.poll() is None for process in running):
        if log.exists():
            assert verify(log).damage == ()
            checked += 1
    assert checked > 0
    assert [process.returncode for process in running] == [0] * 8
    found = written(log)
    assert len(found) == 16_000
    assert set(found) == set(acknowledged(*acks))
    assert all([n for who, n in found if who == str(w)] == list(range(2000)) for w in range(8))
    assert verify(log).head.seq == 16_000


@several
def test_killed_writers_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """SIGKILL at random moments, again and again; the survivors' chain stays whole."""
    log, rng = tmp_path / "audit.jsonl", random.Random(7)
    acks: list[Path] = []
    for burst in range(4):
        here = [tmp_path / f"ack{burst}.{n}" for n in range(4)]
        acks += here
        running = [start(log, here[n], f"{burst}.{n}", 100_000, fill=3000) for n in range(4)]
        end = time.monotonic() + 60
        while not all(len(acknowledged(file)) > 5 for file in here) and time.monotonic() < end:
            time.sleep(0.01)
        for process in rng.sample(running, 4):
            time.sleep(rng.random() * 0.05)
            process.send_signal(signal.SIGKILL)
            process.wait()
    FileWriter(log).append({"kind": "last"})
    report = verify(log)
    assert report.damage == ()
    found = written(log)
    assert len(found) == len(set(found))
    assert set(acknowledged(*acks)) <= set(found)
    assert len(acknowledged(*acks)) > 16


def test_a_torn_tail_is_moved_aside_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Never glued: the next record follows the last whole one, and says what happened."""
    log = tmp_path / "audit.jsonl"
    FileWriter(log).append({"kind": "one"})
    with open(log, "ab") as file:
        file.write(b'{"v":1,"seq":2,"prev":"half')
    with caplog.at_level(logging.WARNING, logger="gate_core.audit"):
        FileWriter(log).append({"kind": "two"})
    assert [record["kind"] for _, record in records_of(log)] == ["one", "torn-tail", "two"]
    assert verify(log).whole
    aside = tmp_path / "audit.jsonl.torn"
    assert aside.read_bytes() == b'{"v":1,"seq":2,"prev":"half\n'
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    assert "27 bytes" in caplog.text


def test_a_log_that_is_torn_from_the_start_begins_anew(tmp_path: Path) -> None:
    """Zeros after a power cut are no record either."""
    log = tmp_path / "audit.jsonl"
    log.write_bytes(b"\0" * 200_000)
    FileWriter(log).append({"kind": "one"})
    assert [record["kind"] for _, record in records_of(log)] == ["torn-tail", "one"]
    assert verify(log).whole


def test_a_long_record_is_found_again(tmp_path: Path) -> None:
    """The last line may be longer than what is read at once."""
    log = tmp_path / "audit.jsonl"
    FileWriter(log).append({"kind": "one", "metadata": {"text": "x" * 300_000}})
    FileWriter(log).append({"kind": "two", "metadata": {"text": "\ud800 é 漢"}})
    FileWriter(log).append({"kind": "three", "metadata": {"odd": {1, 2}}})  # type: ignore[dict-item]
    assert [record["kind"] for _, record in records_of(log)] == ["one", "two", "three"]
    assert verify(log).whole


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """Before anybody relies on the record."""
    log = tmp_path / "audit.jsonl"
    log.symlink_to("/dev/full")
    with pytest.raises(AuditError, match="No space left"):
        FileWriter(log).append({"kind": "one"})


def test_a_file_size_limit_leaves_no_half_record(tmp_path: Path) -> None:
    """The part that was written is taken back; once there is room again, the chain goes on."""
    log = tmp_path / "audit.jsonl"
    writer = FileWriter(log)
    writer.append({"kind": "one"})
    size = log.stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
    try:
        with pytest.raises(AuditError, match="not written"):
            writer.append({"kind": "two"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert log.stat().st_size == size
    writer.append({"kind": "three"})
    assert [record["kind"] for _, record in records_of(log)] == ["one", "three"]
    assert verify(log).whole


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES])
def test_a_disk_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """With the reason and the path."""

    def refuse(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("gate_core.audit.writer.os.open", refuse)
    with pytest.raises(AuditError, match=os.strerror(code)) as caught:
        FileWriter(tmp_path / "audit.jsonl").append({"kind": "one"})
    assert caught.value.path == str(tmp_path / "audit.jsonl")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """A file stands where the folder belongs."""
    (tmp_path / "x").write_text("")
    with pytest.raises(AuditError, match=r"File exists|Not a directory"):
        FileWriter(tmp_path / "x" / "audit.jsonl").append({"kind": "one"})


@pytest.mark.parametrize(
    ("last", "says"),
    [
        (b'{"v":2,"seq":1,"prev":"","hash":"x"}\n', "version 2"),
        (b"not json\n", "no JSON"),
        (b"[1]\n", "no record"),
        (b'{"v":1,"seq":"1","prev":"","hash":"x"}\n', "no record"),
        (b'{"v":1,"seq":1,"prev":"","hash":"x"}\n', "was edited"),
        (b"[" * 100_000 + b"\n", "no JSON"),
    ],
    ids=["another version", "no JSON", "a list", "other types", "an edited line", "a nest"],
)
def test_a_log_of_another_making_is_not_written_to(tmp_path: Path, last: bytes, says: str) -> None:
    """It stays as it is, byte by byte."""
    log = tmp_path / "audit.jsonl"
    log.write_bytes(last)
    with pytest.raises(AuditError, match=says):
        FileWriter(log).append({"kind": "one"})
    assert log.read_bytes() == last


def test_a_log_that_is_moved_away_starts_anew(tmp_path: Path) -> None:
    """Rotation by renaming, and by deleting; the writer notices at its next record."""
    log, old = tmp_path / "audit.jsonl", tmp_path / "old.jsonl"
    writer = FileWriter(log)
    writer.append({"kind": "one"})
    log.rename(old)
    writer.append({"kind": "two"})
    assert [record["seq"] for _, record in records_of(log)] == [1]
    log.unlink()
    writer.append({"kind": "three"})
    assert [record["kind"] for _, record in records_of(log)] == ["three"]
    assert verify(old).whole
    writer.close()
    writer.close()
    writer.append({"kind": "four"})
    assert verify(log).head.seq == 2


@several
def test_threads_share_a_writer_and_a_fork_opens_its_own(tmp_path: Path) -> None:
    """The lock belongs to an open file; a child that kept its parent's would not be locked out."""
    log = tmp_path / "audit.jsonl"
    writer = FileWriter(log, fsync=True)

    def some(who: str) -> None:
        for n in range(20):
            writer.append({"kind": "test", "metadata": {"who": who, "n": n}})

    threads = [threading.Thread(target=some, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    child = os.fork()
    if child == 0:
        some("child")
        os._exit(0)
    some("parent")
    assert os.waitpid(child, 0)[1] == 0
    writer.append({"kind": "end"})
    assert verify(log).whole
    assert len(set(written(log))) == 120


@several
def test_a_stopped_process_does_not_stop_us_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait for the lock ends, and the record is an error."""
    import portalocker

    log = tmp_path / "audit.jsonl"
    FileWriter(log).append({"kind": "one"})
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with open(log) as held:
        portalocker.lock(held, portalocker.LOCK_EX)
        with pytest.raises(AuditError, match="another process holds the log"):
            FileWriter(log).append({"kind": "two"})
        assert not locks.lock(os.open(log, os.O_RDONLY), shared=True)
    FileWriter(log).append({"kind": "three"})
    assert verify(log).head.seq == 2


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is not installed."""
    monkeypatch.setattr(locks, "available", lambda: False)
    monkeypatch.setattr("gate_core.audit.writer.available", lambda: False)


@pytest.mark.usefixtures("_alone")
def test_without_the_extra_one_process_writes_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Once; and when somebody else writes too, it stops rather than break the chain."""
    log = tmp_path / "audit.jsonl"
    one, two = FileWriter(log), FileWriter(log)
    with caplog.at_level(logging.WARNING, logger="gate_core.audit"):
        one.append({"kind": "one"})
        one.append({"kind": "two"})
    assert caplog.text.count("gate-core[audit]") == 1
    assert one.single_process
    two.append({"kind": "three"})
    with pytest.raises(AuditError, match=r"another process writes here too; install gate-core\[audit\]"):
        one.append({"kind": "four"})
    assert verify(log).whole
    assert verify(log).head.seq == 3


def record_of(**fields: Any) -> dict[str, Any]:
    """A record as somebody might hand it in."""
    return {"kind": "x", **fields}


def test_an_unwritten_record_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes only a part: the head stays, the file too."""
    log = tmp_path / "audit.jsonl"
    writer = FileWriter(log)
    writer.append(record_of())
    head, real = writer.head, os.write
    monkeypatch.setattr("gate_core.audit.writer.os.write", lambda handle, data: real(handle, data[:10]))
    with pytest.raises(AuditError, match="not written"):
        writer.append(record_of())
    monkeypatch.undo()
    assert writer.head == head
    writer.append(record_of())
    assert verify(log).head.seq == 2
