"""What is done with the scores of each row's classes: right values, and the same ones in both forms."""

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
INF = np.inf


@st.composite
def scores(draw: st.DrawFn) -> np.ndarray:
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = draw(st.sampled_from([0, 1, 7, 30_000])), draw(st.integers(1, 12))
    numbers = generator.integers(-3, 4, shape) / 3 + draw(st.sampled_from([0.5, 1000.0]))
    numbers[generator.random(shape) < draw(st.sampled_from([0.0, 0.5]))] = -INF
    return numbers


@pytest.mark.parametrize("form", FORMS)
def test_posteriors_by_hand(form: ModuleType) -> None:
    rows = np.log([[1.0, 3.0], [2.0, 6.0], [5.0, 5.0]]) + np.array([[0.0], [-2000.0], [3000.0]])
    found, top = form.log_posteriors(rows)
    np.testing.assert_allclose(np.exp(found), [[0.25, 0.75], [0.25, 0.75], [0.5, 0.5]], rtol=1e-12)
    np.testing.assert_array_equal(top, rows.max(axis=1))


@pytest.mark.parametrize("form", FORMS)
def test_an_impossible_class_and_an_impossible_row_stay_so(form: ModuleType) -> None:
    found, top = form.log_posteriors(np.array([[-INF, -2.0], [-INF, -INF]]))
    np.testing.assert_array_equal(found, [[-INF, 0], [-INF, -INF]])
    np.testing.assert_array_equal(top, [-2, -INF])


@pytest.mark.parametrize("form", FORMS)
def test_the_only_class_is_certain(form: ModuleType) -> None:
    np.testing.assert_array_equal(form.log_posteriors(np.array([[-1.7], [800.0]]))[0], [[0], [0]])


@pytest.mark.parametrize("form", FORMS)
def test_a_row_with_what_is_no_number_has_no_posterior(form: ModuleType) -> None:
    rows = np.array([[np.nan, 1.0, 2.0], [0.0, 0.0, -INF], [3.0, 2.0, np.nan]])
    with np.errstate(invalid="ignore"):
        found = form.log_posteriors(rows)[0]
    assert np.isnan(found[[0, 2]]).all()
    np.testing.assert_allclose(found[1], [-np.log(2), -np.log(2), -INF])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("classes", [1, 2, 3, 9, 40])
def test_a_row_has_the_same_posterior_alone_as_beside_others(form: ModuleType, classes: int) -> None:
    rows = 30 * np.random.default_rng(1).normal(size=(203, classes))
    alone = np.concatenate([form.log_posteriors(row[np.newaxis])[0] for row in rows])
    np.testing.assert_array_equal(alone, form.log_posteriors(rows)[0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("order", "expected"), [([0, 1, 2], [0, 1, 2]), ([2, 1, 0], [2, 1, 2])])
def test_the_first_in_order_of_those_within_the_tolerance_is_best(
    form: ModuleType, order: list[int], expected: list[int]
) -> None:
    rows = np.array([[-1.0, -1.5, -1.0 - 1e-12], [-1.0, -0.5, -1.0], [-INF, -3.0, -2.9]])
    np.testing.assert_array_equal(form.best_classes(rows, np.array(order), 1e-10), expected)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", [[-INF, -INF], [np.nan, 0.0], [0.0, np.nan], [INF, 0.0], [np.nan, np.nan]])
def test_no_class_is_best_without_numbers(form: ModuleType, row: list[float]) -> None:
    np.testing.assert_array_equal(form.best_classes(np.array([row, [0.0, 1.0]]), np.arange(2), 0.0), [-1, 1])


@needs_compiled
@settings(max_examples=60, deadline=None)
@given(numbers=scores(), tolerance=st.sampled_from([0.0, 1e-10, 0.4]), seed=st.integers(0, 99))
def test_both_forms_agree(numbers: np.ndarray, tolerance: float, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(numbers.shape[1])
    expected, found = definitions.log_posteriors(numbers), compiled.log_posteriors(numbers)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(
        definitions.best_classes(numbers, order, tolerance), compiled.best_classes(numbers, order, tolerance)
    )


@needs_compiled
@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        ("log_posteriors", (np.zeros((2, 2)), np.zeros((2, 3)), np.zeros(2)), "out, top: expected"),
        ("log_posteriors", (np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(3)), "out, top: expected"),
        ("log_posteriors", (np.zeros(2), np.zeros((2, 2)), np.zeros(2)), "dimensions"),
        ("best_classes", (np.zeros((2, 2)), np.arange(3), 0.0, np.zeros(2, np.int64)), "order: expected"),
        ("best_classes", (np.zeros((2, 2)), np.array([0, 2]), 0.0, np.zeros(2, np.int64)), "order: expected"),
        ("best_classes", (np.zeros((2, 0)), np.arange(0), 0.0, np.zeros(2, np.int64)), "order: expected"),
        ("best_classes", (np.zeros((2, 2)), np.arange(2), 0.0, np.zeros(3, np.int64)), "out: expected"),
        ("best_classes", (np.zeros((2, 2)), np.arange(2), 0.0, np.zeros(2, np.int32)), "out: expected"),
    ],
)
def test_what_does_not_fit_is_refused(kernel: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(_compiled, kernel)(*arguments)
