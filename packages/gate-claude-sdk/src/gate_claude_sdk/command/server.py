"""`gate-claude-hook serve`: a process with the core loaded, whose forks decide about events in the place of hooks.

A hook that decides pays for the start of Python and the import of the core every time; this process paid for them once.
Every event is still decided by a process of its own, a fork with the hook's descriptors, folder and environment, so
nothing one event does is seen by the next. What hook and server say to each other is in `plugin/scripts/ask.py`.

Hooks start it at the beginning of a session and with a prompt, one for each folder of spools. It goes away at the end
of a session (the next prompt of another one starts it again), after ten minutes without a decision, when its code has
changed on disk, and when its lock is gone.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gate_claude_sdk.command import fork
from gate_claude_sdk.command.lock import Lock
from gate_claude_sdk.plugin.scripts import ask

IDLE = 600.0  # seconds without a decision
_LOOK = 60.0  # seconds between two looks at the lock


def serve(folder: str, command: str, *, idle: float = IDLE) -> None:
    """Wait in the folder for hooks that were started as `command`; returns when nobody needs this server.

    Raises:
        OSError: the folder cannot be used.
    """
    os.chdir(folder)  # a socket's path may be short only
    with suppress(BlockingIOError, FileNotFoundError), Lock(Path(ask.LOCK)) as lock:
        from gate_claude_sdk.command.warm import warm  # only now: this is what takes long

        warm()
        gc.freeze()  # forks share what is loaded
        if lock.held():
            with _listening() as listener:
                Server(lock, listener, command, idle).run()


class Server:
    """The loop: one fork for every hook that comes."""

    def __init__(self, lock: Lock, listener: socket.socket, command: str, idle: float) -> None:
        self._lock, self._listener, self._command, self._idle = lock, listener, command, idle
        self._code = _Code()
        self._woken = _child_signals()
        self._waiting: dict[int, socket.socket] = {}  # lines of hooks, by the process id of their fork
        self._poll = select.poll()
        for handle in (self._listener.fileno(), self._woken):
            self._poll.register(handle, select.POLLIN)

    def run(self) -> None:
        """Answer until nobody asks any more."""
        ends = time.monotonic() + self._idle
        while self._lock.held() and (self._waiting or time.monotonic() < ends):
            ready = {handle for handle, _ in self._poll.poll(min(self._idle, _LOOK) * 1000)}
            for pid, line in self._waiting.items():
                if line.fileno() in ready:
                    self._stop(pid, line)
            if self._woken in ready:
                self._reap()
            if self._listener.fileno() in ready:
                if not self._lock.held() or self._code.changed():
                    return
                self._take()
                ends = time.monotonic() + self._idle

    def _take(self) -> None:
        line, _ = self._listener.accept()
        pid = os.fork()
        if not pid:
            self._leave()
            fork.answer(line, self._command)
        self._waiting[pid] = line
        self._poll.register(line, 0)  # told of nothing but that the hook went away

    def _leave(self) -> None:
        """In the fork: hold nothing of the server, nor a line whose end another hook waits for."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for line in (self._listener, *self._waiting.values()):
            line.close()

    def _stop(self, pid: int, line: socket.socket) -> None:
        """A hook was ended, by the CLI or by Ctrl-C, and with it what is done in its place."""
        self._poll.unregister(line)  # it would be told of again and again
        os.kill(pid, signal.SIGTERM)

    def _reap(self) -> None:
        """Forks are done: their hooks hear so when nobody holds the lines any more."""
        os.read(self._woken, 512)
        for pid in [pid for pid in self._waiting if os.waitpid(pid, os.WNOHANG)[0]]:
            line = self._waiting.pop(pid)
            with suppress(KeyError):  # it was stopped
                self._poll.unregister(line)
            line.close()


class _Code:
    """What the files of the loaded modules look like, to see that they were replaced."""

    def __init__(self) -> None:
        names = [name for name in sys.modules if name.startswith("gate_")]
        self._files = [file for name in names if (file := getattr(sys.modules[name], "__file__", None))]
        self._seen = self._look()

    def changed(self) -> bool:
        """True when a hook that imports them now gets something else."""
        return self._look() != self._seen

    def _look(self) -> list[tuple[int, int]]:
        found = []
        for file in self._files:
            try:
                status = os.stat(file)
                found.append((status.st_mtime_ns, status.st_ino))
            except OSError:
                found.append((0, 0))
        return found


@contextmanager
def _listening() -> Iterator[socket.socket]:
    """The socket hooks connect to; its file goes with it."""
    place = Path(ask.SOCKET).absolute()
    place.unlink(missing_ok=True)  # of a server that was killed: the lock is ours
    with socket.socket(socket.AF_UNIX) as listener:
        mask = os.umask(0o177)
        listener.bind(ask.SOCKET)
        os.umask(mask)
        ours = place.stat()
        listener.listen()
        try:
            yield listener
        finally:
            with suppress(OSError):
                if os.path.samestat(place.stat(), ours):
                    place.unlink()


def _child_signals() -> int:
    """A descriptor that can be read when a fork has ended."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # a signal without a handler wakes nobody
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    return woken
