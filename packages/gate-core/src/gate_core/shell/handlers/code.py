"""Interpreters: what a one-liner reads or edits, and which script is run."""

from __future__ import annotations

from gate_core.model.late import late
from gate_core.shell.code import changes_lines, read_code, written_by
from gate_core.shell.expand import Word
from gate_core.shell.handlers.tasks import may_change
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import NOWHERE, SOMEWHERE, Place, Use

_FILTERS = frozenset({"perl", "ruby"})
_EDITS = late(r"-[a-zA-Z0-9]{0,6}i[\w.]{0,8}")
_LOOPS = late(r"-[a-zA-Z0-9]{0,6}[np][a-zA-Z]{0,4}")
_EXPRESSION = late(r"-[a-zA-Z0-9.]{0,12}[eE]")
_CODE = ("-c", "-e", "-E", "--eval", "-p", "--print", "-r", "-pe", "-Command", "--command")
_TASK_SCRIPTS = frozenset({"manage.py", "artisan", "setup.py", "tasks.py", "gulpfile.js", "console"})
_TEST_SCRIPT = late(r"test_\w+\.\w+|\w+[._](?:test|spec)\.\w+")


def runs_code(program: Program, args: Arguments, stage: Stage) -> Use:
    """Interpreters: a one-liner that only reads a file and prints it reads that file; any other program is opaque."""
    if stage.program in _FILTERS and any(_LOOPS.fullmatch(w.text) or _EDITS.fullmatch(w.text) for w in stage.argv[1:4]):
        return _filtered(program, stage)
    if args.has(program.checks_with):
        return Use(places=tuple([Place(Role.RUN, word) for word in args.operands]), program=program)
    code = args.of(*_CODE)
    fed = [word for op, _, word in stage.sent if op in ("<<", "<<<")]
    if code is None and fed and not [word for word in args.operands if word.text != "-"]:
        code = fed[0]
    if code is None:
        return _script(program, [word for word in args.operands if word.text not in NOWHERE])
    code = _told_words(code, args.operands)
    language = "prints" if args.of("-p", "--print") is not None else program.kind
    found = read_code(code.text, language) if code.known else None
    if found is None:
        written = written_by(code.text) if code.known else ()
        return Use(places=tuple(Place(Role.WRITE, Word(path)) for path in written), opaque=True, program=program)
    places = tuple([Place(Role.READ, Word(path), SOMEWHERE) for path in found])
    return Use(places=places, shows=Shows.PART if places else Shows.OWN, program=program)


def _told_words(code: Word, operands: tuple[Word, ...]) -> Word:
    """The code with the words it is given in the place of `sys.argv[1]` and so on."""
    words = {
        f"sys.argv[{number}]": word for number, word in enumerate(operands, start=1) if word.known and not word.glob
    }
    text = code.text
    for name, word in words.items() if code.known and "sys.argv" in text else ():
        text = text.replace(name, repr(word.text))
    return code._replace(text=text)


def _script(program: Program, words: list[Word]) -> Use:
    """A script runs; what it does nobody knows, but for tests and for scripts whose first word names a task."""
    if not words:
        return Use(opaque=True, program=program)
    name = words[0].text.rpartition("/")[2]
    harmless = _TEST_SCRIPT.fullmatch(name) is not None
    if name in _TASK_SCRIPTS and len(words) > 1:
        harmless = not may_change(words[1].text)
    return Use(places=(Place(Role.RUN, words[0]),), opaque=not harmless, program=program)


def _filtered(program: Program, stage: Stage) -> Use:
    """perl -ne, perl -pi -e: a script over the lines of its files, which it prints or changes where they stand."""
    scripts, files, edits, is_script = [], [], False, False
    for word in stage.argv[1:]:
        if is_script:
            scripts.append(word)
        elif not word.text.startswith("-"):
            files.append(word)
        is_script = not is_script and _EXPRESSION.fullmatch(word.text) is not None
        edits = edits or (word.text.startswith("-") and _EDITS.fullmatch(word.text) is not None)
    text = ";".join([word.text for word in scripts])
    acts = not scripts or not all(word.known for word in scripts) or read_code(text, program.kind) is None
    if edits:
        places = tuple([Place(Role.WRITE, word) for word in files])
        return Use(places=places, quiet=True, opaque=acts or not files or stage.fed, program=program)
    changed = acts or changes_lines(text)
    role, shows = (Role.LIST, Shows.NAMES) if changed else (Role.READ, Shows.PART)
    return Use(places=tuple([Place(role, word) for word in files]), shows=shows, opaque=acts, program=program)


_SETTINGS = late(
    r"(?:.*/)?(?:activate(?:\.\w+)?|\.?env(?:\.\w+)*|\.?(?:bash|zsh|k?sh)?rc|\.(?:bash_|zsh_)?(?:profile|aliases)|"
    r"\.envrc|nvm\.sh|conda\.sh|sdkman-init\.sh|asdf\.sh|cargo/env|(?:local_|dev)?setup\.(?:ba|z)?sh|emsdk_env\.sh|"
    r"(?:set)?vars\.sh|environment|os-release|lsb-release|\w*env\.sh|init\.sh|exports?\.sh|config(?:\.sh)?)"
)


def takes_settings(program: Program, args: Arguments, stage: Stage) -> Use:
    """source: a file of settings sets names and no more; any other script may do anything."""
    words = args.operands[:1]
    plain = bool(words) and words[0].known and _SETTINGS.fullmatch(words[0].text[:400]) is not None
    places = tuple([Place(Role.RUN, word) for word in words if word.text not in NOWHERE])
    return Use(places=places, opaque=not plain, program=program)
