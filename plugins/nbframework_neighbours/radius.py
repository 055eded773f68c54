"""Neighbourhood radius: all rows within a distance."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Distance,
    FittedNeighbourhood,
    Ge,
    Neighbourhood,
    Neighbours,
    Rows,
    Training,
    hookimpl,
)
from nbframework_neighbours.heterogeneous_euclidean import HETEROGENEOUS_EUCLIDEAN
from nbframework_neighbours.search import Search
from nbframework_neighbours.searched_rows import Attributes


@dataclass(frozen=True, kw_only=True)
class Radius(Neighbourhood):
    """Let all training rows within a distance speak, each as loudly as its own weight.

    A query without any such row gets the class frequencies of the training set.

    Parameters
    ----------
    radius
        The largest distance, itself included.
    distance
        How far two rows are apart; with overlap the radius is a number of differing attributes.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.
    tie_tolerance
        Relative difference up to which a distance equals the radius.

    References
    ----------
    Fix & Hodges (1951), Discriminatory analysis: nonparametric discrimination.
    """

    name: ClassVar[str] = "radius"
    cite: ClassVar[str] = "Fix & Hodges 1951"
    radius: Annotated[float, Ge(0)] = 1.0
    distance: Distance = HETEROGENEOUS_EUCLIDEAN
    attributes: Attributes = "raw"
    tie_tolerance: Annotated[float, Ge(0)] = 1e-12

    def fit(self, training: Training) -> "FittedRadius":
        """Prepare the search."""
        return FittedRadius(training, self)


class FittedRadius(FittedNeighbourhood):
    """Training rows to search."""

    def __init__(self, training: Training, part: Radius) -> None:
        super().__init__(training)
        self.limit = part.radius * (1.0 + part.tie_tolerance)
        self.search = Search(part.distance, training, part.attributes)

    def around(self, queries: Rows) -> Neighbours:
        """Return the rows within the radius, in the order of the training set; none for a query without any."""
        start = np.zeros(len(queries) + 1, dtype=np.intp)
        rows = [np.empty(0, dtype=np.intp)]
        for block, distance in self.search.distances(queries):
            inside = distance <= self.limit
            start[1:][block] = np.count_nonzero(inside, axis=1)
            rows.append(np.nonzero(inside)[1])
        row = np.concatenate(rows)
        return Neighbours(np.cumsum(start), row, np.zeros(len(row)))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [Radius]
