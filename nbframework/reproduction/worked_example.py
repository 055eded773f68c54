"""A worked example of a paper: a few rows of one attribute, a query, and the odds of two classes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import RecipeError
from nbframework.report.formats import Table
from nbframework.reproduction.derived import loaded

GRID = np.round(np.arange(0.0, 30.01, 0.25), 2)
"""The values of the parameter between which odds of 1 are looked for."""
STEPS = 60
"""Halvings of the interval that holds the threshold."""


def worked_example(asked: Mapping[str, Any]) -> list[Table]:
    """Return the odds by each recipe, and over the values of a parameter.

    Parameters
    ----------
    asked
        ``rows``: the values of the attribute by class. ``query``: a value. ``odds``: two classes. ``recipes``: a list
        of mappings with ``label``, ``recipe``, ``set`` and ``printed`` (odds). ``over``: a parameter and the values
        that are shown, for the ``curves``, which are written like recipes; their ``printed`` is the threshold.
    """
    data, query = _data(asked)
    first, second = (data.class_values.index(name) for name in asked["odds"])

    def odds(entry: Mapping[str, Any], more: Mapping[str, Any]) -> float:
        """Return the odds of the first class against the second one."""
        recipe = loaded(entry["recipe"], {**entry.get("set", {}), **more})
        posterior = recipe.build().fit(data).predict_log_proba(query)[0]
        return float(np.exp(posterior[first] - posterior[second]))

    name = f"odds of {asked['odds'][0]} against {asked['odds'][1]}"
    tables = []
    if asked.get("recipes"):
        rows = [(e["label"], _shown(e.get("printed")), _shown(odds(e, {}))) for e in asked["recipes"]]
        tables.append(Table(f"At {asked['query']}: {name}", ("classifier", "printed", "ours"), tuple(rows)))
    if asked.get("curves"):
        ((path, values),) = asked["over"].items()
        curves = asked["curves"]
        lines = [(f"{value:g}", *(f"{odds(entry, {path: value}):.3f}" for entry in curves)) for value in values]
        header = (path.rpartition(".")[2], *(entry["label"] for entry in curves))
        tables.append(Table(f"F, the {name}", header, tuple(lines)))
        found = [(e["label"], _shown(e.get("printed")), _shown(_threshold(_along(odds, e, path)))) for e in curves]
        title = f"The least {header[0]} at which {asked['odds'][0]} is chosen"
        tables.append(Table(title, ("distances", "printed", "ours"), tuple(found)))
    return tables


def _along(
    odds: Callable[[Mapping[str, Any], Mapping[str, Any]], float], entry: Mapping[str, Any], path: str
) -> Callable[[float], float]:
    return lambda value: odds(entry, {path: float(value)})


def _data(asked: Mapping[str, Any]) -> tuple[Dataset, Dataset]:
    values, classes = [], []
    names = list(asked["rows"])
    for code, name in enumerate(names):
        values += [float(value) for value in asked["rows"][name]]
        classes += [code] * len(asked["rows"][name])
    if not set(asked["odds"]) <= {*names}:
        raise RecipeError(f"worked example: odds of {asked['odds']}, expected two of {names}")
    attributes = [Attribute.numeric("x"), Attribute.nominal("class", names)]
    data = Dataset.from_columns(attributes, [np.array(values), np.array(classes)])
    return data, Dataset.from_columns(attributes, [np.array([float(asked["query"])]), np.array([0])])


def _threshold(odds: Callable[[float], float]) -> float | None:
    """Return where the odds first pass 1, by halving; None where they do not within the grid."""
    above: Sequence[float] = [value for value in GRID if odds(float(value)) > 1.0]
    if not above or above[0] == GRID[0]:
        return None
    high = float(above[0])
    low = high - float(GRID[1] - GRID[0])
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if odds(middle) > 1.0 else (middle, high)
    return high


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if value < 1 else f"{value:.2f}"
