"""What the structures count: all attributes given one of them, and each attribute jointly with the class."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nbframework.authoring import (
    Counts,
    Dataset,
    Estimator,
    FloatArray,
    IntArray,
    PairCounts,
    Structure,
    Training,
    count_given,
    count_pairs,
    pair_table_bytes,
)

LARGEST_TABLE = 256 * 2**20
"""Bytes that a table over all pairs of values may take; beyond it each parent is counted in a pass of its own."""


@dataclass(frozen=True, eq=False)
class ParentCounts:
    """The counts of a training set given the values of any one attribute.

    Parameters
    ----------
    training
        n rows without groups.
    pairs
        The table of all pairs, or None where it would exceed `LARGEST_TABLE`.
    """

    training: Training
    pairs: PairCounts | None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know: the table's size where it does not fit, and what is done instead."""
        if self.pairs is not None:
            return ()
        return notes_of_table(self.training.source_codes.cardinality, self.training.class_count)

    @classmethod
    def of(cls, training: Training) -> "ParentCounts":
        """Count all pairs at once where they fit, unless they are known."""
        if training.known_pairs is not None:
            return cls(training, training.known_pairs)
        codes = training.source_codes
        if pair_table_bytes(codes.cardinality, training.class_count) > LARGEST_TABLE:
            return cls(training, None)
        pairs = count_pairs(codes, training.classes, training.class_count, training.row_weights, training.selection)
        return cls(training, pairs)

    def raw(self, parent: int, values: IntArray | None = None) -> Counts:
        """Return the counts given the parent's v values and *unseen*, or some of these codes, as they were counted."""
        if self.pairs is not None:
            counts = self.pairs.given(parent)
            return counts if values is None else of_values(counts, values)
        training = self.training
        return count_given(
            training.source_codes,
            parent,
            training.classes,
            training.class_count,
            training.row_weights,
            training.selection,
            values,
        )

    def given(self, parent: int, values: IntArray | None = None) -> Counts:
        """Return the counts given the parent's values, with the missing policy's denominators.

        Parameters
        ----------
        parent
            The attribute that the others depend on.
        values
            (g,) some of its codes, which become the leading axis; None for all v + 1.
        """
        return with_policy(self.training, self.raw(parent, values))


@dataclass(frozen=True, kw_only=True)
class PairStructure(Structure):
    """A structure that counts all pairs of values."""

    def announced(self, schema: Dataset) -> tuple[str, ...]:
        """Return the size of the table where it will not fit, and what is done instead."""
        cardinality = [attribute.cardinality if attribute.is_nominal else 1 for attribute in schema.inputs]
        least = not all(attribute.is_nominal for attribute in schema.inputs)
        return notes_of_table(cardinality, len(schema.class_values), least)


def notes_of_table(cardinality: Sequence[int], class_count: int, least: bool = False) -> tuple[str, ...]:
    """Return a note where the table of all pairs of values exceeds `LARGEST_TABLE`; ``least`` it takes at least."""
    size = pair_table_bytes(cardinality, class_count)
    if size <= LARGEST_TABLE:
        return ()
    takes = f"{'at least ' if least else ''}{size / 2**20:,.0f} MiB"
    return (
        f"the table of all pairs of values would take {takes}, more than {LARGEST_TABLE // 2**20}: "
        f"its {len(cardinality):,} attributes are counted one after the other, in as many passes over the rows",
    )


def with_policy(training: Training, counts: Counts) -> Counts:
    """Return counts of all attributes with the training set's reference and the missing policy's denominators."""
    cardinality = counts.cardinality if training.cardinality is None else training.cardinality
    return training.missing.denominators(replace(counts, cardinality=cardinality, reference=training.counts.training))


def of_values(counts: Counts, values: IntArray) -> Counts:
    """Return the counts at some places of the leading axis."""
    return replace(
        counts,
        cells=counts.cells[values],
        class_weight=counts.class_weight[values],
        known=counts.known[values],
        support=None if counts.support is None else counts.support[values],
    )


def log_joint_with_class(estimator: Estimator, counts: Counts) -> FloatArray:
    """Return (C, B) log P(class, value): class and value together estimated like one attribute of C v values.

    *Unseen* is a pair that never occurred, of whichever class; *unknown* is 0.
    """
    place = _place_of_pair(counts)
    return np.asarray(estimator.log_conditional(_class_and_value(counts, place))[0, place])


def _class_and_value(counts: Counts, place: IntArray) -> Counts:
    """Return a table of one class in which attribute j has C v_j values: the classes' values side by side."""
    classes = counts.class_weight.shape[-1]
    size = classes * (np.diff(counts.offset) - 2) + 2
    offset = np.concatenate([[0], np.cumsum(size)]).astype(np.intp)
    cells = np.zeros((1, int(offset[-1])))
    cells[0, place] = counts.cells
    cells[0, offset[1:] - 1] = counts.cells[:, counts.unknown].sum(axis=0)
    support = None
    if counts.support is not None:
        support = np.zeros(cells.shape, dtype=np.int64)
        support[0, place] = counts.support
    return Counts(
        cells,
        offset,
        counts.class_weight.sum(axis=-1, keepdims=True),
        counts.known.sum(axis=-2, keepdims=True),
        classes * counts.cardinality,
        support,
        None if counts.reference is None else _class_and_value(counts.reference, place),
    )


def _place_of_pair(counts: Counts) -> IntArray:
    """Return (C, B) cells of the joint table: of each class and value, and for each block of unseen and unknown."""
    classes = counts.class_weight.shape[-1]
    size = np.diff(counts.offset) - 2
    first = np.concatenate([[0], np.cumsum(classes * size + 2)])[:-1]
    of_cell = counts.attribute_of_cell
    code = np.arange(int(counts.offset[-1])) - counts.offset[of_cell]
    own = size[of_cell]
    of_class = np.arange(classes)[:, np.newaxis]
    return np.asarray(first[of_cell] + np.where(code < own, of_class * own + code, (classes - 1) * own + code))
