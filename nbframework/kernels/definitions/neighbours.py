"""Distances between rows, the nearest rows, and sums of powers of distances.

Columns come in the order of their attributes, on which the rounding of the sums depends: unsigned codes, which are
equal or differ by 1, and float64 numbers, whose difference is squared. An unknown number is NaN. An unknown code
needs no rule: the caller gives it codes that occur on the other side nowhere.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = Sequence[NDArray[Any]]
Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
BLOCK_CELLS = 150_000
"""Upper bound on the distances that are held at a time."""
_SAMPLE = 4
"""One row of so many is looked at to bound the k-th smallest distance from above."""


def squared_distances(queries: Columns, training: Columns, bounds: Floats, rescale: bool = False) -> NDArray[Any]:
    """Return the squared distances between all queries and all training rows.

    Parameters
    ----------
    queries, training
        a columns of q and of n values; at least one.
    bounds
        (a, 2) lowest and highest training value of each column of numbers. A number that is unknown on one side is
        as far from the other as the farther bound; unknown on both sides, as far as the bounds are apart.
    rescale
        Leave attributes out that are unknown on either side instead, and multiply the sum by a over the number of
        attributes left; none left is as far as all bounds are apart.

    Returns
    -------
    (q, n), summed in the order of the columns: float64, or a small unsigned type where all columns are codes.
    """
    shape = len(queries[0]), len(training[0])
    if all(column.dtype.kind == "u" for column in training):
        mismatches = np.zeros(shape, dtype=np.min_scalar_type(len(training)))
        differs = np.empty(shape, dtype=np.bool_)
        for query, column in zip(queries, training, strict=True):
            mismatches += np.not_equal(query[:, np.newaxis], column, out=differs)
        return mismatches
    total, difference = np.zeros(shape), np.empty(shape)
    known = np.full(shape, float(len(training))) if rescale else None
    for query, column, (low, high) in zip(queries, training, bounds, strict=True):
        if column.dtype.kind == "u":
            total += query[:, np.newaxis] != column
            continue
        np.subtract(query[:, np.newaxis], column, out=difference)
        _without_unknown(difference, query, column, low, high, known)
        total += np.multiply(difference, difference, out=difference)
    if known is None:
        return total
    farthest = float(np.square(bounds[:, 1] - bounds[:, 0]).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(known > 0, total * (len(training) / known), farthest))


def _without_unknown(
    difference: Floats, query: Floats, column: Floats, low: float, high: float, known: Floats | None
) -> None:
    """Replace the differences from unknown numbers, in place; with ``known`` by 0, counting the known ones there."""
    asked, there = np.isnan(query), np.isnan(column)
    if not asked.any() and not there.any():
        return
    if known is not None:
        unknown = asked[:, np.newaxis] | there
        difference[unknown] = 0.0
        known -= unknown
        return
    difference[:, there] = np.where(asked, high - low, np.maximum(query - low, high - query))[:, np.newaxis]
    difference[asked] = np.where(there, high - low, np.maximum(column - low, high - column))


def nearest_rows(
    queries: Columns,
    training: Columns,
    bounds: Floats,
    k: int,
    tolerance: float = 0.0,
    rescale: bool = False,
    left_out: Ints | None = None,
) -> tuple[Ints, Ints, Floats]:
    """Find the k nearest training rows of each query, and all that are as near as the k-th.

    Parameters
    ----------
    queries, training, bounds, rescale
        As `squared_distances` takes them.
    k
        At least 1; more than there are rows means all of them.
    tolerance
        Relative difference up to which a squared distance equals that of the k-th.
    left_out
        (q,) a training row that is no neighbour of the query, or -1; None leaves out nothing.

    Returns
    -------
    (q + 1,) borders, (m,) rows and (m,) squared distances; each query's rows by ascending distance, then row.
    """
    starts, rows, distances = [np.zeros(1, dtype=np.intp)], [], []
    for block in _blocks(len(queries[0]), len(training[0])):
        distance = squared_distances([column[block] for column in queries], training, bounds, rescale)
        out = None if left_out is None else left_out[block]
        start, row, near = smallest(distance, k, tolerance, out)
        starts.append(starts[-1][-1] + start[1:])
        rows.append(row)
        distances.append(near.astype(np.float64))
    if not rows:
        return starts[0], np.empty(0, dtype=np.intp), np.empty(0)
    return np.concatenate(starts), np.concatenate(rows), np.concatenate(distances)


def smallest(
    distance: NDArray[Any], k: int, tolerance: float = 0.0, left_out: Ints | None = None
) -> tuple[Ints, Ints, NDArray[Any]]:
    """Select from (q, n) distances as `nearest_rows` does, which describes parameters and results."""
    present = np.ones(len(distance), dtype=np.intp) * distance.shape[1]
    inside = distance <= _bound(distance, k + (left_out is not None), tolerance)[:, np.newaxis]
    query, row = np.divmod(np.flatnonzero(inside), max(1, distance.shape[1]))
    if left_out is not None:
        kept = row != left_out[query]
        query, row = query[kept], row[kept]
        present -= left_out >= 0
    near = distance[query, row]
    order = np.lexsort((near, query))
    query, row, near = query[order], row[order], near[order]
    first = np.searchsorted(query, np.arange(len(distance)))
    limit = np.zeros(len(distance))
    some = present > 0
    limit[some] = near[first[some] + np.minimum(k, present[some]) - 1] * (1.0 + tolerance)
    kept = near <= limit[query]
    start = np.zeros(len(distance) + 1, dtype=np.intp)
    np.cumsum(np.bincount(query[kept], minlength=len(distance)), out=start[1:])
    return start, row[kept], near[kept]


def _bound(distance: NDArray[Any], k: int, tolerance: float) -> Floats:
    """(q,) numbers that at least k distances of the row do not exceed, as small as is cheaply found."""
    rows = distance.shape[1]
    if k >= rows:
        return np.full(len(distance), np.inf)
    if distance.dtype.kind == "u":
        return _kth_integer(distance, k) * (1.0 + tolerance)
    sample = distance[:, ::_SAMPLE] if k * _SAMPLE * _SAMPLE <= rows else distance
    return np.asarray(np.partition(sample, k - 1, axis=1)[:, k - 1] * (1.0 + tolerance))


def _kth_integer(distance: NDArray[Any], k: int) -> Floats:
    """(q,) the k-th smallest of small integers, by trying each."""
    kth = np.full(len(distance), -1.0)
    for value in range(int(distance.max(initial=0)) + 1):
        kth[(kth < 0) & (np.count_nonzero(distance <= value, axis=1) >= k)] = value
        if (kth >= 0).all():
            break
    return kth


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
    """Return log sum w (1 + d)^-kappa over the training rows of each class.

    Parameters
    ----------
    queries, bounds, rescale
        As `squared_distances` takes them.
    training
        Columns of n values, the rows sorted by class.
    class_start
        (C + 1,) borders of the classes.
    exponents
        (m,) values of kappa, at least 0.
    weights
        (n,) row weights w, or None for 1.
    left_out
        (q,) a training row that is left out of the query's sums, or -1; None leaves out nothing.

    Returns
    -------
    (m, q, C), -inf for a class without rows; nothing underflows, however large kappa is.
    """
    total = np.full((len(exponents), len(queries[0]), len(class_start) - 1), -np.inf)
    for block in _blocks(len(queries[0]), len(training[0])):
        distance = squared_distances([column[block] for column in queries], training, bounds, rescale)
        logs = np.log1p(np.sqrt(distance, dtype=np.float64))
        out = None if left_out is None else left_out[block]
        total[:, block] = power_sums(logs, class_start, exponents, weights, out)
    return total


def power_sums(
    logs: Floats, class_start: Ints, exponents: Floats, weights: Floats | None = None, left_out: Ints | None = None
) -> Floats:
    """Return log sum w exp(-kappa l) over the columns of each class, (m, q, C).

    Parameters
    ----------
    logs
        (q, n) logarithms l, the columns sorted by class.
    class_start, exponents, weights, left_out
        As `kappa_sums` takes them.
    """
    total = np.full((len(exponents), len(logs), len(class_start) - 1), -np.inf)
    absent = (
        np.zeros(logs.shape[1], dtype=np.bool_)
        if left_out is None
        else left_out[:, np.newaxis] == np.arange(logs.shape[1])
    )
    if weights is not None:
        # a row of weight 0 is not the nearest of its class
        absent = absent | (weights == 0)
    for c in range(len(class_start) - 1):
        rows = slice(int(class_start[c]), int(class_start[c + 1]))
        if rows.start == rows.stop:
            continue
        of_class = np.where(absent[..., rows], np.inf, logs[:, rows])
        nearest = of_class.min(axis=1, keepdims=True)
        some = np.isfinite(nearest[:, 0])
        beyond = of_class[some] - nearest[some]
        for index, exponent in enumerate(exponents):
            powers = np.exp(-exponent * beyond) if exponent else np.isfinite(beyond).astype(np.float64)
            sums = powers.sum(axis=1) if weights is None else powers @ weights[rows]
            total[index, some, c] = np.log(sums) - exponent * nearest[some, 0]
    return total


def _blocks(queries: int, rows: int) -> Iterator[slice]:
    size = max(1, BLOCK_CELLS // max(rows, 1))
    for first in range(0, queries, size):
        yield slice(first, min(first + size, queries))
