"""Missing policy drop-rows: learn from complete rows only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.authoring import Dataset, FittedMissingPolicy, MissingPolicy, hookimpl


@dataclass(frozen=True, kw_only=True)
class DropRows(MissingPolicy):
    """Leave every training row with an unknown value out; in a query an unknown value's factor is left out."""

    name: ClassVar[str] = "drop-rows"
    cite: ClassVar[str] = "Hosein & Baboolal 2022, section 6.1"
    learns: ClassVar[bool] = False
    exceptions: ClassVar[Mapping[str, str]] = {
        "an_unknown_attribute_is_answered": "an attribute that is unknown in every row leaves no row to learn from",
    }

    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Return the policy at work; nothing is learned."""
        return FittedDropRows()


class FittedDropRows(FittedMissingPolicy):
    """The policy at work."""

    def prepare_training(self, dataset: Dataset) -> Dataset:
        """Return the rows without unknown inputs."""
        incomplete = np.zeros(len(dataset), dtype=bool)
        for index in dataset.input_indexes:
            incomplete |= dataset.unknown(index)
        return dataset.take(~incomplete) if incomplete.any() else dataset


@hookimpl
def nbframework_missing_policies() -> list[type[MissingPolicy]]:
    """Register the policy."""
    return [DropRows]
