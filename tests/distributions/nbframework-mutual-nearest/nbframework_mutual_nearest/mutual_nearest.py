"""Neighbourhood mutual-nearest: rows that are near the query, and have no nearer company themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Distance,
    FittedNeighbourhood,
    FloatArray,
    Ge,
    Neighbourhood,
    Neighbours,
    Rows,
    Training,
    hookimpl,
)

BLOCK_CELLS = 4_000_000
"""Distances that are held at a time."""
ROUNDING = 1e-12
"""Relative difference up to which two distances are equal, so that rounding breaks no tie."""


@dataclass(frozen=True, kw_only=True)
class MutualNearest(Neighbourhood):
    """Let those of the k nearest training rows speak that would have the query among their own k nearest, too.

    A row's own neighbours are the other training rows and the query. Rows that are tied with the k-th count as near,
    on either side. Where no row is a neighbour in both directions, all of the k nearest speak. Rows are counted,
    whatever their weights.

    Parameters
    ----------
    k
        How many rows are near.
    distance
        How far two rows are apart.

    References
    ----------
    Gowda & Krishna (1979), The condensed nearest neighbor rule using the concept of mutual nearest neighborhood.
    """

    name: ClassVar[str] = "mutual-nearest"
    cite: ClassVar[str] = "Gowda & Krishna 1979"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "k counts rows, whatever their weights"}
    )
    k: Annotated[int, Ge(1)] = 20
    distance: Distance

    def fit(self, training: Training) -> FittedNeighbourhood:
        """Find how far each training row looks."""
        return FittedMutualNearest(training, self)


class FittedMutualNearest(FittedNeighbourhood):
    """The training rows, and the (n,) distance of each to the k-th nearest of the others."""

    def __init__(self, training: Training, part: MutualNearest) -> None:
        super().__init__(training)
        self.k = part.k
        self.distance = part.distance.fit(training)
        self.block = max(1, BLOCK_CELLS // max(1, len(training)))
        reach = [np.empty(0)]
        for first in range(0, len(training), self.block):
            distance = self.distance.between(training.take(slice(first, first + self.block)))
            own = np.arange(len(distance))
            distance[own, first + own] = np.inf
            reach.append(self._kth(distance))
        self.reach = np.concatenate(reach)

    def around(self, queries: Rows) -> Neighbours:
        """Return the mutual neighbours of each query, block by block."""
        counts, rows = [np.zeros(1, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
        for first in range(0, len(queries), self.block):
            distance = self.distance.between(queries.take(slice(first, first + self.block)))
            near = _within(distance, self._kth(distance)[:, np.newaxis])
            mutual = near & _within(distance, self.reach)
            chosen = np.where(mutual.any(axis=1, keepdims=True), mutual, near)
            counts.append(np.count_nonzero(chosen, axis=1))
            rows.append(np.nonzero(chosen)[1])
        start, row = np.cumsum(np.concatenate(counts)), np.concatenate(rows)
        return Neighbours(start, row, np.zeros(len(row)))

    def _kth(self, distance: FloatArray) -> FloatArray:
        """Return the k-th smallest of each row of (q, n) distances, the largest where there are fewer."""
        place = min(self.k, distance.shape[1]) - 1
        return np.asarray(np.partition(distance, place, axis=1)[:, place])


def _within(distance: FloatArray, limit: FloatArray) -> np.ndarray:
    return np.asarray(distance <= limit * (1 + ROUNDING))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [MutualNearest]
