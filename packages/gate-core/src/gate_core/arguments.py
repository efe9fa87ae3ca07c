"""The keyword arguments every adapter takes, resolved once (spec 50)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from gate_core.checks import BUILT
from gate_core.footprint.observe import recorded
from gate_core.gate import Gate
from gate_core.model.call import TextSource, ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.fact import Fact
from gate_core.model.json import Json
from gate_core.model.kinds import Strength
from gate_core.model.profile import ToolProfile, parse_profile
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict
from gate_core.running import goes_on
from gate_core.spans import OBSERVE, begun
from gate_core.verifier import StubVerifier, Verifier

if TYPE_CHECKING:
    from logging import Logger

    from gate_core.audit import AuditWriter
    from gate_core.versions import Tested

Progress: TypeAlias = Callable[[dict[str, Json]], object]
"""Takes what `Gate.progress()` gives."""


class GateArguments(TypedDict, total=False):
    """What a user may hand to any adapter. The single keys win over the same keys of `config`.

    Keys:
        config: the configuration; the defaults of spec 00 without it.
        profiles: tool name -> profile, or its fields as a mapping.
        verifier: the second opinion.
        audit: where every decision is recorded (spec 40, "Audit log"): a path, a writer, True for the default file,
            False for nowhere. Without it `config.audit` says so.
        on_verdict: called with every verdict.
        home: the home folder that "~" means.
        surface: the subjects an answer may be about; derived from prompt and answer without it.
        probe_roots: folders the gate may look into by itself; the adapter's default without it, none with ().
        supplied: texts the application itself states, a system prompt for one; what they say needs no other source.
        mark_text: also write the unverified marker into the visible text of a released answer.
        emit_progress: tell `progress()` after every observed call and every verdict: True through the framework's own
            channel, or a function to be called with it.
    """

    config: GateConfig
    profiles: Mapping[str, ToolProfile | Mapping[str, Json]]
    verifier: Verifier
    audit: str | Path | AuditWriter | bool
    on_verdict: Callable[[Verdict], None]
    home: str
    surface: Sequence[str]
    probe_roots: Sequence[str]
    supplied: Sequence[str]
    mark_text: bool
    emit_progress: bool | Progress


class GateFactory:
    """Makes the gates of an adapter, one per conversation, all under one resolved configuration. `tested` are the
    versions of its framework that the adapter was tested with: distribution -> (oldest, newest).

    Raises:
        ConfigError: a wrong value, at build time and not in the middle of a run.
    """

    def __init__(self, arguments: GateArguments, *, tested: Tested | None = None) -> None:
        self.config = _resolved(arguments)
        self.supplied = tuple(arguments.get("supplied", ()))
        self.mark_text = arguments.get("mark_text", False)
        self._verifier = arguments.get("verifier")
        self._audit = _writer(arguments.get("audit"))
        self._on_verdict = arguments.get("on_verdict")
        self._emit = arguments.get("emit_progress", False)
        _warn_unbuilt(self.config)
        if tested:
            from gate_core.versions import warn_untested

            warn_untested(tested)
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
        gate = Gate(
            config,
            state=state,
            texts=texts,
            verifier=self._verifier,
            on_verdict=self._on_verdict,
            wired=wired,
            unwired=unwired,
            audit=self._audit,
        )
        for text in self.supplied:
            gate.supply(text)
        return gate

    def record(self, call: ToolCall, *, turn: int, step: int) -> Fact:
        """What `Gate.observe` records of a call, for a host that keeps the facts of a conversation elsewhere (spec 05,
        "Lazy observation"): a fact follows from the call, its turn and, where the call does not tell it, its step. Not
        so for a call that `goes_on` with another one."""
        end = begun(OBSERVE)
        fact, _ = recorded(call, self.config, turn=turn, step=call.step if isinstance(call.step, int) else step)
        end(fact)
        return fact

    def goes_on(self, call: ToolCall) -> bool:
        """True for a call that may go on with an earlier one: only a gate with the facts can record it."""
        return goes_on(call, self.config)

    @property
    def own_files(self) -> tuple[str, ...]:
        """The log that decisions are recorded in, where it is a file: a call that changes it is tampering (spec 70)."""
        log = getattr(self._audit, "path", self.config.audit)
        return (str(log),) if isinstance(log, str | Path) and log else ()

    @property
    def emits(self) -> bool:
        """True when progress is to be told."""
        return self._emit is not False

    def emit(self, progress: Callable[[], dict[str, Json]], channel: Progress) -> None:
        """Tell the progress of a conversation, if that is asked for: through the framework's `channel`, or to the
        function the user gave. Whatever fails there is logged; it ends no run."""
        if self._emit is False:
            return
        tell = channel if self._emit is True else self._emit
        try:
            tell(progress())
        except Exception:  # noqa: BLE001 - the host's own affair
            _log().exception("emit_progress failed")


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
        "supplied": (_are_texts(arguments.get("supplied", ())), "a list of texts"),
        "mark_text": (isinstance(arguments.get("mark_text", False), bool), "True or False"),
        "emit_progress": (_is_flag_or(callable, arguments.get("emit_progress", False)), "True, False or a callable"),
        "audit": (_is_flag_or(_takes_records, arguments.get("audit", False)), "a path, True, False or an AuditWriter"),
    }
    for name, (fits, kind) in wanted.items():
        if not fits:
            raise ConfigError(f"{name} must be {kind}, got {dict(arguments)[name]!r:.60}", key=name)


def _is_flag_or(other: Callable[[object], bool], given: object) -> bool:
    return isinstance(given, bool) or other(given)


def _takes_records(given: object) -> bool:
    if isinstance(given, str | Path):
        return str(given) != ""
    return callable(getattr(given, "append", None)) and not isinstance(given, list)


def _writer(given: str | Path | AuditWriter | bool | None) -> AuditWriter | None:
    """The writer of the argument; None where the configuration decides, or the log is switched off."""
    if given is None or given is False:
        return None
    if given is True or isinstance(given, str | Path):
        from gate_core.audit import writer_of

        return writer_of(given)
    return given


def _log() -> Logger:
    import logging  # only something out of the ordinary needs it

    return logging.getLogger("gate_core")


def _are_texts(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(text, str) for text in given)


def _warn_unbuilt(config: GateConfig) -> None:
    """A layer that is to block and that this version does not check must not go unnoticed."""
    asked = [layer.value for layer, dial in config.layers.items() if dial is Strength.BLOCK and layer not in BUILT]
    if asked:
        _log().warning("this version does not check: %s; verdicts list them as unchecked", ", ".join(asked))


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
    if arguments.get("audit") is False:
        changes["audit"] = False
    return replace(config, **changes)  # type: ignore[arg-type]  # checked by GateConfig itself
