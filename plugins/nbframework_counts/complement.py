"""Density complement: what the other classes say of an attribute, against."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Density, FittedDensity, FloatArray, Ge, IntArray, Moments, hookimpl
from nbframework_counts.multinomial import FittedShares, log_shares
from nbframework_counts.totals import Totals, totals


@dataclass(frozen=True, kw_only=True)
class Complement(Density):
    """Score a row by how little it looks like all classes but one: each unit adds -log of the others' share.

    The share of attribute j in the complement of class c is (N_~cj + alpha) / (N_~c + d alpha), over all rows that are
    not of class c. The scores are no probabilities of the row, and posteriors made of them rank classes rather than
    say how sure one may be. Where one class alone has rows, they tell nothing.

    Parameters
    ----------
    alpha
        Pseudo-units of each attribute.
    normalized
        Whether the weights of each class are divided by the sum of their absolute values, so that classes with
        dependent attributes do not outweigh the others.

    References
    ----------
    Rennie, Shih, Teevan & Karger (2003), Tackling the poor assumptions of naive Bayes text classifiers, equations 6
    to 8.
    """

    name: ClassVar[str] = "complement"
    cite: ClassVar[str] = "Rennie, Shih, Teevan & Karger 2003"
    lowest: ClassVar[float] = 0.0
    sufficient: ClassVar[Literal["moments", "values", "rows"]] = "moments"
    alpha: Annotated[float, Ge(0)] = 1.0
    normalized: bool = False

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the negative log shares of the attributes in the complement of each class."""
        return self._fitted(totals(values, classes, class_count, weights, start))

    def fit_moments(self, moments: Moments) -> FittedDensity:
        """Return the negative log shares of the attributes in the complement of each class."""
        return self._fitted(Totals(moments.amount[np.newaxis], moments.weight[np.newaxis]))

    def _fitted(self, found: Totals) -> FittedDensity:
        others = _sum_of_others(found.amount) + self.alpha
        log_share = log_shares(others)
        if self.normalized:
            size = np.abs(log_share).sum(axis=-1, keepdims=True)
            log_share = np.divide(log_share, size, out=np.zeros_like(log_share), where=size > 0)
        alone = (found.rows.max(axis=-1) > 0).sum(axis=-1) < 2
        log_share[alone] = 0.0
        return FittedShares(-log_share)


def _sum_of_others(amount: FloatArray) -> FloatArray:
    """Return the (g, C, d) sums over all classes but one; not by subtraction, which would leave rounding for zero."""
    below = np.cumsum(amount, axis=1)
    above = np.cumsum(amount[:, ::-1], axis=1)[:, ::-1]
    others = np.zeros_like(amount)
    others[:, 1:] += below[:, :-1]
    others[:, :-1] += above[:, 1:]
    return others


@hookimpl
def nbframework_densities() -> list[type[Density]]:
    """Register the density."""
    return [Complement]
