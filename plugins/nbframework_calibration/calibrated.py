"""Classifier calibrated: the log odds of a classifier, mapped to the frequencies that rows left out of it show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    FittedWhole,
    FloatArray,
    Ge,
    IntArray,
    WholeClassifier,
    hookimpl,
)
from nbframework_calibration.isotonic import isotonic
from nbframework_calibration.sigmoid import sigmoid

LogProbability = Callable[[FloatArray], FloatArray]
FOLDED = "the rows are dealt to inner folds, which their order and number decide"


@dataclass(frozen=True, kw_only=True)
class Calibrated(WholeClassifier):
    """Calibrate the recipe's own composition, or another classifier, by inner cross-validation.

    Each class is calibrated against all others on its log odds in the inner test folds, all folds together; the
    calibrated probabilities are divided by their sum (Zadrozny & Elkan 2002). The classifier itself is fitted on all
    rows. An infinite log odds counts as the largest finite one of the inner folds. A single training row is too few:
    its classifier stays as it is.

    Parameters
    ----------
    method
        sigmoid (Platt 1999) has two parameters and suits few rows; isotonic (Zadrozny & Elkan 2002) takes any rising
        function and wants many.
    folds
        Number of stratified inner folds, at most one for each row.
    of
        The classifier to calibrate; None takes the recipe's composition.

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods.
    Zadrozny & Elkan (2002), Transforming classifier scores into accurate multiclass probability estimates.
    """

    name: ClassVar[str] = "calibrated"
    cite: ClassVar[str] = "Platt 1999; Zadrozny & Elkan 2002"
    uses: ClassVar[tuple[str, ...]] = (
        "missing",
        "discretizer",
        "neighbourhood",
        "estimator",
        "density",
        "weights",
        "structure",
    )
    exceptions: ClassVar[Mapping[str, str]] = {
        "weight_two_is_the_row_twice": FOLDED,
        "the_order_of_rows_changes_nothing": FOLDED,
    }
    method: Literal["sigmoid", "isotonic"] = "sigmoid"
    folds: Annotated[int, Ge(2)] = 5
    of: WholeClassifier | None = None

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> FittedWhole:
        """Learn the calibration from inner folds, and fit the classifier on all rows."""
        class_count = len(training.class_values)
        frequency = np.bincount(training.classes, weights=training.weights, minlength=class_count).astype(np.float64)
        if len(training) < 2:
            return self._fitted(training, composition, generator)
        odds = np.empty((len(training), class_count))
        fold = stratified(training.classes.astype(np.intp), min(self.folds, len(training)), generator)
        for number in range(int(fold.max()) + 1):
            model = self._fitted(training.take(fold != number), composition, generator)
            odds[fold == number] = log_odds(model.log_joint(training.take(fold == number)), frequency)
        limit = _largest_finite(odds)
        learn = {"sigmoid": sigmoid, "isotonic": isotonic}[self.method]
        maps = [
            learn(_finite(odds[:, c], limit[c]), (training.classes == c).astype(np.float64), training.weights)
            for c in range(class_count)
        ]
        return FittedCalibrated(self._fitted(training, composition, generator), frequency, limit, maps)

    def _fitted(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> FittedWhole:
        if self.of is not None:
            return self.of.fit(training, composition, generator)
        return composition.fit(training, generator)


class FittedCalibrated:
    """A classifier, and for each class the map from its log odds to a log probability."""

    def __init__(
        self, model: FittedWhole, frequency: FloatArray, limit: FloatArray, maps: list[LogProbability]
    ) -> None:
        self.model, self.frequency, self.limit, self.maps = model, frequency, limit, maps

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return the calibrated log probabilities of each class against all others, (q, C)."""
        odds = log_odds(self.model.log_joint(queries), self.frequency)
        columns = [learned(_finite(odds[:, c], self.limit[c])) for c, learned in enumerate(self.maps)]
        return np.stack(columns, axis=1)


def log_odds(log_joint: FloatArray, frequency: FloatArray) -> FloatArray:
    """Return (q, C) log odds of each class against all others; where nothing is possible those of the frequencies."""
    impossible = np.isneginf(log_joint.max(axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        log_joint = np.where(impossible, np.log(frequency), log_joint)
    odds = np.empty_like(log_joint)
    for c in range(log_joint.shape[1]):
        odds[:, c] = log_joint[:, c] - np.logaddexp.reduce(np.delete(log_joint, c, axis=1), axis=1)
    return odds


def stratified(classes: IntArray, folds: int, generator: np.random.Generator) -> IntArray:
    """Return the (n,) fold of each row: shuffled, then dealt class by class."""
    shuffled = generator.permutation(len(classes))
    fold = np.empty(len(classes), dtype=np.intp)
    fold[shuffled[np.argsort(classes[shuffled], kind="stable")]] = np.arange(len(classes)) % folds
    return fold


def _largest_finite(odds: FloatArray) -> FloatArray:
    """Return (C,) the largest finite absolute value of each column, 0 where there is none."""
    return np.asarray(np.where(np.isfinite(odds), np.abs(odds), 0.0).max(axis=0))


def _finite(odds: FloatArray, limit: float) -> FloatArray:
    return np.where(np.isfinite(odds), odds, np.copysign(limit, odds))


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [Calibrated]
