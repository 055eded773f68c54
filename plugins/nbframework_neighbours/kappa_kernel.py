"""Neighbourhoods kappa-kernel and inverse-power: every row, by a power of its distance."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Distance,
    FittedNeighbourhood,
    FloatArray,
    Ge,
    IntArray,
    Neighbourhood,
    Neighbours,
    PowerForm,
    Rows,
    Training,
    hookimpl,
    kernels,
)
from nbframework_neighbours.column_distance import ColumnDistance
from nbframework_neighbours.integer_euclidean import INTEGER_EUCLIDEAN
from nbframework_neighbours.search import Search
from nbframework_neighbours.searched_rows import Attributes, searched, sorted_by_class


@dataclass(frozen=True, kw_only=True)
class PowerKernel(Neighbourhood):
    """Weight all training rows by a power of a number at least 0 that grows with the distance.

    The weights of a query are multiplied by one factor, so that the rows together weigh what they would without a
    kernel; kappa 0 is the training set itself. With the structure class-only and the estimator frequency only the
    ratios matter, which are exact however large kappa is.

    ``is_one_plus_distance`` says that the base is 1 + d, for which there is a loop that lists no distances; ``formula``
    is the weight in words.
    """

    is_one_plus_distance: ClassVar[bool] = False
    formula: ClassVar[str] = ""
    kappa: Annotated[float, Ge(0)] = 60.0
    distance: Distance = INTEGER_EUCLIDEAN
    attributes: Attributes = "raw"
    class_prior: Literal["empirical", "uniform"] = "empirical"

    def fit(self, training: Training) -> "FittedPowerKernel":
        """Prepare the search."""
        return FittedPowerKernel(training, self)

    @abc.abstractmethod
    def log_base(self, distance: FloatArray) -> FloatArray:
        """Return the (q, n) logarithm of the number whose power is taken, inf for a row that does not speak."""


@dataclass(frozen=True, kw_only=True)
class KappaKernel(PowerKernel):
    """Weight every training row by (1 + d)^-kappa.

    Parameters
    ----------
    kappa
        The power; 0 predicts the majority, and the larger it is, the more the nearest rows decide.
    distance
        How far two rows are apart.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.
    class_prior
        empirical: rows count alike, P(c) times the mean kernel of class c; uniform: the mean kernel alone.

    References
    ----------
    Hosein & Baboolal (2022), equations 11 to 13. The classifier is the distance-weighted vote of all rows.
    """

    name: ClassVar[str] = "kappa-kernel"
    cite: ClassVar[str] = "Hosein & Baboolal 2022, equation 12"
    is_one_plus_distance: ClassVar[bool] = True
    formula: ClassVar[str] = "1 / (1 + d)^kappa"

    def log_base(self, distance: FloatArray) -> FloatArray:
        """Return log(1 + d)."""
        return np.log1p(distance)


@dataclass(frozen=True, kw_only=True)
class InversePower(PowerKernel):
    """Weight every training row by d^-kappa; where rows equal the query, they alone speak, all equally.

    Parameters
    ----------
    kappa
        The power.
    distance
        How far two rows are apart.
    attributes
        raw: numbers are compared as numbers; discretized: as the intervals that the discretizer makes of them.
    class_prior
        empirical: rows count alike; uniform: each class is divided by its training weight.

    References
    ----------
    Hosein & Baboolal (2022), equation 1; Dudani (1976), The distance-weighted k-nearest-neighbor rule.
    """

    name: ClassVar[str] = "inverse-power"
    cite: ClassVar[str] = "Hosein & Baboolal 2022, equation 1"
    formula: ClassVar[str] = "1 / d^kappa"

    def log_base(self, distance: FloatArray) -> FloatArray:
        """Return log d, and where a row is at distance 0, inf for those that are not."""
        hit = distance == 0
        with np.errstate(divide="ignore"):
            return np.where(hit.any(axis=1, keepdims=True), np.where(hit, 0.0, np.inf), np.log(distance))


class FittedPowerKernel(FittedNeighbourhood):
    """Training rows to search, sorted by class."""

    def __init__(self, training: Training, part: PowerKernel) -> None:
        super().__init__(training)
        self.part = part
        self.rows, self.order, self.class_start = sorted_by_class(training)
        self.search = Search(part.distance, self.rows, part.attributes)
        self.own_weight = np.bincount(
            self.rows.classes, weights=self.rows.weights, minlength=training.class_count
        ).astype(np.float64)

    def around(self, queries: Rows) -> Neighbours:
        """Return every training row for each query, in the order of the training set."""
        log_weight = np.empty((len(queries), len(self.order)))
        per_row = self._log_prior(self.own_weight)[self.rows.classes]
        own = np.log(self.rows.weights)
        for block, distance in self.search.distances(queries):
            powers = self._powers(self.part.log_base(distance)) + per_row
            log_weight[block, self.order] = powers - _log_sum(powers + own) + np.log(self.own_weight.sum())
        start = np.arange(len(queries) + 1) * len(self.order)
        return Neighbours(start, np.tile(np.arange(len(self.order)), len(queries)), log_weight.ravel())

    def log_class_weight(self, queries: Rows) -> FloatArray:
        """Return (q, C) log kernel sums of the classes, without listing the rows."""
        sums = self.class_sums(queries, np.array([self.part.kappa]))[0] + self._log_prior(self.own_weight)
        return np.asarray(sums - _log_sum(sums) + np.log(self.own_weight.sum()))

    def log_class_weights(
        self, parameter: str, values: Sequence[float], queries: Rows, left_out: IntArray | None = None
    ) -> FloatArray | None:
        """Return (v, q, C) log kernel sums for many kappas after one pass over the distances."""
        if parameter != "kappa":
            return None
        own_weight = self.own_weight
        if left_out is not None:
            own_weight = np.tile(own_weight, (len(queries), 1))
            query = np.flatnonzero(left_out >= 0)
            row = left_out[query]
            own_weight[query, self.training.classes[row]] -= self.training.weights[row]
        sums = self.class_sums(queries, np.asarray(values, dtype=np.float64), left_out) + self._log_prior(own_weight)
        return np.asarray(sums - _log_sum(sums) + np.log(own_weight.sum(axis=-1, keepdims=True)))

    def closed_form(self, queries: Rows) -> PowerForm:
        """Return the kernel sums as a formula of the distances."""
        distances = np.concatenate([near for _, near in self.search.distances(queries)])
        return PowerForm(
            parameter="kappa",
            value=self.part.kappa,
            formula=self.part.formula,
            distances=distances,
            logs=self.part.log_base(distances),
            row_weights=self.rows.weights,
            classes=self.rows.classes,
            log_share=self._log_prior(self.own_weight),
        )

    def class_sums(self, queries: Rows, kappas: FloatArray, left_out: IntArray | None = None) -> FloatArray:
        """Return log sum w b^-kappa over the rows of each class for many kappas in one pass over the distances.

        Parameters
        ----------
        queries
            q rows.
        kappas
            (m,) powers.
        left_out
            (q,) a training row that is left out of the query's sums (the query itself), or -1.

        Returns
        -------
        (m, q, C), -inf for a class without rows.
        """
        out = None if left_out is None else np.append(np.argsort(self.order), -1)[left_out]
        distance = self.search.distance
        if self.part.is_one_plus_distance and isinstance(distance, ColumnDistance) and distance.root:
            return self._fused(distance, searched(queries, self.part.attributes), kappas, out)
        total = np.empty((len(kappas), len(queries), self.training.class_count))
        for block, near in self.search.distances(queries):
            without = None if out is None else out[block]
            if without is not None:
                near[np.flatnonzero(without >= 0), without[without >= 0]] = np.inf
            logs = self.part.log_base(near)
            total[:, block] = kernels.power_sums(logs, self.class_start, kappas, self.rows.row_weights, without)
        return total

    def _fused(
        self, distance: ColumnDistance, queries: Rows, kappas: FloatArray, left_out: IntArray | None
    ) -> FloatArray:
        parts = [
            kernels.kappa_sums(
                asked.queries,
                asked.training,
                asked.bounds,
                self.class_start,
                kappas,
                self.rows.row_weights,
                distance.rescale,
                None if left_out is None else left_out[asked.rows],
            )
            for asked in distance.asked(queries)
        ]
        return np.concatenate(parts, axis=1)

    def _powers(self, logs: FloatArray) -> FloatArray:
        """Return -kappa times the logs, -inf for rows that do not speak."""
        return np.where(np.isposinf(logs), -np.inf, -self.part.kappa * np.where(np.isposinf(logs), 0.0, logs))

    def _log_prior(self, own_weight: FloatArray) -> FloatArray:
        """Return what the class prior adds to each row's logarithm, (..., C), for classes that weigh so much."""
        if self.part.class_prior == "empirical":
            return np.zeros(own_weight.shape)
        return -np.log(np.where(own_weight > 0, own_weight, 1.0))


def _log_sum(logs: FloatArray) -> FloatArray:
    """Return (q, 1) logarithms of the sums of the exponentials along the last axis."""
    top = logs.max(axis=-1, keepdims=True)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=-1, keepdims=True)))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhoods."""
    return [KappaKernel, InversePower]
