"""Every decision is on record before it is used: a chained log that tells whether it was edited."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from gate_core import Gate, GateConfig, Layer, Strength, ToolCall
from gate_core.audit import verify

CASES = ["whole, 2 records", "edited at line 1"]


def story(folder: Path) -> list[str]:
    """Two decisions, and what the log says of itself before and after somebody edits it."""
    log = folder / "audit.jsonl"
    gate = Gate(GateConfig(layers={Layer.ACTIONS: Strength.BLOCK}, audit=str(log)))
    gate.begin_turn("Look at app.cfg.")
    gate.admit(ToolCall(tool="read_file", args={"path": "app.cfg"}))
    gate.admit(ToolCall(tool="write_file", args={"path": "/etc/hosts", "content": "x"}))
    report = verify(log)
    told = [f"{'whole' if report.whole else 'damaged'}, {report.records} records"]
    log.write_text(log.read_text("utf-8").replace("ACCEPT", "REJECT", 1), "utf-8")
    told += [f"{damage.kind} at line {damage.line}" for damage in verify(log).damage]
    return told


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        print("\n".join(story(Path(name))))
