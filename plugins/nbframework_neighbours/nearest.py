"""Neighbourhood nearest: the k nearest rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Distance,
    FittedNeighbourhood,
    FloatArray,
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
    """Let the k nearest training rows speak, each as loudly as its own weight, or the nearer the louder.

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
    weighting
        equal; inverse: 1 / (e + 0.001); similarity: 1 - e, at least 0. Here e is the distance over the root of the
        number of attributes, which for a range-scaled Euclidean distance is at most 1 inside the ranges.

    References
    ----------
    Cover & Hart (1967), Nearest neighbor pattern classification; Zhang et al. (2018), equation 4; Weka 3.6.14, IBk
    (its options -I and -F are the weightings).
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
    weighting: Literal["equal", "inverse", "similarity"] = "equal"

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
        return Neighbours(near.start, near.row, self._log_weight(near))

    def log_class_weights(
        self, parameter: str, values: Sequence[float], queries: Rows, left_out: IntArray | None = None
    ) -> FloatArray | None:
        """Return (v, q, C) log class weights for many k, all read off one sorted list."""
        if parameter != "k":
            return None
        part, ks = self.part, np.asarray(values, dtype=np.intp)
        near = self.near(queries, int(ks.max()), left_out)
        if part.ties == "keep" and part.weighting == "equal" and self._counts_exactly():
            total = self._running_totals(near, near.ends(ks, part.tie_tolerance))
        else:
            cut = (near.nearest(int(k), part.ties, part.tie_tolerance) for k in ks)
            total = np.stack([self._totals(some) for some in cut])
        with np.errstate(divide="ignore"):
            return np.log(total)

    def _counts_exactly(self) -> bool:
        """Return whether differences of sums of the row weights are exact."""
        return np.array_equal(self.training.weights, np.floor(self.training.weights))

    def _running_totals(self, near: NearRows, ends: IntArray) -> FloatArray:
        """Return the (v, q, C) weights up to each end: differences of running sums, exact for whole weights."""
        classes, weights = self.training.classes[near.row], self.training.weights[near.row]
        total = np.empty((*ends.shape, self.training.class_count))
        running = np.zeros(len(near.row) + 1)
        for c in range(self.training.class_count):
            np.cumsum(np.where(classes == c, weights, 0.0), out=running[1:])
            total[..., c] = running[ends] - running[near.start[:-1]]
        return total

    def _totals(self, near: NearRows) -> FloatArray:
        """Return the (q, C) summed weights of these rows."""
        weights = self.training.weights[near.row] * np.exp(self._log_weight(near))
        count, queries = self.training.class_count, len(near.count)
        key = near.query * count + self.training.classes[near.row]
        total = np.bincount(key, weights=weights, minlength=queries * count).astype(np.float64)
        return total.reshape(queries, count)

    def _log_weight(self, near: NearRows) -> FloatArray:
        """Return the (m,) logarithm of how loudly the rows speak."""
        if self.part.weighting == "equal":
            return np.zeros(len(near.row))
        e = near.distance / np.sqrt(max(1, len(self.training.inputs)))
        if self.part.weighting == "inverse":
            return np.asarray(-np.log(e + 0.001))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(1.0 - e, 0.0)))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [Nearest]
