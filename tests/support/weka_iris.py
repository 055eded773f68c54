"""The iris that comes with Weka, made from the bundled one."""

import numpy as np

from nbframework import Attribute, Dataset, read_arff
from nbframework.data.catalog import bundled_path


def weka_iris() -> Dataset:
    """Return Fisher's iris with the two rows that the UCI repository has otherwise, under Weka's names."""
    fisher = read_arff(bundled_path("iris"))
    values = np.column_stack(fisher.columns[:4])
    assert values[34].tolist() == [4.9, 3.1, 1.5, 0.2]
    assert values[37].tolist() == [4.9, 3.6, 1.4, 0.1]
    values[[34, 37]] = [4.9, 3.1, 1.5, 0.1]
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    attributes = [*(Attribute.numeric(name) for name in names), Attribute.nominal("class", fisher.class_values)]
    return Dataset.from_columns(attributes, [*values.T, fisher.classes], name="iris")
