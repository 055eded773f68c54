"""Compositions that are rebuilt from their counts, without any training row, and grow by the counts of further rows."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.encoding import Encoder
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.model import Classifier
from nbframework.data.codes import Codes, block_offset
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, EvaluationError
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Training
from nbframework.statistics.counts import from_cells

Array = NDArray[Any]


def state_of(fitted: FittedClassifier) -> dict[str, Array] | None:
    """Return what a model learned as arrays, or None where counts alone do not rebuild it."""
    model = fitted.model
    if not isinstance(model, GlobalModel) or fitted.structure_reads == "rows" or not fitted.policy_is_plain:
        return None
    if fitted.chosen:
        # the recipe does not say which values were chosen; they are chosen again from the rows
        return None
    training = model.training
    if len(training.measured_inputs):
        return None
    raw = replace(training, missing=FittedMissingPolicy()).counts
    state: dict[str, Array] = {
        "cells": raw.cells,
        "class_weight": raw.class_weight,
        "cardinality": np.asarray(training.source_codes.cardinality, dtype=np.int64),
        "coded_inputs": training.coded_inputs.astype(np.int64),
        "training_class_weight": fitted.class_weight,
    }
    if raw.support is not None:
        state["support"] = raw.support
    if model.weights is not None:
        state["exponents"] = np.asarray(model.weights)
    return state | {f"cuts{position}": cuts for position, cuts in model.encoder.cuts.items()}


def restored(
    classifier: Classifier, schema: Dataset, arrays: dict[str, Array], notes: tuple[str, ...]
) -> FittedClassifier:
    """Return the classifier that `state_of` described, under the estimator, prior and rules of ``classifier``.

    Raises
    ------
    DataError
        Where the arrays do not fit each other or the schema.
    """
    parts = classifier.composition
    cardinality = tuple(int(size) for size in arrays["cardinality"].tolist())
    offset = block_offset(cardinality)
    count = len(schema.class_values)
    cells = np.asarray(arrays["cells"], dtype=np.float64)
    coded = np.asarray(arrays["coded_inputs"], dtype=np.intp)
    class_weight = np.asarray(arrays["class_weight"], dtype=np.float64)
    shapes = (cells.shape, class_weight.shape, arrays["training_class_weight"].shape, coded.shape)
    if shapes != ((count, int(offset[-1])), (count,), (count,), (len(cardinality),)):
        raise DataError(f"the model's counts have the shapes {shapes}, which do not fit its schema")
    if (coded < 0).any() or (coded >= len(schema.inputs)).any() or not np.isfinite(cells).all() or (cells < 0).any():
        raise DataError("the model's counts are not finite numbers of at least 0 over its attributes")
    cuts = {
        int(name.removeprefix("cuts")): np.asarray(values, dtype=np.float64)
        for name, values in arrays.items()
        if name.startswith("cuts")
    }
    support = np.asarray(arrays["support"], dtype=np.int64) if "support" in arrays else None
    policy = parts.missing.fit(schema)
    empty = tuple(np.empty(0, dtype=np.uint8) for _ in cardinality)
    counts = from_cells(cells, offset, class_weight, np.asarray(cardinality, dtype=np.float64), support)
    training = Training(
        schema,
        None,
        Codes(empty, cardinality, 0),
        np.empty((0, 0)),
        coded,
        np.empty(0, dtype=np.intp),
        np.empty(0, dtype=np.intp),
        count,
        None,
        policy,
        known_counts=counts,
    )
    structure = parts.structure.fit(training, parts.estimator, parts.density)
    exponents = np.asarray(arrays["exponents"], dtype=np.float64) if "exponents" in arrays else None
    model = GlobalModel(Encoder(policy, parts.discretizer, cuts), training, structure, exponents, parts)
    weight = np.asarray(arrays["training_class_weight"], dtype=np.float64)
    return classifier.restored(model, schema, weight, notes)


def updated(classifier: Classifier, fitted: FittedClassifier | None, dataset: Dataset) -> FittedClassifier:
    """Return the classifier of the rows that were fitted so far and of some more, by adding their counts.

    For whole weights the result is that of fitting all rows together, for others to rounding.

    Parameters
    ----------
    classifier
        What was fitted.
    fitted
        The classifier so far; None before the first rows.
    dataset
        Further rows under the same schema.

    Raises
    ------
    EvaluationError
        Where more than counts was learned, or the schemas differ.
    """
    further = classifier.fit(dataset)
    after = _counts_only(classifier, further)
    if fitted is None:
        return further
    if dataset.attributes != fitted.schema.attributes or dataset.class_index != fitted.schema.class_index:
        raise EvaluationError("further rows need the attributes and values of those that were fitted")
    before = _counts_only(classifier, fitted)
    total = {name: before[name] + after[name] for name in ("cells", "class_weight", "training_class_weight")}
    if "support" in before or "support" in after:
        total["support"] = _support(before) + _support(after)
    notes = tuple(dict.fromkeys((*fitted.notes, *further.notes)))
    return restored(classifier, fitted.schema, {**before, **total}, notes)


def _counts_only(classifier: Classifier, fitted: FittedClassifier) -> dict[str, Array]:
    state = state_of(fitted)
    for attribute in fitted.schema.inputs:
        if attribute.is_measured:
            raise EvaluationError(
                f"attribute {attribute.name!r} is {attribute.kind}: neither cut points nor densities of further rows "
                "can be added to those so far"
            )
    if state is None or not classifier.weights.is_uniform:
        raise EvaluationError("this recipe learns more than counts from its rows, so that further ones cannot be added")
    return state


def _support(state: dict[str, Array]) -> NDArray[np.int64]:
    """Return numbers of rows behind the cells; of whole weights it is known only whether there are any."""
    return np.asarray(state["support"] if "support" in state else state["cells"] > 0, dtype=np.int64)
