"""The figures that a run's content supports."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from nbframework.errors import EvaluationError
from nbframework.evaluation.desk import average_ranks
from nbframework.evaluation.ranking import critical_difference, friedman
from nbframework.evaluation.reliability import reliability
from nbframework.evaluation.scores import FloatArray, ScoreTable
from nbframework.report.comparison import Question
from nbframework.report.figures import bias_variance, error_differences
from nbframework.report.figures import reliability as reliability_figure
from nbframework.report.figures.bias_variance import BiasVarianceStacks
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.critical_differences import CriticalDifferences
from nbframework.report.figures.error_differences import ErrorDifferences
from nbframework.report.figures.reliability import ReliabilityDiagram
from nbframework.report.figures.time_score import TimeAgainstScore
from nbframework.report.run_curves import curve_charts
from nbframework.report.tables import file_name, score_title
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.results import RunResults
from nbframework.study.stored import fold_seconds, stored_confidences

_Item = TypeVar("_Item")


def run_charts(results: RunResults, question: Question) -> tuple[Chart, ...]:
    """Return every figure for which a run has the numbers, named after what it shows.

    Parameters
    ----------
    results
        The run.
    question
        Metric, baseline and level of the comparison.
    """
    measured: list[str] = results.described["metrics"]
    main = question.metric or measured[0]
    table = results.table(main)
    errors = next((name for name in measured if name in ("error", "accuracy")), None)
    found: list[Chart] = []
    if errors is not None:
        found += difference_charts(table if errors == main else results.table(errors), question)
    if results.described.get("kind") == BIAS_VARIANCE and {"error", "bias", "variance"} <= set(measured):
        found += _stacks(*[results.table(name) for name in ("error", "bias", "variance")])
    found += curve_charts(results, table)
    # fewer methods or data sets than Friedman's test needs
    with contextlib.suppress(EvaluationError):
        found.append(ranks_chart(table, question.alpha))
    found += _reliability(results, table)
    found += _times(results, table)
    return tuple(found)


def difference_charts(table: ScoreTable, question: Question) -> Iterator[Chart]:
    """Yield the error differences of all methods, the best first, a few in each figure."""
    base = _errors(table, (question.baseline,))[:, 0]
    methods = [method for method in _best_first(table) if method != question.baseline]
    for number, some in enumerate(_some(methods, error_differences.MOST_METHODS), start=1):
        yield ErrorDifferences(
            name=_numbered("error-differences", number),
            title=f"Errors against {question.baseline}: {', '.join(some)}",
            datasets=table.datasets,
            methods=some,
            baseline=question.baseline,
            errors=_errors(table, some),
            baseline_errors=base,
        )


def ranks_chart(table: ScoreTable, alpha: float) -> CriticalDifferences:
    """Return the critical-difference diagram over the data sets on which every method has a result.

    Raises
    ------
    EvaluationError
        Where Friedman's test cannot be made.
    """
    names = table.complete()
    found = friedman(table.means(names), table.higher_is_better)
    return CriticalDifferences(
        name="critical-differences",
        title=f"Average ranks by {table.title}",
        methods=table.methods,
        ranks=tuple(float(rank) for rank in found.ranks),
        critical_difference=critical_difference(found, alpha),
        alpha=alpha,
        datasets=len(names),
    )


def _stacks(error: ScoreTable, bias: ScoreTable, variance: ScoreTable) -> Iterator[Chart]:
    for number, some in enumerate(_some(error.methods, bias_variance.MOST_METHODS), start=1):
        columns = [error.methods.index(method) for method in some]
        yield BiasVarianceStacks(
            name=_numbered("bias-variance", number),
            title=f"Bias and variance of the error: {', '.join(some)}",
            datasets=error.datasets,
            methods=some,
            error=error.means()[:, columns],
            bias=bias.means()[:, columns],
            variance=variance.means()[:, columns],
        )


def _reliability(results: RunResults, table: ScoreTable) -> Iterator[Chart]:
    """Yield reliability diagrams over all data sets, where predictions were stored."""
    found = []
    for method in _best_first(table):
        parts = [stored_confidences(results, cell) for cell in results.cells if cell.method == method and cell.complete]
        if not sum(len(confidence) for confidence, _ in parts):
            continue
        confidence = np.concatenate([confidence for confidence, _ in parts])
        right = np.concatenate([right for _, right in parts])
        found.append((method, reliability(confidence, right)))
    for number, some in enumerate(_some(found, reliability_figure.MOST_METHODS), start=1):
        title = f"Reliability: {', '.join(name for name, _ in some)}"
        yield ReliabilityDiagram(name=_numbered("reliability", number), title=title, methods=some)


def _times(results: RunResults, table: ScoreTable) -> Iterator[Chart]:
    names, seconds = table.complete(), fold_seconds(results)
    methods = [m for m in table.methods if names and all(seconds.get((name, m)) for name in names)]
    if len(methods) < 2:
        return
    means = table.means(names).mean(axis=0)
    yield TimeAgainstScore(
        name=file_name(f"time-{table.metric}"),
        title=f"Time against {table.title}",
        methods=tuple(methods),
        seconds=tuple(float(np.mean([seconds[name, method] for name in names])) for method in methods),
        scores=tuple(float(means[table.methods.index(method)]) for method in methods),
        y_title=score_title(table),
        higher_is_better=table.higher_is_better,
        in_percent=table.is_share,
        datasets=len(names),
    )


def _best_first(table: ScoreTable) -> list[str]:
    """Return the methods by average rank, or as they stand where no data set has all results."""
    ranks = average_ranks(table)
    if ranks is None:
        return list(table.methods)
    return sorted(table.methods, key=lambda method: ranks[table.methods.index(method)])


def _errors(table: ScoreTable, methods: Sequence[str]) -> FloatArray:
    found = [[table.error(dataset, method) for method in methods] for dataset in table.datasets]
    return np.array(found, dtype=np.float64).reshape(len(table.datasets), len(methods))


def _some(items: Sequence[_Item], most: int) -> Iterator[tuple[_Item, ...]]:
    """Yield the items in portions of at most so many."""
    for first in range(0, len(items), most):
        yield tuple(items[first : first + most])


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"
