"""Words and redirections as the grammar gives them: what is quoted, what is expanded, what runs inside."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING

from gate_core.model.late import late
from gate_core.shell.syntax import Block, Kind, Node, Part, Raw, Redirect

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_DEEPEST = 40  # levels of nesting; nobody writes more, and Python's stack ends
_MOST_REDIRECTS = 40
_ESCAPED_OR_PLAIN = late(r"((?:\\(?:\n|.))+)|([^\\]+|\\)", re.DOTALL)
_ESCAPE = late(r"\\(\n|.)", re.DOTALL)
_HEREDOC_ESCAPE = late(r"\\(\n|[$`\\])")
_QUOTED_ESCAPE = late(r'\\(\n|[$`"\\])')
_ANSI_ESCAPE = late(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_NAME = late(r"\w+(?:\[[\w@*-]+\])?|[@*#?$!-]")
_TABS = late(r"^\t+", re.MULTILINE)


class UnreadableError(Exception):
    """The command is not bash, or holds more than anybody writes."""


class Words:
    """Reads the parts of words out of the source."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    @abstractmethod
    def block(self, children: list[Tree], depth: int) -> Node:
        """The commands of a block in order."""

    def check(self, depth: int) -> None:
        """Stop where nesting has no end.

        Raises:
            UnreadableError: it is too deep.
        """
        if depth > _DEEPEST:
            raise UnreadableError

    def bounded(self, redirects: list[Redirect]) -> list[Redirect]:
        """The redirections of one command.

        Raises:
            UnreadableError: nobody writes so many.
        """
        if len(redirects) > _MOST_REDIRECTS:
            raise UnreadableError
        return redirects

    def text(self, node: Tree) -> str:
        """The source of a node."""
        return self.slice(node.start_byte, node.end_byte)

    def slice(self, start: int, end: int) -> str:
        """A piece of the source; a lone surrogate stays what it was."""
        piece = self.source[start:end]
        try:
            return piece.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return piece.decode("utf-8", "replace")

    def word(self, tree: Tree, depth: int) -> Raw:
        """A word as its parts."""
        kind = tree.type
        if kind in _BARE:
            return self.bare(tree, depth)
        if kind == "string":
            return self.pieces(tree, tree.start_byte + 1, tree.end_byte - 1, depth, Kind.TEXT) or (Part(Kind.TEXT, ""),)
        if kind == "concatenation":
            self.check(depth)
            return tuple([part for child in tree.children for part in self.word(child, depth + 1)])
        if kind == "translated_string":
            return self.word(tree.children[-1], depth + 1)
        return (self.literal(tree) or self.expansion(tree, depth),)

    def literal(self, tree: Tree) -> Part | None:
        """Quoted text without expansions, and braces."""
        kind = tree.type
        if kind == "raw_string":
            return Part(Kind.TEXT, self.text(tree)[1:-1])
        if kind == "ansi_c_string":
            return Part(Kind.TEXT, _ANSI_ESCAPE.sub(_ansi, self.text(tree)[2:-1]))
        return Part(Kind.BARE, self.text(tree)) if kind == "brace_expression" else None

    def bare(self, tree: Tree, depth: int) -> Raw:
        """An unquoted word; a backslash quotes what follows it."""
        if tree.children:
            return self.pieces(tree, tree.start_byte, tree.end_byte, depth, Kind.BARE)
        text = self.text(tree)
        if "\\" not in text:
            return (Part(Kind.BARE, text),)
        return tuple(_split_escapes(text))

    def expansion(self, tree: Tree, depth: int) -> Part:
        """`$name`, `${...}`, `$(...)`, `<(...)`, `$((...))`."""
        kind, text = tree.type, self.text(tree)
        if kind == "simple_expansion":
            return Part(Kind.NAME, text[1:])
        if kind == "expansion" and _NAME.fullmatch(text, 2, len(text) - 1):
            return Part(Kind.NAME, text[2:-1])
        if kind == "command_substitution":
            self.check(depth)
            return Part(Kind.RUN, text, self.block(tree.children, depth + 1))
        if kind == "process_substitution":
            self.check(depth)
            return Part(Kind.FILE, text, self.block(tree.children, depth + 1))
        if tree.is_named:
            return Part(Kind.ELSE, text, self.inside(tree, depth))
        return Part(Kind.BARE, text)

    def inside(self, tree: Tree, depth: int) -> Node | None:
        """The commands that run inside an arithmetic or a default value."""
        if "$(" not in self.text(tree)[1:] and "`" not in self.text(tree):
            return None
        found = [Block(parts=[self.block(node.children, depth + 1)]) for node in self.substitutions(tree, depth)]
        return Block(parts=list(found)) if found else None

    def substitutions(self, tree: Tree, depth: int) -> list[Tree]:
        """The command substitutions below a node."""
        self.check(depth)
        found: list[Tree] = []
        for child in tree.children:
            below = self.substitutions(child, depth + 1) if child.type != "command_substitution" else [child]
            found += below
        return found

    def pieces(
        self, tree: Tree, start: int, end: int, depth: int, kind: Kind, escape: re.Pattern[str] = _QUOTED_ESCAPE
    ) -> Raw:
        """The parts of a quoted string: its expansions, and the text between them."""
        parts: list[Part] = []
        for child in tree.children:
            if child.type in EXPANSIONS:
                if child.start_byte > start:
                    parts.append(Part(kind, escape.sub(_unescaped, self.slice(start, child.start_byte))))
                parts.append(self.expansion(child, depth))
                start = child.end_byte
        if end > start:
            parts.append(Part(kind, escape.sub(_unescaped, self.slice(start, end))))
        return tuple(parts)

    def redirect(self, tree: Tree, depth: int) -> Redirect:
        """One redirection."""
        if tree.type == "heredoc_redirect":
            return Redirect("<<", 0, self.heredoc(tree, depth))
        if tree.type == "herestring_redirect":
            return Redirect("<<<", 0, self.word(tree.children[-1], depth))
        fd, op = -1, ""
        word: Raw = ()
        for child in tree.children:
            if child.type == "file_descriptor":
                fd = int(self.text(child)) if self.text(child).isdecimal() else -1
            elif not op and not child.is_named:
                op = child.type
            elif not word:
                word = self.word(child, depth)
        return Redirect(op, fd, word)

    def heredoc(self, tree: Tree, depth: int) -> Raw:
        """The text of a here-document; `<<-` takes the tabs off its lines."""
        body = next((child for child in tree.children if child.type == "heredoc_body"), None)
        if body is None:
            return ()
        start = next((self.text(child) for child in tree.children if child.type == "heredoc_start"), "")
        parts: Raw = (Part(Kind.TEXT, self.text(body)),)
        if not set(start) & set("'\"\\"):
            parts = self.pieces(body, body.start_byte, body.end_byte, depth, Kind.TEXT, _HEREDOC_ESCAPE)
        if tree.children[0].type != "<<-":
            return parts
        return tuple(part._replace(text=_TABS.sub("", part.text)) if part.kind is Kind.TEXT else part for part in parts)


REDIRECTS = frozenset({"file_redirect", "heredoc_redirect", "herestring_redirect"})
EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)
_BARE = frozenset({"word", "number", "extglob_pattern", "regex", "special_variable_name", "variable_name"})
WORDS = EXPANSIONS | {
    "word",
    "number",
    "raw_string",
    "string",
    "ansi_c_string",
    "concatenation",
    "extglob_pattern",
    "regex",
    "translated_string",
    "brace_expression",
}


def _split_escapes(text: str) -> list[Part]:
    """Unquoted text with backslashes: what they quote is no pattern."""
    parts = []
    for escaped, plain in _ESCAPED_OR_PLAIN.findall(text):
        parts.append(Part(Kind.TEXT, _ESCAPE.sub(_unescaped, escaped)) if escaped else Part(Kind.BARE, plain))
    return parts


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def _ansi(found: re.Match[str]) -> str:
    if digits := found[1] or found[2]:
        return chr(int(digits, 16))
    return chr(int(found[3], 8)) if found[3] else _ANSI.get(found[4], found[4])
