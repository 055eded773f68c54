"""Discretizer chi-merge: right values, and the promises of the kit."""

import numpy as np
import pytest
from nbframework_chi_merge.chi_merge import ChiMerge, chi_squared

from nbframework.testing import checks_of


def cuts(values, classes, weights=None, **parameters):
    given = np.ones(len(values)) if weights is None else np.array(weights, dtype=float)
    return ChiMerge(**parameters).fit(np.array(values, dtype=float), np.array(classes), given).tolist()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 0], [1, 0], 0.0),
        # expected 1/2 in each of four cells: 4 (1/2)^2 / (1/2)
        ([1, 0], [0, 1], 2.0),
        # margins 3 and 1, 2 and 2: expected 1.5, 1.5, 0.5, 0.5; 2 (1/4 / 1.5 + 1/4 / 0.5)
        ([2, 0], [1, 1], 4 / 3),
        ([0, 0], [1, 1], 0.0),
    ],
)
def test_chi_squared_of_two_intervals(one, other, expected):
    found = chi_squared(np.array([one], dtype=float), np.array([other], dtype=float))
    assert found == pytest.approx([expected], abs=1e-12)


def test_neighbours_of_one_class_are_merged():
    assert cuts([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1], weights=[2] * 6) == [3.5]


def test_neighbours_that_differ_too_little_are_merged_too():
    # 3 against 3 gives 6, above the 95 % point of one degree of freedom, 3.84; 1 against 1 gives 2, below it
    assert cuts([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]) == [3.5]
    assert cuts([1, 2], [0, 1]) == []
    assert cuts([1, 2], [0, 1], weights=[3, 3]) == [1.5]


def test_a_smaller_significance_merges_less():
    # 2 is the 84.3 % point
    assert cuts([1, 2], [0, 1], significance=0.84) == [1.5]
    assert cuts([1, 2], [0, 1], significance=0.85) == []


def test_no_more_intervals_than_asked_for():
    values, classes = np.arange(8.0), [0, 0, 1, 1, 0, 0, 1, 1]
    assert cuts(values, classes, weights=[9] * 8) == [1.5, 3.5, 5.5]
    assert cuts(values, classes, weights=[9] * 8, most=1) == []


def test_one_class_or_one_value_has_no_cut():
    assert cuts([1, 2, 3], [2, 2, 2]) == []
    assert cuts([5, 5, 5], [0, 1, 0]) == []


@pytest.mark.parametrize("check", checks_of(ChiMerge()), ids=str)
def test_it_keeps_its_promises(check):
    check()
