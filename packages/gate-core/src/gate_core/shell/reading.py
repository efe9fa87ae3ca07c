"""Reads a stage: by the row of its program, by the row's handler, or as a program nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gate_core.shell.expand import Word
from gate_core.shell.handlers import HANDLERS
from gate_core.shell.programs import Arguments, Program, Role, Shows, find_program
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use

_MOST_SCRIPTS = 20


def use_of(stage: Stage) -> Use:
    """What the stage does, its redirections included."""
    use = _by_program(stage) if stage.argv else Use(quiet=True)
    sent = tuple(_sent(stage, use))
    return replace(use, places=(*use.places, *sent)) if sent else use


def _by_program(stage: Stage) -> Use:
    found = find_program(stage.argv, stage.program) if stage.program else None
    if found is None:
        return _unknown(stage)
    program, args = found
    use = HANDLERS[program.handler](program, args, stage)
    folder = _folder(program, args)
    if use.opaque and use.program is not None and use.program.sweeps:
        use = replace(use, sweeps=folder or Word("."))
    if folder is None:
        return use
    return replace(use, folder=folder, places=tuple(_below(folder, place, use) for place in use.places))


def _folder(program: Program, args: Arguments) -> Word | None:
    """The folder the program is told to work in ("git -C conf", "cargo --manifest-path a/Cargo.toml")."""
    given = [pair for pair in (*args.above, *args.values) if pair[0] in program.folder_with]
    folder: Word | None = None
    for name, word in given:
        at = word._replace(text=word.text.rpartition("/")[0] or ".") if name.endswith("-path") else word
        folder = at if folder is None else _joined(folder, at)
    return folder


def _below(folder: Word, place: Place, use: Use) -> Place:
    """A place of the program, as it is named from outside of the folder it works in."""
    if use.domain_of(place) or "://" in place.word.text:
        return place
    return place._replace(word=_joined(folder, place.word))


def _joined(folder: Word, word: Word) -> Word:
    if word.text.startswith(("/", "~")) or folder.text in ("", "."):
        return word
    text = folder.text if word.text == "." else f"{folder.text.rstrip('/')}/{word.text}"
    return Word(text, folder.known and word.known, word.glob)


def _unknown(stage: Stage) -> Use:
    """A program nobody knows may change anything; a script it is, it runs."""
    words = stage.argv if stage.argv and "/" in stage.argv[0].text else stage.argv[1:]
    run = tuple(Place(Role.RUN, word) for word in words if word.known and _is_path(word.text))
    return Use(places=run[:_MOST_SCRIPTS], opaque=True)


def _is_path(text: str) -> bool:
    return not text.startswith("-") and ("/" in text or "." in text) and len(text) < 400 and "\n" not in text


def _sent(stage: Stage, use: Use) -> Iterator[Place]:
    """The files its redirections write and read."""
    for op, fd, word in stage.sent:
        if word.text in NOWHERE:
            continue
        if op in (">", ">>", ">|", "&>", "&>>"):
            text = _text_of(stage, use) if fd in (-1, 1) else None
            yield Place(Role.WRITE, word, text=text)
        elif op == "<":
            yield Place(Role.READ if use.shows in (Shows.CONTENT, Shows.PART) else Role.LIST, word)


def _text_of(stage: Stage, use: Use) -> str | None:
    """What a stage writes where its command says it word by word."""
    if use.says is not None:
        return use.says
    fed = [word for op, _, word in stage.sent if op in ("<<", "<<<")]
    if fed and fed[0].known and use.shows is Shows.CONTENT and not use.places:
        return fed[0].text
    return None
