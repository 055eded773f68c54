"""Density kernel: a normal kernel around each training value."""

import itertools
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, IntArray, hookimpl


@dataclass(frozen=True, kw_only=True)
class Kernel(Density):
    """Estimate the density of each class by the weighted mean of normal kernels at its training values.

    A class without known values has the kernels of all rows. An attribute whose known values are all equal tells
    nothing: its density is 1 everywhere.

    Parameters
    ----------
    bandwidth
        silverman: 1.06 s n^(-1/5) with s the class's standard deviation, free of the scale of the data;
        inverse-root: 1 / sqrt(n), as John & Langley (1995) have it. Where the class's values are all equal,
        silverman takes the standard deviation of all rows.

    References
    ----------
    John & Langley (1995), Estimating continuous distributions in Bayesian classifiers. Silverman (1986), Density
    estimation for statistics and data analysis, equation 3.28.
    """

    name: ClassVar[str] = "kernel"
    cite: ClassVar[str] = "John & Langley 1995"
    bandwidth: Literal["silverman", "inverse-root"] = "silverman"

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the kernels of each group, attribute and class."""
        borders = np.array([0, len(values)]) if start is None else start
        kernels = []
        for first, last in itertools.pairwise(borders):
            rows = slice(first, last)
            kernels.append(
                [
                    self._of_classes(values[rows, j], classes[rows], class_count, weights[rows])
                    for j in range(values.shape[1])
                ]
            )
        return FittedKernel(kernels, class_count)

    def _of_classes(
        self, x: FloatArray, classes: IntArray, class_count: int, weights: FloatArray
    ) -> "list[Kernels | None]":
        known = ~np.isnan(x)
        if not known.any() or x[known].min() == x[known].max():
            return [None] * class_count
        spread = _deviation(x[known], weights[known])
        result: list[Kernels | None] = []
        for c in range(class_count):
            rows = known & (classes == c)
            rows = rows if rows.any() else known
            total = float(weights[rows].sum())
            own = _deviation(x[rows], weights[rows]) or spread
            width = 1.06 * own * total**-0.2 if self.bandwidth == "silverman" else total**-0.5
            result.append(Kernels(x[rows], np.log(weights[rows] / total), width))
        return result


@dataclass(frozen=True, eq=False)
class Kernels:
    """Centres (m,), their log shares (m,), and the bandwidth."""

    centre: FloatArray
    log_share: FloatArray
    width: float

    def log_density(self, values: FloatArray) -> FloatArray:
        """Return the (q,) log densities."""
        z = (values[:, np.newaxis] - self.centre) / self.width
        terms = self.log_share - 0.5 * z * z
        top = terms.max(axis=1, keepdims=True)
        return np.asarray(
            top[:, 0] + np.log(np.exp(terms - top).sum(axis=1)) - 0.5 * np.log(2 * np.pi) - np.log(self.width)
        )


class FittedKernel(FittedDensity):
    """Kernels by group, attribute and class."""

    def __init__(self, kernels: "list[list[list[Kernels | None]]]", class_count: int) -> None:
        self.kernels, self.class_count = kernels, class_count

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log densities, in blocks of queries."""
        which = np.zeros(len(values), dtype=np.intp) if group is None else group
        result = np.zeros((len(values), self.class_count, values.shape[1]))
        for g in np.unique(which):
            for j, of_class in enumerate(self.kernels[g]):
                rows = np.flatnonzero((which == g) & ~np.isnan(values[:, j]))
                for block in np.array_split(rows, max(1, len(rows) // 256)):
                    for c, kernels in enumerate(of_class):
                        if kernels is not None:
                            result[block, c, j] = kernels.log_density(values[block, j])
        return result


def _deviation(x: FloatArray, weights: FloatArray) -> float:
    mean = np.average(x, weights=weights)
    return float(np.sqrt(np.average((x - mean) ** 2, weights=weights)))


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Kernel]
