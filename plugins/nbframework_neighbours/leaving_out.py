"""Naive Bayes on many groups of rows, each row classified from the others of its group."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Counts, Estimator, FloatArray, IntArray, Training, count

TIE = 1e-10
"""Nats within which classes are tied."""
REST = 1e-9
"""Weights below it are what rounding leaves of 0."""


@dataclass(frozen=True, eq=False)
class LeavingOut:
    """Probabilities of training rows, each estimated with the whole row taken out of its group's counts.

    A row changes the counts of its own class and values alone, and naive Bayes looks at one attribute at a time; so
    one table for each group, class, row weight and value serves all rows.

    Parameters
    ----------
    training
        m rows in g groups.
    estimator
        Of all probabilities; what it takes from the training set around the groups keeps all rows.
    """

    training: Training
    estimator: Estimator

    def accuracy(self) -> FloatArray:
        """Return (g,) the share of each group's weight that is classified right; the first of tied classes is taken."""
        training = self.training
        right = training.weights * self.is_right()
        groups = training.groups or 0
        total = np.bincount(training.group, weights=training.weights, minlength=groups)
        return np.asarray(np.bincount(training.group, weights=right, minlength=groups) / total)

    def is_right(self) -> NDArray[np.bool_]:
        """Return (m,) whether each row is classified right."""
        prior = self._log_prior()
        scores = prior + self._log_likelihood()
        scores = np.where(np.isneginf(scores.max(axis=1, keepdims=True)), prior, scores)
        tied = scores >= scores.max(axis=1, keepdims=True) - TIE
        return np.asarray(np.argmax(tied, axis=1) == self.training.classes)

    def _log_prior(self) -> FloatArray:
        first, case = self._cases
        left = _of_groups(self._raw, self.training.group[first])
        left.class_weight[np.arange(len(first)), self.training.classes[first]] -= self.training.weights[first]
        left = self.training.missing.denominators(replace(_cleaned(left), reference=self.training.reference))
        return np.asarray(self.estimator.log_prior(left)[case])

    def _log_likelihood(self) -> FloatArray:
        """Return the (m, C) sums of the log factors."""
        training, (first, case) = self.training, self._cases
        total = np.zeros((len(training), training.class_count))
        sizes = np.asarray(training.codes.cardinality)
        for chosen in _alike(sizes):
            values = int(sizes[chosen].max())
            raw = _of_attributes(self._raw, chosen)
            left = _of_groups(raw, np.repeat(training.group[first], values))
            self._take_away(left, first, values)
            reference = None if training.reference is None else _of_attributes(training.reference, chosen)
            left = training.missing.denominators(replace(_cleaned(left), reference=reference))
            table = self.estimator.log_conditional(left)
            for index, attribute in enumerate(chosen.tolist()):
                # what a case says of each value without it; unseen and unknown values say nothing
                own = np.zeros((len(first), int(sizes[attribute]) + 2, training.class_count))
                for value in range(int(sizes[attribute])):
                    own[:, value] = table[value::values, :, left.offset[index] + value]
                code = training.codes.columns[attribute].astype(np.intp)
                total += own.reshape(-1, training.class_count).take(case * own.shape[1] + code, axis=0)
        return total

    def _take_away(self, left: Counts, first: IntArray, values: int) -> None:
        """Take a row out of (u values, C, B) counts: at v one that has the value v in all attributes.

        Parameters
        ----------
        left
            The counts of the group of each of the u rows, ``values`` times in turn; they are changed.
        first
            (u,) rows, of which the class and the weight matter.
        values
            The largest number of values of these attributes.
        """
        place, value = np.arange(len(first) * values), np.tile(np.arange(values), len(first))
        classes = np.repeat(self.training.classes[first], values)
        weights = np.repeat(self.training.weights[first], values)
        for index, size in enumerate(np.diff(left.offset) - 2):
            has = np.flatnonzero(value < size)
            at = (place[has], classes[has], left.offset[index] + value[has])
            # a value that no row of the class has is taken away all the same, and never asked for
            left.cells[at] = np.maximum(left.cells[at] - weights[has], 0.0)
            left.known[place[has], classes[has], index] -= weights[has]
            if left.support is not None:
                left.support[at] -= 1
        left.class_weight[place, classes] -= weights

    @cached_property
    def _raw(self) -> Counts:
        """(g, C, B) counts before the missing policy's denominators."""
        training = self.training
        key = training.group * training.class_count + training.classes
        rows = training.selection
        return count(training.source_codes, key, training.class_count, training.row_weights, training.groups, rows)

    @cached_property
    def _cases(self) -> tuple[IntArray, IntArray]:
        """The (u,) first rows of each group, class and weight, and the (m,) number of the one that each row is like."""
        training = self.training
        weight = np.unique(training.weights, return_inverse=True)[1].reshape(-1)
        key = (training.group * training.class_count + training.classes) * (len(training) + 1) + weight
        _, first, case = np.unique(key, return_index=True, return_inverse=True)
        return first, case.reshape(-1)


def _alike(sizes: IntArray) -> Iterator[IntArray]:
    """Yield the attributes in sets of about as many values, so that few cells are wasted."""
    magnitude = np.ceil(np.log2(np.maximum(sizes, 1)))
    for level in np.unique(magnitude[sizes > 0]):
        yield np.flatnonzero((magnitude == level) & (sizes > 0))


def _of_attributes(counts: Counts, chosen: IntArray) -> Counts:
    """Return the counts of some attributes."""
    width = np.diff(counts.offset)[chosen]
    cells = np.concatenate([np.arange(counts.offset[j], counts.offset[j + 1]) for j in chosen.tolist()])
    return replace(
        counts,
        cells=counts.cells[..., cells],
        offset=np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(width)]),
        known=counts.known[..., chosen],
        cardinality=counts.cardinality[..., chosen],
        support=None if counts.support is None else counts.support[..., cells],
        reference=None,
    )


def _of_groups(counts: Counts, group: IntArray) -> Counts:
    """Return copies of the counts of some groups."""
    return replace(
        counts,
        cells=counts.cells[group],
        class_weight=counts.class_weight[group],
        known=counts.known[group],
        support=None if counts.support is None else counts.support[group],
    )


def _cleaned(counts: Counts) -> Counts:
    """Return counts in which what is left of subtracted fractional weights is an exact zero."""
    if counts.support is None:
        return replace(counts, known=np.maximum(counts.known, 0.0))
    return replace(
        counts,
        cells=np.where(counts.support <= 0, 0.0, counts.cells),
        class_weight=np.where(counts.class_weight < REST, 0.0, counts.class_weight),
        known=np.where(counts.known < REST, 0.0, counts.known),
    )
