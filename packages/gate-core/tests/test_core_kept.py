"""A property that is computed once."""

from __future__ import annotations

from gate_core.model.kept import kept


class Counting:
    """Counts how often it was asked."""

    asked = 0

    @kept
    def number(self) -> int:
        """The number of times."""
        self.asked += 1
        return self.asked


def test_a_kept_property_is_computed_when_it_is_asked_and_then_held() -> None:
    """Each object holds its own; deleting it has it computed anew, as with `cached_property`."""
    one, other = Counting(), Counting()
    assert (one.asked, one.number, one.number, other.number) == (0, 1, 1, 1)
    del one.number
    assert one.number == 2


def test_the_class_shows_the_property_itself() -> None:
    """So that tools find its docstring."""
    assert isinstance(Counting.number, kept)
    assert Counting.number.__doc__ == "The number of times."
