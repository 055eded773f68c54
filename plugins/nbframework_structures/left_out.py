"""How well a structure classifies each training row from the counts of all other rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nbframework.authoring import Codes, Counts, Estimator, FloatArray, IntArray, Training, count
from nbframework_structures.parent_counts import ParentCounts
from nbframework_structures.parented import of_attributes

FLOOR = -1e4
"""Nats that stand for an exact zero, so that factors can be taken out of a sum again."""
LARGEST_KEPT = 128 * 2**20
"""Bytes of left-out factors that a search keeps; beyond it they are computed again."""
TIE = 1e-10
"""Nats within which classes are tied."""
BLOCK = 2_000_000
"""Cells that are held at a time."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Probabilities of the training rows, each estimated with the whole row subtracted from the counts.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of all probabilities.
    """

    training: Training
    estimator: Estimator

    @cached_property
    def codes(self) -> Codes:
        """The rows' codes."""
        return self.training.codes

    @cached_property
    def parents(self) -> ParentCounts:
        """The counts given each attribute."""
        return ParentCounts.of(self.training)

    def log_prior(self) -> FloatArray:
        """Return (n, C) log priors."""
        cases, case = self._cases(np.zeros(len(self.codes), dtype=np.intp))
        own = self.training.counts
        left = self._without(_without_attributes(own), _without_attributes(own.training), cases)
        return np.maximum(self.estimator.log_prior(left), FLOOR)[case]

    def log_factors(self, parent: int | None = None) -> FloatArray:
        """Return (n, C, a) log P(attribute | class, parent), 0 for unknown values.

        Parameters
        ----------
        parent
            None for P(attribute | class); a row that does not know the parent has that, too.
        """
        codes, training = self.codes, self.training
        if parent is None:
            factors = np.zeros((len(codes), training.class_count, len(codes.columns)))
            self._fill(factors, self._raw, np.arange(len(codes)), np.zeros(len(codes), dtype=np.intp))
            return factors
        column = codes.columns[parent]
        known = np.flatnonzero(column < codes.cardinality[parent])
        if len(known) < len(codes):
            factors = self.log_factors()
            factors[known] = 0.0
        else:
            factors = np.zeros((len(codes), training.class_count, len(codes.columns)))
        self._fill(factors, self.parents.raw(parent), known, column[known].astype(np.intp))
        return factors

    @cached_property
    def _raw(self) -> Counts:
        """The counts as they were counted, with one leading axis of length 1."""
        training = self.training
        raw = training.known_counts
        if raw is None:
            raw = count(
                training.source_codes,
                training.classes,
                training.class_count,
                training.row_weights,
                rows=training.selection,
            )
        return _lead(raw, np.zeros(1, dtype=np.intp))

    def _fill(self, factors: FloatArray, raw: Counts, rows: IntArray, place: IntArray) -> None:
        """Write the factors of some rows, estimated from the counts that stand at each row's place."""
        codes = self.codes
        cases, case = self._cases(place, rows)
        for chosen in _alike(codes.cardinality):
            some, reference = of_attributes(raw, chosen), of_attributes(self.training.counts.training, chosen)
            values = max(codes.cardinality[attribute] for attribute in chosen)
            size = max(1, BLOCK // max(1, values * some.cells[0].size))
            for first in range(0, len(cases), size):
                block = cases[first : first + size]
                inside = np.flatnonzero((case >= first) & (case < first + size))
                left = self._without(_lead(some, place[block]), reference, rows[block], values, chosen)
                table = np.maximum(self.estimator.log_conditional(left), FLOOR)
                for index, attribute in enumerate(chosen):
                    value = codes.columns[attribute][rows[inside]].astype(np.intp)
                    known = np.flatnonzero(value < codes.cardinality[attribute])
                    picked, own = inside[known], value[known]
                    cell = some.offset[index] + own
                    factors[rows[picked], :, attribute] = table[case[picked] - first, own, :, cell]

    def _cases(self, place: IntArray, rows: IntArray | None = None) -> tuple[IntArray, IntArray]:
        """Return the first row of each distinct place, class and weight, and which of them each row is."""
        training = self.training
        classes, weights = training.classes, training.weights
        if rows is not None:
            classes, weights = classes[rows], weights[rows]
        key = (place * training.class_count + classes) * (len(weights) + 1) + np.unique(weights, return_inverse=True)[1]
        _, first, case = np.unique(key, return_index=True, return_inverse=True)
        return first, case

    def _without(
        self,
        counts: Counts,
        reference: Counts,
        rows: IntArray,
        values: int | None = None,
        chosen: tuple[int, ...] = (),
    ) -> Counts:
        """Return counts without one row each, the reference as well, with the missing policy's denominators.

        Parameters
        ----------
        counts
            (u, C, B) counts, or (C, B) that all rows share.
        reference
            (C, B).
        rows
            (u,) the rows to take away.
        values
            None to take away rows without attributes. Else the result has a second leading axis of this length: at r
            the row is taken away as one that has the value r in every attribute.
        chosen
            The attributes of the counts.
        """
        missing, cardinality = self.training.missing, self.training.cardinality
        if counts.cells.ndim == 2:
            counts = _lead(counts, np.zeros(len(rows), dtype=np.intp))
        classes, weights = self.training.classes[rows], self.training.weights[rows]
        whole = _lead(reference, np.zeros(len(rows), dtype=np.intp))
        counts, whole = (_taken_away(table, classes, weights, values) for table in (counts, whole))
        whole = replace(missing.denominators(whole), cardinality=reference.cardinality, reference=None)
        if cardinality is not None and chosen:
            counts = replace(counts, cardinality=cardinality[list(chosen)])
        return missing.denominators(replace(counts, reference=whole))

    def weight_right(self, scores: FloatArray) -> float:
        """Return the weight of the rows whose class is the first of the best ones under (n, C) log scores."""
        return float(self.training.weights[self.is_right(scores)].sum())

    def is_right(self, scores: FloatArray) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Return (n,) whether the row's class is the first of the best ones under (n, C) log scores."""
        top = scores.max(axis=1, keepdims=True, initial=-np.inf)
        return np.asarray(np.argmax(scores >= top - TIE, axis=1) == self.training.classes)


def _alike(cardinality: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the attributes in groups of about as many values, so that few cells are wasted."""
    magnitude = np.array([size.bit_length() for size in cardinality], dtype=np.intp)
    for bits in np.unique(magnitude):
        if bits:
            yield tuple(np.flatnonzero(magnitude == bits).tolist())


def _lead(counts: Counts, place: IntArray) -> Counts:
    """Return copies of the counts at some places of the leading axis; a table without one is repeated."""
    if counts.cells.ndim == 2:
        counts = replace(
            counts,
            cells=counts.cells[np.newaxis],
            class_weight=counts.class_weight[np.newaxis],
            known=counts.known[np.newaxis],
            support=None if counts.support is None else counts.support[np.newaxis],
        )
    return replace(
        counts,
        cells=counts.cells[place],
        class_weight=counts.class_weight[place],
        known=counts.known[place],
        support=None if counts.support is None else counts.support[place],
    )


def _taken_away(counts: Counts, classes: IntArray, weights: FloatArray, values: int | None) -> Counts:
    """Return (u, C, B) counts without a row of a class and a weight each; with ``values`` (u, values, C, B)."""
    case = np.arange(len(classes))
    class_weight = counts.class_weight.copy()
    class_weight[case, classes] -= weights
    class_weight[class_weight < 1e-9 * weights[:, np.newaxis]] = 0.0
    if values is None:
        return replace(counts, class_weight=class_weight)
    cells = np.repeat(counts.cells[:, np.newaxis], values, axis=1)
    support = None if counts.support is None else np.repeat(counts.support[:, np.newaxis], values, axis=1)
    size = np.diff(counts.offset) - 2
    for value in range(values):
        cell = counts.offset[:-1][size > value] + value
        at = (case[:, np.newaxis], value, classes[:, np.newaxis], cell)
        # a value that no row of the case has is taken away all the same, and never asked for
        cells[at] = np.maximum(cells[at] - weights[:, np.newaxis], 0.0)
        if support is not None:
            support[at] -= 1
    if support is not None:
        cells[support == 0] = 0.0
    class_weight = np.repeat(class_weight[:, np.newaxis], values, axis=1)
    counts = replace(counts, cells=cells, class_weight=class_weight, support=support)
    return replace(counts, known=counts.sum_blocks(cells))


def _without_attributes(counts: Counts) -> Counts:
    """Return the class weights alone, as (C, 2) counts of one attribute without values."""
    cells = np.zeros((len(counts.class_weight), 2))
    return Counts(cells, np.array([0, 2]), counts.class_weight, cells[:, :1], np.ones(1))
