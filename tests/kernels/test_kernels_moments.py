"""Weighted sums over the rows of each class: right values, and the same bits in both forms."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
VALUES = np.array([[1.0, NAN], [3.0, 2.0], [-2.0, 0.5], [7.0, NAN]])
CLASSES, WEIGHTS = np.array([0, 0, 1, 0]), np.array([1.0, 2.0, 0.5, 1.0])


@every_form
def test_totals_are_weights_and_weighted_sums_of_known_values(form: ModuleType) -> None:
    rows, amount = form.class_totals(VALUES, CLASSES, 3, WEIGHTS)
    np.testing.assert_array_equal(rows, [[4, 2], [0.5, 0.5], [0, 0]])
    np.testing.assert_array_equal(amount, [[14, 4], [-1, 0.25], [0, 0]])


@every_form
def test_weights_above_the_threshold_and_not_above(form: ModuleType) -> None:
    above, other = form.threshold_totals(VALUES, 2.0, CLASSES, 3, WEIGHTS)
    np.testing.assert_array_equal(above, [[3, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(other, [[1, 2], [0.5, 0.5], [0, 0]])


@every_form
def test_moments_by_hand(form: ModuleType) -> None:
    # class 0, first attribute: 1, 3, 3, 7 have the mean 3.5 and squared deviations 6.25, 0.25, 0.25, 12.25
    found = form.class_moments(VALUES, CLASSES, 3, WEIGHTS)
    np.testing.assert_array_equal(found.least, [[1, 2], [-2, 0.5], [INF, INF]])
    np.testing.assert_array_equal(found.weight, [[4, 2], [0.5, 0.5], [0, 0]])
    np.testing.assert_array_equal(found.mean, [[2.5, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(found.spread, [[19, 0], [0, 0], [0, 0]])


@every_form
def test_equal_values_of_any_size_and_weight_have_no_spread(form: ModuleType) -> None:
    values = np.full((9, 1), 0.1 + 1e9)
    found = form.class_moments(values, np.zeros(9, np.intp), 1, np.random.default_rng(1).random(9))
    assert (found.mean.item(), found.spread.item()) == (0, 0)


@every_form
def test_rows_of_weight_0_have_no_mean(form: ModuleType) -> None:
    found = form.class_moments(np.array([[1.0], [5.0]]), np.zeros(2, np.intp), 1, np.zeros(2))
    assert (found.weight.item(), found.mean.item(), found.spread.item()) == (0, 0, 0)


@every_form
@pytest.mark.parametrize("kernel", ["class_totals", "class_moments"])
def test_without_rows_all_sums_are_0(form: ModuleType, kernel: str) -> None:
    found = getattr(form, kernel)(np.empty((0, 2)), np.empty(0, np.intp), 2, np.empty(0))
    np.testing.assert_array_equal(found[1], np.zeros((2, 2)))


@needs_compiled
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.one_of(st.integers(0, 9), st.integers(0, 3000)),
    columns=st.integers(0, 11),
    class_count=st.one_of(st.integers(1, 6), st.just(300)),
    kind=st.sampled_from([np.uint8, np.int16, np.uint32, np.int64]),
    order=st.sampled_from(["C", "F"]),
    unknown=st.sampled_from([0.0, 0.2, 1.0]),
    fractional=st.booleans(),
)
def test_both_forms_have_the_same_bits(
    seed: int, rows: int, columns: int, class_count: int, kind: type, order: Any, unknown: float, fractional: bool
) -> None:
    generator = np.random.default_rng(seed)
    values = np.array(np.round(generator.normal(size=(rows, columns)), 1), order=order)
    values[generator.random(values.shape) < unknown] = NAN
    classes = generator.integers(0, min(class_count, np.iinfo(kind).max), rows).astype(kind)
    weights = generator.random(rows) if fractional else generator.integers(0, 3, rows).astype(float)
    arguments = classes, class_count, weights
    for kernel, given_values in (
        ("class_totals", (values,)),
        ("threshold_totals", (values, 0.3)),
        ("class_moments", (values,)),
    ):
        expected = getattr(definitions, kernel)(*given_values, *arguments)
        found = getattr(compiled, kernel)(*given_values, *arguments)
        np.testing.assert_array_equal(np.array(found), np.array(expected), err_msg=kernel)


X, C, W, OUT = np.zeros((2, 3)), np.zeros(2, np.intp), np.ones(2), np.zeros((2, 4, 3))


@needs_compiled
@pytest.mark.parametrize(
    ("kernel", "arguments", "error", "message"),
    [
        ("class_totals", (X, np.array([0, 4]), W, OUT), ValueError, "classes: the class in row 1 is not below"),
        ("class_totals", (X, np.array([-1, 0]), W, OUT), ValueError, "classes: the class in row 0 is not below"),
        ("class_totals", (X, np.zeros(3, np.intp), W, OUT), ValueError, "expected 2 each, for the rows, found 3 and 2"),
        ("class_totals", (X, C, np.ones(3), OUT), ValueError, "expected 2 each, for the rows, found 2 and 3"),
        ("class_totals", (X, C, W, np.zeros((4, 4, 3))), ValueError, r"out: expected \(2, classes, 3\) numbers"),
        ("class_totals", (X, C, W, np.zeros((2, 4, 2))), ValueError, r"out: expected \(2, classes, 3\) numbers"),
        ("class_totals", (X, C, W, np.zeros((4, 3))), ValueError, "out: expected 3 dimensions"),
        ("class_totals", (X, W, W, OUT), TypeError, "classes: expected native integers"),
        ("class_totals", (np.zeros(2), C, W, OUT), ValueError, "values: expected 2 dimensions"),
        ("class_moments", (X, C, W, OUT), ValueError, r"out: expected \(4, classes, 3\) numbers"),
        ("class_moments", (X, np.array([0, 4]), W, np.zeros((4, 4, 3))), ValueError, "the class in row 1"),
        ("threshold_totals", (X, 0.0, C, C, OUT), TypeError, "weights: expected native float64"),
        ("threshold_totals", (X, None, C, W, OUT), TypeError, "real number"),
    ],
)
def test_what_does_not_fit_is_refused(
    kernel: str, arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        getattr(_compiled, kernel)(*arguments)
