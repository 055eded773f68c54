"""Each compiled kernel gives the bits of its definition."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation

if implementation() == "compiled":
    from nbframework.kernels import compiled

pytestmark = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)

CODE_TYPES = (np.uint8, np.uint16, np.uint32)
CLASS_TYPES = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64)
SIZES = st.one_of(st.integers(0, 3), st.integers(0, 200), st.sampled_from([2047, 2048, 2049, 20000]))


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
    if kind == "whole":
        return generator.integers(0, 4, rows).astype(float)
    return generator.random(rows) * generator.integers(0, 2, rows)


@st.composite
def coded(draw: st.DrawFn) -> dict[str, Any]:
    """Columns of codes with their blocks."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    width = draw(st.lists(st.one_of(st.integers(1, 12), st.integers(1, 300)), max_size=7))
    rows = draw(SIZES) if width else 0
    columns = []
    for size in width:
        kind = draw(st.sampled_from([kind for kind in CODE_TYPES if size - 1 <= np.iinfo(kind).max]))
        column = generator.integers(0, size, rows).astype(kind)
        columns.append(strided(column, draw(st.sampled_from([1, 1, 2, 3, -1, -2]))))
    offset = np.zeros(len(width) + 1, dtype=np.intp)
    np.cumsum(width, out=offset[1:])
    return {"columns": columns, "offset": offset, "rows": rows, "generator": generator}


@settings(max_examples=150, deadline=None)
@given(
    table=coded(),
    class_count=st.one_of(st.integers(1, 8), st.integers(1, 100)),
    kind=st.sampled_from(["none", "none", "whole", "fractional"]),
    taken=st.one_of(st.none(), st.integers(0, 3000)),
    row_type=st.sampled_from([np.int64, np.int32, np.uint16]),
    class_type=st.sampled_from(CLASS_TYPES),
)
def test_counts(
    table: dict[str, Any], class_count: int, kind: str, taken: int | None, row_type: type, class_type: type
) -> None:
    generator, rows = table["generator"], None
    count = table["rows"]
    if taken is not None and count:
        count = taken
        rows = generator.integers(0, table["rows"], count).astype(row_type)
    classes = generator.integers(0, class_count, count).astype(class_type)
    weights = weights_for(kind, count, generator)
    arguments = (table["columns"], table["offset"], classes, class_count, weights, rows)
    assert_same_bits(definitions.class_counts(*arguments), compiled.class_counts(*arguments))


def test_counts_do_not_overflow() -> None:
    columns = [np.zeros(300_001, np.uint8), np.full(300_001, 2, np.uint8)]
    counts = compiled.class_counts(columns, np.array([0, 2, 5]), np.ones(300_001, np.intp), 2)
    np.testing.assert_array_equal(counts, [[0, 0, 0, 0, 0], [300_001, 0, 0, 0, 300_001]])


@settings(max_examples=150, deadline=None)
@given(table=coded(), class_count=st.one_of(st.integers(1, 9), st.integers(1, 100)), exact_zeros=st.booleans())
def test_scores(table: dict[str, Any], class_count: int, exact_zeros: bool) -> None:
    generator, columns, offset = table["generator"], table["columns"], table["offset"]
    entries = np.log(generator.random((class_count, offset[-1])))
    entries[generator.random(entries.shape) < 0.2 * exact_zeros] = -np.inf
    start = np.log(generator.random(class_count))
    expected = definitions.log_scores(columns, offset, entries, start)
    assert_same_bits(expected, compiled.log_scores(columns, offset, entries, start))


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(0, 600),
    distinct=st.one_of(st.integers(1, 12), st.integers(1, 1000)),
    class_count=st.one_of(st.integers(1, 6), st.integers(1, 100)),
    noise=st.floats(0, 1),
    kind=st.sampled_from(["none", "whole", "fractional"]),
    criterion=st.sampled_from(["fayyad-irani", "kononenko"]),
    count_boundaries=st.booleans(),
    class_type=st.sampled_from(CLASS_TYPES),
)
def test_cuts(
    seed: int,
    rows: int,
    distinct: int,
    class_count: int,
    noise: float,
    kind: str,
    criterion: Any,
    count_boundaries: bool,
    class_type: type,
) -> None:
    generator = np.random.default_rng(seed)
    values = np.sort(generator.integers(0, distinct, rows) / 7)
    shuffled = generator.integers(0, class_count, rows)
    classes = np.where(generator.random(rows) < noise, shuffled, (values * 3).astype(int) % class_count)
    weights = weights_for(kind, rows, generator)
    arguments = (values, classes.astype(class_type), class_count, weights, criterion, count_boundaries)
    assert_same_bits(definitions.entropy_cuts(*arguments), compiled.entropy_cuts(*arguments))


def test_cuts_with_more_classes_than_powers_of_three() -> None:
    values = np.repeat(np.arange(2.0), 2000)
    classes = np.concatenate([np.arange(2000) % 700, np.full(2000, 700)])
    expected = definitions.entropy_cuts(values, classes, 701)
    assert len(expected) == 1
    assert_same_bits(expected, compiled.entropy_cuts(values, classes, 701))


def test_many_cuts_need_no_deep_stack() -> None:
    values = np.arange(60_000.0)
    classes = np.arange(60_000) // 40 % 2
    expected = definitions.entropy_cuts(values, classes, 2)
    assert len(expected) > 1000
    assert_same_bits(expected, compiled.entropy_cuts(values, classes, 2))


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.one_of(st.integers(0, 3), st.integers(500, 1100)),
    cut_count=st.one_of(st.integers(0, 70), st.integers(0, 1000)),
    kind=st.sampled_from(CODE_TYPES),
    step=st.sampled_from([1, 2, -1]),
)
def test_intervals(seed: int, rows: int, cut_count: int, kind: type, step: int) -> None:
    generator = np.random.default_rng(seed)
    cut_count = min(cut_count, np.iinfo(kind).max - 2)
    cuts = np.unique(generator.choice([*generator.normal(size=2000), -np.inf, np.inf], cut_count))
    values = generator.choice([*generator.normal(size=50), *cuts[:50], np.nan, np.inf, -np.inf, 0.0, -0.0], rows)
    arguments = (strided(values, step), cuts, cut_count + 2, np.dtype(kind))
    assert_same_bits(definitions.interval_codes(*arguments), compiled.interval_codes(*arguments))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(1000, 6000),
    class_count=st.integers(2, 9),
    spread=st.sampled_from([0.0, 0.05, 0.5, 3.0]),
    decimals=st.sampled_from([0, 1, 2, 9]),
    criterion=st.sampled_from(["fayyad-irani", "kononenko"]),
    boundaries=st.booleans(),
)
def test_cuts_of_long_columns(
    seed: int, rows: int, class_count: int, spread: float, decimals: int, criterion: Any, boundaries: bool
) -> None:
    """Where boundaries are passed over that cannot be the best."""
    generator = np.random.default_rng(seed)
    classes = generator.integers(0, class_count, rows).astype(np.uint8)
    values = np.round(generator.normal(size=rows) + generator.normal(0, spread, class_count)[classes], decimals)
    order = np.argsort(values, kind="stable")
    arguments = (values[order], classes[order], class_count, None, criterion, boundaries)
    assert_same_bits(definitions.entropy_cuts(*arguments), compiled.entropy_cuts(*arguments))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(0, 400),
    class_count=st.integers(1, 9),
    most=st.sampled_from([1, 3]),
    criterion=st.sampled_from(["fayyad-irani", "kononenko"]),
    boundaries=st.booleans(),
    class_type=st.sampled_from(CLASS_TYPES),
)
def test_cuts_of_all_columns(
    seed: int, rows: int, class_count: int, most: int, criterion: Any, boundaries: bool, class_type: type
) -> None:
    generator = np.random.default_rng(seed)
    classes = generator.integers(0, class_count, rows).astype(class_type)
    columns = [np.round(generator.normal(size=rows) + shift * classes, 1) for shift in (0.0, 0.3, 2.0)]
    orders = [np.argsort(column)[: int(generator.integers(0, rows + 1))] for column in columns]
    arguments = (columns, orders, generator.integers(0, most + 1, rows), classes, class_count, criterion, boundaries)
    expected, found = definitions.column_cuts(*arguments), compiled.column_cuts(*arguments)
    for one, other in zip(expected, found, strict=True):
        assert_same_bits(one, other)


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    entries=st.integers(0, 300),
    nodes=st.integers(1, 6),
    class_count=st.integers(1, 6),
    decimals=st.integers(0, 3),
    fractional=st.booleans(),
    minimum=st.sampled_from([1.0, 2.0, 10.0]),
)
def test_cuts_of_nodes(
    seed: int, entries: int, nodes: int, class_count: int, decimals: int, fractional: bool, minimum: float
) -> None:
    generator = np.random.default_rng(seed)
    node = np.sort(generator.integers(0, nodes, entries))
    values = np.round(generator.normal(size=entries), decimals)
    values = values[np.lexsort((values, node))]
    classes = generator.integers(0, class_count, entries).astype(np.uint8)
    weights = generator.random(entries) + 0.01 if fractional else np.ones(entries)
    total = np.bincount(node, weights=weights, minlength=nodes) + 1.0
    arguments = (node, values, classes, weights, np.ceil(weights), class_count, total, minimum, 0.1, 25.0, 1e-5, 1e-6)
    expected, found = definitions.node_cuts(*arguments), compiled.node_cuts(*arguments)
    np.testing.assert_array_equal(found[:2], expected[:2])
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
