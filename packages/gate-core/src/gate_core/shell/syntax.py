"""The syntax of a command, as far as this product cares: words, redirections and how commands hang together."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias


class Kind(Enum):
    """What one part of a word is."""

    BARE = "bare"  # unquoted text: globs and braces mean something
    TEXT = "text"  # quoted text
    NAME = "name"  # a variable; `text` is its name
    RUN = "run"  # the output of a command; `node` is that command
    FILE = "file"  # a process substitution: a file that holds the output of `node`
    ELSE = "else"  # anything else that is expanded; `node` are the commands inside it


class Part(NamedTuple):
    """A piece of a word."""

    kind: Kind
    text: str
    node: Node | None = None


Raw: TypeAlias = tuple[Part, ...]
"""A word before expansion."""


class Redirect(NamedTuple):
    """One redirection. `op` is ">", ">>", "<", ">&", "&>", "<<" or "<<<"; `fd` is -1 for the operator's own.

    For "<<" and "<<<" `word` is the text that is fed in.
    """

    op: str
    fd: int
    word: Raw


@dataclass(slots=True, kw_only=True)
class Node:
    """Anything that runs."""

    redirects: list[Redirect] = field(default_factory=list)


class Assign(NamedTuple):
    """`name=word`; an array has its `items` instead, and `adds` stands for `+=`."""

    name: str
    word: Raw = ()
    items: tuple[Raw, ...] | None = None
    adds: bool = False


@dataclass(slots=True, kw_only=True)
class Command(Node):
    """One simple command; `assigns` are the assignments before it."""

    words: list[Raw] = field(default_factory=list)
    assigns: list[Assign] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Pipeline(Node):
    """Commands joined by pipes."""

    parts: list[Node]


@dataclass(slots=True, kw_only=True)
class Block(Node):
    """Commands one after the other."""

    parts: list[Node]


@dataclass(slots=True, kw_only=True)
class AndOr(Node):
    """`first && node || node ...`, from left to right."""

    first: Node
    rest: list[tuple[str, Node]]


@dataclass(slots=True, kw_only=True)
class Group(Node):
    """Braces or a subshell; an empty one has no body."""

    body: Node | None
    subshell: bool = False


@dataclass(slots=True, kw_only=True)
class Negated(Node):
    """`! body`."""

    body: Node


@dataclass(slots=True, kw_only=True)
class If(Node):
    """Tests with their bodies in order, and what runs when none holds."""

    arms: list[tuple[Node, Node]]
    other: Node | None


@dataclass(slots=True, kw_only=True)
class Case(Node):
    """One of the bodies runs, or none unless the last pattern takes anything (`total`)."""

    subject: Raw
    bodies: list[Node]
    total: bool


@dataclass(slots=True, kw_only=True)
class Loop(Node):
    """for, while and until. `words` is None where the values cannot be known."""

    name: str
    words: list[Raw] | None
    test: Node | None
    body: Node


@dataclass(slots=True, kw_only=True)
class Function(Node):
    """A definition; it runs where its name is called."""

    name: str
    body: Node


@dataclass(slots=True, kw_only=True)
class Background(Node):
    """`body &`."""

    body: Node
