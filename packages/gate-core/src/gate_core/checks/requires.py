"""Required signals: no completion without them (spec 10, `completion`; spec 20, `requires`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gate_core.checks.finding import finding
from gate_core.checks.remedies import remedy_of
from gate_core.footprint.rules import builtin_rules
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.errors import ConfigError
from gate_core.model.kinds import Claim, SignalState
from gate_core.model.reading import Reading
from gate_core.model.verdict import Finding

_CLOSE = 0.85  # share of common letters from which a name is taken for a slip
_SHORTEST = 4  # letters of a beginning that is taken for a slip


def check_names(config: GateConfig) -> None:
    """Refuse a required signal that no rule raises and that is nearly one that a rule raises (spec 20, "Signals").

    Any other name without a rule is one that host code raises. A host's own name that looks like a slip is declared
    by a rule with its name alone.

    Raises:
        ConfigError: the first such name, with the one that was probably meant.
    """
    if not config.requires:
        return
    known = dict.fromkeys(rule.name for rule in (*builtin_rules(), *config.signals))
    for name in config.requires:
        meant = None if name in known else _meant(name, known)
        if meant is not None:
            raise ConfigError(
                f"requires: no rule raises {name!r}; did you mean {meant!r}? A signal of your own that looks so is "
                f"declared by its name: signals = [{{ name = {name!r} }}]",
                key="requires",
                nearest=meant,
            )


def _meant(name: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches  # only a name without a rule needs it

    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    for other in known:
        if f"_{other}_" in f"_{plain}_" and plain != other:  # a kind of its own: "e2e_tests_passed"
            return None
    begun = [other for other in known if len(plain) >= _SHORTEST and other.startswith(plain)]
    return next(iter([*begun, *get_close_matches(plain, list(known), n=1, cutoff=_CLOSE)]), None)


def check_requires(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """Each required signal must have passed, last, and be current."""
    if reading.claim is not Claim.COMPLETION:
        return
    for name in config.requires:
        yield from check_signal(name, ledger)


_CODES = {
    SignalState.FAILED: Code.SIGNAL_CONTRADICTED,
    SignalState.EMPTY: Code.SIGNAL_EMPTY,
    SignalState.MASKED: Code.SIGNAL_INCONCLUSIVE,
    SignalState.UNCLEAR: Code.SIGNAL_INCONCLUSIVE,
}


def check_signal(name: str, ledger: Ledger) -> Iterator[Finding]:
    """What keeps a signal from being current and passed; nothing when it is."""
    raised = ledger.signals.get(name)
    if raised is None:
        yield finding(Code.SIGNAL_MISSING, name, fix=remedy_of(name))
    elif raised.event.state is not SignalState.PASSED:
        fix = remedy_of(name) if raised.event.state is not SignalState.FAILED else None
        yield finding(_CODES[raised.event.state], name, evidence=(raised.fact,), fix=fix)
    elif not raised.current:
        yield finding(Code.SIGNAL_STALE, name, evidence=(raised.fact,), fix=remedy_of(name))
