"""The walk over all that is made of commands: lists, pipelines, groups, branches and loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gate_core.shell import exits
from gate_core.shell.commands import Commands
from gate_core.shell.exits import DONE, Exit
from gate_core.shell.expand import Scope, Word, split
from gate_core.shell.inner import Inner, names_told
from gate_core.shell.stages import View, Walked
from gate_core.shell.syntax import (
    AndOr,
    Background,
    Block,
    Case,
    Command,
    Function,
    Group,
    If,
    Loop,
    Negated,
    Node,
    Pipeline,
)

_MOST_ROUNDS = 16  # words of a loop that are walked one by one


def stages_of(tree: Node, cwd: str, *, windows: bool = False) -> Walked:
    """Walk the syntax of a command that starts in `cwd`, in a folder of Windows or not.

    Raises:
        UnreadableError: it runs more commands than anybody writes, or calls itself.
    """
    walker = Walker(windows=windows)
    scope, view = Scope(cwd=cwd), View()
    exit_ = walker.walk(tree, scope, view)
    for text in walker.traps:
        walker.script(Inner(text), scope, view._replace(certain=False))
    known = exits.either(exit_.ok, exit_.out)
    for at, stage in enumerate(walker.stages if known is not None else ()):
        if stage.certain and ~at not in (known or ()):
            walker.stages[at] = replace(stage, certain=False)
    return Walked(tuple(walker.stages), frozenset(at for at in known or () if at >= 0), exit_.same)


@dataclass(slots=True)
class Walker(Commands):
    """Walks everything."""

    def compound(self, node: Node, scope: Scope, view: View) -> Exit:
        """The exit of anything but a simple command."""
        return _WALKS[type(node)](self, node, scope, view)

    def pipeline(self, node: Pipeline, scope: Scope, view: View) -> Exit:
        """Parts in subshells: what each prints, the stages of the next one get."""
        found: list[Exit] = []
        talkers: list[int] = []
        here = view._replace(seen=True)
        for number, part in enumerate(node.parts, start=1):
            start, shown = len(self.stages), len(self.reshown)
            if number == len(node.parts):
                here = here._replace(seen=view.seen)
            found.append(exits.contained(self.walk(part, scope.inner(), here), strict=False))
            self.feed(talkers, tuple(range(start, len(self.stages))))
            talkers = [*range(start, len(self.stages)), *self.reshown[shown:]]
            here = here._replace(piped=True, input=(), told=names_told(self.stages[start:], here.told))
        self.parts = found
        return exits.piped(found, pipefail=scope.pipefail, strict=scope.errexit and not view.tested)

    def block(self, node: Block, scope: Scope, view: View) -> Exit:
        """One after the other; what stands behind the end of the script does not run."""
        whole = DONE
        for part in node.parts:
            whole = exits.in_order(whole, self.walk(part, scope, view))
            if not whole.goes_on:
                break
        return whole

    def and_or(self, node: AndOr, scope: Scope, view: View) -> Exit:
        """`&&` and `||` from left to right; only the last one can end a script under `set -e`."""
        start = len(self.stages)
        inside = view._replace(tested=True)
        whole = self.walk(node.first, scope, inside)
        for number, (op, right) in enumerate(node.rest, start=1):
            here = inside if number < len(node.rest) else view
            if op == "&&" and whole.ok is not None:
                behind = len(self.stages)
                plain = len(self.stages) == start or (number == 1 and _only_shell(node.first, whole))
                then = self._if_ok(right, scope, here, asked=_asks(node.first))
                whole = exits.if_ok(whole, then, plain=plain)
                self._otherwise(start, behind, plain=number == 1 and isinstance(node.first, Negated))
            elif op == "||" and whole.bad is not None:
                behind = len(self.stages)
                whole = exits.if_bad(whole, self._maybe(right, scope, here))
                self._otherwise(start, behind, plain=all(o == "||" or _speaks(n) for o, n in node.rest[: number - 1]))
            else:
                whole = whole._replace(same=None)
        return whole

    def _if_ok(self, node: Node, scope: Scope, view: View, *, asked: bool) -> Exit:
        """The right side of `&&`; behind a test it is as likely not to run."""
        if not asked:
            strict, pipefail = scope.errexit, scope.pipefail
            exit_ = self.walk(node, scope, view)
            scope.errexit, scope.pipefail = scope.errexit and strict, scope.pipefail and pipefail
            return exit_
        branch = scope.inner()
        exit_ = self.walk(node, branch, view)
        scope.merge([scope.inner(), branch] if exit_.goes_on else [scope.inner()])
        return exit_

    def _otherwise(self, asked: int, start: int, *, plain: bool) -> None:
        """What was walked since `start` runs only if the stage `asked` failed; `plain` says that nothing else can."""
        if not plain or asked >= start or self.stages[asked].feeds:
            return
        for at in range(start, len(self.stages)):
            if self.stages[at].otherwise is None:
                self.stages[at] = replace(self.stages[at], otherwise=asked)

    def _maybe(self, node: Node, scope: Scope, view: View) -> Exit:
        """What runs only if something else failed."""
        branch = scope.inner()
        exit_ = self.walk(node, branch, view._replace(certain=False))
        if exit_.goes_on:
            scope.merge([scope.inner(), branch])
        return exit_

    def group(self, node: Group, scope: Scope, view: View) -> Exit:
        """Braces, or a subshell."""
        if node.body is None:
            return Exit()
        if not node.subshell:
            return self.walk(node.body, scope, view)
        inner = self.walk(node.body, scope.inner(), view)
        return exits.contained(inner, strict=scope.errexit and not view.tested)

    def negated(self, node: Negated, scope: Scope, view: View) -> Exit:
        """`!` turns the status round."""
        found = self.walk(node.body, scope, view._replace(tested=True))
        return Exit(found.bad, found.ok, found.out, found.fail)

    def branches(self, node: If, scope: Scope, view: View) -> Exit:
        """if: tests in order, each the way to its body."""
        whole = Exit(ok=None, bad=None)
        start = len(self.stages)
        ends: list[Scope] = []
        way: Exit = DONE
        maybe = view._replace(certain=False)
        for number, (test, body) in enumerate(node.arms):
            asked = self.walk(test, scope, (maybe if number else view)._replace(tested=True))
            tested = exits.if_ok(way, asked, plain=False)
            branch = scope.inner()
            then = exits.taken(tested, self.walk(body, branch, maybe))
            whole = exits.one_of(whole, then)
            ends += [branch] if then.goes_on else []
            way = Exit(ok=tested.bad, bad=None)
        branch, behind = scope.inner(), len(self.stages)
        last = self.walk(node.other, branch, maybe) if node.other is not None else DONE
        self._otherwise(start, behind, plain=len(node.arms) == 1 and isinstance(node.arms[0][0], Command))
        whole = exits.one_of(whole, exits.if_ok(way, last, plain=False))
        scope.merge([*ends, branch] if last.goes_on else ends)
        return whole

    def case(self, node: Case, scope: Scope, view: View) -> Exit:
        """case: one of its bodies, or none."""
        self.expanded(node.subject, scope, view)
        whole = Exit(ok=None, bad=None) if node.total and node.bodies else DONE
        ends = [] if node.total and node.bodies else [scope.inner()]
        for body in node.bodies:
            branch = scope.inner()
            exit_ = self.walk(body, branch, view._replace(certain=False))
            whole = exits.one_of(whole, exit_)
            ends += [branch] if exit_.goes_on else []
        scope.merge(ends)
        return whole

    def loop(self, node: Loop, scope: Scope, view: View) -> Exit:
        """for over known words is its rounds one by one; any other loop runs as often as nobody knows."""
        words = [self.expanded(raw, scope, view) for raw in node.words or ()]
        listed = [item for word, raw in zip(words, node.words or (), strict=True) for item in split(word, raw, scope)]
        if listed and len(listed) <= _MOST_ROUNDS and all(word.known for word in listed):
            return self._rounds(node, listed, scope, view)
        maybe, strict = view._replace(certain=False), scope.errexit and not view.tested
        test = self.walk(node.test, scope, view._replace(tested=True)) if node.test is not None else DONE
        branch = scope.inner()
        if node.name:
            branch.bind(node.name, Word(f"${node.name}", known=False))
        body = self.walk(node.body, branch, maybe)
        scope.merge([scope.inner(), branch])
        return exits.looped(test, body, strict=strict)

    def _rounds(self, node: Loop, words: list[Word], scope: Scope, view: View) -> Exit:
        whole = DONE
        for word in words:
            scope.bind(node.name, word)
            body = self.walk(node.body, scope, view)
            whole = exits.in_order(whole, exits.repeated(body) if word.glob else body)
            if not whole.goes_on:
                break
        return whole

    def function(self, node: Function, scope: Scope, view: View) -> Exit:
        """A definition runs nothing."""
        scope.functions[node.name] = node.body
        return DONE

    def in_background(self, node: Background, scope: Scope, view: View) -> Exit:
        """`body &`: nobody waits for it."""
        inner = self.walk(node.body, scope.inner(), view._replace(background=True, tested=False))
        return Exit(exits.began(inner), None)


def _only_shell(node: Node, exit_: Exit) -> bool:
    """True of a command of the shell itself; what runs inside its words does not tell its status."""
    return isinstance(node, Command) and exit_.same is None and not any(fact >= 0 for fact in exit_.ok or ())


def _speaks(node: Node) -> bool:
    """True of a command that only prints words, which does not fail."""
    return isinstance(node, Command) and bool(node.words) and node.words[0][0].text in ("echo", "printf", "true", ":")


def _asks(node: Node) -> bool:
    """True of a test, which fails as often as not."""
    return isinstance(node, Command) and bool(node.words) and node.words[0][0].text == "test"


_WALKS: dict[type[Node], Callable[..., Exit]] = {
    Pipeline: Walker.pipeline,
    Block: Walker.block,
    AndOr: Walker.and_or,
    Group: Walker.group,
    Negated: Walker.negated,
    If: Walker.branches,
    Case: Walker.case,
    Loop: Walker.loop,
    Function: Walker.function,
    Background: Walker.in_background,
}
