"""The predictions of folds: fitted on their training rows, asked about their test rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.classifier.fold_groups import FoldGroups
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import left_out
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, NBFrameworkError
from nbframework.evaluation.folds import Split

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


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

    def __repr__(self) -> str:
        return f"<Predictions of {len(self.rows)} rows: repeat {self.repeat}, fold {self.fold}>"


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
    for together in predicted_groups(classifier, dataset, splits, seed, numbers, shared):
        yield from together


def predicted_groups(
    classifier: Classifier,
    dataset: Dataset,
    splits: Sequence[Split],
    seed: int,
    numbers: Sequence[int] | None = None,
    shared: SharedWork | None = None,
    together: bool = True,
) -> Iterator[list[Predictions]]:
    """Yield the predictions of `predicted_folds`, those of folds that were fitted together in one list.

    Parameters
    ----------
    classifier, dataset, splits, seed, numbers, shared
        As for `predicted_folds`.
    together
        False fits each fold by itself; the predictions are the same.
    """
    numbers = range(len(splits)) if numbers is None else numbers
    groups = _groups(classifier, dataset, splits, numbers, shared) if together else None
    size = len(splits) if groups is None else groups.size
    for first in range(0, len(splits), max(1, size)):
        some = slice(first, first + size)
        found = None if groups is None else _together(classifier, dataset, splits[some], groups, first)
        if found is not None:
            yield found
            continue
        for prediction in _one_by_one(classifier, dataset, splits, some, seed, numbers[some], shared):
            yield [prediction]


def _one_by_one(
    classifier: Classifier,
    dataset: Dataset,
    splits: Sequence[Split],
    some: slice,
    seed: int,
    numbers: Sequence[int],
    shared: SharedWork | None,
) -> Iterator[Predictions]:
    """Predict some of the folds, each by a classifier of its own."""
    shared = shared or SharedWork()
    fitted = classifier.fit_folds(dataset, [split.train for split in splits[some]], seed, numbers, shared)
    for number, split in zip(numbers, splits[some], strict=True):
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


def _groups(
    classifier: Classifier,
    dataset: Dataset,
    splits: Sequence[Split],
    numbers: Sequence[int],
    shared: SharedWork | None,
) -> FoldGroups | None:
    """Return what answers several folds together, or None where nothing can."""
    training, test = [split.train for split in splits], [split.test for split in splits]
    try:
        return classifier.fold_groups(dataset, training, test, numbers, shared)
    except Exception:  # a part may be a stranger's; one by one they name the fold that fails
        return None


def _together(
    classifier: Classifier, dataset: Dataset, splits: Sequence[Split], groups: FoldGroups, first: int
) -> list[Predictions] | None:
    """Return the predictions of folds that start with the ``first``, or None where they have to go one by one."""
    try:
        answers = groups.answers(first, first + len(splits))
        if answers is None:
            return None
        weight = answers.class_weight[answers.group]
        log_posterior, predicted = classifier.decided(dataset, answers.log_joint, weight)
    except Exception:  # a part may be a stranger's; one by one they name the fold that fails
        return None
    borders = np.cumsum([0, *(len(split.test) for split in splits)]).tolist()
    return [
        Predictions(split.repeat, split.fold, split.test, log_posterior[start:end], predicted[start:end], notes)
        for split, start, end, notes in zip(splits, borders, borders[1:], answers.notes, strict=False)
    ]


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
