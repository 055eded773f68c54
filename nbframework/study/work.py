"""The work itself: some folds of some recipes on one data set, in this process."""

import functools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.classifier.shared import SharedWork
from nbframework.data.dataset import Dataset
from nbframework.errors import NBFrameworkError
from nbframework.evaluation.folds import Split
from nbframework.evaluation.predictions import Predictions, leave_one_out_predictions, predicted_folds, predicted_groups
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.plugins import installed
from nbframework.recipe import Recipe
from nbframework.study.decomposition import DecompositionProtocol
from nbframework.study.limits import LimitExceeded, limited
from nbframework.study.plan import PlannedData
from nbframework.study.scoring import Judge
from nbframework.study.stop_watch import Cost, StopWatch
from nbframework.study.study import Limits

IntArray = NDArray[np.intp]
Place = tuple[int, int]
"""Repeat and fold, both counted from 0."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """What one task still needs.

    Parameters
    ----------
    task
        Its number in the store.
    recipe
        The recipe.
    missing
        The folds without results.
    spent
        Seconds that it has used already.
    """

    task: int
    recipe: Recipe
    missing: frozenset[Place]
    spent: float = 0.0


@dataclass(frozen=True, eq=False)
class Work:
    """Several recipes on one data set under one protocol, which share what they can.

    Parameters
    ----------
    data
        The data set.
    protocol
        Its protocol.
    assignments
        One for each recipe.
    metrics
        Names of the scores.
    limits
        What each task may use.
    predictions
        Whether to hand over every prediction.
    """

    data: PlannedData
    protocol: EvaluationProtocol
    assignments: tuple[Assignment, ...]
    metrics: tuple[str, ...]
    limits: Limits
    predictions: bool = False


class FoldResult(NamedTuple):
    """The scores of one fold.

    Parameters
    ----------
    task
        Number of the task in the store.
    repeat, fold
        Counted from 0.
    training_rows, test_rows
        Number of rows of each side.
    test_weight
        Weight of the test rows of known class.
    scores
        By metric; None is undefined.
    cpu_seconds, seconds
        Processor and wall-clock time of fitting, predicting and scoring; folds that are fitted together share what
        that takes equally.
    notes
        What the user should know about the fit.
    predictions
        Every prediction with the true class codes, or None.
    """

    task: int
    repeat: int
    fold: int
    training_rows: int
    test_rows: int
    test_weight: float
    scores: Mapping[str, float | None]
    cpu_seconds: float
    seconds: float
    notes: tuple[str, ...] = ()
    predictions: tuple[Predictions, IntArray] | None = None


@dataclass(frozen=True)
class Failure:
    """A task that could not be finished.

    Parameters
    ----------
    task
        Number of the task in the store.
    message
        What happened, for the user.
    place
        The fold that failed; the first one where none can be finished.
    """

    task: int
    message: str
    place: Place = (0, 0)


def perform(work: Work, dataset: Dataset | None = None) -> Iterator[FoldResult | Failure]:
    """Run the folds, all recipes on a fold before the next fold; without limits small folds are fitted together ahead.

    Parameters
    ----------
    work
        What to do.
    dataset
        The data set where it is in memory; else it is read.

    Yields
    ------
    Results in the order of the folds; a recipe that fails costs its own remaining folds only.
    """
    shared = SharedWork() if dataset is not None else _shared(work.data, work.protocol)
    dataset = dataset if dataset is not None else _read(work.data)
    judge = Judge(dataset, work.protocol, work.metrics)
    runs = [_Run(assignment, work, dataset, shared, judge) for assignment in work.assignments]
    places = sorted({place for assignment in work.assignments for place in assignment.missing})
    for place in places:
        for run in runs:
            if place in run.assignment.missing and not run.failed:
                yield run.next(place)


@functools.lru_cache(maxsize=1)
def _read(data: PlannedData) -> Dataset:
    """Return a data set, the last one without reading it again."""
    return data.read()


@functools.lru_cache(maxsize=1)
def _shared(data: PlannedData, protocol: EvaluationProtocol) -> SharedWork:  # noqa: ARG001  # the key of the cache
    """Return what the work on a data set that is read here has in common, the last one with what it holds already."""
    return SharedWork()


def remaining(work: Work, results: Sequence[FoldResult | Failure]) -> Work | None:
    """Return the work without what the results have done, or None where nothing is left."""
    failed: set[int] = set()
    done: dict[int, list[FoldResult]] = {assignment.task: [] for assignment in work.assignments}
    for result in results:
        if isinstance(result, Failure):
            failed.add(result.task)
        else:
            done[result.task].append(result)
    left = []
    for assignment in work.assignments:
        mine = done[assignment.task]
        if assignment.task in failed or len(mine) == len(assignment.missing):
            continue
        missing = assignment.missing - {(result.repeat, result.fold) for result in mine}
        spent = assignment.spent + sum(result.seconds for result in mine)
        left.append(replace(assignment, missing=missing, spent=spent))
    return replace(work, assignments=tuple(left)) if left else None


@dataclass(eq=False)
class _Run:
    """One recipe on its way through the folds."""

    assignment: Assignment
    work: Work
    dataset: Dataset
    shared: SharedWork
    judge: Judge
    failed: bool = False
    spent: float = field(init=False)

    def __post_init__(self) -> None:
        self.spent = self.assignment.spent
        self._groups: Iterator[list[list[Predictions]]] | None = None
        self._ready: deque[list[Predictions]] = deque()
        self._cost = Cost(0.0, 0.0)
        self._training: dict[Place, int] = {}

    def next(self, place: Place) -> FoldResult | Failure:
        """Run the fold at a place."""
        watch = StopWatch()
        seconds = self.work.limits.seconds
        left = None if seconds is None else seconds - self.spent
        try:
            with limited(left, self.work.limits.memory_mb):
                if not self._ready:
                    self._work_ahead(watch)
                predictions = self._ready.popleft()
                truth = self.judge.truth(predictions[0].rows)
                scores = self.judge.scores(predictions, truth)
        except LimitExceeded as error:
            return self._failure(f"{_named(place, self.work.protocol)}: {error.explained(self.work.limits)}", place)
        except NBFrameworkError as error:
            return self._failure(_explained(error), place)
        cost = watch.lap().plus(self._cost)
        self.spent += cost.elapsed
        return FoldResult(
            self.assignment.task,
            *place,
            self._training[place],
            len(truth.codes),
            truth.weight,
            scores,
            cost.cpu,
            cost.elapsed,
            tuple(dict.fromkeys(text for prediction in predictions for text in prediction.notes)),
            (predictions[0], truth.codes) if self.work.predictions else None,
        )

    def _work_ahead(self, watch: StopWatch) -> None:
        """Predict the next folds, one or as many as are fitted together, which share what it takes equally."""
        if self._groups is None:
            self._groups = self._started()
        self._ready.extend(next(self._groups))
        self._cost = watch.lap().divided_by(len(self._ready))

    def _failure(self, message: str, place: Place) -> Failure:
        self.failed = True
        return Failure(self.assignment.task, message, place)

    def _started(self) -> Iterator[list[list[Predictions]]]:
        """Return the predictions of each place, one fold or all the training sets of a repeat, in groups of places."""
        classifier, protocol = self.assignment.recipe.build(), self.work.protocol
        if protocol.kind == "leave-one-out":
            self._training[0, 0] = len(self.dataset) - 1
            return _left_out(classifier, self.dataset, protocol.seed)
        splits, numbers = self._wanted(self.shared.of_data(("splits", protocol), lambda: protocol.splits(self.dataset)))
        seen = self.shared.of_data(("seen", protocol), lambda: protocol.seen(self.dataset))
        self._training = {self._place(split): len(split.train) for split in splits}
        given = classifier, seen, splits, protocol.seed, numbers, self.shared
        if isinstance(protocol, DecompositionProtocol):
            found = predicted_folds(*given)
            return iter(lambda: [list(islice(found, protocol.samples))], [[]])
        # a limit has to stop the fold that breaks it
        groups = predicted_groups(*given, together=self.work.limits == Limits())
        return ([[prediction] for prediction in group] for group in groups)

    def _wanted(self, splits: list[Split]) -> tuple[list[Split], list[int]]:
        numbers = [i for i, split in enumerate(splits) if self._place(split) in self.assignment.missing]
        return [splits[i] for i in numbers], numbers

    def _place(self, split: Split) -> Place:
        return split.repeat, 0 if isinstance(self.work.protocol, DecompositionProtocol) else split.fold


def _left_out(classifier: Classifier, dataset: Dataset, seed: int) -> Iterator[list[list[Predictions]]]:
    yield [[leave_one_out_predictions(classifier, dataset, seed)]]


def _named(place: Place, protocol: EvaluationProtocol) -> str:
    return f"fold {place[1] + 1}" + (f" of repeat {place[0] + 1}" if protocol.repeats > 1 else "")


def _explained(error: NBFrameworkError) -> str:
    """Return the message of an error, naming the plugin where its code raised something unforeseen."""
    cause = error.__cause__
    if cause is None or isinstance(cause, NBFrameworkError):
        return str(error)
    provider = installed().provider_of(cause.__traceback__)
    return f"{error} (in {provider})" if provider else str(error)
