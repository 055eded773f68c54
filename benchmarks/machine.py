"""What a figure was measured on, without anything that tells whose machine it is."""

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("nbframework", "numpy", "scipy", "scikit-learn", "liac-arff", "pandas", "pyarrow")
_VECTORS = {"avx512f": "AVX-512", "avx2": "AVX2"}
"""The widest vectors of a processor by the flag that tells of them, the widest first."""


def described() -> dict[str, Any]:
    """Return processor, number of cores, system, Python and package versions, and the form of the kernels."""
    from nbframework import kernels

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := _version(name)) is not None},
        "kernels": kernels.implementation(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        information = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    return named(information)


def named(information: str) -> str:
    """Return the name of the processor and its widest vectors from what Linux tells of it."""
    found = re.search(r"^model name\s*:\s*(.+)$", information, re.MULTILINE)
    name = found[1].strip() if found else platform.processor() or "unknown"
    vectors = [
        what for flag, what in _VECTORS.items() if re.search(rf"^flags\s*:.*\b{flag}\b", information, re.MULTILINE)
    ]
    return f"{name} with {vectors[0]}" if vectors else name
