"""The compiled kernels of densities, called as those in `compiled`, which has them too."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels import _compiled
from nbframework.kernels.definitions.moments import ClassMoments

Floats = NDArray[np.float64]


def gaussian_scores(values: Floats, mean: Floats, variance: Floats) -> Floats:
    """Add up as `definitions.gaussian_scores`."""
    scores = np.empty((len(values), len(mean)))
    _compiled.gaussian_scores(_matrix(values), _floats(mean), _floats(variance), scores)
    return scores


def count_scores(counts: Floats, log_share: Floats) -> Floats:
    """Add up as `definitions.count_scores`."""
    scores = np.empty((len(counts), len(log_share)))
    _compiled.count_scores(_matrix(counts), _floats(log_share), scores)
    return scores


def threshold_scores(values: Floats, threshold: float, above: Floats, below: Floats) -> Floats:
    """Add up as `definitions.threshold_scores`."""
    scores = np.empty((len(values), len(above)))
    _compiled.threshold_scores(_matrix(values), threshold, _floats(above), _floats(below), scores)
    return scores


def class_totals(values: Floats, classes: NDArray[Any], class_count: int, weights: Floats) -> Floats:
    """Add up as `definitions.class_totals`."""
    totals = np.empty((2, class_count, values.shape[1]))
    _compiled.class_totals(_matrix(values), classes, _floats(weights), totals)
    return totals


def threshold_totals(
    values: Floats, threshold: float, classes: NDArray[Any], class_count: int, weights: Floats
) -> Floats:
    """Add up as `definitions.threshold_totals`."""
    totals = np.empty((2, class_count, values.shape[1]))
    _compiled.threshold_totals(_matrix(values), threshold, classes, _floats(weights), totals)
    return totals


def class_moments(values: Floats, classes: NDArray[Any], class_count: int, weights: Floats) -> ClassMoments:
    """Find as `definitions.class_moments`."""
    moments = np.empty((4, class_count, values.shape[1]))
    _compiled.class_moments(_matrix(values), classes, _floats(weights), moments)
    return ClassMoments(*moments)


def _floats(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float64)


def _matrix(array: NDArray[Any]) -> Floats:
    """Return numbers as they lie in memory, at whole steps."""
    numbers = np.asarray(array, dtype=np.float64)
    whole = numbers.flags.aligned and all(step % numbers.itemsize == 0 for step in numbers.strides)
    return numbers if whole else numbers.copy()
