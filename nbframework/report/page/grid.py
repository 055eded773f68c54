"""The scores of one metric as a page shows them: cells with their marks, and what both t tests say of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbframework.evaluation.desk import Verdict, verdicts, win_tie_loss
from nbframework.evaluation.scores import ScoreTable, best_of
from nbframework.report.comparison import Question
from nbframework.report.tables import score_title, shown, shown_p

T_TESTS = ("corrected-t", "paired-t")
_TEST_NAMES = {"corrected-t": "corrected t", "paired-t": "plain t"}
_OUTCOMES = {1: "better", 0: "no difference", -1: "worse"}


@dataclass(frozen=True)
class GridCell:
    """One recipe on one data set.

    Parameters
    ----------
    text, spread
        The mean and its standard deviation as shown; ``spread`` is empty where there is none.
    value
        The mean for sorting, None where there is none.
    outcome
        1, 0 or -1 by the test that marks; None for the baseline and where it cannot be made.
    best
        Whether there are others in the row, and none is better.
    flips
        Whether the two t tests do not agree.
    lines
        What hovering and focus show.
    """

    text: str
    spread: str
    value: float | None
    outcome: int | None
    best: bool
    flips: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ScoreGrid:
    """All cells of one metric.

    Parameters
    ----------
    metric, title, methods
        Name and heading of the metric; the columns.
    baseline, test
        What the marks compare with, and by which test; the test is empty where none can be made.
    rows
        Data sets with their cells.
    means
        Mean of each column as shown.
    counts
        Wins, ties and losses of each column as shown, empty for the baseline.
    """

    metric: str
    title: str
    methods: tuple[str, ...]
    baseline: str
    test: str
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]
    means: tuple[str, ...]
    counts: tuple[str, ...]


def marking_test(question: Question) -> str:
    """Return the t test whose verdicts mark the cells: the first one that was asked for, else the corrected one."""
    return next((test for test in question.tests if test in T_TESTS), T_TESTS[0])


def score_grid(table: ScoreTable, question: Question) -> ScoreGrid:
    """Return the grid of a metric."""
    found = {test: verdicts(table, question.baseline, test, question.alpha) for test in T_TESTS}
    marks = found[marking_test(question)]
    tested = any(verdict.result is not None for verdict in marks)
    by_cell = {test: {(v.dataset, v.method): v for v in several} for test, several in found.items()}
    means = table.means()
    rows = []
    for place, dataset in enumerate(table.datasets):
        best = best_of(means[place].tolist(), table.higher_is_better)
        methods = zip(table.methods, best, strict=True)
        cells = [_cell(table, question, dataset, method, is_best, by_cell) for method, is_best in methods]
        rows.append((dataset, tuple(cells)))
    return ScoreGrid(
        table.metric,
        score_title(table),
        table.methods,
        question.baseline,
        _TEST_NAMES[marking_test(question)] if tested else "",
        tuple(rows),
        tuple(shown(float(np.mean(column)), table.is_share) for column in means.T),
        tuple(_count(marks, method, question.baseline) for method in table.methods) if tested else (),
    )


def _count(marks: Sequence[Verdict], method: str, baseline: str) -> str:
    if method == baseline:
        return ""
    counts = win_tie_loss(marks, method)
    return "/".join(map(str, counts)) if any(counts) else "-"


def _cell(
    table: ScoreTable,
    question: Question,
    dataset: str,
    method: str,
    is_best: bool,
    by_cell: dict[str, dict[tuple[str, str], Verdict]],
) -> GridCell:
    mean, sd = table.mean(dataset, method), table.sd(dataset, method)
    text, spread = shown(mean, table.is_share), "" if sd is None else shown(sd, table.is_share)
    head = f"{method} on {dataset}: {text}" + (f" ± {spread}" if spread else "")
    mine = [by_cell[test].get((dataset, method)) for test in T_TESTS]
    outcomes = [v.outcome for v in mine if v is not None and v.result is not None]
    mark = by_cell[marking_test(question)].get((dataset, method))
    return GridCell(
        text,
        spread,
        mean,
        mark.outcome if mark is not None and mark.result is not None else None,
        is_best,
        len(set(outcomes)) > 1,
        (head, *_lines(table, question, method, mine)),
    )


def _lines(table: ScoreTable, question: Question, method: str, mine: Sequence[Verdict | None]) -> list[str]:
    if method == question.baseline:
        return ["the baseline of the comparison"] if len(table.methods) > 1 else []
    lines = []
    first = next((v.result for v in mine if v is not None and v.result is not None), None)
    if first is not None:
        difference = f"{100 * first.difference:+.2f} points" if table.is_share else f"{first.difference:+.4f}"
        lines.append(f"{difference} against {question.baseline}, {first.pairs} folds")
    for verdict in mine:
        if verdict is None:
            continue
        name = _TEST_NAMES[verdict.test]
        if verdict.result is None:
            lines.append(f"{name}: not tested, {verdict.reason}")
            continue
        r = verdict.result
        note = f", {r.note}" if r.note else ""
        lines.append(f"{name}: {_OUTCOMES[verdict.outcome]} (t {r.statistic:.3f}, p {shown_p(r.p)}{note})")
    return lines
