"""The sessions of one GateHooks: found by id, begun, resumed from a folder, kept there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gate_claude_sdk._hearing import Hearing
from gate_claude_sdk._logging import log
from gate_claude_sdk._session import Session
from gate_claude_sdk._store import SessionStore
from gate_claude_sdk._tested import TESTED
from gate_claude_sdk._texts import Fallback, Spool
from gate_core import GateArguments, GateFactory, GateUsageError, JsonObject, StateError


class Sessions:
    """All sessions that share one set of arguments.

    Raises:
        ConfigError: an argument is wrong, or the folder cannot be written.
    """

    def __init__(self, folder: str | Path | None, arguments: GateArguments) -> None:
        self.factory = GateFactory(arguments, tested=TESTED)
        self._store = SessionStore(folder) if folder is not None else None
        self._live: dict[str, Session] = {}
        self._hearing: dict[str, Hearing] = {}
        self.learned: dict[str, JsonObject] = {}
        kept = (os.path.realpath(folder),) if folder is not None else ()
        self._guarded = (*kept, *map(os.path.realpath, self.factory.own_files))
        self._stand_in = Session.begin({}, self.factory)
        self._stand_in.gate.lose()

    def of(self, session_id: str, event: JsonObject, *, parent: str = "") -> Session:
        """The session an event belongs to: known, kept, or new; a new one goes on from what is known of its `parent`.

        A kept one that cannot be read is new and broken.
        """
        if session_id not in self._live:
            try:
                session = self._resumed(session_id) or self._forked(session_id, event, parent)
            except StateError as error:
                log().error("state_dir: session %s starts anew: %s", session_id, error)
                session = Session.begin(event, self.factory, self._spool(session_id))
                session.gate.lose()
            self._live[session_id] = session
            session.guarded = self._guarded
        return self._live[session_id]

    def hearing(self, session_id: str) -> Hearing:
        """What the host's message stream told of a session."""
        return self._hearing.setdefault(session_id, Hearing())

    def ended(self, session_id: str, how: str) -> None:
        """A result came. Without a verdict since the last one its text was not checked, which counts as unverified."""
        session, hearing = self._live.get(session_id), self.hearing(session_id)
        if session is None:
            return
        number = len(session.gate.verdicts)
        if number == hearing.verdicts:
            log().warning("session %s: a result (%s) came without a Stop; nothing was checked", session_id, how)
            session.unchecked, session.answer = True, ""
            session.gate.state.exited_unverified = True
        hearing.verdicts = number

    def gave_typed(self, session_id: str) -> bool:
        """True when a typed answer of the current prompt was let through."""
        return session_id in self._live and self._live[session_id].typed.gone

    def learn(self, annotations: Mapping[str, JsonObject]) -> None:
        """Keep annotations of MCP tools for all sessions."""
        self.learned |= annotations

    def broke(self, session_id: str) -> Session:
        """The session after a failure of the gate itself: what it says in this turn cannot be checked.

        A session that could not even be made is stood in for by one that is broken for good.
        """
        session = self.known(session_id)
        session.gate.lose()
        return session

    def known(self, session_id: str) -> Session:
        """The session of that id; the stand-in when it could not be made."""
        return self._live.get(session_id, self._stand_in)

    def find(self, session_id: str | None) -> Session:
        """The session of that id, or the only one; before the first one an empty session.

        Raises:
            GateUsageError: there is none of that id, or there are several.
            StateError: it was kept, and cannot be read.
        """
        known = tuple(self._live) or (self._store.ids() if self._store else ())
        if session_id is None:
            if len(known) > 1:
                raise GateUsageError(f"expected a session id; there are {len(known)} sessions: {', '.join(known)}")
            if not known:
                return Session.begin({}, self.factory)
            session_id = known[0]
        found = self._live.get(session_id) or self._resumed(session_id)
        if found is None:
            raise GateUsageError(f"no session {session_id!r}; there are: {', '.join(known) or 'none'}")
        return found

    def save(self, session_id: str) -> None:
        """Keep a session in the folder, if there is one. A folder that cannot be written is logged: the run goes on."""
        session = self._live.get(session_id)
        if self._store is not None and session is not None:
            try:
                self._store.save(session_id, session.to_json())
            except OSError as error:
                log().error("state_dir: session %s was not kept: %s", session_id, error)

    def forget(self, session_id: str) -> None:
        """Drop a session from memory."""
        self._live.pop(session_id, None)
        self._hearing.pop(session_id, None)

    def _resumed(self, session_id: str) -> Session | None:
        data = self._store.load(session_id) if self._store is not None else None
        return None if data is None else Session.resume(data, self.factory, self._spool(session_id))

    def _forked(self, session_id: str, event: JsonObject, parent: str) -> Session:
        """A new session; a fork starts with the ledger of its parent, whose texts are found where the parent's are."""
        try:
            known = self.find(parent) if parent else None
        except GateUsageError:
            known = None
        if known is None:
            return Session.begin(event, self.factory, self._spool(session_id))
        source = Fallback(known.gate, self._spool(session_id))
        return Session.resume(known.to_json(), self.factory, source)

    def _spool(self, session_id: str) -> Spool | None:
        return Spool(self._store.spool(session_id)) if self._store is not None else None
