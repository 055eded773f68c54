"""Contingency tables of attributes against the class: what every estimator reads."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.data.codes import Codes

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Counts:
    """Weighted counts of C classes over a attributes; leading axes are free (folds, queries, parent values).

    Parameters
    ----------
    cells
        (..., C, B) weight of the rows of a class that have a value. The attributes stand side by side; the block
        of attribute j holds its v_j values, then *unseen* (always 0 in training), then *unknown*.
    offset
        (a + 1,) first cell of each block.
    class_weight
        (..., C) weight of the rows of each class.
    known
        (..., C, a) denominators as the missing policy decided them.
    cardinality
        (..., a) number of values as the missing policy decided it, at least 1 where the attribute has a value.
    support
        (..., C, B) integer numbers of rows where weights are fractional, else None: a cell is zero where its
        support is.
    reference
        The training-set table from which a local or a pair table was cut; None for the training-set table.
    log_class_weight
        (..., C) logarithm of ``class_weight`` where that underflows, else None.
    """

    cells: FloatArray
    offset: NDArray[np.intp]
    class_weight: FloatArray
    known: FloatArray
    cardinality: FloatArray
    support: NDArray[np.int64] | None = None
    reference: "Counts | None" = None
    log_class_weight: FloatArray | None = None

    @property
    def training(self) -> "Counts":
        """The training-set table: the reference, or this table where it is one itself."""
        return self if self.reference is None else self.reference

    @cached_property
    def attribute_of_cell(self) -> NDArray[np.intp]:
        """(B,) attribute to which each cell belongs."""
        return np.repeat(np.arange(len(self.offset) - 1), np.diff(self.offset))

    @property
    def unseen(self) -> NDArray[np.intp]:
        """(a,) cell of each attribute that stands for a value outside the training domain."""
        return self.offset[1:] - 2

    @property
    def unknown(self) -> NDArray[np.intp]:
        """(a,) cell of each attribute that stands for a missing value."""
        return self.offset[1:] - 1

    @cached_property
    def is_zero(self) -> NDArray[np.bool_]:
        """(..., C, B) whether no row at all stands behind a cell."""
        return np.asarray(self.cells == 0 if self.support is None else self.support == 0)

    @cached_property
    def total(self) -> FloatArray:
        """(...) weight of all rows."""
        return np.asarray(self.class_weight.sum(axis=-1))

    def per_cell(self, per_attribute: FloatArray) -> FloatArray:
        """Spread (..., a) to (..., B): each attribute's number over the cells of its block."""
        return np.asarray(per_attribute[..., self.attribute_of_cell])

    def skip_unknown(self, table: FloatArray) -> FloatArray:
        """Set the *unknown* cells of a (..., C, B) log table to 0, so that the factor is left out; in place."""
        table[..., self.unknown] = 0.0
        return table

    def sum_blocks(self, cells: FloatArray) -> FloatArray:
        """(..., a) sum of a (..., B) array over the value and unseen cells of each block."""
        if len(self.offset) == 1:
            return np.zeros((*cells.shape[:-1], 0))
        without_unknown = cells.copy()
        without_unknown[..., self.unknown] = 0
        return np.asarray(np.add.reduceat(without_unknown, self.offset[:-1], axis=-1))

    def subtract(self, other: "Counts") -> "Counts":
        """Return these counts without those of some of their rows (same layout).

        Denominators are subtracted as well; the number of values is kept.
        """
        cells, support = self.cells - other.cells, None
        if self.support is not None and other.support is not None:
            support = self.support - other.support
            cells = np.where(support == 0, 0.0, cells)
        return replace(
            self,
            cells=cells,
            class_weight=self.class_weight - other.class_weight,
            known=self.known - other.known,
            support=support,
        )


def count(
    codes: Codes,
    classes: NDArray[np.intp],
    class_count: int,
    weights: FloatArray | None = None,
    groups: int | None = None,
    rows: NDArray[np.intp] | None = None,
) -> Counts:
    """Count codes against classes.

    Parameters
    ----------
    codes
        n rows.
    classes
        (n,) class codes; with ``groups`` the code of class c in group g is ``g * class_count + c``.
    class_count
        C, the number of declared classes.
    weights
        (n,) row weights, or None for 1.
    groups
        Number of groups, which become one leading axis; None for no leading axis.
    rows
        (m,) indexes into the rows of ``codes``; ``classes`` and ``weights`` then have length m.

    Returns
    -------
    Counts whose denominators are the known rows and whose cardinality is the number of values of the codes.
    """
    total = class_count * (1 if groups is None else groups)
    lead = () if groups is None else (groups,)
    width = int(codes.offset[-1])
    cells = kernels.class_counts(codes.columns, codes.offset, classes, total, weights, rows)
    exact = weights is None or is_integral(weights)
    if exact and codes.columns:
        # each row has one code of the first attribute
        class_weight = cells[:, : int(codes.offset[1])].sum(axis=1)
    else:
        class_weight = np.bincount(classes, weights=weights, minlength=total).astype(np.float64)
    support = None
    if weights is not None and not exact:
        behind = (weights > 0).astype(np.float64)
        support = kernels.class_counts(codes.columns, codes.offset, classes, total, behind, rows).astype(np.int64)
        support = support.reshape(*lead, class_count, width)
    return from_cells(
        cells.reshape(*lead, class_count, width),
        codes.offset,
        class_weight.reshape(*lead, class_count),
        np.asarray(codes.cardinality, dtype=np.float64),
        support,
    )


def from_cells(
    cells: FloatArray,
    offset: NDArray[np.intp],
    class_weight: FloatArray,
    cardinality: FloatArray,
    support: NDArray[np.int64] | None = None,
) -> Counts:
    """Return counts whose denominators are the rows of each class that know the attribute."""
    counts = Counts(cells, offset, class_weight, cells[..., :0], cardinality, support)
    return replace(counts, known=counts.sum_blocks(cells))


def is_integral(weights: FloatArray) -> bool:
    """Whether all weights are whole numbers, so that sums of them are exact."""
    return bool(np.all(weights == np.floor(weights)))
