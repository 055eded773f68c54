"""What the scikit-learn face takes: numbers, names of columns, values."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.gathering import gathering
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import attribute_of, column_under, texts_of
from nbframework.errors import EvaluationError
from nbframework.recipe import Recipe


def refuse_infinite(values: NDArray[np.float64]) -> None:
    """Raise ValueError, in scikit-learn's words, where a number is infinite."""
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")


def takes_counts(recipe: Recipe) -> bool:
    """Return whether a recipe takes no number below 0: numbers stay numbers, and its density wants counts."""
    parts = recipe.build()
    return parts.density.lowest >= 0 and parts.discretizer.keeps_numeric


def adds_numbers(recipe: Recipe) -> bool:
    """Return whether numeric columns can be learned from part by part without knowing all rows first."""
    attributes = [Attribute.numeric("x"), Attribute.nominal("class", ["a"])]
    try:
        wanted = gathering(recipe.build(), Dataset.from_columns(attributes, [[], []]))
    except EvaluationError:
        return False
    # pairs with intervals are counted when the intervals are known
    return not wanted.pairs


def described_column(name: str, series: Any, schema: Mapping[str, Attribute]) -> tuple[Attribute, NDArray[Any]]:
    """Return the attribute and the values of a column, under the attribute that a schema gives it, if it does.

    Raises
    ------
    ValueError
        Where it holds a value that this attribute does not declare.
    """
    if name not in schema:
        return attribute_of(name, series)
    column = column_under(schema[name], series)
    refuse_undeclared(schema[name], column, series)
    return schema[name], column


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
