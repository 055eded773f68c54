"""Estimates as a formula of counts and one parameter, for those who compute them again elsewhere."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedForm:
    """What an estimator does to counts, with t for the value of its parameter.

    P(value | class) is (N + t ``added``) / (n + t ``total``), uniform where that is 0 / 0: N rows of n that know the
    attribute. Where there are ``replacements`` it is N / n, or min(t ``replacements``, ``most``) where N is 0.
    P(class) is (N + t ``prior_added``) / (n + t ``prior_total``), uniform where that is 0 / 0: N rows of n.

    Parameters
    ----------
    parameter
        The name of the parameter that t is; None where t is fixed.
    value
        t as the part has it.
    formula, prior_formula
        The two formulas for readers, in the words of the part's documentation.
    added
        (B,) in the layout of the counts.
    total
        (a,).
    prior_added, prior_total
        Numbers for the classes that the prior knows.
    replacements
        (C,), or None.
    most
        The largest replacement.
    """

    parameter: str | None
    value: float
    formula: str
    prior_formula: str
    added: FloatArray
    total: FloatArray
    prior_added: float
    prior_total: float
    replacements: FloatArray | None = None
    most: float = math.inf

    def log_conditional(self, counts: Counts, value: float | None = None) -> FloatArray:
        """Return the (C, B) log P(value | class) under a value of the parameter; the part's own where None."""
        t = self.value if value is None else value
        added, total = (0.0, 0.0) if self.replacements is not None else (t * self.added, t * self.total)
        denominator = counts.known + total
        empty = counts.per_cell(denominator == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(counts.cells + added) - counts.per_cell(np.log(denominator))
            table = np.where(empty, -np.log(counts.per_cell(counts.cardinality)), ratio)
            if self.replacements is not None:
                replaced = np.log(np.minimum(t * self.replacements, self.most))
                table = np.where(counts.is_zero, replaced[:, np.newaxis], table)
        return counts.skip_unknown(table)

    def log_prior(self, class_weight: FloatArray, value: float | None = None) -> FloatArray:
        """Return the (C,) log P(class) of the classes that the prior knows, from their weights."""
        t = self.value if value is None else value
        total = class_weight.sum() + t * self.prior_total
        if total == 0:
            return np.full(len(class_weight), -np.log(len(class_weight)))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(class_weight + t * self.prior_added) - np.log(total))
