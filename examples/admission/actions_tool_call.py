"""Before a tool runs: "Order more milk" lets `order_milk` run and nothing else."""

from __future__ import annotations

from gate_core import Gate, GateConfig, Layer, Strength, ToolCall, ToolEffect, ToolProfile

CONFIG = GateConfig(
    layers={Layer.ACTIONS: Strength.BLOCK},
    audit=False,  # an example leaves no log behind
    profiles={
        "order_milk": ToolProfile(name="order_milk", effect=ToolEffect.CHANGE, targets=("order:milk",), family="order"),
        "delete_old_list": ToolProfile(
            name="delete_old_list", effect=ToolEffect.DELETE, targets=("list:{name}",), family="delete", risk="high"
        ),
        "send_email": ToolProfile(
            name="send_email", effect=ToolEffect.CHANGE, targets=("email:{to}",), family="send", reversible=False
        ),
    },
)
CASES = {
    "asked for": (ToolCall(tool="order_milk"), ()),
    "not asked for": (
        ToolCall(tool="delete_old_list", args={"name": "old"}),
        ("intent-not-established", "confirmation-required"),
    ),
    "nor this": (
        ToolCall(tool="send_email", args={"to": "ann@example.com"}),
        ("intent-not-established", "confirmation-required"),
    ),
}


def judge(call: ToolCall, said: str = "Order more milk.") -> tuple[str, ...]:
    """The codes of a call after that message."""
    gate = Gate(CONFIG)
    gate.begin_turn(said)
    return gate.admit(call).codes


if __name__ == "__main__":
    for title, (call, _) in CASES.items():
        print(f"{title}: {call.tool}: {', '.join(judge(call)) or 'may run'}")
