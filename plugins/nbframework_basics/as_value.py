"""Missing policy as-value: an unknown value is one more value."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Codes,
    Dataset,
    FittedMissingPolicy,
    FloatArray,
    MissingPolicy,
    hookimpl,
    unknown_as_value,
)


@dataclass(frozen=True, kw_only=True)
class AsValue(MissingPolicy):
    """Treat unknown as a value of its own, which adds 1 to the number of values.

    Attributes that stay numeric have no place for such a value: their unknown values are left out.

    Parameters
    ----------
    where
        Which attributes get the value: those in which the training rows have unknown values (elsewhere an unknown
        query value is a value that never occurred), or every attribute.

    References
    ----------
    Domingos & Pazzani (1996); Kohavi, Becker & Sommerfield (1997), section 2.3.
    """

    name: ClassVar[str] = "as-value"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.3"
    sufficient: ClassVar[Literal["unknown", "rows"]] = "unknown"
    where: Literal["unknown-occurs", "every-attribute"] = "unknown-occurs"

    def fit(self, training: Dataset) -> FittedMissingPolicy:
        """Find the attributes in which unknown values occur."""
        everywhere = self.where == "every-attribute"
        occurs = [everywhere or bool(training.unknown(index).any()) for index in training.input_indexes]
        return FittedAsValue(training, np.array(occurs, dtype=bool))

    def fit_unknown(self, schema: Dataset, unknown: FloatArray, class_weight: FloatArray) -> FittedMissingPolicy:
        """Find the attributes in which unknown values occur."""
        everywhere = self.where == "every-attribute"
        return FittedAsValue(schema, np.array([everywhere or bool(weight.any()) for weight in unknown], dtype=bool))


class FittedAsValue(FittedMissingPolicy):
    """The policy with its choice of attributes."""

    def __init__(self, training: Dataset, is_value: "np.typing.NDArray[np.bool_]") -> None:
        self._measured = np.array([attribute.is_measured for attribute in training.inputs], dtype=bool)
        self._is_value = is_value

    def recode(self, codes: Codes) -> Codes:
        """Return the codes with unknown as a value of the chosen attributes, else as unseen."""
        chosen = self._is_value
        if len(codes.columns) < len(chosen):
            chosen = chosen[~self._measured]
        return unknown_as_value(codes, chosen, otherwise_unseen=True)


@hookimpl
def nbframework_missing_policies() -> list[type[MissingPolicy]]:
    """Register the policy."""
    return [AsValue]
