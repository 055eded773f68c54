"""Entropy and its kin, by hand and by SciPy."""

import math

import numpy as np
import pytest
from scipy.stats import entropy as scipy_entropy

from nbframework.statistics.information import entropy, mutual_information, relative_entropy, x_log2_x


def test_x_log_x():
    assert x_log2_x(np.array([0.0, 1, 2, 8])).tolist() == [0, 0, 2, 24]


@pytest.mark.parametrize(
    ("counts", "bits"), [([1, 1], 1), ([1, 1, 1, 1], 2), ([5, 0], 0), ([0, 0], 0), ([1, 3], 0.8112781244591328)]
)
def test_entropy_in_bits(counts, bits):
    assert entropy(np.array(counts, dtype=float)) == pytest.approx(bits, abs=1e-15)


def test_entropy_equals_scipy_along_any_axis():
    counts = np.random.default_rng(0).integers(0, 9, (4, 5)).astype(float)
    np.testing.assert_allclose(entropy(counts), scipy_entropy(counts, axis=1, base=2), atol=1e-14)
    np.testing.assert_allclose(entropy(counts, axis=0), scipy_entropy(counts, axis=0, base=2), atol=1e-14)


def test_relative_entropy_by_hand():
    # 3/4 log2 (3/4 / 1/2) + 1/4 log2 (1/4 / 1/2)
    found = relative_entropy(np.array([0.75, 0.25]), np.array([0.5, 0.5]))
    assert found == pytest.approx(0.75 * math.log2(1.5) - 0.25, abs=1e-15)


def test_relative_entropy_at_the_borders():
    assert relative_entropy(np.array([1.0, 0.0]), np.array([0.5, 0.5])) == 1
    assert relative_entropy(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == math.inf
    assert relative_entropy(np.array([0.2, 0.8]), np.array([0.2, 0.8])) == 0


def test_mutual_information_by_hand():
    assert mutual_information(np.array([[2.0, 0], [0, 2]])) == pytest.approx(1, abs=1e-15)
    assert mutual_information(np.array([[1.0, 1], [1, 1]])) == pytest.approx(0, abs=1e-15)
    # 4 4 | 3 1, 1 3: H(X) = H(Y) = 1, H(X, Y) = 2 * (3/8 log2 8/3 + 1/8 log2 8)
    joint = 2 * (3 / 8 * math.log2(8 / 3) + 3 / 8)
    assert mutual_information(np.array([[3.0, 1], [1, 3]])) == pytest.approx(2 - joint, abs=1e-15)


def test_mutual_information_has_leading_axes():
    tables = np.random.default_rng(1).integers(0, 9, (3, 2, 4)).astype(float)
    np.testing.assert_allclose(mutual_information(tables), [mutual_information(one) for one in tables], atol=1e-14)
