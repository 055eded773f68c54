"""Exact leave-one-out by subtracting each row's own counts."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import FittingParts, training_rows
from nbframework.classifier.encoding import Encoder
from nbframework.classifier.local import BLOCK_CELLS
from nbframework.classifier.training import usable_rows
from nbframework.data.dataset import Dataset
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.statistics.leave_one_out import without_each

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Log joints of each row by the other rows, and the class weights of these others.

    Parameters
    ----------
    joint
        (n, C) log joint probabilities.
    class_weight
        (n, C) class weights without the row.
    """

    joint: FloatArray
    class_weight: FloatArray


def leave_one_out_joint(parts: FittingParts, dataset: Dataset) -> LeftOut | None:
    """Return the leave-one-out log joints, or None where a part learns more from a row than counts.

    The whole row is removed, whatever its weight.
    """
    if not adds(parts, dataset):
        return None
    policy = parts.missing.fit(dataset)
    encoder = Encoder(policy, parts.discretizer, {})
    training = training_rows(encoder.encode(dataset), policy, None, None)
    raw = replace(training, missing=FittedMissingPolicy()).counts
    cells = max(1, raw.cells.size)
    size = max(1, BLOCK_CELLS // cells)
    joint = np.empty((len(dataset), training.class_count))
    class_weight = np.empty_like(joint)
    for first in range(0, len(dataset), size):
        rows = np.arange(first, min(first + size, len(dataset)))
        left = without_each(raw, training.codes.columns, training.classes, training.weights, rows)
        block = replace(training, known_counts=left, start=np.zeros(len(rows) + 1, dtype=np.intp))
        structure = parts.structure.fit(block, parts.estimator, parts.density)
        joint[rows] = structure.log_joint(training.take(rows), np.arange(len(rows)))
        class_weight[rows] = left.class_weight
    return LeftOut(joint, class_weight)


def adds(parts: FittingParts, dataset: Dataset) -> bool:
    """Return whether leaving a row of this data set out means subtracting its counts, and no more."""
    if len(usable_rows(dataset).dataset) != len(dataset) or len(dataset) < 2:
        return False
    policy_adds = not parts.missing.learns and (
        type(parts.missing.fit(dataset)).prepare_training is FittedMissingPolicy.prepare_training
    )
    return (
        policy_adds
        and parts.neighbourhood.is_global
        and parts.weights.is_uniform
        and parts.structure.handles_groups
        and parts.structure.reads != "rows"
        and all(attribute.is_nominal for attribute in dataset.inputs)
    )
