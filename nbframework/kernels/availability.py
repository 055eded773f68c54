"""Which form of the kernels is in use, found out without importing numpy."""

import os
from functools import cache
from importlib import import_module
from typing import Literal

VARIABLE = "NBFRAMEWORK_KERNELS"


@cache
def implementation() -> Literal["compiled", "numpy"]:
    """Return compiled where the extension loads and the environment does not ask for NumPy."""
    if os.environ.get(VARIABLE) == "numpy":
        return "numpy"
    try:
        import_module("nbframework.kernels._compiled")
    except ImportError:
        return "numpy"
    return "compiled"
