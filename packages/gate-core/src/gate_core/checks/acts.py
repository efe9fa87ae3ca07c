"""Past actions on the user's things: sent, booked, saved, paid, archived, cancelled need an ok change of that family
(spec 20, "Statements")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.underway import SAY_SO, unfinished
from gate_core.checks.undone import only_tries, says_tried
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES, LOOKS, acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.reading import Reading
from gate_core.model.verdict import Finding
from gate_core.reading.turn import in_the_background

_STATUS = 300  # characters; a status answers in a line or two


def families() -> dict[str, dict[str, Any]]:
    """Kind -> what backs it: `says`, `verbs` of tool names, `programs` of commands."""
    return dict(load_table("checks", "statements.toml")["families"])


def check_act(kind: str, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a past action of a family lacks: any call that may have done it, one that went well, no later denial, and no
    record that calls it unfinished."""
    row = families()[kind]
    acts = acts_of(kind, ledger)
    tried = not any(says_tried(sentence) for sentence in reading.sentences)
    done = [fact for fact in acts if fact.outcome is Outcome.OK and not (tried and only_tries(fact, ledger))]
    done = done or [fact for fact in acts if fact.outcome is Outcome.UNKNOWN]
    if not acts:
        if not in_the_background(ledger):
            yield unbacked(row["says"])
    elif not done:
        yield lacking(Code.STATEMENT_CONTRADICTED, row["says"], acts[-1])
    elif (denied := denied_since(done[-1], ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, row["says"], denied)
    elif (waits := unfinished(kind, done[-1], reading, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, row["says"], waits, fix=SAY_SO)


def acts_of(kind: str, ledger: Ledger) -> list[Fact]:
    """The calls that may have done an act of a family."""
    row = families()[kind]
    return [fact for fact in ledger.facts if fact.executed and _acts(fact, row)]


def _acts(fact: Fact, row: dict[str, Any]) -> bool:
    """True for a call that may have done it: by its tool's name, by the programs it ran, by a browser's hand."""
    if fact.profile in ("command", "shell", "unreadable", "exec"):
        heads = {head.partition(" ")[0].rpartition("/")[2] for head in fact.ran}
        known = bool(heads) and heads <= _of_one_purpose() and not any(e.did in CHANGES for e in fact.effects)
        unknown = any(effect.did is Did.OPAQUE for effect in fact.effects) and not known
        files = row.get("files", False) and acted(fact) and not known
        return (bool(heads & set(row["programs"])) and not _only_looked(fact)) or unknown or files
    if not acted(fact) and fact.outcome is Outcome.OK:
        return False
    words = words_of(fact.tool)
    if words & _asking() and not _hands_on(words):
        return row.get("drafts", False) and "draft" in words
    if words & _any_act():
        return True
    return bool(words & set(row["verbs"])) or not words & _other_verbs()


def _only_looked(fact: Fact) -> bool:
    """True for a command that went well and did nothing but look into another world ("gh pr view")."""
    far = [effect.did for effect in fact.effects if is_far(effect.domain)]
    return bool(far) and fact.outcome is Outcome.OK and all(did in LOOKS for did in far) and not acted(fact)


@cache
def _of_one_purpose() -> frozenset[str]:
    """Programs that do what they are for and nothing on the user's things besides."""
    return frozenset(load_table("checks", "statements.toml")["of_one_purpose"])


def words_of(tool: str) -> set[str]:
    """The words of a tool's name, lower case."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", tool)
    return {word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word}


@cache
def _asking() -> frozenset[str]:
    return frozenset(load_table("checks", "statements.toml")["only_asking"])


def _hands_on(words: set[str]) -> bool:
    """True for a tool that sends what was prepared: "send_draft", and not "preview_send"."""
    table = load_table("checks", "statements.toml")
    return bool(words & set(table["hands_on"])) and words & _asking() <= set(table["prepared"])


@cache
def _any_act() -> frozenset[str]:
    """Words of tools that hand a request on: what it does, its arguments say."""
    return frozenset(load_table("checks", "statements.toml")["any_act"])


@cache
def _other_verbs() -> frozenset[str]:
    """The verbs of all families: a tool with none of them may do anything ("browser_click")."""
    return frozenset(verb for row in families().values() for verb in row["verbs"])


@cache
def _failed() -> re.Pattern[str]:
    return re.compile("|".join(load_table("checks", "statements.toml")["denies"]), re.IGNORECASE | re.MULTILINE)


def denied_since(act: Fact, ledger: Ledger) -> Fact | None:
    """A later look whose status-like result says that it went wrong, and that the answer passes over."""
    looks = set(ledger.looks_here)
    for fact in ledger.calls_here:
        if fact.at <= act.at or fact.size > _STATUS or not (fact in looks or _goes_on(fact, act)):
            continue
        if fact.profile == "command" and not any(is_far(effect.domain) for effect in fact.effects):
            continue
        found = ledger.text(fact)
        if found is not None and not _is_file(fact) and _failed().search(text_of(found[1])):
            return fact
    return None


def _goes_on(fact: Fact, act: Fact) -> bool:
    """True for a call by the same hand that ended badly: `browser_snapshot` behind `browser_click`."""
    hand = _HAND.match(act.tool)
    bad = fact.outcome in (Outcome.FAILED, Outcome.UNKNOWN)
    return bad and fact.tool != act.tool and hand is not None and fact.tool.startswith(hand[0])


_HAND = re.compile(r"(?:mcp__\w+?__)?(?:browser|page|playwright|puppeteer|computer)_")


def bad_cue(fact: Fact, ledger: Ledger) -> str:
    """The words by which a look says that it went wrong, "" where its text is gone."""
    found = ledger.text(fact)
    cue = _failed().search(text_of(found[1])) if found is not None else None
    return cue[0].strip() if cue is not None else ""


def is_far(domain: str) -> bool:
    """True for the world of a client or a server, which a look there shows."""
    return domain not in ("files", "sql") and not domain.startswith(("host:", "tool:"))


def _is_file(fact: Fact) -> bool:
    return any(effect.domain == "files" for effect in fact.effects)
