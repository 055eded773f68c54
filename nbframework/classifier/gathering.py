"""Which statistics of the training rows a recipe needs, and the rows to these statistics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.classifier.composition import too_low
from nbframework.classifier.encoding import encoded_column
from nbframework.classifier.model import Classifier
from nbframework.classifier.training import unlabelled_rows, usable_mask
from nbframework.classifier.training_statistics import TrainingStatistics
from nbframework.data.attribute import code_dtype
from nbframework.data.codes import block_offset
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.missing import FittedMissingPolicy, MissingPolicy
from nbframework.statistics.moments import Moments
from nbframework.statistics.pairs import first_value, pair_table_bytes
from nbframework.statistics.tally import Tally
from nbframework.statistics.value_table import ValueTable

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Numbers = Literal["none", "moments", "values", "extremes"]
LARGEST_PAIRS = 256 * 2**20
"""Bytes that the counts of all pairs of values may take."""


@dataclass(frozen=True, kw_only=True)
class Gathering:
    """What is gathered from training rows.

    Parameters
    ----------
    missing, discretizer, density
        Parts of the recipe.
    pairs
        Whether pairs of values are counted.
    numbers
        What is kept of numeric inputs that have no cut points: nothing, their moments, their distinct values by
        class, or only the smallest and the largest value.
    cuts
        Cut points by position among the inputs; these inputs are counted like nominal ones.
    """

    missing: MissingPolicy
    discretizer: Discretizer
    density: Density
    pairs: bool
    numbers: Numbers
    cuts: Mapping[int, FloatArray] = field(default_factory=dict)


def gathering(classifier: Classifier, schema: Dataset) -> Gathering:
    """Return what a recipe needs of rows of a schema, before any cut point is known.

    Raises
    ------
    EvaluationError
        Where it needs rows, naming the part and the reason.
    """
    check_parts(classifier)
    numeric = any(attribute.is_measured for attribute in schema.inputs)
    structure, density = classifier.structure, classifier.density
    numbers: Numbers = "none"
    if numeric and not classifier.discretizer.keeps_numeric:
        numbers = "values"
    elif numeric and structure.sufficient != "class weights":
        if density.sufficient == "rows":
            raise _needs_rows("density", density.name, "keeps the training values")
        numbers = density.sufficient
    return Gathering(
        missing=classifier.missing,
        discretizer=classifier.discretizer,
        density=density,
        pairs=structure.sufficient == "pairs",
        numbers=numbers,
    )


def check_parts(classifier: Classifier) -> None:
    """Raise EvaluationError where a recipe needs the rows whatever the attributes are, naming the part."""
    if classifier.whole is not None:
        raise _needs_rows("classifier", classifier.whole.name, "learns from the rows by itself")
    if type(classifier) is not Classifier:
        raise EvaluationError(
            "tuned parameters are chosen by trying them on the rows, so that this recipe learns more than counts"
        )
    if not classifier.neighbourhood.is_global:
        raise _needs_rows("neighbourhood", classifier.neighbourhood.name, "looks for single rows")
    if classifier.structure.sufficient == "rows":
        raise _needs_rows("structure", classifier.structure.name, classifier.structure.reason_for_rows)
    if classifier.missing.learns and classifier.missing.sufficient == "rows":
        raise _needs_rows("missing policy", classifier.missing.name, "learns from the values")
    if not classifier.weights.is_uniform and classifier.weights.sufficient == "rows":
        raise _needs_rows("weights", classifier.weights.name, "are learned row by row")


def _needs_rows(kind: str, name: str, reason: str) -> EvaluationError:
    return EvaluationError(f"{kind} {name!r}: {reason}, so that this recipe learns more than counts")


def statistics_of(dataset: Dataset, wanted: Gathering) -> TrainingStatistics:
    """Return the statistics of some rows.

    Raises
    ------
    EvaluationError
        Where a number is too small for the density.
    """
    count = len(dataset.class_values)
    mask = usable_mask(dataset)
    usable, unlabelled = (dataset, 0) if mask.all() else (dataset.take(mask), unlabelled_rows(dataset))
    policy = FittedMissingPolicy() if wanted.missing.learns else wanted.missing.fit(usable)
    rows = policy.prepare_training(usable)
    classes, weights = rows.classes, rows.row_weights
    coded = [p for p, attribute in enumerate(rows.inputs) if attribute.is_nominal or p in wanted.cuts]
    columns, sizes = [], []
    for position in coded:
        attribute, column = rows.inputs[position], rows.input_columns[position]
        cuts = wanted.cuts.get(position)
        columns.append(column if cuts is None else encoded_column(wanted.discretizer, column, cuts))
        sizes.append(attribute.cardinality if cuts is None else wanted.discretizer.cardinality(cuts))
    counted = [p for p, attribute in enumerate(rows.inputs) if attribute.is_measured and p not in wanted.cuts]
    numbers = counted if wanted.numbers != "none" else []
    if wanted.discretizer.keeps_numeric:
        _check_lowest(rows, counted, wanted.density)
    moments = None
    if wanted.numbers == "moments":
        stacked = np.column_stack([rows.input_columns[position] for position in numbers])
        moments = Moments.of(stacked, classes, count, weights)
    return TrainingStatistics(
        schema=dataset.schema,
        cuts=wanted.cuts,
        unlabelled=unlabelled,
        weightless=int(len(dataset) - len(usable) - unlabelled),
        usable=class_tally(usable),
        learned=class_tally(rows),
        coded_inputs=np.array(coded, dtype=np.intp),
        cardinality=tuple(sizes),
        cells=_cells(columns, sizes, classes, count, weights),
        pairs=_pairs(columns, sizes, classes, count, weights, wanted.missing.learns) if wanted.pairs else None,
        unknown_pairs=wanted.missing.learns,
        measured_inputs=np.array(numbers, dtype=np.intp),
        moments=moments,
        tables=tuple(_table(rows, position, count, wanted.numbers) for position in numbers)
        if wanted.numbers in ("values", "extremes")
        else (),
    )


def _check_lowest(rows: Dataset, positions: list[int], density: Density) -> None:
    for position in positions:
        column = rows.input_columns[position]
        least = float(np.nanmin(column, initial=np.inf))
        if least < density.lowest:
            raise too_low(rows.inputs[position], least, density)


def class_tally(rows: Dataset) -> Tally:
    """Return the (C,) rows of each class, of rows of known class."""
    count = len(rows.class_values)
    number = np.bincount(rows.classes, minlength=count)
    if rows.row_weights is None:
        return Tally(number.astype(np.float64))
    weight = np.bincount(rows.classes, weights=rows.row_weights, minlength=count)
    return Tally(weight.astype(np.float64), number.astype(np.int64))


def _cells(
    columns: list[NDArray[Any]], sizes: list[int], classes: NDArray[Any], count: int, weights: FloatArray | None
) -> Tally:
    offset = block_offset(sizes)
    cells = kernels.class_counts(columns, offset, classes, count, weights)
    if weights is None:
        return Tally(cells)
    return Tally(cells, kernels.class_counts(columns, offset, classes, count).astype(np.int64))


def _pairs(
    columns: list[NDArray[Any]],
    sizes: list[int],
    classes: NDArray[Any],
    count: int,
    weights: FloatArray | None,
    with_unknown: bool,
) -> Tally:
    if with_unknown:
        # unknown takes the place behind the values, unseen that behind it, which is not counted
        moved = [np.append(np.arange(size), [size + 1, size]).astype(code_dtype(size)) for size in sizes]
        columns = [mapping[column] for mapping, column in zip(moved, columns, strict=True)]
        sizes = [size + 1 for size in sizes]
    needed = pair_table_bytes(sizes, count)
    if needed > LARGEST_PAIRS:
        raise EvaluationError(
            f"the counts of all pairs of values would take {needed / 1e9:.3g} GB, at most {LARGEST_PAIRS / 1e9:.3g} GB "
            "are kept; name a discretizer with fewer intervals, or leave out attributes with many values"
        )
    first = first_value(sizes)
    cells = kernels.pair_counts(columns, first, classes, count, weights)
    if weights is None:
        return Tally(cells)
    rows = kernels.pair_counts(columns, first, classes, count).astype(np.int64)
    return Tally(np.where(rows == 0, 0.0, cells), rows)


def _table(rows: Dataset, position: int, count: int, numbers: Numbers) -> ValueTable:
    column = rows.input_columns[position]
    if numbers == "values":
        return ValueTable.of(column, rows.classes, count, rows.row_weights)
    known = column[~np.isnan(column)]
    ends = np.array([known.min(), known.max()]) if len(known) else np.empty(0)
    return ValueTable.of(ends, np.zeros(len(ends), dtype=np.uint8), count)
