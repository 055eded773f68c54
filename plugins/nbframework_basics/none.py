"""Discretizer none: numbers stay numbers."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, hookimpl


@dataclass(frozen=True, kw_only=True)
class NoDiscretizer(Discretizer):
    """Keep numeric attributes numeric; the recipe's density gives their likelihood."""

    name: ClassVar[str] = "none"
    keeps_numeric: ClassVar[bool] = True

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return no cut point."""
        return np.empty(0)


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [NoDiscretizer]
