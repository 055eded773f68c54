"""The log posterior of one row as a sum: prior, and what each factor contributes to each class."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.local import LocalModel
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.explain.changes import Change, smallest_change
from nbframework.explain.speakers import speaking_rows
from nbframework.explain.support import NO_SUPPORT, Behind, Support
from nbframework.parts.classifier import Reasoned
from nbframework.parts.estimator import Estimator
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
    support
        The training rows behind it, and what smoothing adds to them.
    given
        The row's values of the attributes that the factor looks at besides its own, as texts.
    """

    label: str
    value: str
    log_factor: FloatArray
    weight: FloatArray
    support: Support = NO_SUPPORT
    given: tuple[str, ...] = ()

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
        (row, weight) of the training rows that spoke, heaviest first; None where all rows did. Rows are counted from 0
        among those of known class and positive weight. Weights of a mere vote are shares of the heaviest.
    change
        The smallest change found that changes the prediction, or None.
    smoothing
        The formulas of the estimator by what they give, ``conditional`` and ``prior``, as far as it declares them.
    terms
        For a sum over parents, such as AODE's: the name of each and the (C,) log of its term, in nats; the log of the
        sum of their exponentials is ``log_joint``. Empty for other structures.
    reasons
        What the prediction rests on, in words, as far as a whole classifier tells.
    letters
        What the letters of the formulas of ``smoothing`` are, such as "k values of the attribute".
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
    smoothing: Mapping[str, str]
    terms: tuple[tuple[str, FloatArray], ...] = ()
    reasons: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()

    @property
    def posterior(self) -> FloatArray:
        """(C,) posterior."""
        return np.exp(self.log_posterior)

    def odds(self, nats: FloatArray) -> FloatArray:
        """(C,) what nats by class do to the odds of each class against the predicted one, as a factor.

        The prior's odds times those of all contributions are the posterior odds; NaN where both classes are excluded.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(np.exp(nats - nats[self.predicted]))

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
    pieces = _pieces(fitted, query)
    return Explanation(
        fitted.class_values,
        predicted,
        log_posterior[0],
        log_joint[0],
        None if pieces.prior is None else fitted.rules.shifted(pieces.prior),
        pieces.contributions,
        tuple(_without_each(fitted, query)),
        pieces.neighbours,
        smallest_change(fitted, query) if changes else None,
        pieces.smoothing,
        tuple((label, fitted.rules.shifted(term[np.newaxis])[0]) for label, term in pieces.terms),
        fitted.model.reasons(query) if isinstance(fitted.model, Reasoned) else (),
        pieces.letters,
    )


@dataclass(frozen=True, eq=False)
class _Pieces:
    """What a model's kind decides of an explanation."""

    prior: FloatArray | None = None
    contributions: tuple[Contribution, ...] = ()
    smoothing: Mapping[str, str] = field(default_factory=dict)
    neighbours: tuple[tuple[int, float], ...] | None = None
    terms: tuple[tuple[str, FloatArray], ...] = ()
    letters: tuple[str, ...] = ()


def _pieces(fitted: FittedClassifier, query: Dataset) -> _Pieces:
    model = fitted.model
    if isinstance(model, GlobalModel):
        rows = model.encoder.queries(query)
        return _factors(model.structure, model.parts.estimator, model.weights, rows, model.training, None)
    if isinstance(model, LocalModel):
        found = model.around(query)
        if found is None:
            return _Pieces(neighbours=())
        pieces = _factors(found.structure, model.estimator, found.weights, found.queries, found.training, found.group)
        return replace(pieces, neighbours=speaking_rows(fitted, query, found.rows, found.training.weights))
    return _Pieces()


def _factors(
    structure: FittedStructure,
    estimator: Estimator,
    weights: FloatArray | None,
    rows: Rows,
    training: Training,
    group: NDArray[np.intp] | None,
) -> _Pieces:
    if not isinstance(structure, FittedFactoredStructure):
        return _Pieces(terms=_terms(structure, rows) if group is None else ())
    prior = structure.log_prior(rows, group)[0]
    factors = structure.log_factors(rows, group)[0]
    exponents = np.ones_like(factors) if weights is None else np.broadcast_to(_first(weights, group), factors.shape)
    behind = Behind(structure, estimator, training, rows)
    contributions = tuple(
        Contribution(
            label,
            _shown(rows, label),
            factors[:, f],
            exponents[:, f],
            behind.factor(f, factors[:, f]),
            tuple(f"{(name := rows.inputs[at].name)} = {_shown(rows, name)}" for at in behind.parents(f)),
        )
        for f, label in enumerate(structure.labels)
    )
    has_counts = any(contribution.support.counts is not None for contribution in contributions)
    formulas = {
        "conditional": behind.conditional_formula() if has_counts else None,
        "prior": behind.prior_formula(prior),
    }
    declared = {name: formula for name, formula in formulas.items() if formula is not None}
    return _Pieces(
        prior,
        contributions,
        {name: formula.text for name, formula in declared.items()},
        letters=tuple(dict.fromkeys(letter for formula in declared.values() for letter in formula.letters)),
    )


def _terms(structure: FittedStructure, rows: Rows) -> tuple[tuple[str, FloatArray], ...]:
    """Return the terms of a structure that is their sum, those that are 0 for every class left out."""
    found = structure.log_terms(rows)
    if found is None:
        return ()
    labels, terms = found
    return tuple((label, term) for label, term in zip(labels, terms[0], strict=True) if not np.isneginf(term).all())


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


def _without_each(fitted: FittedClassifier, query: Dataset) -> list[tuple[str, FloatArray]]:
    """Return the log posterior without each attribute: its value made unknown."""
    result = []
    for index in query.input_indexes:
        attribute, columns = query.attributes[index], list(query.columns)
        columns[index] = np.full(1, attribute.unknown if attribute.is_nominal else np.nan)
        blank = Dataset.from_columns(query.attributes, columns, query.class_attribute.name)
        result.append((attribute.name, fitted.predict_log_proba(blank)[0]))
    return result
