"""The best cut of a numeric attribute at many nodes at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.routing import Entries
from nbframework_trees.splitting import CLOSEST_VALUES, LARGEST_MINIMUM, Candidates, gain_and_ratio
from nbframework_trees.table import TOLERANCE, Table, summed, x_ln_x


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
    if len(order):
        total = class_weight.sum(axis=1)
        column = _Column.of(table, attribute, entries.take(order), nodes)
        border = column.borders(minimum)
        after = column.entropy_after(border)
        at = column.node[border]
        pick = _first_best((column.entropy_before[at] - after) / total[at], at, nodes)
        found = np.flatnonzero(pick >= 0)
        best = border[pick[found]]
        sides = np.stack([column.left[best], column.known[found] - column.left[best]], axis=1)
        cost = np.log2(np.bincount(at, minlength=nodes)[found]) / total[found]
        gain[found], ratio[found] = gain_and_ratio(
            column.entropy_before[found], after[pick[found]], sides, total[found], cost
        )
        valid[found] = gain[found] >= TOLERANCE
        cut[found] = column.middle(best)
    return Candidates(gain, ratio, cut, valid)


@dataclass(frozen=True, eq=False)
class _Column:
    """The e entries that know an attribute, by node and then by value.

    Parameters
    ----------
    node, value, weight
        (e,) each.
    group
        (e,) node times C, plus class.
    left
        (e,) weight of the entries of the same node up to each one.
    count
        (m,) number of rows, a row of weight w being w rows, fractions being whole rows.
    known_class
        (m, C) class weights.
    """

    node: IntArray
    value: FloatArray
    weight: FloatArray
    group: IntArray
    left: FloatArray
    count: FloatArray
    known_class: FloatArray

    @classmethod
    def of(cls, table: Table, attribute: int, entries: Entries, nodes: int) -> "_Column":
        """Return the column of m nodes."""
        return cls(
            entries.node,
            table.values[attribute, entries.row],
            entries.weight,
            entries.node * table.class_count + table.classes[entries.row],
            _running(entries.weight, entries.node, nodes),
            summed(table.weights[entries.row], entries.node, nodes),
            table.class_weight(entries.node, entries.row, entries.weight, nodes),
        )

    @cached_property
    def known(self) -> FloatArray:
        """(m,) weight of all entries."""
        return np.asarray(self.known_class.sum(axis=1))

    @cached_property
    def class_terms(self) -> FloatArray:
        """(m,) sum over classes of x ln x."""
        return np.asarray(x_ln_x(self.known_class).sum(axis=1))

    @cached_property
    def entropy_before(self) -> FloatArray:
        """(m,) weight times class entropy, in bits."""
        return np.asarray((x_ln_x(self.known) - self.class_terms) / np.log(2))

    def borders(self, minimum: float) -> IntArray:
        """Return the entries behind which a cut is allowed."""
        least = np.maximum(np.minimum(0.1 * self.known / self.known_class.shape[1], LARGEST_MINIMUM), minimum)
        enough = self.count >= 2 * least - TOLERANCE
        parted = (self.node[:-1] == self.node[1:]) & (self.value[:-1] + CLOSEST_VALUES < self.value[1:])
        border = np.flatnonzero(parted & enough[self.node[:-1]])
        at, left = self.node[border], self.left[border]
        return np.asarray(border[np.minimum(left, self.known[at] - left) >= least[at] - TOLERANCE])

    def entropy_after(self, border: IntArray) -> FloatArray:
        """Return the summed weight times class entropy of both sides of each cut, in bits."""
        at, left = self.node[border], self.left[border]
        both = x_ln_x(left) + x_ln_x(self.known[at] - left)
        return np.asarray((both - self._class_terms_of_sides()[border] - self.class_terms[at]) / np.log(2))

    def middle(self, border: IntArray) -> FloatArray:
        """Return the cut points: midpoints, or the lower value where rounding would make them the upper one."""
        lower, upper = self.value[border], self.value[border + 1]
        middle = (lower + upper) / 2
        return np.where(middle < upper, middle, lower)

    def _terms(self, weight: FloatArray) -> FloatArray:
        """Return x ln x of weights within the column; looked up where all rows weigh 1."""
        return x_ln_x(weight) if self.whole is None else self.whole[weight.astype(np.intp)]

    @cached_property
    def whole(self) -> FloatArray | None:
        """X ln x of 0 to e + 1 where every entry has weight 1, else None."""
        return x_ln_x(np.arange(len(self.weight) + 2.0)) if (self.weight == 1.0).all() else None

    def _class_terms_of_sides(self) -> FloatArray:
        """Return, for a cut behind each entry, what it adds to the sum over classes of x ln x.

        Moving a row from right to left changes the terms of its own class alone, so running totals give the sums.
        """
        known_class = self.known_class.ravel()
        small = self.group.astype(np.uint16) if len(known_class) <= 2**16 else self.group
        by_class = np.argsort(small, kind="stable")
        left = np.empty(len(self.weight))
        left[by_class] = _running(self.weight[by_class], self.group[by_class], len(known_class))
        right = known_class[self.group] - left
        change = self._terms(left) - self._terms(left - self.weight) + self._terms(right)
        change -= self._terms(right + self.weight)
        return _running(change, self.node, len(self.known))


def _running(weight: FloatArray, group: IntArray, groups: int) -> FloatArray:
    """Return the running total of weights within each of the successive groups."""
    total = np.concatenate([[0.0], np.cumsum(weight)])
    start = np.searchsorted(group, np.arange(groups))
    return np.asarray(total[1:] - total[start][group])


def _first_best(gain: FloatArray, node: IntArray, nodes: int) -> IntArray:
    """Return the (m,) candidate that a scan keeps which replaces only by a gain larger by more than the tolerance.

    Parameters
    ----------
    gain, node
        (b,) gain and node of each candidate, sorted by node.
    nodes
        m.

    Returns
    -------
    Indexes of candidates, -1 where no gain exceeds the tolerance.
    """
    border = np.searchsorted(node, np.arange(nodes + 1))
    some = np.flatnonzero(np.diff(border))
    best, pick = np.zeros(nodes), np.full(nodes, -1, dtype=np.intp)
    if not len(some):
        return pick
    best[some] = np.maximum.reduceat(gain, border[some])
    near = np.flatnonzero(gain > best[node] - TOLERANCE)
    pick[node[near[::-1]]] = near[::-1]
    rival = np.flatnonzero(gain > best[node] - 3 * TOLERANCE)
    earliest = pick.copy()
    earliest[node[rival[::-1]]] = rival[::-1]
    for doubtful in np.flatnonzero(earliest != pick).tolist():
        pick[doubtful] = _scanned(gain, int(border[doubtful]), int(border[doubtful + 1]))
    pick[best <= TOLERANCE] = -1
    return pick


def _scanned(gain: FloatArray, first: int, last: int) -> int:
    best, pick = 0.0, -1
    for index, value in enumerate(gain[first:last].tolist(), first):
        if value > best + TOLERANCE:
            best, pick = value, index
    return pick
