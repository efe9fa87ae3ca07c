"""`gate config show|lint`: what is in force and where each value comes from; is a file right? (spec 70)

show: exit 0, 2 when the file is wrong. lint: exit 0 all files are right, 1 one is not, 2 one cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from gate_core.cli.config_page import page
from gate_core.cli.configs import ConfigFile, Key, keys, read_config
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json

_ABOUT = """\
The configuration: every key with its value, where the value comes from, and what it means.

A FILE is a gate.toml, or a pyproject.toml with a table [tool.gate]. Without one, the defaults are shown. Nothing is
read that is not named."""

_EXITS = "exit status: 0 right · 1 lint found something wrong · 2 a file cannot be read, or show cannot use it"


def run(argv: Sequence[str]) -> int:
    """Run the command."""
    options = _options(argv)
    if options.check:
        return _lint([options.check], options)
    return _COMMANDS[options.command](options.files, options)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gate config",
        description=_ABOUT,
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="gate config [show [FILE] | lint FILE...] [--json | --markdown]",
    )
    parser.add_argument("command", nargs="?", choices=[*_COMMANDS], default="show", metavar="show|lint")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--check", metavar="FILE", help="the same as lint FILE")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object: key -> value, default, from, kind, says")
    form.add_argument("--markdown", action="store_true", help="the page docs/configuration.md")
    options = parser.parse_intermixed_args(argv)
    if options.command == "show" and len(options.files) > 1:
        parser.error("show takes one FILE")
    if options.command == "lint" and not options.files:
        parser.error("lint takes a FILE")
    return options


def _show(files: Sequence[str], options: argparse.Namespace) -> int:
    if options.markdown:
        print(page(), end="")
        return 0
    try:
        file = read_config(files[0]) if files else None
        config = file.config() if file else GateConfig()
    except ConfigError as error:
        print(f"gate config: {error}", file=sys.stderr)
        return 2
    rows = {key.name: _row(key, config, file) for key in keys() if not key.python_only}
    if options.json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return 0
    for name, row in rows.items():
        if isinstance(row["value"], dict) and row["value"]:
            print(f"{name:18} [{row['from']}]")
            for inner, value in row["value"].items():
                print(f"  {inner:16} {json.dumps(value, ensure_ascii=False)}")
        else:
            print(f"{name:18} {json.dumps(row['value'], ensure_ascii=False)}  [{row['from']}]")
    return 0


def _row(key: Key, config: GateConfig, file: ConfigFile | None) -> dict[str, Json]:
    value = config.to_dict()[key.name]
    return {
        "value": value,
        "default": key.default,
        "from": _origin(key.name, value, config, file),
        "kind": key.kind,
        "says": key.says,
    }


def _origin(name: str, value: Json, config: GateConfig, file: ConfigFile | None) -> str:
    """Where a value comes from: the file, another key that decides it, or nobody."""
    layers = [name, *config.layers, "state_writes"]
    set_here = [key for key in (layers if name == "layers" else [name]) if file is not None and key in file.data]
    if file is not None and set_here:
        return file.at(str(set_here[0]))
    if value == GateConfig().to_dict()[name]:
        return "default"
    return "policy" if name == "settle" or (name == "layers" and config.strict) else "model_class"


def _lint(files: Sequence[str], options: argparse.Namespace) -> int:
    worst = 0
    for path in files:
        try:
            problems = [str(error) for error in read_config(path).problems()]
            worst = max(worst, int(bool(problems)))
        except ConfigError as error:
            problems, worst = [str(error)], 2
        if options.json:
            told: list[Json] = list(problems)
            print(json.dumps({"file": path, "problems": told}, ensure_ascii=False))
            continue
        print("\n".join(problems) or f"{path}: right")
    return worst


_COMMANDS: dict[str, Callable[[Sequence[str], argparse.Namespace], int]] = {"show": _show, "lint": _lint}
