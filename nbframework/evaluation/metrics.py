"""How good predictions are: scores of predicted classes and of posteriors, over weighted rows.

Every function takes the same arrays. ``truth`` and ``predicted`` are (n,) class codes counted from 0;
``log_posterior`` is (n, C), natural logarithms of the posterior with -inf for an exact zero; ``weights`` is (n,)
row weights, finite and at least 0, None for 1 everywhere. A row of weight 0 is absent and one of weight 2 counts as
the row given twice. Rows of unknown class are to be left out before. An undefined score is None, never NaN, and so
is every score of no rows. Arrays that do not fit together raise EvaluationError.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from nbframework.errors import EvaluationError
from nbframework.evaluation.auc import FloatArray, auc, class_areas, present_rows

_Score = Callable[[Any, Any, Any], float | None]


class Scorer(Protocol):
    """A score of one set of predictions; the arrays are those of this module."""

    def __call__(self, truth: Any, log_posterior: Any, predicted: Any, weights: Any = None, /) -> float | None:
        """Return the score, or None where it is undefined."""


@dataclass(frozen=True)
class Metric:
    """A score with its names.

    Parameters
    ----------
    name
        Key in `METRICS` and in results.
    title
        Heading for tables, with the unit where there is one.
    function
        Takes truth, log posterior, predicted classes and weights, by position.
    higher_is_better
        Whether the larger of two scores is the better one.
    """

    name: str
    title: str
    function: Scorer
    higher_is_better: bool


@dataclass(frozen=True)
class ClassScores:
    """One row of `per_class_table`; each score 0 to 1, None where it is 0/0.

    Parameters
    ----------
    code
        The class.
    precision, recall, f1
        Share of right rows among those predicted, among those true, and their harmonic mean.
    auc
        Area under the ROC curve of this class against the rest.
    support
        Weight of the rows of this class.
    """

    code: int
    precision: float | None
    recall: float | None
    f1: float | None
    auc: float | None
    support: float


def confusion_matrix(truth: Any, predicted: Any, class_count: int, weights: Any = None) -> FloatArray:
    """Return the (C, C) weight of the rows of each true class (row) predicted as each class (column).

    Raises EvaluationError where a code is ``class_count`` or more.
    """
    codes, guesses, weight = present_rows(truth, predicted, weights, 1)
    if codes.size and max(codes.max(), guesses.max()) >= class_count:
        code = max(codes.max(), guesses.max())
        raise EvaluationError(f"class code {code} is outside the {class_count} classes, 0 to {class_count - 1}")
    cells = np.bincount(codes * class_count + guesses, weights=weight, minlength=class_count**2)
    return cells.astype(np.float64).reshape(class_count, class_count)


def accuracy(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the share of the weight that is predicted right, 0 to 1."""
    codes, guesses, weight = present_rows(truth, predicted, weights, 1)
    return float(weight[codes == guesses].sum() / weight.sum()) if codes.size else None


def error(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the share of the weight that is predicted wrong, 0 to 1."""
    codes, guesses, weight = present_rows(truth, predicted, weights, 1)
    return float(weight[codes != guesses].sum() / weight.sum()) if codes.size else None


def cohens_kappa(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return Cohen's kappa, at most 1, 0 for agreement by chance.

    None where all rows are of one class and predicted as that class, so that chance agreement is 1 (Weka gives 1).
    Source: Cohen, Educational and Psychological Measurement 20 (1960) 37-46.
    """
    cells = _cells(truth, predicted, weights)
    chance = _apart(np.outer(cells.sum(axis=1), cells.sum(axis=0)))
    return float(1.0 - cells.sum() * _apart(cells) / chance) if chance > 0 else None


def balanced_accuracy(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the mean recall of the classes that occur, 0 to 1.

    Source: Brodersen et al., ICPR 2010, pp. 3121-3124.
    """
    cells = _cells(truth, predicted, weights)
    support = cells.sum(axis=1)
    occurs = support > 0
    return float(np.mean(np.diag(cells)[occurs] / support[occurs])) if occurs.any() else None


def f1_macro(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the plain mean of F1 over the classes that occur, 0 to 1.

    F1 = 2 tp / (2 tp + fp + fn), which is 0 for a class that occurs and is never predicted. Classes that are only
    predicted are left out, as in Weka's unweighted macro F-measure (scikit-learn counts them as 0).
    """
    scores, support = _f1(_cells(truth, predicted, weights))
    occurs = support > 0
    return float(np.mean(scores[occurs])) if occurs.any() else None


def f1_weighted(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the mean of F1 over the classes, weighted by the rows of each class, 0 to 1.

    Weka's weighted F-measure, with 0 for a class that occurs and is never predicted.
    """
    scores, support = _f1(_cells(truth, predicted, weights))
    occurs = support > 0
    return float(np.dot(scores[occurs], support[occurs]) / support.sum()) if occurs.any() else None


def mcc(truth: Any, predicted: Any, weights: Any = None) -> float | None:
    """Return the Matthews correlation of any number of classes, -1 to 1.

    None where all rows are of one class or all are predicted as one class (scikit-learn gives 0).
    Source: Gorodkin, Computational Biology and Chemistry 28 (2004) 367-374.
    """
    cells = _cells(truth, predicted, weights)
    guessed, support = cells.sum(axis=0), cells.sum(axis=1)
    covariance = _apart(np.outer(support, guessed)) - cells.sum() * _apart(cells)
    variances = _apart(np.outer(support, support)) * _apart(np.outer(guessed, guessed))
    return float(covariance / math.sqrt(variances)) if variances > 0 else None


def log_loss(truth: Any, log_posterior: Any, weights: Any = None) -> float | None:
    """Return the mean of -ln P(true class) in nats, at least 0; infinite where that is an exact zero, never clipped.

    Source: Good, Journal of the Royal Statistical Society B 14 (1952) 107-114.
    """
    codes, scores, weight = present_rows(truth, log_posterior, weights, 2)
    if not codes.size:
        return None
    mean = np.dot(weight, scores[np.arange(len(codes)), codes]) / weight.sum()
    return float(0.0 - mean)


def brier(truth: Any, log_posterior: Any, weights: Any = None) -> float | None:
    """Return the mean over rows of the squared differences of posterior and truth, summed over classes, 0 to 2.

    Source: Brier, Monthly Weather Review 78 (1950) 1-3.
    """
    codes, scores, weight = present_rows(truth, log_posterior, weights, 2)
    if not codes.size:
        return None
    difference = np.exp(scores)
    difference[np.arange(len(codes)), codes] -= 1.0
    return float(np.dot(weight, np.square(difference).sum(axis=1)) / weight.sum())


def rmse(truth: Any, log_posterior: Any, weights: Any = None) -> float | None:
    """Return the root mean squared error of the posterior over rows and all C declared classes, as Weka, 0 to 1."""
    squares = brier(truth, log_posterior, weights)
    return None if squares is None else math.sqrt(squares / np.shape(log_posterior)[1])


def per_class_table(truth: Any, log_posterior: Any, predicted: Any, weights: Any = None) -> tuple[ClassScores, ...]:
    """Return the scores of each of the C classes, in the order of their codes."""
    cells = confusion_matrix(truth, predicted, np.shape(log_posterior)[1], weights)
    right, guessed, support = np.diag(cells), cells.sum(axis=0), cells.sum(axis=1)
    return tuple(
        ClassScores(
            code,
            _ratio(right[code], guessed[code]),
            _ratio(right[code], support[code]),
            _ratio(2 * right[code], guessed[code] + support[code]),
            area,
            float(support[code]),
        )
        for code, area in enumerate(class_areas(truth, log_posterior, weights))
    )


def sd_of_mean(values: Sequence[float]) -> float | None:
    """Return the standard deviation of the mean of k fold scores: their sample deviation (k - 1) over sqrt(k).

    None for fewer than 2 scores or where one is not finite. Source: the +- of Table 2 in Kohavi, Becker and
    Sommerfield, "Improving simple Bayes", ECML 1997; see `binomial_sd` for a single split.
    """
    scores = np.asarray(values, dtype=np.float64)
    if scores.size < 2 or not np.isfinite(scores).all():
        return None
    return float(scores.std(ddof=1) / math.sqrt(scores.size))


def binomial_sd(error: float, rows: int) -> float:
    """Return the standard deviation sqrt(e (1 - e) / n) of an error on one test set, in the unit of ``error``.

    ``error`` is 0 to 1 and ``rows`` at least 1, else EvaluationError. Source: as `sd_of_mean`.
    """
    if not 0.0 <= error <= 1.0 or rows < 1:
        raise EvaluationError(f"error {error} on {rows} rows, expected an error of 0 to 1 on at least 1 row")
    return math.sqrt(error * (1.0 - error) / rows)


def score(truth: Any, log_posterior: Any, predicted: Any, weights: Any = None) -> dict[str, float | None]:
    """Return every metric of `METRICS` by name, None where it is undefined."""
    return {name: metric.function(truth, log_posterior, predicted, weights) for name, metric in METRICS.items()}


def _cells(truth: Any, predicted: Any, weights: Any) -> FloatArray:
    class_count = 1 + int(max(np.max(truth, initial=0), np.max(predicted, initial=0)))
    return confusion_matrix(truth, predicted, class_count, weights)


def _apart(cells: FloatArray) -> float:
    """Sum off the diagonal, never by subtraction: rounding must not turn an exact zero into a small number."""
    return float(cells[~np.eye(len(cells), dtype=np.bool_)].sum())


def _f1(cells: FloatArray) -> tuple[FloatArray, FloatArray]:
    """F1 and the weight of the rows of each class, F1 being 0 where it is 0/0."""
    support = cells.sum(axis=1)
    either = cells.sum(axis=0) + support
    return 2 * np.diag(cells) / np.where(either > 0, either, 1.0), support


def _ratio(part: float, whole: float) -> float | None:
    return float(part / whole) if whole > 0 else None


def _of_classes(score: _Score, truth: Any, _: Any, predicted: Any, weights: Any = None, /) -> float | None:
    return score(truth, predicted, weights)


def _of_posterior(score: _Score, truth: Any, log_posterior: Any, _: Any, weights: Any = None, /) -> float | None:
    return score(truth, log_posterior, weights)


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "accuracy", partial(_of_classes, accuracy), True),
        Metric("error", "error", partial(_of_classes, error), False),
        Metric("cohens_kappa", "Cohen's kappa", partial(_of_classes, cohens_kappa), True),
        Metric("balanced_accuracy", "balanced accuracy", partial(_of_classes, balanced_accuracy), True),
        Metric("f1_macro", "F1 (macro)", partial(_of_classes, f1_macro), True),
        Metric("f1_weighted", "F1 (weighted)", partial(_of_classes, f1_weighted), True),
        Metric("mcc", "Matthews correlation", partial(_of_classes, mcc), True),
        Metric("log_loss", "log loss (nats)", partial(_of_posterior, log_loss), False),
        Metric("brier", "Brier score", partial(_of_posterior, brier), False),
        Metric("rmse", "root mean squared error", partial(_of_posterior, rmse), False),
        Metric("auc", "area under ROC", partial(_of_posterior, auc), True),
    )
}
