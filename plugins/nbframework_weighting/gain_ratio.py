"""Weight learner gain-ratio: attributes count by their gain ratio."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Evidence, FloatArray, WeightLearner, hookimpl
from nbframework_weighting.evidence import coded_attributes
from nbframework_weighting.information import gain_and_split


@dataclass(frozen=True, kw_only=True)
class GainRatio(WeightLearner):
    """Weight each attribute by its gain ratio over the mean gain ratio: w_j = GR_j / mean(GR).

    The weights have the mean 1; where no attribute tells anything about the class all are 1. Lee, Gutierrez & Dou's
    Kullback-Leibler weights are the same numbers: their sum of P(a) KL(P(C|a) || P(C)) is the information gain, and
    they, too, divide by the split entropy and by the mean. An attribute that is known in a share of the rows has that
    share of the gain which it has in these.

    References
    ----------
    Zhang & Sheng (2004), Learning weighted naive Bayes with accurate ranking. Lee, Gutierrez & Dou (2011), Calculating
    feature weights in naive Bayes with Kullback-Leibler measure.
    """

    name: ClassVar[str] = "gain-ratio"
    cite: ClassVar[str] = "Zhang & Sheng 2004"
    handles_measured: ClassVar[bool] = False
    sufficient: ClassVar[Literal["counts", "rows"]] = "counts"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the gain ratios over their mean."""
        training, chosen = coded_attributes(evidence, self.name)
        gain, split = gain_and_split(training.counts)
        ratio = np.where(split > 0, gain / np.where(split > 0, split, 1.0), 0.0)[..., chosen]
        mean = ratio.mean(axis=-1, keepdims=True) if len(chosen) else np.ones((*evidence.lead, 1))
        weights = np.where(mean > 0, ratio / np.where(mean > 0, mean, 1.0), 1.0)
        return np.asarray(weights[..., np.newaxis, :])


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [GainRatio]
