"""Estimator cestnik: the posterior given one attribute instead of the likelihood."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Counts, Estimator, FloatArray, Ge, hookimpl


@dataclass(frozen=True, kw_only=True)
class Cestnik(Estimator):
    """Use P(C | A) / P(C) in place of P(A | C): (n_ca + f) / (n_a + C f) over the smoothed prior.

    Without smoothing the two are the same up to a constant; with it they are not. C counts the classes that occur in
    the training set; the others have probability 0. This is the naive Bayes of Orange 3.

    Parameters
    ----------
    f
        Pseudo-rows of each class, in the posterior and in the prior.

    References
    ----------
    Cestnik (1990), Estimating probabilities: a crucial task in machine learning.
    """

    name: ClassVar[str] = "cestnik"
    cite: ClassVar[str] = "Cestnik 1990"
    f: Annotated[float, Ge(0)] = 1.0

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log P(C | A) - log P(C); a value without any row gives no evidence."""
        occurs = (counts.training.class_weight > 0)[..., np.newaxis]
        classes = np.maximum(occurs.sum(axis=-2, keepdims=True), 1)
        of_value = counts.cells.sum(axis=-2, keepdims=True) + classes * self.f
        with np.errstate(divide="ignore", invalid="ignore"):
            posterior = np.where(of_value == 0, -np.log(classes), np.log(counts.cells + self.f) - np.log(of_value))
            table = posterior - self.log_prior(counts)[..., np.newaxis]
        table = np.where(occurs, np.where(np.isnan(table), -np.inf, table), 0.0)
        return counts.skip_unknown(table)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return log((n_c + f) / (n + C f)), -inf for a class that does not occur."""
        occurs = counts.training.class_weight > 0
        total = counts.class_weight.sum(axis=-1, keepdims=True) + self.f * occurs.sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(counts.class_weight + self.f) - np.log(total)
        return np.where(occurs, np.where(total == 0, 0.0, logs), -np.inf)


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimator."""
    return [Cestnik]
