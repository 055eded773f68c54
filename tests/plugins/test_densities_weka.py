"""The densities that reproduce Weka, by hand on tiny data and against their plain form."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from support import plain_bayes as plain
from support.densities import log_density

# --- weka-gaussian: a has 1 and 2, b has 3 and 4; the grid step is 1


def mass(low, high):
    return norm.cdf(high) - norm.cdf(low)


def test_weka_gaussian_is_the_mass_of_a_grid_cell():
    # a: mean 1.5, deviation 0.5; 2.4 stands for 2: between 0 and 2 deviations. b: mean 3.5: between -4 and -2
    found = log_density("weka-gaussian", [1, 2, 3, 4], "aabb", [2.4])
    np.testing.assert_allclose(np.exp(found), [[mass(0, 2), mass(-4, -2)]], rtol=1e-12)
    np.testing.assert_allclose(np.exp(found[0, 0]), 0.4772498680518208, rtol=1e-14)


def test_weka_gaussian_rounds_half_to_even():
    found = log_density("weka-gaussian", [1, 2, 3, 4], "aabb", [2.5, 2, 3.5, 4])
    assert found[0].tolist() == found[1].tolist()
    assert found[2].tolist() == found[3].tolist()


def test_weka_gaussian_version_3_9_divides_by_the_grid_step():
    old, new = (log_density("weka-gaussian", [2, 4, 6, 8], "aabb", [4], version=v) for v in ("3.6.14", "3.9"))
    np.testing.assert_allclose(np.exp(old), [[mass(0, 2), mass(-4, -2)]], rtol=1e-12)
    np.testing.assert_allclose(new, old - math.log(2), rtol=1e-12)


def test_weka_gaussian_deviation_is_at_least_a_sixth_of_the_step():
    # a is constant: deviation 1/6, so the cell reaches three deviations to both sides
    found = log_density("weka-gaussian", [1, 1, 2, 3], "aabb", [1])
    assert np.exp(found[0, 0]) == pytest.approx(mass(-3, 3), rel=1e-12)


def test_weka_gaussian_deviation_is_raised_to_a_sixth_of_the_step():
    # 39 times 1 and once 2: mean 1.025, deviation sqrt(0.975 * 0.025) = 0.156, less than 1/6
    found = log_density("weka-gaussian", [1] * 39 + [2, 3, 4], "a" * 40 + "bb", [1])
    assert np.exp(found[0, 0]) == pytest.approx(mass(6 * (0.5 - 1.025), 6 * (1.5 - 1.025)), rel=1e-12)


def test_weka_gaussian_of_a_class_without_rows_stands_at_zero():
    found = log_density("weka-gaussian", [1, 2, 3, 4], "aabb", [0], class_count=3)
    assert np.exp(found[0, 2]) == pytest.approx(mass(-3, 3), rel=1e-12)


@pytest.mark.parametrize("offset", [2.0**20, 2.0**24])
def test_weka_gaussian_far_from_zero_is_that_at_zero(offset):
    # the grid step is 1/4, so that nothing rounds on the way
    values, queries = np.array([0, 0.25, 0.5, 1, 0.75, 1.25, 1.5]), np.array([0, 0.5, 1.25])
    near = log_density("weka-gaussian", values, "aaaabbb", queries)
    far = log_density("weka-gaussian", values + offset, "aaaabbb", queries + offset)
    np.testing.assert_array_equal(far, near)


@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_weka_gaussian_does_not_depend_on_the_order_of_the_rows(offset):
    generator = np.random.default_rng(8)
    values = offset + generator.normal(size=300).round(2)
    labels, order = generator.choice(["a", "b"], 300), generator.permutation(300)
    one = log_density("weka-gaussian", values, "".join(labels), values)
    other = log_density("weka-gaussian", values[order], "".join(labels[order]), values)
    np.testing.assert_array_equal(other, one)


def test_weka_likelihoods_never_fall_below_their_floor():
    for name in ("weka-gaussian", "weka-kernel"):
        found = log_density(name, [1, 2, 3, 4], "aabb", [1000])
        np.testing.assert_allclose(found, np.full((1, 2), math.log(1e-75)), rtol=1e-14)


def test_weka_step_of_one_distinct_value():
    # 0.01; the deviation is a sixth of it
    found = log_density("weka-gaussian", [5, 5], "ab", [5, 5.004, 5.02])
    np.testing.assert_allclose(np.exp(found[:2]), np.full((2, 2), mass(-3, 3)), rtol=1e-9)
    np.testing.assert_allclose(np.exp(found[2]), np.full(2, mass(9, 15)), atol=1e-15)


# --- weka-kernel: a has 1, 2 and 3; the grid step is 1, the bandwidth 2 / sqrt 3


def test_weka_kernel_is_the_mean_mass_of_the_kernels():
    h = 2 / math.sqrt(3)
    found = log_density("weka-kernel", [1, 2, 3, 4, 5], "aaabb", [2])
    centre, side = mass(-0.5 / h, 0.5 / h), mass(0.5 / h, 1.5 / h)
    assert np.exp(found[0, 0]) == pytest.approx((centre + 2 * side) / 3, rel=1e-12)


def test_weka_kernel_bandwidth_is_at_least_a_sixth_of_the_step():
    # 48 times 1 and once 2: 1 / sqrt(49) = 1/7, raised to 1/6; at 1 the one kernel of 2 stands 3 to 9 bandwidths off
    found = log_density("weka-kernel", [1] * 48 + [2, 3, 4], "a" * 49 + "bb", [1])
    assert np.exp(found[0, 0]) == pytest.approx((48 * mass(-3, 3) + mass(3, 9)) / 49, rel=1e-9)


def test_weka_kernel_takes_the_query_as_it_is_in_3_6_14_and_rounded_in_3_9():
    h = 2 / math.sqrt(3)
    values, classes = [1, 2, 3, 4, 5], "aaabb"
    old = np.exp(log_density("weka-kernel", values, classes, [2.4])[0, 0])
    expected = sum(mass((u - 2.4 - 0.5) / h, (u - 2.4 + 0.5) / h) for u in (1, 2, 3)) / 3
    assert old == pytest.approx(expected, rel=1e-12)
    new = log_density("weka-kernel", values, classes, [2.4, 2], version="3.9")
    assert new[0].tolist() == new[1].tolist()


def test_weka_kernel_version_3_9_divides_by_the_grid_step():
    old, new = (log_density("weka-kernel", [2, 4, 6, 8], "aabb", [4], version=v) for v in ("3.6.14", "3.9"))
    np.testing.assert_allclose(new, old - math.log(2), rtol=1e-12)


def test_weka_kernel_stops_where_what_is_left_adds_less_than_a_hundredth():
    # a: 0 to 399 in steps of 1, bandwidth 399 / 20; upwards from 0 the sum stops short of the far kernels
    values = np.arange(400.0)
    found = np.exp(log_density("weka-kernel", values, "a" * 400, [0.0])[0, 0])
    h = 399 / 20
    terms = [mass((u - 0.5) / h, (u + 0.5) / h) for u in values]
    assert found < sum(terms) / 400
    sums, total = [], 0.0
    for index, term in enumerate(terms):
        total += term
        sums.append(total)
        if term * (399 - index) < 0.01 * total:
            break
    assert 40 < len(sums) < 100
    assert found == pytest.approx(total / 400, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    values=st.lists(st.integers(0, 40), min_size=4, max_size=30).filter(lambda v: len(set(v)) > 1),
    query=st.floats(-5, 45),
)
def test_weka_densities_equal_their_plain_form(values, query):
    values = [value / 4 for value in values]
    half = len(values) // 2
    classes = "a" * half + "b" * (len(values) - half)
    for name, likelihood in (("weka-gaussian", plain.weka_gaussian), ("weka-kernel", plain.weka_kernel)):
        found = np.exp(log_density(name, values, classes, [query])[0])
        expected = [likelihood(values, part, query) for part in (values[:half], values[half:])]
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_weka_kernel_of_a_class_without_rows_stands_at_zero():
    found = log_density("weka-kernel", [1, 2, 3, 4], "aabb", [0], class_count=3)
    assert np.exp(found[0, 2]) == pytest.approx(mass(-3, 3), rel=1e-12)
