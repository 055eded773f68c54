"""New plugins: complete, right at once, and in nobody's way."""

import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.paths import ROOT

from nbframework import PluginError
from nbframework.parts import KINDS
from nbframework.plugins import installed
from nbframework.testing.scaffold import NewPlugin, write_plugin

NAMES = {kind: f"new-{kind}" for kind in KINDS}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One new plugin of each kind."""
    root = tmp_path_factory.mktemp("new")
    for kind, name in NAMES.items():
        write_plugin(NewPlugin(kind, name), root / kind, installed())
    return {kind: root / kind for kind in KINDS}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_the_tests_of_all_ten_kinds_pass_at_once(distributions):
    folders = [str(folder) for folder in distributions.values()]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--doctest-modules", "--import-mode=importlib"]
    path = os.pathsep.join([*folders, os.environ.get("PYTHONPATH", "")])
    empty = distributions["missing"].parent / "pytest.ini"
    empty.write_text("[pytest]\n")
    done = python("-m", "pytest", "-c", str(empty), *options, *folders, PYTHONPATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    for kind, name in NAMES.items():
        assert list((distributions[kind] / "tests").glob(f"test_{name.replace('-', '_')}.py"))


def test_the_code_has_the_form_of_our_own(distributions):
    root = str(distributions["missing"].parent)
    config = ("--config", str(ROOT / "pyproject.toml"))
    formatted = python("-m", "ruff", "format", "--check", "--no-cache", *config, root)
    assert formatted.returncode == 0, formatted.stdout + formatted.stderr
    checked = python("-m", "ruff", "check", "--no-cache", *config, "--select", "A,B,C4,E,F,N,PIE,RET,SIM,UP,W", root)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_the_entry_point_leads_to_the_part(kind, distributions, monkeypatch):
    project = tomllib.loads((distributions[kind] / "pyproject.toml").read_text())["project"]
    assert project["name"] == f"nbframework-{NAMES[kind]}"
    ((point, module),) = project["entry-points"]["nbframework"].items()
    assert point == f"{kind}.{NAMES[kind]}"
    monkeypatch.syspath_prepend(str(distributions[kind]))
    loaded = importlib.import_module(module)
    parts = [value for value in vars(loaded).values() if isinstance(value, type) and value.__module__ == module]
    (part,) = [value for value in parts if issubclass(value, KINDS[kind])]
    assert (part.kind, part.name) == (kind, NAMES[kind])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "generator"])
def test_the_readme_shows_a_recipe(kind, distributions):
    text = (distributions[kind] / "README.md").read_text()
    assert f"{NAMES[kind]}" in text.partition("```yaml")[2].partition("```")[0]


def test_no_placeholder_is_left(distributions):
    root = distributions["missing"].parent
    texts = [path.read_text() for path in root.rglob("*") if path.suffix in (".py", ".toml", ".md")]
    assert not [text for text in texts if "$" in text]


# --- names


@pytest.mark.parametrize("name", ["Median", "two words", "a_b", "-a", "a-", "1st", "", "a--b", "x" * 61, "../a", "é"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(PluginError, match="a part cannot be called"):
        NewPlugin("discretizer", name)


def test_a_misspelt_kind_has_a_hint():
    with pytest.raises(PluginError, match="no kind 'discretiser'; did you mean 'discretizer'"):
        NewPlugin("discretiser", "median")


@pytest.mark.parametrize(
    ("kind", "name", "class_name", "module"),
    [
        ("estimator", "three-way", "ThreeWay", "three_way"),
        ("estimator", "class", "Class", "class_part"),
        ("estimator", "none", "NonePart", "none"),
        ("density", "density", "DensityPart", "density"),
    ],
)
def test_names_of_class_and_module_are_free(kind, name, class_name, module):
    plugin = NewPlugin(kind, name)
    assert (plugin.class_name, plugin.module) == (class_name, module)


# --- conflicts


def test_the_name_of_an_installed_part_is_refused(tmp_path):
    with pytest.raises(PluginError, match=r"'laplace' is provided by nbframework \S+ \(estimator\.laplace\)"):
        write_plugin(NewPlugin("estimator", "laplace"), tmp_path / "new", installed())
    assert not (tmp_path / "new").exists()


def test_the_name_of_an_installed_package_is_refused(tmp_path):
    with pytest.raises(PluginError, match="the package nbframework_basics is installed already"):
        write_plugin(NewPlugin("estimator", "basics"), tmp_path / "new", installed())


def test_an_existing_folder_is_refused_and_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(PluginError, match="exists already; name another folder with --output"):
        write_plugin(NewPlugin("estimator", "scaffold-new"), tmp_path, installed())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(PluginError, match="cannot be written: not a directory"):
        write_plugin(NewPlugin("estimator", "scaffold-new"), tmp_path / "file" / "new", installed())
