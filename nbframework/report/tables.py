"""Score tables for people: means with their deviations, the best of each row marked."""

import numpy as np

from nbframework.evaluation.scores import FloatArray, ScoreTable
from nbframework.report.formats import Table
from nbframework.study.decomposition import METRICS as PARTS


def in_percent(scores: ScoreTable) -> bool:
    """Whether scores are shares of rows, as an error and its parts are."""
    return scores.is_share or scores.metric in PARTS


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
        best = _best(means[index], scores.higher_is_better)
        rows.append((dataset, *[_cell(scores, dataset, method, best, spread) for method in scores.methods]))
    notes = []
    if len(scores.datasets) > 1:
        rows.append(("mean", *[shown(mean, in_percent(scores)) for mean in _column_means(means)]))
        if np.isnan(means).any():
            notes.append("- has no complete result, or is undefined in a fold; its column has no mean.")
    if spread and any(scores.sd(d, m) is not None for d in scores.datasets for m in scores.methods):
        notes.append("± is the standard deviation of the mean.")
    if len(scores.methods) > 1:
        notes.append("* is the best of its row.")
    unit = " (%)" if in_percent(scores) else ""
    return Table("", (f"{scores.title}{unit}", *scores.methods), tuple(rows), tuple(notes))


def shown(value: float | None, is_share: bool) -> str:
    """Return a score as tables show it, in percent where it is a share."""
    if value is None or np.isnan(value):
        return "-"
    return f"{100 * value:.2f}" if is_share else f"{value:.4f}"


def _cell(scores: ScoreTable, dataset: str, method: str, best: float | None, spread: bool) -> str:
    mean, sd = scores.mean(dataset, method), scores.sd(dataset, method)
    text = shown(mean, in_percent(scores))
    if spread and sd is not None:
        text += f" ± {shown(sd, in_percent(scores))}"
    if len(scores.methods) == 1:
        return text
    return text + (" *" if mean is not None and best is not None and mean == best else "  ")


def _best(means: FloatArray, higher: bool) -> float | None:
    known = [float(mean) for mean in means if not np.isnan(mean)]
    return (max if higher else min)(known) if known else None


def _column_means(means: FloatArray) -> list[float]:
    return [float(np.mean(column)) for column in means.T]
