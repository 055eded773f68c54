"""A classifier judged on rows that it has not seen."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import left_out
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, NBFrameworkError
from nbframework.evaluation.folds import Split
from nbframework.evaluation.metrics import METRICS, binomial_sd, sd_of_mean
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


@dataclass(frozen=True, eq=False)
class Predictions:
    """The predictions of one fold.

    Parameters
    ----------
    repeat, fold
        Counted from 0.
    rows
        (t,) test rows.
    log_posterior
        (t, C) log posteriors.
    predicted
        (t,) predicted classes.
    notes
        What the user should know about the fit.
    """

    repeat: int
    fold: int
    rows: IntArray
    log_posterior: FloatArray
    predicted: IntArray
    notes: tuple[str, ...] = ()


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
        errors = []
        for fold in self.predictions:
            truth = self.dataset.classes[fold.rows]
            weight = self.dataset.weights[fold.rows] * (truth < len(self.dataset.class_values))
            if total := float(weight.sum()):
                errors.append(float(weight[truth != fold.predicted].sum()) / total)
        return errors

    def scores(self, names: Sequence[str] = tuple(METRICS)) -> dict[str, float | None]:
        """Return the named metrics, every one by default.

        Accuracy and error are means over the folds; the other metrics are computed on all test rows of a repeat
        together and averaged over the repeats.
        """
        pooled = [self._score(*self.pooled(repeat), names) for repeat in range(self.repeats)]
        mean: dict[str, float | None] = {}
        for name in names:
            values = [scores[name] for scores in pooled]
            known = [value for value in values if value is not None]
            mean[name] = float(np.mean(known)) if known and len(known) == len(values) else None
        errors = self.fold_errors()
        if errors and self.protocol.kind != "leave-one-out":
            error = float(np.mean(errors))
            mean |= {name: value for name, value in (("error", error), ("accuracy", 1.0 - error)) if name in names}
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
    """
    if not isinstance(dataset, Dataset):
        raise EvaluationError(f"expected a Dataset, found {dataset!r}; read_arff(path) reads one")
    classifier = recipe if isinstance(recipe, Classifier) else recipe.build()
    protocol = protocol or EvaluationProtocol(folds=folds, repeats=repeats, seed=seed)
    started = time.process_time()
    notes = dict.fromkeys(protocol.warnings(dataset))
    if protocol.kind == "leave-one-out":
        predictions = [leave_one_out_predictions(classifier, dataset, protocol.seed)]
        notes.update(dict.fromkeys(predictions[0].notes))
    else:
        splits = protocol.splits(dataset)
        predictions = []
        for prediction in predicted_folds(classifier, dataset, splits, protocol.seed):
            predictions.append(prediction)
            notes.update(dict.fromkeys(prediction.notes))
            if progress:
                progress(len(predictions), len(splits))
    return Evaluation(dataset, protocol, tuple(predictions), tuple(notes), time.process_time() - started)


def leave_one_out_predictions(classifier: Classifier, dataset: Dataset, seed: int) -> Predictions:
    """Return the prediction of every row by the classifier of all other rows, as one fold.

    Raises EvaluationError on fewer than 2 rows.
    """
    if len(dataset) < 2:
        raise EvaluationError(f"leave-one-out needs at least 2 rows, found {len(dataset)}")
    log_posterior, predicted = classifier.leave_one_out(dataset, seed)
    notes = left_out(dataset, None)
    return Predictions(0, 0, np.arange(len(dataset)), log_posterior, predicted, notes)


def predicted_folds(
    classifier: Classifier,
    dataset: Dataset,
    splits: Sequence[Split],
    seed: int,
    numbers: Sequence[int] | None = None,
    shared: SharedWork | None = None,
) -> Iterator[Predictions]:
    """Fit on the training rows of each split and predict its test rows, split by split.

    Parameters
    ----------
    classifier
        The configured classifier.
    dataset
        All rows.
    splits
        Some or all of a protocol's splits.
    seed
        Seed of everything random.
    numbers
        The place of each split among all of the protocol, which its seed depends on; None for all splits.
    shared
        See `Classifier.fit_folds`.

    Raises
    ------
    EvaluationError
        Naming the fold, where a part fails.
    """
    shared = shared or SharedWork()
    numbers = range(len(splits)) if numbers is None else numbers
    fitted = classifier.fit_folds(dataset, [split.train for split in splits], seed, numbers, shared)
    for number, split in zip(numbers, splits, strict=True):
        with _Fold(split, splits):
            model = next(fitted)
            log_posterior = model.log_posterior_of(dataset, split.test)
            if log_posterior is None:
                queries = shared.of_fold(number, "queries", partial(dataset.take, split.test))
                log_posterior = model.predict_log_proba(queries)
            predicted, notes = model.predicted(log_posterior), model.notes
            # the next fold's model is made while this one would still be held
            del model
        yield Predictions(split.repeat, split.fold, split.test, log_posterior, predicted, notes)


class _Fold:
    """Names the fold in which something fails."""

    def __init__(self, split: Split, splits: Sequence[Split]) -> None:
        self.name = f"fold {split.fold + 1}" + (f" of repeat {split.repeat + 1}" if splits[-1].repeat else "")

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, NBFrameworkError):
            raise EvaluationError(f"{self.name}: {error}") from error
        if isinstance(error, Exception):
            raise EvaluationError(f"{self.name}: {type(error).__name__}: {error}") from error
