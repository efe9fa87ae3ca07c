"""Completions: something changed, and every change was settled after it was made (spec 10, "Debts")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from gate_core.checks.finding import call_name, finding
from gate_core.checks.listed import check_listed
from gate_core.checks.overlooked import owns_up
from gate_core.checks.parted import told_in_part
from gate_core.checks.remedies import payment_of, payment_of_opaque
from gate_core.checks.scratch import is_scratch
from gate_core.checks.subjects import claimed, prompted, sentence_names, stated_changes, subject_targets
from gate_core.checks.taken_on import is_nodded, only_taken_on, says_it_runs, tells_acts_alone
from gate_core.checks.undone import says_taken_back, takes_back, was_rolled_back
from gate_core.data import load_table
from gate_core.footprint.globs import is_glob
from gate_core.footprint.targets import FILES, last_name, same_target
from gate_core.ledger import Debt, Ledger
from gate_core.ledger.exercise import exercises
from gate_core.ledger.index import TargetIndex, names
from gate_core.ledger.touch import CHANGES
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Claim, Did, Outcome, Receipt, Settle, SignalState, ToolEffect
from gate_core.model.late import late
from gate_core.model.reading import Reading, Says, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says
from gate_core.reading.turn import in_the_background

MAKING = frozenset({Says.CHANGED, Says.PASSIVE})


def check_completion(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterator[Finding]:
    """The findings of a completion; an unverified answer gets the same list, which then weighs nothing."""
    honest = reading.claim is Claim.UNVERIFIED
    if not honest:
        yield from _running(ledger)
    if not (ledger.changes_here or ledger.opaque_here or ledger.events_here or _settled_pending(ledger)):
        excused = in_the_background(ledger) or _needless(reading, ledger) or _only_built(reading, ledger)
        excused = excused or _only_taken_back(reading, ledger) or told_in_part(reading, ledger)
        if not honest and not excused:
            yield from _nothing_done(ledger)
        return
    named = names(part for token in claimed(reading) for part in (token.target, token.text.lower()))
    started, under_way = _only_started(reading), _is_under_way(reading)
    owed = [
        d
        for d in ledger.debts
        if _is_owed(d, named, ledger) and not (started and (d.pending or (under_way and d.domain != FILES)))
    ]
    runs, alone = says_it_runs(reading), tells_acts_alone(reading, ledger)
    for debt in owed:
        if alone and debt.by is None and is_nodded(debt, config):
            continue
        if debt.by is None or (runs and only_taken_on(debt, ledger)):
            yield _unpaid(debt, ledger)
            if debt.hidden:
                yield finding(Code.CHANGE_NOT_VISIBLE, debt.target, where=_place(debt), evidence=(debt.change,))
    yield from _unmade(reading, ledger)
    yield from check_listed(reading, ledger)
    yield from _failures(reading, ledger, config)
    if not any(debt.by is None and not is_nodded(debt, config) for debt in owed):
        yield from _opaque(reading, ledger, nods=alone and config.settles(Settle.STATE))


_LISTS = late(r"todo|plan", re.IGNORECASE)


def _only_started(reading: Reading) -> bool:
    """True when the answer says of work that it was started and still runs, and tells of no other change."""
    made = [sentence for sentence in reading.sentences if sentence.says & MAKING]
    begun = reading.states(Says.STARTED) and all(says("begun", sentence) for sentence in made)
    begun = begun or (bool(made) and all(says("underway", sentence) for sentence in made))
    return begun and not any(says("ended", sentence) for sentence in made)


def _is_under_way(reading: Reading) -> bool:
    """True when all that the answer says was started is being done ("is being stopped"), and not how things are by
    now ("is running")."""
    told = [sentence for sentence in reading.sentences if Says.STARTED in sentence.says]
    return bool(told) and all(says("begun", sentence) or says("being", sentence) for sentence in told)


def _needless(reading: Reading, ledger: Ledger) -> bool:
    """True when there was nothing to change: the tools that were to do it say so, and the answer does."""
    ended = {fact.outcome for fact, _ in ledger.failures_here}
    told = reading.states(Says.ALREADY) or reading.states(Says.UNCHANGED)
    return (ended == {Outcome.NO_OP} and told) or _only_planned(reading, ledger)


def _only_taken_back(reading: Reading, ledger: Ledger) -> bool:
    """True when the answer says that nothing was changed, and tells of no other act than of taking back what a call of
    this turn took back."""
    made = [sentence for sentence in reading.sentences if sentence.says & MAKING]
    return reading.states(Says.UNCHANGED) and all(map(says_taken_back, made)) and was_rolled_back(ledger)


def _only_planned(reading: Reading, ledger: Ledger) -> bool:
    """True when the turn kept a to-do list and the answer tells of no other change than of that list."""
    kept = any(fact.profile == ToolEffect.NEUTRAL.value and _LISTS.search(fact.tool) for fact in ledger.calls_here)
    made = [sentence for sentence in reading.sentences if sentence.says & MAKING]
    return kept and bool(made) and all(says("planned", sentence) for sentence in made)


def _only_built(reading: Reading, ledger: Ledger) -> bool:
    """True when the answer tells of nothing made but a build, and a run of this turn built."""
    ran = (event for fact in ledger.calls_here for event in fact.signals)
    built = any(event.name == "build_passed" and event.state is SignalState.PASSED for event in ran)
    made = [sentence for sentence in reading.sentences if sentence.says & MAKING]
    return built and bool(made) and all(says("built", sentence) for sentence in made)


def _settled_pending(ledger: Ledger) -> bool:
    """True when a change of this turn is still running or ended unclear: it is judged by its debt."""
    return any(debt.change.turn == ledger.turn for debt in ledger.debts)


def _running(ledger: Ledger) -> Iterator[Finding]:
    """Work that was only started, where nothing else was done that the answer could mean."""
    if any(fact.outcome is Outcome.OK for fact, _ in (*ledger.changes_here, *ledger.opaque_here)) or ledger.events_here:
        return
    for fact in ledger.calls_here:
        if fact.outcome is Outcome.PENDING and not any(effect.did in CHANGES for effect in fact.effects):
            yield finding(Code.CHANGE_PENDING, f"tool:{fact.tool}", where="a tool", evidence=(fact,))
            return


def _nothing_done(ledger: Ledger) -> Iterator[Finding]:
    failed = ledger.failures_here
    if not failed:
        yield finding(Code.NO_CHANGE)
    for fact, effect in {effect.target: (fact, effect) for fact, effect in failed}.values():
        yield finding(
            Code.CHANGE_FAILED, effect.target, where=f"the target of {call_name(fact.call)}", evidence=(fact,)
        )


def _is_owed(debt: Debt, named: TargetIndex[None], ledger: Ledger) -> bool:
    """Every change of this turn is owed, a deletion only when the answer speaks of it or did nothing else; an older
    change only when the answer names it."""
    spoken_of = named.means(debt.target) or named.means(debt.target.partition(":")[2].lower())
    if debt.unmade:
        return False
    if debt.change.turn != ledger.turn or is_scratch(debt, ledger):
        return spoken_of
    if not debt.gone or spoken_of:
        return True
    return all(effect.did is Did.DELETED for _, effect in ledger.changes_here)


def _place(debt: Debt) -> str:
    """Where an unprintable target stands: "the 2nd target of call c7"."""
    targets = list(dict.fromkeys(e.target for e in debt.change.effects if e.did in CHANGES))
    at = targets.index(debt.target) if len(targets) > 1 and debt.target in targets else None
    which = "the" if at is None else f"the {_ORDINALS[at] if at < len(_ORDINALS) else f'{at + 1}th'}"
    return f"{which} target of {call_name(debt.change.call)}"


_ORDINALS = ("1st", "2nd", "3rd")


def _unpaid(debt: Debt, ledger: Ledger) -> Finding:
    code = unpaid_code(debt, ledger)
    return finding(code, debt.target, where=_place(debt), evidence=(debt.change,), fix=payment_of(debt))


def _unmade(reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What was made and deleted again in this turn is not there: no answer may say that it was made."""
    made = names(sentence_names(reading, _says_there))
    for debt in ledger.debts:
        if debt.unmade and debt.change.turn == ledger.turn and made.means(debt.target):
            yield finding(Code.CHANGE_FAILED, debt.target, where=_place(debt), evidence=(debt.change,))


def _says_there(sentence: Sentence) -> bool:
    """True of a sentence by which a thing was made, or is something."""
    if says("deleting", sentence):
        return False
    return bool(sentence.says & MAKING) or (Says.STATE in sentence.says and not says("absent", sentence))


def unpaid_code(debt: Debt, ledger: Ledger) -> Code:
    """What an open debt is called: found missing, still running, unseen in this turn, or carried from an older one."""
    if debt.contradicted:
        return Code.CHANGE_FAILED
    if debt.pending:
        return Code.CHANGE_PENDING
    return Code.CHANGE_UNSEEN if debt.change.turn == ledger.turn else Code.DEBT_CARRIED


def _failures(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterator[Finding]:
    """Changes that failed, that nothing made good, and that the answer means, or the prompt when it names nothing."""
    about = subject_targets(reading, ledger, config) or prompted(ledger)
    admitted = _admitted(reading)
    done = names(effect.target for _, effect in ledger.changes_here)
    for fact, effect in ledger.failures_here:
        meant = [name for name in about if same_target(effect.target, name)]
        excused = all(done.means(name) for name in meant)  # a name that means what was done as well
        if meant and not excused and not admitted(effect.target):
            yield finding(
                Code.CHANGE_FAILED, effect.target, where=f"the target of {call_name(fact.call)}", evidence=(fact,)
            )


def _admitted(reading: Reading) -> Callable[[str], bool]:
    """Whether the answer owns up to a failed target: in the sentence that names it, or, where no sentence that claims
    something names it, anywhere."""
    owned = names(sentence_names(reading, lambda s: bool(s.says & _OWNED)))
    claims = names(sentence_names(reading, lambda s: bool(s.says & {*MAKING, Says.STATE}) and not s.says & _OWNED))
    anywhere = any(Says.UNABLE in sentence.says for sentence in reading.sentences)
    return lambda target: owned.means(target) or (anywhere and not claims.means(target))


_OWNED = frozenset({Says.UNABLE, Says.UNCHANGED})


def _opaque(reading: Reading, ledger: Ledger, *, nods: bool) -> Iterator[Finding]:
    """Changes that cannot be named owe what the answer says of them: the files it names, else a look, a signal or
    their own exit 0 (spec 10, "Opaque changes")."""
    if not ledger.opaque_here:
        return
    last = max(fact.at for fact, _ in ledger.opaque_here)
    in_files = [fact for fact, effect in ledger.opaque_here if effect.domain == FILES]
    undone = bool(in_files) and takes_back(in_files[-1])
    changed = names(effect.target for _, effect in ledger.changes_here)
    for name in stated_changes(reading) if in_files else ():
        swept = _swept(ledger, name)
        if swept is None and (changed.means(name) or ledger.settled(name) or _needs_none(name, reading, ledger)):
            continue
        if undone and _only_trouble(name, reading):
            continue
        at = swept or max(fact.at for fact in in_files)
        if not _looked_after(ledger, name, at, gone=_says_gone(name, reading)) and not (
            _only_there(name, reading) and _listed_after(ledger, name, at)
        ):
            yield finding(Code.CHANGE_UNSEEN, name, where="a file named in the answer")
    if (
        not ledger.changes_here
        and not _shown(ledger, last)
        and not (nods and _nodded(ledger))
        and not (in_files and stated_changes(reading))
    ):
        effect = ledger.opaque_here[-1][1]
        yield finding(
            Code.CHANGE_UNSEEN, effect.target, where="what the last command changed", fix=payment_of_opaque(effect)
        )


@cache
def _files() -> Mapping[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in load_table("checks", "files.toml").items() if kind != "examples"}


def _installs(fact: Fact) -> bool:
    """True for a command that runs a package manager and nothing that nobody knows."""
    return bool(fact.ran) and all(head.partition(" ")[0] in _files()["installers"] for head in fact.ran)


def _needs_none(name: str, reading: Reading, ledger: Ledger) -> bool:
    """True for what an unnamed change owes no look: a dotted symbol that is no file, what a package manager writes when
    it is told to, and, where only one ran, a file that was read before and of which only something is told."""
    last = last_name(name)
    known = ledger.touches.means(name)
    if "/" not in name and not known and last.rpartition(".")[2].lower() not in _files()["suffixes"]:
        return True
    if last in _files()["manifests"] and any(_installs(fact) for fact in ledger.calls_here):
        return True
    told = [reading.sentences[token.sentence] for token in reading.tokens if token.target == name]
    if _is_unpacked(name, ledger):
        return True
    looked = any(touch.content for _, touch in ledger.touches.matching(name))
    only_installed = all(_installs(fact) for fact, effect in ledger.opaque_here if effect.domain == FILES)
    return looked and only_installed and not any(s.says & MAKING for s in told)


def _is_unpacked(name: str, ledger: Ledger) -> bool:
    """True for an archive that nothing but a program ran over that takes things out of one."""
    facts = [fact for fact in ledger.calls_here if fact.ran and any(last_name(name) in head for head in fact.ran)]
    heads = [head for fact in facts for head in fact.ran if last_name(name) in head]
    return bool(heads) and all(head.partition(" ")[0] in _files()["unpackers"] for head in heads)


def _swept(ledger: Ledger, name: str) -> tuple[int, int] | None:
    """When a command last changed all that lies below a folder (`git stash`), if the name is known to lie there."""
    known = [target for target, _ in ledger.touches.matching(name)]
    if any(r.current and exercises(r.event) for r in ledger.signals.values()):
        return None
    folders = [(fact.at, e.target.rstrip("/") + "/") for fact, e in ledger.opaque_here if _is_folder(e)]
    return max((at for at, folder in folders if any(target.startswith(folder) for target in known)), default=None)


def _is_folder(effect: Effect) -> bool:
    return effect.domain == FILES and not effect.target.startswith("tool:") and not is_glob(effect.target)


def _says_gone(name: str, reading: Reading) -> bool:
    """True when the answer says that what a name means was deleted, or says nothing of it that it is."""
    told = [reading.sentences[t.sentence] for t in reading.tokens if t.target == name and not t.quoted]
    return any(says("deleting", s) or says("absent", s) for s in told)


def _looked_after(ledger: Ledger, name: str, at: tuple[int, int], *, gone: bool) -> bool:
    """A later look at what the name means: it was shown, or seen to be missing where the answer says so."""
    known = ledger.touches.matching(name)
    if any(t.looked is not None and t.looked > at and (t.content or (gone and t.absent)) for _, t in known):
        return True
    if any(_read_back(fact, name) for fact, _ in ledger.opaque_here if fact.at == at):
        return True
    return gone and any(fact.at > at and ledger.sight.absent(fact, name) for fact in ledger.looks_here)


def _read_back(fact: Fact, name: str) -> bool:
    """True for a command that shows what a name means behind all that it may have changed."""
    last = max((at for at, effect in enumerate(fact.effects) if effect.did is Did.OPAQUE), default=-1)
    later = (effect for effect in fact.effects[last + 1 :] if effect.did is Did.SHOWED)
    return any(effect.domain == FILES and same_target(effect.target, name) for effect in later)


def _only_trouble(name: str, reading: Reading) -> bool:
    """True when the answer says of a name only what went wrong, or that it was taken back."""
    told = [reading.sentences[t.sentence] for t in reading.tokens if t.target == name and not t.quoted]
    return all(owns_up(sentence) or says_taken_back(sentence) for sentence in told)


def _only_there(name: str, reading: Reading) -> bool:
    """True when the answer says of a name only where it is."""
    told = [reading.sentences[t.sentence] for t in reading.tokens if t.target == name and not t.quoted]
    return bool(told) and all(says("placed", sentence) for sentence in told)


def _listed_after(ledger: Ledger, name: str, at: tuple[int, int]) -> bool:
    """A later listing whose text holds the name."""
    looks = (f for f in ledger.looks_here if f.at > at and any(effect.did is Did.LISTED for effect in f.effects))
    return any(ledger.sight.lists(fact, name) for fact in looks)


def _shown(ledger: Ledger, last: tuple[int, int]) -> bool:
    """A later look, a current signal, or the opaque calls' own output."""
    worlds = {effect.domain for _, effect in ledger.opaque_here}
    clients = {program for fact, effect in ledger.opaque_here if not _on_a_host(effect) for program in _programs(fact)}
    looked = any(
        fact.at > last and (_within(fact, worlds) or not clients.isdisjoint(_programs(fact)))
        for fact in ledger.looks_here
    )
    signal = any(r.current and r.event.state is SignalState.PASSED for r in ledger.signals.values())
    own = any(effect.did is Did.SHOWED for fact, _ in ledger.opaque_here for effect in fact.effects)
    return looked or signal or own


def _nodded(ledger: Ledger) -> bool:
    """True when every tool that changed what nothing names said that it did: enough for an answer that says no more."""
    return all(effect.receipt is Receipt.NOD for _, effect in ledger.opaque_here)


def _within(look: Fact, worlds: set[str]) -> bool:
    """True for a look into one of the worlds. What a program did that nobody knows may show anywhere, and what a tool
    did in a world of its own, wherever another tool is at home that has none either."""
    if FILES in worlds or any(world.startswith("tool:") for world in worlds):
        return True
    return any(effect.domain in worlds for effect in look.effects if effect.did is not Did.OPAQUE)


def _on_a_host(effect: Effect) -> bool:
    return effect.domain.startswith("host:")


def _programs(fact: Fact) -> set[str]:
    """The names of the programs a command ran."""
    return {head.partition(" ")[0].rpartition("/")[2] for head in fact.ran}
