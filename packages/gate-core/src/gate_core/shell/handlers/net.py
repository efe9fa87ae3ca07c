"""Clients of the network: what they fetch, send and write.

A place of the network is an address; it lives in its host. A look reads or lists it, anything else is run on it, which
is a change of that host that nobody can name further.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use

_LOOKS = frozenset({"GET", "HEAD", "OPTIONS"})
_BODY = frozenset({"-o", "--output", "-O", "--output-document"})
_SAVES = frozenset({"-O", "--remote-name", "--remote-name-all", "-d", "--download"})
_MIRRORS = frozenset({"-r", "-m", "--mirror", "--recursive", "-p", "--page-requisites"})
_FOLDERS = ("-P", "--directory-prefix", "--output-dir")


def fetches(program: Program, args: Arguments, stage: Stage) -> Use:
    """curl, wget: a GET reads an address, what it is told to write to is written; anything else acts on the host."""
    extra = [word for name, word in args.values if name == "--url"]
    urls = [_addressed(word, "http") for word in (*args.operands, *extra)]
    method = args.of("-X", "--request", "--method")
    if method is not None:
        told = method.text.upper()
    elif args.has(program.writes_with) and {"-G", "--get"}.isdisjoint(args.flags):
        told = "POST"
    else:
        told = "GET"
    return _fetched(program, args, urls, told)


def _fetched(program: Program, args: Arguments, urls: list[Word], method: str) -> Use:
    names = args.has(program.names_with) or method == "HEAD"
    saved = _saved(program, args, urls, names=names)
    mirrors = "wget" in program.names and not _MIRRORS.isdisjoint(args.flags)
    hidden = saved is not None
    role = Role.RUN if method not in _LOOKS else Role.LIST if names or hidden else Role.READ
    files = [place for place in _files(program, args) if place.word.text not in NOWHERE]
    files += [Place(Role.WRITE, word) for word in saved or () if word.text not in NOWHERE and not mirrors]
    return Use(
        places=(*(Place(role, word) for word in urls), *dict.fromkeys(files)),
        shows=Shows.NAMES if names or hidden else Shows.CONTENT,
        quiet=hidden,
        opaque=mirrors,
        program=_rated(program, method),
    )


def _rated(program: Program, method: str) -> Program:
    """The row with the risk of the method: what is deleted on a host is gone."""
    if method in _LOOKS:
        return program
    if method == "DELETE":
        return replace(program, risk="high", reversible=False, family="delete")
    return replace(program, risk="medium")


def _saved(program: Program, args: Arguments, urls: list[Word], *, names: bool) -> list[Word] | None:
    """Where the body goes when it is not shown: named files, or files named like the addresses."""
    told = [word for name, word in args.values if name in _BODY and program.options.get(name) is Role.WRITE]
    if told:
        return None if all(word.text in ("-", "/dev/stdout") for word in told) else told
    if names or (_SAVES.isdisjoint(args.flags) and "wget" not in program.names):
        return None
    folder = args.of(*_FOLDERS)
    files = [_file_of(url) for url in urls]
    return [word._replace(text=f"{folder.text.rstrip('/')}/{word.text}") for word in files] if folder else files


def _file_of(url: Word) -> Word:
    path = url.text.partition("://")[2].partition("?")[0].rstrip("/")
    return url._replace(text=path.rpartition("/")[2] if "/" in path else "index.html")


_FROM_FILE = late(r"(?:[\w.\[\]-]{1,80}=)?[@<]([^;]{1,400})")


def _files(program: Program, args: Arguments) -> Iterator[Place]:
    """The local files that options name; what is sent may stand in one ("-d @body.json", "-F file=@a.png")."""
    for name, word in args.values:
        if name in _BODY:
            continue
        if name in program.options:
            yield Place(program.options[name], word)
        elif name in program.writes_with and (found := _FROM_FILE.match(word.text)):
            yield Place(Role.LIST, word._replace(text=found[1]))


def _addressed(word: Word, scheme: str) -> Word:
    if "://" in word.text:
        return word
    return word._replace(text=f"{scheme}://{word.text}")


_ITEM = late(r"[\w.\[\]-]{1,80}(?P<op>:=@|:=|==|=@|=|@|:)(?P<value>[^\n]*)", re.DOTALL)


def asks_by_items(program: Program, args: Arguments, stage: Stage) -> Use:
    """httpie, xh: `http [METHOD] URL [items]`; an item that is a part of the body makes it a POST."""
    words = list(args.operands)
    method = words.pop(0).text.upper() if words and re.fullmatch(r"[A-Za-z]{3,8}", words[0].text) else ""
    if not words or "--offline" in args.flags:
        return Use(program=program)
    items = [found for word in words[1:] if (found := _ITEM.fullmatch(word.text))]
    sends = any(found["op"] not in ("==", ":") for found in items) or args.has(program.writes_with)
    text = words[0].text
    scheme = "https" if stage.program in ("https", "xhs") else "http"
    url = _addressed(words[0]._replace(text=f"localhost{text}") if text.startswith(":") else words[0], scheme)
    use = _fetched(program, args, [url], method or ("POST" if sends else "GET"))
    sent = [Place(Role.LIST, Word(found["value"])) for found in items if found["op"].endswith("@")]
    return replace(use, places=(*use.places, *sent))


def reaches(program: Program, args: Arguments, stage: Stage) -> Use:
    """ping, dig, nc: a host, or a port of one, by the scheme of the row."""
    words = [word for word in args.operands if not word.text.startswith(("@", "+")) and not word.text.isupper()]
    told = args.of("-connect", "--connect", "-h")
    if told is not None:
        words = [told]
    if "-l" in args.flags or not words:
        return Use(program=program)
    port = f":{words[1].text}" if len(words) > 1 and words[1].text.isdecimal() else ""
    at = _addressed(words[0]._replace(text=words[0].text + port), program.kind)
    looks = args.has(program.names_with)
    role = Role.LIST if looks else Role(program.operands[0])
    return Use(
        places=(Place(role, at),),
        shows=Shows.NAMES if looks else program.shows,
        answers=program.answers,
        program=program,
    )
