"""Cut points of numbers, the way a discretizer and the way a classifier finds them."""

import numpy as np

from nbframework.classifier.encoding import SortedColumns, encoded_column, learn_cuts
from nbframework.plugins import installed


def discretizer(name, **parameters):
    return installed().find("discretizer", name.split()[0]).part(**parameters)


def cuts(name, values, classes=None, weights=None, **parameters):
    """Return the cut points of numbers in any order."""
    values = np.array(values, dtype=float)
    classes = np.zeros(len(values), dtype=int) if classes is None else np.array(list(map("abcdef".index, classes)))
    weights = np.ones(len(values)) if weights is None else np.array(weights, dtype=float)
    order = np.argsort(values, kind="stable")
    return discretizer(name, **parameters).fit(values[order], classes[order], weights[order]).tolist()


def cuts_of(dataset, name, **parameters):
    """Return the cut points of the first attribute, as a classifier learns them."""
    return learn_cuts(discretizer(name, **parameters), SortedColumns(dataset), None)[0].tolist()


def codes(name, cut_points, values, **parameters):
    return encoded_column(discretizer(name, **parameters), np.array(values), np.array(cut_points)).tolist()
