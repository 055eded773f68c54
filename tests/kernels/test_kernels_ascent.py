"""The compiled ascent finds the maximiser of its definition, refuses what does not fit, and repeats."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import conditional_likelihood_ascent, definitions, implementation

if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
LIMITS: dict[str, Any] = {
    "lower": 0.0,
    "upper": 1.0,
    "first": 1.0,
    "pull": 1e-8,
    "tolerance": 1e-18,
    "iterations": 200,
}


def problem(
    generator: np.random.Generator, sizes: list[int], class_count: int, factors: int, **traits: Any
) -> dict[str, Any]:
    """Rows of some groups; factors of a few distinct values, as tables of probabilities give them."""
    rows = sum(sizes)
    log_prior = np.log(generator.dirichlet(np.ones(class_count), size=rows))
    log_factors = np.log(generator.integers(1, 9, (rows, class_count, factors)) / 9)
    classes = generator.integers(0, traits.get("own_classes", class_count), rows)
    if traits.get("alike"):
        log_factors[:, 2:] = log_factors[:, 2:3]
        log_prior[:, 2:] = log_prior[:, 2:3]
    if traits.get("zeros"):
        log_factors[generator.random(log_factors.shape) < 0.02] = -np.inf
        log_prior[generator.random(log_prior.shape) < 0.05] = -np.inf
    if traits.get("uninformative") and factors > 1:
        log_factors[:, :, factors // 2] = log_factors[:, :1, factors // 2]
    if traits.get("duplicated") and factors > 1:
        log_factors[:, :, -1] = log_factors[:, :, 0]
    return {
        "log_prior": log_prior,
        "log_factors": log_factors,
        "classes": classes,
        "row_weights": generator.integers(0, 3, rows) / 2 if traits.get("weighted") else np.ones(rows),
        "start": np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
    }


def value(given: dict[str, Any], limits: dict[str, Any], group: int, point: np.ndarray) -> float:
    """The objective, as its definition's docstring states it."""
    rows = slice(given["start"][group], given["start"][group + 1])
    factors, own = given["log_factors"][rows], given["classes"][rows]
    possible = np.isfinite(factors).all(axis=2) & np.isfinite(given["log_prior"][rows])
    sums = given["log_prior"][rows] + np.where(possible[..., np.newaxis], factors, 0.0) @ point
    sums = np.where(possible, sums, -np.inf)
    index = np.flatnonzero(possible[np.arange(len(own)), own])
    top = sums[index].max(axis=1, keepdims=True)
    logs = sums[index, own[index]] - top[:, 0] - np.log(np.exp(sums[index] - top).sum(axis=1))
    return float(given["row_weights"][rows][index] @ logs - limits["pull"] / 2 * ((point - 1) ** 2).sum())


@needs_compiled
@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.sampled_from([0, 1, 2, 3, 20, 60]), max_size=5),
    class_count=st.integers(1, 6),
    factors=st.one_of(st.integers(0, 5), st.integers(0, 20)),
    traits=st.fixed_dictionaries(
        {name: st.booleans() for name in ("alike", "zeros", "uninformative", "duplicated", "weighted")}
    ),
    own_classes=st.integers(1, 6),
    limits=st.sampled_from([{}, {"upper": 5.0, "first": 0.5}, {"lower": 2.0, "upper": 2.0}, {"pull": 0.1}]),
)
def test_ascent(
    seed: int,
    sizes: list[int],
    class_count: int,
    factors: int,
    traits: dict[str, bool],
    own_classes: int,
    limits: dict[str, float],
) -> None:
    traits["alike"] &= class_count > 2
    given = problem(
        np.random.default_rng(seed), sizes, class_count, factors, own_classes=min(own_classes, class_count), **traits
    )
    chosen = LIMITS | limits
    expected = definitions.conditional_likelihood_ascent(**given, **chosen)
    found = compiled.conditional_likelihood_ascent(**given, **chosen)
    assert found.points.shape == expected.points.shape
    assert found.finished.dtype == expected.finished.dtype
    assert ((found.points >= chosen["lower"]) & (found.points <= chosen["upper"])).all()
    np.testing.assert_array_equal(found.finished, expected.finished)
    np.testing.assert_allclose(found.points, expected.points, atol=2e-4)
    for group in range(len(sizes)):
        best = value(given, chosen, group, expected.points[group])
        assert value(given, chosen, group, found.points[group]) >= best - 1e-10 * (1 + abs(best))


@needs_compiled
def test_a_group_too_large_to_be_copied() -> None:
    given = problem(np.random.default_rng(5), [6000], 4, 12)
    expected = definitions.conditional_likelihood_ascent(**given, **LIMITS)
    found = compiled.conditional_likelihood_ascent(**given, **LIMITS)
    assert found.finished.all()
    np.testing.assert_allclose(found.points, expected.points, atol=1e-7)


@needs_compiled
def test_more_factors_than_rows() -> None:
    given = problem(np.random.default_rng(6), [15, 15], 3, 90)
    expected = definitions.conditional_likelihood_ascent(**given, **LIMITS)
    found = compiled.conditional_likelihood_ascent(**given, **LIMITS)
    np.testing.assert_allclose(found.points, expected.points, atol=2e-4)
    for group in range(2):
        best = value(given, LIMITS, group, expected.points[group])
        assert value(given, LIMITS, group, found.points[group]) >= best - 1e-10


@needs_compiled
def test_copies_of_a_factor_are_pulled_each_by_itself() -> None:
    """Five copies of a factor feel five pulls; a strong pull decides where their weights end."""
    given = problem(np.random.default_rng(8), [40], 3, 4)
    given["log_factors"] = np.repeat(given["log_factors"], [5, 1, 3, 1], axis=2)
    limits = LIMITS | {"pull": 3.0, "first": 0.0}
    expected = definitions.conditional_likelihood_ascent(**given, **limits)
    found = compiled.conditional_likelihood_ascent(**given, **limits)
    assert found.finished.all()
    np.testing.assert_allclose(found.points, expected.points, atol=1e-7)
    assert found.points[0, :5].tolist() == [found.points[0, 0]] * 5
    assert ((found.points[0] > 0.01) & (found.points[0] < 0.99)).any()


def test_a_pull_against_the_likelihood() -> None:
    """Every row's own class becomes less likely with the weight; a pull of 9 still moves the weight from 0 up.

    With d = ln 2 for each of four rows the slope at w is 9 (1 - w) - 4 d 2^w / (1 + 2^w), which is 0 at 0.8041.
    """
    log_factors = np.log(np.array([[[0.25], [0.5]], [[0.5], [0.25]]] * 2))
    solution = conditional_likelihood_ascent(
        np.zeros((4, 2)), log_factors, np.array([0, 1] * 2), np.ones(4), np.array([0, 4]),
        **(LIMITS | {"first": 0.0, "pull": 9.0}),
    )  # fmt: skip
    assert solution.finished.all()
    (weight,) = solution.points[0]
    assert weight == pytest.approx(0.8041184, abs=1e-7)
    assert 9 * (1 - weight) == pytest.approx(4 * np.log(2) * 2**weight / (1 + 2**weight), abs=1e-7)


@needs_compiled
def test_groups_do_not_depend_on_each_other() -> None:
    given = problem(np.random.default_rng(7), [50, 3, 40, 60], 5, 9, weighted=True)
    together = compiled.conditional_likelihood_ascent(**given, **LIMITS).points
    for group, (first, last) in enumerate(zip(given["start"][:-1], given["start"][1:], strict=True)):
        alone = {name: part[first:last] for name, part in given.items() if name != "start"}
        found = compiled.conditional_likelihood_ascent(**alone, start=np.array([0, last - first]), **LIMITS).points
        assert found[0].tobytes() == together[group].tobytes()


def test_one_factor_by_hand() -> None:
    """With one row in three of the other class the posterior is that share at the maximum, whatever the prior."""
    log_factors = np.log(np.array([[[0.5], [0.25]], [[0.5], [0.25]], [[0.5], [0.25]]]))
    solution = conditional_likelihood_ascent(
        np.zeros((3, 2)), log_factors, np.array([0, 0, 1]), np.ones(3), np.array([0, 3]), **(LIMITS | {"upper": 9.0})
    )
    # the posterior of class 0 equals its share, 2 / 3: 2^w = 2
    np.testing.assert_allclose(solution.points, [[1.0]], atol=1e-9)
    weighted = conditional_likelihood_ascent(
        np.zeros((3, 2)),
        log_factors,
        np.array([0, 0, 1]),
        np.array([2.0, 2, 1]),
        np.array([0, 3]),
        **(LIMITS | {"upper": 9.0}),
    )
    np.testing.assert_allclose(weighted.points, [[2.0]], atol=1e-7)


CASES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"classes": np.array([0, 3, 1, 1])}, ValueError, "the class in row 1"),
    ({"classes": np.array([0, -1, 1, 1])}, ValueError, "the class in row 1"),
    ({"classes": np.array([0, 1, 1])}, ValueError, "expected 4, one for each row"),
    ({"classes": np.zeros(4)}, TypeError, "native integers"),
    ({"row_weights": np.ones(3)}, ValueError, "expected 4, one for each row"),
    ({"row_weights": np.array([1.0, -1, 1, 1])}, ValueError, "row 1 has none"),
    ({"row_weights": np.array([1.0, 1, np.inf, 1])}, ValueError, "row 2 has none"),
    ({"start": np.array([0, 5])}, ValueError, "ascending"),
    ({"start": np.array([0, 3])}, ValueError, "ascending"),
    ({"start": np.array([0, 4, 2, 4])}, ValueError, "ascending"),
    ({"start": np.array([0.0, 4])}, TypeError, "native integers"),
    ({"log_prior": np.zeros((4, 2))}, ValueError, "log_prior"),
    ({"log_prior": np.zeros(4)}, ValueError, "dimensions"),
    ({"log_factors": np.zeros((4, 3))}, ValueError, "dimensions"),
    ({"lower": 2.0}, ValueError, "lower at most upper"),
    ({"first": np.nan}, ValueError, "finite numbers"),
    ({"pull": 0.0}, ValueError, "a pull above 0"),
    ({"tolerance": np.nan}, ValueError, "a pull above 0"),
    ({"iterations": -1}, ValueError, "a pull above 0"),
]


@needs_compiled
@pytest.mark.parametrize(("changes", "error", "message"), CASES)
def test_refused_ascent(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    given = problem(np.random.default_rng(1), [4], 3, 2) | LIMITS
    with pytest.raises(error, match=message):
        compiled.conditional_likelihood_ascent(**(given | changes))


@needs_compiled
def test_results_must_be_of_the_right_form() -> None:
    given = problem(np.random.default_rng(1), [4], 3, 2)
    arrays, numbers = list(given.values()), list(LIMITS.values())
    good, truth = np.zeros((1, 2)), np.zeros(1, dtype=np.bool_)
    for points, finished in (
        (np.zeros((1, 3)), truth),
        (np.zeros((2, 2)), truth),
        (np.zeros(2), truth),
        (good, np.zeros(2, dtype=np.bool_)),
        (good, np.zeros(1, dtype=np.uint8)),
        (np.zeros((1, 2), np.float32), truth),
    ):
        with pytest.raises((TypeError, ValueError)):
            _compiled.conditional_likelihood_ascent(*arrays, points, finished, *numbers)


def test_same_bytes_from_many_threads() -> None:
    given = problem(np.random.default_rng(9), [50] * 20, 5, 9)
    alone = conditional_likelihood_ascent(**given, **LIMITS).points.tobytes()
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(conditional_likelihood_ascent, **given, **LIMITS) for _ in range(8)]
        assert [future.result().points.tobytes() for future in futures] == [alone] * 8
