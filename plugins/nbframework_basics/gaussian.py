"""Density gaussian: a normal distribution for each class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, Ge, IntArray, Moments, hookimpl, kernels


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
        key = classes if start is None else np.repeat(np.arange(groups), np.diff(start)) * class_count + classes
        found = kernels.class_moments(values, key, groups * class_count, weights)
        shape = (groups, class_count, values.shape[1])
        least, weight, mean, spread = (moment.reshape(shape) for moment in found)
        # relative to the least value of the group, equal values have a variance of exactly 0
        low = least.min(axis=1, keepdims=True)
        none = weight == 0
        mean += np.where(none, 0.0, least - np.where(np.isfinite(low), low, 0.0))
        total = weight.sum(axis=1, keepdims=True)
        known = np.where(total > 0, total, 1.0)
        overall_mean = (weight * mean).sum(axis=1, keepdims=True) / known
        overall_spread = (spread + weight * (mean - overall_mean) ** 2).sum(axis=1, keepdims=True)
        correction = 1.0 if self.variance == "sample" else 0.0
        overall = _variance(overall_spread, total, correction)
        variance = np.where(none, overall, _variance(spread, weight, correction))
        variance = np.where(overall > 0, np.maximum(variance, self.floor * overall), np.nan)
        mean = np.where(none, overall_mean, mean) + np.where(np.isfinite(low), low, 0.0)
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

    def log_likelihood(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the sums of the log normal densities."""
        if group is not None:
            return super().log_likelihood(values, group)
        return kernels.gaussian_scores(values, self.mean[0], self.variance[0])


def _spike(distance: FloatArray) -> FloatArray:
    """Return the log density of variance 0 (only with floor 0): certain at the mean, impossible elsewhere."""
    return np.where(np.isnan(distance), 0.0, -np.inf)


def _variance(spread: FloatArray, weight: FloatArray, correction: float) -> FloatArray:
    """Return the sums of squared deviations over the weight less a correction; 0 where that is not above 0."""
    enough = weight > correction
    return np.divide(spread, weight - correction, out=np.zeros_like(spread), where=enough)


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Gaussian]
