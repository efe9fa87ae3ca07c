"""Before something is remembered: "We're running low on milk" stores milk_stock = low, and no brand and no budget."""

from __future__ import annotations

from gate_core import Gate, GateConfig, Layer, Strength
from gate_core.admission import StateWrite

SAID = "We're running low on milk. My sister Ana is vegan, I am not."
CASES = {
    "said": (StateWrite(subject="user-1", key="milk_stock", value="low"), ()),
    "a brand nobody named": (StateWrite(subject="user-1", key="brand", value="Oatly"), ("inferred-not-stated",)),
    "a budget nobody named": (StateWrite(subject="user-1", key="budget", value="$50"), ("inferred-not-stated",)),
    "about somebody else": (StateWrite(subject="user-1", key="diet", value="vegan"), ("scope-violation",)),
    "nothing": (StateWrite(subject="user-1", key="milk_stock", value=""), ("write-empty",)),
}


def judge(write: StateWrite, said: str = SAID) -> tuple[str, ...]:
    """The codes of a write after that message."""
    gate = Gate(GateConfig(layers={Layer.WRITES: Strength.BLOCK}, audit=False))
    gate.begin_turn(said)
    return gate.admit_write(write).codes


if __name__ == "__main__":
    for title, (write, _) in CASES.items():
        print(f"{title}: {write.key} = {write.value!r}: {', '.join(judge(write)) or 'stored'}")
