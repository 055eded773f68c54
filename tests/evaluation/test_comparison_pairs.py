"""Tests on paired scores: by hand, against SciPy, and the STAT cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbframework.errors import EvaluationError
from nbframework.evaluation.comparison import PAIRED, corrected_t, paired_t, sign_test, wilcoxon

STAT_06 = [0.81, 0.83, 0.79, 0.85, 0.82, 0.78, 0.84, 0.80, 0.86, 0.82]
"""Case STAT-06: ten folds against 0.80 in each."""

scores = st.lists(st.floats(0, 1, width=32), min_size=6, max_size=30)


def test_the_corrected_t_by_hand():
    """Differences 1, 2, 3: mean 2, variance 1, so t = 2 / sqrt((1/3 + 1/6) 1) = sqrt(8) with 2 degrees of freedom."""
    found = corrected_t([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], test_ratio=1 / 6)
    assert found.statistic == pytest.approx(math.sqrt(8), abs=1e-12)
    # the distribution of t with 2 degrees of freedom has a closed form
    assert found.p == pytest.approx(1 - math.sqrt(8) / math.sqrt(2 + 8), abs=1e-12)


def test_stat_06_the_plain_test_finds_a_difference():
    found = paired_t(STAT_06, [0.8] * 10)
    assert found.statistic == pytest.approx(2.449490, abs=1e-6)
    assert found.p == pytest.approx(0.0367875, abs=1e-7)


def test_stat_06_the_corrected_test_finds_none():
    found = corrected_t(STAT_06, [0.8] * 10, 1 / 9)
    assert found.statistic == pytest.approx(1.685854, abs=1e-6)
    assert found.p == pytest.approx(0.1261033, abs=1e-7)


@pytest.mark.parametrize("test", PAIRED)
def test_stat_01_identical_scores_do_not_differ(test):
    found = PAIRED[test]([0.8, 0.9, 0.7, 0.85, 0.75], [0.8, 0.9, 0.7, 0.85, 0.75], 1 / 4)
    assert (found.p, found.statistic, found.note) == (1.0, 0.0, "no difference in any pair")


@pytest.mark.parametrize("test", PAIRED)
def test_stat_03_one_pair_is_too_few(test):
    with pytest.raises(EvaluationError, match=r"^at least 2 pairs are needed, found 1$"):
        PAIRED[test]([0.8], [0.7], 1 / 9)


@pytest.mark.parametrize("test", PAIRED)
def test_stat_05_a_missing_score_is_named(test):
    with pytest.raises(EvaluationError, match="missing or infinite in pair 2"):
        PAIRED[test]([0.8, math.nan, 0.7, 0.9], [0.7, 0.6, 0.65, 0.8], 1 / 9)


def test_the_same_difference_in_every_pair_is_certain():
    """0.3 - 0.2 and 0.9 - 0.8 are not equal in binary; the test must not see that."""
    found = paired_t([0.3, 0.9, 0.6], [0.2, 0.8, 0.5])
    assert (found.p, found.statistic) == (0.0, math.inf)
    assert found.note == "the same difference in every pair"


def test_a_test_ratio_of_0_is_no_correction():
    with pytest.raises(EvaluationError, match="expected more than 0"):
        corrected_t([1, 2], [2, 1], 0)


def test_scores_of_different_numbers_are_no_pairs():
    with pytest.raises(EvaluationError, match="no pairs"):
        paired_t([1, 2, 3], [1, 2])


@given(scores, st.integers(0, 2**32 - 1))
def test_the_plain_t_equals_scipy(first, seed):
    second = np.random.default_rng(seed).random(len(first))
    found, wanted = paired_t(first, second), stats.ttest_rel(first, second)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9, abs=1e-12)


@given(scores, st.integers(0, 2**32 - 1))
def test_wilcoxon_equals_scipy(first, seed):
    second = np.random.default_rng(seed).random(len(first))
    found, wanted = wilcoxon(first, second), stats.wilcoxon(first, second)
    assert (found.statistic, found.p) == (pytest.approx(wanted.statistic), pytest.approx(wanted.pvalue, rel=1e-9))


def test_wilcoxon_by_hand():
    """All five differences of one sign: the smaller rank sum is 0, and 2 of the 2**5 signs are as extreme."""
    found = wilcoxon([2, 3, 4, 5, 6], [1, 1, 1, 1, 1])
    assert (found.statistic, found.p) == (0.0, 2 / 32)


def test_wilcoxon_does_not_undo_ties_by_rounding():
    """0.3 - 0.2 and 0.2 - 0.1 tie, with signs that cancel; their last bits differ."""
    first, second = [0.3, 0.1, 0.9, 0.1], [0.2, 0.2, 0.8, 0.2]
    assert wilcoxon(first, second).statistic == 5.0


@pytest.mark.parametrize(("wins", "losses"), [(9, 1), (5, 5), (0, 7), (12, 3)])
def test_the_sign_test_equals_the_binomial_one(wins, losses):
    first = [1.0] * wins + [0.0] * losses + [0.5] * 3
    second = [0.0] * wins + [1.0] * losses + [0.5] * 3
    found = sign_test(first, second)
    assert found.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-12)
    assert found.note == "3 pairs without a difference left out"


@pytest.mark.parametrize("test", PAIRED)
def test_exchanging_the_two_changes_the_sign_only(test):
    first, second = np.random.default_rng(3).random((2, 12))
    one, other = PAIRED[test](first, second, 1 / 9), PAIRED[test](second, first, 1 / 9)
    assert one.p == pytest.approx(other.p, rel=1e-12)
    assert one.difference == -other.difference
