"""Weight learner correlation-based: attributes that tell of the class and not of each other."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Evidence, FloatArray, Ge, IntArray, Training, WeightLearner, hookimpl, kernels
from nbframework_weighting.evidence import coded_attributes, each_group
from nbframework_weighting.information import symmetrical_uncertainties

RISE = 1e-9
"""How much the merit has to rise to be better."""


@dataclass(frozen=True, kw_only=True)
class CorrelationBased(WeightLearner):
    """Give the weight 1 to the subset of the highest merit that is found, and 0 to the other attributes.

    The merit of k attributes is k r_ca / sqrt(k + k (k - 1) r_aa), where r_ca is their mean correlation with the class
    and r_aa that among them; correlations are symmetrical uncertainties of the rows that know both. Of equal subsets
    the first found is taken.

    Parameters
    ----------
    search
        best-first: extend the best subset seen so far, whichever that is, until ``patience`` extensions in a row found
        nothing better; forward: extend the current subset while its merit rises.
    patience
        For best-first.

    References
    ----------
    Hall (1999), Correlation-based feature selection for machine learning, equation 4.1.
    """

    name: ClassVar[str] = "correlation-based"
    cite: ClassVar[str] = "Hall 1999"
    handles_measured: ClassVar[bool] = False
    search: Literal["best-first", "forward"] = "best-first"
    patience: Annotated[int, Ge(1)] = 5

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return 1 for the attributes of the best subset."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        training, chosen = coded_attributes(evidence, self.name)
        with_class, among = correlations(training, chosen)
        patience = self.patience if self.search == "best-first" else 1
        kept = np.zeros((1, len(chosen)))
        kept[0, list(best_subset(with_class, among, patience))] = 1.0
        return kept


def correlations(training: Training, chosen: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the symmetrical uncertainty of each chosen attribute with the class, (f,), and with each other, (f, f)."""
    codes = training.codes
    columns = [codes.columns[j] for j in chosen]
    size = np.array([codes.cardinality[j] for j in chosen], dtype=np.intp)
    offset = np.concatenate([[0], np.cumsum(size + 2)]).astype(np.intp)
    if not len(chosen):
        return np.zeros(0), np.zeros((0, 0))

    def uncertainties(classes: NDArray[Any], count: int) -> FloatArray:
        table = kernels.class_counts(columns, offset, classes, count + 2, training.row_weights)[:count]
        table[:, offset[1:] - 2] = table[:, offset[1:] - 1] = 0.0
        return symmetrical_uncertainties(table, offset)

    with_class = uncertainties(training.classes, training.class_count)
    return with_class, np.stack([uncertainties(column, v) for column, v in zip(columns, size.tolist(), strict=True)])


def merit(with_class: FloatArray, among: FloatArray, subset: tuple[int, ...]) -> float:
    """Return the merit of a subset, 0 for the empty one."""
    if not subset:
        return 0.0
    rows = np.array(subset)
    inside = among[np.ix_(rows, rows)]
    pairs = float(inside.sum() - np.trace(inside))
    return float(with_class[rows].sum() / np.sqrt(len(subset) + pairs))


def best_subset(with_class: FloatArray, among: FloatArray, patience: int) -> tuple[int, ...]:
    """Return the subset of the highest merit that a best-first search from the empty set finds.

    With a patience of 1 that is a greedy forward search.
    """
    best: tuple[int, ...] = ()
    highest, stale = 0.0, 0
    seen = {best}
    pending = [(0.0, best)]
    while pending and stale < patience:
        index = max(range(len(pending)), key=lambda i: (pending[i][0], -i))
        _, subset = pending.pop(index)
        rose = False
        for j in range(len(with_class)):
            extended = tuple(sorted({*subset, j}))
            if extended in seen:
                continue
            seen.add(extended)
            found = merit(with_class, among, extended)
            pending.append((found, extended))
            if found > highest + RISE:
                best, highest, rose = extended, found, True
        stale = 0 if rose else stale + 1
    return best


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [CorrelationBased]
