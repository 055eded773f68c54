"""The contract of densities, for attributes that stay numeric."""

import abc
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import PluginError
from nbframework.parts.base import Part
from nbframework.statistics.moments import Moments

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


class FittedDensity(abc.ABC):
    """Log likelihoods of numeric values under each class."""

    @abc.abstractmethod
    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return (q, C, d) log densities of (q, d) values; whatever stands for NaN is ignored by the core.

        Parameters
        ----------
        values
            (q, d), NaN for unknown.
        group
            (q,) group whose density each row is asked of, where the density was fitted on groups.
        """

    def log_likelihood(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the (q, C) sums over the attributes of the log densities of known values; unknown ones add 0.

        Densities that need no (q, C, d) array for it override it; what they return may differ by rounding only.

        Parameters
        ----------
        values, group
            As for `log_density`.
        """
        unknown = np.isnan(values)[:, np.newaxis, :]
        sums: FloatArray = np.where(unknown, 0.0, self.log_density(values, group)).sum(axis=-1)
        return sums

    def described(self) -> Mapping[str, str | float | FloatArray] | None:
        """Return the form of the densities and its numbers, (C, d) arrays, for export; None where there is none.

        The forms: ``gaussian`` with ``mean`` and ``variance`` (NaN: the attribute tells nothing), ``counts`` with the
        ``log_share`` that each unit adds, ``threshold`` with the ``threshold``, ``log_above`` and ``log_below``.
        """
        return None


@dataclass(frozen=True, kw_only=True)
class Density(Part):
    """Decides the likelihood of attributes that stay numeric.

    ``lowest`` is the smallest value that it takes: 0 for counts. ``sufficient`` says what of the training rows is
    enough to fit it: their moments, which `fit_moments` takes; the distinct values of each attribute alone with the
    weight of each class that has them, which `fit` takes as rows; or no less than the rows.
    """

    kind: ClassVar[str] = "density"
    lowest: ClassVar[float] = -math.inf
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "rows"

    @abc.abstractmethod
    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Fit one density for each class and attribute.

        Parameters
        ----------
        values
            (n, d), NaN for unknown.
        classes
            (n,) codes below ``class_count``.
        weights
            (n,) row weights.
        start
            (g + 1,) borders of groups of rows, each of which gets densities of its own; None for one group.
        """

    def fit_moments(self, moments: Moments) -> FittedDensity:
        """Fit one density for each class and attribute from exact moments, as `fit` does from the rows.

        Densities for which moments are ``sufficient`` override it; for others PluginError is raised.
        """
        del moments
        raise PluginError(f"density {self.name!r} says that moments are sufficient, and has no fit_moments")
