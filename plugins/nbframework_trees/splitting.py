"""The split of each node: gain ratio among the attributes of at least average gain."""

from dataclasses import dataclass

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.routing import Entries
from nbframework_trees.table import TOLERANCE, Mask, Table, summed, x_ln_x

LARGEST_MINIMUM = 25.0
CLOSEST_VALUES = 1e-5
BLOCK_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class Candidates:
    """The best split of each of m nodes on one attribute.

    Parameters
    ----------
    gain
        (m,) information gain in bits, less the cost of choosing a cut.
    ratio
        (m,) gain ratio.
    cut
        (m,) cut point, NaN for nominal attributes.
    valid
        (m,) whether the split may be used.
    """

    gain: FloatArray
    ratio: FloatArray
    cut: FloatArray
    valid: Mask


def nominal_candidates(
    table: Table, attribute: int, entries: Entries, class_weight: FloatArray, minimum: float
) -> Candidates:
    """Judge the split into one branch for each value.

    Parameters
    ----------
    table
        The training rows.
    attribute
        Which attribute.
    entries
        The rows at m nodes, sorted by node.
    class_weight
        (m, C) class weights of the nodes.
    minimum
        Weight that at least two branches must have.
    """
    nodes, count = class_weight.shape
    size = int(table.cardinality[attribute])
    total = class_weight.sum(axis=1)
    gain, ratio, valid = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes, dtype=bool)
    step = max(1, BLOCK_CELLS // (size * count + 1))
    border = np.searchsorted(entries.node, np.arange(0, nodes + step, step))
    for block, first in enumerate(range(0, nodes, step)):
        inside = slice(border[block], border[block + 1])
        value = table.values[attribute, entries.row[inside]]
        known = ~np.isnan(value)
        row = entries.row[inside][known]
        local = min(step, nodes - first)
        key = ((entries.node[inside][known] - first) * size + value[known].astype(np.intp)) * count
        cells = summed(entries.weight[inside][known], key + table.classes[row], local * size * count)
        cells = cells.reshape(local, size, count)
        last = slice(first, first + local)
        branch = cells.sum(axis=2)
        valid[last] = (branch >= minimum - TOLERANCE).sum(axis=1) >= 2
        before = _scaled_entropy(cells.sum(axis=1)[:, np.newaxis])
        gain[last], ratio[last] = gain_and_ratio(before, _scaled_entropy(cells), branch, total[last], 0.0)
    return Candidates(gain, ratio, np.full(nodes, np.nan), valid)


def _scaled_entropy(cells: FloatArray) -> FloatArray:
    """Return (m,) summed weight times entropy, in bits, of (m, b, C) class weights of b branches."""
    return np.asarray((x_ln_x(cells.sum(axis=2)).sum(axis=1) - x_ln_x(cells).sum(axis=(1, 2))) / np.log(2))


def gain_and_ratio(
    before: FloatArray, after: FloatArray, branch: FloatArray, total: FloatArray, cost: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Return (m,) gains and gain ratios.

    Parameters
    ----------
    before, after
        (m,) weight times entropy of the rows of known value, without and with the split.
    branch
        (m, b) known weight of each branch; the rows of unknown value make one more branch of the split information.
    total
        (m,) weight of all rows of the node.
    cost
        Bits that are taken off the gain.
    """
    known = branch.sum(axis=1)
    share = np.where(total > 0, known / np.where(total > 0, total, 1.0), 0.0)
    reduction = share * (before - after)
    gain = np.where(np.abs(reduction) < TOLERANCE, 0.0, reduction / np.where(known > 0, known, 1.0)) - cost
    information = (x_ln_x(total) - x_ln_x(branch).sum(axis=1) - x_ln_x(total - known)) / np.log(2)
    trivial = np.abs(information) < TOLERANCE
    per_row = np.where(trivial, 1.0, information) / np.where(total > 0, total, 1.0)
    return gain, np.where(trivial, 0.0, gain / per_row)


def chosen_attribute(candidates: list[Candidates], is_broad: Mask) -> IntArray:
    """Return the (m,) attribute with the best ratio among those of at least average gain, -1 where there is none.

    Parameters
    ----------
    candidates
        One for each attribute.
    is_broad
        (a,) nominal attributes of so many values that their gains do not enter the average.
    """
    nodes = len(candidates[0].gain)
    summed, number = np.zeros(nodes), np.zeros(nodes)
    for split, broad in zip(candidates, is_broad.tolist(), strict=True):
        if not broad:
            summed += np.where(split.valid, split.gain, 0.0)
            number += split.valid
    average = summed / np.maximum(number, 1)
    best, choice = np.zeros(nodes), np.full(nodes, -1, dtype=np.intp)
    for attribute, split in enumerate(candidates):
        better = split.valid & (split.gain >= average - 1e-3) & (split.ratio > best + TOLERANCE) & (number > 0)
        choice[better] = attribute
        best[better] = split.ratio[better]
    return choice
