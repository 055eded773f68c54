"""The numbers of figures, by hand."""

import csv
import io
import math

import numpy as np
import pytest

from nbframework.evaluation.reliability import reliability
from nbframework.report.figures.bias_variance import BiasVarianceStacks
from nbframework.report.figures.critical_differences import CriticalDifferences, lanes_of
from nbframework.report.figures.curves import Curves
from nbframework.report.figures.error_differences import ErrorDifferences
from nbframework.report.figures.reliability import ReliabilityDiagram
from nbframework.report.figures.style import label, spread
from nbframework.report.figures.time_score import TimeAgainstScore
from nbframework.report.formats import as_csv


def lines(chart):
    return list(csv.reader(io.StringIO(as_csv(chart.numbers()))))


def test_error_differences_and_ratios():
    chart = ErrorDifferences(
        name="x",
        title="x",
        datasets=("zoo", "vote", "wine"),
        methods=("new",),
        baseline="sbc",
        errors=np.array([[0.25], [0.5], [np.nan]]),
        baseline_errors=np.array([0.5, 0.0, 0.25]),
    )
    assert lines(chart) == [
        ["data set", "method", "error", "error of sbc", "difference", "ratio"],
        ["zoo", "new", "0.25", "0.5", "-0.25", "0.5"],
        ["vote", "new", "0.5", "0.0", "0.5", ""],
        ["wine", "new", "", "0.25", "", ""],
    ]


def test_bias_and_variance_with_ratios_to_the_first_method():
    chart = BiasVarianceStacks(
        name="x",
        title="x",
        datasets=("zoo",),
        methods=("sbc", "c45"),
        error=np.array([[0.25, 0.5]]),
        bias=np.array([[0.125, 0.375]]),
        variance=np.array([[0.125, 0.125]]),
    )
    assert lines(chart)[1:] == [
        ["zoo", "sbc", "0.25", "0.125", "0.125", "1.0"],
        ["zoo", "c45", "0.5", "0.375", "0.125", "2.0"],
    ]


def test_a_curve_has_the_mean_where_every_line_has_a_value():
    chart = Curves(
        name="x",
        title="x",
        x_title="neighbourhood.k",
        y_title="accuracy (%)",
        values=(1.0, 5.0),
        lines=(("iris", (0.5, 0.75)), ("wine", (1.0, None))),
    )
    assert lines(chart) == [
        ["neighbourhood.k", "iris", "wine", "mean"],
        ["1.0", "0.5", "1.0", "0.75"],
        ["5.0", "0.75", "", ""],
    ]


# Demsar (2006), section 3.2.2: four methods on 14 data sets, critical difference 2.569 sqrt(4 x 5 / (6 x 14)) = 1.25
def demsar():
    ranks = (3.143, 2.000, 2.893, 1.964)
    names = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    difference = 2.569 * math.sqrt(4 * 5 / (6 * 14))
    return CriticalDifferences(
        name="x", title="x", methods=names, ranks=ranks, critical_difference=difference, alpha=0.05, datasets=14
    )


def test_methods_within_the_critical_difference_are_a_group():
    chart = demsar()
    assert chart.critical_difference == pytest.approx(1.2535, abs=1e-4)
    assert chart.groups() == [(0, 3)]
    assert [line[0] for line in lines(chart)[1:]] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]


def test_groups_are_the_largest_ones_and_a_method_may_be_in_several():
    chart = CriticalDifferences(
        name="x",
        title="x",
        methods=("d", "a", "c", "b", "e"),
        ranks=(4.0, 1.0, 2.5, 1.5, 5.0),
        critical_difference=1.6,
        alpha=0.05,
        datasets=10,
    )
    # a b c lie within 1.5, c d within 1.5, d e within 1; b to d are 2.5 apart
    assert chart.groups() == [(0, 2), (2, 3), (3, 4)]
    assert [line[2] for line in lines(chart)[1:]] == ["1", "1", "1 2", "2 3", "3"]


def test_a_difference_equal_to_the_critical_one_separates():
    chart = CriticalDifferences(
        name="x",
        title="x",
        methods=("a", "b", "c"),
        ranks=(1.0, 2.0, 3.0),
        critical_difference=1.0,
        alpha=0.05,
        datasets=5,
    )
    assert chart.groups() == []


def test_groups_that_overlap_are_drawn_below_each_other():
    assert lanes_of([(0, 2), (2, 3), (3, 4), (5, 6)]) == [0, 1, 0, 0]


def test_reliability_counts_confidence_and_accuracy_of_each_bin():
    found = reliability(np.array([0.625, 0.6875, 1.0, 1.0]), np.array([True, False, True, True]), bins=4)
    chart = ReliabilityDiagram(name="x", title="x", methods=(("sbc", found),))
    # |0.5 - 0.65625| for 2 of 4, |1 - 1| for the others
    assert lines(chart)[1:] == [
        ["sbc", "0.0", "0.25", "0.0", "", "", "0.078125"],
        ["sbc", "0.25", "0.5", "0.0", "", "", "0.078125"],
        ["sbc", "0.5", "0.75", "2.0", "0.65625", "0.5", "0.078125"],
        ["sbc", "0.75", "1.0", "2.0", "1.0", "1.0", "0.078125"],
    ]


@pytest.mark.parametrize(("higher", "front"), [(True, ["yes", "yes", "no"]), (False, ["yes", "no", "no"])])
def test_methods_that_none_is_faster_and_better_than(higher, front):
    chart = TimeAgainstScore(
        name="x",
        title="x",
        methods=("fast", "good", "slow"),
        seconds=(0.25, 1.0, 2.0),
        scores=(0.5, 0.75, 0.75),
        y_title="score",
        higher_is_better=higher,
        in_percent=True,
        datasets=3,
    )
    assert [line[3] for line in lines(chart)[1:]] == front


def test_overlapping_names_move_apart_as_little_as_possible():
    assert spread([0.0, 5.0, 5.0, 10.0], 2.0) == [0.0, 4.0, 6.0, 10.0]
    assert spread([5.0, 0.0], 1.0) == [5.0, 0.0]
    assert spread([1.0, 1.0, 1.0], 1.0) == [0.0, 1.0, 2.0]


def test_names_in_figures_are_short_and_printable():
    assert label("x" * 30) == "x" * 25 + "…"
    assert label("a\x00b") == "a\ufffdb"
    assert label("_a") == "\u200b_a"
