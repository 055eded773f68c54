"""Folds that are fitted together, each as one group of a training set, where all that is learned are counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.classifier.composition import FittingParts
from nbframework.classifier.encoding import encodes_plainly, learn_cuts
from nbframework.classifier.folds import SharedFolds, beside
from nbframework.classifier.shared import SharedWork
from nbframework.data.attribute import code_dtype
from nbframework.data.codes import Codes, block_offset
from nbframework.data.dataset import Dataset
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Rows, Training
from nbframework.statistics.counts import Counts, from_cells

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
MOST_FOLDS = 20
"""Folds in a group at most."""
MOST_CODES = 2_000_000
"""Codes of discretized columns that are held at a time: larger folds have nothing to gain."""
MOST_CELLS = 100_000
"""Cells of the tables that are held at a time."""
MOST_SCORES = 40_000
"""Scores of test rows that are held at a time."""
USUAL_INTERVALS = 8
"""Cells of a discretized column, guessed before its cut points are known."""
Columns = Sequence[NDArray[Any]]


@dataclass(frozen=True, eq=False)
class GroupAnswers:
    """What the classifiers of g folds say of their test rows, fold after fold.

    Parameters
    ----------
    log_joint
        (q, C) log P(class, row) up to a constant for each row.
    group
        (q,) fold of each row within the group, ascending.
    class_weight
        (g, C) class weights of the training rows.
    notes
        What to say of each fold.
    """

    log_joint: FloatArray
    group: IntArray
    class_weight: FloatArray
    notes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class FoldGroups:
    """The folds of one data set, to be asked group by group; make one with `of`.

    Parameters
    ----------
    folds
        The data set, the training rows and what all folds share.
    policy
        The missing policy, which learns nothing.
    test
        For each fold the rows to ask about.
    numbers
        The number of each fold, which names it for the work that several recipes share.
    """

    folds: SharedFolds
    policy: FittedMissingPolicy
    test: Sequence[IntArray]
    numbers: Sequence[int]

    @classmethod
    def of(
        cls,
        parts: FittingParts,
        dataset: Dataset,
        training: Sequence[IntArray],
        test: Sequence[IntArray],
        numbers: Sequence[int],
        shared: SharedWork | None,
    ) -> "FoldGroups | None":
        """Return the folds, or None where a part learns more than counts, or no two folds are small enough."""
        folds = SharedFolds.of(parts, dataset, training, shared) if _takes_groups(parts, dataset) else None
        if folds is None or folds.policy is None or not folds.subtracts:
            return None
        policy = type(folds.policy)
        if policy.prepare is not FittedMissingPolicy.prepare or policy.recode is not FittedMissingPolicy.recode:
            return None
        groups = cls(folds, folds.policy, test, numbers)
        return groups if groups.size > 1 else None

    @cached_property
    def size(self) -> int:
        """Number of folds to ask at a time."""
        dataset = self.folds.dataset
        classes = len(dataset.class_values)
        measured = len(self.folds.columns.positions)
        cells = sum(attribute.cardinality + 2 for attribute in dataset.inputs) + USUAL_INTERVALS * measured
        return min(
            MOST_FOLDS,
            MOST_CODES // max(1, len(dataset) * measured),
            MOST_CELLS // (cells * classes),
            MOST_SCORES // (max([1, *map(len, self.test)]) * classes),
        )

    def answers(self, first: int, last: int) -> GroupAnswers | None:
        """Return what folds ``first`` to ``last`` - 1 say, or None where one of them has to be fitted by itself.

        That is one without a training row, one of whose structure there is something to say, or one that gives no
        numbers.
        """
        parts, numbers = self.folds.parts, tuple(self.numbers[first:last])
        key = ("group", self.folds.discretizer, numbers)
        encoded = self.folds.shared.of_fold(numbers[0], key, lambda: self._group(first, last))
        if encoded is None:
            return None
        training = self._training(encoded)
        structure = parts.structure.fit(training, parts.estimator, parts.density)
        log_joint = structure.log_joint(encoded.queries, encoded.group)
        if structure.notes or (len(log_joint) and not log_joint.max() < np.inf):
            return None
        notes = tuple(map(self.folds.notes, self.folds.training[first:last]))
        return GroupAnswers(log_joint, encoded.group, encoded.counts.class_weight, notes)

    def _group(self, first: int, last: int) -> "_EncodedGroup | None":
        """Return some folds under their cut points, None where one of them has no training row."""
        kept = [self.folds.kept(rows) for rows in self.folds.training[first:last]]
        if not all(len(rows) for rows in kept):
            return None
        cuts = [learn_cuts(self.folds.parts.discretizer, self.folds.columns, rows) for rows in kept]
        sizes, own = self._cardinality(cuts)
        coded, test = self._encoded(cuts, sizes), self.test[first:last]
        group = np.repeat(np.arange(len(test)), [len(asked) for asked in test])
        return _EncodedGroup(sizes, own, self._counts(kept, coded, sizes), self._queries(test, coded, sizes), group)

    def _cardinality(self, cuts: Sequence[Mapping[int, FloatArray]]) -> tuple[list[int], FloatArray | None]:
        """Return the (a,) numbers of values of the layout, and the (g, a) of each fold where they differ."""
        declared = [attribute.cardinality for attribute in self.folds.dataset.inputs]
        if not cuts[0]:
            return declared, None
        own = np.array([declared] * len(cuts), dtype=np.float64)
        own[:, self.folds.columns.positions] = [[len(found) + 1 for found in of_fold.values()] for of_fold in cuts]
        return own.max(axis=0).astype(np.intp).tolist(), own

    def _encoded(self, cuts: Sequence[Mapping[int, FloatArray]], sizes: Sequence[int]) -> list[Columns]:
        """Return for each fold the (n,) codes of the discretized inputs under its cut points."""
        of_measured = [sizes[j] for j in cuts[0]]
        kinds = [code_dtype(size) for size in of_measured]
        unknown = [size + 1 for size in of_measured]
        columns = self.folds.columns.values
        return [list(map(kernels.interval_codes, columns, found.values(), unknown, kinds)) for found in cuts]

    def _training(self, encoded: "_EncodedGroup") -> Training:
        """Return a training set without rows: one group for each fold, with its counts."""
        schema, sizes, inputs = self.folds.dataset.schema, encoded.sizes, len(encoded.sizes)
        none = np.empty(0, dtype=np.intp)
        return Training(
            schema,
            None,
            Codes(tuple(np.empty(0, dtype=code_dtype(size)) for size in sizes), tuple(sizes), 0),
            np.empty((0, 0)),
            np.arange(inputs),
            none,
            none,
            len(schema.class_values),
            None,
            self.policy,
            start=np.zeros(len(encoded.counts.class_weight) + 1, dtype=np.intp),
            cardinality=encoded.own,
            known_counts=encoded.counts,
        )

    def _counts(self, kept: Sequence[IntArray], coded: Sequence[Columns], sizes: Sequence[int]) -> Counts:
        """Count the training rows of each fold."""
        folds = self.folds
        offset = block_offset(sizes)
        nominal, class_weight = folds.nominal_counts(kept)
        if not coded[0]:
            return from_cells(nominal, offset, class_weight, np.asarray(sizes, dtype=np.float64))
        cells = self._interval_cells(kept, coded, sizes)
        if len(coded[0]) < len(sizes):
            cells = beside(np.repeat(folds.is_nominal, np.diff(offset)), nominal, cells)
        return from_cells(cells, offset, class_weight, np.asarray(sizes, dtype=np.float64))

    def _interval_cells(self, kept: Sequence[IntArray], coded: Sequence[Columns], sizes: Sequence[int]) -> FloatArray:
        """Return the (g, C, B) counts of the discretized inputs."""
        folds = self.folds
        weights, count = folds.dataset.row_weights, len(folds.dataset.class_values)
        offset = block_offset([sizes[j] for j in folds.columns.positions])
        return np.stack(
            [
                kernels.class_counts(
                    columns, offset, folds.classes[rows], count, None if weights is None else weights[rows], rows
                )
                for columns, rows in zip(coded, kept, strict=True)
            ]
        )

    def _queries(self, test: Sequence[IntArray], coded: Sequence[Columns], sizes: Sequence[int]) -> Rows:
        """Return the test rows of all folds, fold after fold, each under the cut points of its fold."""
        dataset = self.folds.dataset
        source = dataset.take(np.concatenate(test))
        columns = list(source.input_columns)
        # where the rows stand if the codes of one fold follow those of the other
        place = np.concatenate([fold * len(dataset) + rows for fold, rows in enumerate(test)])
        for index, j in enumerate(self.folds.columns.positions):
            columns[j] = np.concatenate([of_fold[index] for of_fold in coded])[place]
        codes = Codes(tuple(columns), tuple(sizes), len(source))
        none = np.empty(0, dtype=np.intp)
        return Rows(source, None, codes, np.empty((len(source), 0)), np.arange(len(sizes)), none)


@dataclass(frozen=True, eq=False)
class _EncodedGroup:
    """Some folds under their cut points, the same for all recipes with this discretizer.

    Parameters
    ----------
    sizes, own
        (a,) numbers of values of the layout, and (g, a) of each fold where they differ.
    counts
        Of the training rows of each fold.
    queries, group
        The test rows of all folds, and (q,) the fold of each.
    """

    sizes: list[int]
    own: FloatArray | None
    counts: Counts
    queries: Rows
    group: IntArray


def _takes_groups(parts: FittingParts, dataset: Dataset) -> bool:
    """Return whether folds can be groups: their counts are all that is learned, and values become codes plainly."""
    return (
        bool(dataset.inputs)
        and all(attribute.kind != "string" for attribute in dataset.inputs)
        and parts.neighbourhood.is_global
        and parts.weights.is_uniform
        and parts.structure.handles_groups
        and parts.structure.reads != "rows"
        and not parts.missing.learns
        and (encodes_plainly(parts.discretizer) or all(attribute.is_nominal for attribute in dataset.inputs))
    )
