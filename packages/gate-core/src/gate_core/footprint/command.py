"""One executed shell command: its analysis, its output without what the command itself wrote there, and how far each
stage got (spec 10, "Shell": attribution of output and exit status)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from gate_core.footprint.body import plain, taken_out
from gate_core.footprint.cues import is_line, matches
from gate_core.footprint.envelope import run_report
from gate_core.model.call import ToolCall
from gate_core.model.json import Json, text_of
from gate_core.model.kinds import CallStatus
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.shell import Analysis, Place, Shows

_EXIT_LINES = (
    late(r"\A(?:Error: )?Exit code:? (-?\d{1,3})\b\n?"),
    late(r"\n?\[?Command (?:succeeded|failed|exited) with (?:exit )?(?:code|status) (-?\d{1,3})\]?\s*\Z"),
)
_BACKGROUND = late(
    r"\A(?:the )?(?:command|process)?\s*(?:is |was )?(?:running|started|moved) (?:in|to) (?:the )?background\b",
    re.IGNORECASE,
)
_ERROR = late(r"^(?:[\w./-]{1,80}: ){1,3}.{0,400}$", re.MULTILINE)
_WENT_WRONG = late(
    r"no such file|not found|permission denied|is a directory|not a directory|cannot |can't |does not exist|"
    r"operation not permitted|read-only file system|no match|did not match|invalid |could not resolve|"
    r"connection (?:refused|timed out|reset)|failed to connect",
    re.IGNORECASE,
)
_CLIENT_ERROR = late(
    r"^(?:An error occurred \(\w+\)|ERROR: \(gcloud[\w.-]*\)|Error from server \((?!NotFound)|psql: error: |fatal: |"
    r"ERROR \d{4} \(\w+\)|Unable to (?:connect to the server|locate credentials)|"
    r"The connection to the server |Could not connect to).{0,400}$",
    re.MULTILINE,
)
"""Lines by which clients of other worlds say that they got no answer."""
_MISSING = late(r"no such file|does not exist|cannot find|not found", re.IGNORECASE)
_MOST_ERRORS = 50


def output_of(call: ToolCall) -> tuple[str, int | None]:
    """(what the terminal showed, the exit status), wherever the host put them; None for a status nobody told."""
    report = run_report(call.result) if call.exit_code is None else None
    result = taken_out(call.result) if report is None else report
    text, code = plain(_shown(result)), call.exit_code
    if code is None and isinstance(result, Mapping):
        code = _code(result)
    for line in _EXIT_LINES:
        if found := line.search(text):
            code = int(found[1]) if code is None else code
            text = text[: found.start()] + text[found.end() :]
    return text, code


def _shown(result: Json) -> str:
    if isinstance(result, Mapping):
        parts = [result[key] for key in ("stdout", "output", "stderr") if isinstance(result.get(key), str)]
        if parts:
            return "\n".join(str(part) for part in parts if part)
        if isinstance(result.get("output"), list | tuple):
            return "\n".join(_shown(item) for item in result["output"])  # type: ignore[union-attr]
    return text_of(result)


def _code(result: Mapping[str, Json]) -> int | None:
    around = [result[key] for key in ("outcome", "metadata") if isinstance(result.get(key), Mapping)]
    places: list[Mapping[str, Json]] = [result, *around]  # type: ignore[list-item]  # mappings, as asked
    parts = result.get("output")
    if isinstance(parts, list | tuple) and parts and isinstance(parts[-1], Mapping):
        return _code(parts[-1])
    codes = (place.get(key) for place in places for key in ("exit_code", "exitCode", "return_code", "returncode"))
    code = next((code for code in codes if isinstance(code, int) and not isinstance(code, bool)), None)
    if code is None and _prints(result) and isinstance(result.get("success"), bool):
        return 0 if result["success"] else 1
    return code


def _prints(result: Mapping[str, Json]) -> bool:
    """True for the result of what ran a program: it has what that printed."""
    return any(isinstance(result.get(key), str) for key in ("stdout", "output", "stderr"))


def is_running(profile: ToolProfile, call: ToolCall, output: str) -> bool:
    """True when a command was only started."""
    if call.status is CallStatus.PENDING or _BACKGROUND.match(output):
        return True
    return any(re.search(pattern, output) for pattern in profile.pending)


@dataclass(frozen=True)
class Command:
    """A command that ran. `code` is None when the host said only that it failed; `pending` when it still runs."""

    call: ToolCall
    analysis: Analysis
    output: str
    code: int | None
    pending: bool = False

    def went(self, at: int) -> bool | None:
        """Whether a stage ended well; None where the status of the whole does not say."""
        if self.code == 0 and at not in self.analysis.sure:
            return False if self.refuted(at) else None
        if self.code == 0:
            return True
        if at != self.analysis.same:
            return None
        return self.code in self.analysis.uses[at].answers

    def reach(self, at: int) -> Shows:
        """What of the output of a stage reaches the terminal: CONTENT, PART, NAMES or NOTHING."""
        stage, least = self.analysis.stages[at], Shows.CONTENT
        for _ in range(len(self.analysis.stages)):
            if not stage.feeds:
                return least if stage.seen else Shows.NOTHING
            if len(stage.feeds) > 1:
                return Shows.NOTHING
            at = stage.feeds[0]
            passes = self.analysis.uses[at].passes
            if passes in (Shows.NOTHING, Shows.OWN):
                return Shows.NOTHING
            least = Shows.NAMES if passes is Shows.NAMES or least is Shows.NAMES else passes
            stage = self.analysis.stages[at]
        return Shows.NOTHING

    @cached_property
    def refused(self) -> bool:
        """True when the host only says, in one line, that the call failed: no program printed that."""
        text = self.output.strip()
        erred = self.code is None and self.call.status is CallStatus.ERROR and is_line(text)
        return erred and (matches("error_line", text) or matches("cut_off", text))

    def refuted(self, at: int) -> bool:
        """True when words show that the command prints only where a stage ended with another status than 0."""
        lines = {line.strip() for line in self.output.splitlines()}
        if self._status_told(at) not in ("", "0"):
            return True
        return any(
            stage.otherwise == at and self.reach(i) is not Shows.NOTHING and (use.says or "").strip() in lines - {""}
            for i, (stage, use) in enumerate(zip(self.analysis.stages, self.analysis.uses, strict=True))
        )

    def _status_told(self, at: int) -> str:
        """The exit status of a stage that `echo $?` behind it printed at the end of the output, "" for none."""
        behind = self.analysis.stages[at + 1 : at + 2]
        asks = (
            bool(behind)
            and [word.text for word in behind[0].argv] == ["echo", "$?"]
            and at + 2 == len(self.analysis.stages)
        )
        last = self.output.split()[-1:]
        return last[0] if asks and last and last[0].isdecimal() else ""

    @cached_property
    def talkers(self) -> frozenset[int]:
        """The stages whose output can have reached the terminal, without those that print words of the command."""
        uses, stages = self.analysis.uses, self.analysis.stages
        return frozenset(
            at
            for at, use in enumerate(uses)
            if use.says is None and not use.quiet and stages[at].argv and self.reach(at) is not Shows.NOTHING
        )

    @cached_property
    def rest(self) -> str:
        """The output without the words that the command itself prints."""
        text = self.output
        for at, use in enumerate(self.analysis.uses):
            said = (use.says or "").strip()
            if said and self.reach(at) is not Shows.NOTHING:
                text = _without(text, said)
        return text

    @cached_property
    def errors(self) -> tuple[str, ...]:
        """The lines that look like a complaint of a program."""
        own = (m[0] for m in _ERROR.finditer(self.output) if _WENT_WRONG.search(m[0]))
        found = chain(own, (m[0] for m in _CLIENT_ERROR.finditer(self.output)))
        return tuple(line for line, _ in zip(found, range(_MOST_ERRORS), strict=False))

    def complains(self, place: Place) -> str:
        """The line that complains about a place, "" for none."""
        name = place.word.text
        return next((line for line in self.errors if name and name in line), "")

    def misses(self, place: Place) -> bool:
        """True when a program said that the place is not there."""
        return _MISSING.search(self.complains(place)) is not None

    def fresh(self, at: int, place: Place) -> bool:
        """True when what a stage reads can be told to have been shown: it ended well, or it alone speaks, or it would
        have been heard complaining."""
        went = self.went(at)
        if went is not None:
            return went or (len(self.talkers) == 1 and bool(self.complaint_free) and not self.complains(place))
        stage = self.analysis.stages[at]
        if self.talkers == {at} and self.complaint_free:
            return not self.complains(place)
        alone = self.talkers == {at} and bool(self.errors)  # all that it said is that it failed
        return stage.certain and stage.errors_seen and not alone and not self.complains(place)

    @cached_property
    def complaint_free(self) -> str:
        """The output without complaints and without the command's own words."""
        text = self.rest
        for line in self.errors:
            text = text.replace(line, "", 1)
        return text.strip()

    def files(self, at: int) -> Iterator[Place]:
        """The places of a stage that lie somewhere: variables nobody can follow have none."""
        return (place for place in self.analysis.uses[at].places if place.word.known and place.word.text)


def _without(text: str, said: str) -> str:
    """The text without the first whole lines that are `said`, or else its first occurrence."""
    at = 0
    while (at := text.find(said, at)) >= 0:
        if (at == 0 or text[at - 1] == "\n") and text[at + len(said) :][:1] in ("", "\n"):
            return text[:at] + text[at + len(said) :].removeprefix("\n")
        at += len(said)
    return text.replace(said, "", 1)
