"""The smallest change of a row that changes its prediction."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.local import LocalModel
from nbframework.data.dataset import Dataset

FloatArray = NDArray[np.float64]
MOST_STEPS = 3
"""How many attributes a change may touch."""


@dataclass(frozen=True)
class Change:
    """New values of a few attributes, and the class that is predicted then.

    Parameters
    ----------
    values
        (attribute, old value, new value) as texts.
    predicted
        The new prediction.
    posterior
        Its posterior.
    """

    values: tuple[tuple[str, str, str], ...]
    predicted: str
    posterior: float


def smallest_change(fitted: FittedClassifier, query: Dataset) -> Change | None:
    """Return a change of as few attributes as possible, one at a time, each time the most telling one.

    One attribute is tried with all its other values: the declared ones, or one number in each other interval (or
    quantile of the training values). Where no single change suffices, the one that lowers the posterior of the
    prediction most is kept and another attribute is changed, up to three.

    Parameters
    ----------
    fitted
        The classifier.
    query
        One row under its schema.
    """
    original = int(fitted.predict(query)[0])
    current = query
    changed: set[int] = set()
    for _ in range(MOST_STEPS):
        options = _variations(fitted, current, changed)
        if options is None:
            return None
        varied, touched = options
        log_posterior = fitted.predict_log_proba(varied)
        predicted = fitted.predicted(log_posterior)
        flips = np.flatnonzero(predicted != original)
        if len(flips):
            best = flips[np.argmax(log_posterior[flips].max(axis=1))]
            return _described(
                fitted, query, varied.take([best]), int(predicted[best]), float(log_posterior[best].max())
            )
        best = int(np.argmin(log_posterior[:, original]))
        current = varied.take([best])
        changed.add(touched[best])
    return None


def _variations(fitted: FittedClassifier, query: Dataset, changed: set[int]) -> tuple[Dataset, list[int]] | None:
    """Return every other value of every attribute that is not changed yet, one row each."""
    alternatives = [
        (index, values)
        for position, index in enumerate(query.input_indexes)
        if index not in changed and len(values := _other_values(fitted, query, position, index))
    ]
    total = sum(len(values) for _, values in alternatives)
    if not total:
        return None
    repeated = query.take(np.zeros(total, dtype=np.intp))
    columns = [column.copy() for column in repeated.columns]
    touched: list[int] = []
    for index, values in alternatives:
        first = len(touched)
        columns[index][first : first + len(values)] = values
        touched += [index] * len(values)
    return Dataset.from_columns(query.attributes, columns, query.class_attribute.name), touched


def _other_values(fitted: FittedClassifier, query: Dataset, position: int, index: int) -> FloatArray:
    attribute, value = query.attributes[index], query.columns[index][0]
    if attribute.is_nominal:
        return np.array([code for code in range(attribute.cardinality) if code != value], dtype=np.float64)
    model = fitted.model
    if not isinstance(model, GlobalModel | LocalModel):
        return np.empty(0)
    if position in model.encoder.cuts:
        cuts = model.encoder.cuts[position]
        if not len(cuts):
            return np.empty(0)
        sides = np.array([*map(_up_to, [-np.inf, *cuts[:-1]], cuts), _above(cuts[-1])])
        own = int(np.searchsorted(cuts, value)) if not np.isnan(value) else -1
        return np.delete(sides, own) if own >= 0 else sides
    known = model.training.dataset.input_columns[position]
    known = known[~np.isnan(known)]
    return np.unique(np.quantile(known, np.linspace(0, 1, 11))) if len(known) else np.empty(0)


def _up_to(low: float, cut: float) -> float:
    """Return a short number of the interval that ends with a cut, which belongs to it, near the cut."""
    number, step = _short(cut)
    if float(number) > cut:
        number -= step
    return float(number) if float(number) > low else float(cut)


def _above(cut: float) -> float:
    """Return a short number above a cut, near it."""
    number, step = _short(cut)
    if float(number) <= cut:
        number += step
    return float(max(float(number), np.nextafter(cut, np.inf)))


def _short(number: float) -> tuple[Decimal, Decimal]:
    """Return a number with six digits at most, and one unit of the last one that it needs."""
    short = Decimal(f"{number:.6g}")
    return short, Decimal((0, (1,), int(short.as_tuple().exponent)))


def _described(
    fitted: FittedClassifier, before: Dataset, after: Dataset, predicted: int, log_posterior: float
) -> Change:
    values = []
    for index in before.input_indexes:
        old, new = (_text(data, index) for data in (before, after))
        if old != new:
            values.append((before.attributes[index].name, old, new))
    return Change(tuple(values), fitted.class_values[predicted], float(np.exp(log_posterior)))


def _text(dataset: Dataset, index: int) -> str:
    attribute, value = dataset.attributes[index], dataset.columns[index][0]
    if attribute.values is not None:
        return attribute.values[int(value)] if value < attribute.cardinality else "?"
    return "?" if np.isnan(value) else repr(float(value))
