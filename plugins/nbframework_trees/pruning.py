"""Collapsing and pessimistic pruning with subtree raising."""

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.growing import Held
from nbframework_trees.pessimistic import estimated_errors
from nbframework_trees.routing import Entries, Splits, Tree, counted_up, descend, leaves_of
from nbframework_trees.table import TOLERANCE, Table


def collapsed(tree: Tree, held: Held) -> tuple[Tree, Held]:
    """Return tree and rows without the splits below which no fewer training rows are misclassified."""
    own = tree.class_weight.sum(axis=1) - tree.class_weight.max(axis=1)
    below = own.copy()
    splits = tree.copy()
    for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        below[node] = below[_children(tree, node)].sum()
    _make_leaves(splits, np.flatnonzero(~tree.is_leaf & (below >= own - 1e-3)))
    return compact(_with_class_weight(splits, tree.class_weight), held)


def compact(tree: Tree, held: Held) -> tuple[Tree, Held]:
    """Return the nodes that can be reached from the root, numbered anew level by level, and their rows."""
    levels = [np.zeros(1, dtype=np.intp)]
    while len(levels[-1]):
        inner = levels[-1][tree.branches[levels[-1]] > 0]
        width = tree.branches[inner]
        levels.append(np.repeat(tree.first_child[inner], width) + counted_up(width))
    kept = np.concatenate(levels)
    width = tree.branches[kept]
    first = np.where(width > 0, 1 + np.cumsum(width) - width, -1)
    reached = Tree(tree.attribute[kept], tree.cut[kept], first, width, tree.class_weight[kept])
    return reached, {new: held[old] for new, old in enumerate(kept.tolist()) if width[new]}


def pruned(tree: Tree, held: Held, table: Table, confidence: float, raising: bool, slack: float) -> Tree:
    """Return the pruned tree.

    From the leaves upwards, a node becomes a leaf, or is replaced by its largest branch, where that is not expected
    to err more (Quinlan 1993, chapter 4).

    Parameters
    ----------
    tree
        As grown and, where wanted, collapsed.
    held
        The rows at each inner node.
    table
        The training rows.
    confidence
        Of the expected errors.
    raising
        Whether branches may replace their parents.
    slack
        As in growing.
    """
    return _Pruning(tree, dict(held), table, confidence, raising, slack).run()


class _Pruning:
    """A tree while it is being pruned."""

    def __init__(self, tree: Tree, held: Held, table: Table, confidence: float, raising: bool, slack: float) -> None:
        self.splits, self.class_weight = tree.copy(), tree.class_weight.copy()
        self.held, self.table = held, table
        self.confidence, self.raising, self.slack = confidence, raising, slack
        self.leaf_error = self._leaf_errors(self.class_weight)
        self.error = self.leaf_error.copy()

    def run(self) -> Tree:
        """Prune; children have larger numbers than their parents, before and after raising."""
        pending = np.flatnonzero(~self.splits.is_leaf).tolist()
        while pending:
            node = pending.pop()
            if self.splits.branches[node]:
                pending += self._prune(node)
        return compact(_with_class_weight(self.splits, self.class_weight), self.held)[0]

    def _prune(self, node: int) -> list[int]:
        """Decide about one node whose subtrees are pruned; return the nodes to decide about anew."""
        children = _children(self.splits, node)
        as_leaf, as_tree = self.leaf_error[node], self.error[children].sum()
        largest = children.start + _last_largest(self.class_weight[children].sum(axis=1))
        # the rows of the node at a largest branch that is a leaf make the same distribution as the node itself
        as_branch = as_leaf
        if self.splits.branches[largest]:
            as_branch = self._error_of_branch(node, largest) if self.raising else np.inf
        if as_leaf < as_tree + 0.1 + TOLERANCE and as_leaf < as_branch + 0.1 + TOLERANCE:
            _make_leaves(self.splits, np.array([node]))
            self.error[node] = as_leaf
        elif self.raising and as_branch < as_tree + 0.1 + TOLERANCE:
            return self._raise(node, largest)
        else:
            self.error[node] = as_tree
        return []

    def _error_of_branch(self, node: int, branch: int) -> float:
        """Return the expected errors of a branch that gets all rows of its parent."""
        ended = leaves_of(self.splits, self.table.values, self._entries(branch, node), self.slack, None)
        leaves, place = np.unique(ended.node, return_inverse=True)
        return float(self._leaf_errors(self.table.class_weight(place, ended.row, ended.weight, len(leaves))).sum())

    def _raise(self, node: int, branch: int) -> list[int]:
        """Put a branch in the place of its parent and send the parent's rows through it."""
        splits = self.splits
        for array in (splits.attribute, splits.cut, splits.first_child, splits.branches):
            array[node] = array[branch]
        _make_leaves(splits, np.array([branch]))
        entries, below = self._entries(node, node), []
        while len(entries):
            inner = np.unique(entries.node[splits.branches[entries.node] > 0])
            below += inner.tolist()
            self._hold(inner, entries)
            entries = entries.take(splits.branches[entries.node] > 0)
            if not len(entries):
                break
            entries, _ = descend(splits, self.table.values, entries, self.slack)
            self._count_children(inner, entries)
        return sorted(below)

    def _count_children(self, inner: IntArray, entries: Entries) -> None:
        children = np.concatenate([np.arange(c.start, c.stop) for c in (_children(self.splits, n) for n in inner)])
        first = int(children.min())
        nodes = int(children.max()) - first + 1
        counted = self.table.class_weight(entries.node - first, entries.row, entries.weight, nodes)
        self.class_weight[children] = counted[children - first]
        self.leaf_error[children] = self.error[children] = self._leaf_errors(self.class_weight[children])

    def _hold(self, inner: IntArray, entries: Entries) -> None:
        first = np.searchsorted(entries.node, inner, side="left")
        last = np.searchsorted(entries.node, inner, side="right")
        for number, start, stop in zip(inner.tolist(), first, last, strict=True):
            self.held[number] = entries.row[start:stop], entries.weight[start:stop]

    def _entries(self, node: int, held_at: int) -> Entries:
        row, weight = self.held[held_at]
        return Entries(np.full(len(row), node, dtype=np.intp), row, weight)

    def _leaf_errors(self, class_weight: FloatArray) -> FloatArray:
        total = class_weight.sum(axis=1)
        return estimated_errors(total, total - class_weight.max(axis=1), self.confidence)


def _children(splits: Splits, node: int) -> slice:
    first = int(splits.first_child[node])
    return slice(first, first + int(splits.branches[node]))


def _last_largest(weight: FloatArray) -> int:
    """Return the last of the largest branches, as a scan with tolerance finds it."""
    best, pick = 0.0, 0
    for index, value in enumerate(weight.tolist()):
        if value > best - TOLERANCE:
            best, pick = value, index
    return pick


def _make_leaves(splits: Splits, nodes: IntArray) -> None:
    splits.attribute[nodes] = -1
    splits.cut[nodes] = np.nan
    splits.first_child[nodes] = -1
    splits.branches[nodes] = 0


def _with_class_weight(splits: Splits, class_weight: FloatArray) -> Tree:
    return Tree(splits.attribute, splits.cut, splits.first_child, splits.branches, class_weight)
