"""The statistics desk for a program: one table, each number and each verdict in a column of its own."""

from collections.abc import Mapping

from nbframework.evaluation.desk import PER_DATASET, Verdict, mean_error_ratio, verdicts
from nbframework.evaluation.ranking import ranks_of
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import VERDICTS, Question, question_folds, require_tested
from nbframework.report.formats import Table
from nbframework.report.over_data_sets import MethodFigures
from nbframework.report.tables import number_cell, score_title

_BAYESIAN = "bayesian-signed-rank"


def comparison_numbers(table: ScoreTable, question: Question) -> Table:
    """Return a line for each data set and method, then one for each method over the data sets.

    The name of the data set is empty in the lines over data sets; they are left out where there is only one. Columns
    are the mean score (shares in percent), the rank, the error ratio to the baseline, the difference to it, then for
    each test its p and its verdict (better, worse, no difference), and at last wins, ties and losses. A cell is empty
    where there is nothing to say.

    Raises
    ------
    EvaluationError
        Where there is only one data set and no test can be made, with the reason.
    """
    if len(table.datasets) == 1:
        require_tested(table, question)
    lines = _lines_of_data_sets(table, question)
    if len(table.datasets) > 1:
        lines += _lines_over_data_sets(table, question)
    columns = list(dict.fromkeys(column for column in _columns(table, question)))
    return Table("", tuple(columns), tuple(tuple(line.get(column, "") for column in columns) for line in lines))


def _columns(table: ScoreTable, question: Question) -> list[str]:
    columns = ["data set", "method", score_title(table), "rank", "error ratio", "difference"]
    if question_folds(table):
        columns += [column for test in PER_DATASET for column in (f"p {test}", f"verdict {test}")]
    if len(table.datasets) > 1:
        for test in MethodFigures.over_data:
            if test in question.tests:
                columns += ["P better", "P equal", "P worse"] if test == _BAYESIAN else [f"p {test}"]
        columns += ["wins", "ties", "losses"]
    return columns


def _lines_of_data_sets(table: ScoreTable, question: Question) -> list[dict[str, str]]:
    tests = PER_DATASET if question_folds(table) else ()
    found = {
        test: {(v.dataset, v.method): v for v in verdicts(table, question.baseline, test, question.alpha)}
        for test in tests
    }
    complete = table.complete()
    lines = []
    for dataset in table.datasets:
        ranks = ranks_of(table.means([dataset]), table.higher_is_better)[0].tolist() if dataset in complete else None
        for place, method in enumerate(table.methods):
            mean, baseline = table.mean(dataset, method), table.mean(dataset, question.baseline)
            ratio = mean_error_ratio(table.over([dataset]), method, question.baseline)[0]
            line = {
                "data set": dataset,
                "method": method,
                score_title(table): number_cell(mean, table.is_share),
                "rank": number_cell(ranks[place] if ranks else None),
                "error ratio": number_cell(ratio),
            }
            if method != question.baseline and mean is not None and baseline is not None:
                line["difference"] = number_cell(mean - baseline, table.is_share)
            lines.append(line | _tested({test: found[test].get((dataset, method)) for test in tests}))
    return lines


def _tested(found: Mapping[str, Verdict | None]) -> dict[str, str]:
    cells = {}
    for test, verdict in found.items():
        if verdict is not None and verdict.result is not None:
            cells[f"p {test}"] = number_cell(verdict.result.p)
            cells[f"verdict {test}"] = VERDICTS[verdict.outcome]
    return cells


def _lines_over_data_sets(table: ScoreTable, question: Question) -> list[dict[str, str]]:
    figures = MethodFigures(table, question)
    found = {method: figures.line(method) for method in table.methods}
    baseline = found[question.baseline]["mean"]
    lines = []
    for method, figure in found.items():
        line = {
            "method": method,
            score_title(table): number_cell(figure["mean"], table.is_share),
            "rank": number_cell(figure["rank"]),
            "error ratio": number_cell(figure["error_ratio"]),
        }
        if method != question.baseline and baseline is not None:
            line["difference"] = number_cell(figure["mean"] - baseline, table.is_share)
        for test, numbers in figure["tests"].items():
            for key, number in (numbers or {}).items():
                line[f"P {key}" if test == _BAYESIAN else f"p {test}"] = number_cell(number)
        counts = figure["win_tie_loss"] or ("", "", "")
        lines.append(line | dict(zip(("wins", "ties", "losses"), map(str, counts), strict=True)))
    return lines
