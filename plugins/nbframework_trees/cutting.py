"""The best cut of a numeric attribute at many nodes at once."""

import numpy as np

from nbframework.authoring import FloatArray, IntArray, kernels
from nbframework_trees.routing import Entries
from nbframework_trees.splitting import CLOSEST_VALUES, LARGEST_MINIMUM, Candidates, gain_and_ratio
from nbframework_trees.table import TOLERANCE, Table


def numeric_candidates(
    table: Table, attribute: int, entries: Entries, order: IntArray, class_weight: FloatArray, minimum: float
) -> Candidates:
    """Judge the best split into two branches by a cut between neighbouring values.

    A cut has to leave each side a tenth of the average weight of a class, at least ``minimum`` and at most 25. The
    gain is reduced by log2(number of such cuts) / weight of the node (Quinlan 1996), and may not vanish.

    Parameters
    ----------
    table, attribute
        The training rows and which attribute of theirs.
    entries
        The rows at m nodes, sorted by node.
    order
        The entries that know the attribute, by node and then by value.
    class_weight
        (m, C) class weights of the nodes.
    minimum
        Weight that each branch must have.
    """
    nodes = len(class_weight)
    gain, ratio, cut, valid = np.zeros(nodes), np.zeros(nodes), np.full(nodes, np.nan), np.zeros(nodes, dtype=bool)
    total = class_weight.sum(axis=1)
    row = entries.row[order]
    value = table.values[attribute, row]
    pick, borders, left, known, before, after = kernels.node_cuts(
        entries.node[order],
        value,
        table.classes[row],
        entries.weight[order],
        table.weights[row],
        table.class_count,
        total,
        minimum,
        0.1,
        LARGEST_MINIMUM,
        CLOSEST_VALUES,
        TOLERANCE,
    )
    found = np.flatnonzero(pick >= 0)
    sides = np.stack([left[found], known[found] - left[found]], axis=1)
    cost = np.log2(borders[found]) / total[found]
    gain[found], ratio[found] = gain_and_ratio(before[found], after[found], sides, total[found], cost)
    valid[found] = gain[found] >= TOLERANCE
    cut[found] = _middle(value, pick[found].astype(np.intp))
    return Candidates(gain, ratio, cut, valid)


def _middle(value: FloatArray, border: IntArray) -> FloatArray:
    """Return the cut points: midpoints, or the lower value where rounding would make them the upper one."""
    lower, upper = value[border], value[border + 1]
    middle = (lower + upper) / 2
    return np.where(middle < upper, middle, lower)
