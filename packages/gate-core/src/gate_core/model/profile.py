"""Declarative knowledge of one tool, and of one signal (spec 05, spec 10 "Profiles and effects")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import TypeVar

from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.model.kinds import Receipt, ToolEffect
from gate_core.model.late import late

PLACEHOLDER = late(r"\{([\w.-]+)\}")
"""What stands for an argument in a template."""

_CHOICES: dict[str, type[StrEnum]] = {"effect": ToolEffect, "receipt": Receipt}

_FOUND = (Receipt.RUN.value, Receipt.NOD.value)
"""Receipts that are found in what a call did; no profile declares them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProfile:
    """How the arguments and the result of one tool become effects and an outcome.

    Attributes:
        needs: arguments that must be present ("type") or have a value ("type=delete_file") for an entry to apply;
            frameworks share names.
        targets: templates over the arguments: "{path}", "reservation:{id}", dotted paths, "{paths}" for one target per
            list item, or a constant.
        source: the template of what a move takes away.
        domain: the world the targets live in, a template like `targets`; "" derives it from target and origin.
        command_arg: the argument that holds a command or a query.
        content: the arguments that hold new text; dotted paths reach into lists.
        replaces: the arguments that hold the text it replaces.
        patch: the argument that holds a diff whose lines are marked "+" and "-".
        operations: the argument that holds several changes of files: a list of {type, path, move_to}, or the text of a
            patch with `*** Update File:` headers. It names the targets.
        search: the default `output_mode` of a search tool: with "content" it shows lines, else only names.
        first_line, line_count: the arguments that limit a reader to a window of lines.
        line_base: the number the first line of a file has in `first_line`.
        line_range: the argument that holds [first line, last line]; a last line of -1 is the end.
        parts: arguments with which a reader shows some part of the file and does not say which.
        listing: patterns at the start of the answer of a reader that was given a folder.
        receipt: what the tool's own result proves about its change.
        succeeded, failed: patterns at the start of the text a changing tool answers with.
        nothing: patterns at the start of the text of a tool that says it changed nothing.
        pending: patterns, anywhere in its text, of a tool that says its work still runs.
        exit: a pattern, anywhere in the text, whose group is the exit code of what was run.
        session: a pattern, anywhere in the text, whose group is the id under which what was started runs on.
        continues: the argument that holds such an id: the call brings more of what runs on, or its end.
        head: a pattern at the start of the text, of what the tool itself says before what was printed.
        family, risk, reversible: what admission asks for (spec 40).
        sourced: arguments that must come from somewhere (spec 30).
        stores: arguments that hold what is remembered of the user; dotted paths reach into lists. `store_key` is the
            path of what it is remembered under (spec 40, "State writes").
        authorization: the type of the host's evidence that must allow it ("permission"); a confirmation does too.
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
    operations: str = ""
    search: str = ""
    first_line: str = ""
    line_count: str = ""
    line_base: int = 1
    line_range: str = ""
    parts: tuple[str, ...] = ()
    listing: tuple[str, ...] = ()
    receipt: Receipt = Receipt.NONE
    succeeded: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    exit: str = ""
    session: str = ""
    continues: str = ""
    head: str = ""
    family: str = ""
    risk: str = "low"
    reversible: bool = True
    sourced: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    store_key: str = ""
    authorization: str = ""

    def __post_init__(self) -> None:
        for spec in fields(self):
            self._check_kind(spec.name, str(spec.type))
        if self.risk not in ("low", "medium", "high"):
            raise ConfigError(f"profile {self.name!r}: risk must be low, medium or high, got {self.risk!r}", key="risk")
        for template in (*self.targets, self.source, self.domain):
            self._check_template(template)
        for pattern in (
            *self.succeeded,
            *self.failed,
            *self.nothing,
            *self.pending,
            *self.listing,
            self.exit,
            self.session,
            self.head,
        ):
            self._check_pattern(pattern)

    def _check_kind(self, key: str, annotation: str) -> None:
        """What is of another kind is an error here and not in the middle of a run. A text stands for a list of one."""
        value, where = getattr(self, key), f"profile {self.name!r}: {key}"
        choices = _CHOICES.get(key)
        put = _choice(choices, value, where, key) if choices else _value(value, annotation, where, key)
        object.__setattr__(self, key, put)

    def _check_template(self, template: str) -> None:
        rest = PLACEHOLDER.sub("", template)
        if "{" in rest or "}" in rest:
            wanted = "names of arguments stand in braces, as in 'order:{order_id}'"
            raise ConfigError(f"profile {self.name!r}: {template!r:.60} is no template; {wanted}", key="targets")

    def _check_pattern(self, pattern: str) -> None:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"profile {self.name!r}: pattern {pattern!r:.60}: {error}", key="failed") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalRule:
    """How runs of some programs raise a named signal (spec 20, "Signals").

    Attributes:
        name: the signal.
        programs: the first words of the command, options between them aside ("npm test").
        not_with: options and words with which it is no run ("--collect-only").
        success, failure: patterns of the summary, tried on every line; `success` may be "exit N".
        count: a pattern whose first group is the number of what passed.
        empty: a pattern of a run of nothing.
        cached: a pattern of a part whose result came from a cache; a run of such parts alone is one of nothing.
        ran: a pattern of a part that ran; one of them makes a run of it.
        needs_count: no success without a number above zero.
        operand: without an operand the program only lists ("git tag").
        silent: a run that ends well prints nothing, so its exit status is enough.
        whole: operands that stand for everything (".", "./..."); any other makes the run a part.
        scoped_with: options that make the run a part ("-k").
        scope: a pattern whose first group is what the run was about ("1a2b3c4").
        event: it happened once and is a change of its own ("committed"), whose summary is its receipt.
        domain: the world whose later changes drop it; `ignores` are targets that do not.
        survives_changes: nothing drops it.
    """

    name: str
    programs: tuple[str, ...] = ()
    not_with: tuple[str, ...] = ()
    success: str = ""
    failure: str = ""
    count: str = ""
    empty: str = ""
    cached: str = ""
    ran: str = ""
    needs_count: bool = False
    operand: bool = False
    silent: bool = False
    whole: tuple[str, ...] = ()
    scoped_with: tuple[str, ...] = ()
    scope: str = ""
    event: bool = False
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
    if given.get("receipt") in _FOUND:
        declared = [receipt.value for receipt in Receipt if receipt not in _FOUND]
        raise ConfigError.unknown_value(f"key of profile {name!r}: 'receipt'", str(given["receipt"]), declared)
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


def _choice(kind: type[StrEnum], value: object, where: str, key: str) -> StrEnum:
    try:
        return kind(str(value))
    except ValueError:
        error = ConfigError.unknown_value(where, str(value), [choice.value for choice in kind])
        error.key = key
        raise error from None


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
