"""What the model got to see of a result, where that is not what the tool gave (spec 05, `ToolCall.result`)."""

from __future__ import annotations

from dataclasses import replace

from gate_core.footprint.observe import observed
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import DIGEST, Json, JsonObject


def as_delivered(fact: Fact, args: JsonObject, result: Json, config: GateConfig) -> Fact:
    """The fact with `result` as its text, for a call whose result somebody behind the observer cut, moved or redacted.

    What the call did stays: it did run. Values are looked up in what was seen, and what was not seen is no news. A fact
    of other arguments is given back as it is: these are not its texts.
    """
    call = ToolCall(tool=fact.tool, args=args, result=result)
    seen, _ = observed(call, config, turn=fact.turn, step=fact.step, ref=fact.ref)
    half = DIGEST // 2
    if seen.digest[:half] != fact.digest[:half]:
        return fact
    return replace(fact, digest=seen.digest, skeleton=seen.skeleton, size=seen.size)
