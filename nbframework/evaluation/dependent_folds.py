"""Folds for rows that are not independent: groups that stay together, time that runs one way; and thinned training."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset, attribute_index
from nbframework.errors import DataError, EvaluationError
from nbframework.evaluation.folds import Split, fold_generator

IntArray = NDArray[np.intp]


def grouped_splits(dataset: Dataset, attribute: str, folds: int, repeats: int = 1, seed: int = 1) -> list[Split]:
    """Return the splits of cross-validation that never parts rows of the same group.

    The groups are shuffled and, the largest first, each given to the fold with the fewest rows so far.

    Parameters
    ----------
    dataset
        All rows.
    attribute
        The attribute whose values are the groups; an unknown value is a group of its own row.
    folds, repeats, seed
        As for `cross_validation_splits`.

    Raises
    ------
    EvaluationError
        Where there are fewer groups than folds, fewer than 2 folds, or no such attribute.
    """
    group = _groups(dataset, attribute)
    size = np.bincount(group)
    if folds < 2 or folds > len(size):
        raise EvaluationError(f"{folds} folds by {attribute!r} need at least 2 and at most its {len(size)} groups")
    splits = []
    for repeat in range(repeats):
        shuffled = fold_generator(seed, dataset.name, repeat).permutation(len(size))
        order = shuffled[np.argsort(-size[shuffled], kind="stable")]
        fold_of_group = _dealt(size, order, folds)
        assigned = fold_of_group[group]
        splits += [_split(assigned == fold, repeat, fold) for fold in range(folds)]
    return splits


def time_ordered_splits(dataset: Dataset, folds: int, attribute: str = "") -> list[Split]:
    """Return splits whose test rows all come later than their training rows.

    The ordered rows are cut into ``folds`` + 1 blocks of sizes that differ by at most 1; fold i learns from the first
    i + 1 blocks and is tested on the next one.

    Parameters
    ----------
    dataset
        All rows.
    folds
        Number of folds, at least 1.
    attribute
        The numeric or date attribute to order by (equal values in file order), or nothing for file order.

    Raises
    ------
    EvaluationError
        On fewer rows than blocks, an attribute of another kind, or unknown values in it.
    """
    rows = len(dataset)
    if folds < 1 or folds + 1 > rows:
        raise EvaluationError(f"{folds} time-ordered folds, expected at least 1 and fewer than the {rows} rows")
    order = np.arange(rows, dtype=np.intp)
    if attribute:
        index = _index(dataset, attribute)
        if not dataset.attributes[index].is_measured:
            raise EvaluationError(f"attribute {attribute!r} is not numeric or a date; rows cannot be ordered by it")
        if dataset.unknown(index).any():
            row = int(np.flatnonzero(dataset.unknown(index))[0]) + 1
            raise EvaluationError(f"attribute {attribute!r} is unknown in row {row}; rows cannot be ordered by it")
        order = np.argsort(dataset.columns[index], kind="stable")
    borders = np.arange(folds + 2) * rows // (folds + 1)
    return [
        Split(np.sort(order[: borders[i + 1]]), np.sort(order[borders[i + 1] : borders[i + 2]]), 0, i)
        for i in range(folds)
    ]


def thinned(split: Split, classes: Any, share: float, seed: int, dataset_key: str) -> Split:
    """Return a split with a stratified share of its training rows; smaller shares are subsets of larger ones.

    Parameters
    ----------
    split
        The full split.
    classes
        (n,) class codes of all rows.
    share
        More than 0, at most 1; at least one row is kept.
    seed, dataset_key
        As for `fold_generator`.
    """
    rows = split.train
    generator = fold_generator(seed, f"{dataset_key} fold {split.fold}", split.repeat)
    shuffled = generator.permutation(len(rows))
    codes = np.asarray(classes)[rows[shuffled]]
    by_class = np.argsort(codes, kind="stable")
    first = np.searchsorted(codes[by_class], codes[by_class], side="left")
    members = np.searchsorted(codes[by_class], codes[by_class], side="right") - first
    # the middle of each row's share of its class: classes interleave evenly in every prefix
    position = (np.arange(len(rows)) - first + 0.5) / members
    ordered = shuffled[by_class[np.argsort(position, kind="stable")]]
    kept = max(1, round(share * len(rows)))
    return replace(split, train=np.sort(rows[ordered[:kept]]))


def _index(dataset: Dataset, attribute: str) -> int:
    try:
        return attribute_index(dataset.attributes, attribute)
    except DataError as error:
        raise EvaluationError(str(error)) from error


def _groups(dataset: Dataset, attribute: str) -> IntArray:
    """Return the (n,) group of each row, 0 to g - 1."""
    index = _index(dataset, attribute)
    column, unknown = dataset.columns[index], dataset.unknown(index)
    group = np.empty(len(dataset), dtype=np.intp)
    _, group[~unknown] = np.unique(
        column[~unknown].astype(str) if column.dtype == object else column[~unknown], return_inverse=True
    )
    known = int(group[~unknown].max(initial=-1)) + 1
    group[unknown] = known + np.arange(int(unknown.sum()))
    return group


def _dealt(size: IntArray, order: IntArray, folds: int) -> IntArray:
    """Give each group, in order, to the fold with the fewest rows."""
    filled = np.zeros(folds, dtype=np.intp)
    fold_of_group = np.empty(len(size), dtype=np.intp)
    for group in order:
        fold = int(np.argmin(filled))
        fold_of_group[group] = fold
        filled[fold] += size[group]
    return fold_of_group


def _split(test: NDArray[np.bool_], repeat: int, fold: int) -> Split:
    return Split(np.flatnonzero(~test), np.flatnonzero(test), repeat, fold)
