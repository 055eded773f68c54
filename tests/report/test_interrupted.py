"""What a comparison says where results are missing."""

import numpy as np
import pytest

from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import Question, comparison_data, comparison_tables
from nbframework.report.page.grid import score_grid

METHODS = ("sbc", "new", "late")
DATASETS = ("a", "b", "c")
TESTS = Question("sbc", ("corrected-t", "sign"))
ERRORS = {"sbc": 0.4, "new": 0.2, "late": 0.1}


def interrupted(*missing, errors=ERRORS):
    """Accuracies of three methods on three data sets, without the missing cells."""
    scores = {
        (data, method): 1 - errors[method] + np.array([0.0, 0.01, 0.0, -0.01])
        for data in DATASETS
        for method in METHODS
        if (data, method) not in missing
    }
    return ScoreTable("accuracy", DATASETS, METHODS, scores, True, {}, dict.fromkeys(scores, 0.5))


NONE_SHARED = interrupted(("a", "late"), ("b", "new"), ("b", "late"), ("c", "sbc"), ("c", "new"), ("c", "late"))


def methods_of(table):
    return comparison_tables(table, TESTS)[1]


def test_no_figure_over_data_sets_stands_where_no_data_set_has_all_results():
    found = methods_of(NONE_SHARED)
    assert [row[1:] for row in found.rows] == [
        ("-", "-", "-", "", ""),
        ("-", "-", "-", "-", "?"),
        ("-", "-", "-", "-", "?"),
    ]
    assert found.notes == (
        "Of 3 data sets none has a result of every method, so that nothing can be said over data sets.",
    )


def test_error_ratios_are_over_the_data_sets_of_means_ranks_and_wins():
    scores = interrupted(("b", "late"))
    scores.scores["b", "new"][:] = 0.99
    found = methods_of(scores)
    # on a and c 0.2 / 0.4 and 0.1 / 0.4
    assert [row[3] for row in found.rows] == ["1.000", "0.500", "0.250"]
    assert [row[4] for row in found.rows] == ["", "2/0/0", "2/0/0"]
    assert found.notes[0].startswith("Over 2 of 3 data sets, on which every method has a result;")
    assert not any("leave out" in note for note in found.notes)


def test_error_ratios_name_the_number_of_data_sets_without_a_baseline_error():
    scores = interrupted()
    scores.scores["b", "sbc"][:] = 1.0
    assert methods_of(scores).notes[1] == "Error ratios leave out 1 data set with a baseline error of 0."


def test_what_is_not_tested_is_named_with_its_methods():
    marks = comparison_tables(NONE_SHARED, TESTS)[0]
    assert marks.notes[1] == (
        "? not tested: late on a (no complete result); b (no complete result); c (no complete result)"
    )


def test_a_method_that_is_tested_nowhere_has_no_counts():
    assert comparison_tables(NONE_SHARED, TESTS)[0].rows[-1] == ("v/ /*", "", "(1/0/0)", "-")
    assert score_grid(NONE_SHARED, TESTS).counts == ("", "1/0/0", "-")


def test_the_flip_report_counts_the_comparisons_that_can_be_tested():
    flips = comparison_tables(NONE_SHARED, TESTS)[2]
    assert flips.notes == ("1 of 1 verdicts at 0.05 against sbc change with the test; 5 cannot be tested.",)


@pytest.mark.parametrize("key", ["mean", "rank", "error_ratio", "win_tie_loss"])
def test_data_have_none_where_no_data_set_has_all_results(key):
    assert [line[key] for line in comparison_data(NONE_SHARED, TESTS)["methods"]] == [None] * 3
