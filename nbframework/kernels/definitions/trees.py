"""The way of rows down a tree, and what its leaves say of each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def tree_sums(
    attribute: Ints,
    cut: Floats,
    first_child: Ints,
    branches: Ints,
    share: Floats,
    columns: Sequence[NDArray[Any]],
    rows: int,
    slack: float,
    table: Floats,
) -> Floats:
    """Return for each row the sums of the numbers of the leaves that it ends at.

    A row goes down from the root, node 0, by the values that it knows. Where the tested one is unknown it goes on down
    all branches, in fractions by their shares, and the numbers of the leaves count as much as the fractions that reach
    them (Quinlan 1993, section 3.2). The leaves of a row are added up level by level, and from left to right.

    Parameters
    ----------
    attribute
        (k,) attribute below a that a node tests; anything at a leaf. At least one node.
    cut
        (k,) numbers up to it take branch 0, larger ones branch 1 of two; NaN where each code has a branch of its own.
    first_child
        (k,) node at the end of branch 0, the others follow it; anything at a leaf. Children have larger numbers than
        their parents, and a node has one parent at most.
    branches
        (k,) number of branches, 0 at a leaf.
    share
        (k,) share of its parent's rows that each node has; fractions do not enter a node of share 0.
    columns
        a columns (rows,) of integer codes, unknown from the number of branches on, or numbers, NaN for unknown.
    rows
        Their number, needed where there is no column.
    slack
        Numbers above a cut by less than this still take branch 0.
    table
        (k, C) numbers of the nodes; only those of leaves are used.

    Returns
    -------
    (rows, C) sums; 0 where no fraction of a row reaches a leaf.

    Raises
    ------
    ValueError
        In the compiled form, where the nodes are no such tree or test no such columns.
    """
    values = np.array(columns, dtype=np.float64).reshape(len(columns), rows)
    sums = np.zeros((rows, table.shape[1]))
    node, row, weight = np.zeros(rows, dtype=np.intp), np.arange(rows), np.ones(rows)
    while len(node):
        ended = branches[node] == 0
        np.add.at(sums, row[ended], weight[ended, np.newaxis] * table[node[ended]])
        node, row, weight = node[~ended], row[~ended], weight[~ended]
        branch = _branches(cut[node], branches[node], values[attribute[node], row], slack)
        node, source, weight = _below(node, branch, weight, first_child, branches, share)
        row = row[source]
    return sums


def _branches(cut: Floats, branches: Ints, value: Floats, slack: float) -> Ints:
    """Return the (e,) branch that each entry's value leads to, -1 where it is unknown."""
    coded = np.isnan(cut)
    with np.errstate(invalid="ignore"):
        above = (value > cut) & (value - cut >= slack)
        known = np.where(coded, (value >= 0) & (value < branches), ~np.isnan(value))
    return np.where(known, np.where(coded & known, value, above), -1).astype(np.intp)


def _below(
    node: Ints, branch: Ints, weight: Floats, first_child: Ints, branches: Ints, share: Floats
) -> tuple[Ints, Ints | slice, Floats]:
    """Return where e entries go on: the children, those of one entry side by side, the entries, and their weights."""
    if branch.min(initial=0) >= 0:
        return first_child[node] + branch, slice(None), weight
    width = np.where(branch < 0, branches[node], 1)
    source = np.repeat(np.arange(len(node)), width)
    place = np.arange(len(source)) - np.repeat(np.cumsum(width) - width, width)
    child = (first_child[node] + np.maximum(branch, 0))[source] + place
    whole = branch[source] >= 0
    kept = whole | (share[child] > 0)
    weight = np.where(whole, weight[source], weight[source] * share[child])
    return child[kept], source[kept], weight[kept]
