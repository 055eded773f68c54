"""Density weka-kernel: the kernel estimator of Weka's NaiveBayes -K."""

import itertools
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, IntArray, hookimpl
from nbframework_weka.precision import log_floored, on_grid, precision


@dataclass(frozen=True, kw_only=True)
class WekaKernel(Density):
    """Give each value the mean normal mass of its grid cell under one kernel for each training value of the class.

    The bandwidth is the class's range over the square root of its rows, at least a sixth of the grid step. The sum
    starts at the value, goes upwards and then downwards, and stops in each direction once the kernels left could add
    less than a hundredth.

    Parameters
    ----------
    version
        3.6.14 takes the query value as it is; 3.9 rounds it to the grid and divides the mass by the grid step.
    """

    name: ClassVar[str] = "weka-kernel"
    cite: ClassVar[str] = "Weka 3.6.14, KernelEstimator"
    version: Literal["3.6.14", "3.9"] = "3.6.14"

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the kernels of each group, class and attribute."""
        borders = np.array([0, len(values)]) if start is None else start
        kernels = []
        for first, last in itertools.pairwise(borders):
            x, c, w = values[first:last], classes[first:last], weights[first:last]
            kernels.append([_of_classes(x[:, j], c, w, class_count) for j in range(values.shape[1])])
        return FittedWekaKernel(kernels, class_count, self.version == "3.9")


@dataclass(frozen=True, eq=False)
class Kernels:
    """Distinct rounded training values of one class, (m,), their weights, the bandwidth and the grid step."""

    centre: FloatArray
    weight: FloatArray
    bandwidth: float
    step: float

    def mass(self, query: FloatArray) -> FloatArray:
        """Return the (q,) mean kernel mass of the grid cell around each query value."""
        from scipy.special import ndtr

        if not len(self.centre):
            scale = self.step / 6
            return np.asarray(ndtr((query + self.step / 2) / scale) - ndtr((query - self.step / 2) / scale))
        distance = self.centre - query[:, np.newaxis]
        bracket = ndtr((distance + self.step / 2) / self.bandwidth) - ndtr((distance - self.step / 2) / self.bandwidth)
        first = np.searchsorted(self.centre, query, side="left")
        ascending = np.arange(len(self.centre))
        total, seen = np.zeros(len(query)), np.zeros(len(query))
        for order in (first[:, np.newaxis] + ascending, first[:, np.newaxis] - 1 - ascending):
            inside = (order >= 0) & (order < len(self.centre))
            total, seen = self._walk(bracket, np.clip(order, 0, len(self.centre) - 1), inside, total, seen)
        return np.asarray(total / self.weight.sum())

    def _walk(
        self,
        bracket: FloatArray,
        order: IntArray,
        inside: "np.typing.NDArray[np.bool_]",
        total: FloatArray,
        seen: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Add the kernels in the given order until those left could add less than a hundredth."""
        q = np.take_along_axis(bracket, order, axis=1)
        w = np.where(inside, self.weight[order], 0.0)
        sums = np.cumsum(np.column_stack([total, q * w]), axis=1)[:, 1:]
        weights = np.cumsum(np.column_stack([seen, w]), axis=1)[:, 1:]
        stop = ~inside | (q * (self.weight.sum() - weights) < 0.01 * sums)
        last = np.where(stop.any(axis=1), np.argmax(stop, axis=1), stop.shape[1] - 1)
        rows = np.arange(len(total))
        return sums[rows, last], weights[rows, last]


class FittedWekaKernel(FittedDensity):
    """Kernels by group, attribute and class."""

    def __init__(self, kernels: list[list[list[Kernels]]], class_count: int, rounds: bool) -> None:
        self.kernels, self.class_count, self.rounds = kernels, class_count, rounds

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log of the mean kernel mass of each value's grid cell."""
        which = np.zeros(len(values), dtype=np.intp) if group is None else group
        result = np.zeros((len(values), self.class_count, values.shape[1]))
        for g in np.unique(which):
            for j in range(values.shape[1]):
                rows = np.flatnonzero((which == g) & ~np.isnan(values[:, j]))
                for block in np.array_split(rows, max(1, len(rows) // 256)):
                    for c, kernels in enumerate(self.kernels[g][j]):
                        result[block, c, j] = self._log_mass(kernels, values[block, j])
        return result

    def _log_mass(self, kernels: Kernels, values: FloatArray) -> FloatArray:
        if not self.rounds:
            return log_floored(kernels.mass(values))
        return log_floored(kernels.mass(on_grid(values, kernels.step)) / kernels.step)


def _of_classes(x: FloatArray, classes: IntArray, weights: FloatArray, class_count: int) -> list[Kernels]:
    known = ~np.isnan(x)
    step = max(precision(x[known]), 1e-6)
    rounded = on_grid(x, step)
    kernels = []
    for c in range(class_count):
        rows = known & (classes == c)
        centre, index = np.unique(rounded[rows], return_inverse=True)
        weight = np.bincount(index, weights=weights[rows], minlength=len(centre)).astype(np.float64)
        bandwidth = step / 6
        if len(centre) > 1:
            bandwidth = max((centre[-1] - centre[0]) / np.sqrt(weight.sum()), bandwidth)
        kernels.append(Kernels(centre, weight, bandwidth, step))
    return kernels


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [WekaKernel]
