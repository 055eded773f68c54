"""Density weka-gaussian: the normal estimator of Weka's NaiveBayes."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, IntArray, hookimpl
from nbframework_weka.precision import log_floored, on_grid, precision


@dataclass(frozen=True, kw_only=True)
class WekaGaussian(Density):
    """Give each value the normal mass of its grid cell.

    Values are rounded to a grid, the mean gap between distinct training values. The standard deviation is that of
    the population, at least a sixth of the grid step; the likelihood is the mass of the cell around the value, at
    least 1e-75. Deviations are summed from the mean, so that values far from zero keep the digits that Weka's
    difference of squares loses.

    Parameters
    ----------
    version
        3.9 divides the mass by the grid step before the floor acts; 3.6.14 does not.
    """

    name: ClassVar[str] = "weka-gaussian"
    cite: ClassVar[str] = "Weka 3.6.14, NormalEstimator"
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "values"
    version: Literal["3.6.14", "3.9"] = "3.6.14"

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return grid steps and origins (g, d), means and standard deviations (g, C, d)."""
        borders = np.array([0, len(values)]) if start is None else start
        groups, d = len(borders) - 1, values.shape[1]
        step, origin = np.full((groups, d), 0.01), np.zeros((groups, d))
        mean = np.zeros((groups, class_count, d))
        deviation = np.empty((groups, class_count, d))
        for g in range(groups):
            rows = slice(borders[g], borders[g + 1])
            for j in range(d):
                known = ~np.isnan(values[rows, j])
                x, w, c = _by_value(values[rows, j][known], weights[rows][known], classes[rows][known])
                step[g, j] = precision(x)
                cells = on_grid(x, step[g, j])
                origin[g, j] = cells[0] if len(cells) else 0.0
                moments = _moments(cells - origin[g, j], origin[g, j], w, c, class_count, step[g, j])
                mean[g, :, j], deviation[g, :, j] = moments
        return FittedWekaGaussian(step, origin, mean, deviation, self.version == "3.9")


class FittedWekaGaussian(FittedDensity):
    """Grid steps and origins (g, d), means as distances from the origin and standard deviations (g, C, d)."""

    def __init__(
        self, step: FloatArray, origin: FloatArray, mean: FloatArray, deviation: FloatArray, per_step: bool
    ) -> None:
        self.step, self.origin, self.mean, self.deviation = step, origin, mean, deviation
        self.per_step = per_step

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log of the normal mass of each value's grid cell."""
        from scipy.special import ndtr

        which = np.zeros(len(values), dtype=np.intp) if group is None else group
        step = self.step[which]
        z = (on_grid(values, step) - self.origin[which])[:, np.newaxis, :] - self.mean[which]
        half, deviation = step[:, np.newaxis, :] / 2, self.deviation[which]
        mass = ndtr((z + half) / deviation) - ndtr((z - half) / deviation)
        return log_floored(mass / step[:, np.newaxis, :] if self.per_step else mass)


def _by_value(x: FloatArray, weights: FloatArray, classes: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return (m,) ascending values, weights and classes, each pair of value and class once.

    Sums over these are the same for rows in any order, and for rows whose values were counted before.
    """
    order = np.lexsort((classes, x))
    x, weights, classes = x[order], weights[order], classes[order]
    first = np.ones(len(x), dtype=bool)
    first[1:] = (x[1:] != x[:-1]) | (classes[1:] != classes[:-1])
    if first.all():
        return x, weights, classes
    return x[first], np.add.reduceat(weights, np.flatnonzero(first)), classes[first]


def _moments(
    distance: FloatArray, origin: float, weights: FloatArray, classes: IntArray, class_count: int, step: float
) -> tuple[FloatArray, FloatArray]:
    """Return (C,) means as distances from the origin, and (C,) standard deviations.

    A mean near 1e7 rounds at 1e-9, which a narrow class would show; its distance from a value does not.
    """
    total = np.bincount(classes, weights=weights, minlength=class_count)
    safe = np.where(total > 0, total, 1.0)
    mean = np.bincount(classes, weights=weights * distance, minlength=class_count) / safe
    from_mean = distance - mean[classes]
    spread = np.sqrt(np.bincount(classes, weights=weights * from_mean * from_mean, minlength=class_count) / safe)
    # Weka leaves the mean of a class without rows at 0
    mean = np.where(total > 0, mean, -origin)
    return mean, np.where(spread > 1e-10, np.maximum(step / 6, spread), step / 6)


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [WekaGaussian]
