"""The comparison for a program: one table of numbers and verdicts."""

import csv
import io

import numpy as np
import pytest

from nbframework.errors import EvaluationError
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import Question
from nbframework.report.comparison_numbers import comparison_numbers
from nbframework.report.formats import as_csv

# differences 0.2, 0.2, 0.2, 0.1: t = 0.175 / (0.05 sqrt(1/4 + 1/2)) = 4.041 with 3 degrees of freedom
FOLDS = {
    ("iris", "sbc"): [0.7, 0.7, 0.7, 0.7],
    ("iris", "new"): [0.9, 0.9, 0.9, 0.8],
    ("wine", "sbc"): [0.5, 0.5, 0.5, 0.5],
    ("wine", "new"): [0.5, 0.5, 0.5, 0.5],
}


def lines(scores=FOLDS, tests=("corrected-t",)):
    """The lines of the CSV as a program reads them, by data set and method."""
    arrays = {cell: np.array(values) for cell, values in scores.items()}
    datasets = tuple(dict.fromkeys(cell[0] for cell in scores))
    table = ScoreTable("accuracy", datasets, ("sbc", "new"), arrays, True, {}, dict.fromkeys(scores, 0.5))
    read = csv.DictReader(io.StringIO(as_csv(comparison_numbers(table, Question("sbc", tests)))))
    return {(line["data set"], line["method"]): line for line in read}


def test_there_is_a_line_for_each_data_set_and_method_and_for_each_method_over_data_sets():
    assert list(lines()) == [(data, method) for data in ("iris", "wine", "") for method in ("sbc", "new")]


def test_numbers_are_numbers():
    line = lines()["iris", "new"]
    names = ("accuracy (%)", "rank", "error ratio", "difference", "p corrected-t")
    assert [float(line[name]) for name in names] == pytest.approx([87.5, 1, 0.125 / 0.3, 17.5, 0.0273], abs=1e-4)


def test_verdicts_stand_in_columns_of_their_own():
    found = lines()
    tests = ("corrected-t", "paired-t", "wilcoxon", "sign")
    words = ["better", "better", "no difference", "no difference"]
    assert [found["iris", "new"][f"verdict {test}"] for test in tests] == words
    assert [found["iris", "sbc"][f"verdict {test}"] for test in tests] == [""] * 4


def test_a_missing_result_has_empty_cells():
    scores = {cell: folds for cell, folds in FOLDS.items() if cell != ("wine", "new")}
    assert set(lines(scores=scores)["wine", "new"].values()) == {"wine", "new", ""}


def test_the_lines_over_data_sets_have_the_tests_over_them():
    line = lines(tests=("sign", "bayesian-signed-rank"))["", "new"]
    assert [float(line[name]) for name in ("accuracy (%)", "wins", "ties", "losses")] == [68.75, 1, 1, 0]
    assert float(line["p sign"]) == 1.0
    assert sum(float(line[f"P {key}"]) for key in ("better", "equal", "worse")) == pytest.approx(1)


def test_one_data_set_has_no_lines_over_data_sets():
    scores = {cell: folds for cell, folds in FOLDS.items() if cell[0] == "iris"}
    assert list(lines(scores=scores)) == [("iris", "sbc"), ("iris", "new")]


def test_one_fold_of_one_data_set_cannot_be_tested():
    with pytest.raises(EvaluationError, match="iris: at least 2 folds are needed, found 1"):
        lines(scores={("iris", "sbc"): [0.8], ("iris", "new"): [0.7]})
