"""Estimator evidence-projection: no factor can speak louder than the training set allows."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Counts,
    Estimator,
    FloatArray,
    Gt,
    hookimpl,
    log_prior_smoothed,
    log_smoothed,
)


@dataclass(frozen=True, kw_only=True)
class EvidenceProjection(Estimator):
    """Bound the evidence e = -log2 P(A | C) by M: e' = M e / (e + M), and M itself for a zero count.

    M = log2(1 + f W) with W the weight of the training rows. The values 2^-e' are then normalised over the classes,
    value by value. This is an option of MLC++ that the paper does not report.

    Parameters
    ----------
    f
        The factor inside M.
    """

    name: ClassVar[str] = "evidence-projection"
    cite: ClassVar[str] = "MLC++ (Kohavi, Sommerfield & Dougherty 1996)"
    f: Annotated[float, Gt(0)] = 1.0

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return the natural log of the projected and normalised likelihoods."""
        bound = np.log2(1.0 + self.f * counts.training.total)[..., np.newaxis, np.newaxis]
        evidence = -log_smoothed(counts, 0.0) / np.log(2.0)
        with np.errstate(invalid="ignore"):
            projected = np.where(np.isposinf(evidence), bound, bound * evidence / (evidence + bound))
        # M is 0 without any row, and no evidence is projected to none
        projected = np.where(bound + evidence > 0, projected, 0.0)
        likelihood = np.exp2(-projected)
        return counts.skip_unknown(np.log(likelihood / likelihood.sum(axis=-2, keepdims=True)))

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return the log relative frequency of each class."""
        return log_prior_smoothed(counts, 0.0)


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimator."""
    return [EvidenceProjection]
