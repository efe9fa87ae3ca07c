"""The effects of an executed call: one small function per class of tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gate_core.footprint.lines import changed_lines, reported_empty, shown_lines
from gate_core.footprint.search import shown_places
from gate_core.footprint.targets import FILES, last_name, path_target, same_target, source_of, targets_of
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome, Receipt, ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.origin import BUILTIN, origin_of

_SELECT = re.compile(r"\s*(?:select|with|show|describe|explain|pragma)\b", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w./~+@-])[\w./~+@-]{0,200}[\w+-]\.[A-Za-z]\w{0,7}(?![\w.])")
_MENTIONS = 20  # paths taken out of one command
_COMMAND = 20_000  # characters of a command that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A call with all that is known before its effects are: the profile, how it was found, the outcome."""

    profile: ToolProfile
    source: str
    call: ToolCall
    outcome: Outcome
    config: GateConfig

    @property
    def targets(self) -> tuple[tuple[str, str], ...]:
        """The (target, domain) pairs the call names."""
        return targets_of(self.profile, self.call, self.config)

    @property
    def has_output(self) -> bool:
        """True when the result has any text."""
        return bool(text_of(self.call.result).strip())


def effects_of(seen: Seen) -> list[Effect]:
    """What the call did, by the class of its tool."""
    return list(_BY_EFFECT[seen.profile.effect](seen))


def _read(seen: Seen) -> Iterator[Effect]:
    if seen.profile.search and seen.outcome is Outcome.OK and not _names_only(seen):
        yield from _found(seen)
        return
    for target, domain in seen.targets:
        if seen.outcome is Outcome.NOT_FOUND:
            yield Effect(did=Did.ABSENT, target=target, domain=domain)
        elif seen.outcome is Outcome.OK and not _names_only(seen):
            yield Effect(did=Did.SHOWED, target=target, domain=domain, lines=shown_lines(seen.profile, seen.call))
        elif seen.outcome is Outcome.OK or (seen.outcome is Outcome.EMPTY and _answers_by_silence(seen, domain)):
            yield Effect(did=Did.LISTED, target=target, domain=domain)
        elif seen.outcome is Outcome.EMPTY and reported_empty(seen.call):
            yield Effect(did=Did.SHOWED, target=target, domain=domain)


def _found(seen: Seen) -> Iterator[Effect]:
    """A content search shows the lines it prints: of the files its output names, else of the one it was asked about.
    The place it searched is listed."""
    own = seen.targets[0]
    places = shown_places(text_of(seen.call.result), one_file="." in last_name(own[0]))
    for path, runs in places.items():
        at = _beside(path, own[0], seen) if path else own[0]
        yield from (Effect(did=Did.SHOWED, target=at, domain=own[1], lines=run) for run in runs)
    if "" not in places:
        yield from (Effect(did=Did.LISTED, target=target, domain=domain) for target, domain in seen.targets)


def _beside(path: str, asked: str, seen: Seen) -> str:
    """A path of the output: relative to the working directory, unless the searched file is meant."""
    found = path_target(path, cwd=seen.call.cwd, config=seen.config)
    return asked if same_target(found, asked) else found


def _names_only(seen: Seen) -> bool:
    search = seen.profile.search
    return bool(search) and seen.call.args.get("output_mode", search) != "content"


def _answers_by_silence(seen: Seen, domain: str) -> bool:
    """Nothing found is an answer of a search or a look-up, not of a reader of files."""
    return bool(seen.profile.search) or domain != FILES


def _list(seen: Seen) -> Iterator[Effect]:
    did = Did.ABSENT if seen.outcome is Outcome.NOT_FOUND else Did.LISTED
    if seen.outcome in (Outcome.OK, Outcome.EMPTY, Outcome.NOT_FOUND):
        for target, domain in seen.targets:
            yield Effect(did=did, target=target, domain=domain)


def _change(seen: Seen) -> Iterator[Effect]:
    for target, domain in seen.targets:
        if target.startswith("tool:") and seen.source == "verb":
            yield Effect(did=Did.OPAQUE, target=target, domain=domain)
            continue
        receipt = receipt_of(seen, target)
        for lines in changed_lines(seen.call) or (None,):
            yield Effect(did=Did.CHANGED, target=target, domain=domain, lines=lines, receipt=receipt)


def receipt_of(seen: Seen, target: str) -> Receipt:
    """What the result proves about the change: as declared, or a read-back recognised by its shape (spec 10, `state`).

    The shape counts only for tools without a catalog entry that act on no local file: an object that holds the
    target's id and a field the arguments did not contain.
    """
    if seen.profile.receipt is not Receipt.NONE or seen.source == "catalog" or seen.outcome is not Outcome.OK:
        return seen.profile.receipt
    kind, _, ident = target.partition(":")
    result = seen.call.result
    if not ident or kind in ("tool", FILES) or not isinstance(result, Mapping):
        return Receipt.NONE
    held = {str(value) for value in result.values() if isinstance(value, str | int)}
    news = set(result) - set(seen.call.args) - {"ok", "success", "status", "message"}
    return Receipt.STATE if ident in held and news else Receipt.NONE


def _delete(seen: Seen) -> Iterator[Effect]:
    did = Did.ABSENT if seen.outcome is Outcome.NOT_FOUND else Did.DELETED
    for target, domain in seen.targets:
        yield Effect(did=did, target=target, domain=domain, receipt=seen.profile.receipt)


def _move(seen: Seen) -> Iterator[Effect]:
    for target, domain in source_of(seen.profile, seen.call, seen.config):
        yield Effect(did=Did.DELETED, target=target, domain=domain)
    for target, domain in seen.targets:
        yield Effect(did=Did.CHANGED, target=target, domain=domain, receipt=seen.profile.receipt)


def _exec(seen: Seen) -> Iterator[Effect]:
    own = f"tool:{seen.call.tool}"
    yield Effect(did=Did.OPAQUE, target=own, domain=seen.profile.domain or _world(seen.call))
    if seen.has_output:
        yield Effect(did=Did.SHOWED, target=own, domain=own)


def _world(call: ToolCall) -> str:
    """Where code runs that nobody analysed: on the local files, or on its MCP server."""
    origin = origin_of(call)
    return FILES if origin == BUILTIN else origin


def _shell(seen: Seen) -> Iterator[Effect]:
    """One opaque change and a look at its own output. Paths in the command count as listed, never as read."""
    yield from _exec(seen)
    if seen.outcome is Outcome.OK and seen.has_output:
        command = seen.call.args.get(seen.profile.command_arg)
        words = _MENTION.findall(command[:_COMMAND]) if isinstance(command, str) else []
        for word in dict.fromkeys(words[:_MENTIONS]):
            yield Effect(did=Did.LISTED, target=path_target(word, cwd=seen.call.cwd, config=seen.config))


def _sql(seen: Seen) -> Iterator[Effect]:
    own = f"tool:{seen.call.tool}"
    query = seen.call.args.get(seen.profile.command_arg)
    if isinstance(query, str) and _SELECT.match(query):
        if seen.outcome in (Outcome.OK, Outcome.EMPTY):
            yield Effect(did=Did.SHOWED, target=own, domain=own)
    else:
        yield Effect(did=Did.OPAQUE, target=own, domain=own)


def _unknown(seen: Seen) -> Iterator[Effect]:
    """Shows what it returned, and may have changed what its arguments name, or else its own domain."""
    named = seen.targets
    for target, domain in named:
        yield Effect(did=Did.OPAQUE, target=target, domain=domain)
    if seen.outcome is Outcome.OK and seen.has_output:
        for target, domain in named:
            yield Effect(did=Did.SHOWED, target=target, domain=domain)


def _nothing(seen: Seen) -> Iterator[Effect]:
    return iter(())


_BY_EFFECT: dict[ToolEffect, Callable[[Seen], Iterator[Effect]]] = {
    ToolEffect.READ: _read,
    ToolEffect.LIST: _list,
    ToolEffect.CHANGE: _change,
    ToolEffect.DELETE: _delete,
    ToolEffect.MOVE: _move,
    ToolEffect.SHELL: _shell,
    ToolEffect.SQL: _sql,
    ToolEffect.EXEC: _exec,
    ToolEffect.DELEGATE: _nothing,
    ToolEffect.NEUTRAL: _nothing,
    ToolEffect.UNKNOWN: _unknown,
}
