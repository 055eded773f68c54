"""Information measures of attributes from contingency tables; unknown values are left out of the tables."""

import numpy as np

from nbframework.authoring import Counts, FloatArray, IntArray, entropy, mutual_information

ZERO = 1e-12
"""Bits below which information is rounding."""


def gain_and_split(counts: Counts) -> tuple[FloatArray, FloatArray]:
    """Return the information gain and the split entropy of each attribute, both (..., a), in bits.

    Both are of the rows that know the attribute; the gain is multiplied by their share of all rows (Quinlan 1993).
    """
    gain = np.zeros((*counts.cells.shape[:-2], len(counts.offset) - 1))
    split = np.zeros_like(gain)
    total = counts.class_weight.sum(axis=-1)
    for j, first in enumerate(counts.offset[:-1]):
        table = counts.cells[..., first : counts.unseen[j]]
        share = table.sum(axis=(-2, -1)) / np.where(total > 0, total, 1.0)
        gain[..., j] = share * mutual_information(table)
        split[..., j] = entropy(table.sum(axis=-2))
    return np.where(gain > ZERO, gain, 0.0), np.where(split > ZERO, split, 0.0)


def symmetrical_uncertainties(table: FloatArray, offset: IntArray) -> FloatArray:
    """Return 2 I(X; Y_j) / (H(X) + H(Y_j)) for each of the f attributes side by side, 0 where both are constant.

    Parameters
    ----------
    table
        (X, B) counts of X against the values of each attribute; cells that are not to count are 0.
    offset
        (f + 1,) first cell of each attribute's block.
    """
    first = offset[:-1]
    of_x = np.add.reduceat(table, first, axis=1)
    total = of_x.sum(axis=0)
    logs = _x_log2_x(total)
    both = np.add.reduceat(_x_log2_x(table).sum(axis=0), first)
    x = _x_log2_x(of_x).sum(axis=0)
    y = np.add.reduceat(_x_log2_x(table.sum(axis=0)), first)
    entropies = (2.0 * logs - x - y) / np.where(total > 0, total, 1.0)
    information = (logs - x - y + both) / np.where(total > 0, total, 1.0)
    some = entropies > ZERO
    return np.where(some, 2.0 * np.maximum(information, 0.0) / np.where(some, entropies, 1.0), 0.0)


def _x_log2_x(x: FloatArray) -> FloatArray:
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))
