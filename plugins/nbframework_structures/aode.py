"""Structure aode: averaged one-dependence estimators."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Counts,
    Density,
    Estimator,
    FittedStructure,
    FloatArray,
    Ge,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.one_dependence import FittedOneDependence, value_weight
from nbframework_structures.parent_counts import PairStructure


@dataclass(frozen=True, kw_only=True)
class Aode(PairStructure):
    """Average over all models in which every attribute depends on the class and on one common super-parent.

    P(c, x) is proportional to the sum over the parents i of P(c, x_i) times the product of P(x_j | c, x_i) over the
    other attributes j. Every attribute whose value in the query is frequent enough is a parent; where none is, naive
    Bayes answers. Unknown values are neither parents nor children. P(c, x_i) is estimated as one attribute of C v_i
    values.

    Parameters
    ----------
    frequency_limit
        The least weight of training rows with the parent's value; 30 in the paper, 1 in Weka since 3.6.

    Notes
    -----
    The table of all pairs takes 8 C K^2 bytes with K the sum of the numbers of values. Beyond 256 MiB one parent
    after the other is counted, in as many passes over the training rows.

    References
    ----------
    Webb, Boughton & Wang (2005), Not so naive Bayes: aggregating one-dependence estimators, equation 8.
    """

    name: ClassVar[str] = "aode"
    cite: ClassVar[str] = "Webb, Boughton & Wang 2005"
    frequency_limit: Annotated[float, Ge(0)] = 1.0

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """Pairs of values are enough."""
        return "pairs"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedStructure:
        """Count all pairs of values and estimate the models."""
        return FittedOneDependence(training, estimator, is_frequent(training.counts, self.frequency_limit))


def is_frequent(counts: Counts, limit: float) -> FloatArray:
    """Return (B,) 1 for values whose weight reaches the limit, to the rounding of sums, else 0."""
    return np.asarray(value_weight(counts) >= limit * (1 - 1e-9), dtype=np.float64)


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Aode]
