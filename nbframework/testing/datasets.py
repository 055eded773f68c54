"""Small data sets that show whether a promise is kept."""

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset

IntArray = NDArray[np.intp]


def mixed(rows: int = 60, seed: int = 7, numeric: bool = True, nominal: bool = True, unknown: bool = True) -> Dataset:
    """Return rows of three classes over nominal and numeric attributes that depend on the class.

    Parameters
    ----------
    rows
        n.
    seed
        Of the random values.
    numeric, nominal
        Which attributes there are.
    unknown
        Whether a tenth of the values is unknown.
    """
    random = np.random.default_rng(seed)
    classes = np.arange(rows) % 3
    attributes: list[Attribute] = []
    columns: list[NDArray[np.generic]] = []
    for index, size in enumerate((2, 3, 5) if nominal else ()):
        attribute = Attribute.nominal(f"nominal{index}", [f"value{v}" for v in range(size)])
        codes = np.where(random.random(rows) < 0.6, classes % size, random.integers(0, size, rows))
        if unknown:
            codes = np.where(random.random(rows) < 0.1, attribute.unknown, codes)
        attributes.append(attribute)
        columns.append(codes)
    for index in range(2 if numeric else 0):
        values = np.round(random.normal(classes * (index + 1), 1.0), 2)
        if unknown:
            values[random.random(rows) < 0.1] = np.nan
        attributes.append(Attribute.numeric(f"numeric{index}"))
        columns.append(values)
    attributes.append(Attribute.nominal("class", ["first", "second", "third"]))
    columns.append(classes)
    return Dataset.from_columns(attributes, columns)


def unbalanced(numeric: bool) -> Dataset:
    """Return 95 rows of one class and 5 of another, over two attributes that tell nothing."""
    random = np.random.default_rng(3)
    rows = 100
    attributes = [Attribute.numeric(f"x{i}") if numeric else Attribute.nominal(f"x{i}", ["a", "b"]) for i in range(2)]
    columns = [random.normal(size=rows) if numeric else np.arange(rows) // (i + 1) % 2 for i in range(2)]
    classes = (np.arange(rows) % 20 == 19).astype(np.intp)
    return Dataset.from_columns([*attributes, Attribute.nominal("class", ["common", "rare"])], [*columns, classes])


def wide(attributes: int, numeric: bool) -> Dataset:
    """Return 20 rows over many attributes, each telling a little about the class."""
    random = np.random.default_rng(5)
    classes = np.arange(20) % 2
    flips = random.random((attributes, 20)) < 0.3
    columns = [np.where(flip, 1 - classes, classes) for flip in flips]
    if numeric:
        declared = [Attribute.numeric(f"x{i}") for i in range(attributes)]
        columns = [column + random.normal(0, 0.5, 20) for column in columns]
    else:
        declared = [Attribute.nominal(f"x{i}", ["a", "b"]) for i in range(attributes)]
    return Dataset.from_columns([*declared, Attribute.nominal("class", ["no", "yes"])], [*columns, classes])


def unsigned(dataset: Dataset) -> Dataset:
    """Return the data set with the absolute values of its numbers."""
    columns = [
        np.abs(column) if attribute.is_measured else column
        for attribute, column in zip(dataset.attributes, dataset.columns, strict=True)
    ]
    return Dataset.from_columns(dataset.attributes, columns, dataset.class_attribute.name)


def weighted(dataset: Dataset) -> tuple[Dataset, Dataset]:
    """Return the data set with weights 1, 2 and 3, and the same with its rows repeated as often."""
    weights = np.arange(len(dataset)) % 3 + 1.0
    with_weights = Dataset.from_columns(dataset.attributes, dataset.columns, weights=weights)
    return with_weights, dataset.take(np.repeat(np.arange(len(dataset)), weights.astype(np.intp)))


def renamed(dataset: Dataset) -> Dataset:
    """Return the data set with other names of attributes and values, the nominal values in reverse order."""
    attributes, columns = [], []
    for index, (attribute, column) in enumerate(zip(dataset.attributes, dataset.columns, strict=True)):
        if attribute.values is None or index == dataset.class_index:
            attributes.append(Attribute(f"other{index}", attribute.kind, attribute.values))
            columns.append(column)
            continue
        size = attribute.cardinality
        attributes.append(Attribute.nominal(f"other{index}", [f"w{size - 1 - v}" for v in range(size)]))
        columns.append(np.where(column < size, size - 1 - column.astype(np.intp), column))
    return Dataset.from_columns(attributes, columns, attributes[dataset.class_index].name)


def reordered(dataset: Dataset) -> Dataset:
    """Return the data set with its inputs in reverse order, the class last."""
    order = [*reversed(dataset.input_indexes), dataset.class_index]
    return Dataset.from_columns(
        [dataset.attributes[i] for i in order], [dataset.columns[i] for i in order], dataset.class_attribute.name
    )
