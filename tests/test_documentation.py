"""Every command, recipe and program in the documentation runs."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import save_model
from nbframework.plugins import Plugins, Source, installed_sources

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "plugins" / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SET_UP = ("pipx", "pip", "apt-get", "python3")
SBC = Recipe.load("sbc")
DATA = (
    "@relation mine\n@attribute colour {red, green, blue}\n@attribute size numeric\n@attribute kind {a, b}\n@data\n"
    + "".join(f"{colour}, {size}, {kind}\n" for size in range(1, 13) for colour, kind in (("red", "a"), ("blue", "b")))
)


def blocks(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for found, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if found == language:
                yield page.relative_to(ROOT).as_posix(), text


def commands() -> list[tuple[str, str]]:
    return [
        (page, line)
        for page, text in blocks("sh")
        for line in text.splitlines()
        if line.strip() and shlex.split(line, comments=True)[0] not in SET_UP
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my-data.arff").write_text(DATA)
    (tmp_path / "my-iris.csv").write_text("sepal_length,petal_length,petal_width\n5.1,1.4,0.2\n6.3,6.0,?\n")
    save_model(tmp_path / "iris.model", SBC, SBC.build().fit(read_arff(bundled_path("iris"))))
    for _, text in blocks("yaml"):
        if found := re.search(r"^recipe: (\S+)", text, re.MULTILINE):
            (tmp_path / f"{found.group(1)}.yaml").write_text(text)
    return tmp_path


@pytest.fixture
def median(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the example plugin importable, as the user who followed the five steps has it."""
    (page,) = (text for _, text in blocks("python") if "class Median" in text)
    package = tmp_path / "nbframework_median"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "median.py").write_text(page)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("NBFRAMEWORK_PLUGINS", "nbframework_median.median")


@pytest.mark.parametrize(("page", "line"), commands())
def test_the_command_succeeds(page: str, line: str, folder: Path, median: None) -> None:
    words = shlex.split(line, comments=True)
    assert words[0] == "nbf", f"{page}: {line}"
    done = subprocess.run(
        [sys.executable, "-m", "nbframework", *words[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout or done.stderr


@pytest.mark.parametrize(("page", "text"), [block for block in blocks("yaml") if "recipe:" in block[1]])
def test_the_recipe_loads(page: str, text: str, folder: Path, median: None) -> None:
    name = re.search(r"^recipe: (\S+)", text, re.MULTILINE)
    assert name is not None, page
    example = Source("discretizer.median", "nbframework_median.median", "nbframework-median", "0.1.0")
    plugins = Plugins([*installed_sources(), example])
    assert Recipe.load_with(plugins, folder / f"{name.group(1)}.yaml").name == name.group(1)


@pytest.mark.parametrize(("page", "text"), list(blocks("python")))
def test_the_program_runs(page: str, text: str, folder: Path, median: None) -> None:
    program = "from nbframework.authoring import *\n" + text if page.startswith("plugins") else text
    if "def test_" in text:
        program += "\nfor check in checks_of(Median()): check()\n"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_names_the_command_that_the_checks_call() -> None:
    command = "pipx run uv run pytest"
    assert command in (ROOT / "README.md").read_text()
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert command in lines
