"""How much of an error is systematic, and how much depends on which rows were drawn for training."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import Classifier
from nbframework.data.dataset import Dataset, require_dataset
from nbframework.errors import EvaluationError
from nbframework.evaluation.evaluate import Buildable, Predictions, classifier_of, predicted_folds
from nbframework.evaluation.folds import Split, fold_generator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Definition = Literal["kohavi-wolpert", "weka", "domingos", "webb"]

SMALL = 3000
"""Data sets of fewer rows are parted ten times instead of once (Kohavi, Becker & Sommerfield 1997)."""


@dataclass(frozen=True)
class BiasVarianceProtocol:
    """Which rows are learned from and judged on.

    In each repeat an evaluation set is set aside, and training sets are drawn from the other rows without
    replacement.

    Parameters
    ----------
    evaluation_share
        Share of all rows that are set aside, between 0 and 1.
    training_share
        Share of the other rows in each training set, between 0 and 1.
    samples
        Training sets in each repeat, at least 2.
    repeats
        Number of evaluation sets; None is 10 for data sets of fewer than 3,000 rows, otherwise 1.
    seed
        Of all drawing.

    Raises
    ------
    EvaluationError
        On numbers outside these ranges.

    References
    ----------
    Kohavi & Wolpert (1996), Bias plus variance decomposition for zero-one loss functions. Kohavi, Becker &
    Sommerfield (1997), section 4.
    """

    evaluation_share: float = 0.3
    training_share: float = 0.5
    samples: int = 10
    repeats: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("evaluation_share", "training_share"):
            if not 0 < getattr(self, name) < 1:
                raise EvaluationError(f"{name} is {getattr(self, name)}, expected a number between 0 and 1")
        if self.samples < 2:
            raise EvaluationError(f"{self.samples} training sets, expected at least 2")
        if self.repeats is not None and self.repeats < 1:
            raise EvaluationError(f"{self.repeats} repeats, expected at least 1")

    def splits(self, dataset: Dataset) -> list[Split]:
        """Return a split for each repeat and training set, repeat by repeat; the same ones for every recipe.

        Rows without a class are in no split.

        Raises
        ------
        EvaluationError
            Where the data set has too few rows.
        """
        rows = np.flatnonzero(dataset.classes < len(dataset.class_values))
        judged = round(self.evaluation_share * len(rows))
        drawn = round(self.training_share * (len(rows) - judged))
        if not judged or not drawn:
            raise EvaluationError(
                f"{len(rows)} rows of known class give {judged} rows to judge on and {drawn} to learn from, "
                "expected at least one of each"
            )
        repeats = self.repeats if self.repeats is not None else 10 if len(dataset) < SMALL else 1
        return [
            Split(np.sort(train), test, repeat, sample)
            for repeat in range(repeats)
            for sample, (train, test) in enumerate(self._drawn(rows, judged, drawn, dataset.name, repeat))
        ]

    def _drawn(
        self, rows: IntArray, judged: int, drawn: int, key: str, repeat: int
    ) -> Iterable[tuple[IntArray, IntArray]]:
        generator = fold_generator(self.seed, key, repeat)
        shuffled = generator.permutation(rows)
        test, pool = np.sort(shuffled[:judged]), shuffled[judged:]
        for _ in range(self.samples):
            yield generator.choice(pool, drawn, replace=False), test


@dataclass(frozen=True)
class Decomposition:
    """An error and its parts, each a share of rows.

    Parameters
    ----------
    error
        The mean error.
    bias
        Its systematic part. Noise cannot be told apart from it.
    variance
        The part that depends on the training set; Domingos's is net of the rows on which varying helps.
    """

    error: float
    bias: float
    variance: float


@dataclass(frozen=True)
class BiasVariance:
    """The decomposition of a recipe's error on a data set.

    Parameters
    ----------
    definition
        Whose decomposition.
    mean
        The mean over the repeats.
    repeats
        The decomposition of each repeat.
    sd
        Standard deviations of the three means, None for one repeat.
    notes
        What the user should know.
    """

    definition: Definition
    mean: Decomposition
    repeats: tuple[Decomposition, ...]
    sd: Decomposition | None
    notes: tuple[str, ...] = ()


def decompose(
    predicted: IntArray,
    truth: IntArray,
    class_count: int,
    definition: Definition = "kohavi-wolpert",
    weights: FloatArray | None = None,
) -> Decomposition:
    """Part the error of N classifiers on the same t rows.

    Parameters
    ----------
    predicted
        (N, t) predicted class codes, N of at least 2.
    truth
        (t,) true class codes.
    class_count
        C.
    definition
        kohavi-wolpert: the unbiased estimates, whose sum is the error; weka: their bias, with the variance that is
        not corrected for N, so that the sum falls short of the error by variance / (N - 1); domingos and webb: about
        the class that is predicted most often, the first declared of tied ones.
    weights
        (t,) row weights, None for 1.

    References
    ----------
    Kohavi & Wolpert (1996), equations 7 and 8. Domingos (2000), A unified bias-variance decomposition. Webb (2000),
    MultiBoosting.
    """
    samples, rows = predicted.shape
    if samples < 2 or not rows:
        raise EvaluationError(f"{samples} predictions of {rows} rows, expected at least 2 of at least 1")
    cells = np.bincount((np.arange(rows) * class_count + predicted).ravel(), minlength=rows * class_count)
    share = cells.reshape(rows, class_count) / samples
    if definition in ("kohavi-wolpert", "weka"):
        bias, variance = _kohavi_wolpert(share, truth, samples, definition == "kohavi-wolpert")
    else:
        bias, variance = _about_the_main_prediction(share, truth, definition)
    error = 1 - share[np.arange(rows), truth]
    return Decomposition(*(float(np.average(part, weights=weights)) for part in (error, bias, variance)))


def _kohavi_wolpert(share: FloatArray, truth: IntArray, samples: int, corrected: bool) -> tuple[FloatArray, FloatArray]:
    """Return (t,) squared bias and variance from the (t, C) shares of predictions."""
    target = np.zeros_like(share)
    target[np.arange(len(truth)), truth] = 1.0
    variance = (1 - (share**2).sum(axis=1)) / 2
    # the variance of the shares themselves makes the squared distance too large
    bias = ((target - share) ** 2).sum(axis=1) / 2 - variance / (samples - 1)
    return bias, variance * samples / (samples - 1) if corrected else variance


def _about_the_main_prediction(
    share: FloatArray, truth: IntArray, definition: Definition
) -> tuple[FloatArray, FloatArray]:
    """Return (t,) bias and variance of Domingos (net) or Webb."""
    rows = np.arange(len(truth))
    main = share.argmax(axis=1)
    biased, error = main != truth, 1 - share[rows, truth]
    bias = biased.astype(np.float64) if definition == "domingos" else np.where(biased, share[rows, main], 0.0)
    return bias, error - bias


def decompose_predictions(
    dataset: Dataset, predictions: Sequence[Predictions], definition: Definition = "kohavi-wolpert"
) -> BiasVariance:
    """Decompose the error of predictions made on the splits of a `BiasVarianceProtocol`, whoever made them.

    Parameters
    ----------
    dataset
        All rows.
    predictions
        One entry for each split, in any order.
    definition
        See `decompose`.
    """
    ordered = sorted(predictions, key=lambda prediction: (prediction.repeat, prediction.fold))
    parts = []
    for _, group in groupby(ordered, key=lambda prediction: prediction.repeat):
        repeat = list(group)
        rows = repeat[0].rows
        weights = None if dataset.row_weights is None else dataset.row_weights[rows]
        predicted = np.stack([prediction.predicted for prediction in repeat])
        truth = dataset.classes[rows].astype(np.intp)
        parts.append(decompose(predicted, truth, len(dataset.class_values), definition, weights))
    columns = [[getattr(part, name) for part in parts] for name in ("error", "bias", "variance")]
    sd = None
    if len(parts) > 1:
        sd = Decomposition(*(float(np.std(column, ddof=1) / np.sqrt(len(parts))) for column in columns))
    notes = dict.fromkeys(note for prediction in ordered for note in prediction.notes)
    mean = Decomposition(*(float(np.mean(column)) for column in columns))
    return BiasVariance(definition, mean, tuple(parts), sd, tuple(notes))


def bias_variance(
    recipe: Classifier | Buildable,
    dataset: Dataset,
    protocol: BiasVarianceProtocol | None = None,
    definition: Definition = "kohavi-wolpert",
    progress: Callable[[int, int], None] | None = None,
) -> BiasVariance:
    """Decompose the error of a recipe on a data set into bias and variance.

    Parameters
    ----------
    recipe
        A recipe or a classifier.
    dataset
        All rows.
    protocol
        How training sets are drawn; None is the one of Kohavi, Becker & Sommerfield.
    definition
        See `decompose`.
    progress
        Called with the fits done and their number.

    Raises
    ------
    EvaluationError
        Where there are too few rows, or naming the split in which a part fails.
    WrongTypeError
        Where the recipe or the data set is something else.
    """
    protocol = protocol or BiasVarianceProtocol()
    require_dataset(dataset)
    classifier = classifier_of(recipe)
    splits = protocol.splits(dataset)
    predictions = []
    for prediction in predicted_folds(classifier, dataset, splits, protocol.seed):
        predictions.append(prediction)
        if progress:
            progress(len(predictions), len(splits))
    return decompose_predictions(dataset, predictions, definition)
