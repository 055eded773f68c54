"""Recursive entropy minimisation over one sorted column (Fayyad & Irani 1993)."""

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Criterion = Literal["fayyad-irani", "kononenko"]
LN2 = math.log(2.0)


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
        (n,) row weights, or None for 1; a weight of 2 counts as the row twice.
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
    cuts: list[float] = []
    pending = [(0, len(ends))]
    while pending:
        low, high = pending.pop()
        best = _accepted_cut(cumulative, low, high, criterion, count_boundaries)
        if best is not None:
            lower, upper = values[ends[best - 1]], values[ends[best - 1] + 1]
            cuts.append(float((lower + upper) / 2))
            pending += [(low, best), (best, high)]
    return np.sort(np.array(cuts, dtype=np.float64))


def _cumulative_class_weight(
    classes: NDArray[Any], class_count: int, weights: NDArray[np.float64] | None, ends: NDArray[np.intp]
) -> NDArray[np.float64]:
    """(G + 1, C) weight of each class in the first g groups of equal values."""
    group = np.zeros(len(classes), dtype=np.intp)
    group[ends[:-1] + 1] = 1
    group = np.cumsum(group)
    cells = np.bincount(group * class_count + classes, weights=weights, minlength=len(ends) * class_count)
    cumulative = np.zeros((len(ends) + 1, class_count))
    np.cumsum(cells.reshape(len(ends), class_count), axis=0, out=cumulative[1:])
    return cumulative


def _accepted_cut(
    cumulative: NDArray[np.float64], low: int, high: int, criterion: Criterion, count_boundaries: bool
) -> int | None:
    """Return the group boundary of the best cut within groups low..high, or None where none is accepted."""
    total = cumulative[high] - cumulative[low]
    present = np.flatnonzero(total)
    weight = float(total.sum())
    if high - low < 2 or len(present) < 2 or weight < 2:
        return None
    left = cumulative[low + 1 : high, present] - cumulative[low, present]
    right = total[present] - left
    entropy = _split_entropy(left, right, weight)
    best = int(np.argmin(entropy))
    before = _entropy(total[present], weight)
    if not entropy[best] < before:
        return None
    candidates = float(high - low - 1) if count_boundaries else weight - 1
    accept = _gain_pays if criterion == "fayyad-irani" else _description_is_shorter
    if accept(total[present], left[best], right[best], before, float(entropy[best]), candidates):
        return low + 1 + best
    return None


def _x_log_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)


def _split_entropy(left: NDArray[np.float64], right: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """(K,) class entropy after each candidate cut, in bits, summed class by class so that ties fall alike."""
    total = np.zeros(len(left))
    for side in (left, right):
        size = side.sum(axis=1)
        for column in side.T:
            total += _x_log_x(column)
        total -= _x_log_x(size)
    return -total / (weight * LN2)


def _entropy(counts: NDArray[np.float64], weight: float) -> float:
    return float((weight * math.log(weight) - sum(n * math.log(n) for n in counts.tolist() if n > 0)) / (weight * LN2))


def _gain_pays(
    total: NDArray[np.float64],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    before: float,
    after: float,
    candidates: float,
) -> bool:
    """Fayyad & Irani (1993): gain > (log2(N - 1) + delta) / N."""
    weight = float(total.sum())
    part = 0.0
    for side in (left, right):
        part += np.count_nonzero(side) * _entropy(side, float(side.sum()))
    classes = len(total)
    delta = math.log2(3.0**classes - 2) - (classes * before - part)
    return before - after > (math.log2(candidates) + delta) / weight


def _description_is_shorter(
    total: NDArray[np.float64],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    before: float,
    after: float,
    candidates: float,
) -> bool:
    """Kononenko (1995): the two parts with the cut are described in fewer bits than the whole."""
    classes = len(total)
    after_bits = math.log2(candidates) + sum(_description_length(side, classes) for side in (left, right))
    return _description_length(total, classes) > after_bits


def _description_length(counts: NDArray[np.float64], classes: int) -> float:
    """Bits for the class distribution and for the classes given it."""
    weight = float(counts.sum())
    distribution = math.lgamma(weight + classes) - math.lgamma(classes) - math.lgamma(weight + 1)
    labels = math.lgamma(weight + 1) - sum(math.lgamma(n + 1) for n in counts.tolist())
    return (distribution + labels) / LN2
