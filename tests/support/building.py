"""Wheels of the checkout, built from a clean copy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.machines import made_once
from support.paths import ROOT

PARTS_OF_THE_BUILD = ("nbframework", "plugins", "configs")


def root_of_run(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all workers of a test run have in common."""
    base = factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def the_wheel(root: Path) -> Path:
    """Return the wheel of the checkout, built once in a test run."""
    with made_once(root / "wheel") as empty:
        if empty:
            build_wheel(root / "wheel")
    (wheel,) = (root / "wheel" / "dist").glob("*.whl")
    return wheel


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
