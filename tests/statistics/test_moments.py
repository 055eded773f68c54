"""Moments are exact: they equal sums of fractions, in any order, and leave nothing behind."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.statistics.moments import Moments

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([np.nan, 0.1, 1e300, -5e-324])
WEIGHTS = st.floats(min_value=1e-300, max_value=1e300) | st.sampled_from([1.0, 2.0, 0.1])
ROWS = st.lists(st.tuples(NUMBERS, st.integers(0, 2), WEIGHTS), max_size=12)


def moments(rows: list[tuple[float, int, float]], weighted: bool = True) -> Moments:
    values = np.array([row[0] for row in rows]).reshape(-1, 1)
    classes = np.array([row[1] for row in rows], dtype=np.intp)
    return Moments.of(values, classes, 3, np.array([row[2] for row in rows]) if weighted else None)


@settings(deadline=None, max_examples=30)
@given(rows=ROWS, weighted=st.booleans())
def test_the_sums_are_those_of_fractions(rows: list, weighted: bool) -> None:
    found = moments(rows, weighted)
    for c in range(3):
        own = [(Fraction(x), Fraction(w) if weighted else 1) for x, k, w in rows if k == c and not np.isnan(x)]
        for power in range(3):
            exact = sum((w * x**power for x, w in own), Fraction(0))
            assert Fraction(int(found.total[power, c, 0]), 2 ** (1074 * (power + 1))) == exact


@settings(deadline=None, max_examples=30)
@given(first=ROWS, second=ROWS)
def test_what_was_added_can_be_taken_away_to_the_last_bit(first: list, second: list) -> None:
    both = moments(first).merge(moments(second))
    assert (both.total == moments([*second, *first]).total).all()
    assert (both.subtract(moments(second)).total == moments(first).total).all()


@settings(deadline=None, max_examples=30)
@given(rows=ROWS)
def test_bytes_give_the_same_moments_back(rows: list) -> None:
    found = moments(rows)
    assert (Moments.from_bytes(found.to_bytes()).total == found.total).all()


def test_mean_and_variance_by_hand() -> None:
    found = moments([(1.0, 0, 1.0), (2.0, 0, 3.0), (7.0, 1, 2.0)])
    np.testing.assert_array_equal(found.weight[:, 0], [4, 2, 0])
    np.testing.assert_array_equal(found.amount[:, 0], [7, 14, 0])
    np.testing.assert_array_equal(found.mean[:, 0], [1.75, 7, np.nan])
    # ((1 - 1.75)^2 + 3 (2 - 1.75)^2) / 4 and / 3
    np.testing.assert_array_equal(found.variance()[:, 0], [0.1875, 0, np.nan])
    np.testing.assert_array_equal(found.variance(correction=1)[:, 0], [0.25, 0, np.nan])
    np.testing.assert_array_equal(found.of_all().mean, [[3.5]])


@pytest.mark.parametrize("value", [0.1, 1e-200, 12345.678])
def test_equal_values_have_no_variance(value: float) -> None:
    assert moments([(value, 0, 1.0)] * 1000, weighted=False).variance()[0, 0] == 0


def test_a_far_mean_costs_no_digit() -> None:
    found = moments([(1e9 + 0.25, 0, 1.0), (1e9 - 0.25, 0, 1.0)], weighted=False)
    assert found.variance()[0, 0] == 0.0625


def test_many_rows_are_summed_in_blocks() -> None:
    values = np.random.default_rng(1).normal(size=(100_000, 2))
    found = Moments.of(values, np.zeros(len(values), dtype=np.uint8), 1)
    np.testing.assert_allclose(found.mean[0], values.mean(axis=0), rtol=1e-11)
    np.testing.assert_allclose(found.variance()[0], values.var(axis=0), rtol=1e-12)


@pytest.mark.parametrize("data", [np.zeros((3, 2), dtype=np.uint8), np.zeros((3, 1, 1, 8)), np.full((3, 1, 1, 1), 255)])
def test_strange_bytes_are_refused(data: np.ndarray) -> None:
    with pytest.raises(ValueError, match="moments of"):
        Moments.from_bytes(data.astype(np.uint8) if data.dtype == np.intp else data)


@pytest.mark.parametrize(
    ("kept", "gone", "rows"),
    [
        ([1.0, 2.0], [77.0], 1),  # squares below 0
        ([1.0, 2.0], [1.5], 1),  # one row with a spread
        ([1.0, 2.0], [3.0, 4.0], 0),  # sums without weight
        ([1.0, 2.0, 3.0, 4.0], [9.0, 9.0], 2),  # a spread below 0
        ([1.0, 2.0], [], 0),  # weight without a row
        ([1.0], [1.0, 1.0], 1),  # weight below 0
    ],
)
def test_sums_that_no_rows_have_are_told(kept: list[float], gone: list[float], rows: int) -> None:
    left = moments([(x, 0, 1.0) for x in kept]).subtract(moments([(x, 0, 1.0) for x in gone]))
    assert left.of_no_rows(np.array([rows, 0, 0])).tolist() == [[True], [False], [False]]


@settings(deadline=None, max_examples=30)
@given(rows=ROWS)
def test_sums_of_rows_are_told_as_such(rows: list) -> None:
    number = np.bincount([row[1] for row in rows], minlength=3) if rows else np.zeros(3, dtype=np.intp)
    assert not moments(rows).of_no_rows(number).any()
