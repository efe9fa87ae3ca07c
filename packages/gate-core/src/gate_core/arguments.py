"""The keyword arguments every adapter takes, resolved once (spec 50)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypedDict

from gate_core.checks import BUILT
from gate_core.gate import Gate
from gate_core.model.call import TextSource
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.model.kinds import Strength
from gate_core.model.profile import ToolProfile, parse_profile
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict
from gate_core.verifier import StubVerifier, Verifier


class GateArguments(TypedDict, total=False):
    """What a user may hand to any adapter. The single keys win over the same keys of `config`.

    Keys:
        config: the configuration; the defaults of spec 00 without it.
        profiles: tool name -> profile, or its fields as a mapping.
        verifier: the second opinion.
        on_verdict: called with every verdict.
        home: the home folder that "~" means.
        surface: the subjects an answer may be about; derived from prompt and answer without it.
        probe_roots: folders the gate may look into by itself; the adapter's default without it, none with ().
        mark_text: also write the unverified marker into the visible text of a released answer.
    """

    config: GateConfig
    profiles: Mapping[str, ToolProfile | Mapping[str, Json]]
    verifier: Verifier
    on_verdict: Callable[[Verdict], None]
    home: str
    surface: Sequence[str]
    probe_roots: Sequence[str]
    mark_text: bool


class GateFactory:
    """Makes the gates of an adapter, one per conversation, all under one resolved configuration.

    Raises:
        ConfigError: a wrong value, at build time and not in the middle of a run.
    """

    def __init__(self, arguments: GateArguments) -> None:
        self.config = _resolved(arguments)
        self.mark_text = arguments.get("mark_text", False)
        self._verifier = arguments.get("verifier")
        self._on_verdict = arguments.get("on_verdict")
        _warn_unbuilt(self.config)
        self.new()  # what the gate refuses, it refuses now

    def new(
        self,
        *,
        state: GateState | None = None,
        texts: TextSource | None = None,
        probe_roots: Sequence[str] = (),
        wired: bool = False,
        unwired: str = "attach the observer",
    ) -> Gate:
        """A gate for a new conversation, or for the one whose `state` is given.

        `probe_roots` are the adapter's own default, used when the user set none.
        """
        config = self.config
        if config.probe_roots is None and probe_roots:
            config = replace(config, probe_roots=tuple(probe_roots))
        return Gate(
            config,
            state=state,
            texts=texts,
            verifier=self._verifier,
            on_verdict=self._on_verdict,
            wired=wired,
            unwired=unwired,
        )


def _check_names(arguments: GateArguments) -> None:
    keys = {field.name for field in fields(GateConfig)}
    for name in arguments:
        if name in GateArguments.__annotations__:
            continue
        if name in keys:
            hint = f"{name!r} is a configuration key: config=GateConfig({name}=...)"
            raise ConfigError(f"unknown argument; {hint}", key=name)
        raise ConfigError.unknown_key(name, GateArguments.__annotations__, where="argument")


def _check_kinds(arguments: GateArguments) -> None:
    """What a type checker would have said, for those who run without one."""
    wanted: dict[str, tuple[bool, str]] = {
        "config": (isinstance(arguments.get("config", GateConfig()), GateConfig), "a GateConfig"),
        "profiles": (isinstance(arguments.get("profiles", {}), Mapping), "a mapping of tool names to profiles"),
        "verifier": (hasattr(arguments.get("verifier", StubVerifier()), "score"), "an object with a score method"),
        "on_verdict": (callable(arguments.get("on_verdict", print)), "a callable"),
        "mark_text": (isinstance(arguments.get("mark_text", False), bool), "True or False"),
    }
    for name, (fits, kind) in wanted.items():
        if not fits:
            raise ConfigError(f"{name} must be {kind}, got {dict(arguments)[name]!r:.60}", key=name)


def _warn_unbuilt(config: GateConfig) -> None:
    """A layer that is to block and that this version does not check must not go unnoticed."""
    asked = [layer.value for layer, dial in config.layers.items() if dial is Strength.BLOCK and layer not in BUILT]
    if asked:
        import logging  # only something out of the ordinary needs it

        logging.getLogger("gate_core").warning(
            "this version does not check: %s; verdicts list them as unchecked", ", ".join(asked)
        )


def _resolved(arguments: GateArguments) -> GateConfig:
    _check_names(arguments)
    _check_kinds(arguments)
    config = arguments.get("config") or GateConfig()
    changes: dict[str, object] = {}
    if "profiles" in arguments:
        given = {
            name: row if isinstance(row, ToolProfile) else parse_profile(name, row)
            for name, row in arguments["profiles"].items()
        }
        changes["profiles"] = {**config.profiles, **given}
    for key in ("home", "surface", "probe_roots"):
        if key in arguments:
            changes[key] = arguments[key]
    return replace(config, **changes)  # type: ignore[arg-type]  # checked by GateConfig itself
