"""The compiled kernels as their definitions are called: results are made here and filled by the extension.

Codes, classes, offsets and row indexes go there as they are, whatever their integer type and stride. What does not
fit together raises a ValueError or a TypeError there.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels import _compiled
from nbframework.kernels.compiled_densities import class_moments as class_moments
from nbframework.kernels.compiled_densities import class_totals as class_totals
from nbframework.kernels.compiled_densities import count_scores as count_scores
from nbframework.kernels.compiled_densities import gaussian_scores as gaussian_scores
from nbframework.kernels.compiled_densities import threshold_scores as threshold_scores
from nbframework.kernels.compiled_densities import threshold_totals as threshold_totals
from nbframework.kernels.compiled_files import arff_rows as arff_rows
from nbframework.kernels.compiled_files import csv_rows as csv_rows
from nbframework.kernels.compiled_trees import node_cuts as node_cuts
from nbframework.kernels.compiled_trees import tree_sums as tree_sums
from nbframework.kernels.definitions.box import Solution
from nbframework.kernels.definitions.cuts import Criterion
from nbframework.kernels.power_nodes import nodes_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Columns = Sequence[NDArray[Any]]


def class_counts(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    rows: NDArray[np.intp] | None = None,
) -> Floats:
    """Count as `definitions.class_counts`."""
    cells = np.zeros((class_count, int(offset[-1])))
    _compiled.class_counts(tuple(columns), offset, classes, _floats(weights), rows, cells)
    return cells


def pair_counts(
    columns: Sequence[NDArray[Any]],
    first: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    rows: NDArray[np.intp] | None = None,
) -> Floats:
    """Count as `definitions.pair_counts`."""
    width = int(first[-1])
    table = np.zeros((class_count, width, width))
    _compiled.pair_counts(tuple(columns), first, classes, _floats(weights), rows, table)
    return table


def log_scores(columns: Sequence[NDArray[Any]], offset: NDArray[np.intp], table: Floats, start: Floats) -> Floats:
    """Add up as `definitions.log_scores`."""
    scores = np.empty((len(columns[0]) if len(columns) else 0, len(start)))
    _compiled.log_scores(tuple(columns), offset, _floats(table), _floats(start), scores)
    return scores


def group_scores(
    columns: Sequence[NDArray[Any]], offset: NDArray[np.intp], group: NDArray[Any], table: Floats, start: Floats
) -> Floats:
    """Add up as `definitions.group_scores`."""
    scores = np.empty((len(group), table.shape[1]))
    _compiled.group_scores(tuple(columns), offset, group, _floats(table), _floats(start), scores)
    return scores


def log_posteriors(scores: Floats) -> tuple[Floats, Floats]:
    """Normalise as `definitions.log_posteriors`."""
    posteriors, top = np.empty(scores.shape), np.empty(len(scores))
    _compiled.log_posteriors(_floats(scores), posteriors, top)
    return posteriors, top


def best_classes(scores: Floats, order: Ints, tolerance: float) -> Ints:
    """Choose as `definitions.best_classes`."""
    best = np.empty(len(scores), dtype=np.int64)
    _compiled.best_classes(_floats(scores), order, tolerance, best)
    return best.astype(np.intp, copy=False)


def parent_sums(
    columns: Sequence[NDArray[Any]],
    offset: Ints,
    tables: Sequence[Floats],
    start: Floats,
    log_weight: Floats,
    class_count: int,
) -> Floats:
    """Add up as `definitions.parent_sums`."""
    sums = np.empty((len(columns[0]), class_count))
    given = tuple(columns), offset, tuple(map(_floats, tables)), _floats(start), _floats(log_weight)
    _compiled.parent_sums(*given, sums)
    return sums


def interval_codes(values: Floats, cuts: Floats, unknown: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Encode as `definitions.interval_codes`."""
    codes = np.empty(len(values), dtype=kind)
    _compiled.interval_codes(_floats(values), _floats(cuts), unknown, codes)
    return codes


def squared_distances(queries: Columns, training: Columns, bounds: Floats, rescale: bool = False) -> NDArray[Any]:
    """Measure as `definitions.squared_distances`."""
    kind = np.min_scalar_type(len(training)) if _all_codes(training) else np.dtype(np.float64)
    made = kind if kind.itemsize <= 2 else np.dtype(np.float64)
    distance = np.empty((len(queries[0]), len(training[0])), dtype=made)
    _compiled.squared_distances(*_sides(queries, training, bounds), bool(rescale), distance)
    return distance.astype(kind, copy=False)


def nearest_rows(
    queries: Columns,
    training: Columns,
    bounds: Floats,
    k: int,
    tolerance: float = 0.0,
    rescale: bool = False,
    left_out: Ints | None = None,
) -> tuple[Ints, Ints, Floats]:
    """Find as `definitions.nearest_rows`."""
    found = _compiled.nearest_rows(*_sides(queries, training, bounds), bool(rescale), k, tolerance, left_out)
    return _array(found[0], np.intp), _array(found[1], np.intp), _array(found[2], np.float64)


def smallest(
    distance: NDArray[Any], k: int, tolerance: float = 0.0, left_out: Ints | None = None
) -> tuple[Ints, Ints, NDArray[Any]]:
    """Select as `definitions.smallest`."""
    dense = distance.shape[1] < 2 or distance.strides[1] == distance.itemsize
    numbers = distance if dense and distance.dtype == np.float64 else np.ascontiguousarray(distance, dtype=np.float64)
    start, row, near = _compiled.smallest(numbers, k, tolerance, left_out)
    return _array(start, np.intp), _array(row, np.intp), _array(near, np.float64).astype(distance.dtype, copy=False)


def kappa_sums(
    queries: Columns,
    training: Columns,
    bounds: Floats,
    class_start: Ints,
    exponents: Floats,
    weights: Floats | None = None,
    rescale: bool = False,
    left_out: Ints | None = None,
) -> Floats:
    """Add up as `definitions.kappa_sums`."""
    sums = np.empty((len(exponents), len(queries[0]), len(class_start) - 1))
    sides = _sides(queries, training, bounds)
    given = class_start, _floats(exponents), _floats(weights), left_out
    _compiled.kappa_sums(*sides, bool(rescale), *given, *nodes_of(exponents, len(training[0]), weights), sums)
    return sums


def power_sums(
    logs: Floats, class_start: Ints, exponents: Floats, weights: Floats | None = None, left_out: Ints | None = None
) -> Floats:
    """Add up as `definitions.power_sums`."""
    sums = np.empty((len(exponents), len(logs), len(class_start) - 1))
    given = class_start, _floats(exponents), _floats(weights), left_out
    _compiled.power_sums(_floats(logs), *given, *nodes_of(exponents, logs.shape[1], weights), sums)
    return sums


def conditional_likelihood_ascent(
    log_prior: Floats,
    log_factors: Floats,
    classes: NDArray[Any],
    row_weights: Floats,
    start: Ints,
    lower: float,
    upper: float,
    first: float,
    pull: float,
    tolerance: float,
    iterations: int,
) -> Solution:
    """Maximise as `definitions.conditional_likelihood_ascent`."""
    points = np.empty((len(start) - 1, log_factors.shape[-1]))
    finished = np.empty(len(points), dtype=np.bool_)
    given = _floats(log_prior), _floats(log_factors), classes, _floats(row_weights), start
    _compiled.conditional_likelihood_ascent(*given, points, finished, lower, upper, first, pull, tolerance, iterations)
    return Solution(points, finished)


def entropy_cuts(
    values: Floats,
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    criterion: Criterion = "fayyad-irani",
    count_boundaries: bool = False,
) -> Floats:
    """Find cut points as `definitions.entropy_cuts`."""
    kononenko = criterion != "fayyad-irani"
    cuts = _compiled.entropy_cuts(
        _floats(values), classes, class_count, _floats(weights), kononenko, count_boundaries, math.lgamma
    )
    return np.array(sorted(cuts), dtype=np.float64)


def column_cuts(
    columns: Sequence[Floats],
    orders: Sequence[Ints],
    times: Ints | None,
    classes: NDArray[Any],
    class_count: int,
    criterion: Criterion = "fayyad-irani",
    count_boundaries: bool = False,
) -> list[Floats]:
    """Find cut points as `definitions.column_cuts`."""
    given = tuple(map(_floats, columns)), tuple(orders), times, classes, class_count
    found = _compiled.column_cuts(*given, criterion != "fayyad-irani", count_boundaries, math.lgamma)
    return [np.array(sorted(cuts), dtype=np.float64) for cuts in found]


def _all_codes(training: Columns) -> bool:
    return all(column.dtype.kind == "u" for column in training)


def _sides(queries: Columns, training: Columns, bounds: Floats) -> tuple[tuple[Any, ...], tuple[Any, ...], Any, float]:
    """Return both sides with numbers as float64, the bounds, and how far everything unknown is apart."""
    is_code = [column.dtype.kind == "u" for column in training]
    farthest = float(np.square(bounds[:, 1] - bounds[:, 0]).sum())
    return _side(queries, is_code), _side(training, is_code), _floats(bounds), farthest


def _side(columns: Columns, is_code: Sequence[bool]) -> tuple[Any, ...]:
    pairs = zip(columns, is_code, strict=True)
    return tuple(column if code else _floats(column) for column, code in pairs)


def _array(data: bytearray, kind: type[np.generic]) -> NDArray[Any]:
    """Return a view of numbers that a kernel listed."""
    return np.frombuffer(data, dtype=kind) if data else np.empty(0, dtype=kind)


def _floats(array: Any) -> Any:
    return None if array is None else np.ascontiguousarray(array, dtype=np.float64)
