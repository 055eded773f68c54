"""Random nominal data for the dependence structures."""

import numpy as np

from nbframework import Dataset
from nbframework.data.attribute import Attribute


def random_data(seed: int, rows: int = 80, unknown: float = 0.1, values: tuple[int, ...] = (2, 3, 4, 2)) -> Dataset:
    """Return random nominal rows of three classes, the first attribute telling about the class."""
    generator = np.random.default_rng(seed)
    attributes = [Attribute.nominal(f"a{j}", [f"v{v}" for v in range(size)]) for j, size in enumerate(values)]
    attributes.append(Attribute.nominal("class", ["x", "y", "z"]))
    columns = []
    for size in values:
        column = generator.integers(0, size, rows)
        columns.append(np.where(generator.random(rows) < unknown, size + 1, column))
    classes = (columns[0] % 2 + generator.integers(0, 2, rows)) % 3
    return Dataset.from_columns(attributes, [*columns, classes])
