"""Errors: the user's mistakes and the caller's bugs. A rejection is a verdict, never an exception."""

from __future__ import annotations

from collections.abc import Iterable


class GateUserError(Exception):
    """Something the user wrote is wrong; the message says what was expected and what came."""


class ConfigError(GateUserError):
    """A configuration key or value is wrong. `key` names it; `nearest` is the closest valid name, or None."""

    def __init__(self, message: str, *, key: str = "", nearest: str | None = None) -> None:
        super().__init__(message)
        self.key = key
        self.nearest = nearest

    @classmethod
    def unknown_key(cls, key: str, known: Iterable[str], *, where: str) -> ConfigError:
        """The error for a key that does not exist, with the nearest one that does."""
        nearest, hint = _nearest(key, known)
        return cls(f"unknown {where} {key!r}{hint}", key=key, nearest=nearest)

    @classmethod
    def unknown_value(cls, key: str, value: str, known: Iterable[str]) -> ConfigError:
        """The error for a value outside the choices of a key."""
        choices = list(known)
        nearest, hint = _nearest(value, choices)
        return cls(f"{key} must be one of {', '.join(choices)}, got {value!r}{hint}", key=key, nearest=nearest)


def _nearest(word: str, known: Iterable[str]) -> tuple[str | None, str]:
    import difflib  # only a mistake needs it

    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return (close[0], f"; did you mean {close[0]!r}?") if close else (None, "")


class TranscriptError(GateUserError):
    """A transcript does not follow its schema. `line` counts from 1; `pointer` is a JSON pointer."""

    def __init__(self, message: str, *, file: str, line: int, pointer: str) -> None:
        super().__init__(f"{file}:{line}: {pointer or '/'}: {message}")
        self.file = file
        self.line = line
        self.pointer = pointer
        self.expected = message


class StateError(GateUserError):
    """A persisted state cannot be read back."""


class AuditFailure(GateUserError):  # noqa: N818 - the name the product's words give it
    """A decision could not be recorded and `audit_on_error` is "raise", so nobody may act on it (spec 40, "Audit log").

    One of the three exceptions that leave an adapter (spec 50). The cause says why: most often an `AuditError`.
    """


class GateUsageError(Exception):
    """The calling code broke the contract of a function: a bug there, not in the data."""
