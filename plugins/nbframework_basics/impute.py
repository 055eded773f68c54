"""Missing policy impute: the mean or the most frequent value of the training rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.authoring import Dataset, FittedMissingPolicy, MissingPolicy, hookimpl


@dataclass(frozen=True, kw_only=True)
class Impute(MissingPolicy):
    """Replace unknown numbers by the weighted mean and unknown nominal values by the most frequent value.

    The lowest declared value wins a tie. An attribute without any known value gets 0 or its first declared value.
    Imputed numbers take part in the search for cut points. Weka calls this ReplaceMissingValues.
    """

    name: ClassVar[str] = "impute"
    cite: ClassVar[str] = "Witten & Frank 2005, section 10.3"
    exceptions: ClassVar[Mapping[str, str]] = {
        "names_change_nothing": "of equally frequent values the one declared first is put in",
    }

    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Learn what stands for an unknown value of each attribute."""
        return FittedImpute([_substitute(training, index) for index in training.input_indexes])


class FittedImpute(FittedMissingPolicy):
    """The policy with a substitute for each input."""

    def __init__(self, substitutes: list[float]) -> None:
        self.substitutes = substitutes

    def prepare_training(self, dataset: Dataset) -> Dataset:
        """Return the rows with all inputs known."""
        return self.prepare(dataset)

    def prepare(self, dataset: Dataset) -> Dataset:
        """Return the rows with all inputs known."""
        columns = list(dataset.columns)
        for index, substitute in zip(dataset.input_indexes, self.substitutes, strict=True):
            unknown = dataset.unknown(index)
            if unknown.any():
                column = columns[index].copy()
                column[unknown] = substitute
                column.flags.writeable = False
                columns[index] = column
        return Dataset(dataset.attributes, tuple(columns), dataset.class_index, dataset.row_weights, dataset.name)


def _substitute(training: Dataset, index: int) -> float:
    attribute, column = training.attributes[index], training.columns[index]
    known = ~training.unknown(index)
    weights = training.weights[known]
    if attribute.is_measured:
        return float(np.dot(column[known], weights) / weights.sum()) if known.any() else 0.0
    codes = np.bincount(column[known], weights=weights, minlength=attribute.cardinality)
    return float(np.argmax(codes[: attribute.cardinality])) if attribute.cardinality else attribute.unknown


@hookimpl
def nbframework_missing_policies() -> list[type[MissingPolicy]]:
    """Register the policy."""
    return [Impute]
