"""Structure iwhnb: hidden naive Bayes on rows weighted by how frequent their values are."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.hnb import fit_hidden
from nbframework_structures.one_dependence import value_weight
from nbframework_structures.parent_counts import PairStructure


@dataclass(frozen=True, kw_only=True)
class Iwhnb(PairStructure):
    """Weight each training row by its attribute values' frequencies, then learn hidden naive Bayes.

    The weight of row t is the sum over the attributes i of f_ti n_i: the share of the training rows that have the
    row's value, times the attribute's number of values. An unknown value adds nothing. The weights multiply those
    that the rows have already. All probabilities and conditional mutual informations come from the weighted rows;
    the paper's estimator is laplace with f = 1.

    References
    ----------
    Yu, Gan, Chen & Luo (2021), A novel hybrid approach: instance weighted hidden naive Bayes, Mathematics 9(22),
    equations 15 to 23.
    """

    name: ClassVar[str] = "iwhnb"
    cite: ClassVar[str] = "Yu et al. 2021"
    factored: ClassVar[bool] = True

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Weight the rows and fit hidden naive Bayes."""
        weighted = replace(training, row_weights=training.weights * frequency_weights(training), known_counts=None)
        return fit_hidden(weighted, estimator, 0.0)


def frequency_weights(training: Training) -> FloatArray:
    """Return the (n,) sums of value frequency times number of values; 1 for a row without any known value."""
    counts = training.counts
    # where the only row is left out there is none that could have a value
    share = value_weight(counts) / (counts.total if counts.total > 0 else 1.0) * counts.per_cell(counts.cardinality)
    share[counts.unknown] = 0.0
    total = np.zeros(len(training))
    for j, column in enumerate(training.codes.columns):
        total += share[counts.offset[j] + column.astype(np.intp)]
    return np.where(total > 0, total, 1.0)


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Iwhnb]
