"""Classifier nb-tree: a decision tree whose leaves are naive-Bayes classifiers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    Discretizer,
    FittedWhole,
    FloatArray,
    Ge,
    IntArray,
    Lt,
    WholeClassifier,
    entropy,
    hookimpl,
)
from nbframework_trees.cross_validation import cross_validated_accuracy
from nbframework_trees.reasons import way_down
from nbframework_trees.routing import Entries, Splits, descend, leaves_of
from nbframework_trees.table import summed

LEAST_DIFFERENCE = 1e-9
"""Utilities closer than this are equal."""


@dataclass(frozen=True, kw_only=True)
class NBTree(WholeClassifier):
    """Split where the leaves' classifiers, in cross-validation, do better than the node's own.

    The utility of a set of rows is the cross-validated accuracy of the recipe's composition on these rows, discretized
    as a whole; that of a split is the mean over its branches, weighted by their rows. A nominal attribute has a branch
    for each value; a numeric one is cut in two, at that cut point of the recipe's discretizer which leaves the least
    class entropy (at any border between two values where the discretizer keeps numbers). The best split is made if it
    reduces the error by more than ``error_reduction``.

    Rows of unknown value go down all branches in fractions, as in C4.5. A branch without rows keeps the classifier of
    its parent.

    Parameters
    ----------
    minimum_rows
        Weight of the rows that a node must have to be split.
    error_reduction
        The share of the node's error that a split has to save.
    folds
        Of the inner cross-validation; sets of fewer rows leave one out, and a single row counts as misclassified.

    References
    ----------
    Kohavi (1996), Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
    """

    name: ClassVar[str] = "nb-tree"
    cite: ClassVar[str] = "Kohavi 1996"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "weight_two_is_the_row_twice": "inner folds may part two equal rows, but not one of weight 2",
            "the_order_of_rows_changes_nothing": "inner folds are dealt from the rows in their order",
            "the_order_of_attributes_changes_nothing": "the first of equally accurate splits is made",
            "names_change_nothing": "the shuffling of the inner folds meets the classes in their order",
        }
    )
    uses: ClassVar[tuple[str, ...]] = (
        "missing",
        "discretizer",
        "neighbourhood",
        "estimator",
        "density",
        "weights",
        "structure",
    )
    minimum_rows: Annotated[float, Ge(2)] = 30.0
    error_reduction: Annotated[float, Ge(0), Lt(1)] = 0.05
    folds: Annotated[int, Ge(2)] = 5

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedNBTree":
        """Grow the tree and fit the leaves."""
        growing = _Growing(self, training, composition, generator)
        growing.run()
        splits = Splits(
            np.array(growing.attribute),
            np.array(growing.cut),
            np.array(growing.first_child),
            np.array(growing.branches),
        )
        return FittedNBTree(splits, np.array(growing.share), tuple(growing.models), len(training.class_values))


@dataclass(frozen=True, eq=False)
class _Split:
    """A possible split: the test, the rows at each branch, their shares and utilities, and the utility of them all."""

    attribute: int
    cut: float
    branches: list[tuple[IntArray, FloatArray]]
    share: FloatArray
    utilities: list[float]
    utility: float


class _Growing:
    """The tree while it grows; nodes wait in the order of their numbers."""

    def __init__(
        self, part: NBTree, training: Dataset, composition: Composition, generator: np.random.Generator
    ) -> None:
        self.part, self.training, self.composition, self.generator = part, training, composition, generator
        self.values = raw_values(training)
        self.sizes = [attribute.cardinality for attribute in training.inputs]
        self.attribute: list[int] = []
        self.cut: list[float] = []
        self.first_child: list[int] = []
        self.branches: list[int] = []
        self.share: list[float] = [1.0]
        self.models: list[FittedWhole | None] = []

    def run(self) -> None:
        """Grow all nodes."""
        rows, weights = np.arange(len(self.training)), np.array(self.training.weights)
        waiting = [(rows, weights, self._utility(rows, weights), True)]
        number = 0
        while number < len(waiting):
            rows, weights, utility, divisible = waiting[number]
            number += 1
            split = self._best_split(rows, weights) if divisible and self._may_split(weights, utility) else None
            if split is None or not self._is_significant(split.utility, utility):
                self._add(-1, np.nan, -1, 0, self._fitted(rows, weights))
                continue
            self._add(split.attribute, split.cut, len(waiting), len(split.branches), None)
            self.share += split.share.tolist()
            for (below, below_weights), of_branch in zip(split.branches, split.utilities, strict=True):
                empty = not len(below)
                waiting.append((rows, weights, utility, False) if empty else (below, below_weights, of_branch, True))

    def _may_split(self, weights: FloatArray, utility: float) -> bool:
        return bool(weights.sum() >= self.part.minimum_rows and utility < 1)

    def _is_significant(self, split: float, node: float) -> bool:
        return (1 - split) < (1 - self.part.error_reduction) * (1 - node) - LEAST_DIFFERENCE

    def _add(self, attribute: int, cut: float, first: int, branches: int, model: FittedWhole | None) -> None:
        self.attribute.append(attribute)
        self.cut.append(cut)
        self.first_child.append(first)
        self.branches.append(branches)
        self.models.append(model)

    def _fitted(self, rows: IntArray, weights: FloatArray) -> FittedWhole:
        return self.composition.fit(self._dataset(rows, weights), self.generator)

    def _dataset(self, rows: IntArray, weights: FloatArray) -> Dataset:
        taken = self.training.take(rows)
        return replace(taken, row_weights=None if np.all(weights == 1) else weights)

    def _utility(self, rows: IntArray, weights: FloatArray) -> float:
        return cross_validated_accuracy(self._dataset(rows, weights), self.composition, self.part.folds, self.generator)

    def _best_split(self, rows: IntArray, weights: FloatArray) -> _Split | None:
        """Return the split of the highest utility, the first of equally good ones."""
        best = None
        for attribute, size in enumerate(self.sizes):
            cut = np.nan if size else self._cut(attribute, rows, weights)
            if not size and np.isnan(cut):
                continue
            split = self._split(attribute, cut, size or 2, rows, weights)
            if split is not None and (best is None or split.utility > best.utility + LEAST_DIFFERENCE):
                best = split
        return best

    def _cut(self, attribute: int, rows: IntArray, weights: FloatArray) -> float:
        """Return the cut point of least class entropy, the lowest of equally good ones, NaN where there is none."""
        values = self.values[attribute, rows]
        order = np.argsort(values, kind="stable")[: len(rows) - int(np.isnan(values).sum())]
        values, classes, weights = values[order], self.training.classes[rows][order].astype(np.intp), weights[order]
        discretizer = self.composition.parts["discretizer"]
        if not isinstance(discretizer, Discretizer) or not len(values):
            return np.nan
        if discretizer.keeps_numeric:
            distinct = np.unique(values)
            cuts = distinct[:-1] + (distinct[1:] - distinct[:-1]) / 2
        else:
            cuts = discretizer.fit(values, classes, weights)
        if not len(cuts):
            return np.nan
        count = len(self.training.class_values)
        key = np.searchsorted(cuts, values, side="left") * count + classes
        cells = summed(weights, key, (len(cuts) + 1) * count).reshape(-1, count)
        below = np.cumsum(cells, axis=0)[:-1]
        above = cells.sum(axis=0) - below
        left = below.sum(axis=1) * entropy(below) + above.sum(axis=1) * entropy(above)
        return float(cuts[np.flatnonzero(left <= left.min() + LEAST_DIFFERENCE * max(1.0, weights.sum()))[0]])

    def _split(self, attribute: int, cut: float, size: int, rows: IntArray, weights: FloatArray) -> _Split | None:
        """Return a split with its utility, None where all rows of known value take one branch."""
        root = Splits(np.array([attribute]), np.array([cut]), np.array([0]), np.array([size]))
        entries = Entries(np.zeros(len(rows), dtype=np.intp), rows, weights)
        known = ~np.isnan(self.values[attribute, rows])
        below, _ = descend(root, self.values, entries.take(known), 0.0)
        share = summed(below.weight, below.node, size)
        if np.count_nonzero(share) < 2:
            return None
        below, _ = descend(root, self.values, entries, 0.0)
        border = np.searchsorted(below.node, np.arange(size + 1))
        branches = [(below.row[first:last], below.weight[first:last]) for first, last in pairwise(border)]
        utilities = [self._utility(*branch) if len(branch[0]) else 0.0 for branch in branches]
        weight = np.array([branch_weights.sum() for _, branch_weights in branches])
        utility = float(np.dot(weight, utilities) / weight.sum())
        return _Split(attribute, cut, branches, share / share.sum(), utilities, utility)


@dataclass(frozen=True, eq=False)
class FittedNBTree:
    """The tree and the classifiers of its leaves.

    Parameters
    ----------
    splits
        The tests of the k nodes.
    share
        (k,) share of its parent's rows of known value that each node has.
    models
        (k,) fitted compositions, None at inner nodes.
    class_count
        C.
    """

    splits: Splits
    share: FloatArray
    models: tuple[FittedWhole | None, ...]
    class_count: int

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log posteriors of the leaf, averaged where tested values are unknown."""
        count = len(queries)
        root = Entries(np.zeros(count, dtype=np.intp), np.arange(count), np.ones(count))
        ended = leaves_of(self.splits, raw_values(queries), root, 0.0, self.share)
        result = np.full((count, self.class_count), -np.inf)
        for leaf in np.unique(ended.node).tolist():
            here = ended.take(ended.node == leaf)
            model = self.models[leaf]
            if model is None:
                raise TypeError(f"node {leaf} is no leaf")
            scores = _log_normalised(model.log_joint(queries.take(here.row)))
            result[here.row] = np.logaddexp(result[here.row], scores + np.log(here.weight)[:, np.newaxis])
        return result

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the tests on the way of a row to the classifier of a leaf."""
        lines, leaf = way_down(self.splits, query.inputs, raw_values(query), 0.0)
        return (
            *lines,
            *(() if leaf is None else ("the other parts of the recipe, fitted on the training rows of this leaf",)),
        )


def raw_values(dataset: Dataset) -> FloatArray:
    """Return the (a, r) raw values of the inputs: codes and numbers, NaN for unknown and undeclared values."""
    values = np.empty((len(dataset.inputs), len(dataset)))
    for position, (attribute, column) in enumerate(zip(dataset.inputs, dataset.input_columns, strict=True)):
        values[position] = np.where(column < attribute.cardinality, column, np.nan) if attribute.is_nominal else column
    return values


def _log_normalised(scores: FloatArray) -> FloatArray:
    """Return log posteriors; rows that rule out every class stay as they are."""
    total = np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return np.asarray(scores - np.where(np.isfinite(total), total, 0.0))


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [NBTree]
