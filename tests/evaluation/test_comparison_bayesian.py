"""The Bayesian signed rank test."""

import numpy as np
import pytest

from nbframework.errors import EvaluationError
from nbframework.evaluation.bayesian import bayesian_signed_rank


def compared(first, second, rope=0.01, samples=20_000):
    return bayesian_signed_rank(np.array(first), np.array(second), rope, np.random.default_rng(1), samples)


def test_the_probabilities_sum_to_1():
    first, second = np.random.default_rng(2).random((2, 15))
    found = compared(first, second)
    assert found.first + found.equal + found.second == pytest.approx(1.0, abs=1e-12)


def test_equal_scores_are_practically_equal():
    assert compared([0.8, 0.7, 0.9], [0.8, 0.7, 0.9]).equal == 1.0


def test_differences_inside_the_region_are_practically_equal():
    assert compared([0.805, 0.705, 0.905], [0.8, 0.7, 0.9]).equal == 1.0


def test_a_large_difference_everywhere_is_a_practical_one():
    first = np.linspace(0.6, 0.9, 20)
    assert compared(first + 0.05, first).first > 0.999


def test_two_differences_by_their_distribution():
    """Without a region, z = (0, a, a) with a > 0 loses only where the weight of z0 squared is above one half.

    The weight w0 of z0 is Beta(0.5, 2), whose density gives P(w0 > w) = 1 - 0.75 (2 x - 2 x**3 / 3) with x = w**0.5.
    """
    x = 0.5**0.25
    lost = 1 - 0.75 * (2 * x - 2 * x**3 / 3)
    found = compared([0.9, 0.8], [0.8, 0.7], rope=0.0, samples=100_000)
    assert found.equal == pytest.approx(lost, abs=0.003)
    assert found.second == 0.0


def test_exchanging_the_two_exchanges_the_probabilities():
    first, second = np.random.default_rng(5).random((2, 10))
    one, other = compared(first, second), compared(second, first)
    assert (one.first, one.equal) == (pytest.approx(other.second), pytest.approx(other.equal))


def test_the_same_seed_gives_the_same_bytes():
    first, second = np.random.default_rng(6).random((2, 10))
    assert compared(first, second) == compared(first, second)


def test_one_data_set_is_too_few():
    with pytest.raises(EvaluationError, match="at least 2"):
        compared([0.5], [0.4])
