"""What silence proves: a search that no longer finds what a change took away, and a comparison that finds a copy equal
to what it was copied from (spec 10, "Debts": `read`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gate_core.footprint.rules import ANALYSED, does
from gate_core.footprint.targets import last_name, same_target
from gate_core.footprint.texts import replacements
from gate_core.footprint.vain import Vain, vain_of_tool
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.profiles import resolve

_CLEAN = late(r"nothing to commit|working tree clean")
_HARMLESS = frozenset({"--", "--stat", "--name-only", "--short", "-s", "--porcelain", "-b", "--exit-code"})
_ENDED = frozenset({Outcome.OK, Outcome.EMPTY, Outcome.NO_OP})

Texts = Callable[[Fact], "tuple[JsonObject, Json] | None"]


class Silent:
    """Answers about the texts of one ledger."""

    def __init__(self, texts: Texts, config: GateConfig) -> None:
        self._texts = texts
        self._config = config
        self._vain: dict[str, Vain | None] = {}

    def vain(self, look: Fact) -> Vain | None:
        """What a search that found nothing was for; None for every other call."""
        if look.key not in self._vain:
            self._vain[look.key] = self._read_vain(look)
        return self._vain[look.key]

    def _read_vain(self, look: Fact) -> Vain | None:
        analysed = look.profile == ANALYSED
        silent = look.outcome is Outcome.EMPTY
        if analysed:
            silent = look.outcome is Outcome.OK and any(does("search", head) for head in look.ran)
        roots = tuple(effect.target for effect in look.effects if effect.did is Did.LISTED)
        found = self._texts(look) if silent and roots else None
        if found is None:
            return None
        call, profile = self._call(look, found)
        if not analysed:
            return vain_of_tool(found[0], roots) if profile.search else None
        from gate_core.footprint.silence import vain_of_command  # with the first command

        return vain_of_command(profile, call, roots)

    def took(self, look: Fact, changes: Sequence[Fact], target: str, before: Sequence[Fact]) -> bool:
        """True when a search that found nothing was for just what all these changes took away from a target. `before`
        are looks that may show that it stood there."""
        vain = self.vain(look)
        if vain is None or not vain.covers(target):
            return False
        return all(self._took(vain, change, target, before) for change in changes)

    def _took(self, vain: Vain, change: Fact, target: str, before: Sequence[Fact]) -> bool:
        found = self._texts(change)
        if found is None:
            return False
        call, profile = self._call(change, found)
        if change.profile != ANALYSED:
            pairs = replacements(profile, found[0])
        else:
            from gate_core.footprint.silence import script_pairs  # with the first command

            pairs = script_pairs(profile, call, target)
            if not any(self._stood(vain, look, target) for look in before if look.at < change.at):
                return False  # a script that meets nothing ends as well as one that does its work
        return bool(pairs) and all(vain.took(new, old) for new, old in pairs)

    def _stood(self, vain: Vain, look: Fact, target: str) -> bool:
        """True when an earlier search or read showed the text in the target."""
        found = self._texts(look)
        if found is None:
            return False
        shown, asked = text_of(found[1]), " ".join(text_of(value) for value in found[0].values())
        names = any(same_target(effect.target, target) for effect in look.effects) or last_name(target) in shown
        return names and bool(shown.strip()) and (vain.text in shown or vain.text in asked)

    def clean(self, look: Fact) -> tuple[str, ...] | None:
        """The paths of which git says that nothing differs from what is committed, () for all of them; None for every
        other call."""
        if look.profile != ANALYSED or len(look.ran) != 1 or not look.ran[0].startswith(("git diff", "git status")):
            return None
        words = look.ran[0].split()[2:]
        paths = tuple(word for word in words if not word.startswith("-") and word != "HEAD")
        found = self._texts(look) if look.outcome in _ENDED and _plain(words, paths) else None
        if found is None:
            return None
        text = text_of(found[1]).strip()
        return paths if not text or (look.ran[0].startswith("git status") and _CLEAN.search(text)) else None

    def restored(self, look: Fact, change: Fact, target: str) -> bool:
        """True when a file was put back to what is committed and git finds no difference."""
        paths = self.clean(look)
        if paths is None or not any(does("restore", head) for head in change.ran):
            return False
        return not paths or any(same_target(path, target) or f"/{path.strip('/')}/" in target for path in paths)

    def same(self, look: Fact, copied: Fact, target: str) -> bool:
        """True when a look compared a copy with what it was copied from and found no difference."""
        if not any(map(_compares, look.ran)):
            return False
        if not any(does("copy", head) for head in copied.ran):
            return False
        if look is copied and not _compares_last(look.ran):
            return False
        seen, made = self._texts(look), self._texts(copied)
        if seen is None or made is None:
            return False
        from gate_core.footprint.silence import compared_equal, copied_from  # with the first command

        call, profile = self._call(copied, made)
        sources = copied_from(profile, call, target)
        call, profile = self._call(look, seen)
        return any(
            same_target(one, target) and any(same_target(other, source) for source in sources)
            for pair in compared_equal(profile, call)
            for one, other in (pair, pair[::-1])
        )

    def _call(self, fact: Fact, found: tuple[JsonObject, Json]) -> tuple[ToolCall, ToolProfile]:
        call = ToolCall(tool=fact.tool, args=found[0], result=found[1])
        return call, resolve(call, self._config).profile


def _compares(head: str) -> bool:
    return does("compare", head) or does("sum", head)


def _compares_last(ran: Sequence[str]) -> bool:
    """True for a command whose last comparison stands behind its last copy."""
    copies = [at for at, head in enumerate(ran) if does("copy", head)]
    return any(map(_compares, ran[copies[-1] + 1 :]))


def _plain(words: Sequence[str], paths: Sequence[str]) -> bool:
    """True for words that ask git about the working tree: no revision, and nothing that hides a difference."""
    options = {word for word in words if word.startswith("-")}
    return options <= _HARMLESS and not any("~" in path or "^" in path or ".." in path for path in paths)
