"""Score tables for people: means with their deviations, the best of each row marked."""

import re
from collections.abc import Sequence

import numpy as np

from nbframework.evaluation.scores import FloatArray, ScoreTable, best_of
from nbframework.report.formats import Table


def score_table(scores: ScoreTable, spread: bool = True) -> Table:
    """Return data sets by methods.

    Parameters
    ----------
    scores
        The metric to show.
    spread
        Whether to show the standard deviation of each mean.
    """
    means = scores.means()
    rows = []
    for index, dataset in enumerate(scores.datasets):
        best = best_of(means[index].tolist(), scores.higher_is_better)
        cells = [_cell(scores, dataset, method, spread) for method in scores.methods]
        rows.append((dataset, *_marked(cells, best)))
    notes = []
    if len(scores.datasets) > 1:
        columns = [shown(mean, scores.is_share) for mean in _column_means(means)]
        rows.append(("mean", *_marked(columns, [False] * len(columns))))
        if np.isnan(means).any():
            notes.append("- has no complete result, or is undefined in a fold; its column has no mean.")
    if spread and any(scores.sd(d, m) is not None for d in scores.datasets for m in scores.methods):
        notes.append("± is the standard deviation of the mean.")
    if len(scores.methods) > 1:
        notes.append("* is the best of its row.")
    unit = " (%)" if scores.is_share else ""
    return Table("", (f"{scores.title}{unit}", *scores.methods), tuple(rows), tuple(notes))


def score_numbers(*several: ScoreTable) -> Table:
    """Return data sets by methods for a spreadsheet: each mean and its standard deviation in a column of its own.

    Shares are in percent, as in `score_table`; a cell is empty where there is no score. Several scores stand below each
    other, and their names in a first column.
    """
    columns = [name for method in several[0].methods for name in (method, f"{method} sd")]
    if len(several) == 1:
        return Table("", (score_title(several[0]), *columns), tuple(_number_rows(several[0])))
    rows = [(score_title(scores), *row) for scores in several for row in _number_rows(scores)]
    return Table("", ("score", "data set", *columns), tuple(rows))


def _number_rows(scores: ScoreTable) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for dataset in scores.datasets:
        pairs = [(scores.mean(dataset, method), scores.sd(dataset, method)) for method in scores.methods]
        rows.append((dataset, *(number_cell(number, scores.is_share) for pair in pairs for number in pair)))
    return rows


def number_cell(number: float | None, is_share: bool = False) -> str:
    """Return a number with all its digits, in percent where it is a share; empty where there is none."""
    if number is None or np.isnan(number):
        return ""
    return repr(100 * number if is_share else float(number))


def score_title(scores: ScoreTable) -> str:
    """Return the name of a score with its unit."""
    return f"{scores.title} (%)" if scores.is_share else scores.title


def file_name(text: str) -> str:
    """Return a text as the name of a file: lower-case letters, digits, hyphens and dots.

    >>> file_name("f1_macro by neighbourhood.k")
    'f1-macro-by-neighbourhood.k'
    """
    return re.sub(r"[^a-z0-9.-]+", "-", text.lower().replace("_", "-")).strip("-.")


def shown(value: float | None, is_share: bool) -> str:
    """Return a score as tables show it, in percent where it is a share."""
    if value is None or np.isnan(value):
        return "-"
    return f"{100 * value:.2f}" if is_share else f"{value:.4f}"


def shown_p(p: float) -> str:
    """Return a probability with four digits, a small one as a bound."""
    if np.isnan(p):
        return ""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _cell(scores: ScoreTable, dataset: str, method: str, spread: bool) -> str:
    mean, sd = scores.mean(dataset, method), scores.sd(dataset, method)
    text = shown(mean, scores.is_share)
    if spread and sd is not None:
        text += f" ± {shown(sd, scores.is_share)}"
    return text


def _marked(cells: Sequence[str], best: Sequence[bool]) -> list[str]:
    """Return the cells of a row with a place for the star, where there are several."""
    if len(cells) == 1:
        return list(cells)
    return [cell + (" *" if is_best else "  ") for cell, is_best in zip(cells, best, strict=True)]


def _column_means(means: FloatArray) -> list[float]:
    return [float(np.mean(column)) for column in means.T]
