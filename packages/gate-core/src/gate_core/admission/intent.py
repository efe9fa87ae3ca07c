"""What a message of the user asks for, distilled when it arrives (spec 40, "Intent").

`intents_of` reads a message, `offers_of` the question an agent ends its answer with; both give small records that are
kept instead of the text. Asked for is what is positive and imperative, or a request in question form. A remark, an
announcement, a question whether, a quote, a text to be worked on ask for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gate_core.admission.choices import as_choice, chosen, compounds, last_of, of_order, other_thing, resolved
from gate_core.admission.clauses import QUESTION, SPECIFIC
from gate_core.admission.named import words_of
from gate_core.admission.sentence import Reader
from gate_core.admission.wording import Wording, brought_about, folded, wordings_for
from gate_core.data import load_table
from gate_core.model.grants import Intent, Mood
from gate_core.model.late import late
from gate_core.reading.segment import segments

_MOST_TEXT = 20_000  # characters of a message; one that has not asked by then is a document
_MOST_SENTENCE = 2_000
_MOST = 40  # intents of one message
_PAYS = frozenset({"pay", "refund"})
_SHORT = 60  # characters of a message that is nothing but a name
_SPEECH = late(
    r"(?<![\w\"])\"[^\"]{0,4000}?[.!?]\s[^\"]{0,4000}\"(?!\w)|“[^”]{0,4000}?[.!?]\s[^”]{0,4000}”|«[^»]{0,4000}?[.!?]\s[^»]{0,4000}»"
    r"|„[^“”]{0,4000}?[.!?]\s[^“”]{0,4000}[“”]|「[^」]{0,4000}?。[^」]{0,4000}」"
)
_ALTERNATIVE = late(r"\b(?:or|oder|ou)\b|\s[ou]\s|还是|それとも")
_FIRST_CLAUSE = late(r"[,;.!?，。！？、–—-](?:\s|$)|[，。！？、]|\b(?:but|aber|pero|mais)\b")


def intents_of(
    text: str, before: Sequence[Intent] = (), *, families: Sequence[str] = (), turn: int = 0
) -> tuple[Intent, ...]:
    """What a message of the top-level user asks for and forbids, in its order.

    `before` are the intents of the conversation so far; the offers at its end are those of the agent's last answer,
    which a bare yes takes up. `families` are the host's own beside the known ones.
    """
    found: list[Intent] = []
    offers = resolved(last_of(Mood.OFFERED, before), before)
    choices = last_of(Mood.CHOICE, before)
    corrected = list(_corrected(text, offers or _last_asked(before), offered=bool(offers)))
    found += [replace(intent, turn=turn) for intent in corrected]
    for sentence in _sentences(text) if choices and len(text) <= _SHORT else ():
        found += [replace(intent, turn=turn) for intent in chosen(_likely(sentence), sentence, choices)]
    if offers and not corrected:
        mood = _answer(text)
        found += [replace(offer, mood=mood, turn=turn) for offer in offers] if mood else []
        found += [replace(more, turn=turn) for more in _one_more(text, offers)] if mood is Mood.ASKED else []
    asked = [] if offers and _is_no(text) else [replace(intent, turn=turn) for intent in _asked(text, families)]
    bare = {i.family for i in asked if i.mood is Mood.ASKED and not i.objects}
    found += [replace(o, mood=Mood.ASKED, turn=turn) for o in offers if o.family in bare]  # "ok, return it"
    found += asked
    found += [replace(i, turn=turn) for i in _it(asked, before, turn)]
    if not found:
        found = [replace(intent, turn=turn) for intent in _taken_up(text, before, offers)]
    return tuple(dict.fromkeys(found))[:_MOST]


def _taken_up(text: str, before: Sequence[Intent], offers: Sequence[Intent]) -> Iterator[Intent]:
    """A message that names a thing, goes on with a list, or asks once more: the action is the one asked for last."""
    yield from _named_only(text, before, offers)
    yield from _again(text, before)
    if len(text) <= _SHORT:
        yield from _continued(_last_asked(before), text)


def _last_asked(before: Sequence[Intent]) -> list[Intent]:
    """What the last message asked for."""
    return [i for i in before if i.mood is Mood.ASKED and i.turn == before[-1].turn]


def _continued(last: Sequence[Intent], sentence: str) -> Iterator[Intent]:
    """ "And a box of filters": one more thing for what was asked for right before."""
    for wording in _likely(sentence) if last else ():
        if words := Reader(wording, sentence, ()).continued():
            yield from (Intent(mood=Mood.ASKED, family=family, objects=words) for family in _families(last))
            return


def _one_more(text: str, offers: Sequence[Intent]) -> Iterator[Intent]:
    """ "Yes, and T-2 as well": what is added to an offer that is taken up."""
    first = next(iter(_sentences(text)), "")
    clause = _FIRST_CLAUSE.search(first)
    yield from _continued(offers, first[clause.end() :].strip()) if clause else ()


def _asked(text: str, families: Sequence[str]) -> list[Intent]:
    found: list[Intent] = []
    last = ""
    for sentence, until in _own_sentences(text):
        wanted = [intent for intent in found if intent.mood is Mood.ASKED]
        got = list(_corrected(sentence, wanted, within=True)) or _of_sentence(sentence, last, families, until)
        if not got and found:
            found += _names_later(found, sentence) or _continued(wanted, sentence)
        found += got
        last = sentence
        if len(found) >= _MOST:
            break
    return found


def _names_later(found: Sequence[Intent], sentence: str) -> list[Intent]:
    """ "Cancel it. The code is HSR97W", "delete the files below: ...": what was asked for gets its name."""
    for wording in _likely(sentence):
        words = tuple(word for word in words_of(folded(sentence), wording) if SPECIFIC.search(word))
        unnamed = [
            i for i in found if i.mood is Mood.ASKED and not any(map(SPECIFIC.search, i.objects)) and not i.every
        ]
        listed = [i for i in unnamed if any(wording.below.search(word) for word in i.objects)]
        open_ones = listed or ([i for i in unnamed if not i.objects] if len(words) == 1 else [])
        if words and open_ones and not QUESTION.search(sentence):
            return [replace(intent, objects=words) for intent in open_ones]
    return []


def _named_only(text: str, before: Sequence[Intent], offers: Sequence[Intent]) -> Iterator[Intent]:
    """ "HSR97W, please": nothing but a name, which fills in what was asked for or offered last."""
    last = offers or _last_asked(before)
    if not last or len(text) > _SHORT or QUESTION.search(text):
        return
    for wording in _likely(text):
        words = words_of(folded(text), wording)
        if 0 < len(words) <= 3 and len(text.split()) <= 5 and any(char.isdigit() for word in words for char in word):
            for family in dict.fromkeys(intent.family for intent in last):
                yield Intent(mood=Mood.ASKED, family=family, objects=words)
        return


def _corrected(text: str, last: Sequence[Intent], *, offered: bool = False, within: bool = False) -> Iterator[Intent]:
    """What a correction makes of what was asked for last: "I meant butter", "make it 25", "just the eggs", "only the
    first one". `within` is a later sentence of the same message, where "it should be" tells more of a thing."""
    if not last:
        return
    for sentence in _sentences(text):
        for wording in _likely(sentence):
            reader = Reader(wording, sentence, ())
            if mended := list(_swapped(last, *reader.swapped()) or _other_objects(last, reader.slipped())):
                yield from mended
                return
            if reader.halts():
                return
            amended = () if within else reader.reworded(wording.amends)
            if words := reader.reworded(wording.corrects) or amended:
                yield from _other_objects(last, words)
            elif words := reader.reworded(wording.adjusts):
                yield from _adjusted(last, words)
            elif words := of_order(reader, last, alone=offered) or _of_those(reader, last):
                yield from _narrowed(last, words)
            if words:
                return


def _swapped(last: Sequence[Intent], old: tuple[str, ...], new: tuple[str, ...]) -> list[Intent]:
    """ "Not the blue one, the red one": what was said of the thing stands, but for what is put in another's place."""
    found: list[Intent] = []
    for intent in last if new else ():
        if set(old) & set(intent.objects):
            kept = tuple(word for word in intent.objects if word not in old)
            found.append(Intent(mood=Mood.FORBIDDEN, family=intent.family, objects=intent.objects))
            found.append(replace(intent, mood=Mood.ASKED, objects=(*new, *kept)))
    return found


def _narrowed(last: Sequence[Intent], words: tuple[str, ...]) -> Iterator[Intent]:
    named = (*words, *compounds(words, last))
    yield from (Intent(mood=Mood.FORBIDDEN, family=family) for family in _families(last))
    yield from (Intent(mood=Mood.ASKED, family=family, objects=named) for family in _families(last))


def _of_those(reader: Reader, last: Sequence[Intent]) -> tuple[str, ...]:
    """ "Just the eggs": the words, where one of them was named."""
    words = reader.reworded(reader.wording.narrows)
    return words if any(set(words) & set(intent.objects) for intent in last) else ()


def _families(intents: Sequence[Intent]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(intent.family for intent in intents))


def _other_objects(last: Sequence[Intent], words: tuple[str, ...]) -> Iterator[Intent]:
    """The same for other things; what was named before is off: of figures a figure, of names a name."""
    named = [word for word in words if not word.isdigit()]
    for intent in last if words else ():
        gone = (word for word in intent.objects if (bool(named) if not word.isdigit() else len(named) < len(words)))
        if old := tuple(word for word in gone if word not in words):
            yield Intent(mood=Mood.FORBIDDEN, family=intent.family, objects=old)
    if named:
        yield from (Intent(mood=Mood.ASKED, family=family, objects=words) for family in _families(last))
    elif words:
        yield from (replace(intent, mood=Mood.ASKED, objects=(*_unfigured(intent), *words)) for intent in last)


def _unfigured(intent: Intent) -> tuple[str, ...]:
    return tuple(word for word in intent.objects if not word.isdigit())


def _adjusted(last: Sequence[Intent], words: tuple[str, ...]) -> Iterator[Intent]:
    """A figure or a manner leaves the things as they were; another name takes their place."""
    renamed = [word for word in words if SPECIFIC.search(word) and any(char.isalpha() for char in word)]
    figures = [word for word in words if word.isdigit()]
    if figures or (renamed and any(SPECIFIC.search(word) for intent in last for word in intent.objects)):
        yield from _other_objects(last, tuple(figures) if figures and not renamed else words)
        return
    yield from (replace(intent, mood=Mood.ASKED) for intent in last)
    yield from (Intent(mood=Mood.ASKED, family=family, objects=words) for family in _families(last))


def _limited(found: Sequence[Intent], reader: Reader) -> Iterator[Intent]:
    """ "Pay at most 200 euros": with the limit. A bare figure limits payments, and counts things otherwise."""
    pays = any(i.family in _PAYS or i.family in brought_about() for i in found)
    figure, money = (reader.limit() if pays else None) or (None, False)
    for intent in found:
        limited = intent.mood is Mood.ASKED and (intent.family in _PAYS or (money and intent.family in brought_about()))
        yield replace(intent, limit=figure) if limited else intent


def _mended(found: Sequence[Intent], reader: Reader) -> Iterator[Intent]:
    """ "Transfer it to acct-9, no, acct-6": what is put in the place of a slip takes it. A figure leaves the things."""
    slip, put = (words_of(text, reader.wording) for text in reader.repaired())
    wanted = [i for i in found if i.mood is Mood.ASKED and set(i.objects) & set(slip)]
    only = [replace(i, objects=tuple(word for word in i.objects if word in slip)) for i in wanted]
    if put and only:
        yield from _other_objects(only, put)


def _it(asked: Sequence[Intent], before: Sequence[Intent], turn: int) -> Iterator[Intent]:
    """ "Looks good, send it": what is asked for without a name is about the only name of the message before."""
    named = {
        word
        for i in before
        if i.turn == turn - 1 and i.mood is not Mood.OFFERED
        for word in i.objects
        if SPECIFIC.search(word)
    }
    if len(named) == 1:
        yield from (
            replace(i, objects=tuple(named)) for i in asked if i.mood is Mood.ASKED and not i.objects and i.family
        )


def _again(text: str, before: Sequence[Intent]) -> Iterator[Intent]:
    """ "Try again": what was asked for last is asked for once more."""
    wanted = [intent for intent in before if intent.mood is Mood.ASKED]
    again = (
        Reader(w, sentence, (), "", until).asks_again()
        for sentence, until in _own_sentences(text)
        for w in wordings_for(sentence)
    )
    if wanted and any(again):
        yield from (intent for intent in wanted if intent.turn == wanted[-1].turn)


def offers_of(answer: str, *, families: Sequence[str] = (), turn: int = 0) -> tuple[Intent, ...]:
    """What an agent's answer asks leave for: the actions of its last question. One that leaves a choice offers none,
    but tells what may be chosen."""
    sentences = list(_sentences(answer[-_MOST_TEXT:]))
    at = next((n for n in reversed(range(len(sentences))) if QUESTION.search(sentences[n])), None)
    if at is None:
        return ()
    found = _offered(sentences[at], sentences[at - 1] if at else "", families, turn)
    if _ALTERNATIVE.search(folded(sentences[at])):
        return tuple(as_choice(found))
    found = found or other_thing(sentences[at], _likely(sentences[at]), turn)
    if not found and at and _confirms(sentences[at]) and not _ALTERNATIVE.search(folded(sentences[at - 1])):
        found = _offered(sentences[at - 1], "", families, turn)  # "I can cancel it. Is that OK?"
    return tuple(dict.fromkeys(found))[:_MOST]


def _confirms(question: str) -> bool:
    """True for a question that only asks whether to go on."""
    return any(wording.confirms.search(wording.seen(question)) for wording in wordings_for(question))


def _offered(sentence: str, before: str, families: Sequence[str], turn: int) -> list[Intent]:
    for wording in _likely(sentence):
        reader = Reader(wording, sentence, families, before)
        found = [Intent(mood=Mood.OFFERED, family=f, objects=o, every=e, turn=turn) for f, o, e in reader.offered()]
        if found:
            return found
    return []


def _sentences(text: str) -> Iterator[str]:
    for segment in segments(_SPEECH.sub('""', text[:_MOST_TEXT])):
        if not (segment.code or segment.quoted):
            yield segment.text[:_MOST_SENTENCE]


def _own_sentences(text: str) -> Iterator[tuple[str, int]]:
    """(sentence, where its verbs end to be the user's own, 0 for nowhere): not those of a text to be worked on."""
    given = False
    for sentence in _sentences(text):
        wordings = list(wordings_for(sentence))
        if given and not any(wording.resumes.match(wording.seen(sentence)) for wording in wordings):
            continue
        at = min((end for w in wordings if (end := w.material_at(w.seen(sentence)))), default=0)
        given = at > 0 or any(wording.hands_over.search(wording.seen(sentence)) for wording in wordings)
        yield sentence, at


def _answer(text: str) -> Mood | None:
    """ASKED for a yes, FORBIDDEN for a no, in the first words of a message; a yes with an "if" is none, nor is one of
    who will do it by themselves."""
    first = next(iter(_sentences(text)), "")
    if not any(map(str.isalnum, first)):
        return _sign(first)
    asks = QUESTION.search(first) is not None
    for wording in wordings_for(first):
        seen = wording.seen(first)
        clause = _FIRST_CLAUSE.split(seen, maxsplit=1)[0].strip(" .!?,。！？，")
        if asks and not wording.not_negate.fullmatch(clause):  # "why not?"
            continue
        if clause and wording.no.fullmatch(clause):
            return Mood.FORBIDDEN
        if clause and wording.yes.fullmatch(clause):
            rest = wording.not_negate.sub(" ", seen[len(clause) :])
            against = wording.unsure.search(seen) or wording.oneself.search(wording.seen(text))
            return None if against or (wording.negate.search(rest) and not wording.verbs.search(rest)) else Mood.ASKED
    return None


def _sign(text: str) -> Mood | None:
    """What a message without a word says: "👍"."""
    signs = load_table("admission", "intents", "signs.toml")
    if any(sign in text for sign in signs["no"]):
        return Mood.FORBIDDEN
    return Mood.ASKED if any(sign in text for sign in signs["yes"]) else None


def _is_no(text: str) -> bool:
    """True for a message that is a no and nothing else."""
    return any(w.no.fullmatch(w.seen(text).strip(" .!,。！，")) for w in wordings_for(text))


def _of_sentence(sentence: str, before: str, families: Sequence[str], until: int) -> list[Intent]:
    """What a sentence says in the likeliest language that makes something of it. Where that only leaves something
    alone, a language in which all is taken back reads it better."""
    wordings = _likely(sentence)
    for at, wording in enumerate(wordings):
        reader = Reader(wording, sentence, families, before, until)
        found = list(reader.intents())
        if found and not any(intent.family for intent in found):
            others = (Reader(other, sentence, families, before, until) for other in wordings[at + 1 :])
            found = next((list(other.intents()) for other in others if other.halts()), found)
        if found:
            return [*_limited(found, reader), *_mended(found, reader)]
    return []


def _likely(sentence: str) -> list[Wording]:
    """The languages of a sentence, the one with most of its small words first."""
    words = set(re.findall(r"(?<!\w)[^\W\d_]+(?!\w)", folded(sentence)))
    return sorted(wordings_for(sentence), key=lambda w: -len(words & w.stop) if w.spaced else 0)
