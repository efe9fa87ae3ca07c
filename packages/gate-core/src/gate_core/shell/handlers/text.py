"""Programs that print text: echo, printf, sed, awk, head, tail and their kin."""

from __future__ import annotations

import re
from dataclasses import replace

from gate_core.model.late import late
from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, SOMEWHERE, Place, Use, by_roles

_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "r": "\r"}
_HOLE = late(r"%[-+ #\d.*]{0,12}[a-zA-Z]")
_MOST_ROUNDS = 1_000
_LONGEST_SCRIPT = 10_000  # characters of a script of sed or awk that are read


def says(program: Program, args: Arguments, stage: Stage) -> Use:
    """echo: prints its words."""
    words = list(stage.argv[1:])
    ends = "\n"
    while words and re.fullmatch(r"-[neE]+", words[0].text):
        ends = "" if "n" in words.pop(0).text else ends
    if not all(word.known and not word.glob for word in words):
        return Use(shows=Shows.OWN, program=program)
    text = " ".join([word.text for word in words])
    return Use(shows=Shows.OWN, says=_unescaped(text) + ends, program=program)


def formats(program: Program, args: Arguments, stage: Stage) -> Use:
    """printf: prints its format with its words in it."""
    words = [word for word in stage.argv[1:] if word.text != "--"]
    if not words or not all(word.known for word in words):
        return Use(shows=Shows.OWN, program=program)
    pattern, rest = _unescaped(words[0].text).replace("%%", "\0"), [word.text for word in words[1:]]
    holes = len(_HOLE.findall(pattern))
    rounds = max(-(-len(rest) // holes), 1) if holes else 1
    values = iter(rest)
    text = _HOLE.sub(lambda _: next(values, ""), pattern * min(rounds, _MOST_ROUNDS))
    return Use(shows=Shows.OWN, says=text.replace("\0", "%"), program=program)


def _unescaped(text: str) -> str:
    return re.sub(r"\\([nt\\r])", lambda m: _ESCAPES[m[1]], text)


def _changed(use: Use, *, opaque: bool = False) -> Use:
    """What prints a changed copy of its files: they are there, and that is all it says about them."""
    places = tuple([p._replace(role=Role.LIST, lines=None) if p.role is Role.READ else p for p in use.places])
    return replace(use, places=places, shows=Shows.NAMES, passes=Shows.NOTHING, opaque=use.opaque or opaque)


def _at(use: Use, lines: tuple[int, int] | None) -> Use:
    return replace(use, places=tuple([p._replace(lines=lines) if p.role is Role.READ else p for p in use.places]))


_ADDRESS = r"(?:\d{1,9}|\$|/(?:[^/\\]|\\.){0,200}/I?)"
_PRINTING = late(rf"(?:{_ADDRESS}(?:,(?:[+~]\d{{1,9}}|{_ADDRESS}))?)?!?[pqdQ=](?:[;\n}}]|$)")
_PICKING = late(r"s([/|#,!])(?:(?!\1)[^\\\n]|\\.){1,300}\1(?:\\[1-9]|&){0,9}\1[gI]{0,2}p")
"""A substitution that prints what is left of the lines it matches, and puts no words of its own there."""
_SED_WRITES = late(r"(?:^|[;{}\n\d$/!])\s*[wWe]\s+\S|/[gpiI0-9]*[we]\s|/[gpiI0-9]*e$")
_WINDOW = late(r"(\d{1,9})(?:,(\d{1,9}))?p")
_UNTIL = late(r"(\d{1,9})q")


def edits_stream(program: Program, args: Arguments, stage: Stage) -> Use:
    """sed: prints lines of its files, or a changed copy of them, or changes them where they stand."""
    if args.operands and not args.operands[0].text:  # `sed -i ''`, the spelling of BSD
        args = replace(args, operands=args.operands[1:])
    use = by_roles(program, args, stage)
    scripts = [word for name, word in args.values if name in ("-e", "--expression")] or list(args.operands[:1])
    whole = "\n".join([word.text for word in scripts])
    if len(whole) > _LONGEST_SCRIPT:
        return _changed(use, opaque=True)
    known = all(word.known for word in scripts) and args.of("-f", "--file") is None
    if args.has(program.writes_with):
        return replace(use, opaque=use.opaque or _SED_WRITES.search(whole) is not None)
    silent = not {"-n", "--quiet", "--silent"}.isdisjoint(args.flags)
    text = whole.replace(" ", "")
    if known and silent and _PICKING.fullmatch(whole.strip()):
        return _at(use, SOMEWHERE)
    if not known or _PRINTING.sub("", text).strip("{}") or (not silent and "p" in text):
        return _changed(use, opaque=_SED_WRITES.search(whole) is not None or args.of("-f", "--file") is not None)
    return _at(use, _sed_lines(text, silent=silent))


def _sed_lines(text: str, *, silent: bool) -> tuple[int, int] | None:
    if silent and (window := _WINDOW.match(text)):
        return int(window[1]), int(window[2] or window[1])
    until = None if silent else _UNTIL.fullmatch(text)
    return (1, int(until[1])) if until else None


_AWK_ACTS = late(r"\bsystem\s*\(|\|&?\s*\"|\"\s*\|&?\s*getline|\bgetline\s*<|\bprintf?\b[^;}\n]{0,300}>\s*[\"\w(]")
_AWK_CHANGES = late(r"\bg?(?:en)?sub\s*\(|\$\w+\s*[-+*/]?=(?!=)|\bto(?:upper|lower)\s*\(")


_AWK_TELLS = late(r"\A\s*BEGIN\s*\{[^{}]*\}\s*\Z|\"[^\"\n]*=[^\"\n]*\d[^\"\n]*\"")
"""A script that never comes to its files, or prints a setting of its own."""


def filters(program: Program, args: Arguments, stage: Stage) -> Use:
    """awk: prints lines and fields of its files; its script may also change them on the way, write files, or run
    programs."""
    if any(name in ("-i", "--include") and word.text == "inplace" for name, word in args.values):
        return by_roles(replace(program, writes_with=frozenset({"-i", "--include"})), args, stage)
    file = args.of("-f", "--file")
    use = by_roles(program, args, stage)
    if file is not None:
        script = (Place(Role.RUN, file),)
        return replace(_changed(use, opaque=True), places=(*script, *_changed(use).places))
    script_text = args.operands[0].text if args.operands else ""
    if len(script_text) > _LONGEST_SCRIPT or _AWK_ACTS.search(script_text):
        return _changed(use, opaque=True)
    known = bool(args.operands) and args.operands[0].known
    known = known and not (len(args.operands) > 1 and _AWK_TELLS.search(script_text))
    return _changed(use) if _AWK_CHANGES.search(script_text) or not known else use


def takes_head(program: Program, args: Arguments, stage: Stage) -> Use:
    """head: the first lines of its files."""
    use = by_roles(program, args, stage)
    given = args.of("-n", "--lines")
    text = given.text if given else next((flag[1:] for flag in args.flags if flag[1:].isdecimal()), "10")
    if args.of("-c", "--bytes"):
        return _at(use, SOMEWHERE)
    return _at(use, (1, int(text[:9])) if text.isdecimal() and int(text[:9]) > 0 else SOMEWHERE)


def takes_tail(program: Program, args: Arguments, stage: Stage) -> Use:
    """tail: the last lines of its files, or all from the first one on."""
    use = by_roles(program, args, stage)
    given = args.of("-n", "--lines", "-c", "--bytes")
    if given is None or given.text not in ("+0", "+1"):
        return use
    passes = Shows.CONTENT if use.passes is Shows.PART else use.passes
    return replace(use, shows=Shows.CONTENT, passes=passes)


_RANGE = late(r"(\d{0,9}):(\d{1,9})")


def pages(program: Program, args: Arguments, stage: Stage) -> Use:
    """bat: its files, or a range of their lines."""
    use = by_roles(program, args, stage)
    given = args.of("-r", "--line-range")
    if given is None:
        return use
    window = _RANGE.fullmatch(given.text)
    lines = (int(window[1] or 1), int(window[2])) if window else SOMEWHERE
    return _at(replace(use, shows=Shows.PART), lines)


def copies_stream(program: Program, args: Arguments, stage: Stage) -> Use:
    """tee: passes on what is piped into it, and writes it."""
    use = by_roles(program, args, stage)
    return replace(use, passes=Shows.CONTENT if stage.piped else Shows.NOTHING)


def drops_doubles(program: Program, args: Arguments, stage: Stage) -> Use:
    """uniq: reads its first operand and writes its second."""
    return replace(by_roles(program, args, stage), quiet=len(args.operands) > 1)


_ASSIGNS = late(r"(?<![=!<>])(?:[|+*/-]|//)?=(?!=)|\bdel\s*\(|\b(?:with_entries|map|walk|sub|gsub|test_)\s*\(")


def queries_json(program: Program, args: Arguments, stage: Stage) -> Use:
    """jq: parts of its files, or a changed copy of them."""
    words: list[Word] = []
    skip = 0
    for word in stage.argv[1:]:
        takes = {"--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2, "--indent": 1, "-f": 1, "-L": 1}
        if skip:
            skip -= 1
        elif word.text in takes:
            skip = takes[word.text]
        elif not word.text.startswith("-") or word.text == "-":
            words.append(word)
    files = tuple(words if args.has(program.pattern_with) else words[1:])
    if not {"-n", "--null-input"}.isdisjoint(args.flags):
        return Use(program=program)
    script = words[0].text if words else "."
    use = by_roles(replace(program, operands=("read*",)), replace(args, operands=files, values=()), stage)
    return _filtered(use, "" if args.has(program.pattern_with) else script)


def queries_data(program: Program, args: Arguments, stage: Stage) -> Use:
    """yq and its kin: like jq, and able to change a file where it stands."""
    words = args.operands
    if words and words[0].text in ("e", "eval", "ea", "eval-all", "put", "select", "r", "read"):
        args = replace(args, operands=words[1:])
    use = by_roles(program, args, stage)
    if args.has(program.writes_with):
        return use
    return _filtered(use, args.operands[0].text if args.operands else ".")


def _filtered(use: Use, script: str) -> Use:
    if script.strip() == "." and use.places:
        return replace(use, shows=Shows.CONTENT)
    return _changed(use) if _ASSIGNS.search(script) else use


def compares(program: Program, args: Arguments, stage: Stage) -> Use:
    """diff: the lines that differ, or only whether they do."""
    use = by_roles(program, args, stage)
    if args.has(program.names_with):
        return _changed(use)
    return replace(use, finds=not {"-r", "--recursive"}.isdisjoint(args.flags))


_PREFIXES = {"split": "x", "gsplit": "x", "csplit": "xx"}


def splits(program: Program, args: Arguments, stage: Stage) -> Use:
    """split, csplit: the pieces of a file, which are files whose names begin alike."""
    named = args.of("-f", "--prefix")
    if named is None and stage.program != "csplit" and len(args.operands) > 1:
        named = args.operands[1]
    prefix = named or Word(_PREFIXES.get(stage.program, "x"))
    read = [Place(Role.LIST, word) for word in args.operands[:1] if word.text not in NOWHERE]
    pieces = Place(Role.WRITE, Word(f"{prefix.text}*", prefix.known, glob=True))
    return Use(places=(*read, pieces), quiet=True, program=program)


def edits(program: Program, args: Arguments, stage: Stage) -> Use:
    """Editors: they may write what they open; a batch of Lisp may do anything."""
    opened = tuple([word for word in args.operands if not word.text.startswith("+")])
    use = by_roles(program, replace(args, operands=opened), stage)
    acts = not {"--batch", "-batch", "--script"}.isdisjoint(args.flags)
    return replace(use, opaque=use.opaque or acts)
