"""Neighbourhood nearest: the k nearest rows, all equally loud."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Distance,
    FittedNeighbourhood,
    Ge,
    IntArray,
    Neighbourhood,
    Neighbours,
    Rows,
    Training,
    hookimpl,
)
from nbframework_neighbours.heterogeneous_euclidean import HETEROGENEOUS_EUCLIDEAN
from nbframework_neighbours.search import NearRows, Search, Ties
from nbframework_neighbours.searched_rows import Attributes


@dataclass(frozen=True, kw_only=True)
class Nearest(Neighbourhood):
    """Let the k nearest training rows speak, each as loudly as its own weight.

    Rows are counted, whatever their weights, so that a row of weight 2 is one neighbour where the row given twice is
    two. Where k exceeds the number of training rows, all of them speak.

    Parameters
    ----------
    k
        Number of neighbours.
    ties
        keep: all rows as near as the k-th speak, whatever their order; first: exactly k do, of the tied ones those
        that come first in the training set, so that the order of the rows matters.
    distance
        How far two rows are apart.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.
    tie_tolerance
        Relative difference up to which two squared distances are equal, so that rounding breaks no tie; 0 compares
        exactly.

    References
    ----------
    Cover & Hart (1967), Nearest neighbor pattern classification; Zhang et al. (2018), equation 4.
    """

    name: ClassVar[str] = "nearest"
    cite: ClassVar[str] = "Cover & Hart 1967"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "k counts rows, whatever their weights"}
    )
    k: Annotated[int, Ge(1)] = 50
    ties: Ties = "keep"
    distance: Distance = HETEROGENEOUS_EUCLIDEAN
    attributes: Attributes = "raw"
    tie_tolerance: Annotated[float, Ge(0)] = 1e-12

    def fit(self, training: Training) -> "FittedNearest":
        """Prepare the search."""
        return FittedNearest(training, self)


class FittedNearest(FittedNeighbourhood):
    """Training rows to search; `near` serves every k up to the one that it is asked for."""

    def __init__(self, training: Training, part: Nearest) -> None:
        super().__init__(training)
        self.part = part
        self.search = Search(part.distance, training, part.attributes)

    def near(self, queries: Rows, k: int, left_out: IntArray | None = None) -> NearRows:
        """Return at least the k nearest rows of each query; ``left_out`` (q,) names one that is none."""
        return self.search.nearest(queries, k, self.part.tie_tolerance, left_out)

    def around(self, queries: Rows) -> Neighbours:
        """Return the nearest rows of each query."""
        part = self.part
        near = self.near(queries, part.k)
        if part.ties == "first":
            near = near.nearest(part.k, part.ties, part.tie_tolerance)
        return Neighbours(near.start, near.row, np.zeros(len(near.row)))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [Nearest]
