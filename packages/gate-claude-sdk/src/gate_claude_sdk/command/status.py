"""What is known of the sessions that ran under the command hook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gate_claude_sdk._payload import as_count, as_list, as_object, as_text
from gate_claude_sdk._session import Session
from gate_claude_sdk._store import SessionStore
from gate_claude_sdk.command.fold import configuration
from gate_claude_sdk.command.rows import SpoolTexts, rows
from gate_claude_sdk.plugin.scripts import spool
from gate_core import GateFactory, Json, JsonObject, StateError


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One session: calls on record, targets not settled, the last verdict, and whether events came after it."""

    session: str
    calls: int
    pending: tuple[str, ...] = ()
    last: JsonObject
    unjudged: bool = False

    @classmethod
    def of(cls, session: str, data: JsonObject, progress: Mapping[str, Json], *, unjudged: bool = False) -> Row:
        """The row of a folded session."""
        return cls(
            session=session,
            calls=len(as_list(as_object(data.get("gate")).get("facts"))),
            pending=tuple(as_text(name) for name in as_list(progress.get("pending"))),
            last=as_object(data.get("last")),
            unjudged=unjudged,
        )

    def to_json(self) -> dict[str, Json]:
        """The row as JSON."""
        pending: list[Json] = list(self.pending)
        return {
            "session": self.session,
            "calls": self.calls,
            "pending": pending,
            "last": self.last,
            "unjudged": self.unjudged,
        }


def rows_of_status() -> list[Row]:
    """All sessions, the one that was active last first."""
    spools = [path for folder in folders() for path in folder.glob("*.spool.jsonl")]
    return [_row(path) for path in sorted(spools, key=lambda path: path.stat().st_mtime, reverse=True)]


def folders() -> list[Path]:
    """Where spools lie: the state folder, and outside of a session those of the plugin."""
    config = Path(spool.variable("CLAUDE_CONFIG_DIR") or f"{spool.variable('HOME')}/.claude")
    return [Path(spool.state_folder()), *sorted((config / "plugins" / "data").glob("gate-*"))]


def _row(path: Path) -> Row:
    name = path.name.removesuffix(".spool.jsonl")
    try:
        data = SessionStore(path.parent).load(name) or {}
        factory = GateFactory({"config": configuration(path.with_name(f"{name}.config"))})
        progress = Session.resume(data, factory, SpoolTexts(path)).gate.progress() if data else {}
    except StateError:
        data, progress = {}, {}
    sent_back = as_object(data.get("last")).get("action") == "REVISE"
    later = sent_back or any(b'"PostTool' in line for _, _, line in rows(path, as_count(data.get("place")) or 0))
    return Row.of(name, data, progress, unjudged=later)
