"""A selection: some attributes of a data set, and only its complete rows."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbframework.data.dataset import Dataset, attribute_index
from nbframework.errors import DataError


@dataclass(frozen=True)
class Selection:
    """Which attributes and rows of a data set are used.

    Parameters
    ----------
    attributes
        Names of the inputs in the order in which they are used, without the class; empty for all of them.
    complete_rows
        Whether rows with an unknown value are removed. They are, before attributes are chosen: a value that is
        unknown in an attribute that is not chosen removes its row, too.
    beside
        Name of an attribute that is kept beside the chosen ones, for a protocol that parts the rows by it; or empty.
    """

    attributes: tuple[str, ...] = ()
    complete_rows: bool = False
    beside: str = ""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return not self.attributes and not self.complete_rows

    def of(self, dataset: Dataset) -> Dataset:
        """Return the selected part of a data set; the class comes last where attributes are named.

        Raises
        ------
        DataError
            On an unknown attribute, with the nearest name, on the class among the inputs, and where no row is left.
        """
        if self.complete_rows:
            dataset = _complete(dataset)
        if not self.attributes:
            return dataset
        if dataset.class_attribute.name in self.attributes:
            raise DataError(f"attribute {dataset.class_attribute.name!r} is the class, expected the names of inputs")
        names = list(self.attributes)
        if self.beside and self.beside not in (*names, dataset.class_attribute.name):
            names.append(self.beside)
        return _with(dataset, [*(attribute_index(dataset.attributes, name) for name in names), dataset.class_index])

    def checksum(self, sha256: str) -> str:
        """Return the checksum of the selection from a file with the given one; the file's own where all is used."""
        if self.is_everything:
            return sha256
        beside = [self.beside] if self.attributes and self.beside else []
        text = json.dumps([sha256, self.attributes, self.complete_rows, *beside])
        return hashlib.sha256(text.encode()).hexdigest()


EVERYTHING = Selection()


def without(dataset: Dataset, name: str) -> Dataset:
    """Return a data set without one of its inputs; DataError on an unknown attribute, with the nearest name."""
    index = attribute_index(dataset.attributes, name)
    return _with(dataset, [place for place in range(len(dataset.attributes)) if place != index])


def _with(dataset: Dataset, kept: Sequence[int]) -> Dataset:
    """Return the data set with the attributes at some places, the class among them."""
    return Dataset(
        tuple(dataset.attributes[index] for index in kept),
        tuple(dataset.columns[index] for index in kept),
        kept.index(dataset.class_index),
        dataset.row_weights,
        dataset.name,
    )


def _complete(dataset: Dataset) -> Dataset:
    unknown = np.zeros(len(dataset), dtype=np.bool_)
    for index in range(len(dataset.attributes)):
        unknown |= dataset.unknown(index)
    if len(dataset) and unknown.all():
        raise DataError(f"each of the {len(dataset)} rows has an unknown value, so that no complete row is left")
    return dataset.take(~unknown) if unknown.any() else dataset
