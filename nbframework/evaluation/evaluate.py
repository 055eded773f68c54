"""A classifier judged on rows that it has not seen."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.data.dataset import Dataset, require_dataset
from nbframework.errors import WrongTypeError
from nbframework.evaluation.metrics import METRICS, binomial_sd, sd_of_mean
from nbframework.evaluation.predictions import Predictions, leave_one_out_predictions, predicted_folds
from nbframework.evaluation.protocol import EvaluationProtocol

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

__all__ = [
    "Evaluation",
    "EvaluationProtocol",
    "Predictions",
    "evaluate",
    "leave_one_out_predictions",
    "predicted_folds",
]


class Buildable(Protocol):
    """Anything with a classifier in it, such as a recipe."""

    def build(self) -> Classifier:
        """Return the classifier."""


def classifier_of(recipe: Classifier | Buildable) -> Classifier:
    """Return the classifier that a recipe builds, or the classifier itself.

    Raises
    ------
    WrongTypeError
        Where it is neither.
    """
    if isinstance(recipe, Classifier):
        return recipe
    if isinstance(recipe, type) or not hasattr(recipe, "build"):
        hint = f"Recipe.load({str(recipe)!r})" if isinstance(recipe, str | Path) else "Recipe.load(name)"
        raise WrongTypeError(f"expected a Recipe or a Classifier, found {type(recipe).__name__}; {hint} reads a recipe")
    return recipe.build()


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What came out.

    Parameters
    ----------
    dataset
        The data set.
    protocol
        How it was parted.
    predictions
        One entry for each fold.
    notes
        What the user should know.
    cpu_seconds
        Processor time of fitting and predicting.
    """

    dataset: Dataset
    protocol: EvaluationProtocol
    predictions: tuple[Predictions, ...]
    notes: tuple[str, ...]
    cpu_seconds: float = field(default=0.0)

    def __repr__(self) -> str:
        accuracy = self.scores(["accuracy"])["accuracy"]
        shown = "undefined" if accuracy is None else f"{accuracy:.4f}"
        return f"<Evaluation of {self.dataset.name!r}, {self.protocol.described()}: accuracy {shown}>"

    def truth(self, rows: IntArray) -> IntArray:
        """Return the classes of some rows."""
        return self.dataset.classes[rows].astype(np.intp)

    def fold_errors(self) -> list[float]:
        """Return the error of each fold, 0 to 1; folds without rows of known class are left out."""
        if not self.predictions:
            return []
        rows = np.concatenate([fold.rows for fold in self.predictions])
        truth = self.dataset.classes[rows]
        weight = self.dataset.weights[rows] * (truth < len(self.dataset.class_values))
        wrong = truth != np.concatenate([fold.predicted for fold in self.predictions])
        errors, start = [], 0
        for fold in self.predictions:
            end = start + len(fold.rows)
            judged = weight[start:end]
            if total := float(judged.sum()):
                errors.append(float(judged[wrong[start:end]].sum()) / total)
            start = end
        return errors

    def scores(self, names: Sequence[str] = tuple(METRICS)) -> dict[str, float | None]:
        """Return the named metrics, every one by default.

        Accuracy and error are means over the folds; the other metrics are computed on all test rows of a repeat
        together and averaged over the repeats.
        """
        errors = self.fold_errors() if self.protocol.kind != "leave-one-out" else []
        error = float(np.mean(errors)) if errors else 0.0
        of_folds = {"error": error, "accuracy": 1.0 - error} if errors else {}
        pooled = self._pooled_scores([name for name in names if name not in of_folds])
        return {name: of_folds[name] if name in of_folds else pooled[name] for name in names}

    def _pooled_scores(self, names: Sequence[str]) -> dict[str, float | None]:
        """Return metrics of all test rows of a repeat together, averaged over the repeats."""
        if not names:
            return {}
        pooled = [self._score(*self.pooled(repeat), names) for repeat in range(self.repeats)]
        mean: dict[str, float | None] = {}
        for name in names:
            values = [scores[name] for scores in pooled]
            known = [value for value in values if value is not None]
            mean[name] = float(np.mean(known)) if known and len(known) == len(values) else None
        return mean

    def error_sd(self) -> float | None:
        """Return the standard deviation of the mean error: over folds, or of a proportion for a single test set."""
        errors = self.fold_errors()
        if len(errors) == 1:
            rows = np.concatenate([fold.rows for fold in self.predictions])
            judged = (self.truth(rows) < len(self.dataset.class_values)) & (self.dataset.weights[rows] > 0)
            return binomial_sd(errors[0], int(judged.sum()))
        return sd_of_mean(errors)

    @property
    def repeats(self) -> int:
        """How many repeats there are."""
        return max((fold.repeat for fold in self.predictions), default=-1) + 1

    def pooled(self, repeat: int) -> tuple[IntArray, FloatArray, IntArray]:
        """Return rows, log posteriors and predictions of a repeat's test rows together."""
        folds = [fold for fold in self.predictions if fold.repeat == repeat]
        return (
            np.concatenate([fold.rows for fold in folds]),
            np.concatenate([fold.log_posterior for fold in folds]),
            np.concatenate([fold.predicted for fold in folds]),
        )

    def _score(
        self, rows: IntArray, log_posterior: FloatArray, predicted: IntArray, names: Sequence[str]
    ) -> dict[str, float | None]:
        known = self.truth(rows) < len(self.dataset.class_values)
        weights = None if self.dataset.row_weights is None else self.dataset.row_weights[rows][known]
        truth, log_posterior, predicted = self.truth(rows)[known], log_posterior[known], predicted[known]
        return {name: METRICS[name].function(truth, log_posterior, predicted, weights) for name in names}


def evaluate(
    recipe: Classifier | Buildable,
    dataset: Dataset,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 1,
    protocol: EvaluationProtocol | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Judge a recipe on a data set; everything is learned inside the training rows of each fold.

    Parameters
    ----------
    recipe
        A recipe or a classifier.
    dataset
        All rows.
    folds, repeats, seed
        Of stratified cross-validation.
    protocol
        Another protocol.
    progress
        Called with the folds done and their number.

    Raises
    ------
    EvaluationError
        Naming the fold, where a part fails; the part's own error is its cause.
    WrongTypeError
        Where the recipe or the data set is something else.
    """
    require_dataset(dataset)
    classifier = classifier_of(recipe)
    protocol = protocol or EvaluationProtocol(folds=folds, repeats=repeats, seed=seed)
    started = time.process_time()
    if protocol.kind == "leave-one-out":
        notes = dict.fromkeys(protocol.warnings(dataset))
        predictions = [leave_one_out_predictions(classifier, dataset, protocol.seed)]
        notes.update(dict.fromkeys(predictions[0].notes))
    else:
        splits, seen = protocol.splits(dataset), protocol.seen(dataset)
        notes = dict.fromkeys(protocol.warnings(dataset, splits))
        predictions = []
        for prediction in predicted_folds(classifier, seen, splits, protocol.seed):
            predictions.append(prediction)
            notes.update(dict.fromkeys(prediction.notes))
            if progress:
                progress(len(predictions), len(splits))
    return Evaluation(dataset, protocol, tuple(predictions), tuple(notes), time.process_time() - started)
