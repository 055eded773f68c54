"""Structure naive: attributes are independent given the class."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedDensity,
    FittedFactoredStructure,
    FloatArray,
    IntArray,
    Rows,
    Structure,
    Training,
    hookimpl,
    kernels,
)


@dataclass(frozen=True, kw_only=True)
class Naive(Structure):
    """Multiply the class prior by P(attribute | class) of every attribute.

    References
    ----------
    Duda & Hart (1973), Pattern classification and scene analysis.
    """

    name: ClassVar[str] = "naive"
    cite: ClassVar[str] = "Duda & Hart 1973"
    factored: ClassVar[bool] = True
    handles_groups: ClassVar[bool] = True
    handles_measured: ClassVar[bool] = True
    reads: ClassVar[Literal["class weights", "counts", "rows"]] = "counts"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Estimate the prior and the conditional tables; fit densities where attributes stayed numeric."""
        fitted = None
        if len(training.measured_inputs):
            fitted = density.fit(
                training.measured, training.classes, training.class_count, training.weights, training.start
            )
        counts = training.counts
        return FittedNaive(training, estimator.log_prior(counts), estimator.log_conditional(counts), fitted)


class FittedNaive(FittedFactoredStructure):
    """The log prior, (C,) or (g, C), the log conditionals, (C, B) or (g, C, B), and the densities."""

    def __init__(self, training: Training, prior: FloatArray, table: FloatArray, density: FittedDensity | None) -> None:
        self.offset = training.source_codes.offset
        self.coded, self.measured = training.coded_inputs, training.measured_inputs
        self.labels = tuple(attribute.name for attribute in training.inputs)
        self.prior, self.table, self.density = prior, table, density

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the prior of each query's group."""
        return np.repeat(self.prior[np.newaxis], len(queries), axis=0) if group is None else self.prior[group]

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return log P(attribute | class), in the order of the attributes."""
        factors = np.empty((len(queries), self.prior.shape[-1], len(self.labels)))
        for j, (position, column) in enumerate(zip(self.coded, queries.codes.columns, strict=True)):
            factors[:, :, position] = self._picked(self.offset[j] + column.astype(np.intp), group)
        if self.density is not None:
            factors[:, :, self.measured] = self._log_densities(queries, group)
        return factors

    def log_joint(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log prior plus all log conditionals, without listing the factors."""
        columns = queries.codes.columns
        if not columns:
            # broadcast where one is added to it, so that no array of it is made
            total = self.prior if group is None else self.prior[group]
        elif group is None:
            total = kernels.log_scores(columns, self.offset, self.table, self.prior)
        else:
            total = kernels.group_scores(columns, self.offset, group, self.table, self.prior)
        if self.density is not None:
            return total + self.density.log_likelihood(queries.measured, group)
        return total if columns else self.log_prior(queries, group)

    def _picked(self, cells: IntArray, group: IntArray | None) -> FloatArray:
        return self.table[:, cells].T if group is None else self.table[group, :, cells]

    def _log_densities(self, queries: Rows, group: IntArray | None) -> FloatArray:
        """Return (q, C, d) log densities, 0 where the value is unknown."""
        if self.density is None:
            return np.empty((len(queries), self.prior.shape[-1], 0))
        unknown = np.isnan(queries.measured)[:, np.newaxis, :]
        return np.where(unknown, 0.0, self.density.log_density(queries.measured, group))


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Naive]
