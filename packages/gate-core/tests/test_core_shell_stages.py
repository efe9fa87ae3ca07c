"""A command is taken apart into stages: what runs, where, who sees it, and what its exit status says."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core.data import load_table
from gate_core.shell.analyse import Analysis, analyse
from gate_core.shell.programs import Shows


def _analysis(command: str) -> Analysis:
    found = analyse(command)
    assert found is not None
    return found


def _argv(analysis: Analysis) -> list[str]:
    return [" ".join(word.text for word in stage.argv) for stage in analysis.stages]


def _peeled() -> list[Any]:
    tables = [*load_table("shell", "wrappers.toml")["wrapper"], load_table("shell", "verbs.toml")]
    return [pytest.param(example, id=example["run"]) for row in tables for example in row["examples"]]


@pytest.mark.parametrize("example", _peeled())
def test_wrappers_are_seen_through(example: Mapping[str, str]) -> None:
    """The words that run are those behind the wrapper; a wrapper that runs nothing stays what it is."""
    found = analyse(example["run"], windows=example.get("in") == "windows")
    assert found is not None
    assert _argv(found)[-1] == example["gives"]


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("bash -c \"cat 'a b.cfg'\"", ["cat a b.cfg"]),
        ("sudo -E bash -lc 'cd x && pytest'", ["pytest"]),
        ("eval 'cat a.cfg'", ["cat a.cfg"]),
        ('f() { cat "$1"; }; f a.cfg', ["cat a.cfg"]),
        ("for f in a b; do cat $f; done", ["cat a", "cat b"]),
        ("for f in *.cfg; do cp $f ${f%.cfg}.bak; done", ["cp *.cfg *.bak"]),
        ('a=(x.cfg y.cfg); cat "${a[@]}"', ["cat x.cfg y.cfg"]),
        ('set -- a b; cat "$@"; shift; cat $1', ["cat a b", "cat b"]),
        ("X=a.cfg; cat $X ${X:-b} ${Y:-b}", ["cat a.cfg a.cfg ${Y:-b}"]),
        ("cat a.{x,y} b{1..3}", ["cat a.x a.y b1 b2 b3"]),
        ("cat a\\ b.cfg g\\*.txt", ["cat a b.cfg g*.txt"]),
        ("cat $(pwd)/a.cfg", ["pwd", "cat ./a.cfg"]),
        ("cat \\\n  a.cfg # why", ["cat a.cfg"]),
        ("cat a.cfg\r\ncat b.cfg\r\n", ["cat a.cfg", "cat b.cfg"]),
        (
            "find . -name '*.py' -exec sh -c 'cat \"$1\"' _ {} \\;",
            ['find . -name *.py -exec sh -c cat "$1" _ {} ;', "cat ./*.py"],
        ),
        ("find c -name '*.py' -print0 | xargs -0 grep t", ["find c -name *.py -print0", "grep t c/*.py"]),
        ("find . -name '*.py' | while read f; do cat \"$f\"; done", ["find . -name *.py", "cat ./*.py"]),
        ("grep -l t *.py | xargs sed -i s/a/b/", ["grep -l t *.py", "sed -i s/a/b/ *.py"]),
        ("ls *.cfg | xargs -I{} cp {} {}.bak", ["ls *.cfg", "cp *.cfg *.cfg.bak"]),
        ("sed -i s/a/b/ $(grep -rl t src)", ["grep -rl t src", "sed -i s/a/b/ src/*"]),
        ("trap 'rm -f x' EXIT; cat x", ["cat x", "rm -f x"]),
        ("if ls; then f=a; else f=b; fi; cat $f", ["ls", "cat $f"]),
        ("exit 0; rm x", []),
        (": > a.cfg", [""]),
        ("case $x in a) cat a;; *) cat b;; esac", ["cat a", "cat b"]),
        ("((x++)); let x=1; cat a", ["cat a"]),
        ("echo ${X:-$(rm -rf y)}", ["rm -rf y", "echo ${X:-$(rm -rf y)}"]),
        ("su me -c 'cat a'", ["cat a"]),
        ("watch -n 1 'cat a'", ["cat a"]),
        ("bash <<'E'\ncat a\nE", ["", "cat a"]),
        ("bash run.sh", ["bash run.sh"]),
        ("X=1 cat a; cat $X", ["cat a", "cat $X"]),
    ],
)
def test_what_runs(command: str, runs: list[str]) -> None:
    """The stages of a command in order, with the words they get."""
    assert _argv(_analysis(command)) == runs


@pytest.mark.parametrize(
    ("command", "folders"),
    [
        ("cd a && cat x", ["a"]),
        ("cd a; cd b; cat x", ["a/b"]),
        ("(cd a; cat x); cat y", ["a", ""]),
        ("pushd a; cat x; popd; cat y", ["a", ""]),
        ("cd a; cat x; cd -; cat y", ["a", ""]),
        ("cd /srv; cat x", ["/srv"]),
        ("cd; cat x", ["~"]),
        ('cd "$D"; cat x', [None]),
        ("cd a || exit 1; cat x", ["a"]),
        ("[ -d a ] && cd a; cat x", ["", None]),
        ("if ls; then cd a; fi; cat x", ["", None]),
        ("cat a | (cd b; cat c); cat d", ["", "b", ""]),
        ("bash -c 'cd a'; cat x", [""]),
    ],
)
def test_the_folder_of_a_stage(command: str, folders: list[str | None]) -> None:
    """`cd` counts for what follows in its own shell; what cannot be followed is not guessed."""
    assert [stage.cwd for stage in _analysis(command).stages] == folders


@pytest.mark.parametrize(
    ("command", "seen", "feeds"),
    [
        ("cat a | head", [False, True], [(1,), ()]),
        ("cat a > b", [False], [()]),
        ("cat a 2>&1 >/dev/null", [False], [()]),
        ("cat a > b | head", [False, True], [(), ()]),
        ("cat a |& tee b", [False, True], [(1,), ()]),
        ('echo "$(cat a)"', [True, True], [(), ()]),
        ('echo "$(cat a)" > b', [False, False], [(), ()]),
        ("ls $(cat a)", [False, True], [(), ()]),
        ("v=$(cat a)", [False], [()]),
        ('v=$(cat a); echo "$v"', [True, True], [(), ()]),
        ('v=$(cat a); echo "$v" | grep x', [False, False, True], [(2,), (2,), ()]),
        ("exec > log; cat a", [False, False], [(), ()]),
        ("{ cat a; cat b; } | head", [False, False, True], [(2,), (2,), ()]),
        ("diff <(cat a) b", [False, True], [(1,), ()]),
        ('cat a | while read l; do echo "$l"; done', [False, True], [(1,), ()]),
        ('while read -r l; do echo "$l"; done < <(cat a)', [False, False, True], [(2,), (), ()]),
    ],
)
def test_who_sees_the_output(command: str, seen: list[bool], feeds: list[tuple[int, ...]]) -> None:
    """Output is seen, feeds the next part of a pipeline, or goes away."""
    stages = _analysis(command).stages
    assert [stage.seen for stage in stages] == seen
    assert [stage.feeds for stage in stages] == feeds


def test_a_line_that_is_read_and_printed_passes_through() -> None:
    """`while read l; do echo "$l"; done` shows what is piped in, as cat does."""
    piped = _analysis('cat a | while read -r l; do printf "%s\\n" "$l"; done').uses[-1]
    assert piped.passes is Shows.CONTENT
    redirected = _analysis('while read l; do echo "$l"; done < a.cfg').uses[-1]
    assert [(place.role, place.word.text) for place in redirected.places] == [("read", "a.cfg")]
    changed = _analysis('cat a | while read l; do echo "> $l"; done').uses[-1]
    assert changed.passes is Shows.NOTHING


def test_the_text_of_a_here_document() -> None:
    """What is fed in is known where nothing is expanded in it; `<<-` takes tabs off; the first line may go on."""
    plain = _analysis("cat > a.cfg <<'E'\nt = $x\nE\n")
    assert plain.uses[0].places[0].text == "t = $x\n"
    assert _analysis("cat > a <<-E\n\tt = 1\n\tE\n").uses[0].places[0].text == "t = 1\n"
    assert _analysis("cat > a <<E\nt = $x\nE\n").uses[0].places[0].text is None
    assert _analysis('cat > a <<E\nt = "\\$x"\nE\n').uses[0].places[0].text == 't = "$x"\n'
    assert _argv(_analysis("cat <<E | grep x && echo y\na\nE\n")) == ["cat", "grep x", "echo y"]


SCRIPTS = [
    "a",
    "a; b",
    "a && b",
    "a || b",
    "! a",
    "a | b",
    "a & wait",
    "(a; b)",
    "{ a; b; }",
    "a || true",
    "a || exit 1",
    "a && exit 0; b",
    "a; exit $?",
    "a; rc=$?; b; exit $rc",
    "a; echo $?",
    "a | b; exit ${PIPESTATUS[0]}",
    "set -e; a; b",
    "set -e; a && b; c",
    "set -o pipefail; a | b",
    "set -eo pipefail; a | b; c",
    "set -e; a || true; b",
    "set -e; set +e; a; b",
    "if a; then b; fi",
    "if a; then b; else exit 1; fi; c",
    "if a; then exit 1; fi; b",
    "a; if [ $? -eq 0 ]; then b; else exit 1; fi",
    "a; [ $? -ne 0 ] && exit 1; b",
    "for i in 1 2; do a; done",
    "for i in 1 2; do a || exit 1; done",
    "while a; do b; break; done",
    "case x in x) a;; esac",
    "case $V in x) a;; *) b;; esac",
    "v=$(a)",
    "v=$(a) && b",
    "export v=$(a)",
    "echo $(a && b)",
    "a && b || c",
    "a && b || { c; exit 1; }",
    "f() { a; b; }; f",
    "f() { a || return 1; b; }; f && c",
    "bash -ec 'exit 3' || a",
    "(set -e; a; b); c",
    "! a && b",
    "! a || b",
    "a | (b; c)",
    "trap 'c' EXIT; a",
    "a; false",
    "false && a",
    "true && a",
    "set -e; for i in 1 2; do a; done; b",
    "set -e; if a; then b; fi; c",
    "set -e; v=$(a); b",
    "a && ! b",
    "{ a && b; } || c",
]
_STUBS = 'for n in a b c; do eval "$n() { printf %s $n >&9; return \\$X$n; }"; done\n'


def _runs(script: str) -> list[tuple[dict[str, int], int, str]]:
    """(the status of each command, that of the whole, what ran) for all statuses."""
    codes = [dict(zip("abc", some, strict=True)) for some in itertools.product((0, 1, 7), repeat=3)]
    parts = [
        f"({' '.join(f'X{name}={code};' for name, code in some.items())} {_STUBS}{script}\n) 9>&2 >/dev/null; "
        'echo " $?" >&2'
        for some in codes
    ]
    done = subprocess.run(["bash", "-c", "\n".join(parts)], capture_output=True, text=True, check=False, timeout=60)
    rows = [line.rpartition(" ") for line in done.stderr.splitlines()]
    return [(some, int(status), ran) for some, (ran, _, status) in zip(codes, rows, strict=True)]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("script", SCRIPTS)
def test_exit_statuses_are_attributed_as_bash_has_them(script: str) -> None:
    """Exit 0 of the whole means exit 0 of the stages that are sure; certain ones ran; "same" has the same status."""
    analysis = _analysis(script)
    for codes, status, ran in _runs(script):
        for at, stage in enumerate(analysis.stages):
            if stage.program not in codes:
                continue
            if status == 0 and at in analysis.sure:
                assert codes[stage.program] == 0, codes
                assert stage.program in ran, codes
            if status == 0 and stage.certain:
                assert stage.program in ran, codes
            if at == analysis.same and stage.program in ran:
                assert codes[stage.program] == status, codes


@pytest.mark.parametrize(
    ("command", "sure", "same"),
    [
        ("pytest", {0}, 0),
        ("cd a && pytest", {0}, 0),
        ("pytest; exit $?", {0}, 0),
        ("pytest | tee log; exit ${PIPESTATUS[0]}", {0}, 0),
        ("set -e; pytest; echo ok", {0, 1}, None),
        ("pytest || exit 1", {0}, None),
        ("pytest || true", set(), None),
        ("pytest | tail", {1}, 1),
        ("set -o pipefail; pytest | tail", {0, 1}, None),
        ("for f in t/*.py; do pytest $f; done", set(), None),
        ("for d in a b; do (cd $d && pytest) || exit 1; done", {0, 1}, None),
        ("if pytest; then echo ok; else exit 1; fi", {0, 1}, None),
        ('v=$(pytest) || exit 1; echo "$v"', {0, 1}, None),
        ("export A=1; pytest", {0}, 0),
        ('cd "$(git rev-parse --show-toplevel)" && pytest', {1}, 1),
    ],
)
def test_exit_attribution_is_not_given_away(command: str, sure: set[int], same: int | None) -> None:
    """What can be told of the common patterns is told."""
    analysis = _analysis(command)
    assert (set(analysis.sure), analysis.same) == (sure, same)
