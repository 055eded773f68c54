"""The wheel holds what a user needs, nothing else, and works outside the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.building import build_wheel, root_of_run, the_wheel
from support.once import once
from support.paths import ROOT

pytestmark = once


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return the_wheel(root_of_run(tmp_path_factory))


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
    templates = (ROOT / "nbframework" / "testing" / "templates").iterdir()
    expected |= {path.relative_to(ROOT).as_posix() for path in templates}
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
