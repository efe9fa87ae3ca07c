"""The hook's side of the server that keeps the core loaded (`gate_claude_sdk.command.server`).

Importing the core costs more than deciding. So a server waits beside the spools, and a hook hands it what a process is
made of: its stdin, stdout, stderr and folder as descriptors, its environment as bytes. A fork of the server answers in
the hook's place. Where there is no server, or it does not answer in time, the hook becomes the command itself: nothing
depends on the server but the time it takes.

One conversation over the socket, both sides closing at the end:
    server   the command it stands for, and a line break: a fork listens
    hook     8 bytes: the length of what follows, with four descriptors; then variables name=value, NUL between them.
             From here on the fork answers, and nobody else. (Descriptors nobody takes would keep the CLI's pipes open.)
    server   DONE: everything was printed
"""

from __future__ import annotations

import _socket
import posix
import sys

from . import spool

SOCKET = ".server.sock"  # no session's files are named like this
LOCK = ".server.lock"
DONE = b"d"

_PATIENCE = 2.0  # seconds


def wanted() -> bool:
    """False when the user wants no server: GATE_CLAUDE_SERVER=off."""
    return spool.variable("GATE_CLAUDE_SERVER") != "off"


def decide(command: list[str]) -> None:
    """Have the event on stdin answered by the server, or become the command."""
    if not (wanted() and answered(spool.state_folder(), command)):
        posix.execv(command[0], command)


def answered(folder: str, command: list[str]) -> bool:
    """True when the server's fork printed the answer, or failed at it: then nobody else may read stdin any more."""
    try:
        line, here = _connected(folder)
        if _greeting(line) != " ".join(command).encode("utf-8", "surrogateescape"):
            return False
    except OSError:
        return False
    try:
        _hand_over(line, here)
        line.settimeout(None)
        done = line.recv(1) == DONE
    except OSError:
        done = False
    if not done:
        posix.write(1, f'{{"systemMessage": "UNVERIFIED: {spool.FAILED}"}}\n'.encode())
    return True


def end(folder: str) -> None:
    """Nobody needs the server for now: without its lock it goes away as soon as something wakes it."""
    try:
        posix.unlink(f"{folder}/{LOCK}")
        line, here = _connected(folder)
        line.close()
        posix.close(here)
    except OSError:
        pass


def start(folder: str, command: list[str]) -> None:
    """See to it that a server waits in the folder; it is there a moment later."""
    if not wanted() or _locked(f"{folder}/{LOCK}") or posix.fork():
        return
    posix.setsid()
    null = posix.open("/dev/null", posix.O_RDWR)
    for handle in (0, 1, 2):  # the CLI waits until nobody holds its pipes any more
        posix.dup2(null, handle)
    posix.execv(command[0], [*command[:-1], "serve", folder, " ".join(command)])


def _connected(folder: str) -> tuple[_socket.socket, int]:
    """The line to the server, and the folder of this process: a socket's path may be short only, so it is gone to."""
    here = posix.open(".", posix.O_RDONLY | posix.O_CLOEXEC)
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.settimeout(_PATIENCE)
    posix.chdir(folder)
    try:
        line.connect(SOCKET)
    except OSError:
        line.close()
        raise
    finally:
        posix.fchdir(here)
    return line, here


def _greeting(line: _socket.socket) -> bytes:
    found = b""
    while not found.endswith(b"\n"):
        piece = line.recv(4096)
        if not piece:
            return b""
        found += piece
    return found[:-1]


def _hand_over(line: _socket.socket, here: int) -> None:
    request = b"\0".join(name + b"=" + value for name, value in posix.environ.items())
    handles = b"".join(handle.to_bytes(4, sys.byteorder) for handle in (0, 1, 2, here))
    line.sendmsg([len(request).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handles)])
    line.sendall(request)


def _locked(path: str) -> bool:
    """True when a server holds the lock, or is about to."""
    handle = posix.open(path, posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600)
    try:
        posix.lockf(handle, posix.F_TEST, 0)
    except OSError:
        return True
    finally:
        posix.close(handle)
    return False
