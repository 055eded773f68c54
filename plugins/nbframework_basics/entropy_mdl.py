"""Discretizer entropy-mdl: recursive entropy minimisation with a minimum-description-length stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, IntArray, hookimpl, kernels


@dataclass(frozen=True, kw_only=True)
class EntropyMDL(Discretizer):
    """Cut where the class entropy falls most, again and again, while the cut shortens the description.

    Every border between two different values is a candidate; the lowest of equally good ones is taken. With
    Fayyad and Irani's criterion a cut of N rows is accepted if its gain exceeds
    (log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / N. Row weights count as rows.

    Parameters
    ----------
    criterion
        fayyad-irani, or kononenko: the classes of the two parts are described in fewer bits than those of the whole.
    candidates
        What stands for N - 1: the rows less one, or the number of borders between distinct values.

    References
    ----------
    Fayyad & Irani (1993), Multi-interval discretization of continuous-valued attributes for classification learning.
    Kononenko (1995), On biases in estimating multi-valued attributes.
    """

    name: ClassVar[str] = "entropy-mdl"
    cite: ClassVar[str] = "Fayyad & Irani 1993"
    criterion: Literal["fayyad-irani", "kononenko"] = "fayyad-irani"
    candidates: Literal["rows", "boundaries"] = "rows"

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the accepted cut points."""
        if (values[:-1] > values[1:]).any():
            order = np.argsort(values, kind="stable")
            values, classes, weights = values[order], np.asarray(classes)[order], weights[order]
        return kernels.entropy_cuts(
            values,
            classes,
            int(classes.max()) + 1 if len(classes) else 0,
            None if _all_one(weights) else weights,
            self.criterion,
            self.candidates == "boundaries",
        )

    def fit_columns(
        self,
        columns: Sequence[FloatArray],
        orders: Sequence[IntArray],
        times: IntArray | None,
        classes: NDArray[Any],
        weights: FloatArray | None,
    ) -> list[FloatArray]:
        """Return the accepted cut points of several attributes."""
        if weights is not None:
            return super().fit_columns(columns, orders, times, classes, weights)
        class_count = int(classes.max()) + 1 if len(classes) else 0
        return kernels.column_cuts(
            columns, orders, times, classes, class_count, self.criterion, self.candidates == "boundaries"
        )


def _all_one(weights: FloatArray) -> bool:
    """Whether every weight is 1; one number spread over all rows is looked at once."""
    return bool(np.all(weights[:1] == 1)) if weights.strides == (0,) else bool(np.all(weights == 1))


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [EntropyMDL]
