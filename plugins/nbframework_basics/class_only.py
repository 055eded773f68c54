"""Structure class-only: the prior alone."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    IntArray,
    Rows,
    Structure,
    Training,
    hookimpl,
)


@dataclass(frozen=True, kw_only=True)
class ClassOnly(Structure):
    """Look at no attribute: the class prior alone, which inside a neighbourhood is a vote of the neighbours."""

    name: ClassVar[str] = "class-only"
    factored: ClassVar[bool] = True
    handles_groups: ClassVar[bool] = True
    handles_measured: ClassVar[bool] = True
    reads: ClassVar[Literal["class weights", "counts", "rows"]] = "class weights"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Return the prior."""
        return FittedClassOnly(estimator.log_prior(training.counts))


class FittedClassOnly(FittedFactoredStructure):
    """A prior, (C,) or (g, C), and no factor."""

    labels = ()

    def __init__(self, prior: FloatArray) -> None:
        self.prior = prior

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the prior of each query's group."""
        return np.repeat(self.prior[np.newaxis], len(queries), axis=0) if group is None else self.prior[group]

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return (q, C, 0): there is no factor."""
        return np.empty((len(queries), self.prior.shape[-1], 0))


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [ClassOnly]
