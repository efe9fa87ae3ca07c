"""One sentence of a message cut into clauses, with the verbs in it: what the reading of requests stands on.

A clause ends at a mark or at a word that joins; what stands in one, and what is said to be left alone in it, is found
here. Which of the verbs are asked for is judged in `sentence`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gate_core.admission.named import words_of
from gate_core.admission.wording import Wording, folded
from gate_core.model.grants import Mood
from gate_core.model.late import late
from gate_core.values.lexicon import CURRENCY, units
from gate_core.values.scan import scan

_QUOTED = late(
    r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|«[^»\n]{0,400}»|„[^“”\n]{0,400}[“”]|`[^`\n]{0,400}`|「[^」\n]{0,400}」"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){0,400}'(?!\w)|‘(?:[^’\n]|(?<=\w)’(?=\w)){0,400}’(?!\w)"
)
QUESTION = late(r"[?？][\s\"'”’)*_]{0,8}$")
_SOFT = late(r"\s*[,;]\s*")
_CAPITALS = late(r"(?<=\w )[^\W\d_a-z]\w+|(?<=[,:–—-] )[^\W\d_a-z]\w+")
_NOUNS_IN_CAPITALS = frozenset({"de"})
_LIMIT = 24  # characters of a limit with its currency
_MOST_CONTINUED = 8  # words of a sentence that only goes on with a list
_MOST_SPARED = 4  # words of a clause that does nothing but leave something alone
SPECIFIC = late(r"\d|[./@\\_]|\w-\w")
"""What tells a name from a word."""


class Verb(NamedTuple):
    """A verb of one or more families, where it stands, and what is done with it once that is known."""

    start: int
    end: int
    families: tuple[str, ...]
    mood: Mood | None
    imperative: bool


class Clauses:
    """One sentence in one language. Quoted words are no verbs, but may be objects."""

    def __init__(
        self, wording: Wording, sentence: str, families: Sequence[str], before: str = "", until: int = 0
    ) -> None:
        self.wording = wording
        self.whole = folded(sentence)
        self.written = sentence
        self.before = folded(before)
        text = wording.plain(_QUOTED.sub(lambda match: "\0" * len(match[0]), self.whole))
        if until:
            text = text[:until] + "\0" * (len(text) - until)
        tag = wording.tag.search(text)
        self.text = text[: tag.start()] if tag else text
        self.tagged = tag is not None
        self.whole = self.whole[: len(self.text)]
        self.more = families
        self._known: tuple[str, list[Verb]] | None = None
        self.excepted = self._except()
        self.question = bool(QUESTION.search(self.text) or wording.ask.search(self.text.rstrip("?？。.! ")))
        self.separators = list(wording.separators.finditer(self.text))

    def halts(self) -> bool:
        """ "Never mind", "scratch that, we still have some": whatever was asked for is off."""
        return self.wording.halt.search(self._bare()) is not None

    def _except(self) -> tuple[str, ...]:
        """ "Except for a.txt, delete ...": what is excepted before the verb comes. It names nothing else."""
        found = next((m for pattern in self.wording.excepting_before if (m := pattern.search(self.text))), None)
        if found is None:
            return ()
        words = words_of(self.whole[found.start("but") : found.end("but")], self.wording)
        start, end = found.start(), found.end("but")
        blank = " " * (end - start)
        self.text = f"{self.text[:start]}{blank}{self.text[end:]}"
        self.whole = f"{self.whole[:start]}{blank}{self.whole[end:]}"
        return words

    def _bare(self) -> str:
        return _SOFT.sub(" ", self.text.strip(" .!?,;。！？，"))

    def _all_verbs(self) -> list[Verb]:
        if self._known is None or self._known[0] != self.text:
            self._known = (self.text, list(self._find_verbs()))
        return self._known[1]

    def _find_verbs(self) -> Iterator[Verb]:
        at = 0
        pattern = self.wording.verbs
        while match := earliest(pattern.search(self.text, at), self._own_verb(at)):
            families, end = self.wording.families_at(self.text, match.start(), self.more)
            if families:
                yield Verb(match.start(), end, families, None, False)
            at = max(end, match.end(), match.start() + 1)

    def _own_verb(self, at: int) -> re.Match[str] | None:
        if not self.more or not self.wording.spaced:
            return None
        names = "|".join(re.escape(name[:40].replace("_", " ")) for name in self.more)
        return re.compile(rf"(?<![\w.@/-])(?:{names})(?:e?d|ing)?(?!\w)").search(self.text, at)

    def _starts_clause(self, verb: Verb) -> bool:
        return not self._near(verb.start).strip()

    def _near(self, start: int) -> str:
        """The clause before the verb."""
        return self.text[self._clause_start(start) : start]

    def _clause_start(self, start: int) -> int:
        return max((m.end() for m in self.separators if m.end() <= start), default=0)

    def _far(self, start: int, previous: Verb | None) -> str:
        """What stands before the verb since the last hard break, or the verb before."""
        after = previous.end if previous is not None and previous.mood else 0
        return self.text[max(self._hard_start(start), after) : start]

    def _rest(self, end: int) -> str:
        """The clause behind the verb."""
        stop = min((m.start() for m in self.separators if m.start() >= end), default=len(self.text))
        return self.text[end:stop]

    def _end_at(self, end: int) -> None:
        """ "Order milk, but not yet": what stands behind names nothing."""
        self.text, self.whole = self.text[:end], self.whole[:end]
        self.separators = [m for m in self.separators if m.end() <= end]

    def _clause_end_before(self, start: int, first: int) -> int:
        """Where the clause before the one of this place ends."""
        return max((m.start() for m in self.separators if first <= m.start() and m.end() <= start), default=start)

    def _hard_start(self, start: int) -> int:
        return max((m.end() for m in self.separators if m.end() <= start and _is_hard(m, self.wording)), default=0)

    def _left_alone(self, frames: re.Pattern[str]) -> Iterator[tuple[str, ...]]:
        for match in () if self.question else self._clauses(frames):
            named = words_of(self.whole[match.end() : self._spared_until(match.end())], self.wording)
            if named:
                yield named

    def _left_as_said_behind(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """ "The bread not", "new.txt 留着": (where that is said, what it is said of) for each clause that ends so."""
        for match in () if self.question else self.wording.spared.finditer(self.text):
            start = self._spared_from(match.start())
            named = words_of(self.whole[start : match.start()], self.wording)
            if not named and start:  # "b.tar, leave it"
                named = words_of(self.whole[self._spared_from(start - 1) : start], self.wording)
            if 0 < len(named) <= _MOST_SPARED:
                yield match.start(), named

    def _spared_from(self, end: int) -> int:
        """Where that begins: at a mark or a word of contrast; behind a verb, at whatever parts clauses."""
        parts = [m for m in self.separators if m.end() <= end and m[0].strip()]
        marks = [m.end() for m in parts if not m.groupdict().get("word") or self.wording.contrast.fullmatch(m["word"])]
        start = max(marks, default=0)
        acted = max((verb.end for verb in self._all_verbs() if start <= verb.start and verb.end <= end), default=0)
        listed = self.text.rfind("、", acted, end) + 1 if acted else 0
        return max([start, listed, *(m.end() for m in parts if acted and m.end() >= acted)])

    def _clauses(self, frames: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Where these words open a clause."""
        return (m for m in frames.finditer(self.text) if self.wording.lead.fullmatch(self._near(m.start())))

    def _spared_until(self, start: int) -> int:
        """Where a list of things to be left alone ends: at a hard break, the next verb, the next "just"."""
        ends = [m.start() for m in self.separators if m.start() >= start and _is_hard(m, self.wording)]
        ends += [max(start, self._clause_end_before(v.start, start)) for v in self._all_verbs() if v.start >= start]
        ends += [m.start() for m in self.wording.narrows.finditer(self.text, start)]
        return min(ends, default=len(self.whole))

    def repaired(self) -> tuple[str, str]:
        """ "A.log, no, b.log": (what stands before the slip is mended, what is put in its place), ("", "") for none."""
        slip = self.wording.repairs.search(self.text) if not self.question else None
        if slip is None:
            return "", ""
        start = slip.end()
        said = {family for verb in self._all_verbs() if verb.start < slip.start() for family in verb.families}
        behind = [verb for verb in self._all_verbs() if verb.start >= start]
        if behind and not self.whole[start : behind[0].start].strip() and said.intersection(behind[0].families):
            start, behind = behind[0].end, behind[1:]  # "close T-8, no, close T-9"
        ends = [m.start() for m in self.separators if m.start() > start and not m.groupdict().get("word")]
        ends += [verb.start for verb in behind]
        return self.whole[: slip.start()], self.whole[start : min(ends, default=len(self.whole))]

    def swapped(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """ "Not the blue one, the red one": (what it is not, what it is), ((), ()) for none."""
        found = next((m for pattern in self.wording.swaps if (m := pattern.search(self.text))), None)
        if found is None or self.question or self._all_verbs():
            return (), ()
        old, new = (self.whole[found.start(name) : found.end(name)] for name in ("old", "new"))
        return words_of(old, self.wording), words_of(new, self.wording)

    def slipped(self) -> tuple[str, ...]:
        """ "Sorry, acct-6.": the names or figures of a sentence that does nothing but mend what was said before."""
        slip = self.wording.repairs.match(f", {self.text}")
        if slip is None or self.question or self._all_verbs():
            return ()
        words = words_of(self.whole[slip.end() - 2 :], self.wording)
        names = _CAPITALS.findall(self.written) if self.wording.language not in _NOUNS_IN_CAPITALS else ()
        named = all(map(SPECIFIC.search, words)) or not set(map(folded, names)).isdisjoint(words)
        return words if 0 < len(words) <= _MOST_SPARED and named else ()

    def continued(self) -> tuple[str, ...]:
        """ "And a box of filters, please": the words of a sentence that only goes on with a list; () for any other."""
        opening = self.wording.continues.match(self.text)
        if opening is None or self.question or self._all_verbs():
            return ()
        behind = self.text[opening.end() :]
        whole = len(re.findall(r"\w+", behind)) <= _MOST_CONTINUED
        return words_of(self.whole[opening.end() :], self.wording) if whole else ()

    def limit(self) -> tuple[float, bool] | None:
        """(the figure, whether it is one of money) behind "at most" or before "or less"; None without one."""
        ahead, behind = self.wording.limits.search(self.text), self.wording.limits_behind.search(self.text)
        found = list(scan(self.text[ahead.end() : ahead.end() + _LIMIT])[:1]) if ahead else []
        found = [value for value in found if value.start <= 1]
        if behind:
            near = self.text[max(0, behind.start() - _LIMIT) : behind.start()].rstrip()
            found += [value for value in scan(near)[-1:] if value.end == len(near)]
        for value in found:
            money = value.unit in units() and units()[value.unit].dimension == CURRENCY
            if value.numbers and (money or not value.unit):
                return float(value.numbers[0].exact), money
        return None

    def chosen(self) -> tuple[str, ...]:
        """The words of a short sentence that denies nothing: "the first one, please"."""
        if self.question or self.wording.negate.search(self.text) or self._all_verbs():
            return ()
        return words_of(self.whole, self.wording)

    def reworded(self, pattern: re.Pattern[str]) -> tuple[str, ...]:
        """The words behind a frame of a correction ("I meant butter, not milk"); () without one."""
        match = pattern.search(self.text)
        if match is None or self.question or self.wording.lead.fullmatch(self._near(match.start())) is None:
            return ()
        behind = self.whole[match.end() :]
        but = earliest(self.wording.excepting.search(behind), self.wording.spares.search(behind))
        return words_of(behind[: but.start()] if but else behind, self.wording)


def earliest(one: re.Match[str] | None, two: re.Match[str] | None) -> re.Match[str] | None:
    """The match that begins first."""
    if one is None or two is None:
        return one or two
    return one if one.start() <= two.start() else two


def _is_hard(separator: re.Match[str], wording: Wording) -> bool:
    word = separator.groupdict().get("word")
    if word:
        return wording.contrast.fullmatch(word) is not None
    return separator[0].strip() not in ((",", "") if wording.spaced else ("",))
