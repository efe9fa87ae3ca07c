"""Simple commands: words, assignments and redirections become stages, calls of functions, or scripts within."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gate_core.shell import exits
from gate_core.shell.builtins import BUILTINS, DECLARES
from gate_core.shell.exits import DONE, Exit
from gate_core.shell.expand import Scope, Word, expand, split
from gate_core.shell.foreign import translated
from gate_core.shell.inner import Inner, echoed, executed, fed_with, names_told, prints, script_of, status_name
from gate_core.shell.stages import Sent, Stage, View
from gate_core.shell.syntax import Assign, Command, Kind, Node, Part, Raw, Redirect
from gate_core.shell.tree import parse
from gate_core.shell.words import UnreadableError
from gate_core.shell.wrappers import peel

_MOST_STAGES = 400
_MOST_STEPS = 4_000  # things that are walked, whether they run a program or not
_MOST_INNER = 200_000  # characters of scripts within the command, over all rounds
_DEEPEST = 60  # levels of nesting, calls and scripts included


@dataclass(slots=True)
class Commands:
    """Walks simple commands; those made of others are walked by walk.py."""

    windows: bool = False
    stages: list[Stage] = field(default_factory=list)
    traps: list[str] = field(default_factory=list)
    steps: int = 0
    depth: int = 0
    read: int = 0
    last: Exit = DONE
    inner: Exit | None = None
    parts: list[Exit] = field(default_factory=list)
    reshown: list[int] = field(default_factory=list)
    filled: list[int] = field(default_factory=list)
    began: frozenset[int] = exits.NONE

    def walk(self, node: Node, scope: Scope, view: View) -> Exit:
        """The exit of a node; its stages are added."""
        self.steps += 1
        self.depth += 1
        if self.steps > _MOST_STEPS or self.depth > _DEEPEST:
            raise UnreadableError
        if isinstance(node, Command):
            exit_ = self.command(node, scope, view)
        elif node.redirects:
            exit_ = self._redirected(node, scope, view)
        else:
            exit_ = self.compound(node, scope, view)
        self.depth -= 1
        self.last = exit_
        return exit_

    @abstractmethod
    def compound(self, node: Node, scope: Scope, view: View) -> Exit:
        """The exit of anything but a simple command."""

    def add(self, stage: Stage) -> int:
        """The number of a stage that is added."""
        if len(self.stages) >= _MOST_STAGES:
            raise UnreadableError
        self.stages.append(stage)
        return len(self.stages) - 1

    def _redirected(self, node: Node, scope: Scope, view: View) -> Exit:
        """Redirections of a whole group: their files are written by a stage of their own."""
        self.filled = []
        sent = self._sent(node.redirects, scope, view)
        filled, (at, inside) = self.filled, self._through(sent, scope, view)
        found = self.compound(node, scope, inside._replace(piped=inside.piped or bool(filled)))
        self.feed(filled, tuple(range(at + 1, len(self.stages))))
        return exits.after(frozenset({at, ~at}), found)

    def feed(self, talkers: list[int], feeds: tuple[int, ...]) -> None:
        """What was seen of some stages goes to others instead."""
        for at in talkers:
            if self.stages[at].seen:
                self.stages[at] = replace(self.stages[at], seen=False, feeds=feeds)

    def _through(self, sent: tuple[Sent, ...], scope: Scope, view: View) -> tuple[int, View]:
        """The stage of redirections around something, and the view of what is inside them."""
        at = self.add(Stage(argv=(), cwd=scope.cwd, sent=sent, certain=view.certain, seen=False))
        seen, errors = reach(sent, view)
        fed = tuple([item for item in sent if item.op in ("<", "<<", "<<<") and item.word.text != "-"])
        return at, view._replace(seen=seen, errors=errors, input=fed or view.input)

    def _sent(self, redirects: list[Redirect], scope: Scope, view: View) -> tuple[Sent, ...]:
        return tuple([Sent(r.op, r.fd, self.expanded(r.word, scope, view)) for r in redirects])

    def expanded(self, raw: Raw, scope: Scope, view: View, *, shown: bool = False) -> Word:
        """A word; the commands inside it run first. `shown` words are printed by the command they belong to."""
        told: tuple[Word, ...] | None = None
        for part in raw:
            if part.node is not None:
                told = self._substituted(part, part.node, scope, view, shown=shown)
            elif shown and part.kind is Kind.NAME and part.text in scope.outputs:
                self._show(scope.outputs[part.text])
        return told[0] if told is not None and len(told) == len(raw) == 1 else expand(raw, scope)

    def _substituted(self, part: Part, node: Node, scope: Scope, view: View, *, shown: bool) -> tuple[Word, ...] | None:
        """Walk the command inside a word; the files it names, where that can be told."""
        start, filled, began = len(self.stages), self.filled, self.began
        into, from_ = part.text.startswith(">("), part.text.startswith("<(")
        seen = view.seen if into else shown or from_
        inside = view._replace(seen=seen, piped=into, tested=True, input=(), told=None)
        own = scope.inner()
        inner = self.walk(node, own, inside)
        self.inner, ran = exits.contained(inner, strict=False), exits.began(inner)
        if own.errexit:  # whether that counts in here depends on what is around it
            self.inner, ran = Exit(frozenset([at for at in self.inner.ok or () if at >= 0])), exits.NONE
        self.began = began | ran
        talkers = range(start, len(self.stages) if from_ else start)
        self.filled = [*filled, *[at for at in talkers if self.stages[at].seen]]
        return names_told(self.stages[start:], None) if part.kind is Kind.RUN else None

    def _show(self, stages: tuple[int, ...]) -> None:
        """What a name holds is printed now."""
        for at in stages:
            if not self.stages[at].seen:
                self.stages[at] = replace(self.stages[at], seen=True)
        self.reshown += stages

    def command(self, node: Command, scope: Scope, view: View) -> Exit:
        """A simple command: its words are expanded, then whatever it is runs."""
        status, self.inner, self.filled, self.began = self.last, None, [], exits.NONE
        sent = self._sent(node.redirects, scope, view) if node.redirects else ()
        if not node.words:
            return self._assigned(node, sent, scope, view)
        shown = prints(node.words[0]) and (reach(sent, view)[0] if sent else view.seen)
        argv: list[Word] = []
        for raw in node.words:
            word = self.expanded(raw, scope, view, shown=shown)
            argv += split(word, raw, scope) if len(raw) > 1 or raw[0].kind is not Kind.TEXT else (word,)
        declares = argv[0].text in DECLARES if argv else False
        kept = {} if declares else {item.name: scope.names.get(item.name) for item in node.assigns}
        for item in node.assigns:
            self._assign(item, scope, view)
        if shown and echoed(node.words, scope) and (view.piped or view.input):
            argv, sent = [Word("cat")], (*view.input, *sent)
        filled, before = self.filled, len(self.stages)
        if filled and (_reads_one(argv) or any(item.op == "<" and item.word.text == "-" for item in sent)):
            view = view._replace(piped=True)
        began = self.began
        exit_ = self._run(node, tuple(argv), sent, scope, view, status)
        if filled:
            self.feed(filled, tuple(range(before, len(self.stages))))
        for name, old in kept.items():
            scope.restore(name, old)
        return exits.after(began, exit_)

    def _assigned(self, node: Command, sent: tuple[Sent, ...], scope: Scope, view: View) -> Exit:
        """Assignments, or redirections, without a command; the status is that of the last command inside them."""
        status = self.last
        for item in node.assigns:
            self._assign(item, scope, view, status)
        if sent:
            at = self.add(Stage(argv=(), cwd=scope.cwd, sent=sent, certain=view.certain, seen=False))
            return exits.stage_exit(at, strict=scope.errexit and not view.tested)
        if self.inner is None:
            return DONE
        strict = scope.errexit and not view.tested
        return exits.contained(self.inner, strict=strict)

    def _assign(self, item: Assign, scope: Scope, view: View, status: Exit | None = None) -> None:
        start = len(self.stages)
        if item.items is not None:
            words = [w for raw in item.items for w in split(self.expanded(raw, scope, view), raw, scope)]
            scope.bind(item.name, words[0] if words else Word(""))
            scope.lists[item.name] = tuple(words) if not item.adds else (Word(f"${item.name}", known=False),)
            return
        held = self._status(item.word, scope, status) if status is not None else None
        word = self.expanded(item.word, scope, view, shown=len(item.word) == 1 and item.word[0].kind is Kind.RUN)
        if item.adds:
            before = scope.names.get(item.name) or Word("", known=False)
            word = Word(f"{before.text}{word.text}", word.known and before.known)
        scope.bind(item.name, word)
        if held is not None:
            scope.statuses[item.name] = held
        output = [at for at in range(start, len(self.stages)) if self.stages[at].seen]
        for at in output:
            self.stages[at] = replace(self.stages[at], seen=False)
        if output:
            scope.outputs[item.name] = tuple(output)

    def _status(self, raw: Raw, scope: Scope, status: Exit) -> Exit | None:
        """What a word like `$?`, `$rc` or `${PIPESTATUS[0]}` is the status of."""
        name = status_name(raw)
        if name == "?":
            return status
        if name.startswith("PIPESTATUS["):
            at = name[11:-1]
            return self.parts[int(at)] if at.isdecimal() and int(at[:3]) < len(self.parts) else None
        return scope.statuses.get(name)

    def _run(
        self, node: Command, argv: tuple[Word, ...], sent: tuple[Sent, ...], scope: Scope, view: View, status: Exit
    ) -> Exit:
        """What the words of a command run: a function, a script, the shell itself, or a program."""
        argv, fed, mark = peel(argv)
        if fed and view.told is not None:
            argv, fed, view = fed_with(argv, mark, view.told), False, view._replace(piped=False)
        elif mark:
            argv = tuple(word._replace(known=False) if mark in word.text else word for word in argv)
        argv = translated(argv, windows=self.windows) if argv and argv[0].known else argv
        name = argv[0].text if argv and argv[0].known else ""
        if name in scope.functions:
            return self._within(sent, scope, view, lambda inside: self._called(name, argv, scope, inside))
        script = script_of(argv, [item for item in sent if item.op in ("<<", "<<<")]) if name else None
        if script is not None:
            return self._within(sent, scope, view, lambda inside: self.script(script, scope, inside))
        if name in BUILTINS:
            return self._builtin(node, argv, sent, scope, view, status)
        return self._program(node, argv, sent, scope, view._replace(piped=view.piped and not fed), status, fed=fed)

    def _within(self, sent: tuple[Sent, ...], scope: Scope, view: View, run: Callable[[View], Exit]) -> Exit:
        """What runs inside a command that has redirections of its own."""
        if not sent:
            return run(view)
        at, inside = self._through(sent, scope, view)
        return exits.after(frozenset({at, ~at}), run(inside))

    def _builtin(
        self, node: Command, argv: tuple[Word, ...], sent: tuple[Sent, ...], scope: Scope, view: View, status: Exit
    ) -> Exit:
        name = argv[0].text
        if name in ("exit", "return") and len(node.words) > 1:
            status = self._status(node.words[1], scope, status) or Exit()
        if name == "trap" and len(argv) > 2 and argv[1].known and argv[1].text not in ("", "-"):
            self.traps.append(argv[1].text)
        if name == "wait" and view.certain:
            self.stages[:] = [replace(stage, background=False) for stage in self.stages]
        exit_ = BUILTINS[name](argv, scope, status)
        if name == "read" and view.told is not None and len(view.told) == 1 and argv[-1].text in scope.lines:
            scope.names[argv[-1].text] = view.told[0]
        if sent:
            at = self.add(Stage(argv=(), cwd=scope.cwd, sent=sent, certain=view.certain, seen=False))
            exit_ = exits.after(frozenset({at, ~at}), exit_)
            scope.away = scope.away or (name == "exec" and not reach(sent, view)[0])
        if exit_.bad is not None and scope.errexit and not view.tested:
            return exits.strictly(exit_)
        return exit_

    def _program(
        self,
        node: Command,
        argv: tuple[Word, ...],
        sent: tuple[Sent, ...],
        scope: Scope,
        view: View,
        status: Exit,
        *,
        fed: bool,
    ) -> Exit:
        seen, errors = reach(sent, view) if sent else (view.seen, view.errors)
        at = self.add(
            Stage(
                argv=argv,
                cwd=scope.cwd,
                sent=sent,
                piped=view.piped,
                fed=fed,
                seen=seen and not scope.away,
                errors_seen=errors and not scope.away,
                certain=view.certain,
                background=view.background,
            )
        )
        for inner in executed(argv):
            self._run(Command(), inner, (), scope.inner(), view._replace(seen=seen, piped=False), status)
        exit_ = exits.stage_exit(at, strict=scope.errexit and not view.tested)
        if argv and argv[0].text == "test":
            return self._asked(node, exit_, scope, status)
        return exit_

    def _asked(self, node: Command, exit_: Exit, scope: Scope, status: Exit) -> Exit:
        """`[ $? -eq 0 ]` holds when what it asks about ended with 0."""
        words = node.words
        held = self._status(words[1], scope, status) if len(words) == 4 else None
        if held is None or [part.text for part in words[3]] != ["0"]:
            return exit_
        op = "".join(part.text for part in words[2])
        if op in ("-eq", "==", "="):
            return exit_._replace(ok=exits.both(exit_.ok, held.ok), bad=exits.both(exit_.bad, held.bad))
        if op in ("-ne", "!=", "-gt"):
            return exit_._replace(ok=exits.both(exit_.ok, held.bad), bad=exits.both(exit_.bad, held.ok))
        return exit_

    def _called(self, name: str, argv: tuple[Word, ...], scope: Scope, view: View) -> Exit:
        """A function: its arguments are its own, all else it shares with its caller."""
        kept = {str(at): scope.names.get(str(at)) for at in range(10)}, scope.lists.get("@")
        scope.arguments(argv)
        inner = self.walk(scope.functions[name], scope, view)
        scope.arguments(())
        scope.names.update({key: word for key, word in kept[0].items() if word is not None})
        scope.lists.pop("@") if kept[1] is None else scope.lists.update({"@": kept[1]})
        strict = scope.errexit and not view.tested
        return exits.contained(inner, strict=strict)._replace(out=inner.out)

    def script(self, script: Inner, scope: Scope, view: View) -> Exit:
        """`bash -c "..."`: its text is a command of its own."""
        self.read += len(script.text)
        if self.read > _MOST_INNER:
            raise UnreadableError
        own = scope if script.here else scope.inner()
        strict = scope.errexit and not view.tested
        if not script.here:
            own.errexit, own.pipefail = script.errexit, script.pipefail
            own.arguments(script.arguments)
        exit_ = self.walk(parse(script.text), own, view if script.here else view._replace(tested=False))
        return exit_ if script.here else exits.contained(exit_, strict=strict)


def _reads_one(argv: list[Word]) -> bool:
    """True for `cat <(...)`: what runs in there is all that the command reads, as if it were piped into it."""
    return [word.text for word in argv[1:]].count("-") == 1


def reach(sent: tuple[Sent, ...], view: View) -> tuple[bool, bool]:
    """Whether output and errors still reach who sees them behind redirections."""
    open_ = {1: view.seen, 2: view.errors}
    for op, number, word in sent:
        if op in (">", ">>", ">|"):
            open_[2 if number == 2 else 1] = word.text in ("/dev/stdout", "/dev/stderr", "/dev/tty", "-") and view.seen
        elif op in ("&>", "&>>"):
            open_ = {1: False, 2: False}
        elif op == ">&" and word.text in ("1", "2"):
            open_[2 if number == 2 else 1] = open_[int(word.text)]
        elif op == ">&" and number in (-1, 1) and not word.text.isdecimal():
            open_ = {1: False, 2: False}
    return open_[1], open_[2]
