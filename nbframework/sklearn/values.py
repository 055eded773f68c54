"""What numbers the scikit-learn face takes."""

import numpy as np
from numpy.typing import NDArray

from nbframework.recipe import Recipe


def refuse_infinite(values: NDArray[np.float64]) -> None:
    """Raise ValueError, in scikit-learn's words, where a number is infinite."""
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")


def takes_counts(recipe: Recipe) -> bool:
    """Return whether a recipe takes no number below 0: numbers stay numbers, and its density wants counts."""
    parts = recipe.build()
    return parts.density.lowest >= 0 and parts.discretizer.keeps_numeric
