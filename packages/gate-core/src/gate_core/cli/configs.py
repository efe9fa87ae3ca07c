"""A configuration out of a TOML file, for every command that takes one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from gate_core.model.config import GateConfig, parse_config
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json


def load_config(path: str) -> GateConfig:
    """The configuration in a TOML file: the whole of it, or `[tool.gate]` of a pyproject.toml.

    Raises:
        ConfigError: the file cannot be read, or says something wrong; the message begins with file and line.
    """
    text, data = _table(path)
    try:
        return parse_config(data)
    except ConfigError as error:
        line = line_of(text, error.key)
        at = f"{path}:{line}" if line else path
        raise ConfigError(f"{at}: {error}", key=error.key, nearest=error.nearest) from None


def _table(path: str) -> tuple[str, Mapping[str, Json]]:
    try:
        text = Path(path).read_text("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: cannot be read: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    if Path(path).name != "pyproject.toml":
        return text, data
    tool = data.get("tool", {})
    found = tool.get("gate") if isinstance(tool, dict) else None
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: no table [tool.gate] in it")
    return text, found


def line_of(text: str, key: str) -> int:
    """The line on which a key is set, 0 when no line begins with it. Keys of inline tables have the line of theirs."""
    last = key.rpartition(".")[2]
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip().lstrip("[").strip()
        if last and (bare.startswith((last, f'"{last}"')) or f".{last}" in bare.partition("=")[0]):
            return number
    for number, line in enumerate(text.splitlines(), 1):
        if last and last in line.partition("#")[0]:
            return number
    return 0
