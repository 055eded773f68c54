"""Recursive entropy minimisation over one sorted column (Fayyad & Irani 1993).

Sums run class by class and logarithms are those of the math module, so that ties fall alike in every form.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Criterion = Literal["fayyad-irani", "kononenko"]
Elementwise = Callable[[NDArray[np.float64]], NDArray[np.float64]]
LN2 = math.log(2.0)
_LARGEST_POWER = 600
_LARGEST_TABLE = 10_000_000


def entropy_cuts(
    values: NDArray[np.float64],
    classes: NDArray[Any],
    class_count: int,
    weights: NDArray[np.float64] | None = None,
    criterion: Criterion = "fayyad-irani",
    count_boundaries: bool = False,
) -> NDArray[np.float64]:
    """Return the cut points that recursive entropy minimisation with an MDL stop accepts.

    Parameters
    ----------
    values
        (n,) ascending, without NaN.
    classes
        (n,) class codes below ``class_count``.
    weights
        (n,) finite row weights of at least 0, or None for 1; a weight of 2 counts as the row twice.
    criterion
        When a cut is accepted: Fayyad and Irani's information gain, or Kononenko's description length.
    count_boundaries
        Count the distinct value boundaries as candidates instead of the rows less one.

    Returns
    -------
    Ascending midpoints between neighbouring values.
    """
    if len(values) < 2:
        return np.empty(0)
    ends = np.append(np.flatnonzero(values[:-1] < values[1:]), len(values) - 1)
    if len(ends) < 2:
        return np.empty(0)
    cumulative = _cumulative_class_weight(classes, class_count, weights, ends)
    x_log_x = _elementwise_x_log_x(cumulative)
    cuts: list[float] = []
    pending = [(0, len(ends))]
    while pending:
        low, high = pending.pop()
        best = _accepted_cut(cumulative, x_log_x, low, high, criterion, count_boundaries)
        if best is not None:
            lower, upper = values[ends[best - 1]], values[ends[best - 1] + 1]
            cuts.append(float((lower + upper) / 2))
            pending += [(low, best), (best, high)]
    return np.sort(np.array(cuts, dtype=np.float64))


def column_cuts(
    columns: Sequence[NDArray[np.float64]],
    orders: Sequence[NDArray[np.intp]],
    times: NDArray[np.intp] | None,
    classes: NDArray[Any],
    class_count: int,
    criterion: Criterion = "fayyad-irani",
    count_boundaries: bool = False,
) -> list[NDArray[np.float64]]:
    """Return the cut points of several columns, as `entropy_cuts` finds them for some of their rows.

    Parameters
    ----------
    columns
        (n,) numbers each.
    orders
        The rows of each column that are known, by ascending value.
    times
        (n,) how often each row counts, at least 0; None for once.
    classes
        (n,) class codes, below ``class_count`` in the rows that count.
    class_count, criterion, count_boundaries
        As of `entropy_cuts`.
    """
    found = []
    for values, order in zip(columns, orders, strict=True):
        rows = order if times is None else np.repeat(order, times[order])
        found.append(entropy_cuts(values[rows], classes[rows], class_count, None, criterion, count_boundaries))
    return found


def _cumulative_class_weight(
    classes: NDArray[Any], class_count: int, weights: NDArray[np.float64] | None, ends: NDArray[np.intp]
) -> NDArray[np.float64]:
    """(G + 1, C) weight of each class in the first g groups of equal values."""
    group = np.zeros(len(classes), dtype=np.intp)
    group[ends[:-1] + 1] = 1
    group = np.cumsum(group)
    cells = np.bincount(
        group * class_count + classes.astype(np.intp), weights=weights, minlength=len(ends) * class_count
    )
    cumulative = np.zeros((len(ends) + 1, class_count))
    np.cumsum(cells.reshape(len(ends), class_count), axis=0, out=cumulative[1:])
    return cumulative


def _accepted_cut(
    cumulative: NDArray[np.float64],
    x_log_x: Elementwise,
    low: int,
    high: int,
    criterion: Criterion,
    count_boundaries: bool,
) -> int | None:
    """Return the group boundary of the best cut within groups low..high, or None where none is accepted."""
    total = cumulative[high] - cumulative[low]
    present = np.flatnonzero(total)
    whole = total[present].tolist()
    weight = _sum(whole)
    if high - low < 2 or len(present) < 2 or weight < 2:
        return None
    left = cumulative[low + 1 : high, present] - cumulative[low, present]
    right = total[present] - left
    entropy = _split_entropy(left, right, weight, x_log_x)
    best = int(np.argmin(entropy))
    before, after = _entropy(whole, weight), float(entropy[best])
    if not after < before:
        return None
    candidates = float(high - low - 1) if count_boundaries else weight - 1
    sides = left[best].tolist(), right[best].tolist()
    if criterion == "fayyad-irani":
        accepted = _gain_pays(len(present), weight, sides, before, after, candidates)
    else:
        accepted = _description_is_shorter(whole, sides, candidates)
    return low + 1 + best if accepted else None


def _sum(numbers: Sequence[float]) -> float:
    """Add up in order, without the compensation that ``sum`` has since Python 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _x_log_x(x: float) -> float:
    return x * math.log(x) if x > 0 else 0.0


def _elementwise_x_log_x(cumulative: NDArray[np.float64]) -> Elementwise:
    """Return x log x for whole arrays: from a table where all counts are whole numbers."""
    most = float(cumulative[-1].sum())
    if most <= _LARGEST_TABLE and not np.any(cumulative % 1):
        table = np.array([_x_log_x(float(count)) for count in range(int(most) + 1)])
        return lambda x: table[x.astype(np.intp)]
    return lambda x: np.fromiter(map(_x_log_x, x.tolist()), np.float64, len(x))


def _split_entropy(
    left: NDArray[np.float64], right: NDArray[np.float64], weight: float, x_log_x: Elementwise
) -> NDArray[np.float64]:
    """(K,) class entropy after each candidate cut, in bits."""
    total = np.zeros(len(left))
    for side in (left, right):
        size = np.zeros(len(side))
        for column in side.T:
            total += x_log_x(column)
            size += column
        total -= x_log_x(size)
    return -total / (weight * LN2)


def _entropy(counts: Sequence[float], weight: float) -> float:
    if not weight > 0:
        return 0.0
    return (weight * math.log(weight) - _sum([_x_log_x(count) for count in counts])) / (weight * LN2)


def _gain_pays(
    classes: int, weight: float, sides: Sequence[Sequence[float]], before: float, after: float, candidates: float
) -> bool:
    """Fayyad & Irani (1993): gain > (log2(N - 1) + delta) / N."""
    part = _sum([sum(count != 0 for count in side) * _entropy(side, _sum(side)) for side in sides])
    answers = math.log2(3.0**classes - 2) if classes < _LARGEST_POWER else classes * math.log2(3.0)
    delta = answers - (classes * before - part)
    return before - after > (math.log2(candidates) + delta) / weight


def _description_is_shorter(whole: Sequence[float], sides: Sequence[Sequence[float]], candidates: float) -> bool:
    """Kononenko (1995): the two parts with the cut are described in fewer bits than the whole."""
    classes = len(whole)
    parts = _sum([_description_length(side, classes) for side in sides])
    return _description_length(whole, classes) > math.log2(candidates) + parts


def _description_length(counts: Sequence[float], classes: int) -> float:
    """Bits for the class distribution and for the classes given it."""
    weight = _sum(counts)
    distribution = math.lgamma(weight + classes) - math.lgamma(classes) - math.lgamma(weight + 1)
    labels = math.lgamma(weight + 1) - _sum([math.lgamma(count + 1) for count in counts])
    return (distribution + labels) / LN2
