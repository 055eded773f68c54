"""The compiled kappa sums agree with their definitions, refuse what does not fit, and repeat."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation, kappa_sums, power_sums
from nbframework.kernels.power_nodes import power_nodes

if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
EXPONENTS: list[list[float]] = [
    [],
    [0.0],
    [1.0],
    [60.0],
    [7.3],
    [0.0, 1.0, 2.0],
    [2.0, 4.0, 6.0, 8.0],
    [0.0, 0.5, 1.0, 1.5],
    [5.0, 1.0, 300.0, 0.25],
    [3.0, 3.0, 3.0],
    [4096.0, 4097.0, 5000.0],
    list(np.arange(1.0, 101.0)),
    list(np.linspace(0.1, 90.0, 130)),
]


def assert_close(expected: np.ndarray, found: np.ndarray, exponents: np.ndarray) -> None:
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(expected))
    finite = np.isfinite(expected)
    scale = np.broadcast_to((1.0 + exponents)[:, np.newaxis, np.newaxis], expected.shape)
    assert (np.abs(found[finite] - expected[finite]) <= 4e-14 * scale[finite]).all()


@st.composite
def classified(draw: st.DrawFn) -> dict[str, Any]:
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = np.array(draw(st.lists(st.sampled_from([0, 1, 2, 31, 64, 257, 300]), min_size=1, max_size=4)))
    rows, queries = int(sizes.sum()), draw(st.integers(0, 20))
    kind = draw(st.sampled_from(["none", "whole", "fractional"]))
    weights = generator.integers(0, 3, rows) + 0.0 if kind == "whole" else generator.random(rows)
    left_out = generator.integers(-1, rows, queries) if rows and draw(st.booleans()) else None
    return {
        "generator": generator,
        "class_start": np.concatenate([[0], np.cumsum(sizes)]),
        "rows": rows,
        "queries": queries,
        "weights": None if kind == "none" else weights,
        "left_out": left_out,
    }


def without_weightless(rows: dict[str, Any], training: list[np.ndarray]) -> tuple[list[np.ndarray], tuple[Any, ...]]:
    """Return what is left of the training columns, class borders, weights and left-out rows: weight 0 is absence."""
    weights, start, left_out = rows["weights"], rows["class_start"], rows["left_out"]
    if weights is None:
        return training, (start, None, left_out)
    kept = weights > 0
    place = np.concatenate([[0], np.cumsum(kept)])
    if left_out is not None:
        present = (left_out >= 0) & np.append(kept, False)[left_out]
        left_out = np.where(present, place[left_out], -1)
    return [column[kept] for column in training], (place[start], weights[kept], left_out)


@needs_compiled
@settings(max_examples=150, deadline=None)
@given(
    rows=classified(),
    exponents=st.sampled_from(EXPONENTS),
    kinds=st.sampled_from([("codes",), ("numbers",), ("codes", "numbers", "gaps")]),
    rescale=st.booleans(),
    width=st.integers(1, 19),
)
def test_kappa_sums(
    rows: dict[str, Any], exponents: list[float], kinds: tuple[str, ...], rescale: bool, width: int
) -> None:
    generator = rows["generator"]
    sides: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for _ in range(width):
        kind = kinds[generator.integers(len(kinds))]
        for side, size in zip(sides, (rows["queries"], rows["rows"]), strict=True):
            column: np.ndarray = generator.integers(0, 3, size).astype(np.uint8)
            if kind != "codes":
                column = generator.normal(size=size)
                column[generator.random(size) < 0.2 * (kind == "gaps")] = np.nan
            side.append(column)
    bounds = np.tile([-1.0, 1.0], (width, 1))
    kappas = np.array(exponents)
    training, (start, weights, left_out) = without_weightless(rows, sides[1])
    with np.errstate(under="ignore"):
        expected = definitions.kappa_sums(sides[0], training, bounds, start, kappas, weights, rescale, left_out)
    found = compiled.kappa_sums(*sides, bounds, rows["class_start"], kappas, rows["weights"], rescale, rows["left_out"])
    assert_close(expected, found, kappas)


@needs_compiled
@settings(max_examples=150, deadline=None)
@given(rows=classified(), exponents=st.sampled_from(EXPONENTS), spread=st.sampled_from([0.0, 0.1, 3.0, 200.0]))
def test_power_sums(rows: dict[str, Any], exponents: list[float], spread: float) -> None:
    generator = rows["generator"]
    logs = spread * generator.random((rows["queries"], rows["rows"])) - spread / 2
    logs[generator.random(logs.shape) < 0.1] = np.inf
    kappas = np.array(exponents)
    arguments = (logs, rows["class_start"], kappas, None, rows["left_out"])
    with np.errstate(under="ignore"):
        expected = definitions.power_sums(*arguments)
    assert_close(expected, compiled.power_sums(*arguments), kappas * (1 + spread))


def test_far_rows_count_where_kappa_is_zero() -> None:
    logs = np.array([[0.0, 800.0, np.inf]])
    sums = power_sums(logs, np.array([0, 3]), np.array([0.0, 1.0]))
    np.testing.assert_allclose(sums[:, 0, 0], [np.log(2.0), 0.0])


@pytest.mark.parametrize("kappa", [60.0, 1e4, 1e6, 12345.5])
def test_large_kappas_keep_the_ranking(kappa: float) -> None:
    training = [np.array([0.5, 2.0, 0.5 + 1e-6, 0.5 - 1e-6])]
    sums = kappa_sums([np.zeros(1)], training, np.zeros((1, 2)), np.array([0, 2, 3, 4]), np.array([kappa]))[0, 0]
    expected = -kappa * np.log1p([0.5, 0.5 + 1e-6, 0.5 - 1e-6])
    np.testing.assert_allclose(sums, expected, rtol=1e-12)
    assert sums.argmax() == 2


def test_kappa_sums_by_hand() -> None:
    training = [np.array([0.0, 1.0, 3.0, 1.0])]
    arguments: Any = ([np.zeros(2)], training, np.array([[0.0, 3.0]]), np.array([0, 3, 4, 4]), np.array([2.0]))
    sums = kappa_sums(*arguments, weights=np.array([1.0, 2.0, 16.0, 4.0]), left_out=np.array([-1, 0]))
    np.testing.assert_allclose(np.exp(sums[0]), [[2.5, 1.0, 0.0], [1.5, 1.0, 0.0]], rtol=1e-14)


@needs_compiled
@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    sizes=st.sampled_from([(4096,), (0, 600, 4000, 1), (2500, 511, 3000), (40, 30, 9000)]),
    exponents=st.sampled_from(
        [np.arange(1.0, 101.0), np.arange(0.0, 64.0), np.linspace(0.1, 30.0, 48), np.arange(1.0, 301.0)]
    ),
    kind=st.sampled_from(["near", "far", "two clusters", "one near row", "any size"]),
    left_out=st.booleans(),
)
def test_interpolated_sums(seed: int, sizes: tuple[int, ...], exponents: np.ndarray, kind: str, left_out: bool) -> None:
    generator = np.random.default_rng(seed)
    shape = 5, sum(sizes)
    logs = {
        "near": lambda: generator.random(shape),
        "far": lambda: 300.0 * generator.random(shape),
        "two clusters": lambda: np.where(generator.random(shape) < 0.01, 0.0, 1.0) + generator.random(shape) / 100,
        "one near row": lambda: np.tile(np.where(np.arange(shape[1]) % 2000 == 7, 0.0, np.log(3.0)), (5, 1)),
        "any size": lambda: np.exp(3.0 * generator.normal(size=shape)),
    }
    given_logs = logs[kind]()
    given_logs[generator.random(shape) < 0.01] = np.inf
    start = np.concatenate([[0], np.cumsum(sizes)])
    out = generator.integers(-1, shape[1], 5) if left_out else None
    with np.errstate(under="ignore"):
        expected = definitions.power_sums(given_logs, start, exponents, None, out)
    found = compiled.power_sums(given_logs, start, exponents, None, out)
    assert_close(expected, found, exponents * (1 + given_logs[np.isfinite(given_logs)].max()))


def interpolated(**changes: Any) -> tuple[Any, Any]:
    """Return the sums over 600 rows in one class as the kernel gives them with these nodes, and without any."""
    logs = np.random.default_rng(1).random((2, 600))
    exponents = np.arange(1.0, 61.0)
    nodes = power_nodes(exponents)
    assert nodes is not None
    arguments: dict[str, Any] = {
        "exponents": exponents,
        "weights": None,
        "nodes": nodes.nodes,
        "coefficients": nodes.coefficients,
        "error": nodes.error,
    } | changes
    found, expected = np.empty((2, len(arguments["exponents"]), 2, 1))
    given_rows = logs, np.array([0, 600]), arguments.pop("exponents"), arguments.pop("weights"), None
    _compiled.power_sums(*given_rows, *arguments.values(), found)
    _compiled.power_sums(*given_rows, None, None, 0.0, expected)
    return found, expected


@needs_compiled
def test_sums_are_interpolated() -> None:
    coefficients = np.array(power_nodes(np.arange(1.0, 61.0)).coefficients)  # type: ignore[union-attr]
    found, expected = interpolated(coefficients=2 * coefficients)
    np.testing.assert_allclose(found, expected + np.log(2.0), rtol=1e-13)


@needs_compiled
def test_an_interpolation_that_is_not_exact_enough_is_not_used() -> None:
    found, expected = interpolated(error=1e-9)
    np.testing.assert_array_equal(found, expected)


@needs_compiled
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": np.arange(1, 32)}, "nodes: expected exponents that ascend from 0 .* number 0 does not"),
        ({"nodes": np.zeros(31, dtype=np.intp)}, "number 1 does not"),
        ({"nodes": np.append(np.arange(30), 60)}, "number 30 does not"),
        ({"nodes": np.append(np.arange(26), 59), "coefficients": np.ones((27, 60))}, "by at most 32 .* number 26"),
        ({"nodes": np.array([0, *[-1] * 30])}, "number 1 does not"),
        ({"nodes": np.arange(5)}, r"coefficients: expected \(5, 60\)"),
        ({"coefficients": np.ones((31, 59))}, r"coefficients: expected \(31, 60\)"),
        ({"coefficients": np.ones(1920)}, "coefficients: .*dimension"),
        ({"exponents": np.arange(60.0) ** 2}, "nodes: expected evenly spaced ascending exponents"),
        ({"weights": np.ones(600)}, "nodes: .* no weights"),
    ],
)
def test_refused_nodes(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interpolated(**changes)


def sums_of(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "queries": [np.zeros(2)],
        "training": [np.zeros(3)],
        "bounds": np.zeros((1, 2)),
        "class_start": np.array([0, 2, 3]),
        "exponents": np.array([1.0]),
    }
    return compiled.kappa_sums(**(arguments | changes))


def powers_of(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "logs": np.zeros((2, 3)),
        "class_start": np.array([0, 2, 3]),
        "exponents": np.array([1.0]),
    }
    return compiled.power_sums(**(arguments | changes))


CASES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"class_start": np.array([0, 2, 4])}, ValueError, "ascending"),
    ({"class_start": np.array([0, 4, 3])}, ValueError, "ascending"),
    ({"class_start": np.array([-1, 2, 3])}, ValueError, "ascending"),
    ({"class_start": np.array([0.0, 2, 3])}, TypeError, "native integers"),
    ({"exponents": np.array([-1.0])}, ValueError, "exponents: number 0"),
    ({"exponents": np.array([1.0, np.nan])}, ValueError, "exponents: number 1"),
    ({"exponents": np.array([np.inf])}, ValueError, "exponents: number 0"),
    ({"exponents": np.array([[1.0]])}, ValueError, "dimension"),
    ({"weights": np.ones(2)}, ValueError, "weights: expected 3"),
    ({"weights": np.array([1.0, -1.0, 1.0])}, ValueError, "row 1 has none"),
    ({"weights": np.array([1.0, 1.0, np.nan])}, ValueError, "row 2 has none"),
    ({"left_out": np.array([0, 3])}, ValueError, "left_out: index 1"),
    ({"left_out": np.array([0])}, ValueError, "left_out: expected 2"),
]


@needs_compiled
@pytest.mark.parametrize("kernel", [sums_of, powers_of])
@pytest.mark.parametrize(("changes", "error", "message"), CASES)
def test_refused_kappa(
    kernel: Callable[..., Any], changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        kernel(**changes)


def test_same_bytes_from_many_threads() -> None:
    generator = np.random.default_rng(3)
    training, start = [generator.random(2000) for _ in range(5)], np.array([0, 500, 2000])
    queries, bounds, logs = (
        [column[:50] for column in training],
        np.tile([0.0, 1.0], (5, 1)),
        generator.random((9, 2000)),
    )
    kappas, mixed = np.arange(1.0, 40.0), np.array([3.0, 0.7, 60.0])
    many, many_start, grid = generator.random((9, 5000)), np.array([0, 2000, 5000]), np.arange(1.0, 101.0)
    calls: list[Callable[[], bytes]] = [
        lambda: kappa_sums(queries, training, bounds, start, kappas).tobytes(),
        lambda: kappa_sums(queries, training, bounds, start, mixed).tobytes(),
        lambda: power_sums(logs, start, kappas).tobytes(),
        lambda: power_sums(many, many_start, grid).tobytes(),
    ]
    alone = [call() for call in calls]
    with ThreadPoolExecutor(4) as pool:
        together = [[pool.submit(call) for call in calls] for _ in range(4)]
        for futures in together:
            assert [future.result() for future in futures] == alone
