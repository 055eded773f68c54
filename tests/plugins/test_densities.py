"""Every density on tiny data: by hand, by SciPy, and what must not matter."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gaussian_kde, norm
from support.builders import posteriors, table
from support.densities import density, log_density

NAMES = ("gaussian", "kernel", "weka-gaussian", "weka-kernel")
NAN = math.nan


# --- gaussian: a has 1 and 3 (mean 2), b has 2, 6 and 10 (mean 6); all rows have mean 4.4

VALUES, CLASSES = [1, 3, 2, 6, 10], "aabbb"
QUERIES = [2, 6, -3.5]


@pytest.mark.parametrize(("variance", "a", "b"), [("population", 1, 32 / 3), ("sample", 2, 16)])
def test_gaussian_moments(variance, a, b):
    found = log_density("gaussian", VALUES, CLASSES, QUERIES, variance=variance)
    expected = np.column_stack([norm.logpdf(QUERIES, 2, math.sqrt(a)), norm.logpdf(QUERIES, 6, math.sqrt(b))])
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_gaussian_by_hand():
    # class a: mean 2, variance 1: at 3 the density is exp(-1/2) / sqrt(2 pi)
    found = log_density("gaussian", VALUES, CLASSES, [3])[0, 0]
    assert found == pytest.approx(-0.5 - 0.5 * math.log(2 * math.pi), abs=1e-15)


def test_gaussian_moments_of_hosein_and_baboolal():
    # section 5: green 5, 10, 11 has mean 8.67 and deviation 2.6247; red 1, 2, 7, 8 has 4.5 and 3.041
    fitted = density("gaussian").fit(
        np.array([[5.0], [10], [11], [1], [2], [7], [8]]), np.array([0, 0, 0, 1, 1, 1, 1]), 2, np.ones(7)
    )
    np.testing.assert_allclose(fitted.mean[0, :, 0], [8.67, 4.5], atol=5e-3)
    np.testing.assert_allclose(np.sqrt(fitted.variance[0, :, 0]), [2.6247, 3.041], atol=5e-4)


def test_gaussian_floor_is_a_share_of_the_variance_of_all_rows():
    # a is constant; all rows 5 5 1 9: mean 5, variance 8
    found = log_density("gaussian", [5, 5, 1, 9], "aabb", [5, 6], floor=0.125)
    np.testing.assert_allclose(found[:, 0], norm.logpdf([5, 6], 5, 1), rtol=1e-13)


def test_gaussian_floor_leaves_larger_variances_alone():
    found = log_density("gaussian", [5, 5, 1, 9], "aabb", [5, 6], floor=0.125)
    np.testing.assert_allclose(found[:, 1], norm.logpdf([5, 6], 5, 4), rtol=1e-13)


@pytest.mark.parametrize("variance", ["population", "sample"])
def test_gaussian_of_one_row_has_the_floor(variance):
    # all rows 3 1 5: variance 8/3 or 4
    overall = 8 / 3 if variance == "population" else 4
    found = log_density("gaussian", [3, 1, 5], "abb", [3], variance=variance, floor=0.01)
    assert found[0, 0] == pytest.approx(norm.logpdf(3, 3, math.sqrt(0.01 * overall)), rel=1e-13)


def test_gaussian_without_a_floor_is_certain_at_the_mean_and_impossible_elsewhere():
    found = log_density("gaussian", [5, 5, 1, 9], "aabb", [5, 6], floor=0)
    assert found[:, 0].tolist() == [0, -np.inf]


def test_gaussian_of_a_class_of_equal_values_has_the_variance_0_whatever_their_weights():
    # a is 0.7 three times; in tenths their weights are no doubles
    found = log_density("gaussian", [0.7, 0.7, 0.7, 0.1], "aaab", [0.7, 0.8], [0.1, 0.2, 0.3, 1.0], floor=0)
    assert found[:, 0].tolist() == [0, -np.inf]


def test_gaussian_of_a_class_without_values_is_that_of_all_rows():
    found = log_density("gaussian", VALUES, CLASSES, QUERIES, class_count=3)
    expected = norm.logpdf(QUERIES, np.mean(VALUES), np.std(VALUES))
    np.testing.assert_allclose(found[:, 2], expected, rtol=1e-13)


def test_gaussian_leaves_unknown_values_out():
    known = log_density("gaussian", VALUES, CLASSES, QUERIES)
    found = log_density("gaussian", [*VALUES, NAN, NAN], CLASSES + "ab", QUERIES)
    np.testing.assert_array_equal(found, known)


def test_gaussian_weights_are_fractions_of_rows():
    # a: 1 with weight 3, 3 with weight 1: mean 1.5, variance (3 * 0.25 + 2.25) / 4 = 0.75, or 3 / 3 = 1
    weights = [3, 1, 1, 1, 1]
    found = log_density("gaussian", VALUES, CLASSES, [2], weights)
    assert found[0, 0] == pytest.approx(norm.logpdf(2, 1.5, math.sqrt(0.75)), rel=1e-13)
    found = log_density("gaussian", VALUES, CLASSES, [2], weights, variance="sample")
    assert found[0, 0] == pytest.approx(norm.logpdf(2, 1.5, 1), rel=1e-13)


def test_gaussian_of_values_far_from_zero_keeps_its_variance():
    shift = 1e9
    found = log_density("gaussian", [v + shift for v in VALUES], CLASSES, [q + shift for q in QUERIES])
    np.testing.assert_allclose(found, log_density("gaussian", VALUES, CLASSES, QUERIES), rtol=1e-6)


# --- kernel


def test_kernel_by_hand():
    # a: 0 and 2, deviation 1, bandwidth h = 1.06 * 2^-0.2; half way both kernels give phi(1 / h) / h
    h = 1.06 * 2**-0.2
    found = log_density("kernel", [0, 2, 7, 9], "aabb", [1])[0, 0]
    assert found == pytest.approx(norm.logpdf(1 / h) - math.log(h), abs=1e-14)


def test_kernel_with_the_bandwidth_of_john_and_langley():
    h = 2**-0.5
    found = log_density("kernel", [0, 2, 7, 9], "aabb", [1, 0], bandwidth="inverse-root")[:, 0]
    at_zero = np.log((norm.pdf(0) + norm.pdf(2 / h)) / (2 * h))
    np.testing.assert_allclose(found, [norm.logpdf(1 / h) - math.log(h), at_zero], rtol=1e-13)


@pytest.mark.parametrize("bandwidth", ["silverman", "inverse-root"])
def test_kernel_equals_scipy(bandwidth):
    generator = np.random.default_rng(1)
    x = np.concatenate([generator.normal(0, 1, 40), generator.exponential(3, 25)])
    classes = "a" * 40 + "b" * 25
    queries = np.linspace(-4, 12, 30)
    found = log_density("kernel", x, classes, queries, bandwidth=bandwidth)
    for c, part in enumerate((x[:40], x[40:])):
        n = len(part)
        width = 1.06 * part.std() * n**-0.2 if bandwidth == "silverman" else n**-0.5
        expected = gaussian_kde(part, bw_method=width / part.std(ddof=1)).logpdf(queries)
        np.testing.assert_allclose(found[:, c], expected, rtol=1e-9, atol=1e-12)


def test_weighted_kernel_equals_scipy():
    generator = np.random.default_rng(2)
    x, weights = generator.normal(0, 1, 30), generator.integers(1, 5, 30).astype(float)
    queries = np.linspace(-3, 3, 11)
    found = log_density("kernel", [*x, 0.0], "a" * 30 + "b", queries, [*weights, 1.0])[:, 0]
    mean = np.average(x, weights=weights)
    width = 1.06 * math.sqrt(np.average((x - mean) ** 2, weights=weights)) * weights.sum() ** -0.2
    kde = gaussian_kde(x, weights=weights)
    kde.set_bandwidth(width / math.sqrt(kde.covariance[0, 0]) * kde.factor)
    np.testing.assert_allclose(found, kde.logpdf(queries), rtol=1e-9)


def test_kernel_far_outside_underflows_in_logs_only():
    found = log_density("kernel", [0, 2, 7, 9], "aabb", [1e6])[0]
    h = 1.06 * 2**-0.2
    expected = norm.logpdf((1e6 - 2) / h) - math.log(2 * h)
    assert found[0] == pytest.approx(expected, rel=1e-12)


def test_kernel_of_equal_values_takes_the_deviation_of_all_rows():
    # all rows 5 5 1 9: deviation sqrt 8; two rows of a
    h = 1.06 * math.sqrt(8) * 2**-0.2
    found = log_density("kernel", [5, 5, 1, 9], "aabb", [6])[0, 0]
    assert found == pytest.approx(norm.logpdf(6, 5, h), rel=1e-13)


def test_kernel_of_a_class_without_values_is_that_of_all_rows():
    found = log_density("kernel", VALUES, CLASSES, QUERIES, class_count=3)[:, 2]
    width = 1.06 * np.std(VALUES) * 5**-0.2
    expected = gaussian_kde(VALUES, bw_method=width / np.std(VALUES, ddof=1)).logpdf(QUERIES)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# --- both: nothing to tell, groups, scale


@pytest.mark.parametrize("name", ["gaussian", "kernel"])
def test_an_attribute_of_equal_values_tells_nothing(name):
    found = log_density(name, [3, 3, 3], "aab", [3, 4, 1e9])
    np.testing.assert_array_equal(found, np.zeros((3, 2)))


@pytest.mark.parametrize("name", NAMES)
def test_groups_are_fitted_each_for_itself(name):
    generator = np.random.default_rng(5)
    values = generator.normal(0, 1, (14, 2))
    values[3, 1] = NAN
    classes = np.array([0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0])
    weights = generator.integers(1, 3, 14).astype(float)
    queries = generator.normal(0, 1, (6, 2))
    group = np.array([0, 1, 1, 0, 2, 1])
    start = np.array([0, 6, 10, 14])
    together = density(name).fit(values, classes, 2, weights, start).log_density(queries, group)
    for number in range(3):
        rows = slice(start[number], start[number + 1])
        alone = density(name).fit(values[rows], classes[rows], 2, weights[rows])
        np.testing.assert_allclose(
            together[group == number], alone.log_density(queries[group == number]), rtol=1e-12, atol=1e-12
        )


NUMBERS = st.lists(st.integers(-20, 20), min_size=6, max_size=6, unique=True)


@pytest.mark.parametrize("name", ["gaussian", "kernel", "weka-gaussian"])
@settings(max_examples=25, deadline=None)
@given(numbers=NUMBERS, power=st.integers(-20, 20))
def test_the_scale_of_an_attribute_changes_no_posterior(name, numbers, power):
    scale = 2.0**power
    classes = "aaabbb"

    def asked(factor):
        rows = "; ".join(f"{v * factor!r} {c}" for v, c in zip(numbers, classes, strict=True))
        training = table("x numeric; class {a,b}", rows)
        return posteriors(f"recipe: t\ndensity: {name}", training, training)

    np.testing.assert_allclose(asked(scale), asked(1.0), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_weight_2_counts_as_the_row_twice(name, data):
    n = data.draw(st.integers(4, 10))
    values = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)), dtype=float)
    classes = data.draw(st.text("ab", min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    repeated = "".join(c * w for c, w in zip(classes, weights, strict=True))
    weighted = log_density(name, values, classes, [0, 2.5, 7], weights)
    np.testing.assert_allclose(
        log_density(name, np.repeat(values, weights), repeated, [0, 2.5, 7]), weighted, rtol=1e-9, atol=1e-9
    )
