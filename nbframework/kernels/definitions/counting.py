"""Weighted contingency tables of many nominal columns against one grouping."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def class_counts(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: NDArray[np.float64] | None = None,
    rows: NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Count how often each code of each column occurs in each class.

    Parameters
    ----------
    columns
        a columns of n unsigned codes; the codes of column j are below ``offset[j + 1] - offset[j]``.
    offset
        (a + 1,) first cell of each column's block; B = ``offset[-1]``.
    classes
        (n,) class codes below ``class_count``.
    weights
        (n,) weight of each row, or None for 1.
    rows
        (m,) row indexes into the columns, repetition allowed; ``classes`` and ``weights`` then have length m.

    Returns
    -------
    (C, B) sums of weights, exact for integer weights.
    """
    cells = np.zeros((class_count, int(offset[-1])))
    group = classes.astype(np.intp)
    for j, column in enumerate(columns):
        block = int(offset[j + 1] - offset[j])
        codes = column if rows is None else column[rows]
        sums = np.bincount(group * block + codes, weights=weights, minlength=class_count * block)
        cells[:, offset[j] : offset[j + 1]] = sums.reshape(class_count, block)
    return cells
