"""Weight learner information-gain: keep the attributes that tell most about the class."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, Le, WeightLearner, hookimpl
from nbframework_weighting.evidence import coded_attributes
from nbframework_weighting.information import ZERO, gain_and_split


@dataclass(frozen=True, kw_only=True)
class InformationGain(WeightLearner):
    """Give the weight 1 to attributes of high information gain, and 0 to the others.

    Parameters
    ----------
    threshold
        Bits that the gain has to exceed.
    keep
        The share of the attributes to keep at most, rounded up; those that are tied with the last one are kept, too.

    References
    ----------
    Yang & Pedersen (1997), A comparative study on feature selection in text categorization.
    """

    name: ClassVar[str] = "information-gain"
    cite: ClassVar[str] = "Yang & Pedersen 1997"
    handles_measured: ClassVar[bool] = False
    sufficient: ClassVar[Literal["counts", "rows"]] = "counts"
    threshold: Annotated[float, Ge(0)] = 0.0
    keep: Annotated[float, Gt(0), Le(1)] = 1.0

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return 1 for the attributes to keep."""
        training, chosen = coded_attributes(evidence, self.name)
        gain = gain_and_split(training.counts)[0][..., chosen]
        kept = gain > self.threshold
        if len(chosen):
            last = max(1, math.ceil(self.keep * len(chosen) - ZERO))
            kept &= gain >= np.sort(gain, axis=-1)[..., [-last]] - ZERO
        return np.asarray(kept[..., np.newaxis, :], dtype=np.float64)


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [InformationGain]
