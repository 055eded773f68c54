"""The compiled kernels of trees, called as those in `compiled`, which has them too."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels import _compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def node_cuts(
    node: Ints,
    values: Floats,
    classes: NDArray[Any],
    weights: Floats,
    amounts: Floats,
    class_count: int,
    total: Floats,
    minimum: float,
    share: float,
    most: float,
    closest: float,
    tolerance: float,
) -> Floats:
    """Judge as `definitions.node_cuts`."""
    found = np.empty((6, len(total)))
    given = node, _floats(values), classes, _floats(weights), _floats(amounts), class_count, _floats(total)
    _compiled.node_cuts(*given, minimum, share, most, closest, tolerance, found)
    return found


def tree_sums(
    attribute: Ints,
    cut: Floats,
    first_child: Ints,
    branches: Ints,
    share: Floats,
    columns: Sequence[NDArray[Any]],
    rows: int,
    slack: float,
    table: Floats,
) -> Floats:
    """Add up as `definitions.tree_sums`."""
    sums = np.empty((rows, table.shape[1]))
    given = attribute, _floats(cut), first_child, branches, _floats(share)
    tested = tuple(column if column.dtype.kind in "biu" else _floats(column) for column in columns)
    _compiled.tree_sums(*given, tested, slack, _floats(table), sums)
    return sums


def _floats(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float64)
