"""Classifiers that are rebuilt from sums over their training rows, grow by those of further rows, and shrink again."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.decision import CLASS_KEYS
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.from_statistics import fit_statistics, with_cuts
from nbframework.classifier.gathering import class_tally, gathering, statistics_of
from nbframework.classifier.model import Classifier, Seed
from nbframework.classifier.statistics_arrays import arrays_of, statistics_from
from nbframework.classifier.training import check_schema
from nbframework.classifier.training_statistics import TrainingStatistics
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, WrongTypeError
from nbframework.parts import Part
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.statistics.counts import count
from nbframework.statistics.tally import Tally

Array = NDArray[Any]


def state_of(fitted: FittedClassifier) -> dict[str, Array] | None:
    """Return what a model learned as arrays, or None where it was fitted from rows and needs them.

    A classifier that was fitted from sums is always described by them. One that was fitted from rows is where its
    counts are all that it learned, weights apart, which stand beside them.
    """
    model = fitted.model
    if not isinstance(model, GlobalModel):
        return None
    statistics = fitted.statistics
    if statistics is None:
        # the recipe does not say which values were chosen; they are chosen again from the rows
        by_rows = fitted.structure_reads == "rows" or not fitted.policy_is_plain or fitted.chosen
        if by_rows or len(model.training.measured_inputs):
            return None
        statistics = _counted(fitted, model)
    counted = with_cuts(statistics, model.encoder.discretizer, dict(model.encoder.cuts))
    state = arrays_of(counted)
    if model.weights is not None:
        state["exponents"] = np.asarray(model.weights)
    return state


def restored(
    classifier: Classifier, schema: Dataset, arrays: dict[str, Array], notes: tuple[str, ...], unlabelled: int = 0
) -> FittedClassifier:
    """Return the classifier that `state_of` described, under the estimator, prior and rules of ``classifier``.

    The notes and the number of rows without a class are those of the classifier that was described.

    Raises
    ------
    DataError
        Where the arrays do not fit each other or the schema.
    """
    exponents = np.asarray(arrays["exponents"], dtype=np.float64) if "exponents" in arrays else None
    statistics = replace(statistics_from(schema, arrays), unlabelled=unlabelled)
    return fit_statistics(classifier, statistics, notes, exponents)


def fitted_on_sums(classifier: Classifier, dataset: Dataset, seed: Seed = 0) -> FittedClassifier:
    """Return the classifier of some rows of which only sums are kept, so that others can be added.

    Raises
    ------
    EvaluationError
        Where the recipe learns more than sums over rows, naming the part.
    """
    check_schema(dataset)
    return fit_statistics(classifier, statistics_of(dataset, gathering(classifier, dataset)), seed=seed)


def updated(fitted: FittedClassifier, dataset: Dataset) -> FittedClassifier:
    """Return the classifier of the rows so far and of some more; see `FittedClassifier.partial_fit`."""
    classifier = _classifier(fitted)
    check_schema(dataset)
    further = statistics_of(dataset, gathering(classifier, dataset))
    return _refitted(fitted, classifier, _statistics(fitted, classifier).merge(further))


def merged(first: FittedClassifier, second: FittedClassifier) -> FittedClassifier:
    """Return the classifier of the rows of two; see `FittedClassifier.merge`."""
    classifier = _same_recipe(first, second)
    total = _statistics(first, classifier).merge(_statistics(second, classifier))
    notes = tuple(dict.fromkeys((*first.further_notes, *second.further_notes)))
    return _refitted(replace(first, further_notes=notes), classifier, total)


def subtracted(fitted: FittedClassifier, part: FittedClassifier) -> FittedClassifier:
    """Return the classifier without some of its rows; see `FittedClassifier.subtract`."""
    classifier = _same_recipe(fitted, part)
    left = _statistics(fitted, classifier).subtract(_statistics(part, classifier))
    return _refitted(fitted, classifier, left)


def _refitted(fitted: FittedClassifier, classifier: Classifier, statistics: TrainingStatistics) -> FittedClassifier:
    return fit_statistics(classifier, statistics, fitted.further_notes, seed=fitted.seed)


def _classifier(fitted: FittedClassifier) -> Classifier:
    if fitted.classifier is None:
        raise EvaluationError("this model does not know its recipe, so that no rows can be added or taken away")
    return fitted.classifier


def _same_recipe(first: FittedClassifier, second: FittedClassifier) -> Classifier:
    if not isinstance(second, FittedClassifier):
        raise WrongTypeError(
            f"expected a FittedClassifier, found {type(second).__name__}; partial_fit(dataset) adds rows of a Dataset"
        )
    mine, theirs = _classifier(first), _classifier(second)
    if type(mine) is not type(theirs):
        raise EvaluationError("the models are of different recipes: one of them has tuned parameters")
    ours, others = _described(mine), _described(theirs)
    if differing := [key for key in ours if ours[key] != others[key]]:
        told = "; ".join(_difference(key, others[key], ours[key]) for key in differing)
        raise EvaluationError(f"the models are of different recipes: {told}")
    return mine


def _difference(key: str, found: Any, expected: Any) -> str:
    """Return what two recipes say of a key: names of parts, and their parameters only where the names are the same."""
    if isinstance(found, Part) and isinstance(expected, Part) and found.name != expected.name:
        found, expected = found.name, expected.name
    return f"{key}: found {found!r}, expected {expected!r}"


def _described(classifier: Classifier) -> dict[str, Any]:
    """Return everything that a recipe decides, by the keys that it writes."""
    found = {field.name: getattr(classifier, field.name) for field in fields(classifier)}
    rules = found.pop("class_rules")
    prior = found.pop("prior")
    named = {{"whole": "classifier"}.get(key, key): value for key, value in found.items()}
    return named | {"prior": prior or classifier.estimator} | {key: getattr(rules, key) for key in CLASS_KEYS}


def _statistics(fitted: FittedClassifier, classifier: Classifier) -> TrainingStatistics:
    """Return the sums over the training rows, whichever way the model was fitted."""
    if fitted.statistics is not None:
        return fitted.statistics
    wanted = gathering(classifier, fitted.schema)
    if fitted.training is None:
        raise EvaluationError("this model was fitted as one fold of many and keeps no training rows; use fit")
    return replace(statistics_of(fitted.training, wanted), unlabelled=fitted.unlabelled)


def _counted(fitted: FittedClassifier, model: GlobalModel) -> TrainingStatistics:
    """Return the counts of a model that was fitted from rows, as they were before the policy's denominators."""
    training = model.training
    raw = replace(training, missing=FittedMissingPolicy()).counts
    cells, learned = Tally(raw.cells), Tally(raw.class_weight)
    usable = Tally(fitted.class_weight)
    if training.row_weights is not None:
        number = count(training.source_codes, training.class_codes, training.class_count, rows=training.selection)
        cells = Tally(raw.cells, number.cells.astype(np.int64))
        learned = Tally(raw.class_weight, number.class_weight.astype(np.int64))
        usable = class_tally(fitted.training) if fitted.training is not None else replace(usable, rows=learned.rows)
    return TrainingStatistics(
        schema=fitted.schema,
        cuts=dict(model.encoder.cuts),
        unlabelled=fitted.unlabelled,
        weightless=0,
        usable=usable,
        learned=learned,
        coded_inputs=training.coded_inputs,
        cardinality=training.source_codes.cardinality,
        cells=cells,
        pairs=None,
        unknown_pairs=False,
        measured_inputs=np.empty(0, dtype=np.intp),
        moments=None,
        tables=(),
    )
