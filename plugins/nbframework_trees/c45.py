"""Classifier c45: a decision tree by gain ratio, pruned by pessimistic errors."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    FloatArray,
    Ge,
    Gt,
    IntArray,
    Le,
    RowEncoder,
    WholeClassifier,
    hookimpl,
    kernels,
)
from nbframework_trees.growing import grow
from nbframework_trees.pruning import collapsed, pruned
from nbframework_trees.reasons import rows_of_classes, way_down
from nbframework_trees.routing import Tree
from nbframework_trees.table import TOLERANCE, Table, columns_of, summed, values_of


@dataclass(frozen=True, kw_only=True)
class C45(WholeClassifier):
    """Quinlan's C4.5, release 8.

    Splits have the best gain ratio among those of at least average gain; numeric attributes are cut in two at a cost
    of log2(number of cuts) bits; rows of unknown value go down all branches in fractions. The tree is collapsed, then
    pruned from below, where subtrees may be replaced by leaves or by their largest branch. A leaf gives the class
    frequencies of its training rows, an empty one those of its parent.

    The recipe's missing policy and discretizer come first: ``ignore`` and ``none`` leave everything to the tree. A
    value outside the training domain is an unknown value.

    Parameters
    ----------
    unpruned
        Grow and collapse only.
    confidence
        The chance that a leaf errs more than expected; smaller values prune more.
    minimum_rows
        Weight that at least two branches of every split have.
    laplace_leaves
        Add 1 to the weight of each class in the leaves.
    collapse
        Whether splits that save no training error are removed first.
    subtree_raising
        Whether a subtree may be replaced by its largest branch.
    version
        The Weka whose rounding is followed: up to 3.6, numbers less than 1e-6 above a cut are below it.

    References
    ----------
    Quinlan (1993), C4.5: programs for machine learning. Quinlan (1996), Improved use of continuous attributes in C4.5.
    """

    name: ClassVar[str] = "c45"
    cite: ClassVar[str] = "Quinlan 1993, 1996"
    uses: ClassVar[tuple[str, ...]] = ("missing", "discretizer")
    unpruned: bool = False
    confidence: Annotated[float, Gt(0), Le(0.5)] = 0.25
    minimum_rows: Annotated[float, Ge(1)] = 2.0
    laplace_leaves: bool = False
    collapse: bool = True
    subtree_raising: bool = True
    version: Literal["3.6.14", "3.9"] = "3.9"

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedC45":
        """Grow and prune the tree."""
        encoder, rows = composition.encode(training)
        table = Table.of(rows)
        tree = self.tree(table)
        return FittedC45(encoder, tree, shares(tree), _leaf_probability(tree, self.laplace_leaves), self.slack)

    def tree(self, table: Table) -> Tree:
        """Return the tree of encoded training rows."""
        tree, held = grow(table, self.minimum_rows, self.slack)
        if self.collapse:
            tree, held = collapsed(tree, held)
        if self.unpruned:
            return tree
        return pruned(tree, held, table, self.confidence, self.subtree_raising, self.slack)

    @property
    def slack(self) -> float:
        """How far a number may be above a cut and still count as below it."""
        return TOLERANCE if self.version == "3.6.14" else 0.0


@dataclass(frozen=True, eq=False)
class FittedC45:
    """A tree at work.

    Parameters
    ----------
    encoder
        Turns queries into rows.
    tree
        The tree.
    share
        (k,) share of its parent's rows that each node has.
    probability
        (k, C) class probabilities of its nodes.
    slack
        As in growing.
    """

    encoder: RowEncoder
    tree: Tree
    share: FloatArray
    probability: FloatArray
    slack: float

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log class probabilities: those of the leaf, averaged where tested values are unknown."""
        rows = self.encoder.queries(queries)
        tree = self.tree
        nodes = tree.attribute, tree.cut, tree.first_child, tree.branches, self.share
        probability = kernels.tree_sums(*nodes, columns_of(rows), len(rows), self.slack, self.probability)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(probability, out=probability))

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the tests on the way of a row, and the training rows at its leaf."""
        rows = self.encoder.queries(query)
        lines, leaf = way_down(self.tree, rows.inputs, values_of(rows), self.slack)
        if leaf is not None:
            empty = self.tree.class_weight[leaf].sum() < TOLERANCE
            weight = self.tree.class_weight[parents(self.tree)[leaf] if empty else leaf]
            none = "no training row came this way; of the node above, " if empty else ""
            lines.append(none + rows_of_classes(weight, query.class_values))
        return tuple(lines)


def shares(tree: Tree) -> FloatArray:
    """Return the (k,) share of its parent's rows that each node has; 0 for empty nodes and the root."""
    weight = tree.class_weight.sum(axis=1)
    share = np.zeros(len(weight))
    children = np.flatnonzero(parents(tree) >= 0)
    above = parents(tree)[children]
    total = summed(weight[children], above, len(weight))
    own = np.where(weight[children] < TOLERANCE, 0.0, weight[children])
    share[children] = own / np.maximum(total[above], TOLERANCE)
    return share


def parents(tree: Tree) -> IntArray:
    """Return the (k,) parent of each node, -1 for the root."""
    parent = np.full(len(tree.attribute), -1, dtype=np.intp)
    parent[1:] = np.repeat(np.arange(len(tree.attribute)), tree.branches)
    return parent


def _leaf_probability(tree: Tree, laplace: bool) -> FloatArray:
    weight = tree.class_weight.copy()
    empty = np.flatnonzero(weight.sum(axis=1) < TOLERANCE)
    weight[empty] = weight[parents(tree)[empty]]
    if laplace:
        weight += 1.0
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [C45]
