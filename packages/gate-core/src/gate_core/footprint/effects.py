"""The effects of an executed call: one small function per class of tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from gate_core.footprint.body import body_of
from gate_core.footprint.diff import shown_hunks
from gate_core.footprint.lines import changed_lines, reported_empty, shown_lines
from gate_core.footprint.named import Raw, place, source_of, targets_of
from gate_core.footprint.outcome import only_tried, says_empty
from gate_core.footprint.patch import operations
from gate_core.footprint.receipt import nods, receipt_of, shown_ids, tells_news
from gate_core.footprint.search import SOMEWHERE, shown_places
from gate_core.footprint.sql import only_looks
from gate_core.footprint.targets import FILES, last_name, lookup, path_target, same_target
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Lines
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome, Receipt, ToolEffect
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.profiles.origin import BUILTIN, origin_of
from gate_core.profiles.verbs import name_words

_MENTION = late(r"(?<![\w./~+@-])[\w./~+@-]{0,200}[\w+-]\.[A-Za-z]\w{0,7}(?![\w.])")
_REFUSED = late(r"^([^\n]{1,1000}?): (?:Error\b|ENOENT|EACCES)[^\n]{0,200}$", re.MULTILINE)
_PATH_LINE = late(r"[^\s:]*[./][^\s:]*")
_MENTIONS = 20  # paths taken out of one command
_COMMAND = 20_000  # characters of a command that are looked at


@dataclass(slots=True, kw_only=True)
class Seen:
    """A call with all that is known before its effects are: the profile, how it was found, the outcome. One is made
    for every call, so it is neither frozen nor are its properties of the cached kind, which take a lock."""

    profile: ToolProfile
    source: str
    call: ToolCall
    outcome: Outcome
    config: GateConfig
    _targets: tuple[tuple[str, str], ...] | None = None

    @property
    def targets(self) -> tuple[tuple[str, str], ...]:
        """The (target, domain) pairs the call names."""
        if self._targets is None:
            self._targets = targets_of(self.profile, self.call, self.config)
        return self._targets

    @property
    def has_output(self) -> bool:
        """True when the result has any text."""
        return bool(text_of(self.call.result).strip())


def effects_of(seen: Seen) -> tuple[Effect, ...]:
    """What the call did, by the class of its tool."""
    found = tuple(_BY_EFFECT[seen.profile.effect](seen))
    if seen.outcome is Outcome.NO_OP and only_tried(seen.call.args) and seen.has_output:
        own = f"tool:{seen.call.tool}"
        return (*found, Effect(did=Did.SHOWED, target=own, domain=own))  # what it would do is what it was asked for
    return found


def _read(seen: Seen) -> Iterator[Effect]:
    if seen.profile.search == _DIFF:
        yield from _differs(seen)
        return
    if seen.profile.search and seen.outcome is Outcome.OK and not _names_only(seen):
        yield from _found(seen)
        return
    targets = seen.targets
    refused = _refused(seen) if len(targets) > 1 else ()
    for target, domain in targets:
        if refused and any(same_target(target, name) for name in refused):
            continue
        effect = _looked(seen, target, domain)
        if effect is not None:
            yield effect


_DIFF = "diff"
"""The `search` of a tool that answers with a diff of the working tree, unless it was asked about two revisions."""


def _differs(seen: Seen) -> Iterator[Effect]:
    """A diff shows the repository, and the lines of its hunks in the files of this machine."""
    if seen.outcome is not Outcome.OK:
        return
    yield from (Effect(did=Did.SHOWED, target=target, domain=domain) for target, domain in seen.targets)
    args = seen.call.args
    if ".." in text_of(args.get("target")):
        return
    folder = path_target(text_of(args.get("repo_path")), cwd=seen.call.cwd, config=seen.config)
    for path, runs in shown_hunks(body_of(seen.call.result).text).items():
        at = path_target(path, cwd=folder, config=seen.config)
        yield from (Effect(did=Did.SHOWED, target=at, lines=run) for run in runs if path)


def _looked(seen: Seen, target: str, domain: str) -> Effect | None:
    """What a reader did to one target, by how it ended."""
    if seen.outcome is Outcome.OK:
        if _names_only(seen) or _is_listing(seen):
            return _look(Did.LISTED, target, domain)
        return _look(Did.SHOWED, target, domain, _window(seen))
    if seen.outcome is Outcome.NOT_FOUND:
        return _look(Did.ABSENT, target, domain)
    if seen.outcome is not Outcome.EMPTY:
        return None
    if domain == FILES and (reported_empty(seen.call) or says_empty(seen.call)):
        return _look(Did.SHOWED, target, domain)
    return _look(Did.LISTED, target, domain) if _answers_by_silence(seen, domain) else None


@lru_cache(4096)
def _look(did: Did, target: str, domain: str, lines: Lines | None = None) -> Effect:
    """A look, as the one object that was made of it before: most calls look where others did."""
    return Effect(did=did, target=target, domain=domain, lines=lines)


def _reads_whole(seen: Seen) -> bool:
    """True when a reader was not asked for a part of the file, so that nothing shown means that nothing is there."""
    profile, args = seen.profile, seen.call.args
    return not any(args.get(name) is not None for name in (profile.first_line, profile.line_count, *profile.parts))


def _refused(seen: Seen) -> list[str]:
    """Of many files, those the reader says it could not read: "a.cfg: Error - no such file"."""
    found = _REFUSED.findall(body_of(seen.call.result).text)
    return [path_target(path, cwd=seen.call.cwd, config=seen.config) for path in found[:_MENTIONS]]


def _window(seen: Seen) -> Lines | None:
    """The lines a reader showed, None for the whole of what it read."""
    profile, args = seen.profile, seen.call.args
    if profile.parts and any(args.get(name) for name in profile.parts):
        return SOMEWHERE
    span = args.get(profile.line_range)
    if span is None or not isinstance(span, list | tuple) or len(span) != 2:
        return shown_lines(profile, seen.call)
    first, last = span
    if not isinstance(first, int) or not isinstance(last, int):
        return SOMEWHERE
    whole = first <= 1 and last < 0
    return None if whole else (max(first, 1), last if last >= first else _END)


_END = 10**9


def _is_listing(seen: Seen) -> bool:
    """True when a reader was given a folder and lists it."""
    return bool(seen.profile.listing) and any(
        re.match(pattern, body_of(seen.call.result).text) for pattern in seen.profile.listing
    )


def _found(seen: Seen) -> Iterator[Effect]:
    """A content search shows the lines it prints: of the files its output names, else of the one it was asked about.
    The place it searched is listed."""
    own = seen.targets[0]
    places = shown_places(body_of(seen.call.result).text, one_file="." in last_name(own[0]))
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
    """True for a search that answers with names and counts, as asked or by default."""
    search = seen.profile.search
    mode = seen.call.args.get("output_mode")
    if mode is None and search == "content":
        lines = body_of(seen.call.result).text.split("\n", _MENTIONS)[:_MENTIONS]
        return all(_PATH_LINE.fullmatch(line.strip()) for line in lines if line.strip())
    return bool(search) and (mode or search) != "content"


def _answers_by_silence(seen: Seen, domain: str) -> bool:
    """Nothing found is an answer of a search or a look-up; of a reader of files, that the file is there."""
    return bool(seen.profile.search) or domain != FILES or (seen.call.result == "" and _reads_whole(seen))


def _list(seen: Seen) -> Iterator[Effect]:
    did = Did.ABSENT if seen.outcome is Outcome.NOT_FOUND else Did.LISTED
    if seen.outcome in (Outcome.OK, Outcome.EMPTY, Outcome.NOT_FOUND):
        for target, domain in seen.targets:
            yield Effect(did=did, target=target, domain=domain)


def _change(seen: Seen) -> Iterator[Effect]:
    if seen.profile.operations:
        yield from _patched(seen)
        return
    made = _made(seen)
    for target, domain in seen.targets:
        if _guessed(seen, target):
            yield Effect(did=Did.OPAQUE, target=target, domain=domain, receipt=_nodded(seen, domain))
            if domain != FILES and seen.outcome is Outcome.OK and tells_news(seen.call):
                yield Effect(did=Did.SHOWED, target=target, domain=target)
            continue
        receipt = _receipt(seen, made[0][0] if made else target, domain)
        for lines in changed_lines(seen.call) or (None,):
            bare = _makes_folder(seen) or _empties(seen)
            yield Effect(did=Did.CHANGED, target=target, domain=domain, lines=lines, receipt=receipt, bare=bare)
    for target, domain in made:
        yield Effect(did=Did.CHANGED, target=target, domain=domain, receipt=_receipt(seen, target, domain))


def _makes_folder(seen: Seen) -> bool:
    """True for a tool that makes a folder: a listing shows all there is to see of it."""
    return not _FOLDERS.isdisjoint(name_words(seen.call.tool)) and not seen.profile.content


def _empties(seen: Seen) -> bool:
    """True for a file that is written with nothing in it: its size is all there is to see."""
    profile, args = seen.profile, seen.call.args
    return bool(profile.content) and not profile.replaces and all(lookup(args, name) == "" for name in profile.content)


_FOLDERS = frozenset({"directory", "folder", "dir", "mkdir"})

_GUESSES = frozenset({"verb", "hint"})
"""Sources that say what a tool does and not to what."""


def _guessed(seen: Seen, target: str) -> bool:
    """True for a change that nothing names: only the verb of the tool's name, or a hint, says that there is one."""
    return target.startswith("tool:") and seen.source in _GUESSES


def _made(seen: Seen) -> tuple[tuple[str, str], ...]:
    """The thing that the receipt of a changing tool shows, where neither profile nor arguments name any."""
    nameless = not seen.profile.targets and all(target.startswith("tool:") for target, _ in seen.targets)
    if not nameless or seen.source in _GUESSES or seen.outcome is not Outcome.OK:
        return ()
    return tuple(place(Raw(ident), seen.profile, seen.call, seen.config) for ident in shown_ids(seen.call))


def _receipt(seen: Seen, target: str, domain: str) -> Receipt:
    return receipt_of(seen.profile, seen.source, seen.call, seen.outcome, target, domain)


def _nodded(seen: Seen, domain: str) -> Receipt:
    """What a tool of its own world says of a change that nothing names."""
    return Receipt.NOD if domain != FILES and seen.outcome is Outcome.OK and nods(seen.call) else Receipt.NONE


def _patched(seen: Seen) -> Iterator[Effect]:
    """What a patch of several operations did to each file."""
    for operation in operations(seen.call.args.get(seen.profile.operations)):
        target, domain = place(Raw(operation.path), seen.profile, seen.call, seen.config)
        if not operation.moved_to:
            yield Effect(did=Did.DELETED if operation.deletes else Did.CHANGED, target=target, domain=domain)
            continue
        goal, world = place(Raw(operation.moved_to), seen.profile, seen.call, seen.config)
        if operation.diff:  # a move, and a new text as well
            yield Effect(did=Did.CHANGED, target=goal, domain=world)
        yield Effect(did=Did.DELETED, target=target, domain=domain)
        yield Effect(did=Did.CHANGED, target=goal, domain=world, bare=True)


def _delete(seen: Seen) -> Iterator[Effect]:
    did = Did.ABSENT if seen.outcome is Outcome.NOT_FOUND else Did.DELETED
    for target, domain in seen.targets:
        if _guessed(seen, target):
            yield Effect(did=Did.OPAQUE, target=target, domain=domain, receipt=_nodded(seen, domain))
        else:
            yield Effect(did=did, target=target, domain=domain, receipt=_receipt(seen, target, domain))


def _move(seen: Seen) -> Iterator[Effect]:
    for target, domain in source_of(seen.profile, seen.call, seen.config):
        yield Effect(did=Did.DELETED, target=target, domain=domain)
    for target, domain in seen.targets:
        did = Did.OPAQUE if _guessed(seen, target) else Did.CHANGED
        yield Effect(did=did, target=target, domain=domain, receipt=seen.profile.receipt, bare=did is Did.CHANGED)


def _exec(seen: Seen) -> Iterator[Effect]:
    own = f"tool:{seen.call.tool}"
    yield Effect(did=Did.OPAQUE, target=own, domain=seen.profile.domain or _world(seen.call))
    if seen.has_output:
        yield Effect(did=Did.SHOWED, target=own, domain=own)
    if seen.outcome is Outcome.OK and seen.has_output and seen.profile.effect is ToolEffect.EXEC:
        yield from _mentioned(seen, " ".join(value for value in seen.call.args.values() if isinstance(value, str)))


def _mentioned(seen: Seen, code: str) -> Iterator[Effect]:
    """The paths in what was run count as listed, never as read."""
    for word in dict.fromkeys(_MENTION.findall(code[:_COMMAND])[:_MENTIONS]):
        yield Effect(did=Did.LISTED, target=path_target(word, cwd=seen.call.cwd, config=seen.config))


def _world(call: ToolCall) -> str:
    """Where code runs that nobody analysed: on the local files, or on its MCP server."""
    origin = origin_of(call)
    return FILES if origin == BUILTIN else origin


def _shell(seen: Seen) -> Iterator[Effect]:
    """One opaque change and a look at its own output. Paths in the command count as listed, never as read."""
    yield from _exec(seen)
    if seen.outcome is Outcome.OK and seen.has_output:
        command = lookup(seen.call.args, seen.profile.command_arg)
        yield from _mentioned(seen, command if isinstance(command, str) else "")


def _sql(seen: Seen) -> Iterator[Effect]:
    own = f"tool:{seen.call.tool}"
    query = seen.call.args.get(seen.profile.command_arg)
    domain = seen.profile.domain or own
    if isinstance(query, str) and only_looks(query):
        if seen.outcome in (Outcome.OK, Outcome.EMPTY):
            yield Effect(did=Did.SHOWED, target=own, domain=domain)
    else:
        yield Effect(did=Did.OPAQUE, target=own, domain=domain)


def _unknown(seen: Seen) -> Iterator[Effect]:
    """Shows what it returned, and may have changed what its arguments name, or else its own domain."""
    named = seen.targets
    if seen.outcome not in (Outcome.FAILED, Outcome.NO_OP) or seen.call.exit_code is not None:
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
