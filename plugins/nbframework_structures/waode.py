"""Structure waode: weightily averaged one-dependence estimators."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, Estimator, FittedStructure, Ge, Structure, Training, hookimpl
from nbframework_structures.information import information_about_class
from nbframework_structures.one_dependence import FittedOneDependence
from nbframework_structures.parent_counts import PairStructure


@dataclass(frozen=True, kw_only=True)
class Waode(PairStructure):
    """Average over all one-dependence models, each weighted by what its super-parent tells about the class.

    The weight of a model is the mutual information of its super-parent with the class. Every known attribute is a
    parent, however rare its value. Where no attribute tells anything all weights are equal. A query that knows only
    attributes of weight 0 is left to naive Bayes.

    Parameters
    ----------
    negligible
        Terms of the mutual information are left out where P(c, x) or P(c) P(x) is below it; 1e-6 in Weka.

    Notes
    -----
    Memory is that of the structure aode.

    References
    ----------
    Jiang & Zhang (2006), Weightily averaged one-dependence estimators, equations 6 and 7.
    """

    name: ClassVar[str] = "waode"
    cite: ClassVar[str] = "Jiang & Zhang 2006"
    negligible: Annotated[float, Ge(0)] = 0.0

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """Pairs of values are enough."""
        return "pairs"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedStructure:
        """Count all pairs of values, weigh the attributes and estimate the models."""
        counts = training.counts
        weight = information_about_class(counts, self.negligible)
        if not weight.any():
            weight = np.ones_like(weight)
        return FittedOneDependence(training, estimator, counts.per_cell(weight))


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Waode]
