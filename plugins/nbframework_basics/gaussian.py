"""Density gaussian: a normal distribution for each class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, Ge, IntArray, Moments, hookimpl


@dataclass(frozen=True, kw_only=True)
class Gaussian(Density):
    """Fit mean and variance of each class.

    A class without known values has the distribution of all rows. An attribute whose known values are all equal
    tells nothing: its density is 1 everywhere.

    Parameters
    ----------
    variance
        population divides by n, sample by n - 1.
    floor
        The smallest variance, as a share of the attribute's variance over all rows; free of the scale of the data.

    References
    ----------
    John & Langley (1995), Estimating continuous distributions in Bayesian classifiers. Hosein & Baboolal (2022),
    equations 7 and 8 (population).
    """

    name: ClassVar[str] = "gaussian"
    cite: ClassVar[str] = "John & Langley 1995"
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "moments"
    variance: Literal["population", "sample"] = "population"
    floor: Annotated[float, Ge(0)] = 1e-9

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the means and variances, with a leading axis for groups."""
        groups = 1 if start is None else len(start) - 1
        group = np.zeros(len(values), dtype=np.intp) if start is None else np.repeat(np.arange(groups), np.diff(start))
        shape = (groups, class_count, values.shape[1])
        mean, variance = np.empty(shape), np.empty(shape)
        correction = 1.0 if self.variance == "sample" else 0.0
        for j, column in enumerate(values.T):
            known = ~np.isnan(column)
            x, w, g = column[known], weights[known], group[known]
            # relative to the lowest value of the group, equal values have a variance of exactly 0
            low = np.full(groups, np.inf)
            np.minimum.at(low, g, x)
            x = x - low[g]
            overall_mean, overall = _moments(x, w, g, groups, correction)
            of_class = _moments(x, w, g * class_count + classes[known], groups * class_count, correction)
            mean[:, :, j], variance[:, :, j] = (moment.reshape(groups, class_count) for moment in of_class)
            none = np.isnan(mean[:, :, j])
            mean[:, :, j] = np.where(none, overall_mean[:, np.newaxis], mean[:, :, j])
            variance[:, :, j] = np.where(none, overall[:, np.newaxis], variance[:, :, j])
            np.maximum(variance[:, :, j], self.floor * overall[:, np.newaxis], out=variance[:, :, j])
            variance[~(overall > 0), :, j] = np.nan
            mean[:, :, j] += np.where(np.isfinite(low), low, 0.0)[:, np.newaxis]
        return FittedGaussian(mean, variance)

    def fit_moments(self, moments: Moments) -> FittedDensity:
        """Return the means and variances."""
        correction = 1 if self.variance == "sample" else 0
        every = moments.of_all()
        overall = every.variance(correction)
        mean, variance = moments.mean, moments.variance(correction)
        none = np.isnan(mean)
        mean, variance = np.where(none, every.mean, mean), np.where(none, overall, variance)
        variance = np.where(overall > 0, np.maximum(variance, self.floor * overall), np.nan)
        return FittedGaussian(np.where(np.isnan(mean), 0.0, mean)[np.newaxis], variance[np.newaxis])


class FittedGaussian(FittedDensity):
    """Means and variances, (g, C, d)."""

    def __init__(self, mean: FloatArray, variance: FloatArray) -> None:
        self.mean, self.variance = mean, variance

    def described(self) -> Mapping[str, str | float | FloatArray]:
        """Return means and variances."""
        return {"form": "gaussian", "mean": self.mean[0], "variance": self.variance[0]}

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log normal densities."""
        which = np.zeros(len(values), dtype=np.intp) if group is None else group
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            variance = self.variance[which]
            distance = (values[:, np.newaxis, :] - self.mean[which]) / np.sqrt(variance)
            density = -0.5 * (np.log(2 * np.pi * variance) + distance * distance)
        return np.where(np.isnan(variance), 0.0, np.where(variance == 0, _spike(distance), density))


def _spike(distance: FloatArray) -> FloatArray:
    """Return the log density of variance 0 (only with floor 0): certain at the mean, impossible elsewhere."""
    return np.where(np.isnan(distance), 0.0, -np.inf)


def _moments(
    x: FloatArray, weights: FloatArray, key: IntArray, keys: int, correction: float
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted mean and variance of each key, NaN where it has no row; in two passes."""
    total = np.bincount(key, weights=weights, minlength=keys)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(key, weights=weights * x, minlength=keys) / total
        spread = np.bincount(key, weights=weights * (x - mean[key]) ** 2, minlength=keys)
        variance = np.where(total > correction, spread / (total - correction), 0.0)
    return mean, np.where(total > 0, variance, np.nan)


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Gaussian]
