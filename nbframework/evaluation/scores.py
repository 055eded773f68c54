"""Scores of methods on data sets, fold by fold: what reports print and the statistics desk compares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.evaluation.metrics import METRICS, binomial_sd, sd_of_mean

FloatArray = NDArray[np.float64]
Cell = tuple[str, str]
"""Data set and method."""
SHARES = ("accuracy", "error", "bias", "variance")
"""What is a share of rows."""
TIED = 1e-12
"""Scores that differ by no more are tied: the last bits of a mean depend on the order of its folds."""


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One metric of several methods on several data sets.

    Parameters
    ----------
    metric
        Name of the metric.
    datasets, methods
        In the order of the tables.
    scores
        (f,) score of each fold by data set and method, NaN where it is undefined; the folds of a data set are the
        same for every method. A cell without a complete result is absent.
    higher_is_better
        Whether the larger of two scores is the better one.
    test_rows
        Test rows of each fold by data set, where they are known.
    test_ratio
        Test rows / training rows by data set and method, where they are known.
    """

    metric: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    scores: Mapping[Cell, FloatArray]
    higher_is_better: bool = True
    test_rows: Mapping[str, FloatArray] = field(default_factory=dict)
    test_ratio: Mapping[Cell, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Heading for tables."""
        return METRICS[self.metric].title if self.metric in METRICS else self.metric

    @property
    def is_share(self) -> bool:
        """Whether scores are shares of rows, which are printed in percent."""
        return self.metric in SHARES

    @property
    def has_errors(self) -> bool:
        """Whether scores tell the share of rows that is predicted wrong."""
        return self.metric in ("accuracy", "error")

    def mean(self, dataset: str, method: str) -> float | None:
        """Return the mean over the folds, None where a fold is undefined or the result is not complete."""
        scores = self.scores.get((dataset, method))
        if scores is None or not len(scores) or np.isnan(scores).any():
            return None
        return float(np.mean(scores))

    def error(self, dataset: str, method: str) -> float | None:
        """Return the mean error, None where there is no mean or scores tell no error."""
        mean = self.mean(dataset, method) if self.has_errors else None
        return None if mean is None else 1.0 - mean if self.metric == "accuracy" else mean

    def sd(self, dataset: str, method: str) -> float | None:
        """Return the standard deviation of the mean: over the folds, or of a proportion for a single test set."""
        scores = self.scores.get((dataset, method))
        if scores is None or not len(scores) or np.isnan(scores).any():
            return None
        rows = self.test_rows.get(dataset)
        if len(scores) == 1:
            return binomial_sd(float(scores[0]), int(rows[0])) if self.is_share and rows is not None else None
        return sd_of_mean(scores.tolist())

    def means(self, datasets: Sequence[str] | None = None) -> FloatArray:
        """Return (d, m) means, NaN where there is none."""
        names = self.datasets if datasets is None else datasets
        means = [[self.mean(dataset, method) for method in self.methods] for dataset in names]
        return np.array(means, dtype=np.float64).reshape(len(names), len(self.methods))

    def over(self, datasets: Sequence[str]) -> "ScoreTable":
        """Return the table of some of its data sets."""
        return replace(self, datasets=tuple(datasets))

    def complete(self) -> tuple[str, ...]:
        """Return the data sets on which every method has a finite mean."""
        finite = np.isfinite(self.means())
        return tuple(name for name, row in zip(self.datasets, finite, strict=True) if row.all())


def method_name(label: str, share: float) -> str:
    """Return a recipe's label, with the share of the training rows on a learning curve."""
    return label if share == 1.0 else f"{label} ({100 * share:g} %)"


def best_of(scores: Sequence[float | None], higher_is_better: bool) -> tuple[bool, ...]:
    """Return which of several scores are the best one or tied with it.

    None and NaN are no scores; none is the best where there are fewer than two.
    """
    known = [score for score in scores if score is not None and not np.isnan(score)]
    if len(known) < 2:
        return (False,) * len(scores)
    best = max(known) if higher_is_better else min(known)
    return tuple(score is not None and (score == best or abs(score - best) <= TIED) for score in scores)
