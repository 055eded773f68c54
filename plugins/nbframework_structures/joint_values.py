"""Groups of attributes as one attribute each, whose values are the combinations of theirs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Codes, FloatArray, Training
from nbframework_structures.parented import Combinations, Parents


@dataclass(frozen=True, eq=False)
class Joining:
    """How codes of attributes become codes of groups of attributes.

    A group's values are the combinations that occur in the training rows; any other combination is unseen, and one
    with an unknown value is unknown.

    Parameters
    ----------
    groups
        The attributes of each group.
    combinations
        Those of each group that occur.
    """

    groups: tuple[Parents, ...]
    combinations: tuple[Combinations, ...]

    @classmethod
    def of(cls, codes: Codes, groups: Sequence[Parents]) -> "Joining":
        """Find the combinations that occur."""
        found = [Combinations.of(codes, group, np.flatnonzero(known_in(codes, group))) for group in groups]
        return cls(tuple(groups), tuple(found))

    def codes(self, codes: Codes) -> Codes:
        """Return the codes of the groups."""
        columns = []
        for group, combinations in zip(self.groups, self.combinations, strict=True):
            known = np.flatnonzero(known_in(codes, group))
            column = np.full(len(codes), len(combinations) + 1, dtype=np.uint32)
            column[known] = combinations.place(codes.columns, known)
            columns.append(column)
        return Codes(tuple(columns), tuple(len(combinations) for combinations in self.combinations), len(codes))


def known_in(codes: Codes, attributes: Parents) -> NDArray[np.bool_]:
    """Return (q,) whether a row knows all of some attributes."""
    known = np.ones(len(codes), dtype=bool)
    for attribute in attributes:
        known &= codes.columns[attribute] <= codes.cardinality[attribute]
    return known


def joined_training(training: Training, joining: Joining) -> Training:
    """Return the training rows with a group of attributes in the place of each attribute.

    The number of values of a group is the product of its attributes'.
    """
    size = np.asarray(training.source_codes.cardinality if training.cardinality is None else training.cardinality)
    joined = replace(
        training,
        source=training.dataset,
        selection=None,
        source_codes=joining.codes(training.codes),
        source_measured=training.measured,
        coded_inputs=np.arange(len(joining.groups)),
        cardinality=np.array([np.prod(size[list(group)], dtype=float) for group in joining.groups]),
        known_counts=None,
        reference=None,
    )
    if training.reference is None:
        return joined
    # joined cells of the whole training set are not there; its class weights are
    return replace(joined, reference=replace(joined.counts, class_weight=training.reference.class_weight))


def reliable(training: Training, joined: Training, index: int, group: Parents, least: float) -> NDArray[np.bool_]:
    """Return (g + 2,) whether the frequencies of a combination are trusted more than those of its single values.

    P(C | J) given the combination J, and P(C) times the product of P(C | J_i) / P(C) over its values J_i, differ by
    d = sum_c P(c) |difference|. By Chebyshev's theorem the frequencies of N rows lie within d of the truth with a
    probability of at least 1 - sum_c P(c)^2 P(c | J) (1 - P(c | J)) / (d^2 N); they are trusted where that exceeds
    ``least``. Unseen and unknown combinations are not.

    Parameters
    ----------
    training
        n rows.
    joined
        The same rows with groups of attributes.
    index
        Which of the groups.
    group
        Its attributes.
    least
        A probability.
    """
    counts, column = joined.counts, joined.codes.columns[index]
    prior = (counts.class_weight / counts.total)[:, np.newaxis]
    cells = counts.cells[:, counts.offset[index] : counts.unseen[index]]
    together, apart = _shares(cells), np.repeat(prior, cells.shape[1], axis=1)
    example = np.unique(column, return_index=True)[1][: cells.shape[1]]
    for attribute in group:
        value = training.counts.offset[attribute] + training.codes.columns[attribute][example].astype(np.intp)
        apart = apart * _shares(training.counts.cells[:, value]) / np.where(prior > 0, prior, 1.0)
    difference = (prior * np.abs(together - apart)).sum(axis=0)
    spread = (prior**2 * together * (1.0 - together)).sum(axis=0)
    trusted = (difference > 1e-12) & (spread < (1.0 - least) * difference**2 * cells.sum(axis=0))
    return np.append(trusted, [False, False])


def _shares(cells: FloatArray) -> FloatArray:
    """Return (C, g) P(class | value) of relative frequencies."""
    return np.asarray(cells / np.maximum(cells.sum(axis=0), np.finfo(float).tiny))
