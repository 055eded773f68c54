"""How rows are divided into training and test rows: cross-validation, holdout, given ranges, leave-one-out."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

_RANGE = re.compile(r"\s*(\d{1,15})\s*-\s*(\d{1,15})\s*")
_SIZES = re.compile(r"\s*(\d{1,15})\s*\|\s*(\d{1,15})\s*")
_NOTE = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, eq=False)
class Split:
    """One division of a data set into the rows to learn from and the rows to be judged on.

    Parameters
    ----------
    train, test
        Disjoint row indexes, counted from 0 and ascending; both read-only.
    repeat
        Number of the repeat, counted from 0.
    fold
        Number of the fold within the repeat, counted from 0.
    """

    train: IntArray
    test: IntArray
    repeat: int
    fold: int

    def __post_init__(self) -> None:
        self.train.flags.writeable = False
        self.test.flags.writeable = False


def fold_generator(seed: int, dataset_key: str, repeat: int) -> np.random.Generator:
    """Return the generator that draws the folds of one repeat, the same for every recipe.

    Parameters
    ----------
    seed
        The seed of the study, any integer.
    dataset_key
        What tells the data set from others, such as its name; two keys give unrelated folds.
    repeat
        Number of the repeat, counted from 0.

    Notes
    -----
    The three are hashed by SHA-256, so the stream does not depend on the process, its hash seed or the machine.
    """
    # The key comes last because it alone may hold any character: no two triples give the same text.
    digest = hashlib.sha256(f"{int(seed)} {int(repeat)} {dataset_key}".encode()).digest()
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(int.from_bytes(digest, "big"))))


def stratified_folds(classes: Any, class_count: int, folds: int, generator: np.random.Generator) -> IntArray:
    """Deal the rows into folds so that every class is spread evenly.

    The shuffled rows of each class are dealt one by one, each class going on where the one before it stopped:
    fold sizes differ by at most 1, and so do the rows of any class in two folds.

    Parameters
    ----------
    classes
        (n,) class codes; rows with a code of ``class_count`` or more (unknown class) are dealt last, as one class.
    class_count
        Number of declared classes.
    folds
        Number of folds, 2 to n; n is leave-one-out.
    generator
        Source of the shuffling; its state alone decides between equal codes.

    Returns
    -------
    IntArray
        (n,) fold of each row, 0 to ``folds`` - 1; the first folds are the larger ones.

    Raises
    ------
    EvaluationError
        On fewer than 2 folds or more folds than rows.

    Notes
    -----
    Source of stratified cross-validation: Kohavi, IJCAI 1995, pp. 1137-1143.
    """
    rows = len(classes)
    _check_folds(folds, rows)
    assigned = np.empty(rows, dtype=np.intp)
    assigned[_shuffled_by_class(classes, class_count, generator)] = np.arange(rows) % folds
    return assigned


def rare_classes(classes: Any, class_count: int, folds: int) -> list[tuple[int, int]]:
    """Return the classes that cannot be in every fold.

    Parameters
    ----------
    classes
        (n,) class codes; codes of ``class_count`` or more are left out.
    class_count
        Number of declared classes.
    folds
        Number of folds.

    Returns
    -------
    list of (int, int)
        Code and number of rows of each class that has rows, but fewer than there are folds.
    """
    codes = np.asarray(classes, dtype=np.intp)
    members = np.bincount(codes[codes < class_count], minlength=class_count)
    return [(code, int(count)) for code, count in enumerate(members) if 0 < count < folds]


def holdout_folds(classes: Any, class_count: int, test_share: float, generator: np.random.Generator) -> BoolArray:
    """Draw a stratified test set.

    Exactly round(``test_share`` * n) rows are drawn, the share of each class missing its exact share by less
    than one row; every row has the same chance, so a class of one row is now on this side, now on that.

    Parameters
    ----------
    classes
        (n,) class codes; rows with a code of ``class_count`` or more (unknown class) count as one more class.
    class_count
        Number of declared classes.
    test_share
        Share of the rows to test on, strictly between 0 and 1.
    generator
        Source of the shuffling.

    Returns
    -------
    BoolArray
        (n,) whether each row is a test row.

    Raises
    ------
    EvaluationError
        On a share that is out of range or leaves no row to train or to test on.
    """
    rows = len(classes)
    if not 0.0 < test_share < 1.0:
        raise EvaluationError(f"the test share is {test_share}, expected a number between 0 and 1, both excluded")
    test_rows = round(test_share * rows)
    if not 0 < test_rows < rows:
        raise EvaluationError(
            f"a test share of {test_share} of {rows} rows gives {test_rows} test and {rows - test_rows} training rows,"
            " expected at least one of each"
        )
    order = _shuffled_by_class(classes, class_count, generator)
    # A fixed offset would put the only row of the last class on the same side each time.
    steps = (np.arange(rows + 1, dtype=np.int64) * test_rows + int(generator.integers(rows))) // rows
    test = np.empty(rows, dtype=np.bool_)
    test[order] = np.diff(steps) > 0
    return test


def row_range_split(rows: int, train: str, test: str | None = None) -> tuple[IntArray, IntArray]:
    """Read which rows train and which test from ranges such as ``1-2000`` and ``2001-3186``.

    Parameters
    ----------
    rows
        Number of rows n of the data set.
    train, test
        First and last row, counted from 1 and both included. Where ``test`` is None, ``train`` holds both,
        separated by a bar (``1-2000 | 2001-3186``). A remark in parentheses at the end is passed over.

    Returns
    -------
    (IntArray, IntArray)
        Training and test row indexes, counted from 0. Rows in neither range are in neither array.

    Raises
    ------
    EvaluationError
        Where the text has another form, or a range is empty, reaches outside the data set or overlaps the other.
    """
    if test is None:
        train, test = _both_sides(_NOTE.sub("", train))
    train_first, train_last = _row_range(rows, _NOTE.sub("", train), "training")
    test_first, test_last = _row_range(rows, _NOTE.sub("", test), "test")
    first, last = max(train_first, test_first), min(train_last, test_last)
    if first <= last:
        raise EvaluationError(f"rows {first}-{last} are both training and test rows; the two ranges must not overlap")
    return np.arange(train_first - 1, train_last, dtype=np.intp), np.arange(test_first - 1, test_last, dtype=np.intp)


def leave_one_out(rows: int) -> IntArray:
    """Return the (n,) fold of each row where every row is a fold of its own; EvaluationError below 2 rows."""
    if rows < 2:
        raise EvaluationError(f"leave-one-out needs at least 2 rows, found {rows}")
    return np.arange(rows, dtype=np.intp)


def cross_validation_splits(
    classes: Any, class_count: int, folds: int = 10, repeats: int = 1, seed: int = 1, dataset_key: str = ""
) -> list[Split]:
    """Return the ``repeats`` * ``folds`` splits of repeated stratified cross-validation, repeat by repeat.

    Parameters are those of `stratified_folds` and `fold_generator`; ``repeats`` is at least 1. Raises
    EvaluationError as `stratified_folds` does, and on fewer than 1 repeat.
    """
    return _repeated(
        lambda drawn: list(stratified_folds(classes, class_count, folds, drawn) == np.arange(folds)[:, None]),
        repeats,
        seed,
        dataset_key,
    )


def holdout_splits(
    classes: Any, class_count: int, test_share: float, repeats: int = 1, seed: int = 1, dataset_key: str = ""
) -> list[Split]:
    """Return one split for each repeat of a stratified holdout, each as fold 0.

    Parameters are those of `holdout_folds` and `fold_generator`; ``repeats`` is at least 1. Raises
    EvaluationError as `holdout_folds` does, and on fewer than 1 repeat.
    """
    return _repeated(lambda drawn: [holdout_folds(classes, class_count, test_share, drawn)], repeats, seed, dataset_key)


def row_range_splits(rows: int, train: str, test: str | None = None) -> list[Split]:
    """Return the one split that the ranges give, as repeat 0 and fold 0; see `row_range_split`."""
    return [Split(*row_range_split(rows, train, test), repeat=0, fold=0)]


def leave_one_out_splits(rows: int) -> list[Split]:
    """Return n splits, the one of fold i testing row i; EvaluationError below 2 rows.

    The training rows take 8 n (n - 1) bytes together; for many rows use the folds of `leave_one_out` instead.
    """
    return [_split(np.arange(rows) == fold, 0, int(fold)) for fold in leave_one_out(rows)]


def _repeated(
    one_repeat: Callable[[np.random.Generator], list[BoolArray]], repeats: int, seed: int, dataset_key: str
) -> list[Split]:
    if repeats < 1:
        raise EvaluationError(f"{repeats} repeats, expected at least 1")
    return [
        _split(test, repeat, fold)
        for repeat in range(repeats)
        for fold, test in enumerate(one_repeat(fold_generator(seed, dataset_key, repeat)))
    ]


def _split(test: BoolArray, repeat: int, fold: int) -> Split:
    return Split((~test).nonzero()[0], test.nonzero()[0], repeat, fold)


def _check_folds(folds: int, rows: int) -> None:
    if folds < 2:
        raise EvaluationError(f"{folds} fold{'' if folds == 1 else 's'}, expected at least 2")
    if folds > rows:
        raise EvaluationError(f"{folds} folds need at least {folds} rows, found {rows}")


def _shuffled_by_class(classes: Any, class_count: int, generator: np.random.Generator) -> IntArray:
    codes = np.minimum(np.asarray(classes, dtype=np.intp), class_count)
    shuffled = generator.permutation(len(codes))
    return np.asarray(shuffled[np.argsort(codes[shuffled], kind="stable")], dtype=np.intp)


def _both_sides(text: str) -> tuple[str, str]:
    sizes = _SIZES.fullmatch(text)
    if sizes:
        train, test = int(sizes[1]), int(sizes[2])
        share = f" with a test share of {test}/{train + test}" if train + test else ""
        raise EvaluationError(f"{text!r} gives sizes, not ranges of rows such as '1-20 | 21-30'; use a holdout{share}")
    train_text, bar, test_text = text.partition("|")
    if not bar:
        raise EvaluationError(f"{text!r} names one range of rows, expected two such as '1-20 | 21-30'")
    return train_text, test_text


def _row_range(rows: int, text: str, side: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text)
    if match is None:
        raise EvaluationError(f"{side} rows {text.strip()!r}, expected first and last row such as '1-20'")
    first, last = int(match[1]), int(match[2])
    if first > last:
        raise EvaluationError(f"{side} rows {first}-{last} are no rows: the range ends before it starts")
    if first < 1 or last > rows:
        raise EvaluationError(f"{side} rows {first}-{last} reach outside the {rows} rows of the data set, 1-{rows}")
    return first, last
