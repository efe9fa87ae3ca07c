"""Appends one hook event of Claude Code to the spool of its session, and nothing more.

This runs once per tool call, so it imports nothing that is not built into the interpreter, and is started as
`start.py` says. The event is read from stdin and written as one line under a lock; what it means is found out at Stop
(spec 50, "spool, then fold"). COMMAND decides about events that cannot wait: here only the prompt `/gate`, which is
answered without a model.

Spools lie in $CLAUDE_PLUGIN_DATA, else in the folder `gate-claude` of the XDG state folder, with mode 0600.
"""

from __future__ import annotations

import posix

_SAFE = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")
_PIECE = 1 << 20
_PIPE = 1 << 15  # bytes that go into a pipe nobody reads yet
FAILED = "gate: the gate failed and nothing was checked"
_ASKS = (b'"prompt":"/gate', b'"prompt": "/gate')


def variable(name: str) -> str:
    """A variable of the environment, "" when it is not set."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def state_folder() -> str:
    """Where spools and sessions are kept."""
    plugin = variable("CLAUDE_PLUGIN_DATA")
    if plugin:
        return plugin
    home = variable("XDG_STATE_HOME")
    if not home.startswith("/"):  # the XDG rules: a relative path is to be ignored
        home = variable("HOME") + "/.local/state"
    return home + "/gate-claude"


def file_name(session: str) -> str:
    """The session's id as a file name that cannot leave the folder."""
    if session and len(session) <= 64 and _SAFE.issuperset(session) and session[0] not in "-_":
        return session
    name = session.encode("utf-8", "surrogatepass").hex()
    return f"id-{name[:28]}-{name[-28:]}"


def session_in(data: bytes) -> str:
    """The session an event belongs to, read without a JSON parser: it is the first key of every event."""
    begin = data.find(b'"session_id"', 0, 64)
    begin = data.find(b'"', begin + 12) + 1 if begin >= 0 else 0
    end = data.find(b'"', begin) if begin else -1
    return data[begin:end].decode("utf-8", "replace") if end > begin else variable("CLAUDE_CODE_SESSION_ID")


def make_folder(folder: str) -> None:
    """Make the folder and its parents, for its owner alone."""
    try:
        posix.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        make_folder(folder.rpartition("/")[0] or "/")
        make_folder(folder)


def append(folder: str, session: str, data: bytes) -> None:
    """Write one event as one line, the line break first: a line torn by a crash must not swallow the next one."""
    path = f"{folder}/{file_name(session)}.spool.jsonl"
    flags = posix.O_RDWR | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC
    try:
        handle = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        make_folder(folder)
        handle = posix.open(path, flags, 0o600)
    try:
        posix.lockf(handle, posix.F_LOCK, 0)
        rest = memoryview(b"\n" + (data.replace(b"\n", b" ") if b"\n" in data else data))
        while rest:
            rest = rest[posix.write(handle, rest) :]
    finally:
        posix.close(handle)  # which also unlocks


def pin(folder: str, session: str, config: str) -> None:
    """Keep the configuration as it was at the session's first event: a file edited later takes no effect (spec 70)."""
    path = f"{folder}/{file_name(session)}.config"
    try:
        handle = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    try:
        source = posix.open(config, posix.O_RDONLY | posix.O_CLOEXEC)
        posix.write(handle, posix.read(source, _PIECE))
        posix.close(source)
    finally:
        posix.close(handle)


def read_all() -> bytes:
    """Everything on stdin."""
    pieces = []
    while piece := posix.read(0, _PIECE):
        pieces.append(piece)
    return b"".join(pieces)


def main(arguments: list[str]) -> None:
    """Spool the event on stdin and answer with an empty object: no opinion."""
    config = arguments.pop(0)[9:] if arguments and arguments[0].startswith("--config=") else ""
    server = arguments.pop(0) if arguments and arguments[0] in ("--serve", "--end") else ""
    data = read_all()
    if arguments and len(data) < _PIPE and any(ask in data for ask in _ASKS):
        hand_over(data, arguments)
    session, folder = session_in(data), state_folder()
    append(folder, session, data)
    if config:
        pin(folder, session, config)
    if server:
        tend(server, folder, arguments)


def tend(server: str, folder: str, command: list[str]) -> None:
    """Have the server of the folder wait for decisions, or let it go."""
    from . import ask

    if server == "--serve":
        ask.start(folder, command)
    else:
        ask.end(folder)


def hand_over(data: bytes, command: list[str]) -> None:
    """Become the command, with the event on its stdin."""
    reading, writing = posix.pipe()
    posix.write(writing, data)
    posix.close(writing)
    posix.dup2(reading, 0)
    posix.execv(command[0], command)


def run(arguments: list[str]) -> None:
    """`main`, with an answer whatever happens."""
    try:
        main(arguments)
        posix.write(1, b"{}\n")
    except BaseException as error:  # noqa: BLE001 - whatever happens, the host gets valid JSON, and the user is told
        why = "".join(c for c in f"{type(error).__name__}: {error}"[:200] if c.isprintable() and c not in '"\\')
        posix.write(1, f'{{"systemMessage": "gate: an event was not recorded: {why}"}}\n'.encode("ascii", "replace"))
