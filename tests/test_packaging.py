"""The wheel holds what a user needs, nothing else, and works outside the checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.once import once

ROOT = Path(__file__).parents[1]
pytestmark = once
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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def pure_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("pure"), compiler="/bin/false")


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r});"
        "from nbframework.cli import main; import nbframework;"
        f"assert nbframework.__file__.startswith({str(folder)!r}), nbframework.__file__; main({list(arguments)!r})"
    )
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)


def test_every_source_file_is_in_the_wheel(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    expected = {path.relative_to(ROOT).as_posix() for path in (ROOT / "nbframework").rglob("*.py")}
    expected |= {path.relative_to(ROOT / "plugins").as_posix() for path in (ROOT / "plugins").rglob("*.py")}
    expected |= {"nbframework/" + path.relative_to(ROOT).as_posix() for path in (ROOT / "configs").rglob("*.yaml")}
    bundled = ROOT / "nbframework" / "data" / "bundled"
    expected |= {path.relative_to(ROOT).as_posix() for path in bundled.iterdir()}
    pages = (ROOT / "nbframework" / "report").rglob("*.*")
    expected |= {path.relative_to(ROOT).as_posix() for path in pages if path.suffix in (".html", ".css", ".js")}
    assert expected - held == set()


def test_the_wheel_brings_no_stray_package(wheel: Path) -> None:
    top = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in top if not name.startswith("nbframework")} == set()


def test_a_wheel_built_without_a_compiler_is_tagged_pure(pure_wheel: Path) -> None:
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(pure_wheel).namelist() if name.endswith(".so")]


def test_a_wheel_built_without_a_compiler_works_and_says_so(pure_wheel: Path, tmp_path: Path) -> None:
    folder = unpacked(pure_wheel, tmp_path)
    assert "NumPy kernels" in run(folder, "--version").stdout
    done = run(folder, "evaluate", "sbc", "-d", "iris")
    assert done.returncode == 0, done.stderr


def test_the_wheel_finds_recipes_parts_and_data_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    folder = unpacked(wheel, tmp_path)
    done = run(folder, "evaluate", "sbc", "-d", "iris")
    assert done.returncode == 0, done.stderr
    assert "accuracy" in done.stdout
