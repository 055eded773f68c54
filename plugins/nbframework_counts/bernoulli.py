"""Density bernoulli: whether an attribute occurs at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, Ge, IntArray, hookimpl, kernels
from nbframework_counts.totals import keys


@dataclass(frozen=True, kw_only=True)
class Bernoulli(Density):
    """Ask of each numeric attribute only whether it is above a threshold: (n_cj + alpha) / (n_c + 2 alpha).

    n_cj is the weight of the rows of class c in which attribute j is above the threshold, n_c that of the rows that
    know it. What does not occur is evidence, too. Without smoothing, a class without rows tells nothing.

    Parameters
    ----------
    threshold
        Values above it occur.
    alpha
        Pseudo-rows with the attribute, and as many without.

    References
    ----------
    McCallum & Nigam (1998), A comparison of event models for naive Bayes text classification, equations 2 and 3.
    """

    name: ClassVar[str] = "bernoulli"
    cite: ClassVar[str] = "McCallum & Nigam 1998"
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "values"
    threshold: float = 0.0
    alpha: Annotated[float, Ge(0)] = 1.0

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the log probabilities that each attribute occurs, and that it does not."""
        key, groups = keys(classes, class_count, start)
        sides = kernels.threshold_totals(values, self.threshold, key, groups * class_count, weights)
        found, absent = sides.reshape(2, groups, class_count, values.shape[1])
        total = found + absent + 2 * self.alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            present, missing = (np.log((amount + self.alpha) / total) for amount in (found, absent))
        none = total == 0
        return FittedBernoulli(np.where(none, 0.0, present), np.where(none, 0.0, missing), self.threshold)


class FittedBernoulli(FittedDensity):
    """The log probabilities of presence and absence, (g, C, d)."""

    def __init__(self, present: FloatArray, absent: FloatArray, threshold: float) -> None:
        self.present, self.absent, self.threshold = present, absent, threshold

    def described(self) -> Mapping[str, str | float | FloatArray]:
        """Return the threshold, and what lies on its two sides."""
        sides = {"log_above": self.present[0], "log_below": self.absent[0]}
        return {"form": "threshold", "threshold": self.threshold, **sides}

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log probability of what each attribute shows."""
        occurs = (values > self.threshold)[:, np.newaxis, :]
        which = slice(None) if group is None else group
        return np.where(occurs, self.present[which], self.absent[which])

    def log_likelihood(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the log probability of what all attributes show."""
        if group is not None:
            return super().log_likelihood(values, group)
        return kernels.threshold_scores(values, self.threshold, self.present[0], self.absent[0])


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Bernoulli]
