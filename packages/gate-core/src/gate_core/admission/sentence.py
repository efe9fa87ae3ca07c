"""One sentence of a message in one language: which verbs of which families it asks for or forbids, and of what.

What stands around a verb decides (wording.py, intents/*.toml); quoted words are no verbs, but may be objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gate_core.admission.clauses import SPECIFIC, Clauses, Verb
from gate_core.admission.named import words_of
from gate_core.admission.wording import brought_about
from gate_core.model.grants import Intent, Mood

DELETE = "delete"
THEM = "them"
"""The object of a request that speaks of several things in reach, in any language."""


class Reader(Clauses):
    """Reads one sentence in one language."""

    def intents(self) -> Iterator[Intent]:
        if self.halts():
            yield Intent(mood=Mood.FORBIDDEN, family="")
        if self.wording.unsure.search(self.text):
            return
        later = self.wording.later.search(self.text)
        if later:
            self._end_at(later.start())
            yield from (replace(intent, mood=Mood.FORBIDDEN) for intent in self._asked() if intent.objects)
            return
        yield from self._passive()
        yield from self._delegated()
        left = [
            (at, Intent(mood=Mood.FORBIDDEN, family="", objects=named)) for at, named in self._left_as_said_behind()
        ]
        asked = self._first_asked() if left else 0
        yield from (intent for at, intent in left if at < asked)
        wanted = list(self._asked())
        yield from wanted
        yield from (
            Intent(mood=Mood.FORBIDDEN, family=family, objects=self.excepted)
            for family in dict.fromkeys(intent.family for intent in wanted if self.excepted and intent.objects)
        )
        yield from self._spared()
        yield from (intent for at, intent in left if at >= asked)

    def _asked(self) -> Iterator[Intent]:
        """What its verbs ask for and forbid."""
        halted = self.wording.halt.search(self.text)
        verbs = [v for v in self._verbs() if v.mood and not (halted and halted.start() <= v.start < halted.end())]
        objects = [self._objects(at, verbs) for at in range(len(verbs))]
        for at in reversed(range(len(verbs) - 1)):
            if not any(objects[at][:2]) and verbs[at].mood is verbs[at + 1].mood:
                objects[at] = objects[at + 1]  # "cancel and refund X"
        for verb, (named, every, but) in zip(verbs, objects, strict=True):
            meant = self._meant(verb) if not named and verb.mood is Mood.ASKED else (named,)
            alone = verb.imperative and self._alone(verb)
            for family in verb.families:
                assert verb.mood is not None
                if alone and verb.mood is Mood.ASKED:
                    yield Intent(mood=Mood.FORBIDDEN, family=family)  # "only order the eggs"
                found = (self._taken_out(verb, named),) if family == DELETE and named else meant
                yield from (Intent(mood=verb.mood, family=family, objects=words, every=every) for words in found)
                if but and verb.mood is Mood.ASKED:
                    yield Intent(mood=Mood.FORBIDDEN, family=family, objects=but)

    def _first_asked(self) -> int:
        """Where the first verb stands that is asked for; what is left alone before that may be what it is about."""
        return min((verb.start for verb in self._verbs() if verb.mood is Mood.ASKED), default=len(self.text))

    def _alone(self, verb: Verb) -> bool:
        """ "Only order the eggs", "order only the eggs"."""
        only = self.wording.only
        return bool(only.search(self._near(verb.start)) or only.match(self.text, verb.end + 1))

    def _spared(self) -> Iterator[Intent]:
        """ "Keep a.log", "forget the milk", "butter, not milk": what nothing may happen to, whatever was asked."""
        for named in self._left_alone(self.wording.spares):
            yield Intent(mood=Mood.FORBIDDEN, family="", objects=named)
        for named in self._left_alone(self.wording.unneeded):
            yield from (Intent(mood=Mood.FORBIDDEN, family=family, objects=named) for family in brought_about())

    def _taken_out(self, verb: Verb, named: tuple[str, ...]) -> tuple[str, ...]:
        """ "Delete a.log from /srv" is about a.log: what something named is taken out of stays."""
        behind = self._rest(verb.end)
        out = self.wording.within.search(behind)
        inner = words_of(self.whole[verb.end : verb.end + out.start()], self.wording) if out else ()
        named_in = [word for word in inner if SPECIFIC.search(word) and word[:1] not in ("*", ".")]
        return inner if named_in else named

    def _meant(self, verb: Verb) -> tuple[tuple[str, ...], ...]:
        """What a verb without an object may be about: what was spoken of right before. Of several names a word for one
        thing chooses none; a word for several means all, and whatever else is in reach."""
        many = self.wording.plural.search(self._rest(verb.end)) is not None
        first: tuple[str, ...] = (THEM,) if many else ()
        words = self._spoken_of(self._clause_start(verb.start))
        clear = many or sum(SPECIFIC.search(word) is not None for word in words) <= 1
        return (first, words) if words and clear else (first,)

    def _spoken_of(self, start: int) -> tuple[str, ...]:
        """The words of this sentence up to a place, else those of the sentence before."""
        return words_of(self.whole[:start], self.wording) or words_of(self.before, self.wording)

    def asks_again(self) -> bool:
        """ "Try again", "could you do that once more?"."""
        match = self.wording.again.search(self.text)
        if match is None:
            return False
        near = self._near(match.start())
        return not self.wording.negate.search(near) and (not self.question or self._frames(near))

    def _passive(self) -> Iterator[Intent]:
        """ "I'd like X cancelled", "it would be great if you cancelled X"."""
        w = self.wording
        yield from self._framed(w.hoped if self.question else (*w.passive, *w.hoped), w.participles)
        yield from self._framed(() if self.question else w.nominal, w.nouns)

    def _framed(self, frames: Sequence[re.Pattern[str]], words: Mapping[str, re.Pattern[str]]) -> Iterator[Intent]:
        """What a frame asks for that says the action in one word and the thing in others."""
        match = _first(frame.search(self.text) for frame in frames)
        if match is None or self.wording.negate.search(self.text[: match.end()]):
            return
        parts = (match.start("thing"), match.start("done"), match.end("done"), match.end())
        around = sorted((parts[0], parts[1]) if parts[0] < parts[1] else (parts[0], match.end("thing")))
        named = words_of(f"{self.whole[slice(*around)]} {self.whole[parts[2] : parts[3]]}", self.wording)
        for family, forms in words.items():
            if forms.fullmatch(match["done"]):
                yield Intent(mood=Mood.ASKED, family=family, objects=named)

    def _frames(self, near: str) -> bool:
        """True where a request ends."""
        framed = self.wording.request.search(near)
        return framed is not None and not self._told_of(near[: framed.start()])

    def _delegated(self) -> Iterator[Intent]:
        """ "nginx needs a restart, can you do that?": the action that was spoken of right before."""
        match = self.wording.delegates.search(self.text)
        if match is None:
            return
        start = self._clause_start(match.start())
        near = self.text[start : match.start()]
        if not (self._frames(near) or (self.wording.lead.fullmatch(near) and not self.question)):
            return
        before = self.whole[:start] if words_of(self.whole[:start], self.wording) else self.before
        if self.wording.negate.search(near) or self.wording.negate.search(self.wording.plain(before)):
            return
        for family, named, every in Reader(self.wording, before, self.more).offered():
            words = named or words_of(before, self.wording)
            yield Intent(mood=Mood.ASKED, family=family, objects=words, every=every)

    def offered(self) -> Iterator[tuple[str, tuple[str, ...], bool]]:
        self.text = self.wording.firsts.sub(r"\1a", self.text)  # "¿cancelo?" is "shall I cancel?"
        found = [verb for verb in self._all_verbs() if not self.wording.negate.search(self._near(verb.start))]
        firsts = {self._clause_start(verb.start): verb for verb in reversed(found)}
        verbs = [v._replace(imperative=not self.wording.final) for v in sorted(firsts.values())][:3]
        for at, verb in enumerate(verbs):
            named, every, _ = self._objects(at, verbs)
            meant = (named,) if named or not self.before else self._meant(verb)
            yield from ((family, words, every) for family in verb.families for words in meant)

    def _verbs(self) -> Iterator[Verb]:
        previous: Verb | None = None
        for verb in self._all_verbs():
            mood, imperative = self._mood(verb, previous)
            placed = verb._replace(mood=mood, imperative=imperative)
            yield placed
            opens = (previous is None or self._starts_clause(verb)) and not self._is_noun(verb, self._near(verb.start))
            if mood is not None or opens:
                previous = placed

    def _mood(self, verb: Verb, previous: Verb | None) -> tuple[Mood | None, bool]:
        w, near, rest = self.wording, self._near(verb.start), self._rest(verb.end)
        far = self._far(verb.start, previous) if w.final else near
        gerund = w.gerund.search(self.text[verb.start : verb.end]) is not None
        if w.asked_after is not None:
            return self._mood_by_ending(rest, verb.start)
        if self._is_noun(verb, far):
            return None, False
        frame = w.request_gerund if gerund else w.request
        framed = frame.search(far)
        requested = framed is not None and not self._told_of(far[: framed.start()])
        if (self.question or self.tagged) and not requested:
            requested = w.request_in_question.search(near) is not None
        requested = requested or w.asked_behind.search(self.text[verb.start :]) is not None
        imperative = not gerund and w.lead.fullmatch(near) is not None
        over = w.negate_over.search(self.text[self._hard_start(verb.start) : verb.start]) is not None
        if self.question and not requested:
            return None, False
        asks = far[self._clause_before(far, framed.start()) :] if framed is not None else far
        forbids = over or self._forbids(asks if requested and not imperative else near, rest)
        if requested or imperative:
            if self._reported(verb.start):
                return None, False
            continued = self._continued(verb.start, previous) if imperative and not requested else Mood.ASKED
            return (Mood.FORBIDDEN if forbids else continued), imperative
        if previous is not None and previous.start >= self._clause_start(verb.start):
            forbids = self._forbids(
                self.text[previous.end : verb.start], ""
            )  # "no canceles la reserva" forbids one thing
        return (Mood.FORBIDDEN if forbids else None), False

    def _clause_before(self, text: str, end: int) -> int:
        """Where the clause begins that holds this place of a text: "if it is not needed, could you" denies nothing."""
        return max((m.end() for m in self.wording.separators.finditer(text, 0, end)), default=0)

    def _mood_by_ending(self, rest: str, start: int) -> tuple[Mood | None, bool]:
        w = self.wording
        assert w.asked_after is not None
        if w.negate_after.match(rest):
            return (None if self.question else Mood.FORBIDDEN), False
        if self.question and not w.asked_in_question.match(rest):
            return None, False
        if w.reports.search(self.text.rstrip("。.")):
            return None, False
        bare = not rest.strip() and self.text[:start].endswith("を")
        return (Mood.ASKED if bare or w.asked_after.match(rest) else None), False

    def _forbids(self, before: str, rest: str) -> bool:
        w = self.wording
        return bool(w.negate.search(w.not_negate.sub(" ", before)) or w.negate_after.match(rest))

    def _is_noun(self, verb: Verb, near: str) -> bool:
        """ "The order failed", "the email from Ann": the word of the verb as a thing."""
        w = self.wording
        if w.noun_before.search(near.rstrip()) is not None:
            return True
        return w.noun_after.match(self.text[verb.end :]) is not None and w.insists.search(near) is None

    def _told_of(self, before: str) -> bool:
        """ "They said you should delete it", "tell me whether you can", "why did you have to": nobody asks for it."""
        w = self.wording
        before = before.rstrip(" ,:;\"'")
        bare = w.that.sub("", before).rstrip()
        if w.reports.search(bare) is not None or w.whether.search(before) is not None:
            return True
        return self.question and (w.interrogative.search(before) or w.whether_you.search(before)) is not None

    def _reported(self, start: int) -> bool:
        """ "The mail says: delete it": somebody else's words."""
        before = self.text[: self._clause_start(start)].rstrip(" ,:;，：")
        return self.wording.reports.search(before) is not None

    def _continued(self, start: int, previous: Verb | None) -> Mood | None:
        """ "Don't delete or move it": what a bare "and" joins has one mood."""
        last = next((m for m in reversed(self.separators) if m.end() <= start), None)
        if previous is None or last is None or not last.groupdict().get("word"):
            return Mood.ASKED
        if self.wording.contrast.fullmatch(last["word"]) or self.text[: last.start()].rstrip().endswith((",", "，")):
            return Mood.ASKED
        return previous.mood

    def _objects(self, at: int, verbs: Sequence[Verb]) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
        """(what the verb is about, all of a kind, what is excepted)."""
        verb, w = verbs[at], self.wording
        stop = verbs[at + 1].start if at + 1 < len(verbs) else len(self.whole)
        stop = min([stop, *(m.start() for m in self._clauses(w.spares) if m.start() >= verb.end)])
        behind = self.whole[verb.end : stop]
        if at + 1 < len(verbs) and not w.final:
            behind = self.whole[verb.end : max(verb.end, self._clause_end_before(stop, verb.end))]
        before = ""
        if w.final and not (verb.imperative and w.spaced):
            start = verbs[at - 1].end if at else 0
            before = self.whole[max(start, self._hard_start(verb.start)) : verb.start]
            behind = self._rest(verb.end) if w.spaced or w.asked_after is not None else behind
        if w.asked_after is not None:
            behind = ""
        instead = w.instead.search(behind)
        behind, off = (behind[: instead.start()], behind[instead.end() :]) if instead else (behind, "")
        cut = w.cut.search(behind)
        if cut:
            behind = behind[: cut.start()]
        but = w.excepting.search(behind)
        excepted, listed = self._listed_apart(behind[but.end() :]) if but else ("", "")
        named = f"{before} {behind[: but.start()] if but else behind} {listed}"
        return words_of(named, w), w.every.search(named) is not None, words_of(f"{excepted} {off}", w)

    def _listed_apart(self, excepted: str) -> tuple[str, str]:
        """ "All except the wine: milk, eggs, wine": what is listed behind a colon is not what is excepted, unless the
        exception names nothing itself ("except the following: a.txt")."""
        head, colon, listed = excepted.partition(": ")
        named = words_of(head, self.wording)
        if not colon or not named or any(self.wording.below.search(word) for word in named):
            return excepted, ""
        return head, listed


def _first(matches: Iterator[re.Match[str] | None]) -> re.Match[str] | None:
    return next((match for match in matches if match is not None), None)
