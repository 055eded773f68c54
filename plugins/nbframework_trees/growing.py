"""Growing a tree level by level, all nodes of a level at once."""

from dataclasses import dataclass

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.cutting import numeric_candidates
from nbframework_trees.routing import Entries, Splits, Tree, counted_up, descend
from nbframework_trees.splitting import Candidates, chosen_attribute, nominal_candidates
from nbframework_trees.table import TOLERANCE, Mask, Table

Held = dict[int, tuple[IntArray, FloatArray]]
"""The rows at each inner node, with their weights there."""


@dataclass(frozen=True, eq=False)
class Level:
    """The m nodes of one level.

    Parameters
    ----------
    entries
        The rows at the nodes, which are numbered from 0 within the level, sorted by node.
    orders
        For each numeric attribute the entries that know it, by node and then by value.
    nodes
        m.
    """

    entries: Entries
    orders: dict[int, IntArray]
    nodes: int

    def only(self, chosen: Mask) -> "Level":
        """Return the level with the chosen nodes alone, numbered anew."""
        if chosen.all():
            return self
        number = np.cumsum(chosen) - 1
        kept = chosen[self.entries.node]
        place = np.cumsum(kept) - 1
        entries = self.entries.take(kept)
        orders = {attribute: place[order[kept[order]]] for attribute, order in self.orders.items()}
        return Level(Entries(number[entries.node], entries.row, entries.weight), orders, int(chosen.sum()))


def grow(table: Table, minimum: float, slack: float) -> tuple[Tree, Held]:
    """Grow a tree until its nodes are pure, small or without a useful split.

    Parameters
    ----------
    table
        The training rows.
    minimum
        Weight that at least two branches of a split must have.
    slack
        Numbers above a cut by less than this take its lower branch.

    Returns
    -------
    The tree before pruning, and the rows at its inner nodes.
    """
    sorted_values, broad = _sorted_columns(table), _broad(table)
    sizes = np.append(table.cardinality, 0)
    level = _root(table)
    parts: list[Tree] = []
    held: Held = {}
    first = 0
    while level.nodes:
        entries = level.entries
        class_weight = table.class_weight(entries.node, entries.row, entries.weight, level.nodes)
        attribute, cut = _splits(table, level, class_weight, minimum, broad)
        _onto_training_values(attribute, cut, sorted_values, slack)
        branches = np.where(np.isnan(cut), sizes[attribute], 2)
        below = np.cumsum(branches) - branches
        split = attribute >= 0
        first_child = np.where(split, first + level.nodes + below, -1)
        parts.append(Tree(attribute, cut, first_child, branches, class_weight))
        level = level.only(split)
        held |= _held(first + np.flatnonzero(split), level)
        first += len(attribute)
        splits = Splits(attribute[split], cut[split], below[split], branches[split])
        level = _next_level(table, level, splits, int(branches.sum()), slack)
    return _joined(parts), held


def _root(table: Table) -> Level:
    rows = len(table.classes)
    node = np.zeros(rows, dtype=np.intp)
    entries = Entries(node, np.arange(rows), np.asarray(table.weights, dtype=np.float64))
    orders = {}
    for attribute in np.flatnonzero(table.cardinality == 0).tolist():
        column = table.values[attribute]
        orders[attribute] = np.argsort(column, kind="stable")[: rows - int(np.isnan(column).sum())]
    return Level(entries, orders, 1)


def _next_level(table: Table, level: Level, splits: Splits, children: int, slack: float) -> Level:
    """Return the children of the level's nodes; sorted columns stay sorted without sorting anew."""
    if not level.nodes:
        return Level(level.entries, {}, 0)
    entries, source = descend(splits, table.values, level.entries, slack)
    copies = np.bincount(source, minlength=len(level.entries))
    by_source = np.argsort(source, kind="stable")
    start = np.cumsum(copies) - copies
    orders = {}
    for attribute, order in level.orders.items():
        times = copies[order]
        moved = by_source[np.repeat(start[order], times) + counted_up(times)]
        key = entries.node[moved]
        orders[attribute] = moved[np.argsort(key.astype(np.uint16) if children <= 2**16 else key, kind="stable")]
    return Level(entries, orders, children)


def _splits(
    table: Table, level: Level, class_weight: FloatArray, minimum: float, broad: Mask
) -> tuple[IntArray, FloatArray]:
    """Return the (m,) attribute and cut of each node, -1 and NaN for leaves."""
    total = class_weight.sum(axis=1)
    mixed = (total >= 2 * minimum - TOLERANCE) & (total - class_weight.max(axis=1) >= TOLERANCE)
    attribute, cut = np.full(level.nodes, -1, dtype=np.intp), np.full(level.nodes, np.nan)
    if mixed.any() and len(table.cardinality):
        attribute[mixed], cut[mixed] = _best_splits(table, level.only(mixed), class_weight[mixed], minimum, broad)
    return attribute, cut


def _best_splits(
    table: Table, level: Level, class_weight: FloatArray, minimum: float, broad: Mask
) -> tuple[IntArray, FloatArray]:
    """Return the (m,) attribute and cut of the best split of each node, -1 and NaN where none is useful."""
    candidates: list[Candidates] = []
    for attribute, size in enumerate(table.cardinality.tolist()):
        if size:
            candidates.append(nominal_candidates(table, attribute, level.entries, class_weight, minimum))
        else:
            order = level.orders[attribute]
            candidates.append(numeric_candidates(table, attribute, level.entries, order, class_weight, minimum))
    choice = chosen_attribute(candidates, broad)
    cuts = np.stack([split.cut for split in candidates])
    return choice, np.where(choice < 0, np.nan, cuts[choice, np.arange(level.nodes)])


def _broad(table: Table) -> Mask:
    """Return the (a,) mask of nominal attributes with at least 0.3 N values, unless all attributes are like that."""
    broad = table.cardinality >= 0.3 * table.weights.sum() - TOLERANCE
    broad &= table.cardinality > 0
    return np.zeros_like(broad) if broad.all() else broad


def _sorted_columns(table: Table) -> dict[int, FloatArray]:
    return {
        attribute: np.unique(table.values[attribute][~np.isnan(table.values[attribute])])
        for attribute in np.flatnonzero(table.cardinality == 0).tolist()
    }


def _onto_training_values(
    attribute: IntArray, cut: FloatArray, sorted_values: dict[int, FloatArray], slack: float
) -> None:
    """Move each cut, in place, down to the largest value that occurs in the whole training set."""
    for index in np.flatnonzero(~np.isnan(cut)).tolist():
        column = sorted_values[int(attribute[index])]
        if slack:
            place = np.searchsorted(column, cut[index] + slack, side="left")
        else:
            place = np.searchsorted(column, cut[index], side="right")
        cut[index] = column[place - 1]


def _held(numbers: IntArray, level: Level) -> Held:
    border = np.searchsorted(level.entries.node, np.arange(level.nodes + 1))
    return {
        int(number): (
            level.entries.row[border[index] : border[index + 1]],
            level.entries.weight[border[index] : border[index + 1]],
        )
        for index, number in enumerate(numbers)
    }


def _joined(parts: list[Tree]) -> Tree:
    return Tree(
        np.concatenate([part.attribute for part in parts]),
        np.concatenate([part.cut for part in parts]),
        np.concatenate([part.first_child for part in parts]),
        np.concatenate([part.branches for part in parts]),
        np.concatenate([part.class_weight for part in parts]),
    )
