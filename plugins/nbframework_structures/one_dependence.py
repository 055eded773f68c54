"""Classifiers that sum over super-parents, each a naive Bayes given one more attribute."""

import math

import numpy as np

from nbframework.authoring import (
    Codes,
    Counts,
    Estimator,
    FittedStructure,
    FloatArray,
    IntArray,
    Rows,
    Training,
    kernels,
)
from nbframework_structures.parent_counts import ParentCounts, log_joint_with_class

LARGEST_KEPT = 256 * 2**20
"""Bytes of log probabilities that a fitted classifier keeps; beyond it they are estimated anew for each batch."""
BLOCK = 1_000_000
"""Scores that are held at a time."""
PADDED = 4
"""Classes lie side by side in the tables that are kept, padded to a multiple of this."""
CACHE_LINE = 64
"""Bytes that the processor loads together."""


class FittedOneDependence(FittedStructure):
    """A weighted sum of P(class, parent) times the product of P(child | class, parent) over all other attributes.

    A row with no parent of positive weight is left to naive Bayes.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of the joint probabilities of class and parent, and of the children given both.
    parent_weight
        (B,) weight of the term in which the attribute is the parent, for each of its values; that of *unknown* is
        taken as 0.
    parents
        The counts, where they are there already.
    """

    def __init__(
        self, training: Training, estimator: Estimator, parent_weight: FloatArray, parents: ParentCounts | None = None
    ) -> None:
        counts = training.counts
        self.estimator = estimator
        self.offset = counts.offset
        self.labels = tuple(training.inputs[position].name for position in training.coded_inputs)
        self.log_prior = estimator.log_prior(counts)
        self.log_naive = estimator.log_conditional(counts)
        self.log_parent = log_joint_with_class(estimator, counts)
        with np.errstate(divide="ignore"):
            self.log_weight = np.log(parent_weight)
        self.log_weight[counts.unknown] = -np.inf
        self.parents = ParentCounts.of(training) if parents is None else parents
        self.notes = self.parents.notes
        attributes = range(len(self.offset) - 1)
        self.kept: list[FloatArray] | None = None
        if training.reference is None and self._bytes_of_tables() <= LARGEST_KEPT:
            self.kept = [by_cell(self._log_children(parent, None)) for parent in attributes]
            self.start = by_cell(self.log_parent)

    def log_joint(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log of the sum over the parents."""
        return self.log_sum(queries.codes, queries.codes)

    def log_terms(self, queries: Rows) -> tuple[tuple[str, ...], FloatArray]:
        """Return the term of each parent, and that of naive Bayes, which answers where there is no parent."""
        return self.log_terms_of(queries.codes, queries.codes)

    def log_terms_of(self, codes: Codes, all_codes: Codes) -> tuple[tuple[str, ...], FloatArray]:
        """Return the terms whose sum `log_sum` gives, for the same arguments."""
        parents, classes = len(codes.columns), len(self.log_prior)
        terms = np.full((parents + 1, len(codes), classes), -np.inf)
        for parent in range(parents):
            self._scores(parent, codes, terms[parent])
        alone = ~self._has_parent(codes)
        terms[parents, alone] = self._naive(all_codes, alone)
        terms[..., np.isneginf(self.log_prior)] = -np.inf
        return (*self.labels, "naive Bayes"), terms.swapaxes(0, 1)

    def log_sum(self, codes: Codes, all_codes: Codes) -> FloatArray:
        """Return (q, C) log sums.

        Parameters
        ----------
        codes
            q rows; *unknown* is neither parent nor child.
        all_codes
            The same rows for naive Bayes, where there is no parent.
        """
        if self.kept is None or not codes.columns:
            total = self._counted_sum(codes)
        else:
            tables, classes = self.kept, len(self.log_prior)
            total = kernels.parent_sums(codes.columns, self.offset, tables, self.start, self.log_weight, classes)
        total[:, np.isneginf(self.log_prior)] = -np.inf
        alone = ~self._has_parent(codes)
        if alone.any():
            total[alone] = self._naive(all_codes, alone)
        return total

    def _naive(self, codes: Codes, rows: np.ndarray) -> FloatArray:
        """Return the log joint of naive Bayes for some rows."""
        columns = [column[rows] for column in codes.columns]
        if not columns:
            return np.repeat(self.log_prior[np.newaxis], int(rows.sum()), axis=0)
        return kernels.log_scores(columns, self.offset, self.log_naive, self.log_prior)

    def _counted_sum(self, codes: Codes) -> FloatArray:
        """Return the (q, C) log sums over the parents, each counted when its turn comes."""
        parents, classes = len(codes.columns), len(self.log_prior)
        size = max(1, BLOCK // max(1, len(codes) * classes) - 1)
        scores = np.empty((min(size, parents) + 1, len(codes), classes))
        scores[0] = -np.inf
        for first in range(0, parents, size):
            some = range(first, min(first + size, parents))
            for place, parent in enumerate(some, 1):
                self._scores(parent, codes, scores[place])
            scores[0] = log_sum_exp(scores[: len(some) + 1])
        return np.asarray(scores[0])

    def _has_parent(self, codes: Codes) -> np.ndarray:
        found = np.zeros(len(codes), dtype=bool)
        for j, column in enumerate(codes.columns):
            found |= self.log_weight[self.offset[j] + column.astype(np.intp)] > -np.inf
        return found

    def _scores(self, parent: int, codes: Codes, scores: FloatArray) -> None:
        """Write the (q, C) log terms of one parent, -inf where it is none."""
        value = codes.columns[parent].astype(np.intp)
        log_weight = self.log_weight[self.offset[parent] + value]
        speaks = log_weight > -np.inf
        everywhere = bool(speaks.all())
        rows = slice(None) if everywhere else np.flatnonzero(speaks)
        columns = codes.columns if everywhere else [column[rows] for column in codes.columns]
        if not everywhere:
            scores[~speaks] = -np.inf
            value, log_weight = value[rows], log_weight[rows]
            if not len(value):
                return
        values, value = np.unique(value, return_inverse=True)
        children = self._log_children(parent, values)
        start = self.log_parent[:, self.offset[parent] + values].T
        terms = kernels.group_scores(columns, self.offset, value, children, start)
        np.add(terms, log_weight[:, np.newaxis], out=terms)
        scores[rows] = terms

    def _log_children(self, parent: int, values: IntArray | None) -> FloatArray:
        """Return (g, C, B) log P(child | class, parent), 0 for the parent itself."""
        log_children = self.estimator.log_conditional(self.parents.given(parent, values))
        log_children[..., self.offset[parent] : self.offset[parent + 1]] = 0.0
        return log_children

    def _bytes_of_tables(self) -> int:
        width = int(self.offset[-1])
        return 8 * len(self.log_prior) * width * width


def by_cell(table: FloatArray) -> FloatArray:
    """Return a (..., C, B) table as (..., B, S), the classes of a cell side by side and padded with zeros.

    It begins at the border of a cache line, so that the classes of a cell lie in as few lines as can be.
    """
    turned = table.swapaxes(-1, -2)
    shape = (*turned.shape[:-1], turned.shape[-1] + -turned.shape[-1] % PADDED)
    memory = np.zeros(math.prod(shape) + CACHE_LINE // 8)
    first = -memory.ctypes.data % CACHE_LINE // 8
    cells = memory[first : first + math.prod(shape)].reshape(shape)
    cells[..., : turned.shape[-1]] = turned
    return cells


def value_weight(counts: Counts) -> FloatArray:
    """Return the (B,) weight of the training rows that have each value, whatever their class."""
    return np.asarray(counts.cells.sum(axis=-2))


def log_sum_exp(logs: FloatArray) -> FloatArray:
    """Return the log of the sum of exponentials over the first axis; -inf where all are."""
    top = logs.max(axis=0)
    finite = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - finite).sum(axis=0)) + finite)
