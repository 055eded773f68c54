"""Sums over classifiers that each depend on one parent besides the class."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BLOCK = 1_000_000
"""Terms that are held at a time."""


def parent_sums(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    tables: Sequence[Floats],
    start: Floats,
    log_weight: Floats,
    class_count: int,
) -> Floats:
    """Return the log of the sum over parents of weight times P(class, parent) times the product over the children.

    Parameters
    ----------
    columns
        a columns of q unsigned codes; each of them is a parent, and all are its children.
    offset
        (a + 1,) first cell of each column's block.
    tables
        For each parent (g, B, S) log P(child | class, parent) for its first g codes, the S - C classes behind the
        last one being padding, S a multiple of 4; 0 for what is no child.
    start
        (B, S) log P(class, parent) of each cell.
    log_weight
        (B,) log weight of the term in which the cell is the parent's; -inf where it is none, and for codes that a
        table does not have.
    class_count
        C.

    Returns
    -------
    (q, C), -inf where no term is.
    """
    rows = len(columns[0])
    sums = np.empty((rows, class_count))
    size = max(1, BLOCK // ((len(columns) + 1) * class_count))
    for first in range(0, rows, size):
        cells = [
            begin + column[first : first + size].astype(np.intp)
            for begin, column in zip(offset[:-1], columns, strict=True)
        ]
        terms = np.full((len(columns), len(cells[0]), class_count), -np.inf)
        for parent, cell in enumerate(cells):
            speaks = np.flatnonzero(log_weight[cell] > -np.inf)
            value, own = cell[speaks] - offset[parent], cell[speaks]
            term = start[own, :class_count]
            for child in cells:
                term += tables[parent][value, child[speaks], :class_count]
            terms[parent, speaks] = term + log_weight[own, np.newaxis]
        top = terms.max(axis=0)
        finite = np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            sums[first : first + size] = np.log(np.exp(terms - finite).sum(axis=0)) + finite
    return sums
