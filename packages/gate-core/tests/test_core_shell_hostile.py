"""No text makes the analysis raise, run for ever, or say more than it knows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core.shell.analyse import LONGEST, analyse

FRAGMENTS = [
    "cat a.cfg",
    " ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "(",
    ")",
    "{ ",
    "; }",
    "$(",
    "`",
    '"',
    "'",
    "<<E\n",
    "\nE\n",
    ">",
    "<",
    "2>&1",
    "$x",
    "${x:-",
    "}",
    "$((",
    "))",
    "[[ ",
    " ]]",
    "if ",
    "then ",
    "fi",
    "for f in *.cfg; do ",
    "done",
    "while ",
    "case x in a) ",
    ";; esac",
    "f() { ",
    "\\",
    "#",
    "! ",
    "a=(",
    "{a,b}",
    "{1..9}",
    "\r\n",
    "é",
    "\ud800",
    "\0",
    "find . -exec ",
    "xargs -I{} ",
    "sed -i s/a/b/ ",
    "bash -c ",
    "eval ",
    "set -e; ",
    "exit $? ",
    "read l ",
    'echo "$l" ',
    "<(",
    ">(",
    "|& ",
    "trap 'x' EXIT; ",
    "sudo ",
    "python -c ",
    "tar xzf a ",
    "dd if=a ",
    "awk '{print}' ",
    "jq . ",
    "test ! -e ",
    "printf '%s' ",
    "npm run ",
    "perl -pi -e s/a/b/ ",
    "pwsh -c ",
    "cmd /c ",
    "$@ ",
    '"${a[@]}" ',
    "shift ",
    "cd - ",
    "popd ",
    "$(pwd)",
    "--",
]


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    """Any text is analysed, or cannot be read."""
    analysis = analyse(text)
    assert analysis is None or len(analysis.stages) == len(analysis.uses)


@settings(max_examples=1_000, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
def test_no_mixture_of_shell_raises(text: str) -> None:
    """So is what looks like shell, whole or broken; what is sure and same are stages."""
    analysis = analyse(text)
    if analysis is not None:
        numbers = set(range(len(analysis.stages)))
        assert analysis.sure <= numbers
        assert analysis.same is None or analysis.same in numbers
        assert all(set(stage.feeds) <= numbers for stage in analysis.stages)


def test_characters_beyond_ascii_are_letters() -> None:
    """They stay what they are in words, texts and names of files, and the parser never sees them."""
    analysis = analyse("cat 'größe.cfg' 数据.txt \U000f9264{\U000ca453 \xa0x > ä.txt")
    assert analysis is not None
    assert [place.word.text for place in analysis.uses[0].places] == [
        "größe.cfg",
        "数据.txt",
        "\U000f9264{\U000ca453",
        "\xa0x",
        "ä.txt",
    ]


@pytest.mark.parametrize(
    "opening", ["(", "((", "$(", "${x:-", "[[ ", "{ ", "`", '"', "'", "if ", "<(", "f() { ", "case x in a) "]
)
def test_endless_nesting_cannot_be_read(opening: str) -> None:
    """100 000 open brackets, parentheses or quotes end at once."""
    assert analyse(opening * 100_001) is None


@pytest.mark.parametrize("part", ["a | ", "(x) ", "> (", "*a[b] ", "a=(", "){"])
def test_what_the_parser_is_slow_at_is_not_parsed(part: str) -> None:
    """The parser's recovery is quadratic in some errors; so many joints are no command."""
    assert analyse(part * 20_000) is None


def test_deep_but_balanced_nesting_is_read_or_not_alike_wherever_it_is_called() -> None:
    """What is nested a little is read; a hundred levels are not, without an end of Python's stack."""
    assert analyse("( " * 20 + "cat a" + " )" * 20) is not None
    assert analyse("( " * 100 + "cat a" + " )" * 100) is None
    assert analyse("$( " * 100 + "cat a" + " )" * 100) is None


def test_many_commands_are_read_up_to_a_bound() -> None:
    """300 lines are a script; 5 000 are not read."""
    analysis = analyse("cat a\n" * 300)
    assert analysis is not None
    assert len(analysis.stages) == 300
    chain = analyse(" && ".join(["cat a"] * 300))
    assert chain is not None
    assert chain.sure == frozenset(range(300))
    assert analyse("cat a\n" * 5_000) is None
    assert analyse("x=1\n" * 10_000) is None


def test_a_long_here_document_is_read() -> None:
    """A megabyte less a little, brackets and all, is the text of a file."""
    body = "f(x) | [y] (z) 'a\n" * 50_000
    analysis = analyse(f"cat > a.txt <<'E'\n{body}E\n")
    assert analysis is not None
    assert analysis.uses[0].places[0].text == body


@pytest.mark.parametrize(
    "command",
    [
        "f() { g; g; }; g() { h; h; }; h() { f; f; }; f",
        "f() { f; }; f",
        "eval 'eval \"eval x\"'; " * 200,
        "X=" + "a" * 5_000 + "; " + "X=$X$X; " * 30 + "cat $X",
        "for a in 1 2 3 4 5 6 7 8; do " * 12 + ":; " + "done; " * 11 + "done",
        "cat " + "{a,b}" * 40,
        "cat {1..999999}",
        "cat {" + "}" * 3_000,
        "printf " + "%s" * 1_000 + " a" * 5_000,
        "sed " + "'" + "/" * 50_000 + "'",
        "awk '" + "print " * 20_000 + "'",
        "find . " + "-exec cat {} + " * 300,
        "cat " + "a" * 200_000,
        "sudo " * 10_000 + "ls",
        "\ud800 \udfff; cat \ud800",
        "cat a\0b",
        "cat " + ">a " * 5_000,
        "cat 'unterminated",
        "cat <<E\nnever ends",
    ],
)
def test_a_trap_is_no_trap(command: str) -> None:
    """What grows, calls itself or never ends is bounded by counting, and nothing is raised."""
    analysis = analyse(command)
    assert analysis is None or len(analysis.stages) <= 400


def test_a_command_that_is_too_long_cannot_be_read() -> None:
    """One character more than the longest."""
    assert analyse(" " * (LONGEST + 1)) is None
