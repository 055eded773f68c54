"""Whether confidence is deserved: predictions in bins by their confidence, with how many of each are right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Bin:
    """The predictions whose confidence lies in an interval.

    Parameters
    ----------
    low, high
        The interval, both inside 0 to 1; ``high`` belongs to the next bin, 1 to the last one.
    weight
        Weight of the predictions.
    confidence, accuracy
        Mean posterior of the predicted class, and share that is right; None where there are no predictions.
    """

    low: float
    high: float
    weight: float
    confidence: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Reliability:
    """All bins, from confidence 0 to 1."""

    bins: tuple[Bin, ...]

    @property
    def weight(self) -> float:
        """Weight of all predictions."""
        return sum(b.weight for b in self.bins)

    @property
    def expected_calibration_error(self) -> float | None:
        """Mean over predictions of their bin's |accuracy - confidence|, 0 to 1; None without predictions.

        Source: Naeini, Cooper & Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning.
        """
        parts = [
            b.weight * abs(b.accuracy - b.confidence)
            for b in self.bins
            if b.accuracy is not None and b.confidence is not None
        ]
        return sum(parts) / self.weight if parts else None


def confidences(log_posterior: FloatArray, predicted: IntArray) -> FloatArray:
    """Return the (n,) posterior of the predicted class, from (n, C) log posteriors and (n,) codes."""
    return np.asarray(np.exp(log_posterior[np.arange(len(predicted)), predicted]))


def reliability(confidence: FloatArray, right: NDArray[np.bool_], bins: int = 10) -> Reliability:
    """Sort predictions into bins of equal width.

    Parameters
    ----------
    confidence
        (n,) posterior of the predicted class, 0 to 1.
    right
        (n,) whether the prediction is right.
    bins
        Their number, at least 1.

    Raises
    ------
    EvaluationError
        On no bins, a different number of both, or a confidence outside 0 to 1.
    """
    if bins < 1:
        raise EvaluationError(f"{bins} bins, expected at least 1")
    if confidence.shape != right.shape or confidence.ndim != 1:
        raise EvaluationError(f"confidences of shape {confidence.shape} and answers of shape {right.shape}")
    # sums of rounded posteriors may exceed 1 in the last bits
    if len(confidence) and not (confidence.min() >= 0.0 and confidence.max() <= 1.0 + 1e-9):
        raise EvaluationError("a confidence is not a number from 0 to 1")
    place = np.minimum((confidence * bins).astype(np.intp), bins - 1)
    weight = np.bincount(place, minlength=bins).astype(np.float64)
    sums = np.bincount(place, weights=confidence, minlength=bins), np.bincount(place, weights=right, minlength=bins)
    found = []
    for b in range(bins):
        mean, share = (float(total[b] / weight[b]) if weight[b] else None for total in sums)
        found.append(Bin(b / bins, (b + 1) / bins, float(weight[b]), mean, share))
    return Reliability(tuple(found))
