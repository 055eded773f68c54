"""Area under the ROC curve by ranks, over weighted rows and any number of classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

IntArray = NDArray[np.intp]
FloatArray = NDArray[np.float64]


def auc(truth: Any, log_posterior: Any, weights: Any = None) -> float | None:
    """Return the area under the ROC curve of each class against the rest, averaged by class frequency.

    Parameters
    ----------
    truth
        (n,) true class codes, 0 to C - 1.
    log_posterior
        (n, C) natural logarithms of the posterior, -inf for an exact zero. Rows are ranked by them as they
        are, so posteriors too small for a float64 are still told apart.
    weights
        (n,) row weights, finite and at least 0; None is 1 for every row.

    Returns
    -------
    float or None
        0 to 1, 0.5 for a posterior that is the same for all rows. Classes with no row, or with every row, have no
        area and are left out; None where no class has one.

    Raises
    ------
    EvaluationError
        Where shapes, codes or weights are wrong, or a log posterior is NaN or +inf.

    Notes
    -----
    Equal to Weka's weighted area. Source: Fawcett, Pattern Recognition Letters 27 (2006), section 9.
    """
    codes, scores, weight = present_rows(truth, log_posterior, weights, 2)
    frequency = np.bincount(codes, weights=weight, minlength=scores.shape[1])
    areas = class_areas(codes, scores, weight)
    defined = [(area, frequency[code]) for code, area in enumerate(areas) if area is not None]
    if not defined:
        return None
    total = sum(share for _, share in defined)
    return float(sum(area * share for area, share in defined) / total)


def class_areas(truth: Any, log_posterior: Any, weights: Any = None) -> list[float | None]:
    """Return the area under the ROC curve of each of the C classes against all others.

    Parameters and errors are those of `auc`. A class with no row, or with every row, has None.
    """
    codes, scores, weight = present_rows(truth, log_posterior, weights, 2)
    return [_area(codes == code, scores[:, code], weight) for code in range(scores.shape[1])]


def present_rows(truth: Any, judged: Any, weights: Any, dimensions: int) -> tuple[IntArray, NDArray[Any], FloatArray]:
    """Check arrays that belong together and leave out the rows of weight 0, which count as absent.

    Parameters
    ----------
    truth
        (n,) true class codes.
    judged
        (n,) predicted class codes, or (n, C) log posteriors.
    weights
        (n,) row weights, finite and at least 0; None is 1 for every row.
    dimensions
        1 where ``judged`` holds class codes, 2 where it holds log posteriors.

    Returns
    -------
    (IntArray, NDArray, FloatArray)
        The three for the m rows of positive weight, codes as intp and the rest as float64.

    Raises
    ------
    EvaluationError
        Naming the first array, row or value that does not fit.
    """
    codes = np.asarray(truth, dtype=np.intp)
    array: NDArray[Any] = np.asarray(judged, dtype=np.intp if dimensions == 1 else np.float64)
    weight = np.ones(len(codes)) if weights is None else np.asarray(weights, dtype=np.float64)
    if codes.ndim != 1 or array.ndim != dimensions or array.shape[:1] != codes.shape or weight.shape != codes.shape:
        raise EvaluationError(
            f"classes of shape {codes.shape}, {'predictions' if dimensions == 1 else 'log posteriors'} of"
            f" {array.shape} and weights of {weight.shape} do not belong together"
        )
    if weights is not None:
        _refuse(~(np.isfinite(weight) & (weight >= 0)), weight, "weight", "a finite number of at least 0")
    if dimensions == 2:
        classes = array.shape[1]
        _refuse((codes < 0) | (codes >= classes), codes, "class code", f"0 to {classes - 1}")
        _refuse(np.any(~(array < np.inf), axis=1), array, "log posterior", "numbers or -inf")
    else:
        _refuse(codes < 0, codes, "class code", "at least 0")
        _refuse(array < 0, array, "predicted class code", "at least 0")
    if weights is None:
        return codes, array, weight
    present = weight > 0
    return codes[present], array[present], weight[present]


def _refuse(wrong: NDArray[np.bool_], found: NDArray[Any], what: str, expected: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise EvaluationError(f"row {row + 1} has {what} {found[row]}, expected {expected}")


def _area(positive: NDArray[np.bool_], score: FloatArray, weight: FloatArray) -> float | None:
    """Share of the weighted pairs of a positive and a negative row that the score orders right, ties one half.

    Source: Hanley and McNeil, Radiology 143 (1982) 29-36.
    """
    if positive.all() or not positive.any():
        return None
    order = np.argsort(score)
    score, positive, weight = score[order], positive[order], weight[order]
    tie = np.concatenate(([0], np.cumsum(score[1:] != score[:-1])))
    ups = np.bincount(tie, weights=weight * positive)
    downs = np.bincount(tie, weights=weight * ~positive)
    below = np.cumsum(downs) - downs
    pairs = ups.sum() * downs.sum()
    return float(np.dot(ups, below + downs / 2) / pairs) if pairs > 0 else None
