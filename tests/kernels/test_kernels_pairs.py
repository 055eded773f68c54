"""The compiled pair counts and group scores agree with their definitions, refuse what does not fit, and repeat."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, group_scores, implementation, pair_counts, parent_sums

if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
CODE_TYPES = (np.uint8, np.uint16, np.uint32)
WEIGHTS = ("none", "ones", "planes", "whole", "fractional")


def assert_same_bits(one: np.ndarray, other: np.ndarray) -> None:
    assert one.dtype == other.dtype
    assert one.shape == other.shape
    assert one.tobytes() == other.tobytes()


def strided(column: np.ndarray, step: int) -> np.ndarray:
    """The same numbers, ``step`` elements apart in memory (backwards where negative)."""
    return column if step == 1 else np.repeat(column[::-1] if step < 0 else column, abs(step))[::step]


def weights_for(kind: str, rows: int, generator: np.random.Generator) -> np.ndarray | None:
    if kind == "none":
        return None
    if kind == "ones":
        return np.ones(rows)
    if kind == "fractional":
        return generator.random(rows) * generator.integers(0, 2, rows)
    return generator.integers(0, 16 if kind == "planes" else 1000, rows).astype(float)


@st.composite
def coded(draw: st.DrawFn, beyond: int) -> dict[str, Any]:
    """Columns of codes, some of them with up to ``beyond`` codes that are no values."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    width = draw(st.lists(st.one_of(st.integers(1, 9), st.integers(1, 300)), max_size=6))
    rows = draw(st.one_of(st.integers(0, 3), st.integers(0, 300), st.sampled_from([64, 2049, 5000]))) if width else 0
    columns = []
    for size in width:
        top = size + draw(st.sampled_from([0, beyond]))
        kind = draw(st.sampled_from([kind for kind in CODE_TYPES if top - 1 <= np.iinfo(kind).max]))
        column = generator.integers(0, top, rows).astype(kind)
        columns.append(strided(column, draw(st.sampled_from([1, 1, 2, -1]))))
    first = np.zeros(len(width) + 1, dtype=np.intp)
    np.cumsum(width, out=first[1:])
    return {"columns": columns, "first": first, "rows": rows, "generator": generator}


@needs_compiled
@settings(max_examples=60, deadline=None)
@given(
    table=coded(beyond=2),
    class_count=st.one_of(st.integers(1, 5), st.integers(1, 40)),
    kind=st.sampled_from(WEIGHTS),
    taken=st.one_of(st.none(), st.integers(0, 3000)),
    class_type=st.sampled_from([np.uint8, np.int16, np.uint32, np.int64]),
)
def test_pairs(table: dict[str, Any], class_count: int, kind: str, taken: int | None, class_type: type) -> None:
    generator, rows, count = table["generator"], None, table["rows"]
    if taken is not None and count:
        count = taken
        rows = generator.integers(0, table["rows"], count)
    classes = generator.integers(0, class_count, count).astype(class_type)
    weights = weights_for(kind, count, generator)
    arguments = (table["columns"], table["first"], classes, class_count, weights, rows)
    expected, found = definitions.pair_counts(*arguments), compiled.pair_counts(*arguments)
    if kind == "fractional":
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert_same_bits(found, np.ascontiguousarray(found.swapaxes(1, 2)))
    else:
        assert_same_bits(expected, found)


def test_pairs_by_hand() -> None:
    columns = [np.array([0, 1, 1, 2], np.uint8), np.array([1, 0, 0, 1], np.uint8)]
    counts = pair_counts(columns, np.array([0, 2, 4]), np.array([0, 0, 0, 0]), 2, np.array([1.0, 2, 0.5, 7]))
    np.testing.assert_array_equal(counts[0], [[1, 0, 0, 1], [0, 2.5, 2.5, 0], [0, 2.5, 2.5, 0], [1, 0, 0, 8]])
    np.testing.assert_array_equal(counts[1], np.zeros((4, 4)))


@needs_compiled
@pytest.mark.parametrize("values", [2, 8, 13, 14, 300])
def test_pairs_of_many_rows(values: int) -> None:
    generator = np.random.default_rng(values)
    columns = [generator.integers(0, values, 150_000).astype(np.uint16) for _ in range(3)]
    classes = (generator.random(150_000) < 0.9).astype(np.uint8)
    arguments = (columns, np.arange(4) * values, classes, 2)
    assert_same_bits(definitions.pair_counts(*arguments), compiled.pair_counts(*arguments))


def test_more_classes_than_rows() -> None:
    columns = [np.array([0, 1], np.uint8), np.array([1, 1], np.uint8)]
    counts = pair_counts(columns, np.array([0, 2, 4]), np.array([3, 9]), 1000)
    assert counts.sum() == 8
    assert counts[3, 0, 3] == counts[9, 1, 3] == 1


@needs_compiled
@settings(max_examples=150, deadline=None)
@given(
    table=coded(beyond=0),
    class_count=st.one_of(st.integers(1, 9), st.integers(1, 60)),
    groups=st.integers(1, 9),
    exact_zeros=st.booleans(),
    group_type=st.sampled_from([np.uint8, np.int64]),
)
def test_group_scores(
    table: dict[str, Any], class_count: int, groups: int, exact_zeros: bool, group_type: type
) -> None:
    generator, columns, offset = table["generator"], table["columns"], table["first"]
    entries = np.log(generator.random((groups, class_count, offset[-1])))
    entries[generator.random(entries.shape) < 0.2 * exact_zeros] = -np.inf
    start = np.log(generator.random((groups, class_count)))
    group = generator.integers(0, groups, table["rows"]).astype(group_type)
    arguments = (columns, offset, group, entries, start)
    assert_same_bits(definitions.group_scores(*arguments), compiled.group_scores(*arguments))


def codes(*numbers: int, kind: Any = np.uint8) -> np.ndarray:
    return np.array(numbers, dtype=kind)


def pairs(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [codes(0, 1, 1), codes(2, 0, 1)],
        "first": codes(0, 2, 5, kind=np.intp),
        "classes": codes(0, 1, 0),
        "class_count": 2,
    }
    return compiled.pair_counts(**(arguments | changes))


def scores(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [codes(0, 1, 1), codes(2, 0, 1)],
        "offset": codes(0, 2, 5, kind=np.intp),
        "group": codes(0, 2, 0),
        "table": np.zeros((3, 2, 5)),
        "start": np.zeros((3, 2)),
    }
    return compiled.group_scores(**(arguments | changes))


CASES: list[tuple[Callable[..., np.ndarray], dict[str, Any], type[Exception], str]] = [
    (pairs, {"columns": [codes(0, 1, 1), codes(2, -1, 1, kind=np.int8)]}, ValueError, "column 1, row 1"),
    (pairs, {"columns": [codes(0, 1, 1), codes(2, 2**40, 1, kind=np.int64)]}, ValueError, "column 1, row 1"),
    (pairs, {"columns": [codes(0, 1, 1), codes(2, 0)]}, ValueError, "column 1 has 2 rows"),
    (pairs, {"columns": [codes(0, 1, 1), codes(2, 0, 1).astype(float)]}, TypeError, "native integers"),
    (pairs, {"columns": [codes(0, 1, 1)]}, ValueError, "offset: expected 2 borders"),
    (pairs, {"first": codes(0, 6, 5, kind=np.intp)}, ValueError, "ascending"),
    (pairs, {"first": codes(-1, 2, 5, kind=np.intp)}, ValueError, "ascending"),
    (pairs, {"first": codes(0, 2, -5, kind=np.intp)}, ValueError, "negative"),
    (pairs, {"classes": codes(0, 2, 0)}, ValueError, "the class in row 1"),
    (pairs, {"classes": codes(0, 1)}, ValueError, "classes: expected 3"),
    (pairs, {"class_count": 0}, ValueError, "the class in row 0"),
    (pairs, {"class_count": -1}, ValueError, "negative"),
    (pairs, {"weights": np.ones(2)}, ValueError, "weights: expected 3"),
    (pairs, {"weights": np.ones((3, 1))}, ValueError, "dimensions"),
    (pairs, {"rows": codes(0, 1, 3, kind=np.intp)}, ValueError, "rows: index 2"),
    (pairs, {"rows": codes(0, 1, kind=np.intp)}, ValueError, "classes: expected 2"),
    (scores, {"columns": [codes(0, 1, 2), codes(2, 0, 1)]}, ValueError, "column 0, row 2"),
    (scores, {"columns": [codes(0, 1, 1), codes(2, 0)]}, ValueError, "column 1 has 2 rows"),
    (scores, {"offset": codes(0, 2, 6, kind=np.intp)}, ValueError, "ascending"),
    (scores, {"group": codes(0, 3, 0)}, ValueError, "group in row 1"),
    (scores, {"group": codes(0, -1, 0, kind=np.int64)}, ValueError, "group in row 1"),
    (scores, {"group": codes(0, 1)}, ValueError, "group: expected 3"),
    (scores, {"group": np.zeros(3)}, TypeError, "native integers"),
    (scores, {"table": np.zeros((2, 5))}, ValueError, "dimensions"),
    (scores, {"table": np.zeros((2, 2, 5))}, ValueError, "start: expected 4"),
    (scores, {"start": np.zeros((3, 1))}, ValueError, "start: expected"),
    (scores, {"columns": []}, ValueError, "offset: expected 1 borders"),
]


@needs_compiled
@pytest.mark.parametrize(("kernel", "changes", "error", "message"), CASES)
def test_refused_pairs(
    kernel: Callable[..., np.ndarray], changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        kernel(**changes)


@needs_compiled
@pytest.mark.parametrize("rows", [500, 100_000])
def test_bad_group_far_down(rows: int) -> None:
    columns, group = [np.zeros(rows, np.uint8)] * 3, np.zeros(rows, np.uint8)
    group[rows - 1] = 4
    with pytest.raises(ValueError, match=f"group in row {rows - 1}"):
        compiled.group_scores(columns, np.array([0, 9, 18, 27]), group, np.zeros((4, 2, 27)), np.zeros((4, 2)))


@needs_compiled
def test_tables_must_be_writable_and_of_the_right_form() -> None:
    columns, first, classes = (codes(0, 1),), codes(0, 2, kind=np.intp), codes(0, 0)
    frozen = np.zeros((1, 2, 2))
    frozen.flags.writeable = False
    for table in (frozen, np.zeros((1, 2, 3)), np.zeros((2, 2)), np.zeros((1, 2, 2), np.float32)):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.pair_counts(columns, first, classes, None, None, table)
    for result in (np.zeros((3, 1)), np.zeros((2, 2)), np.zeros((1, 2, 2))):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.group_scores(columns, first, classes, np.zeros((1, 1, 2)), np.zeros((1, 1)), result)


def test_same_bytes_from_many_threads() -> None:
    generator = np.random.default_rng(3)
    columns = [generator.integers(0, 10, 20_000).astype(np.uint8) for _ in range(6)]
    offset, group = np.arange(7) * 10, generator.integers(0, 5, 20_000)
    table, start, weights = generator.normal(size=(5, 3, 60)), generator.normal(size=(5, 3)), generator.random(20_000)
    calls: list[Callable[[], bytes]] = [
        lambda: pair_counts(columns, offset, group, 5).tobytes(),
        lambda: pair_counts(columns, offset, group, 5, weights).tobytes(),
        lambda: group_scores(columns, offset, group, table, start).tobytes(),
    ]
    alone = [call() for call in calls]
    with ThreadPoolExecutor(4) as pool:
        together = [[pool.submit(call) for call in calls] for _ in range(4)]
        for futures in together:
            assert [future.result() for future in futures] == alone


@needs_compiled
@settings(max_examples=60, deadline=None)
@given(
    table=coded(beyond=0),
    class_count=st.one_of(st.integers(1, 9), st.integers(1, 40)),
    silent=st.sampled_from([0.0, 0.3, 1.0]),
    zeros=st.booleans(),
)
def test_parent_sums(table: dict[str, Any], class_count: int, silent: float, zeros: bool) -> None:
    columns, offset, generator = table["columns"], table["first"], table["generator"]
    if not columns:
        return
    width, stride = int(offset[-1]), class_count + -class_count % 4
    logs = np.zeros((width, stride))
    with np.errstate(divide="ignore"):
        logs[:, :class_count] = np.log(generator.random((width, class_count)) * generator.integers(zeros, 2))
        log_weight = np.log(generator.random(width) * (generator.random(width) >= silent))
    tables = [logs * generator.random((int(size), 1, 1)) for size in np.diff(offset)]
    tables = [np.where(np.isnan(made), 0.0, made) for made in tables]
    arguments = (columns, offset, tables, logs, log_weight, class_count)
    expected, found = definitions.parent_sums(*arguments), compiled.parent_sums(*arguments)
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def parent_sums_of(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [np.array([0, 1], np.uint8), np.array([1, 2], np.uint8)],
        "offset": np.array([0, 2, 5]),
        "tables": [np.zeros((2, 5, 4)), np.zeros((3, 5, 4))],
        "start": np.zeros((5, 4)),
        "log_weight": np.zeros(5),
        "class_count": 2,
    }
    return compiled.parent_sums(**(arguments | changes))


def test_parent_sums_by_hand() -> None:
    """Two parents that each give 1/2 x 1/4 (their child) for the class."""
    tables = [np.log(np.full((2, 4, 4), 0.25)), np.log(np.full((2, 4, 4), 0.25))]
    tables[0][:, :2] = tables[1][:, 2:] = 0.0
    columns = [np.array([0, 1], np.uint8), np.array([1, 0], np.uint8)]
    weight = np.log([1.0, 1.0, 1.0, 3.0])
    found = parent_sums(columns, np.array([0, 2, 4]), tables, np.log(np.full((4, 4), 0.5)), weight, 1)
    np.testing.assert_allclose(np.exp(found[:, 0]), [0.125 + 3 * 0.125, 0.125 + 0.125])


@needs_compiled
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tables": [np.zeros((2, 5, 4))]}, "one for each column"),
        ({"tables": [np.zeros((2, 5, 4)), np.zeros((3, 4, 4))]}, "table 1"),
        ({"tables": [np.zeros((1, 5, 4)), np.zeros((3, 5, 4))]}, "an entry for code 1, found 1 codes"),
        ({"start": np.zeros((5, 3))}, "padded to a multiple of 4"),
        ({"class_count": 5}, "padded"),
        ({"log_weight": np.zeros(4)}, "4 weights"),
        ({"columns": [np.array([0, 2], np.uint8), np.array([1, 2], np.uint8)]}, "column 0, row 1"),
    ],
)
def test_parent_sums_refuse_what_does_not_fit(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parent_sums_of(**changes)
