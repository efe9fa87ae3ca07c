"""What the text of a look shows: a change's new lines, a name, or that a name is gone.

Texts are looked up when asked, each once. Where one is gone nothing is known, and the answer is None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from gate_core.footprint.body import body_of
from gate_core.footprint.envelope import asked_for, ended, handles, record
from gate_core.footprint.given import command_text
from gate_core.footprint.keys import Kind, kind_of
from gate_core.footprint.rules import ANALYSED, does
from gate_core.footprint.targets import last_name
from gate_core.footprint.texts import replacements, values_in
from gate_core.ledger.silent import Silent
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kept import kept
from gate_core.model.kinds import ToolEffect
from gate_core.model.late import late
from gate_core.profiles import resolve
from gate_core.profiles.verbs import name_words

Texts = Callable[[Fact], "tuple[JsonObject, Json] | None"]

_FEW = 3  # up to this many changed lines all must be seen
_MOST_OF = 0.9  # of more, more than this share: formatters drop a line
_SEARCHED = 20_000_000  # characters looked through for lines that are no line of a look
_SEARCHES = 32  # but so many such lines are looked for in every look, however long it is
_GUTTER = late(r"^[ \t]*\d{1,7}(?:→|\t|\|)", re.MULTILINE)  # line numbers that readers put before the text
_ENDS = late(r"terminat|delet|destroy|remov|shutting|not ?found|no such|does not exist|\b404\b", re.IGNORECASE)
_FIELD = 60  # characters of the longest value of a field that is compared
_VALUE = 2_000  # characters of the longest output that may be the value of one line
_WORD = late(r"\w+")
_NAME = late(r"[\w.+@-]+")
_MARKS = ".+@-"


class Shown:
    """The text of a look, prepared for the question whether lines stand in it.

    Layout, quotes and punctuation do not count. Nearly every line is found among the lines of the look; the few that
    are not are searched for in the whole of it, with a budget: what was not searched is not shown.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._left = max(_SEARCHES, _SEARCHED // (len(text) + 1))
        self._quick = _SEARCHES

    @kept
    def lines(self) -> frozenset[str]:
        """The words of each line, and the lines without any word as they are."""
        return frozenset(_told(line) for line in set(self.text.splitlines()))

    @kept
    def words(self) -> str:
        """The words of the whole text."""
        return _spaced(self.text)

    @kept
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(self.words.split(" "))

    def stands(self, line: str) -> bool:
        """True when the words of a line stand in the text one behind the other."""
        if (plain := self._plainly(line)) is not None:
            return plain
        told = _told(line)
        if told in self.lines:
            return True
        if told[:1] != " ":
            return self._search(told, self.text)
        return self._vocabulary.issuperset(told.split(" ")) and self._search(told, self.words)

    def _plainly(self, line: str) -> bool | None:
        """What can be said of a line before the text is taken apart: for the first few lines, which mostly are all."""
        if self._quick <= 0 or not (words := _WORD.findall(line)):
            return None
        self._quick -= 1
        text = self.text
        if any(word not in text for word in words):
            return False
        at = text.find(line)
        if at < 0:
            return None
        before, behind = text[:at].rpartition("\n")[2], text[at + len(line) :].partition("\n")[0]
        return True if not (before.strip() or behind.strip()) else None

    def holds(self, line: str) -> bool:
        """True when a line stands in the text as it is, inside of words too."""
        inner = _WORD.findall(line)[1:-1]
        if inner and not self._vocabulary.issuperset(inner):
            return False
        return self._search(line, self.text)

    def lacks(self, part: str) -> bool:
        """True when a text does not stand there, as it is; False when nobody looked."""
        return not self._search(part, self.text) and not self.exhausted

    def _search(self, part: str, text: str) -> bool:
        self._left -= 1
        return self._left >= 0 and part in text

    @property
    def exhausted(self) -> bool:
        """True when something was not searched for any more."""
        return self._left < 0


class Written:
    """One place of a change, prepared to be looked for: its new lines with how often each comes, and the lines it took
    away for good."""

    def __init__(self, new: str, old: str) -> None:
        before, after = dict.fromkeys(_lines(old)), _lines(new)
        kept = set(after)
        self.fresh = Counter(line for line in after if line not in before)
        self.number = self.fresh.total()
        self.gone = [line for line in before if line not in kept] if not self.fresh else []
        self._replaced = old.strip() if old not in new else ""

    def visible(self, shown: Shown, *, part: bool) -> bool:
        """Whether a look shows it. With `part` one new line is enough; a mere deletion shows by a line being gone."""
        if not self.fresh:
            return not self.gone or any(not (shown.stands(line) or shown.exhausted) for line in self.gone)
        if part:
            return any(self._stands(line, shown) for line in self.fresh)
        seen = sum(times for line, times in self.fresh.items() if self._stands(line, shown))
        return seen == self.number if self.number <= _FEW else seen > _MOST_OF * self.number

    def asked(self, shown: Shown, command: str) -> bool:
        """True when a command asked for the value of one new line: it spells some of the words ("jq .t"), and what it
        printed holds all the others."""
        if len(shown.text) > _VALUE:
            return False
        spelt, printed = set(_WORD.findall(command)), set(_WORD.findall(shown.text))
        told = (set(_WORD.findall(line)) for line in self.fresh)
        return any(words & spelt and words - spelt and words - spelt <= printed for words in told)

    def _stands(self, line: str, shown: Shown) -> bool:
        """A change inside of a word shows as it stands, unless what it replaced stands there still."""
        if shown.stands(line):
            return True
        return shown.holds(line) and (not self._replaced or shown.lacks(self._replaced))


Known = dict[tuple[str, str, str, bool], bool]
"""(look, change, target, part) -> whether the look shows the change. Texts of a key never change, so it stays true."""


class Sight:
    """Answers about the texts of one ledger. `known` holds answers of earlier ledgers, and takes those of this one."""

    def __init__(self, texts: Texts, config: GateConfig, known: Known | None = None) -> None:
        self._texts = texts
        self._config = config
        self._known: Known = {} if known is None else known
        self._shown: dict[tuple[str, str], Shown | None] = {}
        self._written: dict[tuple[str, str], tuple[Written, ...]] = {}
        self._places_of: dict[str, Mapping[tuple[str, str], str]] = {}
        self._names: dict[str, frozenset[str] | None] = {}
        self.silent = Silent(texts, config)

    def shows(self, look: Fact, change: Fact, target: str, *, part: bool) -> bool | None:
        """Whether a look shows what a change wrote to a target. With `part` one changed line of it is enough.

        A change whose new text is empty shows by its old text being gone.
        """
        asked = (look.key, change.key, target, part)
        answer = self._known.get(asked)
        if answer is None:
            places = self._places(change, target)
            shown = self._look(look, target) if places else None
            if shown is None:
                return None
            answers = (place.visible(shown, part=part) for place in places)
            answer = any(answers) if part else all(answers)
            if part and not answer and look.profile == ANALYSED:
                answer = self._picks(look, target, places)
            self._known[asked] = answer
        return answer

    def _picks(self, look: Fact, target: str, places: tuple[Written, ...]) -> bool:
        """True when a command printed the value of a changed line and not the line: `jq .t a.json`."""
        found, shown = self._texts(look), self._look(look, target)
        if found is None or shown is None:
            return False
        asked = " ".join(text_of(value) for value in found[0].values()).replace(last_name(target), " ")
        return any(place.asked(shown, asked) for place in places)

    def _places(self, change: Fact, target: str) -> tuple[Written, ...]:
        """Each place a change wrote; empty when it does not say."""
        key = (change.key, target if change.profile == ANALYSED else "")
        found = self._written.get(key)
        if found is None:
            found = self._written[key] = tuple(Written(new, old) for new, old in self._pairs(change, target))
        return found

    def _pairs(self, change: Fact, target: str) -> Iterable[tuple[str, str]]:
        """(new text, replaced text) of each place a change wrote."""
        found = self._texts(change)
        if found is None:
            return ()
        call = ToolCall(tool=change.tool, args=found[0])
        profile = resolve(call, self._config).profile
        if change.profile != ANALYSED:
            return replacements(profile, found[0])
        from gate_core.footprint.shell import written_text  # with the first command

        written = written_text(profile, call, target, self._config)
        return ((written, ""),) if written else ()

    def _look(self, look: Fact, target: str) -> Shown | None:
        """What a look shows; None when its text is gone. A diff of two files shows another text of each."""
        side = target if any(does("line_by_line", head) for head in look.ran) else ""
        if (look.key, side) not in self._shown:
            text = self._seen(look, side)
            self._shown[look.key, side] = None if text is None else Shown(text)
        return self._shown[look.key, side]

    def _seen(self, look: Fact, side: str) -> str | None:
        found = self._texts(look)
        if found is None:
            return None
        text = text_of(found[1])
        if look.profile == ANALYSED:
            call = ToolCall(tool=look.tool, args=found[0], result=found[1])
            from gate_core.footprint.shell import visible_text  # with the first command

            text = visible_text(resolve(call, self._config).profile, call, side)
        return _GUTTER.sub("", text)

    def text(self, look: Fact) -> str | None:
        """What a look shows, as far as it shows anything of files; None when its text is gone."""
        shown = self._look(look, "")
        return None if shown is None else shown.text

    def elsewhere(self, look: Fact, change: Fact) -> bool:
        """True when two commands name different places of one kind: another database, another namespace."""
        from gate_core.shell.whereabouts import differ  # with the first command

        return differ(self.whereabouts(look), self.whereabouts(change))

    def whereabouts(self, fact: Fact) -> Mapping[tuple[str, str], str]:
        """(world, kind of place) -> where the clients of a command worked, as far as it says so."""
        if fact.profile != ANALYSED:
            return {}
        held = self._places_of.get(fact.key)
        if held is None:
            found = self._texts(fact)
            from gate_core.footprint.shell import places_of  # as above

            call = ToolCall(tool=fact.tool, args=found[0], cwd="") if found is not None else None
            held = places_of(resolve(call, self._config).profile, call) if call is not None else {}
            self._places_of[fact.key] = held
        return held

    def meant(self, change: Fact) -> Iterator[tuple[str, str]]:
        """(value, what it replaces) of what a change was to bring, by its arguments; names of things are no values."""
        found = self._texts(change)
        if found is None:
            return
        profile = resolve(ToolCall(tool=change.tool, args=found[0]), self._config).profile
        if change.profile == ANALYSED:
            command = command_text(profile, ToolCall(tool=change.tool, args=found[0])) or ""
            yield from ((value, "") for value in values_in(command))
        elif pairs := replacements(profile, found[0]):
            yield from pairs
        else:
            yield from ((text_of(value), "") for key, value in _plainly(found[0]) if kind_of(key).kind is Kind.TEXT)

    def refutes(self, look: Fact, change: Fact) -> bool:
        """True when a look at a thing that was set to something shows it set to something else: the same field."""
        if name_words(change.tool)[:1] not in _SETTERS:
            return False
        found, asked = self._texts(look), self._texts(change)
        told = body_of(found[1]).object if found is not None else None
        if told is None or asked is None:
            return False
        return any(key in told and not _same(value, told[key]) for key, value in asked[0].items() if _is_plain(value))

    def ended(self, look: Fact, change: Fact) -> bool | None:
        """Whether the job that a change became ended well, as a look at it by the id of the change's own result shows;
        None where it does not show that."""
        found, begun = self._texts(look), self._texts(change)
        told, job = (body_of(pair[1]).object if pair else None for pair in (found, begun))
        if found is None or told is None or job is None or not handles(record(job)) & asked_for(found[0]):
            return None
        return ended(record(told))

    def names(self, listing: Fact) -> frozenset[str] | None:
        """The names a listing's text holds, each with its last component; None when the text is gone."""
        if listing.key not in self._names:
            found = self._texts(listing)
            self._names[listing.key] = None if found is None else _names_in(text_of(found[1]))
        return self._names[listing.key]

    def lists(self, listing: Fact, target: str) -> bool:
        """True when the text of a listing or search holds the target's last name."""
        found = self.names(listing)
        return found is not None and last_name(target) in found

    def still_names(self, look: Fact, target: str) -> bool:
        """True when a look still names a thing and says nothing of an end of it."""
        found = self._texts(look)
        return self.lists(look, target) and found is not None and _ENDS.search(text_of(found[1])) is None

    def absent(self, listing: Fact, target: str) -> bool:
        """True when a listing shows that a name is gone: it would have shown it, and does not."""
        found, names = self._texts(listing), self.names(listing)
        if found is None or names is None:
            return False
        name, patterns = last_name(target), self._limits(listing, found)
        if patterns is None or not all(_fits(name, last_name(pattern)) for pattern in patterns):
            return False
        return name not in names and not (_is_odd(name) and name in text_of(found[1]))

    def _limits(self, listing: Fact, found: tuple[JsonObject, Json]) -> tuple[str, ...] | None:
        """The patterns a listing was limited to; None for what is no listing."""
        if listing.profile == ToolEffect.LIST.value:
            pattern = found[0].get("pattern")
            return (pattern,) if isinstance(pattern, str) else ()
        if listing.profile != ANALYSED:
            return None
        call = ToolCall(tool=listing.tool, args=found[0], result=found[1])
        from gate_core.footprint.shell import listing_limits  # with the first command

        return listing_limits(resolve(call, self._config).profile, call)


def _plainly(args: JsonObject) -> Iterator[tuple[str, Json]]:
    """(key, value) of the plain values among arguments, and of those inside of them."""
    for key, value in args.items():
        if isinstance(value, Mapping):
            yield from _plainly(value)
        elif _is_plain(value) and not isinstance(value, bool):
            yield key, value


_SETTERS = (("update",), ("set",), ("modify",), ("change",), ("edit",))


def _is_plain(value: Json) -> bool:
    return isinstance(value, str | int | float) and bool(str(value).strip()) and len(str(value)) <= _FIELD


def _same(given: Json, shown: Json) -> bool:
    """True for one value in two spellings; what is no plain value, is not compared."""
    if not _is_plain(shown):
        return True
    one, other = (" ".join(re.findall(r"[\w.]+", str(value).lower().replace("_", " "))) for value in (given, shown))
    if one == other or one in other or other in one:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _fits(name: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase  # only a listing with a pattern needs it

    return fnmatchcase(name, pattern)


def _names_in(text: str) -> frozenset[str]:
    """The runs of name characters, without the marks behind them."""
    return frozenset(run.rstrip(_MARKS) for run in set(_NAME.findall(text))) - {""}


def _is_odd(name: str) -> bool:
    """True for a name with characters that part names in a text."""
    return _NAME.fullmatch(name) is None or name.endswith(tuple(_MARKS))


def _spaced(text: str) -> str:
    """The words of a text, one blank around each; layout, quotes and punctuation do not count."""
    return f" {' '.join(_WORD.findall(text))} "


def _told(line: str) -> str:
    """A line as lines are compared: its words with blanks around, or itself when it has none."""
    words = _WORD.findall(line)
    return f" {' '.join(words)} " if words else line.strip()


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
