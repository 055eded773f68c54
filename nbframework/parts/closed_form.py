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


@dataclass(frozen=True, kw_only=True, eq=False)
class PowerForm:
    """What a neighbourhood does to the n training rows, with t for the value of its parameter.

    Class c weighs in proportion to e^``log_share`` times the sum of ``row_weights`` e^(-t ``logs``) over its rows; all
    classes together weigh what the rows do.

    Parameters
    ----------
    parameter
        The name of the parameter that t is.
    value
        t as the part has it.
    formula
        What a row's weight is multiplied by, for readers.
    distances
        (q, n) of the queries to the training rows.
    logs
        (q, n) logarithms of what is raised to the power -t; inf for a row that does not speak.
    row_weights, classes
        (n,).
    log_share
        (C,).
    """

    parameter: str
    value: float
    formula: str
    distances: FloatArray
    logs: FloatArray
    row_weights: FloatArray
    classes: NDArray[np.intp]
    log_share: FloatArray

    def log_class_weight(self, value: float | None = None) -> FloatArray:
        """Return the (q, C) log class weights under a value of the parameter; the part's own where None."""
        t = self.value if value is None else value
        speaks = np.isfinite(self.logs)
        terms = np.where(speaks, np.log(self.row_weights) - t * np.where(speaks, self.logs, 0.0), -np.inf)
        sums = np.full((len(self.logs), len(self.log_share)), -np.inf)
        for code in np.unique(self.classes):
            sums[:, code] = np.logaddexp.reduce(terms[:, self.classes == code], axis=1) + self.log_share[code]
        return np.asarray(sums - np.logaddexp.reduce(sums, axis=1)[:, np.newaxis] + np.log(self.row_weights.sum()))
