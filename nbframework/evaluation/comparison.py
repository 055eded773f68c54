"""Tests for two methods on paired scores: of the folds of one data set, or of many data sets."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

FloatArray = NDArray[np.float64]

MOST_COUNTED = 13
"""Pairs up to which every way to give the ranks a sign is counted."""


@dataclass(frozen=True)
class PairedResult:
    """What a test says of the differences first - second.

    Parameters
    ----------
    test
        Name of the test.
    statistic
        t, the smaller rank sum, or the number of wins; infinite where differences are all equal and not 0.
    p
        Two-sided probability of differences as large, if there were none, 0 to 1.
    pairs
        Number of pairs.
    difference
        Mean of the differences.
    note
        What is special about the differences, or empty.
    """

    test: str
    statistic: float
    p: float
    pairs: int
    difference: float
    note: str = ""


def paired_t(first: Any, second: Any, test_ratio: float = 0.0) -> PairedResult:
    """Compare by Student's t on the differences; for folds of cross-validation it finds too much.

    Parameters
    ----------
    first, second
        (n,) scores of the same folds or data sets, n at least 2.
    test_ratio
        Test rows / training rows of a fold, for the corrected form; see `corrected_t`.

    Raises
    ------
    EvaluationError
        On fewer than 2 pairs, a different number of scores, or a score that is missing or infinite, naming the pair.

    Notes
    -----
    Without any difference p is 1 and t is 0; where all differences are equal and not 0, p is 0 and t infinite, as in
    Weka.
    """
    name = "corrected-t" if test_ratio else "paired-t"
    differences = _differences(first, second)
    pairs, mean = len(differences), float(differences.mean())
    spread = float(differences.std(ddof=1))
    # equal differences of decimal scores differ in their last bits
    if spread <= 1e-12 * max(1.0, abs(mean)):
        if abs(mean) <= 1e-12:
            return PairedResult(name, 0.0, 1.0, pairs, 0.0, "no difference in any pair")
        return PairedResult(name, math.copysign(math.inf, mean), 0.0, pairs, mean, "the same difference in every pair")
    from scipy.special import stdtr

    t = mean / (spread * math.sqrt(1.0 / pairs + test_ratio))
    return PairedResult(name, t, float(2.0 * stdtr(pairs - 1, -abs(t))), pairs, mean)


def corrected_t(first: Any, second: Any, test_ratio: float) -> PairedResult:
    """Compare by the corrected resampled t: the variance grows by what overlapping training sets hide.

    Parameters
    ----------
    first, second
        (n,) scores of the same folds, n at least 2.
    test_ratio
        Test rows / training rows of a fold, more than 0: 1/9 for 10 folds.

    Raises
    ------
    EvaluationError
        As `paired_t`.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281; Bouckaert & Frank
    (2004), Evaluating the replicability of significance tests for comparing learning algorithms.
    """
    if not test_ratio > 0:
        raise EvaluationError(f"test rows / training rows is {test_ratio}, expected more than 0")
    return paired_t(first, second, test_ratio)


def wilcoxon(first: Any, second: Any) -> PairedResult:
    """Compare by Wilcoxon's signed ranks; pairs without a difference are left out.

    The distribution is exact up to 13 pairs, and up to 50 without ties, else normal. Parameters and errors are those of
    `paired_t`.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods; Demsar (2006), section 3.1.3.
    """
    differences = _differences(first, second)
    mean, pairs = float(differences.mean()), len(differences)
    # ties among decimal scores must not be undone by their last bits
    rounded = np.round(differences, 12)
    if not rounded.any():
        return PairedResult("wilcoxon", 0.0, 1.0, pairs, 0.0, "no difference in any pair")
    equal = int((rounded == 0).sum())
    note = f"{equal} pairs without a difference left out" if equal else ""
    if pairs - equal <= MOST_COUNTED:
        statistic, p = _counted_signs(rounded[rounded != 0])
        return PairedResult("wilcoxon", statistic, p, pairs, mean, note)
    from scipy import stats

    found = stats.wilcoxon(rounded, zero_method="wilcox")
    return PairedResult("wilcoxon", float(found.statistic), float(found.pvalue), pairs, mean, note)


def _counted_signs(differences: FloatArray) -> tuple[float, float]:
    """Return the smaller rank sum and its two-sided probability, from all ways to give the ranks a sign.

    It is what SciPy finds by resampling, a thousand times faster.
    """
    size = np.abs(differences)
    # twice the ranks, whole numbers with ties, too
    ranks = (size[:, np.newaxis] > size).sum(axis=1) * 2 + (size[:, np.newaxis] == size).sum(axis=1) + 1
    signs = (np.arange(2 ** len(ranks))[:, np.newaxis] >> np.arange(len(ranks))) & 1
    sums = signs @ ranks
    positive = int(ranks[differences > 0].sum())
    tail = min(float((sums <= positive).mean()), float((sums >= positive).mean()))
    return min(positive, int(ranks.sum()) - positive) / 2, min(1.0, 2.0 * tail)


def sign_test(first: Any, second: Any) -> PairedResult:
    """Compare by the number of wins, exactly; pairs without a difference are left out.

    Parameters and errors are those of `paired_t`. The statistic is the number of pairs in which the first is larger.
    """
    differences = _differences(first, second)
    mean, pairs = float(differences.mean()), len(differences)
    wins, losses = int((differences > 1e-12).sum()), int((differences < -1e-12).sum())
    decided, fewer = wins + losses, min(wins, losses)
    if not decided:
        return PairedResult("sign", 0.0, 1.0, pairs, 0.0, "no difference in any pair")
    tail = sum(math.comb(decided, k) for k in range(fewer + 1))
    p = min(1.0, float(2 * tail / 2**decided))
    equal = pairs - decided
    note = f"{equal} pairs without a difference left out" if equal else ""
    return PairedResult("sign", float(wins), p, pairs, mean, note)


PAIRED: Mapping[str, Callable[[Any, Any, float], PairedResult]] = {
    "corrected-t": corrected_t,
    "paired-t": lambda first, second, _: paired_t(first, second),
    "wilcoxon": lambda first, second, _: wilcoxon(first, second),
    "sign": lambda first, second, _: sign_test(first, second),
}
"""The tests by name; they take both scores and test rows / training rows, which only the corrected one reads."""


def _differences(first: Any, second: Any) -> FloatArray:
    mine, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if mine.ndim != 1 or mine.shape != other.shape:
        raise EvaluationError(f"scores of shape {mine.shape} and {other.shape} are no pairs")
    wrong = np.flatnonzero(~(np.isfinite(mine) & np.isfinite(other)))
    if len(wrong):
        listed = ", ".join(str(pair + 1) for pair in wrong[:10])
        raise EvaluationError(f"a score is missing or infinite in pair {listed}; both need one for each fold")
    if len(mine) < 2:
        raise EvaluationError(f"at least 2 pairs are needed, found {len(mine)}")
    return mine - other
