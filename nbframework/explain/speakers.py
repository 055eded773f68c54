"""Which training rows spoke for a case, and what they are called where the user looks for them."""

from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import Encoder
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.local import LocalModel
from nbframework.data.dataset import Dataset
from nbframework.parts.classifier import RowEncoder
from nbframework.parts.rows import Training

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@runtime_checkable
class ChoosesRows(Protocol):
    """A whole classifier that asks some of its training rows, which it encoded itself."""

    @property
    def encoder(self) -> RowEncoder:
        """What encoded them."""

    @property
    def training(self) -> Training:
        """All training rows."""

    def chosen_rows(self, query: Dataset) -> IntArray | None:
        """Return the (m,) places of those among the training rows that one row asks, nearest first; None for all."""


def chosen_rows(fitted: FittedClassifier, query: Dataset) -> tuple[tuple[int, float], ...] | None:
    """Return (row, weight) of the training rows that a whole classifier chose for one row; None where it chose none.

    Rows are counted as in `speaking_rows`.
    """
    model = fitted.model
    if not isinstance(model, ChoosesRows) or (rows := model.chosen_rows(query)) is None:
        return None
    return _in_order(fitted, model.encoder, model.training, rows, model.training.weights[rows])


def speaking_rows(
    fitted: FittedClassifier, query: Dataset, rows: IntArray, weights: FloatArray
) -> tuple[tuple[int, float], ...]:
    """Return (row, weight) of the training rows that spoke, heaviest first.

    Parameters
    ----------
    fitted
        A lazy classifier.
    query
        One row under its schema.
    rows, weights
        (m,) places among the training rows, and weights, of the small model's training set.

    Returns
    -------
    tuple
        Rows are counted from 0 among the rows that can be learned from, those of known class and positive weight.
        Where a structure reads class weights only, weights are shares of the heaviest: they may be too small for
        numbers of their own.
    """
    model = fitted.model
    if not isinstance(model, LocalModel):
        return ()
    if model.structure.reads == "class weights":
        near = model.neighbourhood.around(model.encoder.queries(query))
        with np.errstate(divide="ignore"):
            logs = near.log_weight + np.log(model.training.weights[near.row])
        row, weight = near.row, np.exp(logs - logs.max(initial=-np.inf)) if np.isfinite(logs).any() else 0 * logs
        row, weight = row[weight > 0], weight[weight > 0]
        row = row if model.training.selection is None else model.training.selection[row]
    else:
        row, weight = rows, weights
    return _in_order(fitted, model.encoder, model.training, row, weight)


def _in_order(
    fitted: FittedClassifier, encoder: RowEncoder, training: Training, row: IntArray, weight: FloatArray
) -> tuple[tuple[int, float], ...]:
    """Return rows by the numbers that the user has for them, with their weights, heaviest first."""
    number = _numbers(fitted, encoder, len(training.source))
    order = np.argsort(-weight, kind="stable")
    return tuple((int(number[row[i]]), float(weight[i])) for i in order)


def _numbers(fitted: FittedClassifier, encoder: RowEncoder, prepared: int) -> IntArray:
    """Return the (m,) place of each prepared row among the rows that the classifier was given."""
    given = fitted.training
    if given is None or len(given) == prepared or not isinstance(encoder, Encoder):
        return np.arange(prepared)
    # weights stay with their rows whatever the policy leaves out, so they serve as labels
    labelled = replace(given, row_weights=np.arange(1, len(given) + 1, dtype=np.float64))
    labels = encoder.missing.prepare_training(labelled).row_weights
    if labels is None or len(labels) != prepared:
        return np.arange(prepared)
    return labels.astype(np.intp) - 1
