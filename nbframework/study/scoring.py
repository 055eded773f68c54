"""The scores of one fold; what is true of its rows is looked up once for all recipes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.predictions import Predictions
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.study.decomposition import DecompositionProtocol

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Scores = dict[str, float | None]


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true of some rows.

    Parameters
    ----------
    rows
        (t,) the rows.
    codes
        (t,) their class codes; C and above are unknown.
    known
        (k,) places of the rows of known class among them, or None where all are known.
    known_codes, weights
        (k,) class codes and weights of those; no weights where each row counts 1.
    weight
        The weight of those together.
    """

    rows: IntArray
    codes: IntArray
    known: IntArray | None
    known_codes: IntArray
    weights: FloatArray | None
    weight: float

    @classmethod
    def of(cls, dataset: Dataset, rows: IntArray) -> "Truth":
        """Look up some rows of a data set."""
        codes = dataset.classes[rows].astype(np.intp)
        is_known = codes < len(dataset.class_values)
        known = None if is_known.all() else np.flatnonzero(is_known)
        known_codes = codes if known is None else codes[known]
        weights = None if dataset.row_weights is None else dataset.row_weights[rows][is_known]
        weight = len(known_codes) if weights is None else weights.sum()
        return cls(rows, codes, known, known_codes, weights, float(weight))


class Judge:
    """Scores the predictions of folds of one data set.

    Parameters
    ----------
    dataset
        The data set.
    protocol
        How its rows are parted.
    metrics
        Names of the scores.
    """

    def __init__(self, dataset: Dataset, protocol: EvaluationProtocol, metrics: Sequence[str]) -> None:
        self._dataset, self._protocol, self._metrics = dataset, protocol, metrics
        self._last: Truth | None = None

    def truth(self, rows: IntArray) -> Truth:
        """Return what is true of (t,) rows; the same array is looked up once in succession."""
        if self._last is None or self._last.rows is not rows:
            self._last = Truth.of(self._dataset, rows)
        return self._last

    def scores(self, predictions: Sequence[Predictions], truth: Truth) -> Scores:
        """Return the scores of one fold, or of all training sets of a repeat where errors are taken apart."""
        if isinstance(self._protocol, DecompositionProtocol):
            parts = self._protocol.scores(self._dataset, list(predictions))
            return {name: parts[name] for name in self._metrics}
        log_posterior, predicted = predictions[0].log_posterior, predictions[0].predicted
        if truth.known is not None:
            log_posterior, predicted = log_posterior[truth.known], predicted[truth.known]
        arrays = truth.known_codes, log_posterior, predicted, truth.weights
        return {name: METRICS[name].function(*arrays) for name in self._metrics}
