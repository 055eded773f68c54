"""A score as a function of one parameter: the same folds for every value, with the work that the values share."""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.classifier.grid import Grid
from nbframework.classifier.settings import MOST_KEPT, Answers, Settings
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.tuned import TIED, By, Choice, TunedClassifier
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, NBFrameworkError
from nbframework.evaluation.evaluate import Evaluation, Predictions
from nbframework.evaluation.folds import Split, stratified_folds
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.protocol import EvaluationProtocol

FloatArray = NDArray[np.float64]
OF_POSTERIORS = frozenset({"log_loss", "brier", "rmse", "auc"})
"""The metrics that look at log posteriors; the others look at predicted classes alone."""


def choice_of(grid: Grid, by: By, folds: int, metric: str) -> Choice:
    """Return the choice of a setting by a metric.

    Parameters
    ----------
    grid
        The settings to try.
    by, folds
        Leave-one-out, or cross-validation in so many inner folds, stratified by class.
    metric
        A name of `METRICS`.
    """
    judge = METRICS[metric]
    return Choice(
        grid=grid,
        by=by,
        folds=folds,
        score=judge.function,
        higher_is_better=judge.higher_is_better,
        reads_posterior=metric in OF_POSTERIORS,
        deal=stratified_folds,
    )


@dataclass(frozen=True, eq=False)
class Nested:
    """What choosing the value inside each training set gives.

    Parameters
    ----------
    score
        Of the test rows, by the classifiers that chose for themselves; None where it is undefined.
    chosen
        The values chosen in each fold, by their paths.
    """

    score: float | None
    chosen: tuple[Mapping[str, float], ...]


@dataclass(frozen=True, eq=False)
class Curve:
    """The scores of one recipe on one data set under many values of a parameter.

    Parameters
    ----------
    path
        The parameter, such as ``neighbourhood.k``.
    values
        (v,) its values, ascending.
    metric
        A name of `METRICS`.
    scores
        The score of each value, None where it is undefined.
    nested
        The figure of choosing inside the training sets, or None where nobody asked.
    rows
        Number of rows.
    protocol
        How they were parted.
    notes
        What the user should know.
    cpu_seconds
        Processor time.
    """

    path: str
    values: tuple[float, ...]
    metric: str
    scores: tuple[float | None, ...]
    nested: Nested | None
    rows: int
    protocol: EvaluationProtocol
    notes: tuple[str, ...]
    cpu_seconds: float

    def optimum(self) -> tuple[float, float] | None:
        """Return the value with the best score, the smallest of equal ones, and that score.

        It is read off the test rows, so the score is optimistic: no user could have chosen the value.
        """
        return optimum(self.values, self.scores, METRICS[self.metric].higher_is_better)


def optimum(
    values: Sequence[float], scores: Sequence[float | None], higher_is_better: bool
) -> tuple[float, float] | None:
    """Return the first value whose score is the best, and that score; None without any score."""
    known = [(value, score) for value, score in zip(values, scores, strict=True) if score is not None]
    if not known:
        return None
    best = (max if higher_is_better else min)(score for _, score in known)
    return next((value, score) for value, score in known if abs(score - best) <= TIED or score == best)


def sweep(
    classifier: Classifier,
    dataset: Dataset,
    path: str,
    values: Sequence[float],
    protocol: EvaluationProtocol,
    metric: str = "accuracy",
    honest: TunedClassifier | None = None,
) -> Curve:
    """Return the scores of a classifier under many values of one parameter.

    Parameters
    ----------
    classifier
        Its own value of the parameter does not matter.
    dataset
        All rows.
    path
        The parameter, as ``kind.parameter``.
    values
        Its values, ascending.
    protocol
        How the rows are parted; every value sees the same training and test rows.
    metric
        A name of `METRICS`.
    honest
        The same classifier with the choice of the value inside it, to be judged beside the curve.

    Raises
    ------
    EvaluationError
        Naming the fold, where a part fails, or where the values give too many answers to keep.
    """
    started = time.process_time()
    splits = protocol.splits(dataset)
    dataset = protocol.seen(dataset)
    settings = Settings(classifier, Grid((path,), (tuple(values),)), metric in OF_POSTERIORS)
    width = max(1, len(dataset.class_values) if settings.keeps_posteriors else 0)
    if len(values) * sum(len(split.test) for split in splits) * width > MOST_KEPT:
        raise EvaluationError(f"{len(values)} values give more than {MOST_KEPT} answers to keep; try fewer values")
    folds = _answered(settings, dataset, splits, protocol.seed)
    scores = tuple(_score(dataset, protocol, _of_place(folds, splits, place), metric) for place in range(len(values)))
    nested = None if honest is None else _nested(honest, dataset, splits, protocol, metric)
    notes = tuple(protocol.warnings(dataset, splits))
    elapsed = time.process_time() - started
    return Curve(path, tuple(values), metric, scores, nested, len(dataset), protocol, notes, elapsed)


def _answered(settings: Settings, dataset: Dataset, splits: Sequence[Split], seed: int) -> list[Answers]:
    shared, folds = SharedWork(), []
    for number, split in enumerate(splits):
        with _named(split):
            folds.append(settings.of_fold(dataset, split.train, split.test, seed, number, shared))
    return folds


@contextlib.contextmanager
def _named(split: Split) -> Iterator[None]:
    """Name the fold in which something fails."""
    try:
        yield
    except Exception as error:  # a part may be a stranger's
        what = str(error) if isinstance(error, NBFrameworkError) else f"{type(error).__name__}: {error}"
        raise EvaluationError(f"fold {split.fold + 1} of repeat {split.repeat + 1}: {what}") from error


def _of_place(folds: Sequence[Answers], splits: Sequence[Split], place: int) -> tuple[Predictions, ...]:
    return tuple(
        Predictions(
            split.repeat,
            split.fold,
            split.test,
            answers.log_posterior[place],
            answers.predicted[place].astype(np.intp),
        )
        for answers, split in zip(folds, splits, strict=True)
    )


def _score(
    dataset: Dataset, protocol: EvaluationProtocol, predictions: tuple[Predictions, ...], metric: str
) -> float | None:
    """Return a score as an evaluation of the single recipe gives it."""
    return Evaluation(dataset, protocol, predictions, ()).scores([metric])[metric]


def _nested(
    honest: TunedClassifier, dataset: Dataset, splits: Sequence[Split], protocol: EvaluationProtocol, metric: str
) -> Nested:
    predictions, chosen = [], []
    fits = honest.fit_folds(dataset, [split.train for split in splits], protocol.seed)
    for split in splits:
        with _named(split):
            fitted = next(fits)
            log_posterior = fitted.predict_log_proba(dataset.take(split.test))
            predicted = fitted.predicted(log_posterior)
        predictions.append(Predictions(split.repeat, split.fold, split.test, log_posterior, predicted))
        chosen.append(fitted.chosen)
    return Nested(_score(dataset, protocol, tuple(predictions), metric), tuple(chosen))
