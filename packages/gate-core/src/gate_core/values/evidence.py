"""What may support a value: texts of executed calls, what users supplied, what the agent wrote itself (spec 30)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from gate_core.footprint.body import shown
from gate_core.footprint.rules import does, event_names
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES, LOOKS
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, digest
from gate_core.model.kinds import Outcome, Receipt, SignalState
from gate_core.values.index import Index
from gate_core.values.kept import Kept
from gate_core.values.sieve import Asked
from gate_core.values.value import Value
from gate_core.values.vault import unpacked

_SHOWN = frozenset({Outcome.OK, Outcome.EMPTY})
PAST = "past"
"""The role under which a state keeps the values of results that were let go of."""

_KEPT = Kept()
_BUNDLE = 32  # results that are asked together what they cannot hold
_SMALL = 2_000  # characters of arguments that are indexed together with others


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A file that a call showed, all of it or some of its lines."""

    target: str
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The texts of one call. A `whole` result grounds everything it shows, any other nothing its own arguments contain.

    `wrote` marks an ok change, whose arguments the agent authored; `ran` a command, whose paths were used.
    """

    call: str
    fact: str = ""
    turn: int = 0
    digest: str = ""
    result: object = None
    args: JsonObject = field(default_factory=dict)
    whole: bool = True
    wrote: bool = False
    ran: bool = False
    targets: tuple[str, ...] = ()
    looks: tuple[Look, ...] = ()
    gone: bool = False

    @property
    def index(self) -> Index:
        """The index of the result."""
        return _KEPT.index(f"result:{self.digest}", self.result)

    @property
    def own(self) -> Index:
        """The index of the arguments."""
        return _KEPT.index(f"args:{self.digest}", self.args)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """Sources that are asked together what they cannot hold; `alone` are the same, a bundle each."""

    sources: tuple[Source, ...]
    told: str
    alone: tuple[_Bundle, ...] = ()

    def may_hold(self, asked: Asked) -> bool:
        """False when none of the results can show a value."""
        return _KEPT.may_hold(self.told, self._results, asked)

    def _results(self) -> Iterator[tuple[str, object]]:
        return ((source.digest, source.result) for source in self.sources)


def _in_bundles(sources: Sequence[Source]) -> Iterator[_Bundle]:
    whole = len(sources) - len(sources) % _BUNDLE
    alone = [_Bundle((source,), source.digest) for source in sources]
    for at in range(0, whole, _BUNDLE):
        some = tuple(alone[at : at + _BUNDLE])
        digests = [one.told for one in some]
        if all(digests):
            yield _Bundle(tuple(one.sources[0] for one in some), f"bundle:{digest(*digests)}", some)
        else:
            yield from some
    yield from alone[whole:]


@dataclass(slots=True, kw_only=True)
class Evidence:
    """Everything a value may come from. `sources` stand newest turn first; `supplied` and `guessed` are value texts of
    messages, `past` those of results that were let go of, not all of them where it is `past_cut`; `turn` is the current
    one."""

    sources: tuple[Source, ...] = ()
    supplied: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    past_cut: bool = False
    turn: int = 0

    @property
    def key(self) -> tuple[object, ...] | None:
        """What tells this evidence from other evidence, None where a text has no digest. Which lines a look showed
        is told by its digest, which is that of its arguments too."""
        if not all(source.digest for source in self.sources):
            return None
        told = tuple(
            (s.digest, s.call, s.fact, s.turn, s.whole, s.wrote, s.ran, s.gone, s.targets) for s in self.sources
        )
        return (told, self.supplied, self.guessed, self.past, self.past_cut, self.turn)

    _bundles: tuple[_Bundle, ...] | None = None
    _readable: tuple[Source, ...] | None = None
    _arguments: dict[str, tuple[Index, ...]] = field(default_factory=dict)

    def arguments(self, of: str) -> tuple[Index, ...]:
        """The arguments of calls that "wrote", that "ran", or of all "others" that did not write; small ones in one
        index, because there may be thousands."""
        found = self._arguments.get(of)
        if found is None:
            chosen = [source for source in self.readable if _is(source, of)]
            small = [source for source in chosen if _is_small(source.args)]
            key = f"args:{digest(*(source.digest for source in small))}"
            different = {repr(source.args): source.args for source in small}  # a session repeats itself
            one = (_KEPT.index(key, list(different.values())),) if small else ()
            found = (*one, *(source.own for source in chosen if not _is_small(source.args)))
            self._arguments[of] = found
        return found

    @property
    def readable(self) -> tuple[Source, ...]:
        """The sources whose text is there."""
        if self._readable is None:
            self._readable = tuple(source for source in self.sources if not source.gone)
        return self._readable

    @property
    def is_cut(self) -> bool:
        """True when something that was shown is not there any more."""
        return self.past_cut or len(self.readable) < len(self.sources)

    def holding(self, value: Value, stop: Callable[[Source], bool] = lambda source: False) -> Iterator[Source]:
        """The readable sources that may hold a value, newest turn first, until one says stop. What cannot hold it is
        left out at a small part of what a look costs, many short texts at once."""
        asked = Asked(value)
        for bundle in self._bundled():
            if stop(bundle.sources[0]):
                return
            if not bundle.may_hold(asked):
                continue
            if not bundle.alone:
                yield bundle.sources[0]
            for one in bundle.alone:
                if stop(one.sources[0]):
                    return
                if one.may_hold(asked):
                    yield one.sources[0]

    def _bundled(self) -> tuple[_Bundle, ...]:
        """The readable sources in bundles that stay as they are while a conversation grows: those of the turn from its
        first on, the others from the oldest on. What is left over stands alone."""
        if self._bundles is None:
            now = sum(source.turn >= self.turn for source in self.readable)
            cut = now + (len(self.readable) - now) % _BUNDLE
            parts = (self.readable[:now], self.readable[now:cut], self.readable[cut:])
            self._bundles = tuple(bundle for part in parts for bundle in _in_bundles(part))
        return self._bundles

    def supplied_index(self) -> Index:
        """What messages supplied."""
        return self._messages("supplied", self.supplied)

    def guessed_index(self) -> Index:
        """What questions guessed."""
        return self._messages("guessed", self.guessed)

    def past_index(self) -> Index:
        """What results showed that are let go of."""
        return self._messages("past", self.past)

    def _messages(self, name: str, texts: tuple[str, ...]) -> Index:
        return _KEPT.index(f"{name}:{digest(*texts)}", "\n".join(texts))

    def targets_index(self) -> Index:
        """The names of what ok calls touched."""
        names = tuple(dict.fromkeys(target for source in self.sources for target in source.targets))
        return _KEPT.index(f"targets:{digest(*names)}", "\n".join(names))


def _is(source: Source, of: str) -> bool:
    return source.ran if of == "ran" else source.wrote is (of == "wrote")


def _is_small(args: JsonObject) -> bool:
    """True for arguments that are a few short words and numbers."""
    if not all(isinstance(value, str | int | float | None) for value in args.values()):
        return False
    return sum(len(value) for value in args.values() if isinstance(value, str)) <= _SMALL


def of_ledger(ledger: Ledger) -> Evidence:
    """The evidence of a conversation: texts come from the ledger, one by one and only while they are there."""
    facts = [fact for fact in ledger.facts if fact.executed]
    sources = tuple(_source(ledger, fact) for fact in sorted(facts, key=lambda f: (-f.turn, f.step, f.key)))
    values = [value for said in ledger.state.said if said.role != PAST for value in said.values]
    past, cut = unpacked(v for said in ledger.state.said if said.role == PAST for v in said.values)
    return Evidence(
        sources=sources,
        supplied=tuple(dict.fromkeys(value for value in values if not value.startswith("?"))),
        guessed=tuple(dict.fromkeys(value[1:] for value in values if value.startswith("?"))),
        past=past,
        past_cut=cut,
        turn=ledger.turn,
    )


def _source(ledger: Ledger, fact: Fact) -> Source:
    try:
        found = ledger.text(fact)
    except (RecursionError, ValueError, TypeError):  # a payload nobody can read is no evidence
        found = None
    did = {effect.did for effect in fact.effects}
    ok = fact.outcome in _SHOWN
    state = any(effect.receipt is Receipt.STATE for effect in fact.effects)
    repeats = any(does("repeat", head) for head in fact.ran)
    return Source(
        call=fact.call or fact.tool,
        fact=fact.key,
        turn=fact.turn,
        digest=fact.digest or fact.key,
        result=found[1] if found else None,
        args=found[0] if found else {},
        whole=ok and (state or (bool(did & LOOKS) and not did & CHANGES)) and not repeats,
        wrote=ok and bool(did & CHANGES),
        ran=bool(fact.ran) and (ok or _answered_no(fact)),
        targets=tuple(effect.target for effect in fact.effects) if ok else (),
        looks=tuple(Look(target=e.target, lines=e.lines) for e in fact.effects if ok and e.did in LOOKS),
        gone=found is None,
    )


def _answered_no(fact: Fact) -> bool:
    """True for a run of a check that found fault: it ran over what it was handed, and "no" is its answer."""
    names = event_names()
    return any(signal.state is SignalState.FAILED and signal.name not in names for signal in fact.signals)


def of_results(results: Iterable[object] | Mapping[str, object], supplied: Iterable[str] = ()) -> Evidence:
    """Evidence that is given by hand: results by name, or in order."""
    named: Iterator[tuple[str, object]]
    named = iter(results.items()) if isinstance(results, Mapping) else ((str(n), r) for n, r in enumerate(results, 1))
    sources = tuple(
        Source(call=name, digest=_digest(result), result=shown(cast("Json", result))) for name, result in named
    )
    return Evidence(sources=sources, supplied=tuple(supplied))


def _digest(result: object) -> str:
    try:
        return digest(result if isinstance(result, str | bytes) else repr(result))
    except (RecursionError, ValueError):  # too deep, or a number too long to be written: not kept
        return ""
