"""The statistics desk: a score table in, verdicts out, and a report of the verdicts that depend on the test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbframework.errors import EvaluationError, did_you_mean
from nbframework.evaluation.comparison import PAIRED, PairedResult
from nbframework.evaluation.ranking import FloatArray, ranks_of
from nbframework.evaluation.scores import ScoreTable

PER_DATASET = ("corrected-t", "paired-t", "wilcoxon", "sign")
"""The tests on the folds of one data set."""


@dataclass(frozen=True)
class Verdict:
    """What a test says of a method and the baseline on one data set.

    Parameters
    ----------
    dataset, method, test
        What was compared and how.
    result
        The test's result for method - baseline, or None where there are too few folds or scores.
    outcome
        1 where the method is significantly better, -1 where it is worse, else 0.
    reason
        Why there is no result.
    """

    dataset: str
    method: str
    test: str
    result: PairedResult | None
    outcome: int
    reason: str = ""


@dataclass(frozen=True)
class Flip:
    """A comparison whose verdict depends on the test.

    Parameters
    ----------
    dataset, method
        What was compared with the baseline.
    outcomes
        1, 0 or -1 by test.
    """

    dataset: str
    method: str
    outcomes: dict[str, int]


def baseline_of(table: ScoreTable, name: str = "") -> str:
    """Return the method to compare with: the named one, or the first; EvaluationError with the nearest name."""
    if not name:
        return table.methods[0]
    if name not in table.methods:
        raise EvaluationError(
            f"no method {name!r}{did_you_mean(name, table.methods)} (methods: {', '.join(table.methods)})"
        )
    return name


def verdicts(table: ScoreTable, baseline: str, test: str, alpha: float = 0.05) -> tuple[Verdict, ...]:
    """Compare every method with the baseline on every data set.

    Where methods learn from different shares of the training rows, the corrected t takes test rows / training rows of
    the baseline, as Weka's tester does.

    Parameters
    ----------
    table
        Scores by fold.
    baseline
        One of its methods.
    test
        One of `PER_DATASET`.
    alpha
        The level of significance of each single test.
    """
    found = []
    for dataset in table.datasets:
        for method in table.methods:
            if method != baseline:
                found.append(_verdict(table, dataset, method, baseline, test, alpha))
    return tuple(found)


def _verdict(table: ScoreTable, dataset: str, method: str, baseline: str, test: str, alpha: float) -> Verdict:
    mine, other = table.scores.get((dataset, method)), table.scores.get((dataset, baseline))
    if mine is None or other is None:
        return Verdict(dataset, method, test, None, 0, "no complete result")
    ratio = table.test_ratio.get((dataset, baseline), 0.0)
    if test == "corrected-t" and not ratio:
        return Verdict(dataset, method, test, None, 0, "the sizes of training and test sets are not known")
    try:
        result = PAIRED[test](mine, other, ratio)
    except EvaluationError as error:
        return Verdict(dataset, method, test, None, 0, str(error).replace("pair", "fold"))
    outcome = 0
    if result.p < alpha and result.difference:
        outcome = 1 if (result.difference > 0) == table.higher_is_better else -1
    return Verdict(dataset, method, test, result, outcome)


def win_tie_loss(found: Sequence[Verdict], method: str) -> tuple[int, int, int]:
    """Return on how many data sets a method is significantly better, neither, and worse; without those untested."""
    outcomes = [v.outcome for v in found if v.method == method and v.result is not None]
    return outcomes.count(1), outcomes.count(0), outcomes.count(-1)


def flips(
    table: ScoreTable, baseline: str, tests: Sequence[str] = PER_DATASET, alpha: float = 0.05
) -> tuple[Flip, ...]:
    """Return the comparisons on which the tests that could be made do not agree."""
    by_test = {test: verdicts(table, baseline, test, alpha) for test in tests}
    found = []
    for several in zip(*by_test.values(), strict=True):
        outcomes = {verdict.test: verdict.outcome for verdict in several if verdict.result is not None}
        if len(set(outcomes.values())) > 1:
            found.append(Flip(several[0].dataset, several[0].method, outcomes))
    return tuple(found)


def mean_error_ratio(table: ScoreTable, method: str, baseline: str) -> tuple[float | None, int]:
    """Return the mean over data sets of error / baseline error, and the number of data sets that it leaves out.

    Left out are data sets without both results or with a baseline error of 0. None where nothing is left, or where
    the metric is neither accuracy nor error. Source: Kohavi, Becker & Sommerfield (1997), Table 1.
    """
    if not table.has_errors:
        return None, len(table.datasets)
    ratios = []
    for dataset in table.datasets:
        mine, other = table.error(dataset, method), table.error(dataset, baseline)
        if mine is not None and other is not None and other > 1e-12:
            ratios.append(mine / other)
    return (float(np.mean(ratios)) if ratios else None), len(table.datasets) - len(ratios)


def average_ranks(table: ScoreTable) -> FloatArray | None:
    """Return the (m,) average rank of each method over the data sets that all have, 1 is best; None without any."""
    names = table.complete()
    return ranks_of(table.means(names), table.higher_is_better).mean(axis=0) if names else None


def smallest_significant_difference(test_rows: float, folds: int, test_ratio: float, alpha: float = 0.05) -> float:
    """Return the smallest mean difference of accuracies that the corrected t can call significant.

    A fold's accuracy moves in steps of 1 / ``test_rows``; the variance of the differences is smallest where every fold
    differs by one step or not at all.

    Parameters
    ----------
    test_rows
        Rows of a test fold.
    folds
        Folds of all repeats, at least 2.
    test_ratio
        Test rows / training rows.
    alpha
        Level of significance.
    """
    from scipy.special import stdtrit

    t = float(stdtrit(folds - 1, 1.0 - alpha / 2.0))
    odds = t * t * (1.0 / folds + test_ratio) * folds / (folds - 1)
    return odds / (1.0 + odds) / test_rows
