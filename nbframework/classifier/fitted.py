"""A fitted classifier: rows in, posteriors and predictions out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.decision import NO_BOUND_RULES, BoundRules
from nbframework.classifier.posterior import TieRule, normalised, winning_order
from nbframework.classifier.training import note_of_unlabelled
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.classifier import FittedWhole

if TYPE_CHECKING:
    from nbframework.classifier.model import Classifier
    from nbframework.classifier.training_statistics import TrainingStatistics

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BLOCK_CELLS = 160_000
"""Scores that a prediction holds at a time where each row is decided by itself."""

SHOWN_CLASSES = 10
"""Classes that a printed classifier names."""


@dataclass(frozen=True, eq=False)
class FittedClassifier:
    """A classifier that has seen its training rows.

    Parameters
    ----------
    model
        Gives each class of each row a score.
    schema
        A data set without rows: the attributes, values and class of the training data.
    class_weight
        (C,) training weight of each declared class.
    ties
        Which of several tied classes is predicted.
    tie_tolerance
        Nats within which classes are tied.
    further_notes
        What the user should know about the fit besides the number of rows without a class.
    structure_reads
        What the structure looked at: class weights, counts or rows.
    policy_is_plain
        Whether the missing policy learned nothing.
    chosen
        The values of tuned parameters by their paths, such as ``neighbourhood.kappa``; empty without any.
    training, seed
        What the classifier was fitted with; None for one fold of many.
    rules
        Priors, costs and thresholds that the recipe gives by class.
    classifier
        What was fitted.
    statistics
        The sums over the training rows that it was fitted from, where it was not fitted from rows.
    unlabelled
        Number of rows of positive weight that were left out because their class is unknown.
    """

    model: FittedWhole
    schema: Dataset
    class_weight: FloatArray
    ties: TieRule
    tie_tolerance: float
    further_notes: tuple[str, ...]
    structure_reads: str = "rows"
    policy_is_plain: bool = False
    chosen: Mapping[str, float] = field(default_factory=dict)
    training: Dataset | None = None
    seed: int | Sequence[int] = 0
    rules: BoundRules = NO_BOUND_RULES
    classifier: "Classifier | None" = None
    statistics: "TrainingStatistics | None" = None
    unlabelled: int = 0

    def __repr__(self) -> str:
        names = {} if self.classifier is None else self.classifier.part_names
        parts = "".join(f" {kind}={name}" for kind, name in names.items())
        # a fold keeps no training rows
        known = self.training is not None or self.statistics is not None
        rows = f"{self.rows_seen} rows, " if known else ""
        classes = ", ".join(self.class_values[:SHOWN_CLASSES])
        more = ", ..." if len(self.class_values) > SHOWN_CLASSES else ""
        return f"<FittedClassifier{parts}: {rows}{len(self.class_values)} classes ({classes}{more})>"

    @property
    def class_values(self) -> tuple[str, ...]:
        """The C declared classes in the order of the columns of `predict_proba`."""
        return self.schema.class_values

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the fit, such as rows left out."""
        return (*note_of_unlabelled(self.unlabelled), *self.further_notes)

    @property
    def rows_seen(self) -> int:
        """Number of rows of positive weight that it was fitted on, those without a class among them.

        0 for a fold, which keeps no rows.
        """
        if self.statistics is not None:
            return int(self.statistics.usable.number.sum()) + self.unlabelled
        return 0 if self.training is None else len(self.training) + self.unlabelled

    def predict_log_proba(self, dataset: Dataset) -> FloatArray:
        """Return (q, C) log posteriors in nats, exact zeros as -inf.

        Attributes and values are matched by name; a value that the training data do not declare is *unseen*, an
        absent class attribute is no fault.

        Raises
        ------
        DataError
            Where an attribute is missing or has another kind.
        WrongTypeError
            Where it is no data set.
        """
        queries = aligned(dataset, self.schema).dataset
        log_posterior = np.empty((len(queries), len(self.class_values)))
        for block in self._blocks(len(queries)):
            log_posterior[block] = self._log_posterior(queries, block)
        return log_posterior

    def partial_fit(self, dataset: Dataset) -> "FittedClassifier":
        """Return the classifier of the rows so far and of further ones.

        It equals the classifier fitted on all of them: its counts are the same numbers where row weights are whole,
        and the same to rounding elsewhere. Values and classes that only the further rows declare are added.

        Raises
        ------
        EvaluationError
            Where the recipe learns more than sums over rows, naming the part, or the attributes differ.
        """
        from nbframework.classifier import additive

        return additive.updated(self, dataset)

    def merge(self, other: "FittedClassifier") -> "FittedClassifier":
        """Return the classifier of the rows of two classifiers of one recipe.

        Raises
        ------
        EvaluationError
            As for `partial_fit`, and where the recipes differ, naming what differs.
        """
        from nbframework.classifier import additive

        return additive.merged(self, other)

    def subtract(self, other: "FittedClassifier") -> "FittedClassifier":
        """Return the classifier without those of its rows that another one was fitted on.

        What no row is left of counts exactly 0.

        Raises
        ------
        EvaluationError
            As for `merge`, and where rows are taken away that cannot have been there: more rows or weight than there
            are, values that none has, or sums that no rows have.
        """
        from nbframework.classifier import additive

        return additive.subtracted(self, other)

    def log_posterior_of(self, dataset: Dataset, rows: IntArray) -> FloatArray | None:
        """Return `predict_log_proba` of some rows of the data set whose folds the classifier was fitted on.

        None where they would have to be encoded anew.
        """
        log_joint = self.model.log_joint_of(dataset, rows) if isinstance(self.model, GlobalModel) else None
        return None if log_joint is None else self._checked(log_joint, 0)

    def predict_proba(self, dataset: Dataset) -> FloatArray:
        """Return (q, C) posteriors, each row summing to 1, in the order of the header's classes."""
        return np.exp(self.predict_log_proba(dataset))

    def predict(self, dataset: Dataset) -> IntArray:
        """Return (q,) codes of the predicted classes.

        Scores are compared before they are made posteriors; the difference of two is the same but for rounding, which
        the tie tolerance covers.
        """
        queries = aligned(dataset, self.schema).dataset
        predicted = np.empty(len(queries), dtype=np.intp)
        for block in self._blocks(len(queries)):
            predicted[block] = self._predicted(queries, block)
        return predicted

    def _predicted(self, queries: Dataset, block: slice) -> IntArray:
        """Return the predicted classes of some aligned rows, without posteriors where nothing asks for them."""
        log_joint = self._log_joint(queries, block)
        if self.rules.needs_posteriors:
            return self.predicted(self._checked(log_joint, block.start))
        order = winning_order(self.class_weight, self.ties)
        best = kernels.best_classes(self.rules.shifted(log_joint), order, self.tie_tolerance)
        # a row that rules out every class has the class frequencies, and a number that is none has to be named
        return best if best.min(initial=0) >= 0 else self.predicted(self._checked(log_joint, block.start))

    def predicted(self, log_posterior: FloatArray, class_weight: FloatArray | None = None) -> IntArray:
        """Return (q,) codes of the classes that (q, C) log posteriors predict.

        Costs and thresholds decide here and nowhere else; they leave posteriors alone.

        Parameters
        ----------
        log_posterior
            (q, C).
        class_weight
            (q, C) class weights where they differ by row, or None.
        """
        weight = self.class_weight if class_weight is None else class_weight
        return self.rules.predicted(log_posterior, weight, self.ties, self.tie_tolerance)

    def _blocks(self, rows: int) -> Iterator[slice]:
        """Yield blocks of rows where each is decided by itself; other models get all rows at once."""
        size = rows
        if isinstance(self.model, GlobalModel):
            size = BLOCK_CELLS // max(1, len(self.class_values))
        for first in range(0, rows, max(1, size)):
            yield slice(first, min(first + max(1, size), rows))

    def _log_posterior(self, queries: Dataset, block: slice) -> FloatArray:
        """Return the log posteriors of some aligned rows."""
        return self._checked(self._log_joint(queries, block), block.start)

    def _log_joint(self, queries: Dataset, block: slice) -> FloatArray:
        whole = block == slice(0, len(queries))
        return self.model.log_joint(queries if whole else queries.take(block))

    def _checked(self, log_joint: FloatArray, first: int) -> FloatArray:
        """Return the log posteriors; raise where a number is none, naming its row counted from ``first``."""
        # the largest of all is NaN where one of them is
        if len(log_joint) and not log_joint.max() < np.inf:
            row = int(np.flatnonzero((np.isnan(log_joint) | np.isposinf(log_joint)).any(axis=1))[0])
            given = log_joint[row].tolist()
            raise EvaluationError(f"row {first + row + 1}: the classifier gave {given} as log probabilities")
        return normalised(self.rules.shifted(log_joint), self.rules.frequencies(self.class_weight))
