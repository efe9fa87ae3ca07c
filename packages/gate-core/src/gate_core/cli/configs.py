"""A configuration out of a TOML file, for every command that takes one; what each key means."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from gate_core.checks.requires import check_names
from gate_core.data import load_table
from gate_core.model.config import GateConfig, parse_config
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json
from gate_core.values.shapes import exempt_pattern, shapes_of

PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """A TOML file that was read: its text, and the table of the gate in it."""

    path: str
    text: str
    data: Mapping[str, Json]

    def at(self, key: str) -> str:
        """Where a key is set, as "file:line"; the file alone when no line begins with it."""
        line = line_of(self.text, key)
        return f"{self.path}:{line}" if line else self.path

    def config(self) -> GateConfig:
        """The configuration.

        Raises:
            ConfigError: the first thing that is wrong, beginning with file and line.
        """
        return self._checked(self.data)

    def problems(self) -> Iterator[ConfigError]:
        """Everything that is wrong: key by key, then what keys say together."""
        found = False
        for key, value in self.data.items():
            try:
                self._checked({key: value})
            except ConfigError as error:
                if key not in _BESIDE:
                    found = True
                    yield error
        if not found:
            try:
                self.config()
            except ConfigError as error:
                yield error

    def _checked(self, data: Mapping[str, Json]) -> GateConfig:
        try:
            config = parse_config(data)
            check_names(config)
            shapes_of(config.shapes)
            exempt_pattern(config.exempt)
        except ConfigError as error:
            where = self.at(error.key)
            raise ConfigError(f"{where}: {error}", key=error.key, nearest=error.nearest) from None
        return config


_BESIDE = ("cap", "refill", "requires")
"""Keys that are right or wrong only beside others."""


def load_config(path: str) -> GateConfig:
    """The configuration in a TOML file: the whole of it, or `[tool.gate]` of a pyproject.toml.

    Raises:
        ConfigError: the file cannot be read, or says something wrong; the message begins with file and line.
    """
    return read_config(path).config()


def read_config(path: str) -> ConfigFile:
    """A TOML file, not looked into yet.

    Raises:
        ConfigError: the file cannot be read, or is no TOML, or has no table of the gate.
    """
    try:
        text = Path(path).read_text("utf-8")
        data: Any = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: cannot be read: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    if Path(path).name == PYPROJECT:
        tool = data.get("tool", {})
        data = tool.get("gate") if isinstance(tool, dict) else None
        if not isinstance(data, dict):
            raise ConfigError(f"{path}: no table [tool.gate] in it")
    return ConfigFile(path=path, text=text, data=data)


def line_of(text: str, key: str) -> int:
    """The line that sets a key or opens its table, else the first that has its name; 0 for none."""
    name = re.escape(key.rpartition(".")[2])
    if not name:
        return 0
    lines = text.splitlines()
    for pattern in (rf'\s*\[*\s*(?:[\w.-]+\.)?"?{name}"?\s*[\].=]', rf'[^#]*(?<!\w)"?{name}"?\s*='):
        for number, line in enumerate(lines, 1):
            if re.match(pattern, line):
                return number
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What is to be said of a key. `example` is TOML; keys that only Python has are shown in `python`."""

    name: str
    kind: str
    says: str
    example: str
    python: str
    default: Json

    @property
    def python_only(self) -> bool:
        """True for a key that no file can set."""
        return bool(self.python)


def keys() -> tuple[Key, ...]:
    """Every key of the configuration, in the order in which a reader wants them."""
    table: Mapping[str, Any] = load_table("cli", "configuration.toml")
    defaults: Mapping[str, Json] = GateConfig().to_dict()
    given = {spec.name: spec.default for spec in fields(GateConfig)}
    return tuple(
        Key(
            name=name,
            kind=row["kind"],
            says=row["says"],
            example=row.get("example", "").strip(),
            python=row.get("python", ""),
            default=None if given[name] is None else defaults.get(name, {}),
        )
        for name, row in table.items()
    )
