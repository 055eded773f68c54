"""Friedman, Nemenyi and Holm: figures of Demsar (2006), SciPy, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbframework.errors import EvaluationError
from nbframework.evaluation.ranking import (
    FriedmanResult,
    critical_difference,
    friedman,
    holm,
    holm_adjusted,
    nemenyi,
    ranks_of,
)

SCORES = np.random.default_rng(8).integers(60, 90, (14, 4)) / 100
RESULT = FriedmanResult(np.array([3.143, 2.000, 2.893, 1.964]), 14, 9.28, 0.03, 3.69, 0.02)
"""The average ranks of four trees on 14 data sets in Demsar (2006), JMLR 7, section 3.2.2."""


def test_average_ranks_equal_scipys():
    wanted = np.mean([stats.rankdata(-row) for row in SCORES], axis=0)
    assert friedman(SCORES).ranks == pytest.approx(wanted, abs=1e-12)


def test_the_critical_difference_of_demsars_example():
    """q 2.569 for 4 methods, times sqrt(4 * 5 / (6 * 14)): 1.25."""
    assert critical_difference(RESULT) == pytest.approx(1.25, abs=5e-3)


def test_no_pair_of_demsars_example_differs():
    """3.143 - 1.964 = 1.18 is less than 1.25."""
    assert (nemenyi(RESULT) > 0.05).all()


@pytest.mark.parametrize(("methods", "q"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_critical_values_of_nemenyi(methods, q):
    """JMLR 7, Table 5(a), level 0.05."""
    result = FriedmanResult(np.ones(methods), 14, 0.0, 1.0, 0.0, 1.0)
    assert critical_difference(result) / result.standard_error == pytest.approx(q, abs=1e-3)


def test_nemenyi_and_the_critical_difference_agree():
    result = friedman([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3], [1, 2, 3, 4]])
    apart = np.abs(result.ranks[:, None] - result.ranks) > critical_difference(result)
    assert apart.any()
    assert not apart.all()
    assert np.array_equal(nemenyi(result) < 0.05, apart)


def test_nemenyi_of_two_methods_is_the_normal_test():
    result = FriedmanResult(np.array([1.2, 1.8]), 20, 0.0, 1.0, 0.0, 1.0)
    z = 0.6 / math.sqrt(2 * 3 / (6 * 20))
    assert nemenyi(result)[0, 1] == pytest.approx(2 * stats.norm.sf(z), rel=1e-6)


@given(st.integers(2, 12), st.integers(3, 6), st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_friedman_equals_scipy_with_and_without_ties(datasets, methods, seed, levels):
    scores = np.random.default_rng(seed).integers(0, 10 * levels, (datasets, methods)) / 10
    if (ranks_of(scores) == (methods + 1) / 2).all():
        assert friedman(scores).p == 1.0
        return
    found, wanted = friedman(scores), stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-7, abs=1e-12)


def test_iman_and_davenports_f_by_hand():
    """Ranks 1 2 3, 1 2 3, 2 1 3: chi-square 14/3, F = 2 * (14/3) / (6 - 14/3) = 7 with 2 and 4 degrees of freedom."""
    found = friedman([[3, 2, 1], [9, 8, 7], [5, 6, 4]])
    assert found.statistic == pytest.approx(14 / 3)
    assert found.f_statistic == pytest.approx(7)
    # with 2 numerator degrees of freedom the tail is (1 + 2 F / 4) ** -2
    assert found.f_p == pytest.approx(4.5**-2)


def test_methods_that_always_rank_alike_are_certain():
    found = friedman([[3, 2, 1]] * 5)
    assert (found.statistic, found.f_p) == (pytest.approx(10), 0.0)


def test_ranks_share_ties_that_rounding_hides():
    assert ranks_of([[0.1 + 0.2, 0.3, 0.1]]).tolist() == [[1.5, 1.5, 3.0]]


def test_ranks_of_errors_start_with_the_smallest():
    assert ranks_of([[0.1, 0.3, 0.2]], higher_is_better=False).tolist() == [[1, 3, 2]]


def test_holm_by_hand():
    """0.01 * 3, 0.02 * 2, then 0.03 * 1 raised to what came before."""
    assert holm_adjusted([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_against_a_control():
    """z = (3.143 - 1.964) / 0.488 = 2.416 is the largest of three."""
    found = holm(RESULT, 0)
    smallest = 2 * stats.norm.sf((3.143 - 1.964) / math.sqrt(4 * 5 / (6 * 14)))
    assert np.isnan(found[0])
    assert found[3] == pytest.approx(3 * smallest)
    assert found[3] == pytest.approx(3 * 0.016, abs=2e-3)


@pytest.mark.parametrize("scores", [[[1, 2, 3]], [[1, 2], [2, 1]]])
def test_too_few_data_sets_or_methods_are_refused(scores):
    with pytest.raises(EvaluationError, match="at least 2 data sets and 3 methods"):
        friedman(scores)


def test_a_missing_score_is_named():
    with pytest.raises(EvaluationError, match="method 3 on data set 2"):
        friedman([[1, 2, 3], [1, 2, np.nan]])
