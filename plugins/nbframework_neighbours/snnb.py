"""Classifier snnb: of naive-Bayes classifiers on neighbourhoods of all sizes, the one that is most accurate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    Estimator,
    EvaluationError,
    FloatArray,
    Ge,
    IntArray,
    RowEncoder,
    Rows,
    Training,
    WholeClassifier,
    hookimpl,
)
from nbframework_neighbours.leaving_out import LeavingOut
from nbframework_neighbours.overlap import Overlap

TIED = 1e-12
"""Accuracies closer than this are equal."""
BLOCK_CELLS = 2_000_000
"""Upper bound on the distances, and about that on the counts, that are held at a time."""


@dataclass(frozen=True, kw_only=True)
class SNNB(WholeClassifier):
    """Ask the naive-Bayes classifier whose training rows differ from the query in at most r attributes.

    For each query there is a classifier for every r, on the training rows within that distance, and the one on all
    rows. Each is judged by leaving out one row at a time of its own training rows, and the most accurate of them is
    asked; of equal ones that with the larger r.

    Numeric attributes have to be discretized: rows differ in an attribute if their intervals do. An unknown value
    differs from every value. Whatever the estimator takes from the training set, it takes from all rows.

    Parameters
    ----------
    minimum_rows
        The fewest training rows that a classifier must have; the one on all rows may have less.

    References
    ----------
    Xie, Hsu, Liu & Lee (2002), SNNB: a selective neighborhood based naive Bayes for lazy learning.
    """

    name: ClassVar[str] = "snnb"
    cite: ClassVar[str] = "Xie, Hsu, Liu & Lee 2002"
    uses: ClassVar[tuple[str, ...]] = ("missing", "discretizer", "estimator")
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "leaving out removes the whole row, and minimum_rows counts rows"}
    )
    handles_measured: ClassVar[bool] = False
    minimum_rows: Annotated[int, Ge(2)] = 30

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedSNNB":
        """Keep the encoded rows, and judge the classifier on all of them.

        Raises
        ------
        EvaluationError
            Where an attribute stayed numeric.
        """
        encoder, rows = composition.encode(training)
        estimator = composition.parts["estimator"]
        if not isinstance(estimator, Estimator):
            raise TypeError(f"expected an estimator, found {estimator!r}")
        if len(rows.measured_inputs):
            attribute = rows.inputs[int(rows.measured_inputs[0])]
            raise EvaluationError(
                f"attribute {attribute.name!r} is {attribute.kind}, and classifier {self.name!r} takes nominal "
                "attributes only; name a discretizer in the recipe"
            )
        return FittedSNNB(encoder, rows, estimator, self.minimum_rows)


class FittedSNNB:
    """The training rows, and the classifier on all of them."""

    def __init__(self, encoder: RowEncoder, training: Training, estimator: Estimator, minimum_rows: int) -> None:
        self.encoder, self.training, self.estimator, self.minimum_rows = encoder, training, estimator, minimum_rows
        self.distance = Overlap().fit(training)
        whole = replace(training, start=np.array([0, len(training)]), known_counts=None)
        self.whole_accuracy = float(LeavingOut(whole, estimator).accuracy()[0])

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log joint probabilities by the classifier that each query chooses."""
        rows = self.encoder.queries(queries)
        joint = _naive_joint(self.training, self.estimator, rows, None)
        size = max(1, BLOCK_CELLS // max(1, len(self.training)))
        for first in range(0, len(rows), size):
            block = np.arange(first, min(first + size, len(rows)))
            distance = self.distance.between(rows.take(block))
            radius = self._chosen(distance)
            for some in self._batches(np.flatnonzero(radius >= 0)):
                local = self._within(distance, some, radius[some])
                joint[block[some]] = _naive_joint(local, self.estimator, rows.take(block[some]), np.arange(len(some)))
        return joint

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the radius that one row chooses, how many training rows lie within it, and how accurate they are."""
        radius, distance = self._choice(query)
        whole = f"{self.whole_accuracy:.4f}"
        if radius < 0:
            return (
                f"naive Bayes on all {len(self.training)} training rows: each left out, {whole} of them are classified "
                "correctly, and no smaller neighbourhood is more accurate",
            )
        local = self._within(distance, np.zeros(1, dtype=np.intp), np.array([radius]))
        accuracy = float(LeavingOut(local, self.estimator).accuracy()[0])
        apart = {0: "in no attribute", 1: "in at most 1 attribute"}.get(radius, f"in at most {radius} attributes")
        return (
            f"naive Bayes on the {len(local)} training rows that differ {apart}",
            f"each left out, {accuracy:.4f} of them are classified correctly, of all {len(self.training)} rows {whole}",
        )

    def chosen_rows(self, query: Dataset) -> IntArray | None:
        """Return the (m,) training rows within the radius that one row chooses, nearest first; None for all."""
        radius, distance = self._choice(query)
        order = np.argsort(distance[0], kind="stable")
        return None if radius < 0 else np.asarray(order[distance[0, order] <= radius])

    def _choice(self, query: Dataset) -> tuple[int, FloatArray]:
        """Return the radius of one row, -1 for all rows, and its (1, n) distances."""
        distance = self.distance.between(self.encoder.queries(query))
        return int(self._chosen(distance)[0]), distance

    def _chosen(self, distance: FloatArray) -> IntArray:
        """Return the radius that each query chooses by its (q, n) distances, -1 for all rows."""
        query, radius = self._candidates(distance)
        accuracy = np.empty(len(query))
        for some in self._batches(np.arange(len(query))):
            local = self._within(distance, query[some], radius[some])
            accuracy[some] = LeavingOut(local, self.estimator).accuracy()
        best = np.full(len(distance), self.whole_accuracy)
        np.maximum.at(best, query, accuracy)
        chosen = np.full(len(distance), -1)
        good = (accuracy >= best[query] - TIED) & (self.whole_accuracy < best[query] - TIED)
        np.maximum.at(chosen, query[good], radius[good])
        return chosen

    def _candidates(self, distance: FloatArray) -> tuple[IntArray, IntArray]:
        """Return queries and radii of all neighbourhoods that have enough rows, fewer than all, and differ."""
        most = int(distance.max(initial=0.0))
        radii = np.arange(most + 1)
        inside = np.stack([np.count_nonzero(distance <= r, axis=1) for r in radii], axis=1)
        # of equal neighbourhoods the largest radius stands for all
        grows = np.diff(inside, axis=1, append=len(self.training) + 1) > 0
        query, radius = np.nonzero(grows & (inside >= self.minimum_rows) & (inside < len(self.training)))
        return query, radii[radius]

    def _batches(self, groups: IntArray) -> Iterator[IntArray]:
        """Yield groups in runs whose rows and counts fit in memory."""
        codes, classes = self.training.codes, self.training.class_count
        tables = classes * classes * int(codes.offset[-1]) * max(codes.cardinality, default=1)
        size = max(1, BLOCK_CELLS // (len(self.training) + tables))
        for first in range(0, len(groups), size):
            yield groups[first : first + size]

    def _within(self, distance: FloatArray, query: IntArray, radius: IntArray) -> Training:
        """Return one group of training rows for each query and radius."""
        inside = distance[query] <= radius[:, np.newaxis]
        row = np.nonzero(inside)[1]
        whole = self.training
        return replace(
            whole,
            selection=row if whole.selection is None else whole.selection[row],
            class_codes=whole.class_codes[row],
            row_weights=None if whole.row_weights is None else whole.row_weights[row],
            start=np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(np.count_nonzero(inside, axis=1))]),
            reference=whole.counts,
            known_counts=None,
        )


def _naive_joint(training: Training, estimator: Estimator, queries: Rows, group: IntArray | None) -> FloatArray:
    """Return (q, C) log joints of naive Bayes on the training rows, or on those of each query's group."""
    counts = training.counts
    prior, table = estimator.log_prior(counts), estimator.log_conditional(counts)
    joint = np.array(np.broadcast_to(prior, (len(queries), training.class_count)) if group is None else prior[group])
    for first, column in zip(counts.offset[:-1].tolist(), queries.codes.columns, strict=True):
        cell = first + column.astype(np.intp)
        joint += table[:, cell].T if group is None else table[group, :, cell]
    return joint


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [SNNB]
