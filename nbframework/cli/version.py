"""What is installed, in one line, without importing numpy."""

import platform
from importlib.metadata import version

from nbframework.kernels.availability import implementation


def version_text() -> str:
    """Return version, Python and the form of the kernels."""
    form = "compiled kernels" if implementation() == "compiled" else "NumPy kernels (the slow form; no compiled ones)"
    return f"nbframework {version('nbframework')}, Python {platform.python_version()}, {form}"
