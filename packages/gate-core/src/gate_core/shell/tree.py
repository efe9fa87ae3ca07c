"""From the tree of tree-sitter-bash to our syntax. The grammar hangs pipes and redirections on whole lists where bash
hangs them on the last command, so they are moved there; what a word is made of is read in words.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from gate_core.model.late import late
from gate_core.shell.syntax import (
    AndOr,
    Assign,
    Background,
    Block,
    Case,
    Command,
    Function,
    Group,
    If,
    Kind,
    Loop,
    Negated,
    Node,
    Part,
    Pipeline,
    Raw,
    Redirect,
)
from gate_core.shell.words import REDIRECTS, WORDS, UnreadableError, Words

if TYPE_CHECKING:
    from tree_sitter import Node as Tree
    from tree_sitter import Parser

_SHORT = 2_000  # characters: whatever they hold, the parser is done with them soon
_MOST_JOINTS = 1_500  # pipes, parentheses and brackets outside quotes; error recovery is quadratic in them
_TIGHT_PARENTHESES = late(r"\(\((?=[^()]*(?:&&|\|\||;|\bcd\b))")
_MASKED = late(r"""\\.|'[^']*'|"(?:[^"\\]|\\.)*"|(?:^|(?<=\s))#[^\n]*""", re.DOTALL)
_HEREDOC = late(r"<<-?[ \t]*(['\"\\]?)(\w+)\1")
_ASCII = bytes(range(128)) + b"." * 128
_SKIPPED = frozenset({"comment", ";", "\n", "&", ";;"})
_RUNS_NOTHING = frozenset({"word", "concatenation"})


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(command: str) -> Node:
    """The syntax of a command. Line ends of Windows are those of Unix.

    Raises:
        UnreadableError: it does not parse, even with a blank between tight parentheses (the grammar takes "((cd x" for
            arithmetic), or holds more than anybody writes.
        ImportError: the extra `[shell]` is not installed.
    """
    if "\0" in command or (len(command) > _SHORT and _joints(command) > _MOST_JOINTS):
        raise UnreadableError
    source = command.replace("\r\n", "\n").removesuffix("\r").encode("utf-8", "surrogatepass")
    root = _root(source)
    if root.has_error and b"((" in source:
        source = _TIGHT_PARENTHESES.sub("( (", source.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")
        root = _root(source)
    if root.has_error:
        raise UnreadableError
    return _Reader(source).block(root.children, 0)


def _root(source: bytes) -> Tree:
    """The tree of a source. The grammar's scanner asks C's `isalpha` about whatever stands there, which reads anywhere
    in memory for a character beyond ASCII; to bash those are letters like any other, so it is shown a dot per byte."""
    return _parser().parse(source if source.isascii() else source.translate(_ASCII)).root_node


def _joints(command: str) -> int:
    """How many pipes, parentheses and brackets stand outside quotes, comments and here-documents."""
    kept: list[str] = []
    at = 0
    while (found := _HEREDOC.search(command, at)) and len(kept) < _MOST_JOINTS:
        line_end = command.find("\n", found.end())
        end = command.find(f"\n{found[2]}", line_end) if line_end >= 0 else -1
        if end < 0:
            break
        kept.append(command[at:line_end])
        at = end + 1
    plain = _MASKED.sub("", "".join([*kept, command[at:]]))
    return plain.count("|") + plain.count("[") + max(plain.count("("), plain.count(")"))


class _Reader(Words):
    """Reads everything that runs; `depth` counts the levels of nesting."""

    def block(self, children: list[Tree], depth: int) -> Node:
        """The commands of a block in order."""
        parts: list[Node] = []
        for child in children:
            kind = child.type
            if kind == "&":
                if parts:
                    parts[-1] = Background(body=parts[-1])
            elif kind not in _SKIPPED and child.is_named:
                parts.append(self.node(child, depth))
        return parts[0] if len(parts) == 1 else Block(parts=parts)

    def node(self, tree: Tree, depth: int) -> Node:
        """One thing that runs."""
        self.check(depth)
        read = _READERS.get(tree.type)
        if read is None:
            raise UnreadableError
        return read(self, tree, depth + 1)

    def command(self, tree: Tree, depth: int) -> Node:
        """A simple command."""
        found = Command()
        for child in tree.children:
            kind = child.type
            if kind == "variable_assignment":
                found.assigns.append(self.assignment(child, depth))
            elif kind in REDIRECTS:
                found.redirects.append(self.redirect(child, depth))
            elif kind == "command_name":
                found.words.append(self.word(child.children[0] if child.children else child, depth))
            elif (child.is_named and kind != "comment") or (kind != "$" and kind not in _SKIPPED):
                found.words.append(self.word(child, depth))
        self.bounded(found.redirects)
        return found

    def assignment(self, tree: Tree, depth: int) -> Assign:
        """`name=value`, `name+=value`, `name=(values)`."""
        name = self.text(tree.children[0])
        adds = any(child.type == "+=" for child in tree.children)
        value = tree.child_by_field_name("value")
        if value is None:
            return Assign(name, adds=adds)
        if value.type != "array":
            return Assign(name, self.word(value, depth), adds=adds)
        items = tuple(self.word(child, depth) for child in value.children if child.type in WORDS)
        return Assign(name, items=items, adds=adds)

    def assignments(self, tree: Tree, depth: int) -> Node:
        """Assignments without a command."""
        rows = [tree] if tree.type == "variable_assignment" else tree.children
        return Command(assigns=[self.assignment(row, depth) for row in rows if row.type == "variable_assignment"])

    def declaration(self, tree: Tree, depth: int) -> Node:
        """export, local, declare: the assignments count, the word itself does nothing."""
        words: list[Raw] = [((Part(Kind.TEXT, tree.children[0].type)),)]
        named = [child for child in tree.children[1:] if child.type == "variable_assignment"]
        return Command(words=words, assigns=[self.assignment(child, depth) for child in named])

    def test(self, tree: Tree, depth: int) -> Node:
        """`[ -f x ]` and `[[ ... ]]`, as the command `test` with its words."""
        words: list[Raw] = [(Part(Kind.TEXT, "test"),)]
        self.leaves(tree, words, depth)
        return Command(words=words)

    def leaves(self, tree: Tree, words: list[Raw], depth: int) -> None:
        """The words of a test in order."""
        self.check(depth)
        for child in tree.children:
            if child.type in WORDS:
                words.append(self.word(child, depth))
            elif child.type == "test_operator":
                words.append((Part(Kind.TEXT, self.text(child)),))
            elif child.is_named:
                self.leaves(child, words, depth + 1)
            elif child.type in _TEST_WORDS:
                words.append((Part(Kind.TEXT, child.type),))

    def pipeline(self, tree: Tree, depth: int) -> Node:
        """Commands joined by pipes; `|&` sends errors along."""
        parts: list[Node] = []
        for child in tree.children:
            if child.type == "|&" and parts:
                _redirected(parts[-1], [_ERRORS_TOO])
            elif child.is_named and child.type != "comment":
                parts.append(self.node(child, depth))
        return _piped(parts)

    def sequence(self, tree: Tree, depth: int) -> Node:
        """`a && b || c`: the grammar nests them to the left, which is as deep as they are many."""
        rest: list[tuple[str, Node]] = []
        while tree.type == "list":
            rest.append((tree.children[1].type, self.node(tree.children[-1], depth)))
            tree = tree.children[0]
        return _joined(self.node(tree, depth), rest[::-1])

    def redirected(self, tree: Tree, depth: int) -> Node:
        """A command with its redirections and what stands behind its here-document."""
        body: Node | None = None
        redirects: list[Redirect] = []
        after: list[tuple[str, Node]] = []
        for child in tree.children:
            if child.type in REDIRECTS:
                redirects.append(self.redirect(child, depth))
                redirects += [self.redirect(c, depth) for c in child.children if c.type in REDIRECTS]
                after += self.behind(child, depth)
            else:
                body = self.node(child, depth)
        return _followed(_redirected(body or Command(), self.bounded(redirects)), after)

    def behind(self, heredoc: Tree, depth: int) -> list[tuple[str, Node]]:
        """What the grammar puts inside a here-document because it stands on its first line, each with its operator."""
        found: list[tuple[str, Node]] = []
        op = ""
        for child in heredoc.children:
            if child.type == "pipeline":
                found += [("|", self.node(c, depth)) for c in child.children if c.is_named and c.type != "comment"]
            elif child.type in ("&&", "||", ";", "|"):
                op = child.type
            elif op and child.type in _READERS:
                found.append((op, self.node(child, depth)))
        return found

    def group(self, tree: Tree, depth: int) -> Node:
        """Braces, a subshell, or arithmetic, which runs nothing."""
        if tree.children and tree.children[0].type == "((":
            return Group(body=None)
        return Group(body=self.block(tree.children, depth), subshell=tree.type == "subshell")

    def negated(self, tree: Tree, depth: int) -> Node:
        """`! body`."""
        return Negated(body=self.node(tree.children[-1], depth))

    def branches(self, tree: Tree, depth: int) -> Node:
        """if, with its elif and else clauses."""
        found = If(arms=[], other=None)
        for clause in (tree, *(c for c in tree.children if c.type == "elif_clause")):
            test, body = _parted(clause.children, "then")
            found.arms.append((self.block(test, depth), self.block(body, depth)))
        other = next((child for child in tree.children if child.type == "else_clause"), None)
        found.other = self.block(other.children, depth) if other is not None else None
        return found

    def case(self, tree: Tree, depth: int) -> Node:
        """case: its bodies, and whether one of them is taken in any case."""
        value = tree.child_by_field_name("value")
        found = Case(subject=self.word(value, depth) if value is not None else (), bodies=[], total=False)
        for item in tree.children:
            if item.type == "case_item":
                patterns, body = _parted(item.children, ")")
                found.bodies.append(self.block(body, depth))
                found.total = any(self.text(child) == "*" for child in patterns)
        return found

    def loop(self, tree: Tree, depth: int) -> Node:
        """for, while, until and select."""
        children = tree.children
        kinds = [child.type for child in children]
        inside = next((child for child in children if child.type in ("do_group", "compound_statement")), None)
        body = self.block(inside.children, depth) if inside is not None else Block(parts=[])
        if tree.type == "while_statement":
            test, _ = _parted(children, "do_group")
            return Loop(name="", words=None, test=self.block(test, depth), body=body)
        name = tree.child_by_field_name("variable")
        called = self.text(name) if name is not None else ""
        if tree.type == "c_style_for_statement" or "in" not in kinds or kinds[0] == "select":
            return Loop(name=called, words=None, test=None, body=body)
        listed = [child for child in children[kinds.index("in") + 1 :] if child.type in WORDS]
        return Loop(name=called, words=[self.word(child, depth) for child in listed], test=None, body=body)

    def function(self, tree: Tree, depth: int) -> Node:
        """A definition."""
        name = tree.child_by_field_name("name")
        body = tree.child_by_field_name("body")
        if name is None or body is None:
            raise UnreadableError
        redirects = [self.redirect(child, depth) for child in tree.children if child.type in REDIRECTS]
        return Function(name=self.text(name), body=_redirected(self.node(body, depth), redirects))

    def nothing(self, tree: Tree, depth: int) -> Node:
        """What changes names only."""
        return Group(body=None)


_TEST_WORDS = frozenset({"=", "==", "!=", "=~", "!", "||"})
_ERRORS_TOO = Redirect(">&", 2, (Part(Kind.TEXT, "1"),))
_READERS: dict[str, Callable[[_Reader, Tree, int], Node]] = {
    "command": _Reader.command,
    "variable_assignment": _Reader.assignments,
    "variable_assignments": _Reader.assignments,
    "declaration_command": _Reader.declaration,
    "unset_command": _Reader.nothing,
    "test_command": _Reader.test,
    "pipeline": _Reader.pipeline,
    "list": _Reader.sequence,
    "redirected_statement": _Reader.redirected,
    "subshell": _Reader.group,
    "compound_statement": _Reader.group,
    "negated_command": _Reader.negated,
    "if_statement": _Reader.branches,
    "case_statement": _Reader.case,
    "for_statement": _Reader.loop,
    "c_style_for_statement": _Reader.loop,
    "while_statement": _Reader.loop,
    "function_definition": _Reader.function,
}


def _parted(children: list[Tree], kind: str) -> tuple[list[Tree], list[Tree]]:
    """The children before the first of a kind (a keyword in front aside) and those behind it, clauses aside."""
    at = next((i for i, child in enumerate(children) if child.type == kind), len(children))
    behind = [child for child in children[at + 1 :] if child.type not in ("elif_clause", "else_clause")]
    return children[:at], behind


def _joined(first: Node, rest: list[tuple[str, Node]]) -> Node:
    """A list; one that begins with a list goes on with it."""
    if isinstance(first, AndOr) and not first.redirects:
        return AndOr(first=first.first, rest=[*first.rest, *rest])
    return AndOr(first=first, rest=rest)


def _piped(parts: list[Node]) -> Node:
    """A pipeline; a list or a "!" in front of its first pipe, or a list behind its last, belongs around it."""
    first, last = parts[0], parts[-1]
    if isinstance(first, AndOr) and len(parts) > 1:
        op, node = first.rest[-1]
        return AndOr(first=first.first, rest=[*first.rest[:-1], (op, _piped([node, *parts[1:]]))])
    if isinstance(first, Negated) and len(parts) > 1:
        return Negated(body=_piped([first.body, *parts[1:]]))
    if isinstance(last, AndOr) and len(parts) > 1:
        return AndOr(first=_piped([*parts[:-1], last.first]), rest=last.rest)
    if isinstance(first, Pipeline) and not first.redirects and len(parts) > 1:
        return Pipeline(parts=[*first.parts, *parts[1:]])
    return Pipeline(parts=parts) if len(parts) > 1 else first


def _redirected(body: Node, redirects: list[Redirect]) -> Node:
    """The body with its redirections, which belong to the last command of a bare list or pipeline."""
    last = body
    while True:
        if isinstance(last, AndOr):
            last = last.rest[-1][1]
        elif isinstance(last, Pipeline):
            last = last.parts[-1]
        elif isinstance(last, Negated):
            last = last.body
        else:
            break
    last.redirects += redirects
    return body


def _followed(body: Node, after: list[tuple[str, Node]]) -> Node:
    """A command with a here-document and what stands behind it on its line."""
    for op, node in after:
        if op == "|":
            body = _piped([body, node])
        elif op == ";":
            body = Block(parts=[body, node])
        else:
            body = _joined(body, [(op, node)])
    return body
