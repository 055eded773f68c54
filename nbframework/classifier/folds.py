"""Work that folds share: columns sorted once, counts as totals minus the rows that a fold leaves out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.classifier.composition import FittingParts, GlobalModel, training_rows
from nbframework.classifier.encoding import Encoder, SortedColumns, learn_cuts
from nbframework.classifier.local import LocalModel
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import Usable, check_not_empty, check_schema, left_out, usable_mask
from nbframework.data.codes import block_offset
from nbframework.data.dataset import Dataset
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Rows, Training
from nbframework.statistics.counts import Counts, from_cells, is_integral

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
_UNDRAWN = np.random.default_rng(0)
"""For parts that draw nothing."""


@dataclass(frozen=True, eq=False)
class _FoldEncoder(Encoder):
    """An encoder that several recipes ask about the same queries; it lives no longer than its fold."""

    _encoded: list[tuple[Dataset, Rows]] = field(default_factory=list, init=False)

    def queries(self, dataset: Dataset) -> Rows:
        """Return the rows of a raw data set, those of the last one without encoding it again."""
        if not self._encoded or self._encoded[0][0] is not dataset:
            self._encoded[:] = [(dataset, super().queries(dataset))]
        return self._encoded[0][1]


@dataclass(eq=False)
class SharedFolds:
    """One data set, its training sets, and what they have in common; make one with `of`."""

    parts: FittingParts
    dataset: Dataset
    training: Sequence[IntArray]
    columns: SortedColumns
    usable: NDArray[np.bool_]
    policy: FittedMissingPolicy | None
    shared: SharedWork

    @classmethod
    def of(
        cls, parts: FittingParts, dataset: Dataset, training: Sequence[IntArray], shared: SharedWork | None = None
    ) -> "SharedFolds | None":
        """Return the shared work, or None where the missing policy changes the rows themselves.

        With ``shared``, recipes that go through the folds together share among themselves, too.
        """
        shared = shared or SharedWork()
        check_schema(dataset)
        policy = None
        if not parts.missing.learns:
            policy = parts.missing.fit(dataset)
            if type(policy).prepare_training is not FittedMissingPolicy.prepare_training:
                return None
        elif not len(training):
            return None
        else:
            trial = parts.missing.fit(dataset.take(training[0][usable_mask(dataset)[training[0]]]))
            if type(trial).prepare_training is not FittedMissingPolicy.prepare_training:
                return None
        columns = shared.of_data("columns", lambda: SortedColumns(dataset))
        usable = shared.of_data("usable", lambda: usable_mask(dataset))
        return cls(parts, dataset, training, columns, usable, policy, shared)

    def __post_init__(self) -> None:
        self._nominal = [i for i, attribute in enumerate(self.dataset.inputs) if attribute.is_nominal]
        self._is_nominal = np.array([attribute.is_nominal for attribute in self.dataset.inputs], dtype=np.bool_)
        self._offset = block_offset([self.dataset.inputs[i].cardinality for i in self._nominal])
        weights = self.dataset.row_weights
        self._subtract = weights is None or is_integral(weights)
        self._classes = np.where(self.usable, self.dataset.classes, 0).astype(np.intp)

    def fit(self, fold: int, seed: Sequence[int], number: int) -> tuple[GlobalModel | LocalModel, Usable]:
        """Fit the composition on one fold's training rows; ``number`` names the fold for the shared work."""
        rows = self.training[fold]
        kept = rows[self.usable[rows]]
        if not len(kept):
            check_not_empty(self.dataset.take(rows), self.usable[rows])
        needs_counts = self.parts.structure.reads != "class weights"
        key = ("training", self.parts.missing, self.parts.discretizer, needs_counts)
        encoder, training = self.shared.of_fold(number, key, lambda: self._encoded(kept, number, needs_counts))
        usable = self.shared.of_fold(number, "usable", lambda: self._usable(rows, training))
        # a generator takes longer to make than a small fold to count
        generator = np.random.default_rng(seed) if self.parts.draws else _UNDRAWN
        return self.parts.fit_rows(encoder, training, generator), usable

    def _usable(self, rows: IntArray, training: Training) -> Usable:
        weights = np.bincount(training.classes, weights=training.row_weights, minlength=training.class_count)
        return Usable(self.dataset, weights.astype(np.float64), left_out(self.dataset, rows))

    def _encoded(self, kept: IntArray, number: int, needs_counts: bool) -> tuple[Encoder, Training]:
        """Return the encoder and the training rows of a fold, its cuts and counts shared where they are the same."""
        shared, missing, discretizer = self.shared, self.parts.missing, self.parts.discretizer
        policy = self.policy or missing.fit(self.dataset.take(kept))
        cuts = shared.of_fold(number, ("cuts", discretizer), lambda: learn_cuts(discretizer, self.columns, kept))
        encoder = _FoldEncoder(policy, discretizer, cuts)
        key = ("rows", discretizer, missing if encoder.recodes else None)
        encoded = shared.of_fold(number, key, lambda: encoder.encode(self.dataset))
        counts = None
        if self._subtract and not encoder.recodes and needs_counts:
            counts = shared.of_fold(number, ("counts", discretizer), lambda: self._counts(encoded, kept))
        return encoder, training_rows(encoded, policy, kept, counts)

    def _counts(self, encoded: Rows, kept: IntArray) -> Counts:
        """Count the kept rows: nominal inputs by subtraction, discretized ones anew."""
        codes, classes, weights = encoded.source_codes, self._classes, self.dataset.row_weights
        class_count = len(self.dataset.class_values)
        cells = np.zeros((class_count, int(codes.offset[-1])))
        width = np.diff(codes.offset)
        nominal = self._is_nominal[encoded.coded_inputs]
        rest = np.flatnonzero(~nominal)
        kept_weights = None if weights is None else weights[kept]
        if nominal.any():
            cells[:, np.repeat(nominal, width)] = self._nominal_cells(kept)
        if len(rest):
            offset = block_offset([codes.cardinality[j] for j in rest])
            columns = [codes.columns[j] for j in rest]
            cells[:, np.repeat(~nominal, width)] = kernels.class_counts(
                columns, offset, classes[kept], class_count, kept_weights, kept
            )
        class_weight = np.bincount(classes[kept], weights=kept_weights, minlength=class_count).astype(np.float64)
        return from_cells(cells, codes.offset, class_weight, np.asarray(codes.cardinality, dtype=np.float64))

    def _nominal_cells(self, kept: IntArray) -> FloatArray:
        """Return the (C, B) cells of the nominal inputs: the total minus the rows left out, which are fewer."""
        out = self.usable.copy()
        out[kept] = False
        left = np.flatnonzero(out)
        repeated = len(kept) + len(left) != int(self.usable.sum())
        if repeated or len(left) > len(kept):
            return self._count_nominal(kept)
        totals = self.shared.of_data("totals", lambda: self._count_nominal(np.flatnonzero(self.usable)))
        return totals - self._count_nominal(left)

    def _count_nominal(self, rows: IntArray) -> FloatArray:
        columns = [self.dataset.input_columns[i] for i in self._nominal]
        weights = None if self.dataset.row_weights is None else self.dataset.row_weights[rows]
        classes = self._classes[rows]
        return kernels.class_counts(columns, self._offset, classes, len(self.dataset.class_values), weights, rows)
