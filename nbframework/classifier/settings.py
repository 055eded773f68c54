"""One classifier under many values of its parameters, on the same rows, with the work that they share done once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.grid import Grid, changed
from nbframework.classifier.leave_one_out import adds
from nbframework.classifier.local import LocalModel
from nbframework.classifier.model import Classifier, Seed
from nbframework.classifier.posterior import normalised
from nbframework.classifier.shared import SharedWork
from nbframework.data.attribute import code_dtype
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
MOST_KEPT = 100_000_000
"""Upper bound on the predictions, or log posteriors, that all settings give together."""
SHARED_CELLS = 4_000_000
"""Upper bound on the class weights that one block of queries may need under all values."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What s settings say of q rows.

    Parameters
    ----------
    predicted
        (s, q) predicted classes.
    log_posterior
        (s, q, C) log posteriors; (s, q, 0) where nobody wants them.
    """

    predicted: NDArray[Any]
    log_posterior: FloatArray

    def judged(self, place: int, truth: IntArray, weights: FloatArray | None) -> "Judged":
        """Return the answers of one setting beside the truth."""
        return Judged(truth, self.log_posterior[place], self.predicted[place].astype(np.intp), weights)


@dataclass(frozen=True, eq=False)
class Judged:
    """The answers of one setting beside the truth.

    Parameters
    ----------
    truth
        (n,) classes.
    log_posterior
        (n, C) log posteriors, or (n, 0).
    predicted
        (n,) predicted classes.
    weights
        (n,) row weights, or None.
    """

    truth: IntArray
    log_posterior: FloatArray
    predicted: IntArray
    weights: FloatArray | None


class Settings:
    """A classifier under every setting of a grid.

    Where the structure reads nothing but class weights, the values of a parameter of the neighbourhood are answered
    together if the neighbourhood offers it (`FittedNeighbourhood.log_class_weights`). Otherwise each setting is fitted
    by itself, and cut points, codes and counts are shared within a fold as between recipes.

    Parameters
    ----------
    classifier
        Its own values of the grid's parameters do not matter.
    grid
        s settings.
    keeps_posteriors
        Whether answers hold log posteriors.
    """

    def __init__(self, classifier: Classifier, grid: Grid, keeps_posteriors: bool) -> None:
        self.grid, self.keeps_posteriors = grid, keeps_posteriors
        self.settings = list(grid.settings())
        self.classifiers = [changed(classifier, setting) for setting in self.settings]
        self.shared_path = _shared_path(classifier, grid)

    def of_fold(
        self,
        dataset: Dataset,
        train: IntArray,
        test: IntArray,
        seed: Seed,
        number: int,
        shared: SharedWork,
        places: Sequence[int] | None = None,
    ) -> Answers:
        """Return the answers of all settings, or of some, to test rows; arguments as of `Classifier.fit_folds`."""
        queries = dataset.take(test)
        places = range(len(self.settings)) if places is None else places
        answers = self._answers(len(self.settings), len(queries), len(dataset.class_values))

        def fitted(place: int) -> FittedClassifier:
            return next(self.classifiers[place].fit_folds(dataset, [train], seed, [number], shared))

        for group in self._groups(places):
            first = fitted(group[0])
            if self.shared_path and self._together(first, group, answers, _encoded(first, queries)):
                continue
            for place in group:
                model = first if place == group[0] else fitted(place)
                log_posterior = model.predict_log_proba(queries)
                answers.predicted[place] = model.predicted(log_posterior)
                answers.log_posterior[place] = log_posterior[:, : answers.log_posterior.shape[-1]]
        return answers

    def left_out(self, dataset: Dataset, seed: Seed) -> Iterator[tuple[int, Judged]]:
        """Yield each setting's number and its answers to the rows of a data set, each by all others.

        Where values are answered together the row is no neighbour of itself; what the missing policy, the discretizer
        and the distance learn, they learn once from all rows, and rows that the missing policy drops are not judged.

        Parameters
        ----------
        dataset
            At least 2 rows of known class and positive weight.
        seed
            Seed of everything random.
        """
        alone: list[int] = []
        for group in self._groups(range(len(self.settings))):
            judged = self._left_out_together(group, dataset, seed) if self.shared_path else None
            if judged is None:
                alone += group
            else:
                yield from zip(group, judged, strict=True)
        truth, weights = dataset.classes.astype(np.intp), dataset.row_weights
        refitted = []
        for place in alone:
            if _subtracts(self.classifiers[place], dataset):
                log_posterior, predicted = self.classifiers[place].leave_one_out(dataset, seed)
                yield place, Judged(truth, log_posterior, predicted, weights)
            else:
                refitted.append(place)
        if refitted:
            yield from self.cross_validated(dataset, np.arange(len(dataset)), seed, refitted)

    def cross_validated(
        self, dataset: Dataset, fold: IntArray, seed: Seed, places: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Judged]]:
        """Yield each setting's number and its answers to all rows, those of each fold by the rows of the others.

        Parameters
        ----------
        dataset
            n rows of known class and positive weight.
        fold
            (n,) fold of each row.
        seed
            Seed of everything random.
        places
            The numbers of some settings; None for all.
        """
        places = range(len(self.settings)) if places is None else places
        whole = self._answers(len(self.settings), len(dataset), len(dataset.class_values))
        shared = SharedWork()
        for number in range(int(fold.max()) + 1):
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            answers = self.of_fold(dataset, train, test, seed, number, shared, places)
            whole.predicted[:, test], whole.log_posterior[:, test] = answers.predicted, answers.log_posterior
        truth = dataset.classes.astype(np.intp)
        for place in places:
            yield place, whole.judged(place, truth, dataset.row_weights)

    def _groups(self, places: Sequence[int]) -> list[list[int]]:
        """Return settings in groups that differ in the shared parameter alone; each by itself without one."""
        groups: dict[tuple[float, ...], list[int]] = {}
        for place in places:
            others = tuple(value for path, value in self.settings[place].items() if path != self.shared_path)
            groups.setdefault(others if self.shared_path else (place,), []).append(place)
        return list(groups.values())

    def _left_out_together(self, group: Sequence[int], dataset: Dataset, seed: Seed) -> list[Judged] | None:
        fitted = self.classifiers[group[0]].fit(dataset, seed)
        model = fitted.model
        if not isinstance(model, LocalModel) or len(model.training) < 2:
            return None
        rows = model.training
        answers = self._answers(len(self.settings), len(rows), rows.class_count)
        if not self._together(fitted, group, answers, rows, np.arange(len(rows))):
            return None
        return [answers.judged(place, rows.classes, rows.row_weights) for place in group]

    def _together(
        self,
        fitted: FittedClassifier,
        group: Sequence[int],
        answers: Answers,
        rows: Rows | None,
        left_out: IntArray | None = None,
    ) -> bool:
        """Fill in the answers of a group from one search; return whether the neighbourhood offers that."""
        model = fitted.model
        if not isinstance(model, LocalModel) or rows is None or self.shared_path is None:
            return False
        parameter = self.shared_path.partition(".")[2]
        values = [self.settings[place][self.shared_path] for place in group]
        size = max(1, SHARED_CELLS // (len(values) * model.training.class_count))
        for start in range(0, len(rows), size):
            block = slice(start, min(start + size, len(rows)))
            out = None if left_out is None else left_out[block]
            asked = rows.take(block)
            weights = model.neighbourhood.log_class_weights(parameter, values, asked, out)
            if weights is None:
                return False
            class_weight = fitted.class_weight if out is None else _weight_without(model.training, out)
            for place, log_weight in zip(group, weights, strict=True):
                log_posterior = normalised(model.votes(asked, log_weight), class_weight)
                predicted = fitted.predicted(log_posterior, class_weight)
                answers.predicted[place, block] = predicted
                answers.log_posterior[place, block] = log_posterior[:, : answers.log_posterior.shape[-1]]
        return True

    def _answers(self, settings: int, rows: int, class_count: int) -> Answers:
        """Return room for answers; EvaluationError where it would be too much."""
        kept = class_count if self.keeps_posteriors else 0
        if settings * rows * max(1, kept) > MOST_KEPT:
            raise EvaluationError(
                f"{settings} settings on {rows} rows give more than {MOST_KEPT} "
                f"{'log posteriors' if kept else 'predictions'} to keep; try fewer values"
            )
        predicted = np.zeros((settings, rows), dtype=code_dtype(class_count))
        return Answers(predicted, np.empty((settings, rows, kept)))


def _shared_path(classifier: Classifier, grid: Grid) -> str | None:
    """Return the parameter of the neighbourhood whose values may be answered together."""
    if type(classifier) is not Classifier or classifier.whole is not None or classifier.neighbourhood.is_global:
        return None
    if classifier.class_rules.class_priors is not None:
        return None
    if classifier.structure.reads != "class weights" or not classifier.weights.is_uniform:
        return None
    own = [path for path in grid.paths if path.startswith("neighbourhood.") and path.count(".") == 1]
    return own[-1] if own else None


def _subtracts(classifier: Classifier, dataset: Dataset) -> bool:
    """Return whether a classifier leaves rows out by subtracting their counts."""
    return type(classifier) is Classifier and classifier.whole is None and adds(classifier.composition, dataset)


def _encoded(fitted: FittedClassifier, queries: Dataset) -> Rows | None:
    return fitted.model.encoder.queries(queries) if isinstance(fitted.model, LocalModel) else None


def _weight_without(training: Training, rows: IntArray) -> FloatArray:
    """Return the (r, C) class weights of the training rows without each of some rows."""
    count = training.class_count
    total = np.bincount(training.classes, weights=training.weights, minlength=count).astype(np.float64)
    weight = np.tile(total, (len(rows), 1))
    weight[np.arange(len(rows)), training.classes[rows]] -= training.weights[rows]
    return weight
