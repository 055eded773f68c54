"""Structure aodesr: AODE without attributes whose value follows from another one."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import (
    Codes,
    Density,
    Estimator,
    FittedStructure,
    FloatArray,
    Ge,
    IntArray,
    Rows,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.aode import is_frequent
from nbframework_structures.one_dependence import FittedOneDependence, value_weight
from nbframework_structures.parent_counts import PairStructure, ParentCounts


@dataclass(frozen=True, kw_only=True)
class Aodesr(PairStructure):
    """AODE with subsumption resolution: in each query, leave out values that are generalisations of others.

    x_i generalises x_j where every training row with x_j has x_i, and x_j occurs more often than ``critical``. Of
    two values that occur in the same rows, that of the attribute declared first stays. What is left out is neither
    parent nor child. Where no parent is frequent enough, naive Bayes answers, with all known attributes.

    Parameters
    ----------
    critical
        The weight of rows that the specialisation has to exceed before the implication is believed.
    frequency_limit
        The least weight of training rows with the parent's value.

    References
    ----------
    Zheng & Webb (2006), Efficient lazy elimination for averaged one-dependence estimators.
    """

    name: ClassVar[str] = "aodesr"
    cite: ClassVar[str] = "Zheng & Webb 2006"
    critical: Annotated[float, Ge(0)] = 50.0
    frequency_limit: Annotated[float, Ge(0)] = 1.0

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedStructure:
        """Count all pairs of values, find the implications and estimate the models."""
        parents = ParentCounts.of(training)
        frequent = is_frequent(training.counts, self.frequency_limit)
        implied = [implied_by(parents, attribute, self.critical) for attribute in range(len(training.coded_inputs))]
        return FittedAodesr(FittedOneDependence(training, estimator, frequent, parents), implied)


class FittedAodesr(FittedStructure):
    """AODE, and for each attribute the (v + 2, B) values of other attributes that imply each of its values."""

    def __init__(self, average: FittedOneDependence, implied: list[NDArray[np.bool_]]) -> None:
        self.average, self.implied = average, implied
        self.notes = average.notes

    def log_joint(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return AODE's log sum over what is left of each row."""
        return self.average.log_sum(self._resolved(queries.codes), queries.codes)

    def log_terms(self, queries: Rows) -> tuple[tuple[str, ...], FloatArray]:
        """Return AODE's terms of what is left of each row."""
        return self.average.log_terms_of(self._resolved(queries.codes), queries.codes)

    def _resolved(self, codes: Codes) -> Codes:
        """Return the codes with generalisations made unknown."""
        offset = self.average.offset
        columns = []
        for i, column in enumerate(codes.columns):
            redundant = np.zeros(len(codes), dtype=bool)
            for j, other in enumerate(codes.columns):
                redundant |= self.implied[i][column, offset[j] + other.astype(np.intp)]
            columns.append(np.where(redundant, codes.cardinality[i] + 1, column).astype(column.dtype))
        return Codes(tuple(columns), codes.cardinality, len(codes))


def implied_by(parents: ParentCounts, attribute: int, critical: float) -> NDArray[np.bool_]:
    """Return (v + 2, B) whether a value of another attribute makes a value of this one redundant."""
    counts = parents.training.counts
    given = parents.raw(attribute)
    both = given.cells if given.support is None else given.support
    single = counts.cells if counts.support is None else counts.support
    together, alone = both.sum(axis=-2), single.sum(axis=-2)
    start, values = counts.offset[attribute], len(together) - 1
    own = np.append(alone[start : start + values], 0)[:, np.newaxis]
    implies = (together == alone) & (value_weight(counts) > critical)
    implies &= (together < own) | (counts.attribute_of_cell < attribute)
    implies[:, counts.attribute_of_cell == attribute] = False
    implies[:, counts.unknown] = implies[:, counts.unseen] = False
    implies[values:] = False
    return np.concatenate([implies, np.zeros((1, implies.shape[1]), dtype=bool)])


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Aodesr]
