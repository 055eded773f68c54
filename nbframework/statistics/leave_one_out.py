"""Counts without one row, for many rows at once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def without_each(
    raw: Counts,
    columns: Sequence[NDArray[Any]],
    classes: IntArray,
    weights: FloatArray,
    rows: IntArray,
    group: IntArray | None = None,
) -> Counts:
    """Return (r, C, B) counts, each without one of the rows, whatever its weight.

    Parameters
    ----------
    raw
        The counts of all rows, (C, B), or (g, C, B) with ``group``; denominators are the known rows.
    columns
        The code columns of all n rows.
    classes, weights
        (n,) classes and weights of all rows.
    rows
        (r,) the rows to leave out.
    group
        (n,) the group of each row; a row is then taken out of its own group's counts, and ``raw.reference`` stays.
    """
    lead = np.arange(len(rows))
    own = np.zeros(len(rows), dtype=np.intp) if group is None else group[rows]
    cells, class_weight, known = (
        (array[np.newaxis] if group is None else array)[own] for array in (raw.cells, raw.class_weight, raw.known)
    )
    support = None
    if raw.support is not None:
        support = (raw.support[np.newaxis] if group is None else raw.support)[own]
    own_classes, own_weights = classes[rows], weights[rows]
    class_weight[lead, own_classes] -= own_weights
    for j, column in enumerate(columns):
        codes = column[rows].astype(np.intp)
        cells[lead, own_classes, raw.offset[j] + codes] -= own_weights
        is_known = codes <= raw.offset[j + 1] - raw.offset[j] - 2
        known[lead, own_classes, j] -= np.where(is_known, own_weights, 0.0)
        if support is not None:
            support[lead, own_classes, raw.offset[j] + codes] -= 1
    if support is not None:
        # a difference of sums of fractional weights is no exact zero
        cells[support == 0] = 0.0
        class_count = raw.class_weight.shape[-1]
        key = classes if group is None else group * class_count + classes
        alone = np.bincount(key)[key[rows]] == 1
        class_weight[lead[alone], own_classes[alone]] = 0.0
    return replace(
        raw,
        cells=cells,
        class_weight=class_weight,
        known=known,
        support=support,
        cardinality=raw.cardinality[own] if raw.cardinality.ndim > 1 else raw.cardinality,
    )
