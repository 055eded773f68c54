"""The fairness linter: what makes a comparison look better, or more certain, than it is."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import NBFrameworkError
from nbframework.evaluation.desk import smallest_significant_difference
from nbframework.evaluation.folds import Split
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.parts.base import parameters
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS
from nbframework.recipe.recipe import described
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.matrix import LabelledRecipe

LEAST_COPIES = 0.01
"""Share of test rows with a copy among the training rows from which on it is a finding."""
IDENTIFYING = 0.9
"""Share of different values from which on a nominal attribute looks like an identifier."""
COARSE = 0.01
"""Smallest difference that can be significant from which on folds are called coarse."""
FEWEST_ROWS = 20
FEWEST_CODES = 100
"""Rows from which on whole numbers may look like an identifier: few rows of a measure may have no two alike."""


@dataclass(frozen=True)
class Finding:
    """Something to know before a comparison is believed.

    Parameters
    ----------
    kind
        duplicates, identifier, absent-class, coarse-folds, preprocessing, chosen-on-test or unscaled-distance.
    subject
        The data set or the recipes.
    text
        What was found, with its figure.
    """

    kind: str
    subject: str
    text: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.text} [{self.kind}]"


@dataclass(frozen=True)
class DataFacts:
    """What the linter keeps of a data set under a protocol, whatever the recipes.

    Parameters
    ----------
    findings
        (kind, text) of what is wrong with it.
    folds
        Number of folds of all repeats.
    test_rows, test_ratio
        Mean number of test rows of a fold, and test rows / training rows.
    smallest_difference
        The smallest difference of accuracies that can be significant, 0 to 1; 0 where there are not folds enough, or
        nothing is compared.
    """

    findings: list[tuple[str, str]]
    folds: int = 1
    test_rows: float = 0.0
    test_ratio: float = 0.0
    smallest_difference: float = 0.0


def data_facts(
    dataset: Dataset, protocol: EvaluationProtocol, splits: Sequence[Split] | None = None, alpha: float | None = 0.05
) -> DataFacts:
    """Look at a data set and its folds.

    Parameters
    ----------
    dataset, protocol
        The data set, and how its rows are parted.
    splits
        The protocol's splits where they have been dealt already.
    alpha
        The level at which recipes will be compared on it; None where nothing is compared.
    """
    seen = protocol.seen(dataset)
    found = [("identifier", text) for text in _identifiers(seen)]
    if protocol.kind == "leave-one-out":
        return DataFacts(found + [("duplicates", text) for text in _copies(seen, None)])
    if splits is None:
        splits = protocol.splits(dataset)
    found += [("absent-class", text) for text in protocol.warnings(dataset, splits)]
    found += [("duplicates", text) for text in _copies(seen, splits)]
    if protocol.kind == BIAS_VARIANCE:
        return DataFacts(found)
    rows = float(np.mean([len(split.test) for split in splits]))
    ratio = rows / float(np.mean([len(split.train) for split in splits]))
    smallest = 0.0
    if alpha is not None and len(splits) > 1:
        smallest = smallest_significant_difference(rows, len(splits), ratio, alpha)
    return DataFacts(found, len(splits), rows, ratio, smallest)


def recipe_findings(recipes: Sequence[LabelledRecipe]) -> list[Finding]:
    """Return what is wrong with comparing these recipes, whatever the data."""
    return [*_preprocessing(recipes), *_chosen(recipes), *_unscaled(recipes)]


def study_findings(
    recipes: Sequence[LabelledRecipe], facts: Sequence[tuple[str, DataFacts]], alpha: float = 0.05
) -> list[Finding]:
    """Return all findings, from the recipes and from what is known of each data set by name.

    Parameters
    ----------
    recipes
        What is compared.
    facts
        Each data set with its facts.
    alpha
        The level at which the facts were judged.
    """
    found = recipe_findings(recipes)
    for name, known in facts:
        found += [Finding(kind, name, text) for kind, text in known.findings]
        # a single recipe is compared with nothing
        if len(recipes) > 1:
            found += [Finding("coarse-folds", name, text) for text in _coarse(known, alpha)]
    return found


def _identifiers(dataset: Dataset) -> Iterator[str]:
    rows = len(dataset)
    if rows < FEWEST_ROWS:
        return
    for attribute, column in zip(dataset.inputs, dataset.input_columns, strict=True):
        different = _different(attribute, column)
        if attribute.is_nominal and different >= IDENTIFYING * rows:
            yield f"attribute {attribute.name!r} looks like an identifier: {different} values in {rows} rows"
        elif attribute.kind == "numeric" and different == rows and _counts_rows(column):
            first = float(column.min())
            span = f"{first:.15g} to {first + rows - 1:.15g}"
            yield f"attribute {attribute.name!r} looks like a row number: each number from {span} once in {rows} rows"
        elif attribute.kind == "numeric" and different == rows >= FEWEST_CODES and _are_codes(column):
            yield f"attribute {attribute.name!r} looks like an identifier: {rows} whole numbers, no two alike"


def _different(attribute: Attribute, column: NDArray[Any]) -> int:
    known = column[column < attribute.cardinality] if attribute.is_nominal else column
    return len(np.unique(known))


def _counts_rows(column: NDArray[np.float64]) -> bool:
    # rows may have been shuffled after they were numbered
    return bool(np.all(np.diff(np.sort(column)) == 1.0))


def _are_codes(column: NDArray[np.float64]) -> bool:
    """Whether different numbers are whole, and of one length or at one distance, as those of no measure are."""
    if not (np.isfinite(column).all() and (column == np.floor(column)).all()):
        return False
    lengths = {len(f"{abs(number):.0f}") for number in (column.min(), column.max())}
    return len(lengths) == 1 or len(set(np.diff(np.sort(column)))) == 1


def _copies(dataset: Dataset, splits: Sequence[Split] | None) -> Iterator[str]:
    """Find test rows that equal a training row in every input and in the class."""
    group = _row_groups(dataset)
    size = np.bincount(group)
    copied = size[group] > 1
    if splits is None:
        share = float(copied.mean())
    else:
        first = [split for split in splits if split.repeat == 0]
        tested = sum(len(split.test) for split in first)
        share = sum(int(np.isin(group[split.test], group[split.train]).sum()) for split in first) / tested
    if share >= LEAST_COPIES:
        repeated = len(group) - len(size)
        yield (
            f"{repeated} of {len(group)} rows repeat another one, and {100 * share:.1f} % of the test rows have a copy "
            "among their training rows"
        )


def _row_groups(dataset: Dataset) -> NDArray[np.intp]:
    """Return the (n,) number of each row's group of equal rows."""
    group = np.zeros(len(dataset), dtype=np.intp)
    for column in dataset.columns:
        values = np.array([str(value) for value in column]) if column.dtype == object else column
        _, code = np.unique(values, return_inverse=True, equal_nan=values.dtype.kind == "f")
        _, group = np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    return group


def _coarse(known: DataFacts, alpha: float) -> Iterator[str]:
    smallest = known.smallest_difference
    if smallest >= COARSE:
        yield (
            f"folds of {known.test_rows:.4g} rows: no difference below {100 * smallest:.1f} points of accuracy can be "
            f"significant by the corrected t at {alpha:g}"
        )


def _preprocessing(recipes: Sequence[LabelledRecipe]) -> Iterator[Finding]:
    composed = [entry for entry in recipes if entry.recipe.classifier is None]
    for kind in ("discretizer", "missing"):
        groups: dict[str, list[str]] = {}
        for entry in composed:
            groups.setdefault(_written(described(getattr(entry.recipe, kind))), []).append(entry.label)
        if len(groups) > 1:
            listed = "; ".join(f"{part} ({', '.join(labels)})" for part, labels in groups.items())
            text = f"{len(groups)} different {kind} parts, so that differences may be theirs: {listed}"
            yield Finding("preprocessing", "recipes", text)


def _written(part: object) -> str:
    return part if isinstance(part, str) else json.dumps(part).replace('"', "")


def _chosen(recipes: Sequence[LabelledRecipe]) -> Iterator[Finding]:
    groups: dict[tuple[str, ...], list[str]] = {}
    # a recipe that chooses its parameters among the training rows has chosen nothing on the test folds
    different = {entry.recipe.identity(): entry for entry in reversed(recipes) if not entry.recipe.tuning}
    for entry in reversed(different.values()):
        parts = [getattr(entry.recipe, key) for key in PART_KEYS]
        groups.setdefault(tuple("" if part is None else _names(part) for part in parts), []).append(entry.label)
    for labels in groups.values():
        if len(labels) > 1:
            text = f"{len(labels)} recipes differ in parameters only ({', '.join(labels)}); the best of them on these "
            yield Finding(
                "chosen-on-test", "recipes", text + "test folds is optimistic, its parameters being chosen there"
            )


def _names(part: object) -> str:
    """Return the name of a part with those of the parts among its parameters."""
    fields = parameters(type(part))  # type: ignore[arg-type]  # a part, as every value of its parameters that is one
    values = [getattr(part, field.name) for field in fields if field.is_part]
    return " ".join([str(getattr(part, "name", "")), *(_names(value) for value in values if value is not None)])


def _unscaled(recipes: Sequence[LabelledRecipe]) -> Iterator[Finding]:
    for entry in recipes:
        neighbourhood = entry.recipe.neighbourhood
        if neighbourhood is None or neighbourhood.is_global or entry.recipe.classifier is not None:
            continue
        change = scale_dependence(entry.recipe)
        if change is not None and change > 1e-6:
            text = "its distances are not scaled: measuring one attribute in other units moves a posterior by "
            yield Finding("unscaled-distance", entry.label, f"{text}{change:.2f}")


def scale_dependence(recipe: Recipe) -> float | None:
    """Return the largest change of a posterior when one of two numeric attributes is multiplied by 1024.

    None where the recipe cannot be fitted on numbers. The probe is a fixed sample of two overlapping classes.
    """
    generator = np.random.default_rng(1)
    classes = np.arange(60) % 2
    values = generator.normal(size=(60, 2)) + classes[:, np.newaxis]
    attributes = [Attribute.numeric("a"), Attribute.numeric("b"), Attribute.nominal("class", ("0", "1"))]
    posteriors = []
    for factor in (1.0, 1024.0):
        columns = [values[:, 0] * factor, values[:, 1], classes]
        probe = Dataset.from_columns(attributes, columns)
        try:
            posteriors.append(
                recipe.build().fit(probe.take(np.arange(40))).predict_proba(probe.take(np.arange(40, 60)))
            )
        except NBFrameworkError:
            return None
    change = float(np.abs(posteriors[0] - posteriors[1]).max())
    return None if math.isnan(change) else change
