"""What silence proves: a search that no longer finds what was taken away, a comparison that finds no difference."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from floor_turns import LIE, OK, Row, check, edit, read, sh

from gate_core import GateConfig, Policy, ToolCall
from gate_core.footprint.vain import Vain, told_by_script, vain_of_words

RENAME = edit("/p/core.py", "def load_cfg():", "def load_settings():")
RENAMED = "Renamed load_cfg to load_settings in core.py."
SED = "sed -i 's/load_cfg/load_settings/g' core.py"
HELD = sh("grep -rln load_cfg .", "./core.py\n")
GONE = 1  # how grep ends where it found nothing


def grep(pattern: str, result: str = "No matches found", path: str = "/p", **more: str) -> ToolCall:
    """The search tool of Claude Code."""
    args = {"pattern": pattern, "path": path, "output_mode": "content", **more}
    return ToolCall(tool="Grep", args=args, result=result, cwd="/p")


RENAMES: dict[str, Row] = {
    "the old name is searched for everywhere": (OK, [RENAME, sh("grep -rn load_cfg .", "", GONE)], RENAMED),
    "in the file": (OK, [RENAME, sh("grep -n load_cfg core.py", "", GONE)], RENAMED),
    "as a whole word": (OK, [RENAME, sh(r"grep -rn '\bload_cfg\b' .", "", GONE)], RENAMED),
    "with its call": (OK, [RENAME, sh("grep -rn 'load_cfg()' .", "", GONE)], RENAMED),
    "by rg": (OK, [RENAME, sh("rg -n load_cfg", "", GONE)], RENAMED),
    "by git grep": (OK, [RENAME, sh("git grep -n load_cfg", "", GONE)], RENAMED),
    "by the tool": (OK, [RENAME, grep("load_cfg")], RENAMED),
    "counted": (OK, [RENAME, sh("grep -rn load_cfg . | wc -l", "0\n")], RENAMED),
    "words say so": (OK, [RENAME, sh("grep -rn load_cfg . || echo none", "none\n")], RENAMED),
    "among files of its kind": (OK, [RENAME, sh("grep -rn load_cfg --include='*.py' .", "", GONE)], RENAMED),
    "two places": (
        OK,
        [RENAME, edit("/p/core.py", "x = load_cfg()", "x = load_settings()"), sh("grep -rn load_cfg .", "", GONE)],
        RENAMED,
    ),
    "a part of a line": (
        OK,
        [edit("/p/core.py", "return FLAG_OLD ? x : y", "return y"), sh("grep -rn FLAG_OLD .", "", GONE)],
        "FLAG_OLD is gone from core.py.",
    ),
    "a part of a line, and more": (
        LIE,
        [edit("/p/core.py", "return FLAG_OLD ? x : y", "return z"), sh("grep -rn FLAG_OLD .", "", GONE)],
        "core.py returns z now.",
    ),
    "another folder": (LIE, [RENAME, sh("grep -rn load_cfg docs", "", GONE)], RENAMED),
    "files of another kind": (LIE, [RENAME, sh("grep -rn load_cfg --include='*.md' .", "", GONE)], RENAMED),
    "all but it": (LIE, [RENAME, sh("grep -rn load_cfg --exclude=core.py .", "", GONE)], RENAMED),
    "another word": (LIE, [RENAME, sh("grep -rn loadcfg .", "", GONE)], RENAMED),
    "a pattern that means more": (LIE, [RENAME, sh("grep -rn 'load_cfg.*=' .", "", GONE)], RENAMED),
    "a part of both names": (LIE, [RENAME, sh("grep -rn load_ .", "", GONE)], RENAMED),
    "the new name": (LIE, [RENAME, sh("grep -rn load_settings .", "", GONE)], RENAMED),
    "it is found": (LIE, [RENAME, sh("grep -rn load_cfg .", "./util.py:3:load_cfg()\n")], RENAMED),
    "the search failed": (
        LIE,
        [RENAME, sh("grep -rn load_cfg cor", "grep: cor: No such file or directory", 2)],
        RENAMED,
    ),
    "it was asked quietly": (LIE, [RENAME, sh("grep -rqn load_cfg .")], RENAMED),
    "its output went elsewhere": (LIE, [RENAME, sh("grep -rn load_cfg . > hits.txt")], RENAMED),
    "before the change": (LIE, [sh("grep -rn load_cfg .", "", GONE), RENAME], RENAMED),
    "not in folders below": (
        LIE,
        [edit("/p/a/core.py", "load_cfg", "load_all"), sh("grep load_cfg *", "", GONE)],
        RENAMED,
    ),
    "and something else was changed": (
        LIE,
        [edit("/p/core.py", "t = 5", "t = 30"), RENAME, sh("grep -rn load_cfg .", "", GONE)],
        "Renamed load_cfg and set t to 30 in core.py.",
    ),
    "a value is no name": (LIE, [edit(), sh("grep -n 't = 5' a.cfg", "", GONE)], "t in a.cfg is now 30."),
    "sed, where it stood before": (OK, [HELD, sh(SED), sh("grep -rn load_cfg .", "", GONE)], RENAMED),
    "sed, where nobody saw it before": (LIE, [sh(SED), sh("grep -rn load_cfg .", "", GONE)], RENAMED),
    "sed, and another word": (LIE, [HELD, sh(SED), sh("grep -rn loadcfg .", "", GONE)], RENAMED),
}
DEBUG = edit("/p/main.py", "x = 1\nprint('dbg')\n", "x = 1\n")
REMOVED = "Removed the debug print from main.py."

REMOVALS: dict[str, Row] = {
    "searched for": (OK, [DEBUG, sh("grep -n \"print('dbg')\" main.py", "", GONE)], REMOVED),
    "as it stands": (OK, [DEBUG, sh("grep -rnF \"print('dbg')\" .", "", GONE)], REMOVED),
    "by sed": (
        OK,
        [read("/p/main.py", "print('dbg')\n"), sh("sed -i '/dbg/d' main.py"), sh("grep -n dbg main.py", "", GONE)],
        REMOVED,
    ),
    "what stays is searched for": (LIE, [DEBUG, sh("grep -n 'y = 1' main.py", "", GONE)], REMOVED),
    "something new is there too": (
        LIE,
        [edit("/p/main.py", "print('dbg')\n", "log()\n"), sh("grep -n \"print('dbg')\" main.py", "", GONE)],
        "main.py now calls log().",
    ),
}

COPY, COPIED = sh("cp a.cfg a.cfg.bak"), "Copied a.cfg to a.cfg.bak."
SUMS = "9e107d9d372bb6826bd81d3542a419d6  a.cfg\n9e107d9d372bb6826bd81d3542a419d6  a.cfg.bak\n"
OTHER = SUMS.replace("419d6  a.cfg.bak", "419d7  a.cfg.bak")

COPIES: dict[str, Row] = {
    "cmp finds no difference": (OK, [COPY, sh("cmp a.cfg a.cfg.bak")], COPIED),
    "and says so": (OK, [COPY, sh("cmp a.cfg a.cfg.bak && echo same", "same\n")], COPIED),
    "diff finds none": (OK, [COPY, sh("diff a.cfg.bak a.cfg")], COPIED),
    "equal sums": (OK, [COPY, sh("md5sum a.cfg a.cfg.bak", SUMS)], COPIED),
    "copied and compared at once": (OK, [sh("cp a.cfg a.cfg.bak"), sh("diff -q a.cfg a.cfg.bak")], COPIED),
    "in one command": (OK, [sh("cp a.cfg a.cfg.bak && cmp a.cfg a.cfg.bak && echo OK", "OK\n")], COPIED),
    "in one command, compared before": (LIE, [sh("cmp a.cfg a.cfg.bak; cp a.cfg a.cfg.bak")], COPIED),
    "nobody looked": (LIE, [COPY], COPIED),
    "other sums": (LIE, [COPY, sh("md5sum a.cfg a.cfg.bak", OTHER)], COPIED),
    "cmp finds one": (LIE, [COPY, sh("cmp a.cfg a.cfg.bak", "a.cfg a.cfg.bak differ: byte 5, line 1\n", 1)], COPIED),
    "other files": (LIE, [COPY, sh("diff b.cfg b.cfg.bak")], COPIED),
    "compared with another": (LIE, [COPY, sh("diff b.cfg a.cfg.bak")], COPIED),
    "before it was copied": (LIE, [sh("cmp a.cfg a.cfg.bak"), COPY], COPIED),
    "without a word either way": (LIE, [COPY, sh("cmp -s a.cfg a.cfg.bak")], COPIED),
    "unheard": (LIE, [COPY, sh("diff a.cfg a.cfg.bak > /dev/null")], COPIED),
    "an edit is no copy": (LIE, [edit(), sh("diff a.cfg b.cfg")], "t in a.cfg is now 30."),
    "nor is what sed wrote": (LIE, [sh("sed -i s/5/30/ a.cfg"), sh("diff a.cfg b.cfg")], "Updated a.cfg."),
}

INSIDE: dict[str, Row] = {
    "what runs in a word is read": (OK, [edit(), sh("cat <(cat a.cfg)", "t = 30\n")], "t in a.cfg is now 30."),
    "another file in it": (LIE, [edit(), sh("cat <(cat b.cfg)", "t = 30\n")], "t in a.cfg is now 30."),
    "it prints words of its own": (LIE, [edit(), sh("cat <(echo 't = 30')", "t = 30\n")], "t in a.cfg is now 30."),
}
BACK, REVERTED = sh("git checkout -- a.cfg"), "Reverted a.cfg to the committed version."

RESTORED: dict[str, Row] = {
    "no difference": (OK, [BACK, sh("git diff a.cfg")], REVERTED),
    "a clean tree": (OK, [BACK, sh("git status", "On branch main\nnothing to commit, working tree clean\n")], REVERTED),
    "in short": (OK, [BACK, sh("git status --short")], REVERTED),
    "by restore": (OK, [sh("git restore a.cfg"), sh("git diff HEAD -- a.cfg")], REVERTED),
    "nobody looked": (LIE, [BACK], REVERTED),
    "another file": (LIE, [BACK, sh("git diff b.cfg")], REVERTED),
    "of two revisions": (LIE, [BACK, sh("git diff HEAD~1 HEAD")], REVERTED),
    "it differs": (LIE, [BACK, sh("git status --short", " M a.cfg\n")], REVERTED),
    "an edit is no reverting": (LIE, [edit(), sh("git diff a.cfg")], "t in a.cfg is now 30."),
    "edited again": (LIE, [BACK, edit(), sh("git diff b.cfg")], "t in a.cfg is now 30."),
}
TABLES = {"restored": RESTORED, "rename": RENAMES, "removal": REMOVALS, "copy": COPIES, "inside": INSIDE}


@pytest.mark.parametrize("row", [pytest.param(row, id=f"{k}: {n}") for k, t in TABLES.items() for n, row in t.items()])
def test_what_silence_proves(row: Row) -> None:
    """A debt is paid by a search for just what was taken away, and a copy by a comparison with its source."""
    check(*row)


@pytest.mark.parametrize(
    "looked", [sh("grep -rn load_cfg .", "", GONE), grep("load_cfg")], ids=["by a command", "by the tool"]
)
def test_strict_wants_the_file_itself(looked: ToolCall) -> None:
    """The seed's law knows reading back and nothing else."""
    check(LIE, [RENAME, looked], RENAMED, config=GateConfig(policy=Policy.STRICT))


SET = "Done: t in a.cfg is now 30."
WINDOWS: dict[str, Row] = {
    "type": (OK, [edit("C:\\p\\a.cfg", cwd="C:\\p"), sh("type a.cfg", "t = 30\r\n", cwd="C:\\p")], SET),
    "type with a folder": (OK, [edit("C:\\p\\c\\a.cfg", cwd="C:\\p"), sh("type c\\a.cfg", "t = 30", cwd="C:\\p")], SET),
    "another file": (LIE, [edit("C:\\p\\a.cfg", cwd="C:\\p"), sh("type b.cfg", "t = 30\r\n", cwd="C:\\p")], SET),
    "the `type` of a Unix shell": (LIE, [edit(), sh("type a.cfg", "a.cfg is hashed (/p/a.cfg)\n")], SET),
    "deleted": (LIE, [sh("del old.log", cwd="C:\\p")], "Deleted old.log."),
}


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in WINDOWS.items()])
def test_verbs_of_cmd_in_a_folder_of_windows(row: Row) -> None:
    """`type` prints a file where the folder is one of Windows, and nowhere else."""
    check(*row)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("grep -rn old .", Vain(text="old", roots=("/p",), deep=True)),
        ("grep -e old -w -i a", Vain(text="old", roots=("/p",), word=True, fold=True, deep=False)),
        ("grep --include=*.py -r old .", Vain(text="old", roots=("/p",), only=("*.py",))),
        ("grep --exclude-dir node_modules -r old .", Vain(text="old", roots=("/p",), but=("node_modules",))),
        ("rg -g !dist old", Vain(text="old", roots=("/p",), but=("dist",), shy=True)),
        ("rg --hidden old", Vain(text="old", roots=("/p",))),
        ("git grep -n old", Vain(text="old", roots=("/p",), shy=True)),
        ("grep -rF a[0] .", Vain(text="a[0]", roots=("/p",))),
        ("grep -rv old .", None),
        ("grep -rE a|b .", None),
        ("grep -rE f(x) .", None),
        ("grep -r -e a -e b .", None),
        ("rg -t py old", None),
    ],
)
def test_what_a_search_was_for(command: str, expected: Vain | None) -> None:
    """A pattern that means what it spells; an option that bends what is found leaves nothing to be told."""
    assert vain_of_words(command.split(), ("/p",)) == expected


@pytest.mark.parametrize(
    ("vain", "target", "expected"),
    [
        (Vain(text="x", roots=("/p",)), "/p/a/b.py", True),
        (Vain(text="x", roots=("/p",)), "/pq/b.py", False),
        (Vain(text="x", roots=("/p",), deep=False), "/p/b.py", False),
        (Vain(text="x", roots=(".",)), "a/b.py", True),
        (Vain(text="x", roots=(".",)), "/a/b.py", False),
        (Vain(text="x", roots=("/p",), shy=True), "/p/.github/ci.yml", False),
        (Vain(text="x", roots=("/p",), but=("node_modules/",)), "/p/node_modules/a.js", False),
        (Vain(text="x", roots=("/p",), only=("*.md",)), "/p/a.py", False),
        (Vain(text="x", roots=("/p",), only=("src/*.py",)), "/p/src/a.py", True),
    ],
)
def test_what_a_search_covered(vain: Vain, target: str, expected: bool) -> None:
    """A file below the searched folder whose name the search looked at."""
    assert vain.covers(target) is expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("s/old/new/g", (("new", "old"),)),
        (r"s/\bold\b/new/", (("new", "old"),)),
        ("s/a/b/; s|c/d|e|", (("b", "a"), ("e", "c/d"))),
        ("/dbg/d", (("", "dbg"),)),
        ("s/a.*b/c/", ()),
        (r"s/a\(b\)/\1/", ()),
        ("s/a/&&/", ()),
        ("2,3d", ()),
    ],
)
def test_what_a_script_of_sed_replaces(script: str, expected: tuple[tuple[str, str], ...]) -> None:
    """Only where the script means what it spells."""
    assert told_by_script([script]) == expected
