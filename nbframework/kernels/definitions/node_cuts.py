"""The best cut of one numeric attribute at each of many nodes of a tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def node_cuts(
    node: Ints,
    values: Floats,
    classes: NDArray[Any],
    weights: Floats,
    amounts: Floats,
    class_count: int,
    total: Floats,
    minimum: float,
    share: float,
    most: float,
    closest: float,
    tolerance: float,
) -> Floats:
    """Return for each of m nodes the cut with the largest gain of information.

    A cut lies between neighbouring values that differ by more than ``closest``. Each of its sides has to have
    ``share`` of the average weight of a class, at most ``most`` and at least ``minimum``. A cut replaces an earlier
    one where its gain is larger by more than the tolerance.

    Parameters
    ----------
    node, values
        (e,) the entries that know the attribute: their nodes, ascending, and within a node their ascending values.
    classes, weights
        (e,) class codes below ``class_count``, and weights above 0.
    amounts
        (e,) weights of the whole rows; below twice the least weight of a side a node is not cut.
    class_count
        C.
    total
        (m,) weight of all entries of each node, those that do not know the attribute among them.
    minimum, share, most, closest
        See above.
    tolerance
        Weights and gains that differ by less are equal, weights below it are 0.

    Returns
    -------
    (6, m): the entry behind which the cut lies, or -1; the number of cuts that were allowed; the weight left of the
    cut; the known weight; and weight times class entropy in bits of the known entries and of both sides of the cut.
    What belongs to the cut is 0 where there is none.
    """
    found = np.zeros((6, len(total)))
    found[0] = -1
    if not len(node):
        return found
    nodes = len(total)
    group = node * class_count + classes.astype(np.intp)
    of_group: Floats = np.bincount(group, weights=weights, minlength=nodes * class_count).astype(np.float64)
    known_class = of_group.reshape(nodes, class_count)
    known = known_class.sum(axis=1)
    class_terms = _x_ln_x(known_class, tolerance).sum(axis=1)
    before = (_x_ln_x(known, tolerance) - class_terms) / np.log(2)
    left = _running(weights, node, nodes)
    least = np.maximum(np.minimum(share * known / class_count, most), minimum)
    enough = np.bincount(node, weights=amounts, minlength=nodes) >= 2 * least - tolerance
    parted = (node[:-1] == node[1:]) & (values[:-1] + closest < values[1:])
    border = np.flatnonzero(parted & enough[node[:-1]])
    at = node[border]
    border = border[np.minimum(left[border], known[at] - left[border]) >= least[at] - tolerance]
    at = node[border]
    sides = _x_ln_x(left[border], tolerance) + _x_ln_x(known[at] - left[border], tolerance)
    change = _class_terms(weights, group, of_group, node, nodes, tolerance)[border]
    after = (sides - change - class_terms[at]) / np.log(2)
    pick = _first_best((before[at] - after) / total[at], at, nodes, tolerance)
    cut = np.flatnonzero(pick >= 0)
    found[0, cut] = border[pick[cut]]
    found[1] = np.bincount(at, minlength=nodes)
    found[2, cut] = left[border[pick[cut]]]
    found[3], found[4] = known, before
    found[5, cut] = after[pick[cut]]
    return found


def _class_terms(weights: Floats, group: Ints, known_class: Floats, node: Ints, nodes: int, tolerance: float) -> Floats:
    """Return, for a cut behind each entry, what it adds to the sum over classes of x ln x.

    Moving a row from right to left changes the terms of its own class alone, so running totals give the sums.
    """
    by_class = np.argsort(group, kind="stable")
    left = np.empty(len(weights))
    left[by_class] = _running(weights[by_class], group[by_class], len(known_class))
    right = known_class[group] - left
    change = _x_ln_x(left, tolerance) - _x_ln_x(left - weights, tolerance)
    change += _x_ln_x(right, tolerance) - _x_ln_x(right + weights, tolerance)
    return _running(change, node, nodes)


def _running(weight: Floats, group: Ints, groups: int) -> Floats:
    """Return the running total of weights within each of the successive groups."""
    total = np.concatenate([[0.0], np.cumsum(weight)])
    start = np.searchsorted(group, np.arange(groups))
    return np.asarray(total[1:] - total[start][group])


def _x_ln_x(x: Floats, tolerance: float) -> Floats:
    positive = x >= tolerance
    return np.where(positive, x * np.log(np.where(positive, x, 1.0)), 0.0)


def _first_best(gain: Floats, node: Ints, nodes: int, tolerance: float) -> Ints:
    """Return the (m,) candidate that a scan keeps which replaces only by a gain larger by more than the tolerance.

    -1 where no gain exceeds the tolerance.
    """
    border = np.searchsorted(node, np.arange(nodes + 1))
    some = np.flatnonzero(np.diff(border))
    best, pick = np.zeros(nodes), np.full(nodes, -1, dtype=np.intp)
    if not len(some):
        return pick
    best[some] = np.maximum.reduceat(gain, border[some])
    near = np.flatnonzero(gain > best[node] - tolerance)
    pick[node[near[::-1]]] = near[::-1]
    rival = np.flatnonzero(gain > best[node] - 3 * tolerance)
    earliest = pick.copy()
    earliest[node[rival[::-1]]] = rival[::-1]
    for doubtful in np.flatnonzero(earliest != pick).tolist():
        pick[doubtful] = _scanned(gain, int(border[doubtful]), int(border[doubtful + 1]), tolerance)
    pick[best <= tolerance] = -1
    return pick


def _scanned(gain: Floats, first: int, last: int, tolerance: float) -> int:
    best, pick = 0.0, -1
    for index, value in enumerate(gain[first:last].tolist(), first):
        if value > best + tolerance:
            best, pick = value, index
    return pick
