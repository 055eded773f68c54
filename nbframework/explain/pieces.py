"""What each kind of model has to tell of one row: factors, terms, neighbours and formulas."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.local import LocalModel
from nbframework.data.dataset import Dataset
from nbframework.explain.contribution import Contribution
from nbframework.explain.speakers import chosen_rows, speaking_rows
from nbframework.explain.structure_words import structure_words
from nbframework.explain.support import Behind
from nbframework.parts.estimator import Estimator
from nbframework.parts.rows import Rows, Training
from nbframework.parts.structure import FittedFactoredStructure, FittedStructure, Structure

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pieces:
    """What a model's kind decides of an explanation."""

    prior: FloatArray | None = None
    contributions: tuple[Contribution, ...] = ()
    smoothing: Mapping[str, str] = field(default_factory=dict)
    neighbours: tuple[tuple[int, float], ...] | None = None
    terms: tuple[tuple[str, FloatArray], ...] = ()
    letters: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    structure: str = ""
    votes: bool = False


def pieces_of(fitted: FittedClassifier, query: Dataset) -> Pieces:
    """Return what the model of a fitted classifier has to tell of one row under its schema."""
    model = fitted.model
    if isinstance(model, GlobalModel):
        rows, parts = model.encoder.queries(query), model.parts
        pieces = _factors(model.structure, parts.estimator, model.weights, rows, model.training, None)
        return _with_structure(pieces, parts.structure)
    if isinstance(model, LocalModel):
        found = model.around(query)
        if found is None:
            return Pieces(neighbours=())
        pieces = _factors(found.structure, model.estimator, found.weights, found.queries, found.training, found.group)
        speaking = speaking_rows(fitted, query, found.rows, found.training.weights)
        return replace(_with_structure(pieces, model.structure), neighbours=speaking)
    return Pieces(neighbours=chosen_rows(fitted, query))


def _with_structure(pieces: Pieces, structure: Structure) -> Pieces:
    return replace(pieces, structure=structure_words(structure)) if pieces.exceptions else pieces


def _factors(
    structure: FittedStructure,
    estimator: Estimator,
    weights: FloatArray | None,
    rows: Rows,
    training: Training,
    group: NDArray[np.intp] | None,
) -> Pieces:
    if not isinstance(structure, FittedFactoredStructure):
        return Pieces(terms=_terms(structure, rows) if group is None else ())
    prior = structure.log_prior(rows, group)[0]
    factors = structure.log_factors(rows, group)[0]
    exponents = np.ones_like(factors) if weights is None else np.broadcast_to(_first(weights, group), factors.shape)
    behind = Behind(structure, estimator, training, rows)
    contributions = tuple(
        Contribution(
            label,
            ", ".join(_shown(rows, name) for name in behind.members(f)),
            factors[:, f],
            exponents[:, f],
            behind.factor(f, factors[:, f]),
            tuple(f"{(name := rows.inputs[at].name)} = {_shown(rows, name)}" for at in behind.parents(f)),
        )
        for f, label in enumerate(structure.labels)
    )
    by_formula = any(contribution.support.by_formula for contribution in contributions)
    formulas = {
        "conditional": behind.conditional_formula() if by_formula else None,
        "prior": behind.prior_formula(prior),
    }
    declared = {name: formula for name, formula in formulas.items() if formula is not None}
    return Pieces(
        prior,
        contributions,
        {name: formula.text for name, formula in declared.items()},
        letters=tuple(dict.fromkeys(letter for formula in declared.values() for letter in formula.letters)),
        exceptions=tuple(one.label for one in contributions if one.support.by_formula is False),
        votes=behind.votes_only,
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
