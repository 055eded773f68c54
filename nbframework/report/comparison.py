"""The statistics desk on paper: marks by data set, a line for each method, the verdicts that depend on the test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nbframework.errors import EvaluationError
from nbframework.evaluation.comparison import PairedResult
from nbframework.evaluation.desk import PER_DATASET, Verdict, flips, verdicts, win_tie_loss
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.formats import Table
from nbframework.report.over_data_sets import MethodFigures, methods_table
from nbframework.report.tables import shown
from nbframework.study.results import RunResults

MARKS = {1: " v", 0: "  ", -1: " *"}
VERDICTS = {1: "better", 0: "no difference", -1: "worse"}


@dataclass(frozen=True)
class Question:
    """What is asked.

    Parameters
    ----------
    baseline
        The method that all others are compared with.
    tests
        Some of `nbframework.study.study.TESTS`.
    alpha
        Level of significance.
    rope
        Half-width of the region of practical equivalence.
    seed
        Of the draws of the Bayesian test.
    metric
        The score that is compared, empty where that is not decided here.
    """

    baseline: str
    tests: tuple[str, ...] = ("corrected-t",)
    alpha: float = 0.05
    rope: float = 0.01
    seed: int = 1
    metric: str = ""


def run_question(results: RunResults) -> Question:
    """Return what a study asks of its results; without a baseline it is the first recipe.

    On a learning curve, whose tables have a method for each share of the training rows, it is the baseline with the
    largest one.
    """
    plan = results.described["comparison"]
    wanted = plan["baseline"] or results.recipes[0]
    baseline = max((cell for cell in results.cells if cell.recipe == wanted), key=lambda cell: cell.share).method
    return Question(baseline, tuple(plan["tests"]), plan["alpha"], plan["rope"], metric=plan["metric"])


def comparison_tables(table: ScoreTable, question: Question) -> list[Table]:
    """Return the tables that answer a question; a test that cannot be made is named with the reason."""
    if len(table.datasets) == 1:
        only = tests_table(table, question)
        return [replace(only, notes=(*only.notes, *not_made(table, question)))]
    found = []
    if question_folds(table):
        for test in [test for test in question.tests if test in PER_DATASET[:2]]:
            found.append(marks_table(table, verdicts(table, question.baseline, test, question.alpha), test, question))
    methods = methods_table(table, question)
    found.append(replace(methods, notes=(*methods.notes, *not_made(table, question))))
    if question_folds(table):
        found.append(flip_table(table, question))
    return found


def question_folds(table: ScoreTable) -> bool:
    """Whether any cell has more than one fold, so that tests on the folds of a data set can be made."""
    return any(len(scores) > 1 for scores in table.scores.values())


def not_made(table: ScoreTable, question: Question) -> list[str]:
    """Return which of the tests that are asked for cannot be made on such a table, and why."""
    if len(table.datasets) == 1:
        tests, reason = [test for test in question.tests if test not in PER_DATASET], "needs several data sets"
    elif not question_folds(table):
        on_folds = PER_DATASET[:2]
        tests, reason = [test for test in question.tests if test in on_folds], "needs several folds of a data set"
    else:
        tests, reason = [], ""
    return [f"Not tested: {test} {reason}." for test in tests]


def marks_table(table: ScoreTable, found: Sequence[Verdict], test: str, question: Question) -> Table:
    """Return means by data set, the baseline first, each other method marked v (better), * (worse) or blank."""
    methods = [question.baseline, *[method for method in table.methods if method != question.baseline]]
    outcome = {(v.dataset, v.method): MARKS[v.outcome] if v.result is not None else " ?" for v in found}
    rows = []
    for dataset in table.datasets:
        cells = [shown(table.mean(dataset, method), table.is_share) for method in methods]
        rows.append(
            (dataset, *[cell + outcome.get((dataset, m), "  ") for m, cell in zip(methods, cells, strict=True)])
        )
    rows.append(("v/ /*", "", *[_counts(win_tie_loss(found, method)) for method in methods[1:]]))
    notes = [f"v better, * worse than {question.baseline} by {test} at {question.alpha:g} on the folds of a data set."]
    if untested := _untested(found):
        notes.append(f"? not tested: {'; '.join(untested)}")
    unit = " (%)" if table.is_share else ""
    return Table(f"{test} against {question.baseline}", (f"{table.title}{unit}", *methods), tuple(rows), tuple(notes))


def _counts(counts: tuple[int, int, int]) -> str:
    return f"({'/'.join(map(str, counts))})" if any(counts) else "-"


def _untested(found: Sequence[Verdict]) -> list[str]:
    """Return what was not tested and why: a data set, or some of its methods where others were."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for v in found:
        if v.result is None:
            reasons.setdefault((v.dataset, v.reason), []).append(v.method)
    rivals = len({v.method for v in found})
    return [
        f"{dataset} ({reason})" if len(methods) == rivals else f"{', '.join(methods)} on {dataset} ({reason})"
        for (dataset, reason), methods in reasons.items()
    ]


def tests_table(table: ScoreTable, question: Question) -> Table:
    """Return what each test says of each method on the folds of the only data set.

    Raises
    ------
    EvaluationError
        Where no test can be made, with the reason.
    """
    require_tested(table, question)
    found = [v for test in PER_DATASET for v in verdicts(table, question.baseline, test, question.alpha)]
    rows = []
    for v in sorted(found, key=lambda v: table.methods.index(v.method)):
        if v.result is None:
            rows.append((v.method, v.test, "-", "-", "-", "-", f"not tested: {v.reason}"))
            continue
        r = v.result
        difference = f"{100 * r.difference:.2f}" if table.is_share else f"{r.difference:.4f}"
        says = VERDICTS[v.outcome] + (f" ({r.note})" if r.note else "")
        rows.append((v.method, v.test, str(r.pairs), difference, f"{r.statistic:.6g}", f"{r.p:.7f}", says))
    header = ("method", "test", "folds", "difference", "statistic", "p", "verdict")
    title = f"{table.title} on {table.datasets[0]} against {question.baseline}"
    return Table(title, header, tuple(rows), (f"Two-sided, level {question.alpha:g}.",))


def require_tested(table: ScoreTable, question: Question) -> None:
    """Raise EvaluationError, with the reason, where nothing on the folds of the only data set can be tested."""
    # the plain test asks for least
    found = verdicts(table, question.baseline, "paired-t", question.alpha)
    if all(verdict.result is None for verdict in found):
        raise EvaluationError(f"{table.datasets[0]}: {found[0].reason}")


def flip_table(table: ScoreTable, question: Question) -> Table:
    """Return the comparisons whose verdict changes with the test."""
    found = flips(table, question.baseline, PER_DATASET, question.alpha)
    words = {1: "better", 0: "-", -1: "worse"}
    rows = tuple(
        (f.dataset, f.method, *[words[f.outcomes[test]] if test in f.outcomes else "?" for test in PER_DATASET])
        for f in found
    )
    # the plain test asks for least, so what it cannot say no test can
    made = [v.result is not None for v in verdicts(table, question.baseline, "paired-t", question.alpha)]
    note = (
        f"{len(found)} of {sum(made)} verdicts at {question.alpha:g} against {question.baseline} change with the test"
    )
    note += f"; {made.count(False)} cannot be tested." if False in made else "."
    return Table("Flip report", ("data set", "method", *PER_DATASET), rows, (note,))


def comparison_data(table: ScoreTable, question: Question) -> dict[str, Any]:
    """Return the answers as plain data, every test on every pair."""
    pairs = []
    tests = [test for test in PER_DATASET if question_folds(table)]
    for test in tests:
        for v in verdicts(table, question.baseline, test, question.alpha):
            entry: dict[str, Any] = {"data": v.dataset, "method": v.method, "test": test, "outcome": v.outcome}
            pairs.append(entry | ({"reason": v.reason} if v.result is None else _result(v.result)))
    figures = MethodFigures(table, question)
    methods = [figures.line(method) for method in table.methods]
    return {
        "metric": table.metric,
        "baseline": question.baseline,
        "alpha": question.alpha,
        "verdicts": pairs,
        "methods": methods,
        "notes": [*figures.notes(), *not_made(table, question)],
        "flips": [{"data": f.dataset, "method": f.method, "outcomes": f.outcomes} for f in _flips(table, question)],
    }


def _flips(table: ScoreTable, question: Question) -> Sequence[Any]:
    return flips(table, question.baseline, PER_DATASET, question.alpha) if question_folds(table) else ()


def _result(result: PairedResult) -> dict[str, Any]:
    return {
        "statistic": result.statistic,
        "p": result.p,
        "pairs": result.pairs,
        "difference": result.difference,
        "note": result.note,
    }
