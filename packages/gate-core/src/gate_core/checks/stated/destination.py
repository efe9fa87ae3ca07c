"""Where work went: "pushed to origin" of a push to a fork, "committed to main" of a commit on another branch, "deleted
on origin" where nothing but the own repository was touched (spec 20, "Statements": `-contradicted`).

Only what git itself printed or was told speaks against a sentence; a push that named no remote may have gone to any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.overlooked import owns_up
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import SignalState
from gate_core.model.late import late
from gate_core.model.reading import Sentence
from gate_core.model.verdict import Finding

_COMMIT = late(r"^\[(?P<branch>[^\s\]]{1,100})(?: \([\w-]+\))? [0-9a-f]{7,40}\]", re.MULTILINE)
_REF = late(r"^[ *+=!-]?.{0,200}?\S -> (?P<branch>\S{1,100})", re.MULTILINE)


def astray(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """What git says against the place that a sentence names."""
    if _opens(sentence) and (other := _of_another_head(sentence, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, "of which branch the request is", other)
        return
    named = places_in(sentence.head) if _verb().search(sentence.head) else {}
    if not named or owns_up(sentence):
        return
    if "gone" in named:
        if _only_here(ledger):
            yield unbacked("that it was deleted on the remote", fix="delete it there (git push --delete), then say so")
        return
    for event, printed in (("pushed", _REF), ("committed", _COMMIT)):
        acts = [fact for fact in ledger.facts if _went_well(fact, event)]
        if named.get("by") == event and acts and _elsewhere(named, acts, printed, ledger):
            yield lacking(Code.STATEMENT_CONTRADICTED, "where it went", acts[-1])
            return


def _of_another_head(sentence: Sentence, ledger: Ledger) -> Fact | None:
    """The last call that opened a request, where all of them named branches and the sentence names another."""
    opened = [fact for fact in ledger.facts if _went_well(fact, "pr_opened")]
    texts = [ledger.text(fact) for fact in opened]
    heads = [match[1] for found in texts if found is not None for match in _HEAD.finditer(text_of(found[0]))]
    shown = " ".join(text_of(found[1]) for found in texts if found is not None)
    named = {name.rstrip(".") for name in _BRANCH.findall(_ADDRESS.sub(" ", sentence.head))}
    if not heads or len(heads) != len(opened) or not named or any(name in shown for name in named):
        return None
    known = {part for head in heads for part in (head, head.rpartition(":")[2])}
    bases = {match[1] for found in texts if found is not None for match in _BASE.finditer(text_of(found[0]))}
    return opened[-1] if known.isdisjoint(named) and not named <= bases else None


def _opens(sentence: Sentence) -> bool:
    """True for a sentence that says that a request was opened, by word or by its address."""
    return not sentence.events.isdisjoint(_OPENED) or (
        _REQUEST.search(sentence.head) is not None and _MADE.search(sentence.head) is not None
    )


_REQUEST = late(r"/(?:pull|merge_requests)/\d+")
_MADE = late(
    r"\b(?:opened|created|submitted|raised|eröffnet|geöffnet|erstellt|ouvert|créée?|abiert|cread)", re.IGNORECASE
)
_OPENED = frozenset({"pr_opened", "pr_opened-told"})
_HEAD = late(r"(?:--head|-H|--source-branch)[ =]['\"]?([\w./:-]{1,100})")
_BASE = late(r"(?:--base|-B|--target-branch)[ =]['\"]?([\w./:-]{1,100})")
_BRANCH = late(r"(?<![\w./:@-])[A-Za-z][\w.-]{1,40}/[\w.-]{1,60}(?:/[\w.-]{1,60}){0,3}(?![\w/])")
_ADDRESS = late(r"https?://\S+")


def places_in(text: str) -> Mapping[str, str]:
    """The `remote` and the `branch` a sentence says work went to, by which event (`by`), and under `gone` the remote on
    which it says something was deleted; {} for a sentence that names none."""
    found: dict[str, str] = {}
    for kind, pattern in _patterns():
        match = pattern.search(text)
        if match is not None:
            by = kind.partition(" ")[0]
            found |= {name: value.lower() for name, value in match.groupdict().items() if value}
            found = {**found, "gone": found["remote"]} if by == "deleted" else {"by": by, **found}
    return found


@cache
def _verb() -> re.Pattern[str]:
    table = load_table("checks", "stated", "destination.toml")
    return re.compile("|".join(table[name] for name in ("pushed", "committed", "deleted")), re.IGNORECASE)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = load_table("checks", "stated", "destination.toml")
    to, quote = rf"(?:{table['to']}) (?:(?:{table['the']}) )?(?:branch |remote )?", r"[`'\"]?"
    branch = rf"{quote}(?:(?:origin|upstream)/)?(?P<branch>{table['branches']})(?![\w/.-]*\w){quote}"
    remote = rf"{quote}(?P<remote>{table['remotes']})(?![\w.-]*\w){quote}"
    word = rf"(?:(?!(?:{table['parts']})\b)[\w./`'-]{{1,60}} ){{0,3}}"
    pushed, committed, deleted = (rf"\b(?:{table[name]})" for name in ("pushed", "committed", "deleted"))
    rows = (
        ("pushed", rf"{pushed} {word}{to}{remote}"),
        ("pushed", rf"{to}{remote} {pushed}"),
        ("pushed", rf"{pushed} (?:the branch )?{branch}"),
        ("pushed", rf"{pushed} {word}{to}{branch}"),
        ("pushed", rf"{to}{branch} (?:zu )?{pushed}"),
        *(("pushed", row.replace("{branch}", rf"`?(?P<branch>{table['branches']})`?")) for row in table["unspaced"]),
        (
            "pushed",
            rf"(?:^\W{{0,10}}|\bhabe |\bbranch ){branch} (?:is |are |was |has been |\w+ \w+ )?(?:now )?{pushed}",
        ),
        ("committed", rf"{committed} {word}{to}{branch}(?= ?(?:$|[.,;:()]))"),
        ("deleted", rf"{deleted} {to}{remote}"),
    )
    return tuple((kind, re.compile(row, re.IGNORECASE)) for kind, row in rows)


def arrived(sentence: Sentence, ledger: Ledger) -> bool:
    """True when a push brought work onto a branch that a sentence names, and it speaks of no merge."""
    if re.search(load_table("checks", "stated", "destination.toml")["merging"], sentence.text, re.IGNORECASE):
        return False
    texts = (ledger.sight.text(fact) or "" for fact in ledger.facts if _went_well(fact, "pushed"))
    branches = {match["branch"] for text in texts for match in _REF.finditer(text)}
    return any(re.search(rf"(?<![A-Za-z0-9_/.-]){re.escape(b)}(?![A-Za-z0-9_/-])", sentence.text) for b in branches)


def _went_well(fact: Fact, event: str) -> bool:
    return any(signal.name == event and signal.state is SignalState.PASSED for signal in fact.signals)


def _elsewhere(named: Mapping[str, str], acts: list[Fact], printed: re.Pattern[str], ledger: Ledger) -> bool:
    """True when every act went to another remote than the one that is named, or onto other branches, and said so."""
    remotes = [_remote(fact) for fact in acts] if named["by"] == "pushed" else []
    if "remote" in named and remotes and all(remote not in ("", named["remote"]) for remote in remotes):
        return True
    if "branch" not in named:
        return False
    texts = [ledger.sight.text(fact) or "" for fact in acts]
    branches = [{match["branch"].lower() for match in printed.finditer(text)} for text in texts]
    return all(branches) and not any(named["branch"] in one for one in branches) and not _moved_on(named, ledger)


def _moved_on(named: Mapping[str, str], ledger: Ledger) -> bool:
    """True when another command of the conversation names the branch: it may have brought the work there."""
    word = re.compile(rf"(?<![\w/.-]){re.escape(named['branch'])}(?![\w.-])", re.IGNORECASE)
    return any(word.search(head) for fact in ledger.facts for head in fact.ran if not head.startswith("git commit"))


def _remote(fact: Fact) -> str:
    """The remote a push named; "" where it named none, or an address."""
    for head in fact.ran:
        words = head.split()
        if words[:2] == ["git", "push"]:
            operands = [word for word in words[2:] if not word.startswith("-")]
            known = (
                re.fullmatch(load_table("checks", "stated", "destination.toml")["remotes"], operands[0])
                if operands
                else None
            )
            return operands[0] if known else ""
    return ""


def _only_here(ledger: Ledger) -> bool:
    """True when all that the turn ran was git, and nothing of it reached a remote."""
    here = ledger.calls_here
    ran = [head for fact in here for head in fact.ran]
    beside = load_table("checks", "stated", "destination.toml")["here"]
    plain = all(fact.ran and head.partition(" ")[0] in beside for fact in here for head in fact.ran or ("",))
    return bool(ran) and plain and not any("push" in text_of(head).split() for head in ran)
