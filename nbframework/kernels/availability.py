"""Which form of the kernels is in use, found out without importing numpy."""

import importlib.util
import os
from typing import Literal


def implementation() -> Literal["compiled", "numpy"]:
    """Return compiled where the extension was built and the environment does not ask for NumPy."""
    if os.environ.get("NBFRAMEWORK_KERNELS") == "numpy":
        return "numpy"
    return "compiled" if importlib.util.find_spec("nbframework.kernels._compiled") else "numpy"
