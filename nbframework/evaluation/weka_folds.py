"""The folds of Weka's Experimenter, row for row: its shuffling and its stratification."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError
from nbframework.evaluation.folds import Split
from nbframework.statistics.java_random import JavaRandom

IntArray = NDArray[np.intp]


def weka_folds(classes: Any, class_count: int, folds: int, run: int) -> IntArray:
    """Return the fold in which Weka's Experimenter tests each row in one run of cross-validation.

    The rows are shuffled by exchanging each one, from the last to the second, with a random one not after it; then
    gathered class by class, which exchanges each row that does not belong with the next one that does; then every
    ``folds``-th row is taken, starting from the first, the second and so on, and the result is cut into folds.

    Parameters
    ----------
    classes
        (n,) class codes; rows with a code of ``class_count`` or more (unknown class) are one more class.
    class_count
        Number of declared classes.
    folds
        Number of folds, 2 to n.
    run
        The number of the run, which is the seed; the command line's ``-s``, too.

    Raises
    ------
    EvaluationError
        On fewer than 2 folds or more folds than rows.

    References
    ----------
    Witten, Frank & Hall (2011), Data Mining, 3rd edition, section 5.3 and chapter 13 (stratified cross-validation in
    Weka's Experimenter).
    """
    codes = np.minimum(np.asarray(classes, dtype=np.intp), class_count)
    rows = len(codes)
    if not 2 <= folds <= rows:
        raise EvaluationError(f"{folds} folds, expected at least 2 and at most the {rows} rows")
    order = _gathered(_shuffled(rows, run), codes)
    dealt = np.concatenate([order[start::folds] for start in range(folds)])
    size = np.full(folds, rows // folds)
    size[: rows % folds] += 1
    fold = np.empty(rows, dtype=np.intp)
    fold[dealt] = np.repeat(np.arange(folds), size)
    return fold


def weka_splits(classes: Any, class_count: int, folds: int = 10, repeats: int = 1, seed: int = 1) -> list[Split]:
    """Return the splits of Weka's runs ``seed``, ``seed`` + 1, ...; parameters and errors are those of `weka_folds`."""
    splits = []
    for repeat in range(repeats):
        assigned = weka_folds(classes, class_count, folds, seed + repeat)
        splits += [
            Split(np.flatnonzero(assigned != fold), np.flatnonzero(assigned == fold), repeat, fold)
            for fold in range(folds)
        ]
    return splits


def _shuffled(rows: int, seed: int) -> IntArray:
    order = list(range(rows))
    random = JavaRandom(seed)
    for last in range(rows - 1, 0, -1):
        other = random.next_below(last + 1)
        order[last], order[other] = order[other], order[last]
    return np.array(order, dtype=np.intp)


def _gathered(order: IntArray, codes: IntArray) -> IntArray:
    """Return the rows class by class, in the order that exchanging rows in place leaves them in."""
    rows, of_row = order.tolist(), codes[order].tolist()
    place = 1
    while place < len(rows):
        wanted = of_row[place - 1]
        for later in range(place, len(rows)):
            if of_row[later] == wanted:
                rows[place], rows[later] = rows[later], rows[place]
                of_row[place], of_row[later] = of_row[later], of_row[place]
                place += 1
        place += 1
    return np.array(rows, dtype=np.intp)
