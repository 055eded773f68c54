"""A fitted classifier: rows in, posteriors and predictions out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.decision import BoundRules
from nbframework.classifier.posterior import TieRule, normalised
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.classifier import FittedWhole

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


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
    notes
        What the user should know about the fit, such as rows left out.
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
    """

    model: FittedWhole
    schema: Dataset
    class_weight: FloatArray
    ties: TieRule
    tie_tolerance: float
    notes: tuple[str, ...]
    structure_reads: str = "rows"
    policy_is_plain: bool = False
    chosen: Mapping[str, float] = field(default_factory=dict)
    training: Dataset | None = None
    seed: int | Sequence[int] = 0
    rules: BoundRules = BoundRules()

    @property
    def class_values(self) -> tuple[str, ...]:
        """The C declared classes in the order of the columns of `predict_proba`."""
        return self.schema.class_values

    def predict_log_proba(self, dataset: Dataset) -> FloatArray:
        """Return (q, C) log posteriors in nats, exact zeros as -inf.

        Attributes and values are matched by name; a value that the training data do not declare is *unseen*, an
        absent class attribute is no fault.

        Raises
        ------
        DataError
            Where an attribute is missing or has another kind.
        """
        queries = aligned(dataset, self.schema).dataset
        log_joint = self.model.log_joint(queries)
        if np.isnan(log_joint).any() or np.isposinf(log_joint).any():
            row = int(np.flatnonzero((np.isnan(log_joint) | np.isposinf(log_joint)).any(axis=1))[0])
            raise EvaluationError(f"row {row + 1}: the classifier gave {log_joint[row].tolist()} as log probabilities")
        return normalised(self.rules.shifted(log_joint), self.rules.frequencies(self.class_weight))

    def predict_proba(self, dataset: Dataset) -> FloatArray:
        """Return (q, C) posteriors, each row summing to 1, in the order of the header's classes."""
        return np.exp(self.predict_log_proba(dataset))

    def predict(self, dataset: Dataset) -> IntArray:
        """Return (q,) codes of the predicted classes."""
        return self.predicted(self.predict_log_proba(dataset))

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
