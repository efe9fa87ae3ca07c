"""Folds the spool of a session into its ledger: what tool events left behind is understood here, once, at Stop.

One process at a time folds a session (a lock file); tool events go on being appended meanwhile and are folded next
time. What was folded is kept in the session's file with the place in the spool up to which it was.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._logging import log
from gate_claude_sdk._payload import as_count, as_object, as_text
from gate_claude_sdk._session import Session
from gate_claude_sdk._store import SessionStore
from gate_claude_sdk.command.guarded import places
from gate_claude_sdk.command.rows import SpoolTexts, rows
from gate_claude_sdk.plugin.scripts import spool
from gate_core import ConfigError, GateConfig, GateFactory, Json, JsonObject, StateError, Verdict, parse_config

_Step: TypeAlias = Callable[[Session, JsonObject], None]
_STEPS: dict[str, _Step] = {
    "UserPromptSubmit": Session.submitted,
    "PostToolUse": Session.completed,
    "PostToolUseFailure": Session.failed,
    "PostToolBatch": Session.batched,
}


@dataclass(slots=True, kw_only=True)
class Folded:
    """One session under its lock. `place` is the end of what was folded, `last` the last verdict as JSON and `judged`
    how many there were."""

    session: Session
    config: GateConfig
    place: int = 0
    last: JsonObject = field(default_factory=dict)
    judged: int = 0

    def note(self, verdict: Verdict) -> None:
        """Keep a verdict for `status`."""
        self.last, self.judged = verdict.to_dict(), self.judged + 1

    def to_json(self) -> dict[str, Json]:
        """What the next process needs."""
        own: dict[str, Json] = {
            "place": self.place,
            "last": self.last,
            "judged": self.judged,
        }
        return {**self.session.to_json(), **own}


@contextmanager
def folded(event: JsonObject) -> Iterator[Folded]:
    """The session an event belongs to with everything spooled so far; kept when the block ends without an error.

    Raises:
        ConfigError: the configuration of the session is wrong.
        OSError: the state folder cannot be used.
    """
    folder = Path(spool.state_folder())
    name = spool.file_name(translate.session_id(event))
    store, base = SessionStore(folder), folder / name
    with _locked(base.with_name(f"{base.name}.lock")):
        found = _load(store, name, event, base)
        found.session.guarded = places()
        for place, end, line in rows(base.with_name(f"{base.name}.spool.jsonl"), found.place):
            _apply(found, place, line)
            found.place = end
        found.session.at = ""
        yield found
        store.save(name, found.to_json())


def _load(store: SessionStore, name: str, event: JsonObject, base: Path) -> Folded:
    config = configuration(base.with_name(f"{base.name}.config"))
    factory = GateFactory({"config": config})
    texts = SpoolTexts(base.with_name(f"{base.name}.spool.jsonl"))
    try:
        data = store.load(name)
        if data is not None:
            return Folded(
                session=Session.resume(data, factory, texts),
                config=config,
                place=as_count(data.get("place")) or 0,
                last=as_object(data.get("last")),
                judged=as_count(data.get("judged")) or 0,
            )
    except StateError as error:
        log().error("session %s starts anew: %s", name, error)
        found = Folded(session=Session.begin(event, factory, texts), config=config)
        found.session.gate.lose()
        return found
    return Folded(session=Session.begin(event, factory, texts), config=config)


def configuration(path: Path) -> GateConfig:
    """The configuration pinned at the session's first event; the defaults without one."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return GateConfig()
    return parsed_config(text)


def parsed_config(text: str) -> GateConfig:
    """A configuration file, TOML or a JSON object.

    Raises:
        ConfigError: it is neither, or a key or value is wrong.
    """
    try:
        if text.lstrip().startswith("{"):
            return parse_config(as_object(json.loads(text)))
        import tomllib

        return parse_config(tomllib.loads(text))
    except ConfigError:
        raise
    except ValueError as error:  # both parsers' errors are
        raise ConfigError(f"config: {error}", key="config") from None


def _apply(found: Folded, place: str, line: bytes) -> None:
    session = found.session
    try:
        event = as_object(json.loads(line))
    except ValueError:
        log().error("an event of the spool cannot be read")  # torn by a crash: what it told is lost
        session.gate.lose()
        return
    kind = as_text(event.get("hook_event_name"))
    step = _STEPS.get(kind)
    if step is None:
        return
    session.at = place
    try:
        step(session, event)
    except Exception:  # noqa: BLE001 - one event that cannot be folded costs the turn, not the run
        log().exception("the gate failed on %s", kind)
        session.gate.lose()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
