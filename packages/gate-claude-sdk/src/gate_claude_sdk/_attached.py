"""The two ways a conformance run attaches the gate to the CLI: callbacks of the SDK, and the command hook."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from claude_agent_sdk import ClaudeAgentOptions

from gate_claude_sdk._payload import as_count, as_object
from gate_claude_sdk._restarts import RestartableHooks
from gate_claude_sdk.command.settings import groups
from gate_core import AnswerWithheld, GateState, Layer, Strength, Verdict
from gate_core.conformance import Case


class Attached(Protocol):
    """A gate attached to one run of one case."""

    def attach(self, options: ClaudeAgentOptions) -> None:
        """Put the gate into the options."""
        ...

    def verdicts(self) -> list[Verdict]:
        """The verdicts given since the last time; asked after every boundary."""
        ...

    def restart(self) -> str:
        """Go on from what was persisted; returns what happened, for people."""
        ...

    def over(self) -> None:
        """The turn is over."""
        ...

    @property
    def state(self) -> GateState:
        """The ledger."""
        ...


class AttachedHooks:
    """`GateHooks` in this process."""

    def __init__(self, case: Case, workspace: Path, folder: Path) -> None:
        probes = (str(workspace),) if "probe" in case.requires else ()
        self._new: list[Verdict] = []
        self._gate = RestartableHooks(
            folder / "state", config=case.config, probe_roots=probes, on_verdict=self._new.append
        )

    def attach(self, options: ClaudeAgentOptions) -> None:
        """Put the callbacks into the options."""
        options.hooks = self._gate.hooks()

    def verdicts(self) -> list[Verdict]:
        """What `on_verdict` was told."""
        found, self._new[:] = list(self._new), []
        return found

    def restart(self) -> str:
        """Another instance on the same folder."""
        self._gate.restart()
        return "the gate restarts from its state folder"

    def over(self) -> None:
        """The host asks for the answer, which raises when it is withheld."""
        with suppress(AnswerWithheld):
            self._gate.current.result()

    @property
    def state(self) -> GateState:
        """The ledger of the only session."""
        return self._gate.current.state


class AttachedCommand:
    """`gate-claude-hook` in a settings file: every event is a process of its own."""

    def __init__(self, case: Case, workspace: Path, folder: Path) -> None:
        self._home = folder / "home" / ".local" / "state"
        self._seen = 0
        gate = dict(case.gate) if "probe" in case.requires else {**case.gate, "probe_roots": []}
        config, self._settings = folder / "gate.json", folder / "settings.json"
        config.write_text(json.dumps(gate), encoding="utf-8")
        admits = case.config.layers[Layer.ACTIONS] is not Strength.OFF
        hooks = {event: [group] for event, group in groups(str(config), admits=admits).items()}
        self._settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")

    def attach(self, options: ClaudeAgentOptions) -> None:
        """Hand the settings file to the CLI; a state folder of the user's must not be met."""
        options.settings = str(self._settings)
        options.env = {**options.env, "XDG_STATE_HOME": str(self._home), "CLAUDE_PLUGIN_DATA": ""}

    def verdicts(self) -> list[Verdict]:
        """The verdict in the session's file, if it is a new one."""
        data = self._data()
        judged = as_count(data.get("judged")) or 0
        new = judged > self._seen
        self._seen = judged
        return [Verdict.from_dict(as_object(data.get("last")))] if new else []

    def restart(self) -> str:
        """Nothing is needed: no process decides about two events."""
        return "the gate starts anew for every event"

    def over(self) -> None:
        """Nothing is needed."""

    @property
    def state(self) -> GateState:
        """The ledger as it was kept."""
        return GateState.from_json(as_object(self._data().get("gate")))

    def _data(self) -> dict[str, object]:
        found = list((self._home / "gate-claude").glob("*.session.json"))
        return dict(json.loads(found[0].read_bytes())) if found else {}
