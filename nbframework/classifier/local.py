"""Any structure inside any neighbourhood: one small model for each query, fitted in blocks of queries."""

import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import Encoder
from nbframework.classifier.rediscretizing import rediscretized
from nbframework.classifier.training_tables import TrainingTables
from nbframework.classifier.weighting import weighted_joint
from nbframework.data.dataset import Dataset
from nbframework.parts.density import Density
from nbframework.parts.estimator import Estimator
from nbframework.parts.neighbourhood import FittedNeighbourhood
from nbframework.parts.rows import Rows, Training
from nbframework.parts.structure import FittedStructure, Structure
from nbframework.parts.weights import Evidence, WeightLearner
from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BLOCK_CELLS = 4_000_000
"""Upper bound on the table cells that one block of queries may need."""
BLOCK_NEIGHBOURS = 500_000
"""About how many neighbours the queries of one block may have together."""


@dataclass(frozen=True, eq=False)
class Around:
    """The small model of one query.

    Parameters
    ----------
    queries
        The query, encoded.
    training
        Its neighbours as a training set of one group.
    rows
        (m,) the neighbours' places among the training rows.
    structure, weights
        Fitted on them.
    group
        The (1,) group that the query asks, None where the structure was fitted without groups.
    """

    queries: Rows
    training: Training
    rows: IntArray
    structure: FittedStructure
    weights: FloatArray | None
    group: IntArray | None


@dataclass(frozen=True, eq=False)
class LocalModel:
    """What a lazy learner keeps: the training rows, a search over them, and the parts to fit for each query."""

    encoder: Encoder
    training: Training
    neighbourhood: FittedNeighbourhood
    structure: Structure
    estimator: Estimator
    density: Density
    weights: WeightLearner
    generator: np.random.Generator

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log P(class, row) up to a constant for each row; -inf where no neighbour speaks."""
        rows = self.encoder.queries(queries)
        joint = np.full((len(rows), self.training.class_count), -np.inf)
        cells = self.training.class_count * (int(self.training.source_codes.offset[-1]) + 1)
        most = max(1, min(512, BLOCK_CELLS // cells))
        first, size = 0, self._block_size(most, len(self.training))
        while first < len(rows):
            block = np.arange(first, min(first + size, len(rows)))
            local, heard = self._local(rows.take(block))
            if heard.any():
                joint[block[heard]] = self._block(local, rows.take(block[heard]))
            first += len(block)
            size = self._block_size(most, len(local) / len(block))
        return joint

    def around(self, query: Dataset) -> "Around | None":
        """Return the small model of one query, or None where no neighbour speaks.

        Parameters
        ----------
        query
            One row.
        """
        rows = self.encoder.queries(query)
        local, heard = self._local(rows)
        if not heard.any():
            return None
        # discretized anew, the neighbours are rows of a data set of their own
        selection = np.arange(len(local)) if local.selection is None else local.selection
        local, rows = self._rediscretized(local, rows)
        one = local if self.structure.handles_groups else local.part_of(0)
        structure = self.structure.fit(one, self.estimator, self.density)
        group = np.zeros(1, dtype=np.intp) if self.structure.handles_groups else None
        return Around(rows, local, selection, structure, self._learned(one, structure), group)

    def _block_size(self, most: int, neighbours: float) -> int:
        """Return how many queries to take at a time where each has about so many neighbours."""
        if self.structure.reads == "class weights":
            return most
        return max(1, min(most, int(BLOCK_NEIGHBOURS / max(1.0, neighbours))))

    def _local(self, queries: Rows) -> tuple[Training, NDArray[np.bool_]]:
        """Return one group for each query that any row speaks for, and the (q,) mask of these queries."""
        return self._class_weights(queries) if self.structure.reads == "class weights" else self._near_rows(queries)

    def _block(self, local: Training, queries: Rows) -> FloatArray:
        if self.structure.handles_groups:
            local, queries = self._rediscretized(local, queries)
            group = np.arange(len(queries))
            structure = self.structure.fit(local, self.estimator, self.density)
            return weighted_joint(structure, self._learned(local, structure), queries, group)
        parts = []
        for index in range(len(queries)):
            one, query = self._alone(local, queries, index)
            structure = self.structure.fit(one, self.estimator, self.density)
            parts.append(weighted_joint(structure, self._learned(one, structure), query, None))
        return np.concatenate(parts)

    def _alone(self, local: Training, queries: Rows, index: int) -> tuple[Training, Rows]:
        """Return one group without groups, and its query, with codes that are padded for no other group."""
        one = local.part_of(index)
        one = replace(one, start=np.array([0, len(one)]))
        one, query = self._rediscretized(one, queries.take(slice(index, index + 1)))
        return one.part_of(0), query

    def _rediscretized(self, local: Training, queries: Rows) -> tuple[Training, Rows]:
        inside = self.encoder.cuts and self.encoder.discretizer.scope == "neighbourhood"
        if inside and self.structure.reads != "class weights":
            return rediscretized(self._tables, local, queries)
        return local, queries

    @cached_property
    def _tables(self) -> TrainingTables:
        return TrainingTables(self.encoder, self.training)

    def _learned(self, local: Training, structure: FittedStructure) -> FloatArray | None:
        if self.weights.is_uniform:
            return None
        evidence = Evidence(local, structure, self.structure, self.estimator, self.density)  # type: ignore[arg-type]  # the recipe checked that the structure is factored
        # every query has the same stream, so that its weights do not depend on the queries beside it
        return self.weights.learn(evidence, copy.deepcopy(self.generator))

    def votes(self, queries: Rows, log_weight: FloatArray) -> FloatArray:
        """Return the (q, C) log joint of queries whose (q, C) log class weights are known.

        For a structure that reads nothing but class weights.
        """
        joint = np.full((len(queries), self.training.class_count), -np.inf)
        local, heard = self._votes(log_weight)
        if heard.any():
            joint[heard] = self._block(local, queries.take(heard))
        return joint

    def _class_weights(self, queries: Rows) -> tuple[Training, NDArray[np.bool_]]:
        return self._votes(self.neighbourhood.log_class_weight(queries))

    def _votes(self, log_weight: FloatArray) -> tuple[Training, NDArray[np.bool_]]:
        heard = np.asarray(np.isfinite(log_weight).any(axis=1))
        log_weight = log_weight[heard]
        lead, count = log_weight.shape
        counts = Counts(
            np.empty((lead, count, 0)),
            np.zeros(1, dtype=np.intp),
            np.exp(log_weight),
            np.empty((lead, count, 0)),
            np.empty(0),
            log_class_weight=log_weight,
        )
        none = np.empty(0, dtype=np.intp)
        empty = replace(self.training, selection=none, class_codes=none, row_weights=None)
        start = np.zeros(lead + 1, dtype=np.intp)
        return replace(empty, start=start, known_counts=counts, reference=self.training.counts), heard

    def _near_rows(self, queries: Rows) -> tuple[Training, NDArray[np.bool_]]:
        near = self.neighbourhood.around(queries)
        whole = self.training
        weights = np.exp(near.log_weight)
        if whole.row_weights is not None:
            weights = weights * whole.row_weights[near.row]
        speaks = weights > 0
        row, weights = near.row[speaks], weights[speaks]
        query = np.repeat(np.arange(len(queries)), np.diff(near.start))[speaks]
        count = np.bincount(query, minlength=len(queries))
        heard = count > 0
        local = replace(
            whole,
            selection=row if whole.selection is None else whole.selection[row],
            class_codes=whole.class_codes[row],
            row_weights=None if np.all(weights == 1) else weights,
            start=np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(count[heard])]),
            reference=whole.counts,
            known_counts=None,
        )
        return local, heard
