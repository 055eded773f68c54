"""Work that folds share: columns sorted once, counts as totals minus the rows that a fold leaves out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.classifier.composition import FittingParts, GlobalModel, training_rows
from nbframework.classifier.encoding import Encoder, InputLayout, SortedColumns, learn_cuts
from nbframework.classifier.local import LocalModel
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import (
    Usable,
    check_not_empty,
    check_schema,
    note_of_unlabelled,
    unlabelled_rows,
    usable_mask,
)
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
        inputs, weights = self.dataset.inputs, self.dataset.row_weights
        self.is_nominal = np.array([attribute.is_nominal for attribute in inputs], dtype=np.bool_)
        """(a,) whether each input has declared values."""
        self._nominal = [self.dataset.input_columns[i] for i in np.flatnonzero(self.is_nominal)]
        self._offset = block_offset([attribute.cardinality for attribute in inputs if attribute.is_nominal])
        self.subtracts = weights is None or is_integral(weights)
        """Whether counts are whole numbers, so that those of some rows are the total minus those of the others."""
        self.classes = np.where(self.usable, self.dataset.classes, 0).astype(np.intp)
        """(n,) class codes, 0 for rows that are not usable."""
        self._layout = InputLayout.of(self.dataset)
        self._missing = self.shared.number_of(self.parts.missing)
        self.discretizer = self.shared.number_of(self.parts.discretizer)
        """The number that equal discretizers have in the shared work."""
        self._usable_rows = np.flatnonzero(self.usable)
        self._all_usable = len(self._usable_rows) == len(self.usable)

    def notes(self, rows: IntArray) -> tuple[str, ...]:
        """Return what to say of a fold's training rows that cannot be learned from."""
        return note_of_unlabelled(self._unlabelled(rows))

    def _unlabelled(self, rows: IntArray) -> int:
        return 0 if self._all_usable else unlabelled_rows(self.dataset, rows)

    def kept(self, rows: IntArray) -> IntArray:
        """Return those of the rows that are usable."""
        return rows if self._all_usable else rows[self.usable[rows]]

    def fit(self, fold: int, seed: Sequence[int], number: int) -> tuple[GlobalModel | LocalModel, Usable]:
        """Fit the composition on one fold's training rows; ``number`` names the fold for the shared work."""
        rows = self.training[fold]
        kept = self.kept(rows)
        if not len(kept):
            check_not_empty(self.dataset.take(rows), self.usable[rows])
        needs_counts = self.parts.structure.reads != "class weights"
        key = ("training", self._missing, self.discretizer, needs_counts)
        encoder, training = self.shared.of_fold(number, key, lambda: self._encoded(kept, number, needs_counts))
        usable = self.shared.of_fold(number, "usable", lambda: self._usable(rows, training))
        # a generator takes longer to make than a small fold to count
        generator = np.random.default_rng(seed) if self.parts.draws else _UNDRAWN
        return self.parts.fit_rows(encoder, training, generator), usable

    def _usable(self, rows: IntArray, training: Training) -> Usable:
        if training.known_counts is not None:
            return Usable(self.dataset, training.known_counts.class_weight, self._unlabelled(rows))
        weights = np.bincount(training.classes, weights=training.row_weights, minlength=training.class_count)
        return Usable(self.dataset, weights.astype(np.float64), self._unlabelled(rows))

    def _encoded(self, kept: IntArray, number: int, needs_counts: bool) -> tuple[Encoder, Training]:
        """Return the encoder and the training rows of a fold, its cuts and counts shared where they are the same."""
        shared, discretizer = self.shared, self.parts.discretizer
        policy = self.policy or self.parts.missing.fit(self.dataset.take(kept))
        key = ("cuts", self.discretizer)
        cuts = shared.of_fold(number, key, lambda: learn_cuts(discretizer, self.columns, kept))
        encoder = _FoldEncoder(policy, discretizer, cuts)
        encoded = self._rows(encoder, number)
        counts = None
        if self.subtracts and not encoder.recodes and needs_counts:
            key = ("counts", self.discretizer)
            counts = shared.of_fold(number, key, lambda: self._counts(encoded, kept))
        return encoder, training_rows(encoded, policy, kept, counts)

    def _rows(self, encoder: Encoder, number: int) -> Rows:
        """Return all rows under the codes of a fold, which are those of every fold where nothing depends on it."""
        if not encoder.cuts and not encoder.recodes:
            return self.shared.of_data("rows", lambda: encoder.encode(self.dataset, self._layout))
        key = ("rows", self.discretizer, self._missing if encoder.recodes else None)
        return self.shared.of_fold(number, key, lambda: encoder.encode(self.dataset, self._layout))

    def _counts(self, encoded: Rows, kept: IntArray) -> Counts:
        """Count the kept rows: nominal inputs by subtraction, discretized ones anew."""
        codes = encoded.source_codes
        nominal, class_weight = (counted[0] for counted in self.nominal_counts([kept]))
        is_nominal = self.is_nominal[encoded.coded_inputs]
        cells = nominal
        if not is_nominal.all():
            rest = np.flatnonzero(~is_nominal)
            offset = block_offset([codes.cardinality[j] for j in rest])
            columns = [codes.columns[j] for j in rest]
            weights = None if self.dataset.row_weights is None else self.dataset.row_weights[kept]
            cells = kernels.class_counts(columns, offset, self.classes[kept], len(class_weight), weights, kept)
            if len(rest) < len(is_nominal):
                cells = beside(np.repeat(is_nominal, np.diff(codes.offset)), nominal, cells)
        return from_cells(cells, codes.offset, class_weight, np.asarray(codes.cardinality, dtype=np.float64))

    def nominal_counts(self, kept: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return the (g, C, B) cells of the nominal inputs and the (g, C) class weights of g sets of usable rows.

        They are the totals minus the rows left out, where these are fewer.
        """
        if not self._nominal:
            return self._counted(kept)
        left = [self._others(rows) for rows in kept]
        if any(rows is None for rows in left):
            return self._counted(kept)
        cells, class_weight = self.shared.of_data("totals", lambda: self._counted([self._usable_rows]))
        left_cells, left_weight = self._counted([rows for rows in left if rows is not None])
        return cells - left_cells, class_weight - left_weight

    def _others(self, kept: IntArray) -> IntArray | None:
        """Return the usable rows that are not kept, or None where rows are kept twice or fewer than left out."""
        out = self.usable.copy()
        out[kept] = False
        left = np.flatnonzero(out)
        return left if len(kept) + len(left) == len(self._usable_rows) and len(left) <= len(kept) else None

    def _counted(self, sets: Sequence[IntArray]) -> tuple[FloatArray, FloatArray]:
        """Return the (g, C, B) cells of the nominal inputs and the (g, C) class weights of g sets of rows."""
        count = len(self.dataset.class_values)
        shape = (len(sets), count)
        rows = sets[0] if len(sets) == 1 else np.concatenate(sets)
        classes = self.classes[rows]
        if len(sets) > 1:
            classes += np.repeat(count * np.arange(len(sets)), [len(members) for members in sets])
        weights = None if self.dataset.row_weights is None else self.dataset.row_weights[rows]
        class_weight = np.bincount(classes, weights, len(sets) * count).astype(np.float64).reshape(shape)
        if not self._nominal:
            return np.empty((*shape, 0)), class_weight
        cells = kernels.class_counts(self._nominal, self._offset, classes, len(sets) * count, weights, rows)
        return cells.reshape(*shape, -1), class_weight


def beside(is_first: NDArray[np.bool_], first: FloatArray, second: FloatArray) -> FloatArray:
    """Return (..., B) cells of two kinds side by side: the first where the (B,) mask says so, else the second."""
    cells = np.empty((*first.shape[:-1], len(is_first)))
    cells[..., is_first] = first
    cells[..., ~is_first] = second
    return cells
