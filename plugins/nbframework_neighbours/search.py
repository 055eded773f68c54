"""The search for near rows, the same for all neighbourhoods: one sorted list serves every number of neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nbframework.authoring import Distance, FloatArray, IntArray, Rows, Training, kernels
from nbframework_neighbours.column_distance import ColumnDistance
from nbframework_neighbours.searched_rows import Attributes, searched

Ties = Literal["keep", "first"]
BLOCK_CELLS = 400_000
"""Upper bound on the distances that are held at a time."""


@dataclass(frozen=True, eq=False)
class NearRows:
    """Training rows near q queries, each query's by ascending distance, then row.

    Parameters
    ----------
    start
        (q + 1,) borders of the queries.
    row
        (m,) training rows.
    measure
        (m,) what distances are compared by: the distance, or its square.
    is_square
        Whether the measure is the square.
    """

    start: IntArray
    row: IntArray
    measure: FloatArray
    is_square: bool

    @property
    def count(self) -> IntArray:
        """(q,) number of rows of each query."""
        return np.diff(self.start)

    @property
    def query(self) -> IntArray:
        """(m,) query to which each row belongs."""
        return np.repeat(np.arange(len(self.start) - 1), self.count)

    @property
    def distance(self) -> FloatArray:
        """(m,) distances."""
        return np.sqrt(self.measure) if self.is_square else self.measure

    def kth(self, k: int) -> FloatArray:
        """Return the (q,) measure of the k-th row, of the last where there are fewer, 0 where there is none."""
        if not len(self.row):
            return np.zeros(len(self.count))
        last = np.maximum(np.minimum(k, self.count) - 1, 0)
        return np.where(self.count > 0, self.measure[np.minimum(self.start[:-1] + last, len(self.row) - 1)], 0.0)

    def ends(self, ks: IntArray, tolerance: float) -> IntArray:
        """Return where the k nearest rows end, all that are tied with the k-th among them, for many k.

        Parameters
        ----------
        ks
            (v,) numbers of neighbours, none above that for which these rows were searched.
        tolerance
            Relative difference up to which a measure equals that of the k-th.

        Returns
        -------
        (v, q) positions behind the last of these rows in ``row``.
        """
        last = np.maximum(np.minimum(ks[:, np.newaxis], self.count) - 1, 0)
        below = np.minimum(self.start[:-1] + last, max(len(self.row) - 1, 0))
        if not len(self.row):
            return np.asarray(below)
        limit = self.measure[below] * (1.0 + tolerance)
        # the k-th itself is within the limit, what stands at ``above`` is not
        above = np.tile(self.start[1:], (len(ks), 1))
        while (wide := above - below > 1).any():
            middle = (below + above) // 2
            inside = self.measure[np.minimum(middle, len(self.row) - 1)] <= limit
            below = np.where(wide & inside, middle, below)
            above = np.where(wide & ~inside, middle, above)
        return np.asarray(above)

    def nearest(self, k: int, ties: Ties, tolerance: float) -> "NearRows":
        """Return the k nearest of these rows.

        Parameters
        ----------
        k
            At most the number of neighbours that these rows were searched for.
        ties
            keep: all rows as near as the k-th; first: of these the first in the order of the training rows.
        tolerance
            Relative difference up to which a measure equals that of the k-th.
        """
        query, kth = self.query, self.kth(k)[self.query]
        kept = self.measure <= kth * (1.0 + tolerance)
        if ties == "first":
            tied = kept & (self.measure >= kth * (1.0 - tolerance))
            order = np.lexsort((self.row, np.where(tied, kth, self.measure), query))
            rank = np.empty(len(order), dtype=np.intp)
            rank[order] = np.arange(len(order)) - self.start[query]
            kept &= rank < k
        start = np.zeros(len(self.start), dtype=np.intp)
        np.cumsum(np.bincount(query[kept], minlength=len(self.count)), out=start[1:])
        return NearRows(start, self.row[kept], self.measure[kept], self.is_square)


class Search:
    """Training rows under a distance.

    Parameters
    ----------
    distance
        How far two rows are apart.
    training
        The n rows to search.
    attributes
        The attributes that are compared.
    """

    def __init__(self, distance: Distance, training: Training, attributes: Attributes) -> None:
        self.attributes, self.size = attributes, len(training)
        self.distance = distance.fit(searched(training, attributes))

    def nearest(self, queries: Rows, k: int, tolerance: float, left_out: IntArray | None = None) -> NearRows:
        """Return the k nearest rows of each query and all that are as near as the k-th; all rows where k exceeds them.

        Parameters
        ----------
        queries
            q rows.
        k
            At least 1.
        tolerance
            Relative difference up to which a measure equals that of the k-th.
        left_out
            (q,) a training row that is no neighbour of the query (the query itself), or -1.
        """
        parts = list(self._nearest(searched(queries, self.attributes), min(k, self.size), tolerance, left_out))
        start = np.concatenate([np.zeros(1, dtype=np.intp), *(np.diff(part[0]) for part in parts)])
        row = np.concatenate([np.empty(0, dtype=np.intp), *(part[1] for part in parts)])
        measure = np.concatenate([np.empty(0), *(part[2] for part in parts)])
        is_square = isinstance(self.distance, ColumnDistance) and self.distance.root
        return NearRows(np.cumsum(start), row, measure, is_square)

    def _nearest(
        self, queries: Rows, k: int, tolerance: float, left_out: IntArray | None
    ) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        if isinstance(self.distance, ColumnDistance):
            for asked in self.distance.asked(queries):
                out = None if left_out is None else left_out[asked.rows]
                yield kernels.nearest_rows(
                    asked.queries, asked.training, asked.bounds, k, tolerance, self.distance.rescale, out
                )
            return
        for block in self._blocks(len(queries)):
            out = None if left_out is None else left_out[block]
            yield kernels.smallest(self.distance.between(queries.take(block)), k, tolerance, out)

    def distances(self, queries: Rows) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of queries, each with its (b, n) distances to all training rows."""
        rows = searched(queries, self.attributes)
        for block in self._blocks(len(rows)):
            yield block, self.distance.between(rows.take(block))

    def _blocks(self, queries: int) -> Iterator[slice]:
        size = max(1, BLOCK_CELLS // max(self.size, 1))
        for first in range(0, queries, size):
            yield slice(first, min(first + size, queries))
