"""docs/configuration.md, out of what the configuration itself says. A test compares the page with this."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields

from gate_core.cli.configs import Key, keys
from gate_core.footprint.rules import builtin_rules
from gate_core.model.late import late
from gate_core.model.profile import SignalRule, ToolProfile

_HEAD = """\
# Configuration

<!-- Written by `gate config --markdown`; change packages/gate-core/src/gate_core/cli/configuration.toml instead. -->

In Python: `GateConfig(posture="rails", requires=("tests_passed",))`, given to `Gate(config)` or to an adapter as
`config=`. In a file: TOML, the whole of a `gate.toml` or the table `[tool.gate]` of a `pyproject.toml`, for the
commands that take `--config FILE`. In a transcript: JSON under `gate` ([transcripts.md](transcripts.md)).

Unknown keys and wrong values are errors that name the nearest key. `gate config lint FILE` tells all of them with their
lines, and `gate config show FILE` prints what is in force and where each value comes from.

`verifier`, `on_verdict`, `mark_text` and `state_dir` are arguments of `Gate` or of an adapter and no configuration.
"""


def page() -> str:
    """The page as Markdown."""
    return "\n".join(_parts())


def _parts() -> Iterator[str]:
    yield _HEAD
    yield "| key | default | takes |\n| --- | --- | --- |"
    for key in keys():
        yield f"| [`{key.name}`](#{key.name}) | {_default(key)} | {_cell(key.kind)} |"
    for key in keys():
        yield f"\n## {key.name}\n\n{key.says}\n\nTakes {key.kind}. Default: {_default(key)}."
        if key.python_only:
            yield f"Python only.\n\n```python\nGateConfig({key.python})\n```"
        else:
            yield f"\n```toml\n{key.example}\n```"
    yield "\n## Keys of a profile\n\n`[profiles.NAME]`: how calls of the tool NAME become effects and an outcome.\n"
    yield from _table(ToolProfile)
    yield "\n## Keys of a signal\n\n`[[signals]]`: how runs of some programs raise a named signal.\n"
    yield from _table(SignalRule)
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(rule.name for rule in builtin_rules()))
    yield f"\nThe built-in rules raise {names}.\n"


def _default(key: Key) -> str:
    if key.name in ("cap", "refill", "settle"):
        return "follows `policy`" if key.name == "settle" else "follows `model_class`"
    if key.python_only:
        return "none"
    return "none" if key.default is None else f"`{json.dumps(key.default, ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _table(kind: type[ToolProfile | SignalRule]) -> Iterator[str]:
    told = _attributes(kind.__doc__ or "")
    yield "| key | default | says |\n| --- | --- | --- |"
    for spec in fields(kind):
        if spec.name == "name" and kind is ToolProfile:
            continue
        default = "required" if spec.default is MISSING else f"`{json.dumps(spec.default)}`"
        yield f"| `{spec.name}` | {default} | {_cell(told.get(spec.name, _MORE.get(spec.name, '')))} |"


_SPEC = late(r" \(spec \d+\)")
_MORE = {
    "ignores": "targets whose changes do not drop it.",
    "effect": "read, list, change, delete, move, shell, sql, exec, delegate, neutral or unknown.",
    "origin": 'where the tool comes from ("builtin", "mcp:<server>"); "" for any.',
}


def _attributes(doc: str) -> dict[str, str]:
    """Name -> sentence, out of the `Attributes:` of a docstring; `a, b: text` says it of both."""
    _, _, listed = doc.partition("Attributes:")
    found: dict[str, str] = {}
    for names, text in re.findall(r"^ {8}([a-z_, ]+): (.+(?:\n {12}.+)*)", listed, re.MULTILINE):
        for name in names.split(", "):
            found[name] = _SPEC.sub("", " ".join(text.split()))
    return found
