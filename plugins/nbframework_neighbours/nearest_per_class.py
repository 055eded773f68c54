"""Neighbourhood nearest-per-class: the k-th nearest row of every class."""

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
    Gt,
    IntArray,
    Neighbourhood,
    Neighbours,
    Rows,
    Training,
    hookimpl,
    kernels,
)
from nbframework_neighbours.heterogeneous_euclidean import HETEROGENEOUS_EUCLIDEAN
from nbframework_neighbours.search import Search
from nbframework_neighbours.searched_rows import Attributes, sorted_by_class


@dataclass(frozen=True, kw_only=True)
class NearestPerClass(Neighbourhood):
    """Give each class a vote that falls with the distance d of its k-th nearest row: P(c | x) ~ d^-power.

    The k-th nearest row of each class speaks, as loudly as makes the class weights those shares; its own weight does
    not count, nor does the number of rows of its class. A class with fewer than k rows sends its farthest. Where the
    k-th row of some classes equals the query, these classes share the vote. Rows are counted, whatever their weights.

    Parameters
    ----------
    k
        Which row of each class speaks.
    power
        The exponent; which class has the largest share does not depend on it.
    ensemble
        Average the shares of 1 to k instead.
    distance
        How far two rows are apart.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.

    References
    ----------
    Gweon, Schonlau & Steiner (2019), The k conditional nearest neighbor algorithm for classification and class
    probability estimation (kCNN, and EkCNN with ``ensemble``).
    """

    name: ClassVar[str] = "nearest-per-class"
    cite: ClassVar[str] = "Gweon, Schonlau & Steiner 2019"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "weight_two_is_the_row_twice": "k counts rows, whatever their weights",
            "the_prior_matters": "each class has one vote; its density in the published estimate cancels the prior",
        }
    )
    k: Annotated[int, Ge(1)] = 5
    power: Annotated[float, Gt(0)] = 1.0
    ensemble: bool = False
    distance: Distance = HETEROGENEOUS_EUCLIDEAN
    attributes: Attributes = "raw"

    def fit(self, training: Training) -> "FittedNearestPerClass":
        """Prepare the search."""
        return FittedNearestPerClass(training, self)


class FittedNearestPerClass(FittedNeighbourhood):
    """Training rows to search, sorted by class."""

    def __init__(self, training: Training, part: NearestPerClass) -> None:
        super().__init__(training)
        self.part = part
        rows, self.order, self.class_start = sorted_by_class(training)
        self.search = Search(part.distance, rows, part.attributes)
        self.present = np.flatnonzero(np.diff(self.class_start))
        self.ranks = np.arange(part.k) if part.ensemble else np.array([part.k - 1])

    def around(self, queries: Rows) -> Neighbours:
        """Return one row of each class, or k of them in an ensemble."""
        shape = (len(queries), len(self.ranks), len(self.present))
        row, distance = np.empty(shape, dtype=np.intp), np.empty(shape)
        for block, near in self.search.distances(queries):
            for index, c in enumerate(self.present.tolist()):
                row[block, :, index], distance[block, :, index] = self._of_class(c, near)
        row = self.order[row]
        log_weight = self._log_share(distance) - np.log(self.training.weights[row])
        start = np.arange(len(queries) + 1) * (shape[1] * shape[2])
        return Neighbours(start, row.ravel(), log_weight.ravel())

    def _of_class(self, c: int, near: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return (b, ranks) rows of a class and their distances, the first in the training set among equals."""
        first, last = int(self.class_start[c]), int(self.class_start[c + 1])
        k = min(self.part.k, last - first)
        start, row, distance = kernels.smallest(near[:, first:last], k)
        picked = start[:-1, np.newaxis] + np.minimum(self.ranks, k - 1)
        return first + row[picked], distance[picked]

    def _log_share(self, distance: FloatArray) -> FloatArray:
        """Return (q, ranks, classes) logs of the shares, which sum to 1 over ranks and classes."""
        hit = distance == 0
        votes = -self.part.power * np.log(np.where(hit, 1.0, distance))
        votes = np.where(hit.any(axis=-1, keepdims=True), np.where(hit, 0.0, -np.inf), votes)
        top = votes.max(axis=-1, keepdims=True)
        total = top + np.log(np.exp(votes - top).sum(axis=-1, keepdims=True))
        return np.asarray(votes - total - np.log(len(self.ranks)))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [NearestPerClass]
