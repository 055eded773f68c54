"""Log likelihoods of numbers: right values, and the same ones in both forms."""

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from nbframework.kernels import definitions, implementation

FORMS: list[Any] = [pytest.param(definitions, id="definition")]
if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

    FORMS.append(pytest.param(compiled, id="compiled"))

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
every_form = pytest.mark.parametrize("form", FORMS)
NAN, INF = np.nan, np.inf
KERNELS = ("gaussian_scores", "count_scores", "threshold_scores")


def tables(kernel: str, class_count: int, columns: int, generator: np.random.Generator, strange: float) -> list[Any]:
    """What a kernel is given besides the values; some entries are those that are taken one by one."""
    shape = class_count, columns
    special = generator.random(shape) < strange
    if kernel == "gaussian_scores":
        variance = np.where(special, generator.choice([0.0, NAN], shape), generator.random(shape) + 0.01)
        variance[:, generator.random(columns) < strange] = NAN
        return [generator.integers(-2, 3, shape) / 2, variance]
    logs = np.log(generator.random(shape))
    if kernel == "count_scores":
        return [np.where(special, -INF, logs)]
    return [0.5, np.where(special, -INF, logs), np.log(generator.random(shape))]


def laid_out(values: np.ndarray, layout: str) -> np.ndarray:
    """The same numbers in another place of memory."""
    if layout == "columns":
        return np.asfortranarray(values)
    if layout == "backwards":
        return values[::-1].copy()[::-1]
    return np.repeat(values, 2, axis=1)[:, ::2] if layout == "apart" else values


@every_form
def test_gaussian_scores_are_sums_of_log_densities(form: ModuleType) -> None:
    values = np.array([[1.0, -3.0], [2.5, 0.0]])
    mean, variance = np.array([[0.0, 1.0], [2.0, -1.0]]), np.array([[1.0, 4.0], [0.25, 9.0]])
    expected = norm.logpdf(values[:, np.newaxis], mean, np.sqrt(variance)).sum(axis=-1)
    np.testing.assert_allclose(form.gaussian_scores(values, mean, variance), expected, rtol=1e-14)


@every_form
def test_the_variance_0_is_certain_at_the_mean_and_impossible_elsewhere(form: ModuleType) -> None:
    found = form.gaussian_scores(np.array([[3.0], [3.5], [NAN]]), np.array([[3.0]]), np.array([[0.0]]))
    assert found.ravel().tolist() == [0, -INF, 0]


@every_form
def test_an_attribute_without_variance_tells_nothing(form: ModuleType) -> None:
    found = form.gaussian_scores(np.array([[3.0], [1e300]]), np.array([[1.0], [0.0]]), np.array([[NAN], [NAN]]))
    np.testing.assert_array_equal(found, np.zeros((2, 2)))


@every_form
def test_a_variance_beyond_the_doubles_rules_everything_out(form: ModuleType) -> None:
    found = form.gaussian_scores(np.array([[3.0]]), np.array([[1.0]]), np.array([[INF]]))
    assert found.tolist() == [[-INF]]


@every_form
def test_values_far_from_zero_keep_their_distance_from_the_mean(form: ModuleType) -> None:
    found = form.gaussian_scores(np.array([[1e9 + 2]]), np.array([[1e9]]), np.array([[4.0]]))
    assert found[0, 0] == pytest.approx(-0.5 - 0.5 * math.log(8 * math.pi), rel=1e-15)


@every_form
def test_count_scores_are_sums_of_products(form: ModuleType) -> None:
    counts = np.array([[2.0, 0.0, 1.0], [0.0, 4.0, 0.5]])
    found = form.count_scores(counts, np.array([[-1.0, -2.0, -3.0], [-0.5, -0.25, 0.0]]))
    np.testing.assert_array_equal(found, [[-5.0, -1.0], [-9.5, -1.0]])


@every_form
def test_no_unit_of_an_impossible_attribute_costs_nothing(form: ModuleType) -> None:
    found = form.count_scores(np.array([[0.0, 1.0], [-0.0, 1.0], [0.5, 1.0]]), np.array([[-INF, -2.0]]))
    assert found.ravel().tolist() == [-2, -2, -INF]


@every_form
@pytest.mark.parametrize("column", [0, 1], ids=["finite", "infinite"])
def test_a_row_with_a_count_below_zero_has_no_score(form: ModuleType, column: int) -> None:
    counts = np.ones((300, 2))
    counts[130, column] = -1
    found = form.count_scores(counts, np.array([[-1.0, -INF], [-1.0, -2.0]]))
    assert np.flatnonzero(np.isnan(found).all(axis=1)).tolist() == [130]
    assert not np.isnan(np.delete(found, 130, axis=0)).any()


@every_form
def test_threshold_scores_take_the_side_of_each_value(form: ModuleType) -> None:
    above, below = np.array([[-1.0, -INF]]), np.array([[-2.0, -4.0]])
    found = form.threshold_scores(np.array([[0.5, 0.5], [0.75, 0.0], [0.0, 0.75]]), 0.5, above, below)
    assert found.ravel().tolist() == [-6, -5, -INF]


@every_form
@pytest.mark.parametrize("kernel", KERNELS)
def test_an_unknown_value_adds_nothing(form: ModuleType, kernel: str) -> None:
    given = tables(kernel, 3, 4, np.random.default_rng(1), 0.0)
    values = np.random.default_rng(2).random((200, 4))
    values[150, 2] = NAN
    without = [table if np.ndim(table) == 0 else np.delete(table, 2, axis=1) for table in given]
    expected = getattr(form, kernel)(np.delete(values, 2, axis=1), *without)
    np.testing.assert_allclose(getattr(form, kernel)(values, *given)[150], expected[150], rtol=1e-14)


@every_form
@pytest.mark.parametrize("kernel", KERNELS)
def test_without_attributes_all_scores_are_0(form: ModuleType, kernel: str) -> None:
    given = tables(kernel, 3, 0, np.random.default_rng(1), 0.0)
    np.testing.assert_array_equal(getattr(form, kernel)(np.empty((2, 0)), *given), np.zeros((2, 3)))


@needs_compiled
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("strange", [0.0, 0.3])
def test_a_row_has_the_same_score_alone_as_beside_others(kernel: str, strange: float) -> None:
    generator = np.random.default_rng(3)
    values = np.asfortranarray(generator.integers(0, 4, (300, 20)) / 2)
    values[generator.random(values.shape) < 0.002] = NAN
    given = tables(kernel, 7, 20, generator, strange)
    alone = np.concatenate([getattr(compiled, kernel)(row[np.newaxis], *given) for row in values])
    np.testing.assert_array_equal(alone, getattr(compiled, kernel)(values, *given))


@needs_compiled
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    kernel=st.sampled_from(KERNELS),
    rows=st.one_of(st.integers(0, 9), st.sampled_from([127, 128, 129, 700])),
    columns=st.one_of(st.integers(0, 5), st.integers(15, 40)),
    class_count=st.one_of(st.integers(1, 12), st.just(40)),
    layout=st.sampled_from(["rows", "columns", "backwards", "apart"]),
    unknown=st.sampled_from([0.0, 0.001, 0.3]),
    strange=st.sampled_from([0.0, 0.1, 0.6]),
)
def test_both_forms_agree(
    seed: int, kernel: str, rows: int, columns: int, class_count: int, layout: str, unknown: float, strange: float
) -> None:
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 5, (rows, columns)) / 2
    values[generator.random(values.shape) < unknown] = NAN
    if kernel == "count_scores" and rows and columns:
        values[generator.integers(0, rows), generator.integers(0, columns)] *= generator.choice([1, 1, -1])
    given = tables(kernel, class_count, columns, generator, strange)
    expected = getattr(definitions, kernel)(values, *given)
    found = getattr(compiled, kernel)(laid_out(values, layout), *given)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@needs_compiled
def test_numbers_at_odd_places_are_copied() -> None:
    odd = np.zeros((5, 2), dtype=np.dtype([("flag", "u1"), ("x", "f8")]))["x"]
    odd[:] = np.arange(10).reshape(5, 2)
    table = np.array([[-1.0, -2.0]])
    np.testing.assert_array_equal(compiled.count_scores(odd, table), definitions.count_scores(odd.copy(), table))


X, T, OUT = np.zeros((2, 3)), np.zeros((4, 3)), np.zeros((2, 4))


@needs_compiled
@pytest.mark.parametrize(
    ("kernel", "arguments", "error", "message"),
    [
        ("gaussian_scores", (X, T, np.zeros((4, 2)), OUT), ValueError, r"variance: expected \(4, 3\) numbers"),
        ("gaussian_scores", (X, np.zeros((3, 3)), T, OUT), ValueError, r"mean: expected \(4, 3\) numbers"),
        ("gaussian_scores", (X, T, T, np.zeros((3, 4))), ValueError, "scores: expected 2 rows, found 3"),
        ("gaussian_scores", (np.zeros(3), T, T, OUT), ValueError, "values: expected 2 dimensions, found 1"),
        ("gaussian_scores", (X.astype(np.float32), T, T, OUT), TypeError, "values: expected native float64"),
        ("gaussian_scores", (X, T.astype(np.intp), T, OUT), TypeError, "mean: expected native float64"),
        ("gaussian_scores", (X, T, T, OUT.astype(np.float32)), TypeError, "scores: expected native float64"),
        ("gaussian_scores", (X, T, OUT), TypeError, "4 arguments"),
        ("count_scores", (X, np.zeros((4, 2)), OUT), ValueError, r"log_share: expected \(4, 3\) numbers"),
        ("count_scores", ([[1.0]], T, OUT), TypeError, "buffer|bytes-like"),
        ("count_scores", (X, T, np.zeros((4, 2)).T), (ValueError, BufferError), "contiguous"),
        ("threshold_scores", (X, 0.0, T, np.zeros((2, 3)), OUT), ValueError, r"below: expected \(4, 3\) numbers"),
        ("threshold_scores", (X, 0.0, np.zeros(3), T, OUT), ValueError, "above: expected 2 dimensions"),
        ("threshold_scores", (X, "x", T, T, OUT), TypeError, "real number"),
    ],
)
def test_what_does_not_fit_is_refused(kernel: str, arguments: tuple[Any, ...], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        getattr(_compiled, kernel)(*arguments)


@needs_compiled
def test_scores_must_be_writable() -> None:
    frozen = np.zeros((2, 4))
    frozen.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        _compiled.count_scores(X, T, frozen)
