"""The contract of weight learners."""

import abc
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError
from nbframework.parts.base import Part
from nbframework.parts.density import Density
from nbframework.parts.estimator import Estimator
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Rows, Training, reference_of
from nbframework.parts.structure import FittedFactoredStructure, FittedStructure, Structure
from nbframework.statistics.counts import Counts
from nbframework.statistics.leave_one_out import without_each

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

BLOCK_CELLS = 4_000_000
"""Upper bound on the numbers that one block of rows may need."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a weight learner may look at: the training rows and the factors that their structure gives them.

    Parameters
    ----------
    training
        Rows, classes, counts; cut into groups for local learning.
    structure
        The structure fitted on them.
    design
        The structure as it was before fitting, for fits without some of the rows.
    estimator, density
        The parts that it is fitted with.
    """

    training: Training
    structure: FittedFactoredStructure
    design: Structure
    estimator: Estimator
    density: Density

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the f factors."""
        return self.structure.labels

    @property
    def lead(self) -> tuple[int, ...]:
        """The leading axes of what is learned: () or (g,)."""
        return () if self.training.groups is None else (self.training.groups,)

    def log_prior(self) -> FloatArray:
        """Return (n, C) log prior of the training rows, each in its own group."""
        return self.structure.log_prior(self.training, self._group())

    def log_factors(self) -> FloatArray:
        """Return (n, C, f) log factors of the training rows, each in its own group."""
        return self.structure.log_factors(self.training, self._group())

    def blocks(self) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        """Yield (r,) rows with their (r, C) log priors and (r, C, f) log factors, as many as fit in memory."""
        group = self._group()
        for rows in _blocks(len(self.training), self.training.class_count * len(self.labels)):
            asked, own = self.training.take(rows), None if group is None else group[rows]
            yield rows, self.structure.log_prior(asked, own), self.structure.log_factors(asked, own)

    def of_group(self, index: int) -> "Evidence":
        """Return the evidence of one group, without groups."""
        if self.training.start is None:
            return self
        return replace(self, training=self.training.part_of(index), structure=_OneGroup(self.structure, index))

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        """Return the (n, C) log prior and (n, C, f) log factors of each row by the other rows of its group.

        The whole row is removed, whatever its weight. Where the structure reads nothing but counts, the row's are
        subtracted; else it is fitted n times. The factors stay those of the structure (attributes that it has joined
        remain joined), codes stay as they are, and so does what an estimator takes from the training set around a group
        (the ``reference`` of the counts).

        Raises
        ------
        EvaluationError
            Where a fit without a row has other factors.
        """
        fitted = self.structure.structure if isinstance(self.structure, _OneGroup) else self.structure
        training, design = self.training, self.design.with_factors_of(fitted)
        prior = np.empty((len(training), training.class_count))
        factors = np.empty((*prior.shape, len(self.labels)))
        adds = self.design.handles_groups and self.design.reads != "rows" and not len(training.measured_inputs)
        cells = training.class_count * int(training.source_codes.offset[-1])
        width = cells if adds else len(training) * (1 + len(training.inputs))
        for rows in _blocks(len(training), width if self.design.handles_groups else BLOCK_CELLS):
            left = self._counts_without(rows) if adds else self._rows_without(rows)
            group = None if left.start is None else np.arange(len(rows))
            without = self._with_these_factors(design.fit(left, self.estimator, self.density))
            asked = training.take(rows)
            prior[rows] = without.log_prior(asked, group)
            factors[rows] = without.log_factors(asked, group)
        return prior, factors

    def _with_these_factors(self, fitted: FittedStructure) -> FittedFactoredStructure:
        """Return the structure, or raise where its factors are others."""
        if isinstance(fitted, FittedFactoredStructure) and fitted.labels == self.labels:
            return fitted
        found = getattr(fitted, "labels", ())
        raise EvaluationError(
            f"structure {self.design.name!r} has the factors {found!r} where rows are left out, "
            f"expected those of all rows: {self.labels!r}"
        )

    def _group(self) -> IntArray | None:
        return None if self.training.start is None else self.training.group

    @cached_property
    def _raw(self) -> Counts:
        """The counts before the missing policy's denominators."""
        return replace(self.training, missing=FittedMissingPolicy()).counts

    def _counts_without(self, rows: IntArray) -> Training:
        """Return r groups without rows, whose counts are those of all rows but one."""
        training = self.training
        columns = training.codes.columns
        left = without_each(self._raw, columns, training.classes, training.weights, rows, self._group())
        cardinality = None if training.cardinality is None else left.cardinality
        start = np.zeros(len(rows) + 1, dtype=np.intp)
        reference = reference_of(training.reference, training.group[rows])
        return replace(training, known_counts=left, start=start, cardinality=cardinality, reference=reference)

    def _rows_without(self, rows: IntArray) -> Training:
        """Return r groups of the rows that are left; without groups where the structure takes one at a time."""
        training = self.training
        of_row = training.group
        border = np.array([0, len(training)]) if training.start is None else training.start
        others = [
            np.delete(np.arange(border[g], border[g + 1]), row - border[g])
            for row, g in zip(rows.tolist(), of_row[rows].tolist(), strict=True)
        ]
        start = np.zeros(len(rows) + 1, dtype=np.intp)
        np.cumsum([len(kept) for kept in others], out=start[1:])
        kept = np.concatenate(others)
        cardinality = training.cardinality
        left = replace(
            training,
            selection=kept if training.selection is None else training.selection[kept],
            class_codes=training.class_codes[kept],
            row_weights=None if training.row_weights is None else training.row_weights[kept],
            start=start,
            cardinality=cardinality[of_row[rows]] if cardinality is not None and cardinality.ndim > 1 else cardinality,
            reference=reference_of(training.reference, of_row[rows]),
            known_counts=None,
        )
        return left if self.design.handles_groups else left.part_of(0)


class _OneGroup(FittedFactoredStructure):
    """A structure fitted on groups, asked of one of them."""

    def __init__(self, structure: FittedFactoredStructure, index: int) -> None:
        self.labels = structure.labels
        self.structure, self._index = structure, index

    def in_factors(self, training: Training) -> Training | None:
        """Return the training rows of the group in its factors."""
        return self.structure.in_factors(training)

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log prior of the group."""
        del group
        return self.structure.log_prior(queries, self._all(queries))

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log factors of the group."""
        del group
        return self.structure.log_factors(queries, self._all(queries))

    def _all(self, queries: Rows) -> IntArray:
        return np.full(len(queries), self._index, dtype=np.intp)


def _blocks(rows: int, width: int) -> Iterator[IntArray]:
    size = max(1, BLOCK_CELLS // max(1, width))
    for first in range(0, rows, size):
        yield np.arange(first, min(first + size, rows))


@dataclass(frozen=True, kw_only=True)
class WeightLearner(Part):
    """Decides an exponent for each factor (and class).

    A learner whose exponents are all 1 says ``is_uniform = True`` and is never asked; one that cannot take attributes
    that stayed numeric says ``handles_measured = False``, and raises where there is one. ``sufficient`` says whether it
    reads no more of the evidence than counts, labels and attributes, or rows as well.
    """

    kind: ClassVar[str] = "weights"
    is_uniform: ClassVar[bool] = False
    handles_measured: ClassVar[bool] = True
    sufficient: ClassVar[Literal["counts", "rows"]] = "rows"

    @abc.abstractmethod
    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the exponents.

        Returns
        -------
        (..., 1, f), or (..., C, f) for weights of each class, with the leading axes of ``evidence.lead``; never
        (..., f).
        """
