"""The log posterior of one row as a sum: prior, and what each factor contributes to each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.local import LocalModel
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.explain.changes import Change, smallest_change
from nbframework.parts.rows import Rows, Training
from nbframework.parts.structure import FittedFactoredStructure, FittedStructure

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one factor says about each class.

    Parameters
    ----------
    label
        The factor's name: an attribute, or several.
    value
        The row's value as text, ``?`` where unknown.
    log_factor
        (C,) log of the factor.
    weight
        (C,) its exponent.
    counts, known
        (C,) weight of the training rows of each class with this value, and with any known value; None where the
        factor is no table of counts.
    """

    label: str
    value: str
    log_factor: FloatArray
    weight: FloatArray
    counts: FloatArray | None
    known: FloatArray | None

    @property
    def contribution(self) -> FloatArray:
        """(C,) what it adds to the log joint probability, in nats; 0 x -inf is 0."""
        with np.errstate(invalid="ignore"):
            return np.where(self.weight == 0, 0.0, self.weight * self.log_factor)


@dataclass(frozen=True, eq=False)
class Explanation:
    """One prediction with its evidence.

    Parameters
    ----------
    class_values
        The C declared classes.
    predicted
        Code of the predicted class.
    log_posterior
        (C,) log posterior.
    log_joint
        (C,) log P(class, row), up to a constant.
    log_prior
        (C,) log prior; None where the structure is no product of factors.
    contributions
        The factors; their contributions and the log prior sum to ``log_joint``. Empty where the structure is no
        product.
    without
        For each attribute its name and the (C,) log posterior when its value is unknown.
    neighbours
        (row, weight) of the training rows that spoke, counted from 0, heaviest first; None where all rows did.
    change
        The smallest change found that changes the prediction, or None.
    """

    class_values: tuple[str, ...]
    predicted: int
    log_posterior: FloatArray
    log_joint: FloatArray
    log_prior: FloatArray | None
    contributions: tuple[Contribution, ...]
    without: tuple[tuple[str, FloatArray], ...]
    neighbours: tuple[tuple[int, float], ...] | None
    change: Change | None

    @property
    def posterior(self) -> FloatArray:
        """(C,) posterior."""
        return np.exp(self.log_posterior)

    def _repr_html_(self) -> str:
        from nbframework.explain.rendering import as_html

        return as_html(self)

    def __str__(self) -> str:
        from nbframework.explain.rendering import as_text

        return as_text(self)


def explain(fitted: FittedClassifier, dataset: Dataset, row: int = 0, changes: bool = True) -> Explanation:
    """Return the evidence for the prediction of one row.

    Parameters
    ----------
    fitted
        The classifier.
    dataset
        Holds the row; attributes and values are matched by name.
    row
        Its index, from 0.
    changes
        Whether to search for the smallest change of the prediction.

    Raises
    ------
    EvaluationError
        Where there is no such row.
    """
    if not 0 <= row < len(dataset):
        raise EvaluationError(f"row {row + 1}: the data have {len(dataset)} rows")
    query = aligned(dataset.take([row]), fitted.schema).dataset
    log_joint = fitted.rules.shifted(fitted.model.log_joint(query))
    log_posterior = fitted.predict_log_proba(query)
    predicted = int(fitted.predicted(log_posterior)[0])
    prior, contributions, neighbours = _pieces(fitted, query)
    return Explanation(
        fitted.class_values,
        predicted,
        log_posterior[0],
        log_joint[0],
        None if prior is None else fitted.rules.shifted(prior),
        contributions,
        tuple(_without_each(fitted, query)),
        neighbours,
        smallest_change(fitted, query) if changes else None,
    )


def _pieces(
    fitted: FittedClassifier, query: Dataset
) -> tuple[FloatArray | None, tuple[Contribution, ...], tuple[tuple[int, float], ...] | None]:
    model = fitted.model
    if isinstance(model, GlobalModel):
        rows = model.encoder.queries(query)
        prior, contributions = _factors(model.structure, model.weights, rows, model.training, None)
        return prior, contributions, None
    if isinstance(model, LocalModel):
        found = model.around(query)
        if found is None:
            return None, (), ()
        prior, contributions = _factors(found.structure, found.weights, found.queries, found.training, found.group)
        return prior, contributions, _heaviest(found.training)
    return None, (), None


def _factors(
    structure: FittedStructure,
    weights: FloatArray | None,
    rows: Rows,
    training: Training,
    group: NDArray[np.intp] | None,
) -> tuple[FloatArray | None, tuple[Contribution, ...]]:
    if not isinstance(structure, FittedFactoredStructure):
        return None, ()
    prior = structure.log_prior(rows, group)[0]
    factors = structure.log_factors(rows, group)[0]
    exponents = np.ones_like(factors) if weights is None else np.broadcast_to(_first(weights, group), factors.shape)
    contributions = tuple(
        Contribution(label, _shown(rows, label), factors[:, f], exponents[:, f], *_support(training, rows, label))
        for f, label in enumerate(structure.labels)
    )
    return prior, contributions


def _first(weights: FloatArray, group: NDArray[np.intp] | None) -> FloatArray:
    return weights if group is None else np.asarray(weights[group[0]])


def _shown(rows: Rows, label: str) -> str:
    """Return the row's value of the attribute called ``label``, or nothing where the label is no attribute."""
    for attribute, column in zip(rows.inputs, rows.dataset.input_columns, strict=True):
        if attribute.name != label:
            continue
        if attribute.values is not None:
            code = int(column[0])
            return (
                attribute.values[code]
                if code < attribute.cardinality
                else ("?" if code > attribute.unseen else "unseen")
            )
        return "?" if np.isnan(column[0]) else f"{column[0]:g}"
    return ""


def _support(training: Training, rows: Rows, label: str) -> tuple[FloatArray | None, FloatArray | None]:
    names = [rows.inputs[position].name for position in rows.coded_inputs]
    if label not in names or not training.source_codes.columns:
        return None, None
    j = names.index(label)
    counts = training.counts
    cells = counts.cells[0] if counts.cells.ndim > 2 else counts.cells
    known = counts.known[0] if counts.known.ndim > 2 else counts.known
    if cells.shape[-1] != rows.codes.offset[-1]:
        return None, None
    return np.asarray(cells[:, counts.offset[j] + int(rows.codes.columns[j][0])]), np.asarray(known[:, j])


def _heaviest(training: Training) -> tuple[tuple[int, float], ...]:
    rows = np.arange(len(training)) if training.selection is None else training.selection
    order = np.argsort(-training.weights, kind="stable")
    return tuple((int(rows[i]), float(training.weights[i])) for i in order)


def _without_each(fitted: FittedClassifier, query: Dataset) -> list[tuple[str, FloatArray]]:
    """Return the log posterior without each attribute: its value made unknown."""
    result = []
    for index in query.input_indexes:
        attribute, columns = query.attributes[index], list(query.columns)
        columns[index] = np.full(1, attribute.unknown if attribute.is_nominal else np.nan)
        blank = Dataset.from_columns(query.attributes, columns, query.class_attribute.name)
        result.append((attribute.name, fitted.predict_log_proba(blank)[0]))
    return result
