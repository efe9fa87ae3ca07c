"""Programs that find, copy, pack, convert and test files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.inner import searched
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, Place, Use, by_roles

_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-fls"})
_PRINTS = frozenset({"-print", "-print0", "-printf", "-ls"})


def finds(program: Program, args: Arguments, stage: Stage) -> Use:
    """find: lists what lies below its folders, or deletes it; what it executes is a stage of its own."""
    words = stage.argv[1:]
    texts = {word.text for word in words}
    at = next((i for i, word in enumerate(words) if word.text.startswith("-") or word.text in ("(", "!")), len(words))
    places = [Place(Role.LIST, word) for word in words[:at] or (Word("."),)]
    if "-delete" in texts:
        places += [Place(Role.DELETE, word) for word in searched(stage.argv)]
    places += [
        Place(Role.WRITE, words[i + 1]) for i, w in enumerate(words[:-1]) if w.text in ("-fprint", "-fprintf", "-fls")
    ]
    silent = not _ACTIONS.isdisjoint(texts) and _PRINTS.isdisjoint(texts)
    return Use(places=tuple(places), shows=Shows.NAMES, quiet=silent, program=program)


def _is_remote(word: Word) -> bool:
    """`host:path` and `rsync://`, but not a drive."""
    head, colon, _ = word.text.partition(":")
    return bool(colon) and "/" not in head and len(head) > 1


def copies(program: Program, args: Arguments, stage: Stage) -> Use:
    """cp, mv, install, ln, rsync: sources and a destination, which may be a folder."""
    if args.has(frozenset({"-d", "--directory"})) and "install" in program.names:
        return Use(places=tuple([Place(Role.MAKE, word) for word in args.operands]), quiet=True, program=program)
    folder = args.of("-t", "--target-directory")
    sources = args.operands if folder or (len(args.operands) == 1 and "ln" in program.names) else args.operands[:-1]
    goal = folder or (args.operands[-1] if len(args.operands) > len(sources) else Word("."))
    if not sources or stage.fed:
        return Use(quiet=True, opaque=stage.fed, program=program)
    if args.has(program.checks_with):
        return Use(places=tuple([Place(Role.LIST, word) for word in sources]), shows=Shows.NAMES, program=program)
    places = [
        Place(Role.LEAVE if "leave*" in program.operands else Role.LIST, word)
        for word in sources
        if not _is_remote(word) and word.text not in NOWHERE
    ]
    if args.has(frozenset({"--remove-source-files"})):
        places = [place._replace(role=Role.LEAVE) for place in places]
    deep = not _DEEP.isdisjoint(args.flags) or "rsync" in program.names
    goals = _goals(program, folder, sources, goal, deep=deep)
    return Use(places=(*places, *goals), quiet=True, program=program)


_DEEP = frozenset({"-r", "-R", "-a", "--recursive", "--archive"})


def _goals(program: Program, folder: Word | None, sources: tuple[Word, ...], goal: Word, *, deep: bool) -> list[Place]:
    """Where copies go: below a folder each keeps its name; another host is a place of its own. A copied folder is made
    like any other, so that a listing shows it."""
    if _is_remote(goal):
        host = goal.text.partition(":")[0].rpartition("@")[2]
        return [Place(Role.RUN, Word(f"ssh://{host}", goal.known))]
    tree = deep and all(_is_tree(source) for source in sources)
    role = Role.MAKE if program.shows is Shows.NAMES or tree else Role.WRITE
    if "rsync" in program.names and len(sources) == 1 and sources[0].text.endswith("/"):  # what is in it, not itself
        return [Place(role, goal._replace(text=goal.text.rstrip("/") or "/"))]
    whole = folder is None and not goal.text.endswith("/") and goal.text not in (".", "..", "~") and len(sources) == 1
    globbed = any(source.glob for source in sources)
    if whole and not (globbed and not goal.glob):
        return [Place(role, goal)]
    return [Place(role, _inside(goal, source)) for source in sources]


def _is_tree(source: Word) -> bool:
    """True for what a recursive copy takes as a folder: a name with a slash behind it, or without an ending."""
    return source.text.endswith("/") or "." not in source.text.rpartition("/")[2].lstrip(".")


def _inside(folder: Word, source: Word) -> Word:
    name = source.text.rstrip("/").rpartition("/")[2] or "*"
    return Word(f"{folder.text.rstrip('/')}/{name}", folder.known and source.known, source.glob or name == "*")


def converts(program: Program, args: Arguments, stage: Stage) -> Use:
    """dd: operands that name what they are; without an output it prints."""
    named = {key: value for key, _, value in (word.text.partition("=") for word in args.operands)}
    if "of" not in named:
        read = [Place(Role.READ, Word(named["if"]))] if "if" in named else []
        return Use(places=tuple(read), shows=Shows.CONTENT, program=program)
    known = all(word.known for word in args.operands)
    pairs = [(Role.LIST, named.get("if", "-")), (Role.WRITE, named["of"])]
    places = tuple([Place(role, Word(text, known)) for role, text in pairs if text not in NOWHERE])
    return Use(places=places, quiet=True, program=program)


_LETTERS = late(r"-?[A-Za-z]+")
_WORDS = {"--list": "t", "--create": "c", "--append": "r", "--update": "u", "--diff": "d", "--to-stdout": "O"}


def packs(program: Program, args: Arguments, stage: Stage) -> Use:
    """tar: lists, packs or unpacks."""
    first = stage.argv[1].text if len(stage.argv) > 1 else ""
    letters = "".join([word.text.lstrip("-") for word in stage.argv[1:] if re.fullmatch(r"-[A-Za-z]+", word.text)])
    letters += "".join([letter for word, letter in _WORDS.items() if word in args.flags])
    bare = not first.startswith("-") and _LETTERS.fullmatch(first) is not None
    letters += first if bare else ""
    file = args.of("-f", "--file") or (args.operands[1] if bare and "f" in first and len(args.operands) > 1 else None)
    archive = (file,) if file is not None and file.text not in NOWHERE else ()
    if "t" in letters or "d" in letters:
        return Use(places=tuple([Place(Role.LIST, word) for word in archive]), shows=Shows.NAMES, program=program)
    if not {"c", "r", "u"}.isdisjoint(letters):
        return Use(places=tuple([Place(Role.MAKE, word) for word in archive]), quiet=True, program=program)
    if "O" in letters:
        return Use(places=tuple([Place(Role.READ, word) for word in archive]), shows=Shows.PART, program=program)
    unpacks = "x" in letters or "--extract" in args.flags
    members = args.operands[2 if bare and file is not None else 1 if bare else 0 :] if unpacks else ()
    files = () if "--strip-components" in args.flags else tuple(_landed(args, members))
    return Use(
        places=(*[Place(Role.LIST, word) for word in archive], *[Place(Role.WRITE, word) for word in files]),
        opaque=unpacks and (not members or len(files) < len(members)),
        quiet=True,
        program=program,
    )


def _landed(args: Arguments, members: tuple[Word, ...]) -> Iterator[Word]:
    """The files that named members become; a name without an ending may be a folder of who knows what."""
    folder = args.of("-C", "--directory")
    for word in members:
        if "." in word.text.rpartition("/")[2] and not word.text.endswith("/"):
            yield (
                word
                if folder is None
                else word._replace(text=f"{folder.text.rstrip('/')}/{word.text}", known=word.known and folder.known)
            )


_SUFFIXES = {"gzip": ".gz", "pigz": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lzma": ".lzma", "lz4": ".lz4"}
_UNPACKS = {"gunzip": ".gz", "bunzip2": ".bz2", "unxz": ".xz", "unzstd": ".zst", "unlzma": ".lzma", "uncompress": ".Z"}
_KEEP = frozenset({"-k", "--keep"})


def squeezes(program: Program, args: Arguments, stage: Stage) -> Use:
    """gzip, xz, zstd and their opposites: a file becomes one of another name, unless it is printed or only listed."""
    name = stage.program
    unpacks = name in _UNPACKS or not {"-d", "--decompress", "--uncompress"}.isdisjoint(args.flags)
    files = [word for word in args.operands if word.text not in NOWHERE]
    if not {"-l", "--list", "-t", "--test"}.isdisjoint(args.flags):
        return Use(places=tuple([Place(Role.LIST, word) for word in files]), shows=Shows.NAMES, program=program)
    if not {"-c", "--stdout", "--to-stdout"}.isdisjoint(args.flags) or not files:
        role, shows = (Role.READ, Shows.CONTENT) if unpacks else (Role.LIST, Shows.OWN)
        return Use(places=tuple([Place(role, word) for word in files]), shows=shows, program=program)
    keeps = args.has(_KEEP) or (name in ("zstd", "unzstd", "lz4") and "--rm" not in args.flags)
    suffix = _UNPACKS.get(name) or _SUFFIXES.get(name, ".gz")
    goals = [word._replace(text=_renamed(word.text, suffix, unpacks=unpacks)) for word in files]
    if named := args.of("-o"):
        goals = [named]
    left = [Place(Role.LIST if keeps else Role.LEAVE, word) for word in files]
    return Use(places=(*left, *[Place(Role.WRITE, word) for word in goals]), quiet=True, program=program)


def _renamed(text: str, suffix: str, *, unpacks: bool) -> str:
    return text.removesuffix(suffix) if unpacks else f"{text}{suffix}"


def archives(program: Program, args: Arguments, stage: Stage) -> Use:
    """zip, unzip, 7z: pack, list, print or unpack an archive, which is the first of their operands."""
    operands = args.operands
    verb = operands[0].text if program.kind == "verb" and operands else ""
    named = operands[1:] if verb else operands
    archive = tuple([word for word in named[:1] if word.text not in NOWHERE])
    if stage.program in ("zip", "jar") or verb in ("a", "u", "d", "c", "m"):
        if stage.program == "zip" and archive and "." not in archive[0].text.rpartition("/")[2]:
            archive = (archive[0]._replace(text=f"{archive[0].text}.zip"),)
        sources = [Place(Role.LIST, word) for word in named[1:]]
        return Use(places=(*[Place(Role.MAKE, w) for w in archive], *sources), quiet=True, program=program)
    listed = tuple([Place(Role.LIST, word) for word in archive])
    if args.has(program.names_with) or verb in ("l", "lb", "t", "v", "h", "i"):
        return Use(places=listed, shows=Shows.NAMES, program=program)
    if not {"-p", "-c", "-so"}.isdisjoint(args.flags):
        return Use(places=tuple([Place(Role.READ, w) for w in archive]), shows=Shows.PART, program=program)
    return Use(places=listed, opaque=bool(archive) or stage.fed, program=program)


_UNARY = frozenset({"-e", "-f", "-d", "-s", "-r", "-w", "-x", "-L", "-h", "-c", "-b", "-p", "-S", "-a", "-O"})
_EXIST = frozenset({"-e", "-f", "-d", "-L", "-h"})


def tests(program: Program, args: Arguments, stage: Stage) -> Use:
    """test: asks whether files are there."""
    words = stage.argv[1:]
    places = [
        Place(Role.ABSENT if i and words[i - 1].text == "!" and word.text in _EXIST else Role.LIST, words[i + 1])
        for i, word in enumerate(words[:-1])
        if word.text in _UNARY and not (i and words[i - 1].text in _UNARY)
    ]
    return Use(places=tuple(places), shows=Shows.NAMES, quiet=True, answers=(1,), program=program)


def turns_into(program: Program, args: Arguments, stage: Stage) -> Use:
    """convert, ffmpeg, pandoc and their kin: one file is made of others; without one they only tell about them."""
    use = by_roles(program, args, stage)
    if any(place.role is Role.WRITE for place in use.places):
        return replace(use, quiet=True)
    return use
