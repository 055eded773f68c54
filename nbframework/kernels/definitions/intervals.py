"""The interval of each value between cut points."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def interval_codes(values: Floats, cuts: Floats, unknown: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the number of cut points below each value.

    Parameters
    ----------
    values
        (n,) numbers, NaN where unknown.
    cuts
        (k,) ascending cut points; a value equal to one is below it.
    unknown
        The code of an unknown value.
    kind
        The unsigned type of the codes, which holds k and ``unknown``.

    Returns
    -------
    (n,) codes of that type.
    """
    codes = np.searchsorted(cuts, values, side="left").astype(kind)
    codes[np.isnan(values)] = unknown
    return codes
