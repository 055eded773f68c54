"""Verdicts on a small table, worked out by hand."""

import pytest

from nbframework.reproduction.presentation import reasons, summary_table
from nbframework.reproduction.verdicts import judge, summarise

EXPLANATIONS = """
explanations:
  - rows: [one]
    columns: [smooth]
    reason: another fold
    evidence: {seeds: [1, 2, 3]}
  - rows: ["*"]
    columns: [plain]
    reason: another recipe
    evidence: {recipe: sbc}
  - {rows: [mean], columns: [smooth], reason: nobody knows}
"""


def giving(values):
    """Return evidence that has these figures for every cell."""
    return lambda *_: values


def by_cell(judged):
    return {(cell.row, cell.column): cell for cell in judged}


def test_a_figure_is_within_the_larger_of_the_two_bounds(measured_of):
    found = by_cell(judge(measured_of()))
    # half of the printed deviation of 4 is 2, so 81 is within 80 +- 2
    assert found["one", "plain"].tolerance == 2.0
    assert found["one", "plain"].ours == pytest.approx(81.0)
    assert found["one", "plain"].verdict == "within"
    # the row two has no deviation at all
    assert found["two", "plain"].tolerance == 1.0
    assert found["two", "plain"].difference == pytest.approx(2.5)
    assert found["two", "plain"].verdict == "unexplained"


def test_a_mean_is_that_of_the_data_sets(measured_of):
    found = by_cell(judge(measured_of()))
    assert found["mean", "plain"].ours == pytest.approx((81.0 + 72.5) / 2)
    assert found["mean", "smooth"].ours == pytest.approx((87.0 + 60.0) / 2)
    assert found["two", "smooth"].verdict == "within"


def test_other_seeds_explain_where_the_print_is_among_their_figures(measured_of):
    measured = measured_of(EXPLANATIONS)
    found = by_cell(judge(measured, giving([86.0, 88.0, 90.5])))
    assert found["one", "smooth"].verdict == "explained"
    assert (found["one", "smooth"].why, found["one", "smooth"].run) == ("another fold", "86.00 to 90.50 over 3 seeds")
    found = by_cell(judge(measured, giving([86.0, 88.0, 89.5])))
    assert found["one", "smooth"].verdict == "unexplained"
    assert reasons([found["one", "smooth"]]) == [
        "unexplained: another fold (which does not close the gap): one smooth, so run 86.00 to 89.50 over 3 seeds"
    ]


def test_another_recipe_explains_where_its_figure_is_within_tolerance(measured_of):
    measured = measured_of(EXPLANATIONS)
    assert by_cell(judge(measured, giving([70.9])))["two", "plain"].verdict == "explained"
    assert by_cell(judge(measured, giving([71.1])))["two", "plain"].verdict == "unexplained"


def test_a_reason_without_a_run_explains_nothing(measured_of):
    cell = by_cell(judge(measured_of(EXPLANATIONS), giving([0.0])))["mean", "smooth"]
    assert (cell.verdict, cell.why) == ("unexplained", "nobody knows")


def test_without_evidence_nothing_is_explained(measured_of):
    assert {cell.verdict for cell in judge(measured_of(EXPLANATIONS))} == {"within", "unexplained"}


def test_what_was_not_run_has_no_verdict(measured_of, table):
    scores = {cell: folds for cell, folds in table.scores.items() if cell[0] == "one"}
    part = type(table)("accuracy", ("one",), table.methods, scores)
    measured = measured_of()
    found = by_cell(judge(type(measured)(measured.target, {"accuracy": part}, whole=False)))
    assert found["one", "plain"].verdict == "within"
    assert found["two", "plain"].verdict == "not run"
    # a mean over a part is no figure to hold against a printed mean
    assert found["mean", "plain"].verdict == "not run"


def test_the_summary_counts_and_averages(measured_of):
    measured = measured_of()
    found = summarise(judge(measured), measured.target)
    # |81 - 80|, |87 - 90|, |72.5 - 70|, |60 - 60|, |76.75 - 75|, |73.5 - 75|
    assert (found.cells, found.within, found.explained) == (6, 2, 0)
    assert found.difference == pytest.approx((1 + 3 + 2.5 + 0 + 1.75 + 1.5) / 6)
    # only one deviation is legible, and 81 is within 80 +- 4
    assert found.within_deviation == 1.0
    assert found.deviation_text == "100 % of 1 cell"


def test_the_table_says_how_many_cells_have_a_printed_deviation(measured_of):
    measured = measured_of()
    table = summary_table(measured.target, judge(measured))
    assert [row[-1] for row in table.rows] == ["100 % of 1 cell", "-", "100 % of 1 cell"]
