"""Verdicts, flips, ratios and ranks of a score table."""

from dataclasses import replace

import numpy as np
import pytest

from nbframework.errors import EvaluationError
from nbframework.evaluation.desk import (
    average_ranks,
    baseline_of,
    flips,
    mean_error_ratio,
    smallest_significant_difference,
    verdicts,
    win_tie_loss,
)
from nbframework.evaluation.scores import ScoreTable

STAT_06 = np.array([0.81, 0.83, 0.79, 0.85, 0.82, 0.78, 0.84, 0.80, 0.86, 0.82])


def table(scores, metric="accuracy", ratio=1 / 9):
    arrays = {cell: np.asarray(values, dtype=float) for cell, values in scores.items()}
    datasets = tuple(dict.fromkeys(cell[0] for cell in arrays))
    methods = tuple(dict.fromkeys(cell[1] for cell in arrays))
    ratios = dict.fromkeys(arrays, ratio) if ratio else {}
    return ScoreTable(metric, datasets, methods, arrays, metric != "error", {}, ratios)


def test_the_flip_report_names_what_the_correction_changes():
    found = flips(table({("d", "m1"): STAT_06, ("d", "m2"): np.full(10, 0.8)}), "m2", ("paired-t", "corrected-t"))
    assert [(f.dataset, f.method, f.outcomes) for f in found] == [("d", "m1", {"paired-t": 1, "corrected-t": 0})]


def test_a_smaller_error_is_better():
    scores = {("d", "m1"): 1 - STAT_06, ("d", "m2"): np.full(10, 0.2)}
    (found,) = verdicts(table(scores, "error"), "m2", "paired-t")
    assert found.outcome == 1


def test_verdicts_are_counted_as_wins_ties_and_losses():
    scores = {(d, m): STAT_06 + shift for d, shift in (("a", 0), ("b", 0), ("c", 0)) for m in ("base",)}
    scores |= {("a", "new"): STAT_06 + 0.1, ("b", "new"): STAT_06, ("c", "new"): STAT_06 - 0.1}
    assert win_tie_loss(verdicts(table(scores), "base", "corrected-t"), "new") == (1, 1, 1)


def test_a_test_without_enough_folds_is_no_verdict():
    (found,) = verdicts(table({("d", "m1"): [0.8], ("d", "m2"): [0.7]}), "m1", "paired-t")
    assert (found.result, found.outcome, found.reason) == (None, 0, "at least 2 folds are needed, found 1")


def test_the_correction_needs_the_sizes():
    (found,) = verdicts(table({("d", "m1"): STAT_06, ("d", "m2"): STAT_06}, ratio=0), "m1", "corrected-t")
    assert "sizes of training and test sets" in found.reason


def test_the_correction_takes_the_sizes_of_the_baseline():
    """Differences 0.1, 0.2 and 0.3: t = 0.2 / (0.1 sqrt(1/3 + 1)), as Weka's tester finds with the baseline's sizes."""
    scores = {("d", "all"): np.array([0.9, 0.9, 0.9]), ("d", "half"): np.array([0.8, 0.7, 0.6])}
    learned = replace(table(scores), test_ratio={("d", "all"): 0.5, ("d", "half"): 1.0})
    (found,) = verdicts(learned, "half", "corrected-t")
    assert found.result.statistic == pytest.approx(0.2 / (0.1 * np.sqrt(1 / 3 + 1.0)))


def test_the_mean_error_ratio_is_the_mean_of_ratios():
    """0.1 / 0.2 and 0.3 / 0.1; the third data set has a baseline error of 0 and is left out."""
    scores = {("a", "m"): [0.1], ("a", "b"): [0.2], ("b", "m"): [0.3], ("b", "b"): [0.1], ("c", "m"): [0.1]}
    scores[("c", "b")] = [0.0]
    assert mean_error_ratio(table(scores, "error"), "m", "b") == (pytest.approx(1.75), 1)


def test_ratios_of_accuracies_are_those_of_their_errors():
    scores = {("a", "m"): [0.9], ("a", "b"): [0.8]}
    assert mean_error_ratio(table(scores), "m", "b") == (pytest.approx(0.5), 0)


def test_ranks_use_the_data_sets_that_all_have():
    scores = {("a", "m"): [0.9], ("a", "b"): [0.8], ("b", "b"): [0.8]}
    assert average_ranks(table(scores)).tolist() == [1.0, 2.0]


def test_an_incomplete_fold_has_no_mean():
    found = table({("a", "m"): [0.9, np.nan]})
    assert found.mean("a", "m") is None


def test_an_unknown_baseline_gets_the_nearest_method():
    with pytest.raises(EvaluationError, match="did you mean 'lawnb'"):
        baseline_of(table({("a", "lawnb"): [0.9], ("a", "b"): [0.8]}), "lawbn")


def test_no_smaller_difference_than_the_smallest_is_significant():
    """Ten folds of ten rows, k of which differ by one row: the bound lies between the k that are significant or not."""
    smallest = smallest_significant_difference(10, 10, 1 / 9)
    for differing in range(1, 10):
        first = np.full(10, 0.5)
        first[:differing] += 0.1
        scores = {("d", "m1"): first, ("d", "m2"): np.full(10, 0.5)}
        (found,) = verdicts(table(scores), "m2", "corrected-t")
        assert (found.outcome == 1) == (differing / 100 >= smallest)
