"""Which form of the kernels is in use, found out without importing numpy."""

import os
from functools import cache
from importlib import import_module
from typing import Literal

from nbframework.errors import NBFrameworkError

VARIABLE = "NBFRAMEWORK_KERNELS"


@cache
def implementation() -> Literal["compiled", "numpy"]:
    """Return which form the environment asks for; unless it does, compiled where the extension loads.

    Raises
    ------
    NBFrameworkError
        Where it asks for another form than compiled or numpy, or for compiled ones that do not load.
    """
    asked = os.environ.get(VARIABLE, "")
    if asked not in ("", "compiled", "numpy"):
        raise NBFrameworkError(f"{VARIABLE}: found {asked!r}, expected 'compiled', 'numpy' or nothing")
    if asked == "numpy":
        return "numpy"
    try:
        import_module("nbframework.kernels._compiled")
    except ImportError as error:
        if asked == "compiled":
            raise NBFrameworkError(
                f"{VARIABLE}: found 'compiled', expected 'numpy' or nothing where the compiled kernels do not load "
                f"({error})"
            ) from error
        return "numpy"
    return "compiled"
