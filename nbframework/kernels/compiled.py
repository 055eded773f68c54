"""The compiled kernels as their definitions are called: results are made here and filled by the extension.

Codes, classes, offsets and row indexes go there as they are, whatever their integer type and stride. What does not
fit together raises a ValueError or a TypeError there.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels import _compiled
from nbframework.kernels.definitions.arff import PlainRows, code_dtype
from nbframework.kernels.definitions.ascent import conditional_likelihood_ascent as conditional_likelihood_ascent
from nbframework.kernels.definitions.cuts import Criterion
from nbframework.kernels.definitions.pairs import group_scores as group_scores

Floats = NDArray[np.float64]


def class_counts(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    rows: NDArray[np.intp] | None = None,
) -> Floats:
    """Count as `definitions.class_counts`."""
    cells = np.zeros((class_count, int(offset[-1])))
    _compiled.class_counts(tuple(columns), offset, classes, _floats(weights), rows, cells)
    return cells


def pair_counts(
    columns: Sequence[NDArray[Any]],
    first: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    rows: NDArray[np.intp] | None = None,
) -> Floats:
    """Count as `definitions.pair_counts`."""
    width = int(first[-1])
    table = np.zeros((class_count, width, width))
    _compiled.pair_counts(tuple(columns), first, classes, _floats(weights), rows, table)
    return table


def log_scores(columns: Sequence[NDArray[Any]], offset: NDArray[np.intp], table: Floats, start: Floats) -> Floats:
    """Add up as `definitions.log_scores`."""
    scores = np.empty((len(columns[0]) if len(columns) else 0, len(start)))
    _compiled.log_scores(tuple(columns), offset, _floats(table), _floats(start), scores)
    return scores


def entropy_cuts(
    values: Floats,
    classes: NDArray[Any],
    class_count: int,
    weights: Floats | None = None,
    criterion: Criterion = "fayyad-irani",
    count_boundaries: bool = False,
) -> Floats:
    """Find cut points as `definitions.entropy_cuts`."""
    kononenko = criterion != "fayyad-irani"
    cuts = _compiled.entropy_cuts(
        _floats(values), classes, class_count, _floats(weights), kononenko, count_boundaries, math.lgamma
    )
    return np.sort(np.array(cuts, dtype=np.float64))


def arff_rows(data: str | bytes, values: Sequence[Sequence[str] | None], start: int = 0) -> PlainRows:
    """Read rows as `definitions.arff_rows`."""
    most = _compiled.arff_lines(data, start)
    columns = tuple(np.empty(most, np.float64 if known is None else code_dtype(len(known))) for known in values)
    encoded = tuple(None if known is None else tuple(value.encode() for value in known) for known in values)
    rows, position = _compiled.arff_rows(data, start, encoded, columns)
    return PlainRows([_shortened(column, rows) for column in columns], rows, position)


def _floats(array: Any) -> Any:
    return None if array is None else np.ascontiguousarray(array, dtype=np.float64)


def _shortened(column: NDArray[Any], rows: int) -> NDArray[Any]:
    """Return the first rows, in an array of their own where much would be left over."""
    return column[:rows] if rows > 0.9 * len(column) else column[:rows].copy()
