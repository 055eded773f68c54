"""The compiled distances and selections give the bits of their definitions, refuse what does not fit, and repeat."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation, nearest_rows, smallest, squared_distances

if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
CODE_TYPES = (np.uint8, np.uint16, np.uint32)
BOTH_SIZES = st.tuples(
    st.one_of(st.integers(0, 3), st.integers(0, 80)), st.one_of(st.integers(0, 3), st.sampled_from([100, 129, 700]))
)


def assert_same(expected: Any, found: Any) -> None:
    for one, other in zip(expected, found, strict=True):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert one.tobytes() == other.tobytes()


def strided(column: np.ndarray, step: int) -> np.ndarray:
    """The same numbers, ``step`` elements apart in memory (backwards where negative)."""
    return column if step == 1 else np.repeat(column[::-1] if step < 0 else column, abs(step))[::step]


@st.composite
def two_sides(draw: st.DrawFn, kinds: tuple[str, ...] = ("codes", "numbers", "gaps")) -> dict[str, Any]:
    """Columns of queries and training rows; codes that occur on one side only, numbers outside the bounds, NaN."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    sizes = draw(BOTH_SIZES)
    columns: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    only = draw(st.sampled_from([kinds, ("codes",), ("numbers",)]))
    for kind in draw(st.lists(st.sampled_from(only), min_size=1, max_size=12)):
        distinct = draw(st.sampled_from([2, 4, 200, 300, 70_000]))
        chosen = [code for code in CODE_TYPES if distinct - 1 <= np.iinfo(code).max]
        share = draw(st.sampled_from([0.05, 1.0]))
        types = [draw(st.sampled_from(chosen)) for _ in sizes]
        for side, size, code in zip(columns, sizes, types, strict=True):
            numbers = generator.integers(0, distinct, size)
            if kind == "codes":
                column: np.ndarray = numbers.astype(code)
            else:
                column = (numbers % 5 - 1) / 3.0 if distinct < 300 else generator.normal(size=size)
                column[generator.random(size) < share * (kind == "gaps")] = np.nan
            side.append(strided(column, draw(st.sampled_from([1, 1, 2, -1]))))
    width = len(columns[0])
    low = generator.integers(-1, 1, width) / 3
    left_out = draw(st.booleans())
    return {
        "queries": columns[0],
        "training": columns[1],
        "bounds": np.column_stack([low, low + generator.integers(0, 2, width)]),
        "left_out": generator.integers(-1, max(sizes[1], 1), sizes[0]) if left_out and sizes[1] else None,
    }


@needs_compiled
@settings(max_examples=200, deadline=None)
@given(sides=two_sides(), rescale=st.booleans())
def test_distances(sides: dict[str, Any], rescale: bool) -> None:
    arguments = (sides["queries"], sides["training"], sides["bounds"], rescale)
    assert_same([definitions.squared_distances(*arguments)], [compiled.squared_distances(*arguments)])


@needs_compiled
@settings(max_examples=200, deadline=None)
@given(
    sides=two_sides(),
    k=st.one_of(st.integers(1, 5), st.integers(1, 800)),
    tolerance=st.sampled_from([0.0, 1e-10, 0.2]),
    rescale=st.booleans(),
)
def test_nearest(sides: dict[str, Any], k: int, tolerance: float, rescale: bool) -> None:
    arguments = (sides["queries"], sides["training"], sides["bounds"], k, tolerance, rescale, sides["left_out"])
    assert_same(definitions.nearest_rows(*arguments), compiled.nearest_rows(*arguments))


@needs_compiled
@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    shape=BOTH_SIZES,
    distinct=st.sampled_from([1, 3, 100, 10**9]),
    kind=st.sampled_from([np.float64, np.uint8, np.uint16]),
    k=st.one_of(st.integers(1, 5), st.integers(1, 800)),
    tolerance=st.sampled_from([0.0, 1e-10, 0.2]),
    leaves_out=st.booleans(),
    part=st.booleans(),
)
def test_smallest(
    seed: int,
    shape: tuple[int, int],
    distinct: int,
    kind: type,
    k: int,
    tolerance: float,
    leaves_out: bool,
    part: bool,
) -> None:
    generator = np.random.default_rng(seed)
    distance = generator.integers(0, min(distinct, 200 if kind is np.uint8 else 60_000), shape).astype(kind)
    left_out = generator.integers(-1, shape[1], shape[0]) if leaves_out and shape[1] else None
    if part and left_out is None:
        distance = distance[:, 1:-1]
    arguments = (distance, k, tolerance, left_out)
    assert_same(definitions.smallest(*arguments), compiled.smallest(*arguments))


@needs_compiled
@pytest.mark.parametrize("order", ["ascending", "descending", "equal", "two"])
def test_awkward_orders(order: str) -> None:
    row = {
        "ascending": np.arange(5000.0),
        "descending": np.arange(5000.0)[::-1],
        "equal": np.ones(5000),
        "two": np.arange(5000) % 2 + 0.0,
    }[order]
    distance = np.tile(row, (3, 1))
    for k in (1, 50, 700, 2600, 5000, 9000):
        assert_same(definitions.smallest(distance, k), compiled.smallest(distance, k))


@needs_compiled
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
@pytest.mark.parametrize("columns", [130, 254, 255, 700])
def test_mismatches_up_to_and_beyond_what_a_byte_counts(kind: type, columns: int) -> None:
    generator = np.random.default_rng(1)
    training = [generator.integers(0, 2, 300).astype(kind) for _ in range(columns)]
    queries = [generator.integers(0, 3, 9).astype(kind) for _ in range(columns)]
    arguments = (queries, training, np.zeros((columns, 2)))
    assert_same([definitions.squared_distances(*arguments)], [compiled.squared_distances(*arguments)])
    assert_same(definitions.nearest_rows(*arguments, 20), compiled.nearest_rows(*arguments, 20))


@needs_compiled
def test_more_rows_than_a_block_holds() -> None:
    generator = np.random.default_rng(2)
    columns = [generator.integers(0, 9, 40_000) / 9 for _ in range(20)]
    columns[19] = np.where(np.arange(40_000) < 39_990, columns[19], np.nan)
    queries = [column[::500].copy() for column in columns]
    bounds = np.tile([0.0, 1.0], (20, 1))
    for rescale in (False, True):
        expected = definitions.nearest_rows(queries, columns, bounds, 30, 0.0, rescale)
        assert_same(expected, compiled.nearest_rows(queries, columns, bounds, 30, 0.0, rescale))


def test_nearest_by_hand() -> None:
    queries = [np.array([0.0, np.nan]), np.array([1, 0], np.uint8)]
    training = [np.array([0.5, np.nan, 0.0, 1.0]), np.array([1, 1, 0, 0], np.uint8)]
    start, row, squared = nearest_rows(queries, training, np.array([[0.0, 1.0], [0.0, 1.0]]), 2)
    assert start.tolist() == [0, 3, 5]
    assert row.tolist() == [0, 1, 2, 2, 3]
    assert squared.tolist() == [0.25, 1.0, 1.0, 1.0, 1.0]


def codes(*numbers: int, kind: Any = np.uint8) -> np.ndarray:
    return np.array(numbers, dtype=kind)


def near(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "queries": [codes(0, 1), np.zeros(2)],
        "training": [codes(2, 0, 1), np.zeros(3)],
        "bounds": np.zeros((2, 2)),
        "k": 2,
    }
    return compiled.nearest_rows(**(arguments | changes))


def least(**changes: Any) -> Any:
    return compiled.smallest(**({"distance": np.zeros((2, 3)), "k": 2} | changes))


CASES: list[tuple[Callable[..., Any], dict[str, Any], type[Exception], str]] = [
    (near, {"queries": [np.zeros(2), np.zeros(2)]}, TypeError, "column 0 has numbers on one side"),
    (near, {"queries": [codes(0, 1), np.zeros(3)]}, ValueError, "column 1 has 3 rows"),
    (near, {"training": [codes(0, 1), np.zeros(3)]}, ValueError, "column 1 has 3 rows"),
    (near, {"queries": [codes(0, 2**31, kind=np.uint32), np.zeros(2)]}, ValueError, "column 0, row 1"),
    (near, {"training": [codes(0, 1, 2**40, kind=np.uint64), np.zeros(3)]}, ValueError, "column 0, row 2"),
    (near, {"bounds": np.zeros((1, 2))}, ValueError, "bounds: expected two for each of 2"),
    (near, {"bounds": np.full((2, 2), np.nan)}, ValueError, "bounds: those of column 1"),
    (near, {"k": 0}, ValueError, "k: expected at least 1"),
    (near, {"k": -3}, ValueError, "k: expected at least 1"),
    (near, {"tolerance": -0.1}, ValueError, "tolerance"),
    (near, {"tolerance": np.nan}, ValueError, "tolerance"),
    (near, {"left_out": np.array([0, 3])}, ValueError, "left_out: index 1"),
    (near, {"left_out": np.array([0])}, ValueError, "left_out: expected 2"),
    (near, {"left_out": np.zeros(2)}, TypeError, "native integers"),
    (least, {"distance": np.zeros((2, 3)), "left_out": np.array([0, 3])}, ValueError, "left_out: index 1"),
    (least, {"k": 0}, ValueError, "k: expected at least 1"),
]


@needs_compiled
@pytest.mark.parametrize(("kernel", "changes", "error", "message"), CASES)
def test_refused_neighbours(
    kernel: Callable[..., Any], changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        kernel(**changes)


@needs_compiled
def test_raw_arguments_must_be_of_the_right_form() -> None:
    bounds, column = np.zeros((1, 2)), np.zeros(3)
    frozen = np.zeros((3, 3))
    frozen.flags.writeable = False
    for out in (frozen, np.zeros((3, 2)), np.zeros(9), np.zeros((3, 3), np.uint8), np.zeros((6, 3))[::2]):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.squared_distances((column,), (column,), bounds, 0.0, False, out)
    for queries, training in (((), ()), ((column, column), (column,)), ((None,), (column,)), ([column], (column,))):
        with pytest.raises((TypeError, ValueError)):
            _compiled.nearest_rows(queries, training, bounds, 0.0, False, 1, 0.0, None)
    for distance in (np.zeros(3), np.zeros((3, 6))[:, ::2], np.zeros((3, 3), np.float32), None):
        with pytest.raises((TypeError, ValueError)):
            _compiled.smallest(distance, 1, 0.0, None)


def test_same_bytes_from_many_threads() -> None:
    generator = np.random.default_rng(3)
    training = [generator.integers(0, 5, 3000).astype(np.uint8), generator.random(3000), generator.random(3000)]
    queries = [column[:200] for column in training]
    bounds, distance = np.tile([0.0, 1.0], (3, 1)), generator.random((200, 999))
    calls: list[Callable[[], bytes]] = [
        lambda: b"".join(part.tobytes() for part in nearest_rows(queries, training, bounds, 20)),
        lambda: b"".join(part.tobytes() for part in nearest_rows(queries[:1], training[:1], bounds[:1], 20)),
        lambda: b"".join(part.tobytes() for part in smallest(distance, 20)),
        lambda: squared_distances(queries, training, bounds).tobytes(),
    ]
    alone = [call() for call in calls]
    with ThreadPoolExecutor(4) as pool:
        together = [[pool.submit(call) for call in calls] for _ in range(4)]
        for futures in together:
            assert [future.result() for future in futures] == alone
