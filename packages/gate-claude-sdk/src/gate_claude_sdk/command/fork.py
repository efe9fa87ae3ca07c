"""What a fork of the server does: become the hook that asked, and answer."""

from __future__ import annotations

import os
import posix
import socket
from typing import NoReturn

from gate_claude_sdk.command.answer import answer_stdin
from gate_claude_sdk.plugin.scripts import ask

_PATIENCE = 2.0  # seconds
_MOST = 1 << 24  # bytes of an environment


def answer(line: socket.socket, command: str) -> NoReturn:
    """Answer the hook at the other end of the line, if it stands for this command, and end this process."""
    status = 1
    try:
        line.settimeout(_PATIENCE)
        line.sendall(command.encode("utf-8", "surrogateescape") + b"\n")
        handles, variables = _request(line)
        _become(handles, variables)
        answer_stdin()
        line.sendall(ask.DONE)
        status = 0
    finally:
        os._exit(status)


def _request(line: socket.socket) -> tuple[list[int], list[bytes]]:
    """The hook's descriptors and its environment.

    Raises:
        OSError: the hook went away, or says nothing.
        ValueError: what it says is no request.
    """
    head, handles, _, _ = socket.recv_fds(line, 8, 4)
    size = int.from_bytes(head, "big")
    if len(handles) != 4 or size > _MOST:
        raise ValueError(f"expected four descriptors and at most {_MOST} bytes, got {len(handles)} and {size}")
    data = bytearray()
    while len(data) < size:
        piece = line.recv(size - len(data))
        if not piece:
            raise ConnectionResetError
        data += piece
    return handles, bytes(data).split(b"\0")


def _become(handles: list[int], variables: list[bytes]) -> None:
    """Take over the hook's stdin, stdout, stderr, folder and environment."""
    os.fchdir(handles[3])
    for standard, handle in enumerate(handles[:3]):
        os.dup2(handle, standard)
    for environment in (os.environb, posix.environ):
        environment.clear()
        for variable in variables:
            name, _, value = variable.partition(b"=")
            environment[name] = value
