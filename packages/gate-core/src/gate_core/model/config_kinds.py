"""What kind of value each key of the configuration takes; a wrong one is named before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from gate_core.model.errors import ConfigError
from gate_core.model.profile import SignalRule, ToolProfile


def check_kinds(config: object) -> None:
    """Look at every key that is no list of names and no closed choice.

    Raises:
        ConfigError: the first key whose value is of another kind.
    """
    for key, (what, fits) in _KINDS.items():
        value = getattr(config, key)
        if not fits(value):
            raise ConfigError(f"{key} takes {what}, got {value!r:.60}", key=key)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return _whole(value) or isinstance(value, float)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _word(value: object) -> bool:
    return isinstance(value, str)


def _table(value: object) -> bool:
    return isinstance(value, Mapping)


def _or_nothing(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or fits(value)


def _list(value: object) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | Mapping)


def _signals(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(item, SignalRule) for item in value)


def _tables(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(item, Mapping) for item in value)


def _profiles(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(item, ToolProfile) for item in value.values())


def _log(value: object) -> bool:
    return value is None or _word(value) or _flag(value)


_KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "layers": ("a table of layers", _table),
    "settle": ("a list of ways to settle", _or_nothing(_list)),
    "model_class": ("the name of a class", _word),
    "cap": ("a whole number", _or_nothing(_whole)),
    "refill": ("a whole number", _or_nothing(_whole)),
    "signals": ("a list of signal rules", _signals),
    "profiles": ("a table of profiles by tool name", _profiles),
    "shapes": ("a list of tables", _tables),
    "min_digits": ("a whole number", _whole),
    "names": ("true or false", _flag),
    "bare_counts": ("true or false", _flag),
    "marker": ("a word", _word),
    "max_blocks": ("a whole number", _whole),
    "home": ("a path", _word),
    "case_insensitive": ("true or false", _flag),
    "strict_shell": ("true or false", _flag),
    "verify_threshold": ("a number from 0 to 1", _number),
    "audit": ("a path, true or false", _log),
    "audit_on_error": ("'raise' or 'degrade'", _word),
    "audit_content": ("true or false", _flag),
    "normalizers": ("a table of functions by tool name", _table),
    "extractors": ("a table of functions by tool name", _table),
    "redact": ("a function", _or_nothing(callable)),
}
