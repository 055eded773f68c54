"""What a stranger expects beside the code, and that it agrees with itself."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from support.paths import ROOT

import nbframework

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]


@pytest.mark.parametrize("name", ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "README.md"])
def test_the_file_is_there_and_says_something(name):
    assert len((ROOT / name).read_text(encoding="utf-8")) > 500


def test_the_installed_version_is_that_of_the_project():
    assert nbframework.__version__ == VERSION


def test_the_version_costs_no_numpy():
    program = "import sys, nbframework; nbframework.__version__; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_changelog_begins_with_the_version():
    found = re.search(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    assert found.group(1) == VERSION


def test_the_citation_has_the_version_and_the_licence():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (str(citation["version"]), citation["license"]) == (VERSION, PROJECT["project"]["license"])
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


def test_the_package_is_typed():
    assert (ROOT / "nbframework" / "py.typed").is_file()


@pytest.mark.parametrize("name", ["tests", "release"])
def test_the_workflows_are_yaml_with_jobs(name):
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))
    for job in workflow["jobs"].values():
        assert all("uses" in step or "run" in step for step in job["steps"])


def test_the_release_builds_for_three_systems_and_audits_the_stable_abi():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    wheels = workflow["jobs"]["wheels"]
    systems = {system.split("-")[0] for system in wheels["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu", "macos", "windows"}
    assert any("abi3audit --strict" in step.get("run", "") for step in wheels["steps"])
    assert PROJECT["tool"]["cibuildwheel"]["build"] == "cp311-*"


def test_the_hooks_are_the_tools_of_the_checks():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["ruff-check", "ruff-format", "mypy"]
