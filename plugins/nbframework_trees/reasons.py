"""What a prediction of a tree rests on, in words."""

from collections.abc import Sequence

import numpy as np

from nbframework.authoring import Attribute, FloatArray
from nbframework_trees.routing import Entries, Splits, descend


def way_down(
    tree: Splits, inputs: Sequence[Attribute], values: FloatArray, slack: float
) -> tuple[list[str], int | None]:
    """Return the tests that a row meets on its way, and the leaf; None where a tested value is unknown.

    Parameters
    ----------
    tree
        The tests.
    inputs
        The a attributes.
    values
        (a, 1) of the row.
    slack
        As in growing.
    """
    lines: list[str] = []
    node = 0
    while not tree.is_leaf[node]:
        attribute = inputs[int(tree.attribute[node])]
        value, cut = float(values[tree.attribute[node], 0]), float(tree.cut[node])
        if np.isnan(value):
            lines.append(f"{attribute.name} is unknown: every branch is taken by its share of the training rows")
            return lines, None
        entry = Entries(np.array([node]), np.zeros(1, dtype=np.intp), np.ones(1))
        child = int(descend(tree, values, entry, slack)[0].node[0])
        if attribute.values is not None and np.isnan(cut):
            lines.append(f"{attribute.name} = {attribute.values[int(value)]}")
        else:
            side = "at most" if child == tree.first_child[node] else "above"
            lines.append(f"{attribute.name} = {value:g} is {side} {cut:g}")
        node = child
    return lines, node


def rows_of_classes(class_weight: FloatArray, class_values: Sequence[str]) -> str:
    """Return how many training rows each class has, the most frequent first, those without any left out."""
    order = np.argsort(-class_weight, kind="stable")
    found = [f"{class_weight[code]:g} of {class_values[code]}" for code in order if class_weight[code] > 0]
    return f"training rows: {', '.join(found) or 'none'}"
