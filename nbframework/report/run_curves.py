"""The curves that a run's content supports: a score by a number in which recipes differ, or by the training rows."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nbframework.evaluation.scores import ScoreTable
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.curves import Curves
from nbframework.report.tables import file_name, score_title
from nbframework.report.varying import Family, difference, families
from nbframework.study.results import RunResults
from nbframework.study.stored import resolved_recipes


def curve_charts(results: RunResults, table: ScoreTable) -> Iterator[Chart]:
    """Yield a curve for each number in which recipes differ, and for the share of the training rows."""
    by_path: dict[str, list[Family]] = {}
    for family in families(_plain_recipes(results)):
        by_path.setdefault(family.path, []).append(family)
    for path, several in by_path.items():
        title = f"{table.title} by {path}"
        look: dict[str, Any] = {"x_title": path, "y_title": score_title(table), "in_percent": table.is_share}
        look |= {"name": file_name(f"{table.metric}-by-{path}")}
        if len(several) == 1:
            lines = tuple((name, _line(table, [name], several[0])) for name in table.datasets)
            yield Curves(title=f"{title}, {_base(several[0])}", values=several[0].values, lines=lines, **look)
            continue
        values = tuple(sorted({value for family in several for value in family.values}))
        means = [(difference(family, several), _line(table, table.complete(), family)) for family in several]
        lines = tuple(
            (name, _stretched(line, f.values, values)) for (name, line), f in zip(means, several, strict=True)
        )
        sets = f"mean over {len(table.complete())} data sets"
        yield Curves(title=f"{title}, {sets}", values=values, lines=lines, with_mean=False, **look)
    yield from _learning_curve(results, table)


def _plain_recipes(results: RunResults) -> dict[str, dict[str, Any]]:
    """Return the recipes whose labels are methods of the tables, which those of a learning curve are not."""
    full = {cell.recipe for cell in results.cells if cell.share == 1.0}
    return {label: recipe for label, recipe in resolved_recipes(results).items() if label in full}


def _base(family: Family) -> str:
    return f"{family.members[0][1]} to {family.members[-1][1]}"


def _line(table: ScoreTable, names: Sequence[str], family: Family) -> tuple[float | None, ...]:
    """Return the mean over some data sets for each member, None where one of them has none."""
    means = [[table.mean(name, label) for name in names] for _, label in family.members]
    return tuple(_mean(row) for row in means)


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None and np.isfinite(score)]
    return float(np.mean(known)) if known and len(known) == len(scores) else None


def _stretched(line: Sequence[float | None], own: Sequence[float], values: Sequence[float]) -> tuple[float | None, ...]:
    known = dict(zip(own, line, strict=True))
    return tuple(known.get(value) for value in values)


def _learning_curve(results: RunResults, table: ScoreTable) -> Iterator[Chart]:
    shares = sorted({cell.share for cell in results.cells})
    if len(shares) < 2:
        return
    names = table.complete()
    label = {(cell.recipe, cell.share): cell.method for cell in results.cells}
    lines = []
    for recipe in dict.fromkeys(cell.recipe for cell in results.cells):
        scores = [_mean([table.mean(name, label[recipe, share]) for name in names]) for share in shares]
        lines.append((recipe, tuple(scores)))
    yield Curves(
        name=file_name(f"{table.metric}-by-training-share"),
        title=f"Learning curves, mean over {len(names)} data sets",
        x_title="training rows used (%)",
        y_title=score_title(table),
        values=tuple(100 * share for share in shares),
        lines=tuple(lines),
        in_percent=table.is_share,
        with_mean=False,
    )
