"""Neighbourhood linear-kernel: the k nearest rows, the nearer the louder."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

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
from nbframework_neighbours.heterogeneous_euclidean import HETEROGENEOUS_EUCLIDEAN
from nbframework_neighbours.search import NearRows, Search, Ties
from nbframework_neighbours.searched_rows import Attributes

Kernel = Literal["linear", "epanechnikov", "tricube", "inverse", "gauss", "constant"]


@dataclass(frozen=True, kw_only=True)
class LinearKernel(Neighbourhood):
    """Weight the k nearest training rows by a kernel of their distance over that of the k-th.

    With e = d / d_k the kernels are: linear top - e, epanechnikov 3/4 (top - e^2), tricube (top - e^3)^3, inverse
    1 / (1 + e), gauss exp(-e^2), constant 1, where top is 1 + ``floor``. Where d_k is 0, e is 1 for all. The weights
    are multiplied by one factor, so that the neighbours together weigh what they would without a kernel; where all
    kernel weights are 0, the neighbours are equally loud. Rows are counted, whatever their weights; where k exceeds
    the number of training rows, all of them are neighbours.

    Parameters
    ----------
    k
        Number of neighbours, and whose distance is the bandwidth.
    kernel
        The form of the weights.
    floor
        What a linear kernel leaves to the k-th neighbour; 0.0001 in Weka, 0 as published.
    ties
        keep: all rows as near as the k-th are neighbours; first: exactly k, of the tied ones the first in the
        training set.
    distance
        How far two rows are apart.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.
    tie_tolerance
        Relative difference up to which two squared distances are equal; 0 compares exactly.

    References
    ----------
    Frank, Hall & Pfahringer (2003), Locally weighted naive Bayes; Weka 3.6.14, LWL.
    """

    name: ClassVar[str] = "linear-kernel"
    cite: ClassVar[str] = "Frank, Hall & Pfahringer 2003"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "k counts rows, whatever their weights"}
    )
    k: Annotated[int, Ge(1)] = 50
    kernel: Kernel = "linear"
    floor: Annotated[float, Ge(0)] = 0.0001
    ties: Ties = "keep"
    distance: Distance = HETEROGENEOUS_EUCLIDEAN
    attributes: Attributes = "raw"
    tie_tolerance: Annotated[float, Ge(0)] = 1e-12

    def fit(self, training: Training) -> "FittedLinearKernel":
        """Prepare the search."""
        return FittedLinearKernel(training, self)


class FittedLinearKernel(FittedNeighbourhood):
    """Training rows to search."""

    def __init__(self, training: Training, part: LinearKernel) -> None:
        super().__init__(training)
        self.part = part
        self.search = Search(part.distance, training, part.attributes)

    def around(self, queries: Rows) -> Neighbours:
        """Return the nearest rows of each query with their kernel weights."""
        part = self.part
        near = self.search.nearest(queries, part.k, part.tie_tolerance)
        if part.ties == "first":
            near = near.nearest(part.k, part.ties, part.tie_tolerance)
        weight = kernel_weight(scaled_distance(near, part.k), part.kernel, part.floor)
        with np.errstate(divide="ignore"):
            return Neighbours(near.start, near.row, np.log(self._rescaled(near, weight)))

    def _rescaled(self, near: NearRows, weight: FloatArray) -> FloatArray:
        own, query, queries = self.training.weights[near.row], near.query, len(near.count)
        before = np.bincount(query, weights=own, minlength=queries)
        after = np.bincount(query, weights=own * weight, minlength=queries)
        factor = before / np.where(after > 0, after, 1.0)
        return np.asarray(np.where(after[query] > 0, weight * factor[query], 1.0))


def scaled_distance(near: NearRows, k: int) -> FloatArray:
    """Return (m,) distances over that of the k-th neighbour; 1 where that is 0."""
    kth = near.kth(k)
    bandwidth = (np.sqrt(kth) if near.is_square else kth)[near.query]
    return np.asarray(np.where(bandwidth > 0, near.distance / np.where(bandwidth > 0, bandwidth, 1.0), 1.0))


def kernel_weight(e: FloatArray, kernel: Kernel, floor: float) -> FloatArray:
    """Return the kernel's weight of scaled distances, never below 0."""
    top = 1.0 + floor
    if kernel == "linear":
        return np.maximum(top - e, 0.0)
    if kernel == "epanechnikov":
        return np.maximum(0.75 * (top - e * e), 0.0)
    if kernel == "tricube":
        return np.maximum((top - e**3) ** 3, 0.0)
    if kernel == "inverse":
        return np.asarray(1.0 / (1.0 + e))
    return np.exp(-e * e) if kernel == "gauss" else np.ones(len(e))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [LinearKernel]
