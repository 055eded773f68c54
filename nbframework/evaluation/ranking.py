"""Tests for several methods on many data sets, by ranks: Friedman, then Nemenyi or Holm."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """What Friedman's test says of m methods on d data sets.

    Parameters
    ----------
    ranks
        (m,) average rank of each method, 1 is best.
    datasets
        d.
    statistic, p
        Friedman's chi-square with the correction for ties, and its probability.
    f_statistic, f_p
        Iman and Davenport's less conservative F, and its probability.
    """

    ranks: FloatArray
    datasets: int
    statistic: float
    p: float
    f_statistic: float
    f_p: float

    @property
    def standard_error(self) -> float:
        """The standard error of the difference of two average ranks, sqrt(m (m + 1) / (6 d))."""
        methods = len(self.ranks)
        return math.sqrt(methods * (methods + 1) / (6.0 * self.datasets))


def ranks_of(scores: Any, higher_is_better: bool = True) -> FloatArray:
    """Return the (d, m) rank of each method on each data set, 1 is best, ties sharing their average rank.

    Scores that differ by less than 1e-12 are tied.
    """
    table = np.round(np.asarray(scores, dtype=np.float64), 12)
    if higher_is_better:
        table = -table
    below = (table[:, np.newaxis, :] < table[:, :, np.newaxis]).sum(axis=-1)
    equal = (table[:, np.newaxis, :] == table[:, :, np.newaxis]).sum(axis=-1)
    return np.asarray(below + (equal + 1) / 2.0)


def friedman(scores: Any, higher_is_better: bool = True) -> FriedmanResult:
    """Test whether the average ranks of the methods differ.

    Parameters
    ----------
    scores
        (d, m) finite mean scores, at least 2 data sets and 3 methods.
    higher_is_better
        Whether the larger score is the better one.

    Raises
    ------
    EvaluationError
        On fewer data sets or methods, or a score that is not finite.

    References
    ----------
    Friedman (1937); Iman & Davenport (1980); Demsar (2006), Statistical comparisons of classifiers over multiple data
    sets, JMLR 7, section 3.2.2.
    """
    table = _checked(scores, 3)
    ranks = ranks_of(table, higher_is_better)
    datasets, methods = ranks.shape
    average = ranks.mean(axis=0)
    between = datasets * float(np.square(average - (methods + 1) / 2).sum())
    # the mean square of the ranks themselves, smaller where there are ties
    within = float(np.square(ranks - (methods + 1) / 2).sum()) / (datasets * (methods - 1))
    if within <= 0:
        return FriedmanResult(average, datasets, 0.0, 1.0, 0.0, 1.0)
    from scipy.special import chdtrc, fdtrc

    statistic = between / within
    most = datasets * (methods - 1)
    if most - statistic <= 1e-9 * most:
        return FriedmanResult(average, datasets, statistic, float(chdtrc(methods - 1, statistic)), math.inf, 0.0)
    f = (datasets - 1) * statistic / (most - statistic)
    p, f_p = float(chdtrc(methods - 1, statistic)), float(fdtrc(methods - 1, (datasets - 1) * (methods - 1), f))
    return FriedmanResult(average, datasets, statistic, p, f, f_p)


def nemenyi(result: FriedmanResult) -> FloatArray:
    """Return the (m, m) probability of each pair's difference of ranks, all pairs taken into account.

    References
    ----------
    Nemenyi (1963); Demsar (2006), section 3.2.2.
    """
    from scipy import stats

    methods = len(result.ranks)
    q = np.abs(result.ranks[:, np.newaxis] - result.ranks) / result.standard_error * math.sqrt(2.0)
    p = np.ones((methods, methods))
    upper = np.triu_indices(methods, 1)
    p[upper] = [float(np.clip(stats.studentized_range.sf(value, methods, np.inf), 0.0, 1.0)) for value in q[upper]]
    return np.minimum(p, p.T)


def critical_difference(result: FriedmanResult, alpha: float = 0.05) -> float:
    """Return the difference of average ranks from which on two methods differ by Nemenyi's test at level alpha."""
    from scipy import stats

    q = float(stats.studentized_range.ppf(1.0 - alpha, len(result.ranks), np.inf)) / math.sqrt(2.0)
    return q * result.standard_error


def holm(result: FriedmanResult, control: int) -> FloatArray:
    """Return the (m,) probability of each method's difference of ranks from a control, by Holm's step-down; NaN there.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure; Demsar (2006), section 3.2.2.
    """
    from scipy.special import ndtr

    z = (result.ranks - result.ranks[control]) / result.standard_error
    others = [method for method in range(len(z)) if method != control]
    adjusted = np.full(len(z), np.nan)
    adjusted[others] = holm_adjusted(2.0 * ndtr(-np.abs(z[others])))
    return adjusted


def holm_adjusted(p: Any) -> FloatArray:
    """Return the (k,) probabilities adjusted for k tests by Holm's step-down procedure."""
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def _checked(scores: Any, methods: int) -> FloatArray:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < methods:
        raise EvaluationError(
            f"Friedman's test needs at least 2 data sets and {methods} methods, found scores of shape {table.shape}"
        )
    if not np.isfinite(table).all():
        row, column = (int(index[0]) for index in np.nonzero(~np.isfinite(table)))
        raise EvaluationError(f"the score of method {column + 1} on data set {row + 1} is missing or infinite")
    return table
