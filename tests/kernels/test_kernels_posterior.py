"""What is done with the scores of each row's classes: right values, and the same bits in both forms."""

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
def test_scores_relative_to_the_largest(form: ModuleType) -> None:
    relative, top = form.relative_scores(np.array([[1.0, 3.0], [-INF, -2.0], [-INF, -INF]]))
    np.testing.assert_array_equal(relative, [[-2, 0], [-INF, 0], [-INF, -INF]])
    np.testing.assert_array_equal(top, [3, -2, -INF])


@pytest.mark.parametrize("form", FORMS)
def test_rows_are_added_up_in_the_order_of_the_classes(form: ModuleType) -> None:
    np.testing.assert_array_equal(form.row_sums(np.array([[1e16, 1.0, -1e16], [1.0, 2.0, 4.0]])), [0.0, 7.0])


@pytest.mark.parametrize("form", FORMS)
def test_a_row_has_the_same_sum_alone_as_beside_others(form: ModuleType) -> None:
    terms = np.random.default_rng(1).random((200, 9))
    alone = [form.row_sums(row[np.newaxis])[0] for row in terms]
    np.testing.assert_array_equal(alone, form.row_sums(terms))


@pytest.mark.parametrize("form", FORMS)
def test_amounts_are_subtracted_in_place(form: ModuleType) -> None:
    numbers = np.array([[1.0, 2.0], [3.0, -INF]])
    form.subtract_rows(numbers, np.array([1.0, 2.0]))
    np.testing.assert_array_equal(numbers, [[0, 1], [1, -INF]])


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
def test_both_forms_give_the_same_bits(numbers: np.ndarray, tolerance: float, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(numbers.shape[1])
    for one, other in zip(definitions.relative_scores(numbers), compiled.relative_scores(numbers), strict=True):
        assert one.tobytes() == other.tobytes()
    assert definitions.row_sums(numbers).tobytes() == compiled.row_sums(numbers).tobytes()
    np.testing.assert_array_equal(
        definitions.best_classes(numbers, order, tolerance), compiled.best_classes(numbers, order, tolerance)
    )
    first, second = numbers.copy(), numbers.copy()
    definitions.subtract_rows(first, np.arange(len(numbers)) / 3)
    compiled.subtract_rows(second, np.arange(len(numbers)) / 3)
    assert first.tobytes() == second.tobytes()


@needs_compiled
@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        ("relative_scores", (np.zeros((2, 2)), np.zeros((2, 3)), np.zeros(2)), "out: expected"),
        ("relative_scores", (np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(3)), "numbers: expected 2"),
        ("row_sums", (np.zeros((2, 2)), np.zeros(1)), "numbers: expected 2"),
        ("row_sums", (np.zeros(2), np.zeros(2)), "dimensions"),
        ("subtract_rows", (np.zeros((2, 2)), np.zeros(1)), "numbers: expected 2"),
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
