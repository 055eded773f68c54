"""From data that break a promise to a few rows and attributes that break it, too."""

from collections.abc import Callable, Iterator

import numpy as np

from nbframework.data.dataset import Dataset

ATTEMPTS = 150
"""Data sets that are tried at most."""


def smallest(data: Dataset, fails: Callable[[Dataset], bool]) -> Dataset:
    """Return as few rows and attributes of the data as can be found on which ``fails`` still says yes.

    Parameters
    ----------
    data
        Data that fail.
    fails
        Asked of ever smaller data sets, at most `ATTEMPTS` times.
    """
    left, smaller = ATTEMPTS, True
    while smaller:
        smaller = False
        for candidate in (*_with_fewer_rows(data), *_with_fewer_attributes(data)):
            if left == 0:
                return data
            left -= 1
            if fails(candidate):
                data, smaller = candidate, True
                break
    return data


def _with_fewer_rows(data: Dataset) -> Iterator[Dataset]:
    """Yield the data without halves, quarters ... of the rows, down to single ones."""
    rows = np.arange(len(data))
    size = len(data) // 2
    while size:
        for first in range(0, len(data), size):
            kept = np.delete(rows, slice(first, first + size))
            if len(kept):
                yield data.take(kept)
        size //= 2


def _with_fewer_attributes(data: Dataset) -> Iterator[Dataset]:
    """Yield the data without halves, quarters ... of the inputs, one being left at least."""
    size = len(data.inputs) // 2
    while size:
        for first in range(0, len(data.inputs), size):
            gone = set(data.input_indexes[first : first + size])
            kept = [index for index in range(len(data.attributes)) if index not in gone]
            if len(kept) > 1:
                yield Dataset.from_columns(
                    [data.attributes[i] for i in kept],
                    [data.columns[i] for i in kept],
                    data.class_attribute.name,
                    data.weights,
                    data.name,
                )
        size //= 2
