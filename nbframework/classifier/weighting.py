"""Weights at work: exponents on the factors of a structure."""

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.rows import Rows
from nbframework.parts.structure import FittedFactoredStructure, FittedStructure

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def weighted_joint(
    structure: FittedStructure, weights: FloatArray | None, queries: Rows, group: IntArray | None
) -> FloatArray:
    """Return (q, C) log joint probabilities with every log factor multiplied by its weight; 0 x -inf is 0.

    Parameters
    ----------
    structure
        Fitted; factored where there are weights.
    weights
        (..., 1, f) or (..., C, f) with a leading axis for groups, or None where all are 1.
    queries
        q rows.
    group
        (q,) group of each row, or None without groups.
    """
    if weights is None:
        return structure.log_joint(queries, group)
    if not isinstance(structure, FittedFactoredStructure):
        raise TypeError("weights need a factored structure")
    factors = structure.log_factors(queries, group)
    exponents = weights if group is None else weights[group]
    with np.errstate(invalid="ignore"):
        products = np.where(exponents == 0, 0.0, exponents * factors)
    return np.asarray(structure.log_prior(queries, group) + products.sum(axis=-1))
