"""The grid that Weka rounds numeric attributes to."""

import numpy as np

from nbframework.authoring import FloatArray

FLOOR = 1e-75
"""The least likelihood of a factor."""


def precision(values: FloatArray) -> float:
    """Return the mean gap between distinct known values, 0.01 where there are fewer than two."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return 0.01
    return float(np.cumsum(np.diff(distinct))[-1] / (len(distinct) - 1))


def on_grid(values: FloatArray, step: FloatArray | float) -> FloatArray:
    """Return the values rounded to the grid, half to even."""
    return np.rint(values / step) * step


def log_floored(likelihood: FloatArray) -> FloatArray:
    """Return the log of the likelihood, which Weka never lets fall below 1e-75."""
    return np.log(np.maximum(likelihood, FLOOR))
