"""Small data sets and tables, written so that a reader can check them by hand."""

from fractions import Fraction

import numpy as np

from nbframework import Dataset, Recipe, parse_arff
from nbframework.data.codes import block_offset
from nbframework.statistics.counts import Counts, from_cells


def table(attributes: str, rows: str, class_attribute: str | None = None, name: str = "r") -> Dataset:
    """Return a data set of ``"colour {red,blue}; class {a,b}"`` and rows such as ``"red a; blue b {2}"``."""
    declared = "\n".join(f"@attribute {attribute.strip()}" for attribute in attributes.split(";"))
    cells = (row.split() for row in rows.replace("\n", ";").split(";"))
    data = "\n".join(",".join(row) for row in cells if row)
    return parse_arff(f"@relation {name}\n{declared}\n@data\n{data}\n", class_attribute=class_attribute)


def counts_of(
    blocks: list[list[list[float]]], class_weight: list[float], support: list[list[list[int]]] | None = None
) -> Counts:
    """Return counts of attributes given as ``[class][value and last unknown]`` lists."""
    cells = np.concatenate([_with_unseen(block) for block in blocks], axis=1)
    cardinality = [len(block[0]) - 1 for block in blocks]
    rows = None
    if support is not None:
        rows = np.concatenate([_with_unseen(block) for block in support], axis=1).astype(np.int64)
    return from_cells(
        cells,
        block_offset(cardinality),
        np.array(class_weight, dtype=float),
        np.array(cardinality, dtype=float),
        rows,
    )


def _with_unseen(block: list[list[float]]) -> np.ndarray:
    return np.array([[*row[:-1], 0.0, row[-1]] for row in block], dtype=float)


def logs(text: str) -> np.ndarray:
    """Return the logs of fractions such as ``"1/3 0.5 0"``."""
    with np.errstate(divide="ignore"):
        return np.log([float(Fraction(word)) for word in text.split()])


def log_table(*rows: str) -> np.ndarray:
    """Return a (C, B) log table of rows such as ``"1/2 1/2 0 | 1 0 0"``; the unknown cell of each block is added."""
    return np.array([np.concatenate([[*logs(block), 0.0] for block in row.split("|")]) for row in rows])


def posteriors(recipe: Recipe | str, training: Dataset, queries: Dataset, **overrides: object) -> np.ndarray:
    """Return the (q, C) posteriors of a recipe, given as a recipe, a name, or a YAML text."""
    return fitted(recipe, training, **overrides).predict_proba(queries)


def fitted(recipe: Recipe | str, training: Dataset, **overrides: object):
    """Return a recipe fitted on some rows; see `posteriors`."""
    if isinstance(recipe, str):
        recipe = Recipe.from_text(recipe, **overrides) if ":" in recipe else Recipe.load(recipe, **overrides)
    return recipe.build().fit(training)


def shares(text: str) -> np.ndarray:
    """Return rows of probabilities such as ``"2/3 1/3; 0.5 0.5"``."""
    return np.array([[float(Fraction(word)) for word in row.split()] for row in text.split(";")])


def odds(text: str) -> np.ndarray:
    """Return rows like those of `shares`, each divided by its sum."""
    rows = shares(text)
    return rows / rows.sum(axis=1, keepdims=True)
