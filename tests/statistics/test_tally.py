"""Tallies add and subtract, and say what cannot have been added."""

import numpy as np
import pytest

from nbframework import EvaluationError
from nbframework.statistics.tally import Tally


def tally(weight: list[float], rows: list[int] | None = None) -> Tally:
    return Tally(np.array(weight), None if rows is None else np.array(rows, dtype=np.int64))


def test_where_no_row_is_left_the_weight_is_exactly_zero() -> None:
    both = tally([0.1, 0.5], [1, 1]).merge(tally([0.2, 0.0], [1, 0])).subtract(tally([0.2, 0.0], [1, 0]))
    left = both.subtract(tally([0.1, 0.0], [1, 0]))
    np.testing.assert_array_equal(left.weight, [0, 0.5])
    np.testing.assert_array_equal(left.number, [0, 1])


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (tally([1.0]), tally([2.0])),  # more rows
        (tally([3.0]), tally([7.0], [1])),  # another weight than 1
        (tally([5.0], [2]), tally([5.1], [1])),  # more weight
        (tally([5.0], [1]), tally([4.9], [1])),  # weight without a row
    ],
)
def test_what_was_not_added_cannot_be_taken_away(mine: Tally, theirs: Tally) -> None:
    with pytest.raises(EvaluationError, match="the rows to take away are not among those that were fitted"):
        mine.subtract(theirs)


def test_a_weight_may_be_off_by_rounding() -> None:
    left = tally([0.3], [2]).subtract(tally([0.3 + 1e-12], [1]))
    np.testing.assert_array_equal(left.weight, [0])
