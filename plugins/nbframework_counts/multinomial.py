"""Density multinomial: every unit of a count is a draw from the attributes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, Ge, IntArray, Moments, hookimpl, kernels
from nbframework_counts.totals import refuse_negative, times, totals


@dataclass(frozen=True, kw_only=True)
class Multinomial(Density):
    """Take a row as draws from all numeric attributes: (N_cj + alpha) / (N_c + d alpha) for each unit of attribute j.

    N_cj is the sum of attribute j over the rows of class c, N_c that of all d numeric attributes. What does not depend
    on the class (the number of orders in which the units can be drawn) is left out. An unknown value counts 0 in
    training and is left out of a query. Without smoothing, a class without any unit tells nothing.

    Parameters
    ----------
    alpha
        Pseudo-units of each attribute.

    References
    ----------
    McCallum & Nigam (1998), A comparison of event models for naive Bayes text classification, equations 5 and 6.
    """

    name: ClassVar[str] = "multinomial"
    cite: ClassVar[str] = "McCallum & Nigam 1998"
    lowest: ClassVar[float] = 0.0
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "moments"
    alpha: Annotated[float, Ge(0)] = 1.0

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the log shares of the attributes in each class."""
        amount = totals(values, classes, class_count, weights, start).amount + self.alpha
        return FittedShares(log_shares(amount))

    def fit_moments(self, moments: Moments) -> FittedDensity:
        """Return the log shares of the attributes in each class."""
        return FittedShares(log_shares(moments.amount + self.alpha)[np.newaxis])


class FittedShares(FittedDensity):
    """The log shares of the attributes, (g, C, d)."""

    def __init__(self, log_share: FloatArray) -> None:
        self.log_share = log_share

    def described(self) -> Mapping[str, str | float | FloatArray]:
        """Return what each unit of a count adds."""
        return {"form": "counts", "log_share": self.log_share[0]}

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return each count times the log share of its attribute."""
        return times(values, self.log_share if group is None else self.log_share[group])

    def log_likelihood(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return the sums of counts times log shares."""
        if group is not None:
            return super().log_likelihood(values, group)
        sums = kernels.count_scores(values, self.log_share[0])
        # the largest of all is NaN where one of them is
        if np.isnan(sums.max(initial=-np.inf)):
            refuse_negative(values)
        return sums


def log_shares(amount: FloatArray) -> FloatArray:
    """Return the log of (..., d) amounts divided by their sum, 0 where the sum is 0."""
    total = amount.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 0, np.log(amount / total), 0.0)


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Multinomial]
