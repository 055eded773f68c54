"""Unpruned decision trees on codes, grown level by level, of which only the depths of the tests are kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import FloatArray, IntArray, entropy, kernels
from nbframework_weighting.information import ZERO

BLOCK_CELLS = 4_000_000
"""Upper bound on the table cells of the nodes that are looked at together."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows to grow a tree on.

    Parameters
    ----------
    columns
        a columns of n codes: below v_j a value, then unseen, then unknown.
    cardinality
        (a,) v_j.
    classes
        (n,) class codes.
    class_count
        C.
    weights
        (n,) row weights, above 0.
    """

    columns: Sequence[NDArray[Any]]
    cardinality: Sequence[int]
    classes: IntArray
    class_count: int
    weights: FloatArray

    def take(self, rows: NDArray[Any]) -> "Sample":
        """Return some of the rows."""
        columns = [column[rows] for column in self.columns]
        return Sample(columns, self.cardinality, self.classes[rows], self.class_count, self.weights[rows])


def least_depths(sample: Sample, criterion: str, minimum: float) -> IntArray:
    """Return the (a,) least depth at which each attribute is tested, 1 at the root, 0 for attributes never tested.

    A node is split on all values of the attribute of the best score; rows that do not know it go a branch of their
    own. Of equal attributes the first is taken.

    Parameters
    ----------
    sample
        The rows.
    criterion
        gain-ratio: the highest gain ratio among the attributes whose gain is at least the mean gain of those that
        have one (Quinlan 1993); information-gain: the highest gain.
    minimum
        Weight of rows that at least two branches of a split must have.
    """
    depths = np.zeros(len(sample.columns), dtype=np.intp)
    node = np.zeros(len(sample.classes), dtype=np.intp)
    depth = 0
    while len(node) and len(sample.columns):
        depth += 1
        chosen = _best_attributes(sample, node, criterion, minimum)
        used = np.unique(chosen[chosen >= 0])
        depths[used[depths[used] == 0]] = depth
        of_row = chosen[node]
        inner = of_row >= 0
        branch = np.zeros(len(node), dtype=np.intp)
        for j in used:
            rows = of_row == j
            branch[rows] = sample.columns[j][rows]
        width = max(sample.cardinality) + 2
        _, node = np.unique((node * width + branch)[inner], return_inverse=True)
        sample = sample.take(inner)
    return depths


def _best_attributes(sample: Sample, node: IntArray, criterion: str, minimum: float) -> IntArray:
    """Return the attribute that splits each node best, -1 for a leaf."""
    count = int(node.max()) + 1
    size = np.asarray(sample.cardinality, dtype=np.intp)
    offset = np.concatenate([[0], np.cumsum(size + 2)]).astype(np.intp)
    step = max(1, BLOCK_CELLS // (sample.class_count * int(offset[-1])))
    order = np.argsort(node, kind="stable")
    border = np.searchsorted(node[order], np.arange(count + 1))
    chosen = np.empty(count, dtype=np.intp)
    for first in range(0, count, step):
        last = min(first + step, count)
        rows = order[border[first] : border[last]]
        key = (node[rows] - first) * sample.class_count + sample.classes[rows]
        cells = kernels.class_counts(
            sample.columns, offset, key, (last - first) * sample.class_count, sample.weights[rows], rows
        )
        table = cells.reshape(last - first, sample.class_count, -1)
        gain, split = _gains(table, offset, size, minimum)
        chosen[first:last] = _chosen(gain, split, criterion)
    return chosen


def _gains(table: FloatArray, offset: IntArray, size: IntArray, minimum: float) -> tuple[FloatArray, FloatArray]:
    """Return the (nodes, a) information gains, 0 where a split is not allowed, and split entropies, in bits.

    The gain of the rows that know the attribute counts by their share; the branch of the others is a part of the
    split (Quinlan 1993, section 3.2).
    """
    gain = np.zeros((len(table), len(size)))
    split = np.zeros_like(gain)
    for j, first in enumerate(offset[:-1]):
        known = table[:, :, first : first + size[j]]
        branches = table[:, :, first : offset[j + 1]].sum(axis=1)
        total = branches.sum(axis=1)
        inside = known.sum(axis=(1, 2))
        classes, values = known.sum(axis=2), known.sum(axis=1)
        information = entropy(classes) + entropy(values) - entropy(known.reshape(len(known), -1))
        allowed = (values >= minimum).sum(axis=1) >= 2
        gain[:, j] = np.where(allowed, information * inside / np.where(total > 0, total, 1.0), 0.0)
        split[:, j] = entropy(branches)
    return np.where(gain > ZERO, gain, 0.0), split


def _chosen(gain: FloatArray, split: FloatArray, criterion: str) -> IntArray:
    """Return the (nodes,) attribute of the best score, -1 where none has a gain."""
    score = gain
    if criterion == "gain-ratio":
        some = gain > 0
        mean = gain.sum(axis=1) / np.maximum(some.sum(axis=1), 1)
        enough = some & (gain >= mean[:, np.newaxis] - ZERO)
        score = np.where(enough, gain / np.where(split > 0, split, 1.0), 0.0)
    top = score.max(axis=1, keepdims=True)
    return np.where(top[:, 0] > 0, (score >= top - ZERO).argmax(axis=1), -1)
