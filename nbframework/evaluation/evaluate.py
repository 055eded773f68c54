"""A classifier judged on rows that it has not seen."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, NBFrameworkError
from nbframework.evaluation.folds import Split, cross_validation_splits, holdout_splits, rare_classes, row_range_splits
from nbframework.evaluation.metrics import METRICS, binomial_sd, sd_of_mean

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class Buildable(Protocol):
    """Anything with a classifier in it, such as a recipe."""

    def build(self) -> Classifier:
        """Return the classifier."""


@dataclass(frozen=True)
class EvaluationProtocol:
    """How rows are parted into training and test rows.

    Parameters
    ----------
    kind
        cross-validation, holdout, split or leave-one-out.
    folds, repeats, seed
        Of cross-validation; repeats and seed of holdout, too.
    test_share
        Of holdout: the share of rows to test on, between 0 and 1.
    ranges
        Of split: training and test rows such as ``"1-2000 | 2001-3186"``.
    """

    kind: str = "cross-validation"
    folds: int = 10
    repeats: int = 1
    seed: int = 1
    test_share: float = 1 / 3
    ranges: str = ""

    def splits(self, dataset: Dataset) -> list[Split]:
        """Return the splits of a data set; the same ones for every recipe.

        Raises
        ------
        EvaluationError
            Where the data set has too few rows, or ranges do not fit it.
        """
        classes, count = dataset.classes, len(dataset.class_values)
        if self.kind == "cross-validation":
            return cross_validation_splits(classes, count, self.folds, self.repeats, self.seed, dataset.name)
        if self.kind == "holdout":
            return holdout_splits(classes, count, self.test_share, self.repeats, self.seed, dataset.name)
        if self.kind == "split":
            return row_range_splits(len(dataset), self.ranges)
        raise EvaluationError(f"unknown protocol {self.kind!r}")

    def warnings(self, dataset: Dataset) -> list[str]:
        """Return what the user should know about the folds of this data set."""
        if self.kind != "cross-validation":
            return []
        rare = rare_classes(dataset.classes, len(dataset.class_values), self.folds)
        if not rare:
            return []
        listed = ", ".join(f"{dataset.class_values[code]} ({members})" for code, members in rare)
        return [f"classes with fewer rows than the {self.folds} folds: {listed}; some folds lack them"]

    def described(self) -> str:
        """Return the protocol in words."""
        if self.kind == "cross-validation":
            repeats = f"{self.repeats} x " if self.repeats > 1 else ""
            return f"{repeats}{self.folds}-fold stratified cross-validation, seed {self.seed}"
        if self.kind == "holdout":
            return f"holdout of {self.test_share:.3g} of the rows, {self.repeats} repeat(s), seed {self.seed}"
        return "leave-one-out" if self.kind == "leave-one-out" else f"rows {self.ranges}"


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
    """

    repeat: int
    fold: int
    rows: IntArray
    log_posterior: FloatArray
    predicted: IntArray


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
            return binomial_sd(errors[0], len(self.predictions[0].rows))
        if self.protocol.kind == "leave-one-out":
            error = self.scores(["error"])["error"]
            return None if error is None else binomial_sd(error, len(self.dataset))
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
    classifier = recipe if isinstance(recipe, Classifier) else recipe.build()
    protocol = protocol or EvaluationProtocol(folds=folds, repeats=repeats, seed=seed)
    started = time.process_time()
    notes = dict.fromkeys(protocol.warnings(dataset))
    if protocol.kind == "leave-one-out":
        predictions = _leave_one_out(classifier, dataset, protocol.seed)
    else:
        predictions = _over_splits(classifier, dataset, protocol, notes, progress)
    return Evaluation(dataset, protocol, tuple(predictions), tuple(notes), time.process_time() - started)


def _leave_one_out(classifier: Classifier, dataset: Dataset, seed: int) -> list[Predictions]:
    if len(dataset) < 2:
        raise EvaluationError(f"leave-one-out needs at least 2 rows, found {len(dataset)}")
    log_posterior, predicted = classifier.leave_one_out(dataset, seed)
    return [Predictions(0, 0, np.arange(len(dataset)), log_posterior, predicted)]


def _over_splits(
    classifier: Classifier,
    dataset: Dataset,
    protocol: EvaluationProtocol,
    notes: dict[str, None],
    progress: Callable[[int, int], None] | None,
) -> list[Predictions]:
    splits = protocol.splits(dataset)
    fitted = classifier.fit_folds(dataset, [split.train for split in splits], protocol.seed)
    predictions: list[Predictions] = []
    for done, split in enumerate(splits):
        with _Fold(split, splits):
            model = next(fitted)
            log_posterior = model.predict_log_proba(dataset.take(split.test))
        notes.update(dict.fromkeys(model.notes))
        predicted = model.predicted(log_posterior)
        predictions.append(Predictions(split.repeat, split.fold, split.test, log_posterior, predicted))
        if progress:
            progress(done + 1, len(splits))
    return predictions


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
