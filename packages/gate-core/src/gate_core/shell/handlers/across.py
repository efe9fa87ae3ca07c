"""Copies between another world and the local files."""

from __future__ import annotations

import re

from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.handlers.client import only_checks, there
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import Place, Use


def copies_across(program: Program, args: Arguments, stage: Stage) -> Use:
    """docker cp, kubectl cp, aws s3 cp, scp: what crosses between a world and the local files."""
    *sources, goal = args.operands or (Word("-"),)
    if not sources or only_checks(program, args):
        return Use(domain=program.domain, program=program)
    if goal.text == "-":
        places = [Place(Role.READ, _side(program, word)) for word in sources]
        return Use(places=tuple(places), shows=Shows.CONTENT, domain=program.domain, program=program)
    gone = Role.LEAVE if "leave*" in program.operands else Role.LIST
    places = [Place(gone, _side(program, word)) for word in sources]
    if _is_remote(goal):
        places.append(Place(Role.WRITE, _side(program, goal)))
    else:
        places += [Place(Role.WRITE, _landing(goal, source)) for source in sources]
    return Use(places=tuple(places), quiet=True, domain=program.domain, program=program)


_REMOTE = late(r"[\w.@-]{1,200}(?:/[\w.-]{1,200})?:|[a-z0-9]{1,10}://")


def _is_remote(word: Word) -> bool:
    return _REMOTE.match(word.text) is not None


def _side(program: Program, word: Word) -> Word:
    """A source or a goal: a path here, or a place there; what has no domain is a host, and has an address."""
    if not _is_remote(word):
        return word
    if "://" in word.text:
        return there(program, program.kind, word) if program.domain else word
    holder, _, path = word.text.partition(":")
    if not program.domain:
        return word._replace(text=f"ssh://{holder}/{path.lstrip('/')}")
    return there(program, program.kind, word._replace(text=holder.rpartition("/")[2]))


def _landing(goal: Word, source: Word) -> Word:
    """The local file that a copy makes: in a folder, it keeps its name."""
    if goal.text not in (".", "..", "~") and not goal.text.endswith("/"):
        return goal
    name = re.split(r"[/:]", source.text.rstrip("/"))[-1]
    return Word(f"{goal.text.rstrip('/')}/{name}", goal.known and source.known, source.glob)
