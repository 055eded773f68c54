"""Rows as the parts see them: prepared values, codes of what is nominal, numbers of what is not."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.codes import Codes
from nbframework.data.dataset import Dataset
from nbframework.statistics.counts import Counts, count
from nbframework.statistics.pairs import PairCounts

if TYPE_CHECKING:
    from nbframework.parts.missing import FittedMissingPolicy

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Rows:
    """r rows of a data set after the missing policy and the discretizer.

    Parameters
    ----------
    source
        The prepared data set (raw values).
    selection
        (r,) which rows of ``source`` these are, or None for all of them.
    source_codes
        Codes, for all rows of ``source``, of the c inputs that are nominal or became so by discretization.
    source_measured
        (n, d) values of the inputs that stayed numeric, NaN for unknown.
    coded_inputs, measured_inputs
        (c,) and (d,) positions of these attributes among the inputs of the data set.
    """

    source: Dataset
    selection: IntArray | None
    source_codes: Codes
    source_measured: FloatArray
    coded_inputs: IntArray
    measured_inputs: IntArray

    def __len__(self) -> int:
        return len(self.source) if self.selection is None else len(self.selection)

    @cached_property
    def dataset(self) -> Dataset:
        """The rows with their raw (prepared) values."""
        return self.source if self.selection is None else self.source.take(self.selection)

    @cached_property
    def codes(self) -> Codes:
        """Codes of the r rows over the c coded inputs."""
        return self.source_codes if self.selection is None else self.source_codes.take(self.selection)

    @cached_property
    def measured(self) -> FloatArray:
        """(r, d) values of the inputs that stayed numeric."""
        return self.source_measured if self.selection is None else self.source_measured[self.selection]

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        """The a input attributes."""
        return self.source.inputs

    def take(self, rows: Any) -> "Rows":
        """Return some of the rows (indexes, a mask or a slice)."""
        selection = np.arange(len(self.source))[rows] if self.selection is None else self.selection[rows]
        return Rows(
            self.source,
            selection,
            self.source_codes,
            self.source_measured,
            self.coded_inputs,
            self.measured_inputs,
        )


@dataclass(frozen=True, eq=False)
class Training(Rows):
    """The n rows that a part learns from; with ``start`` they are cut into groups, one for each query.

    Parameters
    ----------
    class_codes
        (n,) class codes below ``class_count``, of any integer type; `classes` has them ready for arithmetic.
    class_count
        C, the number of declared classes.
    row_weights
        (n,) row weights above 0, or None where all are 1.
    missing
        The fitted missing policy, which decides the denominators.
    start
        (g + 1,) borders of the groups, or None for one global training set. Statistics of groups have a leading
        axis g.
    cardinality
        (g, c) number of values of each attribute in each group where groups discretize for themselves (the codes are
        then padded to the largest of them), (c,) for one such group or where all have the same, else None.
    reference
        The counts of the whole training set where these rows are groups of it: (C, B) for all groups, or (g, C, B)
        where groups discretize for themselves; (C, B) for one such group.
    known_counts
        The counts where they are known already, before the policy's denominators.
    known_pairs
        The counts of all pairs of values where they are known already; a training set without rows has them where the
        structure takes no less.
    """

    class_codes: NDArray[Any]
    class_count: int
    row_weights: FloatArray | None
    missing: "FittedMissingPolicy"
    start: IntArray | None = None
    cardinality: FloatArray | None = None
    reference: Counts | None = None
    known_counts: Counts | None = None
    known_pairs: PairCounts | None = None

    @property
    def groups(self) -> int | None:
        """Number of groups, or None for one global training set."""
        return None if self.start is None else len(self.start) - 1

    @cached_property
    def group(self) -> IntArray:
        """(n,) group of each row; all 0 without groups."""
        if self.start is None:
            return np.zeros(len(self), dtype=np.intp)
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    @cached_property
    def classes(self) -> IntArray:
        """(n,) class codes."""
        return self.class_codes.astype(np.intp, copy=False)

    @cached_property
    def weights(self) -> FloatArray:
        """(n,) row weights."""
        return np.ones(len(self)) if self.row_weights is None else self.row_weights

    @cached_property
    def counts(self) -> Counts:
        """Contingency tables of the coded inputs, (C, B) or (g, C, B)."""
        raw = self.known_counts
        if raw is None:
            classes = self.class_codes if self.start is None else self.group * self.class_count + self.classes
            rows = self.selection
            raw = count(self.source_codes, classes, self.class_count, self.row_weights, self.groups, rows)
        if self.cardinality is not None:
            raw = replace(raw, cardinality=self.cardinality)
        return self.missing.denominators(replace(raw, reference=self.reference))

    def part_of(self, group: int) -> "Training":
        """Return the rows of one group as a training set without groups, with its reference."""
        if self.start is None:
            return self
        rows, cardinality = np.arange(self.start[group], self.start[group + 1]), self.cardinality
        taken = self.take(rows)
        return Training(
            taken.source,
            taken.selection,
            taken.source_codes,
            taken.source_measured,
            taken.coded_inputs,
            taken.measured_inputs,
            self.class_codes[rows],
            self.class_count,
            None if self.row_weights is None else self.row_weights[rows],
            self.missing,
            cardinality=cardinality[group] if cardinality is not None and cardinality.ndim > 1 else cardinality,
            reference=reference_of(self.reference, group),
        )


def reference_of(reference: Counts | None, group: int | IntArray) -> Counts | None:
    """Return the reference of one group, or (r, C, B) of r groups; what all groups share stays as it is."""
    return reference if reference is None or reference.class_weight.ndim == 1 else counts_at(reference, group)


def counts_at(counts: Counts, place: int | IntArray | tuple[int, ...]) -> Counts:
    """Return the counts at one place of the leading axes, or at several of the first one."""
    log_weight, reference = counts.log_class_weight, counts.reference
    if reference is not None and reference.class_weight.ndim > 1:
        reference = counts_at(reference, place)
    return replace(
        counts,
        cells=counts.cells[place],
        class_weight=counts.class_weight[place],
        known=counts.known[place],
        cardinality=counts.cardinality[place] if counts.cardinality.ndim > 1 else counts.cardinality,
        support=None if counts.support is None else counts.support[place],
        reference=reference,
        log_class_weight=None if log_weight is None else log_weight[place],
    )
