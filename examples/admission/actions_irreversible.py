"""What cannot be taken back: a request, then a confirmation of exactly this call, used up when it runs."""

from __future__ import annotations

from gate_core import Gate, GateConfig, Layer, Strength, ToolCall, ToolEffect, ToolProfile

CONFIG = GateConfig(
    layers={Layer.ACTIONS: Strength.BLOCK},
    audit=False,
    profiles={
        "delete_list": ToolProfile(
            name="delete_list", effect=ToolEffect.DELETE, targets=("list:{name}",), family="delete", reversible=False
        )
    },
)
OLD, NEW = (ToolCall(tool="delete_list", args={"name": name}) for name in ("groceries", "work"))


def story() -> list[tuple[str, str]]:
    """(what happens, what the gate says), in order."""
    gate = Gate(CONFIG)
    told: list[tuple[str, str]] = []

    def propose(title: str, call: ToolCall) -> None:
        told.append((title, ", ".join(gate.admit(call).codes) or "may run"))

    gate.begin_turn("What is on my lists?")
    propose("nobody asked", OLD)
    gate.begin_turn("Delete the list groceries.")
    propose("asked, not confirmed", OLD)
    gate.confirm(NEW)
    propose("another one confirmed", OLD)
    gate.confirm(OLD)
    propose("confirmed", OLD)
    propose("once more", OLD)
    return told


CASES = [
    ("nobody asked", "intent-not-established, confirmation-required"),
    ("asked, not confirmed", "confirmation-required"),
    ("another one confirmed", "confirmation-required"),
    ("confirmed", "may run"),
    ("once more", "confirmation-required"),
]

if __name__ == "__main__":
    for title, says in story():
        print(f"{title}: {says}")
