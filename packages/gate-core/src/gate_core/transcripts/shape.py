"""Whether a value fits a JSON Schema, quickly: the schema made into plain functions once.

It knows the words that the transcript's schema uses, and doubts whatever it does not: False means "ask the validator",
which also says what is wrong. Validating every object with the library takes longer than playing it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Fits = Callable[[Any], bool]

_TYPES: dict[str, Fits] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def quick_check(schema: Mapping[str, Any]) -> Fits:
    """A function that is True only for values the schema allows."""
    shared: dict[str, Fits] = {}
    for name in schema.get("$defs", {}):
        shared[f"#/$defs/{name}"] = _later(shared, f"#/$defs/{name}")
    for name, part in schema.get("$defs", {}).items():
        shared[f"#/$defs/{name}"] = _made(part, shared)
    return _made(schema, shared)


def _later(shared: dict[str, Fits], name: str) -> Fits:
    """A definition that may be used before it is made."""
    return lambda value: shared[name](value)  # noqa: PLW0108 - it is made after its first use


def _made(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    if any(word not in _WORDS and word not in _SILENT for word in schema):
        return lambda value: False
    tests = [make(schema, shared) for make in dict.fromkeys(_WORDS[word] for word in schema if word in _WORDS)]
    if len(tests) == 1:
        return tests[0]
    return lambda value: all(test(value) for test in tests)


def _of_type(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    kinds = schema["type"]
    tests = [_TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _members(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    known = {name: _made(part, shared) for name, part in schema.get("properties", {}).items()}
    rest = schema.get("additionalProperties", True)
    other: Fits = (lambda value: rest) if isinstance(rest, bool) else _made(rest, shared)

    def test(value: Any) -> bool:
        return not isinstance(value, dict) or all(known.get(name, other)(item) for name, item in value.items())

    return test


def _items(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    one = _made(schema["items"], shared)
    return lambda value: not isinstance(value, list) or all(map(one, value))


def _required(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    names = tuple(schema["required"])
    return lambda value: not isinstance(value, dict) or all(name in value for name in names)


def _allowed(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    values = tuple(schema["enum"]) if "enum" in schema else (schema["const"],)
    return lambda value: isinstance(value, str) and value in values


def _reference(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    return _later(shared, schema["$ref"])


def _any_of(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    tests = [_made(part, shared) for part in schema["anyOf"]]
    return lambda value: any(test(value) for test in tests)


def _all_of(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    tests = [_made(part, shared) for part in schema["allOf"]]
    return lambda value: all(test(value) for test in tests)


def _branch(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    """Exact only for the conditions in use: an event is of the one type, or it is not."""
    condition, then = _made(schema["if"], shared), _made(schema["then"], shared)
    return lambda value: not condition(value) or then(value)


def _longer(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    least = schema["minLength"]
    return lambda value: not isinstance(value, str) or len(value) >= least


def _above(schema: Mapping[str, Any], shared: dict[str, Fits]) -> Fits:
    least = schema["minimum"]
    return lambda value: not isinstance(value, int) or value >= least


_WORDS: dict[str, Callable[[Mapping[str, Any], dict[str, Fits]], Fits]] = {
    "type": _of_type,
    "properties": _members,
    "additionalProperties": _members,
    "items": _items,
    "required": _required,
    "enum": _allowed,
    "const": _allowed,
    "$ref": _reference,
    "anyOf": _any_of,
    "allOf": _all_of,
    "if": _branch,
    "minLength": _longer,
    "minimum": _above,
}
_SILENT = ("$schema", "$id", "$defs", "title", "description", "then")
