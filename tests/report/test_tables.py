"""Score tables and comparisons for people."""

import numpy as np
import pytest

from nbframework.errors import EvaluationError
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import Question, comparison_data, comparison_tables
from nbframework.report.formats import as_text
from nbframework.report.tables import score_numbers, score_table, shown_p

FOLDS = {
    ("iris", "sbc"): [0.9, 0.8, 1.0],
    ("iris", "new"): [0.95, 0.95, 0.95],
    ("wine", "sbc"): [0.5, 0.5, 0.5],
    ("wine", "new"): [0.5, 0.5, 0.5],
}


def table(scores=FOLDS, metric="accuracy", datasets=("iris", "wine")):
    arrays = {cell: np.array(values) for cell, values in scores.items()}
    return ScoreTable(metric, datasets, ("sbc", "new"), arrays, metric != "error", {}, dict.fromkeys(arrays, 0.5))


def test_means_and_deviations_are_in_percent_and_the_best_is_marked():
    found = score_table(table())
    assert found.header == ("accuracy (%)", "sbc", "new")
    # the deviation of 0.9, 0.8, 1.0 is 0.1, over sqrt(3)
    assert found.rows[0] == ("iris", "90.00 ± 5.77  ", "95.00 ± 0.00 *")


def test_ties_are_both_best():
    assert score_table(table()).rows[1] == ("wine", "50.00 ± 0.00 *", "50.00 ± 0.00 *")


def test_the_smallest_error_is_best():
    assert score_table(table(metric="error")).rows[0][1].endswith("*")


def test_a_missing_result_has_no_mean_and_neither_has_its_column():
    scores = {cell: values for cell, values in FOLDS.items() if cell != ("wine", "new")}
    rows = score_table(table(scores)).rows
    assert rows[1][2].strip() == "-"
    assert rows[2] == ("mean", "70.00  ", "-  ")


def test_what_is_missing_stands_below_each_other():
    scores = {cell: values for cell, values in FOLDS.items() if cell != ("wine", "new")}
    wine, mean = as_text(score_table(table(scores))).splitlines()[2:4]
    assert wine.index("-") == mean.index("-")


def test_the_only_result_of_a_row_is_not_its_best():
    scores = {cell: values for cell, values in FOLDS.items() if cell != ("wine", "new")}
    assert score_table(table(scores)).rows[1][1] == "50.00 ± 0.00  "


def test_scores_that_differ_in_their_last_bit_are_both_best():
    scores = {("iris", "sbc"): [0.1 + 0.2], ("iris", "new"): [0.3]}
    assert score_table(table(scores, datasets=("iris",)), spread=False).rows == (("iris", "30.00 *", "30.00 *"),)


def test_an_undefined_fold_is_no_number():
    rows = score_table(table(FOLDS | {("wine", "new"): [0.5, np.nan, 0.5]})).rows
    assert rows[1][2].strip() == "-"


def test_the_best_of_metrics_without_unit():
    scores = {("iris", "sbc"): [1.25, 1.75], ("iris", "new"): [np.inf, 1.0]}
    rows = score_table(table(scores, "log_loss", ("iris",)), spread=False).rows
    assert rows == (("iris", "1.5000  ", "inf *"),)


def test_one_data_set_gets_a_line_for_each_test():
    (found,) = comparison_tables(table(datasets=("iris",)), Question("sbc"))
    assert [row[:2] for row in found.rows] == [("new", t) for t in ("corrected-t", "paired-t", "wilcoxon", "sign")]


def test_one_fold_of_one_data_set_cannot_be_tested():
    scores = {("iris", "sbc"): [0.8], ("iris", "new"): [0.7]}
    with pytest.raises(EvaluationError, match="iris: at least 2 folds are needed, found 1"):
        comparison_tables(table(scores, datasets=("iris",)), Question("sbc"))


def test_marks_stand_beside_the_means_and_are_counted():
    scores = {("a", "sbc"): [0.5, 0.51, 0.52, 0.5], ("a", "new"): [0.9, 0.92, 0.91, 0.9]}
    scores |= {("b", method): values for (_, method), values in scores.items()}
    marks = comparison_tables(table(scores, datasets=("a", "b")), Question("sbc"))[0]
    assert marks.rows[0] == ("a", "50.75  ", "90.75 v")
    assert marks.rows[2] == ("v/ /*", "", "(2/0/0)")


def test_the_methods_table_shows_what_the_tests_say():
    tests = ("wilcoxon", "sign", "bayesian-signed-rank", "friedman-holm")
    methods = comparison_tables(table(), Question("sbc", tests))[0]
    row = dict(zip(methods.header, methods.rows[1], strict=True))
    assert row["win/tie/loss"] == "1/1/0"
    assert row["p wilcoxon"] == "1.0000"
    assert row["p friedman-holm"] == "?"
    assert "Not tested: Friedman's test needs at least 2 data sets and 3 methods" in " ".join(methods.notes)
    assert sum(map(float, row["P better/equal/worse"].split("/"))) == pytest.approx(1, abs=2e-3)


def test_data_hold_every_test_on_every_pair():
    found = comparison_data(table(), Question("sbc"))
    assert len(found["verdicts"]) == 8
    assert {v["test"] for v in found["verdicts"]} == {"corrected-t", "paired-t", "wilcoxon", "sign"}


def test_data_hold_the_figures_of_each_method_as_numbers():
    first, second = comparison_data(table(), Question("sbc", ("wilcoxon", "friedman-holm")))["methods"]
    assert (first["method"], first["error_ratio"], first["win_tie_loss"], first["tests"]) == ("sbc", 1.0, None, {})
    assert second["win_tie_loss"] == (1, 1, 0)
    assert second["mean"] - first["mean"] > 0
    assert second["tests"] == {"wilcoxon": {"p": 1.0}, "friedman-holm": None}


@pytest.mark.parametrize(("p", "text"), [(0.03678, "0.0368"), (0.00001, "<0.0001"), (1.0, "1.0000"), (np.nan, "")])
def test_probabilities_are_shown_with_four_digits(p, text):
    assert shown_p(p) == text


def test_numbers_for_a_spreadsheet_stand_alone():
    made = score_numbers(table())
    assert made.header == ("accuracy (%)", "sbc", "sbc sd", "new", "new sd")
    assert [float(cell) for cell in made.rows[0][1:]] == pytest.approx([90, 10 / np.sqrt(3), 95, 0])


def test_several_scores_for_a_spreadsheet_are_one_table():
    made = score_numbers(table(), table(metric="error"))
    assert made.header == ("score", "data set", "sbc", "sbc sd", "new", "new sd")
    assert [row[:2] for row in made.rows] == [
        (score, d) for score in ("accuracy (%)", "error (%)") for d in ("iris", "wine")
    ]


def test_a_missing_score_is_an_empty_cell():
    scores = {cell: folds for cell, folds in FOLDS.items() if cell != ("wine", "new")}
    assert score_numbers(table(scores)).rows[1][3:] == ("", "")
