"""The footprint of a shell command: what each of its stages showed and changed (spec 10, "Shell").

Without the extra `[shell]`, or for a command that cannot be read, it is one opaque change and a look at its own output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from gate_core.footprint.command import Command, is_running, output_of
from gate_core.footprint.cues import SHORT, matches
from gate_core.footprint.diff import (
    old_lines,
    told_changed,
    without_old_lines,
    without_old_words,
)
from gate_core.footprint.given import command_text
from gate_core.footprint.globs import GLOB
from gate_core.footprint.http import answered
from gate_core.footprint.looks import Looks
from gate_core.footprint.outcome import exit_of, outcome_of
from gate_core.footprint.readback import read_back, without_cover
from gate_core.footprint.rules import ANALYSED, UNREADABLE, that
from gate_core.footprint.runs import rule_of, runs_of
from gate_core.footprint.targets import DRIVE, FILES, last_name, path_target, same_target
from gate_core.model.call import SignalEvent, ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Footprint
from gate_core.model.kinds import CallStatus, Did, Outcome, Receipt, SignalState
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.shell import Place, Role, Shows, Use, analyse, available
from gate_core.shell.whereabouts import Places, whereabouts

_WRITES = {Role.WRITE: Did.CHANGED, Role.MAKE: Did.CHANGED, Role.DELETE: Did.DELETED, Role.LEAVE: Did.DELETED}
_KILLED = frozenset({130, 137, 139, 141, 143})
_NOT_RUN = frozenset({126, 127})
_LOGS = late(r"(?:.*[/_.-])?(?:log|logs|out|err|output|nohup|stdout|stderr)(?:[._-]\w{1,20})*|.*\.(?:log|out|err)")
_HEAD = 64
_CREDITS = frozenset({Did.SHOWED, Did.LISTED, Did.ABSENT})
_SYSTEM = ("/bin/", "/usr/bin/", "/usr/local/bin/")


def command_of(profile: ToolProfile, call: ToolCall) -> Command | None:
    """The command that a call ran, read; None when it has none or it cannot be read."""
    text = command_text(profile, call)
    if text is None or not available():
        return None
    analysis = analyse(text, windows=DRIVE.match(call.cwd) is not None, powershell=_is_powershell(call.tool))
    if analysis is None:
        return None
    output, code = output_of(call)
    if code is None:
        code = exit_of(profile, call)
    if code is None and call.status is CallStatus.OK:
        code = 0
    running = is_running(profile, call, output)
    head = re.match(profile.head, output) if profile.head else None
    printed = output[head.end() :] if head else output
    return Command(call=call, analysis=analysis, output=printed, code=code, pending=running)


def _is_powershell(tool: str) -> bool:
    return _POWERSHELL.search(tool) is not None


_POWERSHELL = late(r"power_?shell|pwsh", re.IGNORECASE)


def read_shell(profile: ToolProfile, call: ToolCall, config: GateConfig) -> Footprint | None:
    """The footprint of an analysed command; None where it has to be taken as a whole."""
    command = command_of(profile, call)
    if command is None:
        return _unread(profile, call)
    reader = _Reader(command, profile, config)
    runs = runs_of(command, config)
    effects, signals = tuple(dict.fromkeys(reader.effects(runs))), tuple(event for _, event in runs)
    if config.strict_shell and _shadowed(command_text(profile, call) or "", command):
        effects, signals = tuple(effect for effect in effects if effect.did not in _CREDITS), ()
    ran = tuple(" ".join(word.text for word in s.argv)[:_HEAD] for s in command.analysis.stages if s.argv)
    return Footprint(outcome=reader.outcome(), effects=effects, signals=signals, how=ANALYSED, ran=ran)


def _shadowed(text: str, command: Command) -> bool:
    """True when a function, an alias or another PATH could stand in for the program: all but one program by its full
    name in a folder of the system (spec 10, `strict_shell`)."""
    return len(command.analysis.stages) != 1 or not text.lstrip().startswith(_SYSTEM)


def _unread(profile: ToolProfile, call: ToolCall) -> Footprint | None:
    """A command that does not parse, where that was tried."""
    if not available() or command_text(profile, call) is None:
        return None
    own = f"tool:{call.tool}"
    effects = [Effect(did=Did.OPAQUE, target=own, domain=FILES)]
    if output_of(call)[0].strip():
        effects.append(Effect(did=Did.SHOWED, target=own, domain=own))
    return Footprint(outcome=outcome_of(profile, call), effects=tuple(effects), how=UNREADABLE)


def visible_text(profile: ToolProfile, call: ToolCall, target: str = "") -> str:
    """What the output of a command shows of files: without the words the command prints, without a diff's old lines,
    unless those are of the target."""
    command = command_of(profile, call)
    if command is None:
        return output_of(call)[0]
    if target and any(_compared_first(use, target) for use in command.analysis.uses):
        return old_lines(command.rest)
    if not any(use.shows is Shows.DIFF for use in command.analysis.uses):
        return command.rest
    shown = without_old_lines(command.rest)
    by_word = any(word.text == "--word-diff" for stage in command.analysis.stages for word in stage.argv)
    return without_old_words(shown) if by_word else shown


def _compared_first(use: Use, target: str) -> bool:
    """True for a diff of two files of which the target is the first one."""
    names = [place.word.text for place in use.places if place.role is Role.READ]
    if use.shows is not Shows.DIFF or use.finds or len(names) != 2:
        return False
    return same_target(names[0], target) and not same_target(names[1], target)


def written_text(profile: ToolProfile, call: ToolCall, target: str, config: GateConfig) -> str | None:
    """What a command wrote to a target, where it says so word by word."""
    command = command_of(profile, call)
    if command is None:
        return None
    reader = _Reader(command, profile, config)
    for at in reversed(range(len(command.analysis.stages))):
        for place in command.files(at):
            if place.role is Role.WRITE and same_target(reader.placed(at, place)[0], target):
                return place.text
    return None


def places_of(profile: ToolProfile, call: ToolCall) -> Places:
    """Where the clients of a command work, as its options say it."""
    command = command_of(profile, call)
    return whereabouts(command.analysis) if command is not None else {}


def listing_limits(profile: ToolProfile, call: ToolCall) -> tuple[str, ...] | None:
    """The name patterns that the listing of a command was limited to, () for a whole one; None where it lists nothing
    that is seen, or only a part of it."""
    command = command_of(profile, call)
    if command is None:
        return None
    for at, stage in enumerate(command.analysis.stages):
        if stage.program in that("list") and command.reach(at) is Shows.CONTENT and command.went(at) is not False:
            words = [word.text for word in stage.argv]
            names = (words[i + 1] for i, word in enumerate(words[:-1]) if word in ("-name", "-iname", "-path"))
            return tuple(names)
    return None


def _received(effect: Effect, *, behind: bool, built: bool) -> Effect:
    """An effect of a stage with what the command itself shows of it: a build that ended well made what it was to make,
    and a run behind a change may exercise it."""
    if effect.did is not Did.CHANGED:
        return effect
    if built and effect.domain == FILES:
        return replace(effect, receipt=Receipt.STATE)
    return replace(effect, receipt=Receipt.RUN) if behind else effect


class _Reader(Looks):
    failed: frozenset[int] = frozenset()
    """The stages whose own words say that they failed, whatever the exit status of the whole."""

    def effects(self, runs: tuple[tuple[int, SignalEvent], ...]) -> Iterator[Effect]:
        """All effects, in the order of the stages. A look behind a change of the same command is its read-back, and a
        run behind it may exercise it."""
        last = max((at for at, _ in runs), default=-1)
        failed = {at for at, event in runs if event.state is SignalState.FAILED}
        built = {at for at, event in runs if event.name == "build_passed" and event.state is SignalState.PASSED}
        self.failed = frozenset(failed.union(filter(self._says_it_failed, self.changers)))
        found = [
            _received(effect, behind=at < last, built=at in built)
            for at in range(len(self.command.analysis.stages))
            for effect in self._stage(at)
        ]
        yield from read_back(without_cover(found), away=self._listed_away(), there=self._listed_there(found))
        if self.command.output.strip() and not self.command.pending and not self.command.refused:
            yield Effect(did=Did.SHOWED, target=self.own, domain=self.own)

    def _says_it_failed(self, at: int) -> bool:
        """True for the one program that spoke, whose exit status a pipe hid, and that begins with an error."""
        command, stages = self.command, self.command.analysis.stages
        behind = {at, *stages[at].feeds}
        alone = command.talkers <= behind and command.went(at) is None
        said = command.rest.lstrip()[:SHORT]
        return alone and (matches("failed", said) or matches("failed_line", said))

    def _listed_away(self) -> frozenset[str]:
        """What the command deletes and its own whole listing does not name."""
        if listing_limits(self.profile, self.command.call) != ():
            return frozenset()
        uses = enumerate(self.command.analysis.uses)
        gone = {self.placed(at, p)[0] for at, use in uses for p in use.places if p.role is Role.DELETE and p.word.known}
        return frozenset(target for target in gone if last_name(target) not in self.command.rest)

    def _listed_there(self, found: list[Effect]) -> frozenset[str]:
        """What the command made, and its own whole listing names."""
        if listing_limits(self.profile, self.command.call) != ():
            return frozenset()
        names = set(re.split(r"[\s/'\"]+", self.command.rest))
        return frozenset(effect.target for effect in found if effect.bare and last_name(effect.target) in names)

    def _stage(self, at: int) -> Iterator[Effect]:
        stage, use = self.command.analysis.stages[at], self.command.analysis.uses[at]
        if not (self.command.pending or stage.background or self.command.refused):
            yield from self.looks(at)
        if use.opaque and self._may_have_run(at):
            target = self.placed(at, Place(Role.WRITE, use.sweeps))[0] if use.sweeps is not None else self.own
            yield Effect(did=Did.OPAQUE, target=target, domain=use.domain or FILES)
            if self.command.analysis.stages[at].program == "git":
                yield from self._told_changed(at)
        for number, place in enumerate(use.places):
            if place.role in _WRITES:
                yield from self._change(at, place)
                yield from self._asked_again(at, place, use.places[number + 1 :])
            elif place.role is Role.RUN:
                yield from self._executed(at, place)

    def _asked_again(self, at: int, changed: Place, later: tuple[Place, ...]) -> Iterator[Effect]:
        """What a later statement of the same script shows of a table that an earlier one changed."""
        for place in later:
            if place.role is Role.READ and place.word == changed.word and self.command.output.strip():
                yield from self.look(at, place, self.command.reach(at))

    def _told_changed(self, at: int) -> Iterator[Effect]:
        """The files that came in from elsewhere: they owe nothing, but what was known of them is known no more."""
        for path in told_changed(self.command.rest):
            target = path_target(path, cwd=self.folder(at, told=True), config=self.config)
            yield Effect(did=Did.OPAQUE, target=f"{GLOB}{target}", domain=FILES)

    def _executed(self, at: int, place: Place) -> Iterator[Effect]:
        target, domain = self.placed(at, place)
        if domain.startswith("host:"):
            yield Effect(did=Did.OPAQUE, target=target, domain=domain)
        elif place.word.known and self._ran(at) and not self.command.pending:
            did = Did.LISTED if domain == FILES or not self.command.output.strip() else Did.SHOWED  # an image that ran
            yield Effect(did=did, target=target.partition("::")[0], domain=domain)

    def _ran(self, at: int) -> bool:
        """True for a stage that ended well, or that told how far it got."""
        if self.command.went(at) or at != self.command.analysis.same:
            return bool(self.command.went(at))
        return self.command.code not in (None, *_NOT_RUN) and bool(self.command.complaint_free)

    def _may_have_run(self, at: int) -> bool:
        return not (at == self.command.analysis.same and self.command.code in _NOT_RUN)

    def _change(self, at: int, place: Place) -> Iterator[Effect]:
        if not place.word.known:
            world = self.command.analysis.uses[at].domain
            yield Effect(did=Did.OPAQUE, target=self.own, domain=world or FILES)
            return
        target, domain = self.placed(at, place)
        use = self.command.analysis.uses[at]
        if self._missed(at, place) and not self.in_vain:
            return
        if self._is_log(at, place, last_name(target)):
            return
        if self._is_lost(at):
            yield Effect(did=Did.OPAQUE, target=target, domain=domain)
            return
        if place.word.glob:
            yield from self._unnamed(target, domain, place.role)
            return
        bare = place.role is Role.MAKE or self._empties(at, place) or (use.leaves and not self._new(at))
        yield Effect(did=_WRITES[place.role], target=target, domain=domain, bare=bare and place.role is not Role.DELETE)

    def _empties(self, at: int, place: Place) -> bool:
        """True for `> a.log` and `: > a.log`: the size of what is left is all there is to see."""
        stage = self.command.analysis.stages[at]
        sent = next((sent for sent in stage.sent if sent.word is place.word), None)
        return sent is not None and sent.op in (">", ">|") and (not stage.argv or stage.program in (":", "true"))

    def _new(self, at: int) -> bool:
        """True for a move of what an earlier stage of the same command wrote: nobody saw it under the old name."""
        uses = self.command.analysis.uses
        left = {place.word.text for place in uses[at].places if place.role is Role.LEAVE}
        return any(place.role is Role.WRITE and place.word.text in left for use in uses[:at] for place in use.places)

    def _is_log(self, at: int, place: Place, name: str) -> bool:
        """True for what a build or a test run prints to a file, by itself or through `tee`."""
        if not _LOGS.fullmatch(name):
            return False
        if self.is_redirect(at, place):
            return self._reports(at)
        feeding = [i for i, stage in enumerate(self.command.analysis.stages) if at in stage.feeds]
        return bool(feeding) and place.role is Role.WRITE and all(self._reports(i) for i in feeding)

    def _reports(self, at: int) -> bool:
        """True for a build, a test run or a program nobody knows: what they print to a file is a log."""
        use = self.command.analysis.uses[at]
        known = rule_of(self.command.analysis.stages[at], self.config.signals) is not None
        waits = not self.command.analysis.stages[at].background
        return not waits or known or use.opaque or any(place.role is Role.RUN for place in use.places)

    def _unnamed(self, target: str, domain: str, role: Role) -> Iterator[Effect]:
        """What a pattern covers changed, and nobody knows what that was: known files of it are owed again."""
        yield Effect(did=Did.OPAQUE, target=self.own, domain=domain)
        yield Effect(did=Did.DELETED if role in (Role.DELETE, Role.LEAVE) else Did.OPAQUE, target=target, domain=domain)

    def _spared(self, at: int, place: Place) -> bool:
        """True when a program said that it could not touch the place, and others of the command did what they do. What
        another program of the command complains of is no word of this one."""
        said = self.command.complains(place)
        who, own = said.partition(":")[0].rpartition("/")[2], self.command.analysis.stages[at].program
        others = {stage.program for stage in self.command.analysis.stages} - {own}
        return self.command.went(at) is None and bool(said) and who not in others

    @cached_property
    def in_vain(self) -> bool:
        """True when the command changed nothing of what it was to: it failed, whatever its exit status says."""
        uses = self.command.analysis.uses
        aimed = [(at, place) for at, use in enumerate(uses) for place in use.places if place.role in _WRITES]
        return bool(aimed) and not any(use.opaque for use in uses) and all(self._missed(*one) for one in aimed)

    def _missed(self, at: int, place: Place) -> bool:
        return self._spared(at, place) or (at in self.failed and self.placed(at, place)[1] != FILES)

    def _is_lost(self, at: int) -> bool:
        """A stage that failed beside others that changed something: nobody knows how far it got."""
        if self.command.went(at) is not False:
            return False
        return any(other != at for other in self.changers)

    @property
    def changers(self) -> tuple[int, ...]:
        """The stages that change something they name."""
        uses = self.command.analysis.uses
        return tuple(at for at, use in enumerate(uses) if any(place.role in _WRITES for place in use.places))

    @property
    def opaquers(self) -> tuple[int, ...]:
        """The stages that may change what nobody can name."""
        return tuple(at for at, use in enumerate(self.command.analysis.uses) if use.opaque)

    def outcome(self) -> Outcome:
        """How the command ended, for what it changes."""
        command = self.command
        if command.pending or self._unfinished():
            return Outcome.PENDING
        if command.code == 0:
            return self._went_well()
        if command.code in _KILLED or _says(command, "cut_off"):
            return Outcome.UNKNOWN
        return self._went_wrong()

    def _went_well(self) -> Outcome:
        """Exit status 0, unless what was printed says otherwise."""
        command = self.command
        if (refused := answered(command)) is not None:
            return refused
        if self.in_vain:
            return Outcome.FAILED
        if any(map(self._says_it_failed, self.opaquers)):
            return Outcome.UNKNOWN
        alone = all(stage.piped for stage in command.analysis.stages[1:])
        return Outcome.NO_OP if alone and _says(command, "no_op") else Outcome.OK

    def _unfinished(self) -> bool:
        """True when a stage that nobody waits for changes a file where it stands; what it prints to one is a log."""
        stages, uses = self.command.analysis.stages, self.command.analysis.uses
        return any(
            place.role in _WRITES and not self.is_redirect(at, place)
            for at, use in enumerate(uses)
            if stages[at].background
            for place in use.places
        )

    def _went_wrong(self) -> Outcome:
        """An exit status other than 0 is an answer, or the failure of a stage, which others need not share."""
        command, changers, same = self.command, self.changers, self.command.analysis.same
        if same is not None and command.code in command.analysis.uses[same].answers:
            return Outcome.OK
        for last, use in list(enumerate(command.analysis.uses))[-1:]:
            if command.code in use.answers and command.talkers == {last} and command.complaint_free:
                return Outcome.OK  # it spoke, so all that had to go well before it did
        if changers and same is not None and any(at != same for at in changers):
            return Outcome.OK
        if len(changers) > 1:
            return Outcome.UNKNOWN
        told = command.code in _NOT_RUN or matches("failed_without_effect", command.output) or command.errors
        return Outcome.FAILED if told or not changers else Outcome.UNKNOWN


def _says(command: Command, cue: str) -> bool:
    return len(command.output) < SHORT and matches(cue, command.output)
