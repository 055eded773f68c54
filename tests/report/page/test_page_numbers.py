"""What the page of a run says: its sentence, its cells, its file."""

import re
import sys

import numpy as np
import pytest
from support.made_up_runs import store_run

from nbframework import Recipe
from nbframework.errors import DataError
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import Question, run_question
from nbframework.report.page.grid import score_grid
from nbframework.report.page.rendering import script_json
from nbframework.report.page.run_page import run_page
from nbframework.report.page.summary import summary
from nbframework.study.results import read_run
from nbframework.study.store import Store

# differences 0.2, 0.2, 0.2, 0.1: mean 0.175, deviation 0.05
FOLDS = {
    ("iris", "sbc"): [0.7, 0.7, 0.7, 0.7],
    ("iris", "new"): [0.9, 0.9, 0.9, 0.8],
    ("wine", "sbc"): [0.5, 0.5, 0.5, 0.5],
    ("wine", "new"): [0.5, 0.5, 0.5, 0.5],
}


def table(scores=FOLDS, ratio=0.5):
    arrays = {cell: np.array(values) for cell, values in scores.items()}
    datasets = tuple(dict.fromkeys(cell[0] for cell in scores))
    methods = tuple(dict.fromkeys(cell[1] for cell in scores))
    return ScoreTable("accuracy", datasets, methods, arrays, True, {}, dict.fromkeys(arrays, ratio))


def test_a_cell_says_what_both_t_tests_find():
    cell = score_grid(table(), Question("sbc")).rows[0][1][1]
    # t = 0.175 / (0.05 sqrt(1/4 + 1/2)) = 4.041 and 0.175 / (0.05 / 2) = 7 with 3 degrees of freedom
    assert cell.lines == (
        "new on iris: 87.50 ± 2.50",
        "+17.50 points against sbc, 4 folds",
        "corrected t: better (t 4.041, p 0.0273)",
        "plain t: better (t 7.000, p 0.0060)",
    )
    assert (cell.outcome, cell.best, cell.flips) == (1, True, False)


def test_a_cell_on_which_the_t_tests_disagree():
    cell = score_grid(table(ratio=2.0), Question("sbc")).rows[0][1][1]
    assert (cell.outcome, cell.flips) == (0, True)


def test_scores_that_differ_in_their_last_bit_are_both_best():
    grid = score_grid(table({("iris", "sbc"): [0.1 + 0.2, 0.3], ("iris", "new"): [0.3, 0.3]}), Question("sbc"))
    assert [cell.best for cell in grid.rows[0][1]] == [True, True]


def test_the_plain_test_marks_where_the_study_asks_for_it():
    grid = score_grid(table(ratio=2.0), Question("sbc", ("paired-t",)))
    assert (grid.test, grid.rows[0][1][1].outcome) == ("plain t", 1)
    assert grid.counts == ("", "1/1/0")


def test_a_single_fold_has_no_marks():
    grid = score_grid(table({("iris", "sbc"): [0.5], ("iris", "new"): [0.75]}), Question("sbc"))
    assert (grid.test, grid.counts, grid.rows[0][1][1].outcome) == ("", (), None)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (
            FOLDS,
            "new has the best mean accuracy of 2 recipes over 2 data sets, 68.75 %; against sbc it is significantly "
            "better on 1 and worse on 0 of 2 data sets, by the corrected t test at 0.05.",
        ),
        ({("iris", "sbc"): [0.5, 0.75]}, "sbc has a mean accuracy of 62.50 % on iris."),
        (
            {("iris", "sbc"): [0.5], ("iris", "new"): [0.5]},
            "All 2 recipes have the same mean accuracy on iris, 50.00 %.",
        ),
        (
            {("iris", "new"): [0.5], ("iris", "sbc"): [0.75]},
            "sbc has the best mean accuracy of 2 recipes on iris, 75.00 %.",
        ),
        (
            {("iris", "a"): [0.5], ("wine", "sbc"): [0.5]},
            "Of 2 data sets none has a complete result of every recipe yet, so that there is no mean to compare.",
        ),
    ],
)
def test_the_sentence(scores, sentence):
    assert summary(table(scores), Question("sbc")) == sentence


def test_the_sentence_when_the_baseline_is_best():
    scores = {("iris", "new"): FOLDS["iris", "sbc"], ("iris", "sbc"): FOLDS["iris", "new"]}
    assert summary(table(scores), Question("sbc")) == (
        "sbc has the best mean accuracy of 2 recipes on iris, 87.50 %; in 1 comparison with it the others are "
        "significantly better 0 and worse 1 times, by the corrected t test at 0.05."
    )


@pytest.fixture
def made(tmp_path):
    recipes = [("sbc", Recipe.load("sbc")), ("laplace", Recipe.load("laplace-1"))]
    return store_run(
        tmp_path / "r.db", ["iris", "wine"], recipes, lambda _d, r, f: {"accuracy": 0.5 + r / 8 + f / 64}, folds=4
    )


def written(path):
    with Store(path) as store:
        results = read_run(store)
        return run_page(results, run_question(results))


def test_the_page_names_nothing_that_it_would_have_to_fetch(made):
    text = written(made)
    addresses = re.findall(r"""(?:src|href|action)\s*=\s*["']([^"']*)""", text)
    assert [found for found in addresses if not found.startswith(("#", "data:"))] == []
    assert "@import" not in text
    assert not re.findall(r"url\((?!#)", text)


def test_the_same_run_gives_the_same_page(made):
    assert written(made) == written(made)


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_a_missing_library_is_an_error_that_names_the_extra(made, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(DataError, match=rf"needs {library}: pip install 'nbframework\[report\]'"):
        written(made)


def test_json_in_a_page_cannot_end_its_script():
    assert script_json({"</script><!--": "\u2028&"}) == '{"\\u003c/script\\u003e\\u003c!--":"\\u2028\\u0026"}'
