"""What exit statuses say: which stages ended with 0, and which ran, when the whole ended with 0.

Every part of a command gets an `Exit`; this is the algebra by which those of its parts become its own. It follows bash:
`;` forgets what came before unless `set -e`, `&&` keeps both sides, `||` what both ways have in common, a pipe its last
part unless `pipefail`, and `exit` leaves with what is known by then.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Facts: TypeAlias = frozenset[int] | None
"""A stage's number stands for "it ended with 0", its complement for "it ran"; None for what cannot be."""

NONE: frozenset[int] = frozenset()


class Exit(NamedTuple):
    """What the end of something says.

    `ok` and `bad` hold when it goes on with status 0 or another, `out` and `fail` when it leaves the script with 0 or
    another. `same` is the stage whose status is its own.
    """

    ok: Facts = NONE
    bad: Facts = NONE
    out: Facts = None
    fail: Facts = None
    same: int | None = None

    @property
    def leaves(self) -> bool:
        """It may leave the script."""
        return self.out is not None or self.fail is not None

    @property
    def goes_on(self) -> bool:
        """Something behind it may run."""
        return self.ok is not None or self.bad is not None


DONE = Exit(bad=None)
"""It cannot fail and says nothing."""

LEFT = Exit(ok=None, bad=None, fail=NONE)
"""It leaves with a status that is not 0."""


def both(first: Facts, second: Facts) -> Facts:
    """What holds when one follows the other."""
    return None if first is None or second is None else first | second


def either(first: Facts, second: Facts) -> Facts:
    """What holds whichever of two ways was taken."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


def ran(facts: Facts) -> frozenset[int]:
    """Only what ran, of the facts."""
    return frozenset([fact for fact in facts or () if fact < 0])


def began(inner: Exit) -> frozenset[int]:
    """What ran, however it ended."""
    return ran(either(either(inner.ok, inner.bad), either(inner.out, inner.fail)))


def stage_exit(at: int, *, strict: bool) -> Exit:
    """The exit of one stage; `strict`: its failure leaves the script."""
    went = frozenset({~at})
    if strict:
        return Exit(frozenset({at, ~at}), None, None, went, at)
    return Exit(frozenset({at, ~at}), went, None, None, at)


def strictly(exit_: Exit) -> Exit:
    """The exit where failing leaves the script."""
    return exit_._replace(bad=None, fail=either(exit_.fail, exit_.bad))


def after(facts: Facts, exit_: Exit) -> Exit:
    """The exit with what holds in any case."""
    if facts is not None and not facts:
        return exit_
    ok, bad, out, fail, same = exit_
    return Exit(both(facts, ok), both(facts, bad), both(facts, out), both(facts, fail), same)


def in_order(before: Exit, then: Exit) -> Exit:
    """`before; then`."""
    next_ = after(either(before.ok, before.bad), then)
    return next_._replace(
        out=either(before.out, next_.out),
        fail=either(before.fail, next_.fail),
        same=None if before.leaves else then.same,
    )


def if_ok(left: Exit, right: Exit, *, plain: bool) -> Exit:
    """`left && right`; a `plain` left side runs no stage."""
    then = after(left.ok, right)
    return Exit(
        then.ok,
        either(left.bad, then.bad),
        either(left.out, then.out),
        either(left.fail, then.fail),
        right.same if plain and not left.leaves else None,
    )


def taken(test: Exit, body: Exit) -> Exit:
    """The branch behind a test that held; that it failed is no failure."""
    return if_ok(test._replace(bad=None), body, plain=False)


def if_bad(left: Exit, right: Exit) -> Exit:
    """`left || right`."""
    then = after(left.bad, right)
    return Exit(either(left.ok, then.ok), then.bad, either(left.out, then.out), either(left.fail, then.fail))


def one_of(first: Exit, second: Exit) -> Exit:
    """One of two ways was taken."""
    return Exit(
        either(first.ok, second.ok),
        either(first.bad, second.bad),
        either(first.out, second.out),
        either(first.fail, second.fail),
    )


def contained(inner: Exit, *, strict: bool) -> Exit:
    """What runs in a shell of its own: leaving it is only its end."""
    found = Exit(either(inner.ok, inner.out), either(inner.bad, inner.fail), same=inner.same)
    return strictly(found) if strict else found


def piped(parts: list[Exit], *, pipefail: bool, strict: bool) -> Exit:
    """Parts of a pipeline, each contained."""
    all_began = NONE.union(*[began(part) for part in parts])
    ok = parts[-1].ok
    for part in parts[:-1] if pipefail else ():
        ok = both(ok, part.ok)
    same = None if pipefail and len(parts) > 1 else parts[-1].same
    found = Exit(both(ok, all_began), all_began, same=same)
    return strictly(found) if strict else found


def repeated(body: Exit) -> Exit:
    """A body that runs once or more, and whose stages stand for all its rounds."""
    every = either(body.ok, body.bad)
    ok = both(every, ran(body.ok)) if body.ok is not None else None
    out, fail = (None if facts is None else ran(facts) for facts in (body.out, body.fail))
    return Exit(ok, body.bad, out, fail)


def looped(test: Exit, body: Exit, *, strict: bool) -> Exit:
    """A body that runs as often as a test says, or never."""
    asked = ran(either(test.ok, test.bad))
    out = NONE if body.out is not None else test.out
    fail = NONE if body.fail is not None else test.fail
    return Exit(asked, None if strict else asked, out, fail)
