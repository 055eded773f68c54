"""Missing policy auto: an unknown value is a value where it tells something about the class."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import (
    Codes,
    Counts,
    Dataset,
    FittedMissingPolicy,
    FloatArray,
    Ge,
    MissingPolicy,
    hookimpl,
    relative_entropy,
    unknown_as_value,
    with_denominators,
)


@dataclass(frozen=True, kw_only=True)
class Auto(MissingPolicy):
    """Decide for each attribute: unknown is one more value if KL(P(C | unknown) || P(C)) is large enough.

    Both distributions are smoothed by Laplace's law. Other attributes ignore unknown values. This is an option of
    MLC++ that the paper does not report.

    Parameters
    ----------
    threshold
        The least Kullback-Leibler divergence, in bits.
    support
        The least weight of training rows in which the attribute is unknown.
    denominator, cardinality
        As in the policy ignore.
    """

    name: ClassVar[str] = "auto"
    cite: ClassVar[str] = "MLC++ (Kohavi, Sommerfield & Dougherty 1996)"
    sufficient: ClassVar[Literal["unknown", "rows"]] = "unknown"
    threshold: Annotated[float, Ge(0)] = 0.1
    support: Annotated[float, Ge(0)] = 5.0
    denominator: Literal["exclude", "include"] = "exclude"
    cardinality: Literal["declared", "observed", "with-unknown"] = "declared"

    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Decide for each input."""
        unknown = [_class_weight(training, training.unknown(index)) for index in training.input_indexes]
        everything = _class_weight(training, np.ones(len(training), dtype=bool))
        return self.fit_unknown(training, np.array(unknown).reshape(-1, len(everything)), everything)

    def fit_unknown(self, schema: Dataset, unknown: FloatArray, class_weight: FloatArray) -> FittedMissingPolicy:
        """Decide for each input."""
        overall = _smoothed_shares(class_weight)
        is_value = [
            float(weight.sum()) >= self.support
            and float(relative_entropy(_smoothed_shares(weight), overall)) >= self.threshold
            for weight in unknown
        ]
        measured = np.array([attribute.is_measured for attribute in schema.inputs], dtype=bool)
        return FittedAuto(self, np.array(is_value, dtype=bool), measured)


class FittedAuto(FittedMissingPolicy):
    """The policy with its choice of attributes."""

    def __init__(self, policy: Auto, is_value: NDArray[np.bool_], measured: NDArray[np.bool_]) -> None:
        self.policy, self.is_value, self._measured = policy, is_value, measured

    def recode(self, codes: Codes) -> Codes:
        """Return the codes with unknown as a value of the chosen attributes."""
        chosen = self.is_value if len(codes.columns) == len(self.is_value) else self.is_value[~self._measured]
        return unknown_as_value(codes, chosen)

    def denominators(self, counts: Counts) -> Counts:
        """Return the counts with the policy's denominators and numbers of values."""
        return with_denominators(counts, self.policy.denominator, self.policy.cardinality)


def _class_weight(training: Dataset, rows: NDArray[np.bool_]) -> FloatArray:
    count = len(training.class_values)
    weight = np.bincount(training.classes[rows], weights=training.weights[rows], minlength=count)
    return weight.astype(np.float64)


def _smoothed_shares(class_weight: FloatArray) -> FloatArray:
    smoothed = class_weight + 1.0
    return np.asarray(smoothed / smoothed.sum())


@hookimpl
def nbframework_missing_policies() -> list[type[MissingPolicy]]:
    """Register the policy."""
    return [Auto]
