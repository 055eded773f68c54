"""Fixtures for all tests."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from support.paths import SHARED

# the checks of a change judge the change, not the luck of the draw; elsewhere every run draws anew
settings.register_profile("reproducible", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the shared material; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared material is not at {SHARED}; set NBFRAMEWORK_SHARED to its folder")
    return SHARED


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on ``sys.path`` whose modules are forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield folder
    for module in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[module], "__file__", "")):
            del sys.modules[module]
    importlib.invalidate_caches()
