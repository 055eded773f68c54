"""Any structure inside any neighbourhood: one small model for each query, fitted in blocks of queries."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import Encoder
from nbframework.classifier.rediscretizing import rediscretized
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
        """Return (q, C) log P(class, row) up to a constant for each row."""
        rows = self.encoder.queries(queries)
        parts = [self._block(rows.take(block)) for block in self._blocks(len(rows))]
        return np.concatenate(parts) if parts else np.empty((0, self.training.class_count))

    def _blocks(self, queries: int) -> Iterator[slice]:
        cells = self.training.class_count * (int(self.training.source_codes.offset[-1]) + 1)
        size = max(1, min(512, BLOCK_CELLS // cells))
        for first in range(0, queries, size):
            yield slice(first, first + size)

    def _block(self, queries: Rows) -> FloatArray:
        if self.structure.reads == "class weights":
            local = self._class_weights(queries)
        else:
            local = self._neighbour_rows(queries)
            if self.encoder.discretizer.scope == "neighbourhood" and self.encoder.cuts:
                local, queries = rediscretized(self.encoder, local, queries)
        if self.structure.handles_groups:
            group = np.arange(len(queries))
            structure = self.structure.fit(local, self.estimator, self.density)
            return weighted_joint(structure, self._learned(local, structure), queries, group)
        parts = []
        for index in range(len(queries)):
            one = local.part_of(index)
            structure = self.structure.fit(one, self.estimator, self.density)
            query = queries.take(slice(index, index + 1))
            parts.append(weighted_joint(structure, self._learned(one, structure), query, None))
        return np.concatenate(parts)

    def _learned(self, local: Training, structure: FittedStructure) -> FloatArray | None:
        if self.weights.is_uniform:
            return None
        return self.weights.learn(Evidence(local, structure), self.generator)  # type: ignore[arg-type]  # the recipe checked that the structure is factored

    def _class_weights(self, queries: Rows) -> Training:
        log_weight = self.neighbourhood.log_class_weight(queries)
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
        empty = replace(self.training, selection=none, classes=none, row_weights=None)
        return replace(
            empty, start=np.zeros(lead + 1, dtype=np.intp), known_counts=counts, reference=self.training.counts
        )

    def _neighbour_rows(self, queries: Rows) -> Training:
        near = self.neighbourhood.around(queries)
        whole = self.training
        weights = np.exp(near.log_weight)
        if whole.row_weights is not None:
            weights = weights * whole.row_weights[near.row]
        return replace(
            whole,
            selection=near.row if whole.selection is None else whole.selection[near.row],
            classes=whole.classes[near.row],
            row_weights=None if np.all(weights == 1) else weights,
            start=near.start,
            reference=whole.counts,
            known_counts=None,
        )
