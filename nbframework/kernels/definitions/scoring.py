"""Sums of table entries picked by the codes of many rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def log_scores(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    table: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Add up, for each row and class, the table entries of the row's codes.

    Parameters
    ----------
    columns
        a columns of q unsigned codes.
    offset
        (a + 1,) first cell of each column's block.
    table
        (C, B) log probabilities; -inf is an exact zero.
    start
        (C,) log prior that each sum starts from.

    Returns
    -------
    (q, C) sums, added in the order of the columns.
    """
    rows = len(columns[0]) if len(columns) else 0
    by_cell = np.ascontiguousarray(table.T)
    total = np.repeat(start[np.newaxis, :], rows, axis=0)
    for j, column in enumerate(columns):
        total += by_cell[offset[j] + column.astype(np.intp)]
    return total
