"""The page of a run: one HTML file with its tables, verdicts, findings, figures and provenance."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from nbframework.report.comparison import Question, flip_table, question_folds
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.files import inline_svg
from nbframework.report.formats import Table, as_csv
from nbframework.report.over_data_sets import methods_table
from nbframework.report.page.grid import score_grid
from nbframework.report.page.rendering import SHARED, render
from nbframework.report.page.summary import summary
from nbframework.report.run_figures import run_charts
from nbframework.study.results import RunResults
from nbframework.study.stored import provenance

MOST_OF_A_KIND = 2
"""Figures of one kind on the page; ``--figures`` writes all."""
KINDS = {
    "ErrorDifferences": "Error differences",
    "BiasVarianceStacks": "Bias and variance",
    "Curves": "Curves",
    "CriticalDifferences": "Ranks",
    "ReliabilityDiagram": "Reliability",
    "TimeAgainstScore": "Time",
}


@dataclass(frozen=True)
class ShownFigure:
    """A figure on the page.

    Parameters
    ----------
    chart
        What it shows.
    svg
        The element, made by this package, so that it is not escaped again.
    numbers
        Its numbers with few digits.
    csv
        Its numbers with all digits, as an address that needs no network.
    """

    chart: Chart
    svg: Any
    numbers: Table
    csv: str


def run_page(results: RunResults, question: Question) -> str:
    """Return the page of a run, which needs no other file and no network.

    Parameters
    ----------
    results
        The run.
    question
        What is compared with what, and how; see `nbframework.report.comparison.run_question`.

    Raises
    ------
    DataError
        Where jinja2 or matplotlib is not installed.
    """
    metrics: list[str] = results.described["metrics"]
    tables = {name: results.table(name) for name in metrics}
    main = tables[question.metric or metrics[0]]
    compared = len(main.methods) > 1
    groups, left_out = figure_groups(run_charts(results, question))
    return render(
        SHARED,
        "run_page.html",
        results=results,
        title=results.described["title"] or results.study,
        described=results.described,
        question=question,
        summary=summary(main, question),
        grids=[score_grid(tables[name], question) for name in sorted(metrics, key=lambda name: name != main.metric)],
        methods=methods_table(main, question) if compared else None,
        flips=flip_table(main, question) if compared and question_folds(main) else None,
        findings=results.described["findings"],
        incomplete=results.incomplete,
        notes=list(results.notes()),
        groups=groups,
        left_out=left_out,
        provenance=_provenance(results),
    )


def _provenance(results: RunResults) -> dict[str, Any]:
    found = provenance(results)
    for recipe in found["recipes"]:
        recipe["text"] = json.dumps(recipe["resolved"], indent=2, ensure_ascii=False)
    return found


def figure_groups(charts: tuple[Chart, ...]) -> tuple[list[tuple[str, list[ShownFigure]]], int]:
    """Return the figures under the headings of their kinds, and how many are left out of the page."""
    by_kind: dict[str, list[Chart]] = {}
    for chart in charts:
        by_kind.setdefault(KINDS[type(chart).__name__], []).append(chart)
    groups = [(kind, [_shown(chart) for chart in some[:MOST_OF_A_KIND]]) for kind, some in by_kind.items()]
    return groups, sum(max(0, len(some) - MOST_OF_A_KIND) for some in by_kind.values())


def _shown(chart: Chart) -> ShownFigure:
    # drawn first: what is missing is told by the figure's own error
    svg = inline_svg(chart)
    from markupsafe import Markup

    numbers = chart.numbers()
    short = Table(numbers.title, numbers.header, tuple(tuple(map(_few_digits, row)) for row in numbers.rows))
    csv = "data:text/csv;charset=utf-8," + quote(as_csv(numbers) + "\n")
    return ShownFigure(chart, Markup(svg), short, csv)  # noqa: S704  # matplotlib escapes the names in it


def _few_digits(cell: str) -> str:
    """Return a number with at most five digits, any other text as it is."""
    try:
        return f"{float(cell):.5g}" if "." in cell else cell
    except ValueError:
        return cell
