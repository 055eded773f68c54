"""Wheels of the checkout, built from a clean copy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from support.paths import ROOT

PARTS_OF_THE_BUILD = ("nbframework", "plugins", "configs")


def build_wheel(folder: Path, compiler: str | None = None) -> Path:
    """Build from a clean copy: what an earlier build left behind must not be shipped."""
    source = folder / "source"
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info")
    for name in PARTS_OF_THE_BUILD:
        shutil.copytree(ROOT / name, source / name, ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    environment = {**os.environ, **({"CC": compiler} if compiler else {})}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "bdist_wheel", "-d", str(folder / "dist")],
        cwd=source,
        env=environment,
        check=True,
        capture_output=True,
    )
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel
