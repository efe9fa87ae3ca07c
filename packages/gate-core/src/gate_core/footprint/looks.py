"""What the stages of a command look at: where each of their places lies, and what of it the output shows (spec 10,
"Shell": attribution of output)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.footprint.command import Command
from gate_core.footprint.diff import repository_of, shown_hunks
from gate_core.footprint.given import folder_of
from gate_core.footprint.globs import GLOB
from gate_core.footprint.search import SOMEWHERE, shown_places
from gate_core.footprint.status import told_gone
from gate_core.footprint.targets import FILES, is_url, last_name, path_target, same_target, url_target
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect
from gate_core.model.kinds import Did
from gate_core.model.profile import ToolProfile
from gate_core.shell import Place, Role, Shows

_TESTS = ("test", "[", "[[")


class Looks:
    """The looks of a command, stage by stage."""

    def __init__(self, command: Command, profile: ToolProfile, config: GateConfig) -> None:
        self.command = command
        self.profile = profile
        self.config = config
        self.own = f"tool:{command.call.tool}"
        self.cwd = folder_of(command.call, config)

    def placed(self, at: int, place: Place) -> tuple[str, str]:
        """(target, domain) of a place."""
        text, use = place.word.text, self.command.analysis.uses[at]
        if is_url(text):
            url = url_target(text)
            return url, f"host:{url.partition('://')[2].partition('/')[0]}"
        world = "" if self.is_redirect(at, place) else use.domain_of(place)
        if world and world != FILES:
            return text, world
        target = path_target(text, cwd=self.folder(at), config=self.config)
        return (f"{GLOB}{target}" if place.word.glob else target), FILES

    def folder(self, at: int, *, told: bool = False) -> str:
        """The folder a stage runs in, "" where it cannot be told; with `told`, the one it was told to work in."""
        folder, within = self.command.analysis.stages[at].cwd, self.command.analysis.uses[at].folder if told else None
        if folder is None or (within is not None and not within.known):
            return ""
        cwd = path_target(folder, cwd=self.cwd, config=self.config) if folder else self.cwd
        return cwd if within is None else path_target(within.text, cwd=cwd, config=self.config)

    def is_redirect(self, at: int, place: Place) -> bool:
        return any(place.word is sent.word for sent in self.command.analysis.stages[at].sent)

    def looks(self, at: int) -> Iterator[Effect]:
        use, reach = self.command.analysis.uses[at], self.command.reach(at)
        places = [place for place in self.command.files(at) if place.role in (Role.READ, Role.LIST, Role.ABSENT)]
        speaks = use.shows in (Shows.CONTENT, Shows.PART, Shows.DIFF) and reach in (Shows.CONTENT, Shows.PART)
        if speaks and (use.finds or use.shows is Shows.DIFF):
            yield from self._found(at, places)
            return
        for place in places:
            yield from self.look(at, place, reach if speaks else Shows.NAMES)
        for path in told_gone(self.command, at):
            yield Effect(did=Did.ABSENT, target=path_target(path, cwd="", config=self.config))

    def look(self, at: int, place: Place, reach: Shows) -> Iterator[Effect]:
        target, domain = self.placed(at, place)
        went = self.command.went(at)
        if place.role is Role.ABSENT or (self._asked_in_vain(at) and place.role is Role.LIST):
            if went or self._asked_in_vain(at):
                yield Effect(did=Did.ABSENT, target=target, domain=domain)
        elif went is not True and self.command.misses(place):
            yield Effect(did=Did.ABSENT, target=target, domain=domain)
        elif place.role is Role.LIST or reach is Shows.NAMES:
            if went or (
                went is None and self.command.analysis.stages[at].certain and not self.command.complains(place)
            ):
                yield Effect(did=Did.LISTED, target=target, domain=domain)
        elif self.command.fresh(at, place):
            yield self._shown(at, place, reach)

    def _asked_in_vain(self, at: int) -> bool:
        """`test -e x` that ends with 1, as the last word of the command or as the words behind its `||` say."""
        program = self.command.analysis.stages[at].program
        last = self.command.code == 1 and self.command.analysis.same == at
        return (last and program in _TESTS) or (program in (*_TESTS, "ls", "stat") and self.command.refuted(at))

    def _shown(self, at: int, place: Place, reach: Shows) -> Effect:
        """A reader's file: shown as far as it reaches; with nothing to see it was empty, or nothing of it matched."""
        target, domain = self.placed(at, place)
        whole = reach is Shows.CONTENT and self.command.analysis.uses[at].shows is Shows.CONTENT
        if not self.command.complaint_free and not whole:
            return Effect(did=Did.LISTED, target=target, domain=domain)
        lines = place.lines
        if lines is None and not whole:
            lines = SOMEWHERE
        elif lines is not None and lines != SOMEWHERE:
            lines = self._window(at, lines, reach)
        return Effect(did=Did.SHOWED, target=target, domain=domain, lines=lines)

    def _window(self, at: int, lines: tuple[int, int], reach: Shows) -> tuple[int, int] | None:
        """The lines a reader was told to show; fewer than that mean that the file ended."""
        alone = self.command.talkers == {at} and reach is Shows.CONTENT
        if alone and lines[0] == 1 and len(self.command.rest.splitlines()) < lines[1]:
            return None
        return lines if alone else SOMEWHERE

    def _found(self, at: int, places: list[Place]) -> Iterator[Effect]:
        """Searches and diffs: their output names the files, unless they were asked about one."""
        use = self.command.analysis.uses[at]
        asked = [self.placed(at, place) for place in places]
        diff = use.shows is Shows.DIFF
        if self._met_nothing(at) and not diff:
            yield from (Effect(did=Did.LISTED, target=target, domain=domain) for target, domain in asked)
            return
        if not all(self.command.fresh(at, place) for place in places) or not self._certain(at):
            return
        one = len(asked) == 1 and not asked[0][0].startswith(GLOB) and "." in last_name(asked[0][0])
        shown = shown_hunks(self.command.rest) if diff else shown_places(self.command.complaint_free, one_file=one)
        for path, runs in shown.items():
            for target in self._meant(at, path, [target for target, _ in asked], relative=diff and use.finds):
                yield from (Effect(did=Did.SHOWED, target=target, domain=FILES, lines=run) for run in runs)
        if diff and not use.finds:
            first = Did.SHOWED if len(asked) == 2 and "" in shown else Did.LISTED
            lines = SOMEWHERE if first is Did.SHOWED else None
            yield from (Effect(did=first, target=target, domain=domain, lines=lines) for target, domain in asked[:-1])
        if "" not in shown:
            yield from (Effect(did=Did.LISTED, target=target, domain=domain) for target, domain in asked)

    def _met_nothing(self, at: int) -> bool:
        """`grep x . || echo none`: the words say that the search did not end with 0, which is an answer."""
        return self.command.refuted(at) and bool(self.command.analysis.uses[at].answers) and not self.command.errors

    def _certain(self, at: int) -> bool:
        return self.command.went(at) is True or self.command.talkers == {at} or self.command.analysis.stages[at].certain

    def _meant(self, at: int, path: str, asked: list[str], *, relative: bool) -> list[str]:
        """The target that a path of the output means; "" is the one that was asked about, the last one of a diff. What
        git names is relative to a folder that nobody told."""
        if not path:
            return asked[-1:]
        cwd = self.folder(at, told=True)
        root = repository_of(path, ran_in=cwd, home=self.cwd) if relative else cwd
        found = path_target(path, cwd=root, config=self.config)
        return [next((target for target in asked if same_target(found, target)), found)]
