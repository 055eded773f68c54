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
    least 1e-75.

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
        """Return grid steps (g, d), means and standard deviations (g, C, d)."""
        borders = np.array([0, len(values)]) if start is None else start
        groups, d = len(borders) - 1, values.shape[1]
        step = np.full((groups, d), 0.01)
        mean = np.zeros((groups, class_count, d))
        deviation = np.empty((groups, class_count, d))
        for g in range(groups):
            rows = slice(borders[g], borders[g + 1])
            for j in range(d):
                known = ~np.isnan(values[rows, j])
                x, w, c = values[rows, j][known], weights[rows][known], classes[rows][known]
                step[g, j] = precision(x)
                mean[g, :, j], deviation[g, :, j] = _moments(on_grid(x, step[g, j]), w, c, class_count, step[g, j])
        return FittedWekaGaussian(step, mean, deviation, self.version == "3.9")


class FittedWekaGaussian(FittedDensity):
    """Grid steps (g, d), means and standard deviations (g, C, d)."""

    def __init__(self, step: FloatArray, mean: FloatArray, deviation: FloatArray, per_step: bool) -> None:
        self.step, self.mean, self.deviation, self.per_step = step, mean, deviation, per_step

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log of the normal mass of each value's grid cell."""
        from scipy.special import ndtr

        which = np.zeros(len(values), dtype=np.intp) if group is None else group
        step = self.step[which]
        z = on_grid(values, step)[:, np.newaxis, :] - self.mean[which]
        half, deviation = step[:, np.newaxis, :] / 2, self.deviation[which]
        mass = ndtr((z + half) / deviation) - ndtr((z - half) / deviation)
        return log_floored(mass / step[:, np.newaxis, :] if self.per_step else mass)


def _moments(
    x: FloatArray, weights: FloatArray, classes: IntArray, class_count: int, step: float
) -> tuple[FloatArray, FloatArray]:
    total = np.bincount(classes, weights=weights, minlength=class_count)
    first = np.bincount(classes, weights=weights * x, minlength=class_count)
    second = np.bincount(classes, weights=weights * x * x, minlength=class_count)
    safe = np.where(total > 0, total, 1.0)
    mean = first / safe
    spread = np.sqrt(np.abs(second - mean * first) / safe)
    return mean, np.where(spread > 1e-10, np.maximum(step / 6, spread), step / 6)


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [WekaGaussian]
