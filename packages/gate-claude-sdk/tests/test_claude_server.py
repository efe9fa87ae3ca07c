"""The server whose forks decide in the place of hooks: the same answers, and never a reason for none."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_UN, lockf
from pathlib import Path
from typing import Any

import pytest
from claude_fired import CLAIM, PROMPT, STRICT, Hooks, until

from gate_claude_sdk.command import server as serving
from gate_claude_sdk.command.lock import Lock
from gate_claude_sdk.plugin.scripts import ask, spool

START = [sys.executable, "-I", "-S", str(Path(spool.__file__).with_name("start.py"))]
SERVE = [sys.executable, "-I", str(Path(serving.__file__).with_name("__main__.py")), "serve"]
NOBODY = ["/bin/false", "hook"]
"""A command that decides nothing: what is answered in its place, a server answered."""


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes under /proc")


def greeted(hooks: Hooks, session: str = "s1") -> None:
    """Somebody said hello; no hook ran that would start a server."""
    event = {"session_id": session, "prompt_id": "p1", "cwd": "/w", "hook_event_name": "UserPromptSubmit"}
    spool.append(str(hooks.state), session, json.dumps({**event, "prompt": "Hello?"}).encode())


def greets(hooks: Hooks) -> bool:
    """True when a decision is made."""
    return bool(hooks.fire("Stop", last_assistant_message="Hello.") == {})


class Served(Hooks):
    """Hooks whose decisions nobody but a server makes."""

    def __init__(self, folder: Path, config: str = STRICT) -> None:
        super().__init__(folder, config, server="on")
        self.commands |= dict.fromkeys(("Stop", "PreToolUse", "ConfigChange"), " ".join([*START, "--decide", *NOBODY]))
        self.commands["UserPromptSubmit"] = " ".join([*START, f"--config={folder / 'gate.json'}"])
        self.state.mkdir(parents=True, mode=0o700)
        self.server = self.serve()
        until((self.state / ask.SOCKET).exists, "the server listens")

    def serve(self) -> subprocess.Popen[bytes]:
        """One server more."""
        (self.state / ask.LOCK).touch(0o600)
        return subprocess.Popen([*SERVE, str(self.state), " ".join(NOBODY)], env=self.env)

    def begin(self, session: str) -> subprocess.Popen[bytes]:
        """A Stop that waits for its answer."""
        greeted(self, session)
        event = {"session_id": session, "prompt_id": "p1", "cwd": "/w", "hook_event_name": "Stop"}
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps({**event, "last_assistant_message": "Hello."}).encode())
            file.seek(0)
            command = [*START, "--decide", *NOBODY]
            return subprocess.Popen(command, stdin=file, stdout=subprocess.PIPE, env=self.env)

    @contextmanager
    def held(self, many: int) -> Iterator[list[subprocess.Popen[bytes]]]:
        """So many hooks whose forks wait for the lock of their session."""
        with (self.state / "held.lock").open("w") as lock:
            lockf(lock, LOCK_EX)
            hooks = [self.begin("held") for _ in range(many)]
            try:
                until(lambda: len(self.forks()) == many, "the forks wait for the lock")
                yield hooks
            finally:
                lockf(lock, LOCK_UN)
                for hook in hooks:
                    with hook:
                        hook.wait()

    def forks(self) -> list[int]:
        """Process ids of the forks that live."""
        after_name = {pid: line.rpartition(")")[2].split() for pid, line in processes("stat").items()}
        return [pid for pid, words in after_name.items() if words[1] == str(self.server.pid) and words[0] != "Z"]


def processes(what: str) -> dict[int, str]:
    """What the system tells of every process that lives: its `stat` or its `cmdline`."""
    found = {}
    for path in Path("/proc").glob(f"[0-9]*/{what}"):
        with suppress(OSError):  # it ended meanwhile
            found[int(path.parent.name)] = path.read_text()
    return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A session with a server."""
    hooks = Served(tmp_path / "served")
    yield hooks
    hooks.server.kill()
    hooks.server.wait()


def told(hooks: Hooks) -> list[Any]:
    """What a session hears with a lie, a typed answer, garbage and a repair."""
    found = [hooks.fire("UserPromptSubmit", prompt=PROMPT)]
    hooks.edit()
    found.append(hooks.fire("Stop", last_assistant_message=CLAIM))
    found.append(hooks.fire("PreToolUse", tool_name="StructuredOutput", tool_input={"a": CLAIM}, tool_use_id="so1"))
    found.extend(json.loads(hooks.raw("Stop", data)) for data in (b"", b"{", b"\xff", b"[" * 100_000))
    hooks.read()
    found.append(hooks.fire("Stop", last_assistant_message=CLAIM))
    return found


def test_forks_answer_what_processes_answer(served: Served, tmp_path: Path) -> None:
    """Word for word, and the session is kept alike."""
    alone = Hooks(tmp_path / "alone")
    assert told(served) == told(alone)
    assert served.session() == alone.session()
    assert served.session()["judged"] == 3


def test_a_fork_stands_where_the_hook_stood(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of the configuration is looked for from the hook's folder, not from the server's."""
    monkeypatch.chdir(tmp_path)
    greeted(served)
    (served.state / "s1.config").write_text(json.dumps({"audit": "audit.jsonl"}))
    assert greets(served)
    assert (tmp_path / "audit.jsonl").is_file()


def test_without_a_server_hooks_decide_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None was started, one was killed and left its socket, one hangs up, one hangs."""
    hooks = Hooks(tmp_path, server="on")
    hooks.state.mkdir(parents=True)
    monkeypatch.chdir(hooks.state)
    greeted(hooks)
    assert greets(hooks)
    with socket.socket(socket.AF_UNIX) as listener, ThreadPoolExecutor(1) as pool:
        listener.settimeout(30)
        listener.bind(ask.SOCKET)
        assert greets(hooks)
        listener.listen()
        answer = pool.submit(greets, hooks)
        listener.accept()[0].close()
        assert answer.result()
        assert greets(hooks)
    assert hooks.session()["judged"] == 4


def test_a_fork_that_dies_checked_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have read the event, so nobody else can; the user is told."""
    hooks = Hooks(tmp_path, server="on")
    hooks.state.mkdir(parents=True)
    monkeypatch.chdir(hooks.state)
    hooks.commands["Stop"] = " ".join([*START, "--decide", *NOBODY])
    with socket.socket(socket.AF_UNIX) as listener, ThreadPoolExecutor(1) as pool:
        listener.settimeout(30)
        listener.bind(ask.SOCKET)
        listener.listen()
        answer = pool.submit(hooks.fire, "Stop", last_assistant_message="Hello.")
        line, _ = listener.accept()
        line.sendall(" ".join(NOBODY).encode() + b"\n")
        line.recv(1 << 16)
        line.close()
        assert answer.result()["systemMessage"].startswith("UNVERIFIED: ")


def test_what_is_no_request_disturbs_nobody(served: Served) -> None:
    """Nothing is said, too little, no descriptors; another command asks; then a hook does."""
    greeted(served)
    here = os.getcwd()
    for data in (b"", b"\0\0\0\0\0\0\0\x05ab", b"\xff" * 8, b"GET / HTTP/1.1\r\n\r\n"):
        with socket.socket(socket.AF_UNIX) as line:
            os.chdir(served.state)
            line.connect(ask.SOCKET)
            os.chdir(here)
            line.sendall(data)
    other = [*START, "--decide", "/bin/echo", "another"]
    done = subprocess.run(other, input=b"{}", capture_output=True, env=served.env, check=True)
    assert done.stdout == b"another\n"
    assert greets(served)


@needs_proc
def test_hooks_wait_for_their_own_fork_alone(served: Served) -> None:
    """Two are held up by the lock of their session; a third is answered; who loses its fork is told at once."""
    greeted(served)
    with served.held(2) as (one, other):
        fork, _ = served.forks()
        assert greets(served)
        os.kill(fork, signal.SIGKILL)
        until(lambda: {one.poll(), other.poll()} != {None}, "the hook of the killed fork ends")
        over, waits = (one, other) if one.poll() is not None else (other, one)
        assert json.loads(over.stdout.read() if over.stdout else "")["systemMessage"].startswith("UNVERIFIED: ")
        assert waits.poll() is None


@needs_proc
def test_with_a_hook_ends_what_was_done_in_its_place(served: Served) -> None:
    """The CLI ends a hook that takes too long, or that a person interrupts."""
    with served.held(1) as (hook,):
        hook.terminate()
        hook.wait(30)
        until(lambda: not served.forks(), "the fork is gone")


def test_many_hooks_at_once(served: Served) -> None:
    """Each is answered, and each session is kept."""
    hooks = [served.begin(f"s{number}") for number in range(20)]
    assert [hook.communicate()[0] for hook in hooks] == [b"{}\n"] * 20
    assert len(list(served.state.glob("*.session.json"))) == 20


def test_a_session_starts_a_server_and_ends_it(tmp_path: Path) -> None:
    """Start and prompt see to it that there is one, and only one; nothing is left when the session is over."""
    hooks = Hooks(tmp_path, server="on")
    hooks.fire("SessionStart")
    hooks.fire("UserPromptSubmit", prompt="Hello?")
    until((hooks.state / ask.SOCKET).exists, "the server listens")
    with pytest.raises(BlockingIOError), Lock(hooks.state / ask.LOCK):
        pass
    assert greets(hooks)
    assert {path.stat().st_mode & 0o777 for path in hooks.state.iterdir()} == {0o600}
    hooks.fire("SessionEnd")
    until(lambda: not list(hooks.state.glob(".server*")), "the server is gone")


@needs_proc
def test_a_session_that_is_over_before_the_server_listens(tmp_path: Path) -> None:
    """It finds its lock gone and never begins."""
    hooks = Hooks(tmp_path, server="on")
    hooks.fire("SessionStart")
    hooks.fire("SessionEnd")
    name = f"serve\0{hooks.state}"
    until(lambda: not any(name in line for line in processes("cmdline").values()), "it is gone")
    assert not list(hooks.state.glob(".server*"))


def test_nobody_has_to_have_a_server(tmp_path: Path) -> None:
    """GATE_CLAUDE_SERVER=off, and the session is decided about as before."""
    hooks = Hooks(tmp_path, server="off")
    hooks.fire("SessionStart")
    hooks.fire("UserPromptSubmit", prompt="Hello?")
    assert greets(hooks)
    hooks.fire("SessionEnd")
    assert not list(hooks.state.glob(".server*"))


def test_a_second_server_leaves_at_once(served: Served) -> None:
    """The lock says that there is one."""
    greeted(served)
    assert served.serve().wait(30) == 0
    assert greets(served)


def test_a_killed_server_is_replaced(served: Served) -> None:
    """What it left behind is in nobody's way."""
    served.server.kill()
    served.server.wait()
    assert (served.state / ask.SOCKET).exists()
    served.server = served.serve()
    until(lambda: served.begin("s1").communicate()[0] == b"{}\n", "the new one answers")


def test_a_server_nobody_asks_goes_away(tmp_path: Path) -> None:
    """And leaves nothing behind."""
    (tmp_path / ask.LOCK).touch()
    code = "import sys; from gate_claude_sdk.command.server import serve; serve(sys.argv[1], 'x', idle=0.1)"
    subprocess.run([sys.executable, "-I", "-c", code, str(tmp_path)], check=True, timeout=60)
    assert not list(tmp_path.iterdir())


def test_a_server_whose_code_changed_answers_nobody(tmp_path: Path) -> None:
    """After an upgrade hooks get what is installed now; the next prompt starts a server of it."""
    module = tmp_path / "gate_other.py"
    module.write_text("one = 1\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv[2]); import gate_other;"
        " from gate_claude_sdk.command.server import serve; serve(sys.argv[1], '/bin/echo itself')"
    )
    state = tmp_path / "upgraded" / "gate-claude"
    state.mkdir(parents=True)
    (state / ask.LOCK).touch()
    hook = [*START, "--decide", "/bin/echo", "itself"]
    with subprocess.Popen([sys.executable, "-I", "-c", code, str(state), str(tmp_path)]) as old:
        until((state / ask.SOCKET).exists, "the server listens")
        module.write_text("two = 22\n")
        env = {**os.environ, "XDG_STATE_HOME": str(state.parent)}
        done = subprocess.run(hook, input=b"{}", capture_output=True, env=env, check=True)
        assert done.stdout == b"itself\n"
        assert old.wait(30) == 0
    assert not list(state.glob(".server*"))
