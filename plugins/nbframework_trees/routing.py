"""A tree as arrays, and the way of rows down its branches."""

from dataclasses import dataclass

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.table import TOLERANCE, Mask, summed


@dataclass(frozen=True, eq=False)
class Splits:
    """The tests of k nodes; the children of a node have successive numbers.

    Parameters
    ----------
    attribute
        (k,) attribute that a node tests, -1 at a leaf.
    cut
        (k,) values up to it take branch 0, others branch 1; NaN where each value has a branch of its own.
    first_child
        (k,) node at the end of branch 0, -1 at a leaf.
    branches
        (k,) number of branches, 0 at a leaf.
    """

    attribute: IntArray
    cut: FloatArray
    first_child: IntArray
    branches: IntArray

    @property
    def is_leaf(self) -> Mask:
        """(k,) mask of the leaves."""
        return np.asarray(self.attribute < 0)

    def copy(self) -> "Splits":
        """Return arrays of one's own."""
        return Splits(self.attribute.copy(), self.cut.copy(), self.first_child.copy(), self.branches.copy())


@dataclass(frozen=True, eq=False)
class Tree(Splits):
    """A tree whose root is node 0 and whose children have larger numbers than their parents.

    Parameters
    ----------
    class_weight
        (k, C) weight of the training rows of each class at each node.
    """

    class_weight: FloatArray


@dataclass(frozen=True, eq=False)
class Entries:
    """Rows at nodes; where a tested value is unknown, a row goes on in fractions down several branches.

    Parameters
    ----------
    node, row, weight
        (e,) each.
    """

    node: IntArray
    row: IntArray
    weight: FloatArray

    def __len__(self) -> int:
        return len(self.node)

    def take(self, chosen: Mask | IntArray) -> "Entries":
        """Return some of the entries."""
        return Entries(self.node[chosen], self.row[chosen], self.weight[chosen])


def descend(
    splits: Splits, values: FloatArray, entries: Entries, slack: float, share: FloatArray | None = None
) -> tuple[Entries, IntArray]:
    """Move entries at inner nodes one step down.

    Parameters
    ----------
    splits, values
        The nodes, and the (a, n) values by attribute and row.
    entries
        e entries, none of them at a leaf.
    slack
        Numbers above a cut by less than this still take branch 0.
    share
        (k,) share of its parent's rows that each node has, by which rows of unknown value are divided; None takes the
        shares of the entries of known value, and gives nothing to branches of a share up to 1e-6.

    Returns
    -------
    The entries at the children, sorted by node, and for each of them the entry that it comes from.
    """
    child, unknown = _children_by_value(splits, values, entries, slack)
    if not unknown.any():
        order = _stable_order(child)
        return Entries(child[order], entries.row[order], entries.weight[order]), order
    known, lost = np.flatnonzero(~unknown), np.flatnonzero(unknown)
    least = 0.0
    if share is None:
        share, least = _known_share(splits, np.unique(entries.node[lost]), entries.take(known), child[known]), TOLERANCE
    width = splits.branches[entries.node[lost]]
    source = np.repeat(lost, width)
    spread = splits.first_child[entries.node[source]] + counted_up(width)
    kept = share[spread] > least
    source, spread = source[kept], spread[kept]
    weight = np.concatenate([entries.weight[known], entries.weight[source] * share[spread]])
    node, source = np.concatenate([child[known], spread]), np.concatenate([known, source])
    order = _stable_order(node)
    return Entries(node[order], entries.row[source[order]], weight[order]), source[order]


def _children_by_value(splits: Splits, values: FloatArray, entries: Entries, slack: float) -> tuple[IntArray, Mask]:
    """Return the child that each entry's value leads to, and the mask of entries whose value is unknown."""
    cut = splits.cut[entries.node]
    value = values[splits.attribute[entries.node], entries.row]
    unknown = np.isnan(value)
    with np.errstate(invalid="ignore"):
        above = (value > cut) & (value - cut >= slack)
    branch = np.where(np.isnan(cut), np.where(unknown, 0, value), above).astype(np.intp)
    return splits.first_child[entries.node] + branch, unknown


def counted_up(width: IntArray) -> IntArray:
    """Return 0 to w - 1 for each width w, one after the other."""
    return np.asarray(np.arange(int(width.sum())) - np.repeat(np.cumsum(width) - width, width))


def _known_share(splits: Splits, parents: IntArray, known: Entries, child: IntArray) -> FloatArray:
    """Return the share of each child among the known entries of the given parents; equal shares where none is known."""
    width = splits.branches[parents]
    children = np.repeat(splits.first_child[parents], width) + counted_up(width)
    nodes = int(max(children.max(), child.max(initial=0))) + 1
    of_child = summed(known.weight, child, nodes)[children]
    of_parent = np.add.reduceat(of_child, np.cumsum(width) - width)
    nothing = np.repeat(of_parent < TOLERANCE, width)
    share = np.zeros(nodes)
    total = np.where(nothing, 1.0, np.repeat(of_parent, width))
    share[children] = np.where(nothing, 1.0 / np.repeat(width, width), of_child / total)
    return share


def _stable_order(node: IntArray) -> IntArray:
    """Return the order that sorts by node; few nodes are sorted by their digits, in linear time."""
    least = node.min(initial=0)
    if node.max(initial=0) - least < 2**16:
        return np.argsort((node - least).astype(np.uint16), kind="stable")
    return np.argsort(node, kind="stable")


def leaves_of(tree: Splits, values: FloatArray, entries: Entries, slack: float, share: FloatArray | None) -> Entries:
    """Return the entries where they end, at leaves."""
    ended = []
    leaf = tree.is_leaf
    while len(entries):
        at_leaf = leaf[entries.node]
        ended.append(entries.take(at_leaf))
        if at_leaf.all():
            break
        entries, _ = descend(tree, values, entries.take(~at_leaf), slack, share)
    return Entries(
        np.concatenate([part.node for part in ended]) if ended else np.empty(0, dtype=np.intp),
        np.concatenate([part.row for part in ended]) if ended else np.empty(0, dtype=np.intp),
        np.concatenate([part.weight for part in ended]) if ended else np.empty(0),
    )
