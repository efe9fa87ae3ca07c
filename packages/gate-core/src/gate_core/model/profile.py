"""Declarative knowledge of one tool, and of one signal (spec 05, spec 10 "Profiles and effects")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TypeVar

from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.model.kinds import Receipt, ToolEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProfile:
    """How the arguments and the result of one tool become effects and an outcome.

    Attributes:
        needs: arguments that must be present ("type") or have a value ("type=delete_file") for an entry to apply;
            frameworks share names.
        targets: templates over the arguments: "{path}", "reservation:{id}", dotted paths, "{paths}" for one target per
            list item, or a constant.
        source: the template of what a move takes away.
        domain: the world the targets live in; "" derives it from target and origin.
        command_arg: the argument that holds a command or a query.
        content: the arguments that hold new text; dotted paths reach into lists.
        replaces: the arguments that hold the text it replaces.
        patch: the argument that holds a diff whose lines are marked "+" and "-".
        search: the default `output_mode` of a search tool: with "content" it shows lines, else only names.
        first_line, line_count: the arguments that limit a reader to a window of lines.
        line_base: the number the first line of a file has in `first_line`.
        receipt: what the tool's own result proves about its change.
        succeeded, failed: patterns at the start of the text a changing tool answers with.
        family, risk, reversible: what admission asks for (spec 40).
        sourced: arguments that must come from somewhere (spec 30).
    """

    name: str
    effect: ToolEffect
    origin: str = ""
    needs: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    source: str = ""
    domain: str = ""
    command_arg: str = ""
    content: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    patch: str = ""
    search: str = ""
    first_line: str = ""
    line_count: str = ""
    line_base: int = 1
    receipt: Receipt = Receipt.NONE
    succeeded: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    family: str = ""
    risk: str = "low"
    reversible: bool = True
    sourced: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "effect", ToolEffect(self.effect))
        object.__setattr__(self, "receipt", Receipt(self.receipt))
        if self.risk not in ("low", "medium", "high"):
            raise ConfigError(f"profile {self.name!r}: risk must be low, medium or high, got {self.risk!r}", key="risk")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRule:
    """How runs of some programs raise a named signal (spec 20, "Signals")."""

    name: str
    programs: tuple[str, ...] = ()
    not_with: tuple[str, ...] = ()
    success: str = ""
    failure: str = ""
    count: str = ""
    needs_count: bool = False
    domain: str = "files"
    ignores: tuple[str, ...] = ()
    survives_changes: bool = False


Row = TypeVar("Row", ToolProfile, SignalRule)


def parse_profile(name: str, data: Mapping[str, Json]) -> ToolProfile:
    """A profile from TOML or JSON. `confirms: true` may stand for `receipt: "state"`.

    Raises:
        ConfigError: an unknown key, or a value outside its choices.
    """
    given = dict(data)
    if given.pop("confirms", False):
        given["receipt"] = Receipt.STATE.value
    return _row(ToolProfile, {"name": name, **given}, where=f"key of profile {name!r}:")


def parse_signal(data: Mapping[str, Json]) -> SignalRule:
    """A signal rule from TOML or JSON.

    Raises:
        ConfigError: an unknown key, or no name.
    """
    return _row(SignalRule, data, where="signal key")


def _row(kind: type[Row], data: Mapping[str, Json], *, where: str) -> Row:
    known = {f.name: f for f in fields(kind)}
    for key in data:
        if key not in known:
            raise ConfigError.unknown_key(key, known, where=where)
    for name, spec in known.items():
        if name not in data and spec.default is MISSING:
            raise ConfigError(f"missing {where} {name!r}", key=name)
    values = {key: _value(value, str(known[key].type), f"{where} {key!r}", key) for key, value in data.items()}
    try:
        return kind(**values)  # type: ignore[arg-type]  # the constructor checks its closed choices
    except ValueError as error:
        raise ConfigError(f"{where} {error}", key=str(data["name"])) from None


_SCALARS: dict[str, type] = {"int": int, "bool": bool}


def _value(value: Json, annotation: str, where: str, key: str) -> object:
    if annotation.startswith("tuple"):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
            raise ConfigError(f"{where} takes a list of strings, got {value!r:.40}", key=key)
        return tuple(items)
    wanted = _SCALARS.get(annotation, str)
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise ConfigError(f"{where} takes a value of type {wanted.__name__}, got {value!r:.40}", key=key)
    return value
