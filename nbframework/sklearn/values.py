"""What the scikit-learn face takes: numbers, names of columns, values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.tabular import texts_of
from nbframework.recipe import Recipe


def refuse_infinite(values: NDArray[np.float64]) -> None:
    """Raise ValueError, in scikit-learn's words, where a number is infinite."""
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")


def takes_counts(recipe: Recipe) -> bool:
    """Return whether a recipe takes no number below 0: numbers stay numbers, and its density wants counts."""
    parts = recipe.build()
    return parts.density.lowest >= 0 and parts.discretizer.keeps_numeric


def refuse_repeated(frame: Any) -> None:
    """Raise ValueError where two columns of a frame have one name."""
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"X has {names.count(repeated)} columns called {repeated!r}, expected a name of its own for each"
        )


def refuse_undeclared(attribute: Attribute, column: NDArray[Any], series: Any) -> None:
    """Raise ValueError where a column holds a value that its attribute does not declare."""
    if attribute.is_nominal and (strange := np.flatnonzero(column == attribute.unseen)).size:
        value = texts_of(series)[strange[0]]
        raise ValueError(
            f"column {attribute.name!r} holds {value!r}, which its attribute in the schema does not declare"
        )


def target_name(attributes: list[Attribute]) -> str:
    """Return a name for the class that no attribute has."""
    taken = {attribute.name for attribute in attributes}
    name = "class"
    while name in taken:
        name += "_"
    return name
