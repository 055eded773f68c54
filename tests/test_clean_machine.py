"""What a stranger has: the wheel in a fresh environment outside the checkout, with new packages and with old ones."""

import json
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from support.building import root_of_run, the_wheel
from support.machines import Machine, made_once, make_environment
from support.once import once
from support.paths import ROOT

# the environments hide NBFRAMEWORK_KERNELS, so a second run would only repeat the first
pytestmark = once
STRANGERS = sorted((ROOT / "tests" / "distributions").glob("nbframework-*"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for language, text in BLOCK.findall(README)
    for line in text.splitlines()
    if language == "sh" and line.startswith("nbf ")
]
MY_DATA = "@relation mine\n@attribute colour {red, green}\n@attribute size numeric\n@attribute kind {a, b}\n@data\n" + (
    "".join(f"{'red' if size % 3 else 'green'}, {size}, {'a' if size % 2 else 'b'}\n" for size in range(1, 25))
)
BOTH = """recipe: both
discretizer: {chi-merge: {significance: 0.9}}
neighbourhood: {mutual-nearest: {k: 30, distance: heterogeneous-euclidean}}
"""
EVERY_RECIPE = """
import numpy as np
from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths

iris = read_arff(bundled_path("iris"))
names = list(recipe_paths(installed()))
for name in names:
    posterior = Recipe.load(name).build().fit(iris, seed=1).predict_proba(iris)
    assert posterior.shape == (150, 3), name
    assert np.abs(posterior.sum(axis=1) - 1).max() < 1e-9, name
print(len(names), "recipes")
"""
EXTRAS = """
import pandas
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from nbframework.data.tabular import dataset_from_frame, read_parquet
from nbframework.sklearn import RecipeClassifier

measured, label = load_iris(return_X_y=True, as_frame=True)
assert cross_val_score(RecipeClassifier("sbc"), measured, label).mean() > 0.9
frame = pandas.DataFrame({"x": [1.0, None, 3.0], "c": pandas.Categorical(["a", "b", "a"])})
frame.to_parquet("frame.parquet")
assert read_parquet("frame.parquet").equals(dataset_from_frame(frame))
"""
STUDY = "study: small\nrecipes: [sbc, gaussian-nb]\ndata: [iris, wine]\nprotocol: {cross-validation: {folds: 2}}\n"
DASK = """
import logging, subprocess, sys
from distributed import LocalCluster

if __name__ == "__main__":
    # a worker whose scheduler closes first logs a heartbeat that failed
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(1, threads_per_worker=1, **quiet) as cluster:
        address = cluster.scheduler_address
        command = ["-m", "nbframework", "run", "small.yaml", "--engine", "dask", "--scheduler", address]
        sys.exit(subprocess.run([sys.executable, *command, "--store", "dask.db", "--json"]).returncode)
"""


def machine(root: Path, name: str, extras: tuple[str, ...], lowest: bool) -> Machine:
    """Return an environment with the wheel and the strangers' plugins, made once in a test run."""
    found = Machine(root / name / "environment", root / name / "elsewhere")
    with made_once(root / name) as empty:
        if empty:
            wheel = the_wheel(root)
            for stranger in STRANGERS:
                shutil.copytree(stranger, root / name / stranger.name, ignore=shutil.ignore_patterns("__pycache__"))
            strangers = [str(root / name / stranger.name) for stranger in STRANGERS]
            make_environment(found.environment, [str(wheel), *strangers, *extras], lowest)
            found.folder.mkdir()
            (found.folder / "my-data.arff").write_text(MY_DATA)
            (found.folder / "both.yaml").write_text(BOTH)
            (found.folder / "small.yaml").write_text(STUDY)
            (found.folder / "dask_run.py").write_text(DASK)
    return found


@pytest.fixture(scope="module")
def shared_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return root_of_run(tmp_path_factory)


@pytest.fixture(scope="module")
def newest(shared_root: Path) -> Machine:
    return machine(shared_root, "newest", ("pytest",), lowest=False)


@pytest.fixture(scope="module")
def oldest(shared_root: Path) -> Machine:
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the oldest packages that we allow have wheels for the oldest Python that we allow, 3.11")
    return machine(shared_root, "oldest", tuple(every_dependency()), lowest=True)


def every_dependency() -> list[str]:
    """Return what we depend on, the extras among them."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        project = tomllib.load(stream)["project"]
    extras = [line for name, lines in project["optional-dependencies"].items() if name != "all" for line in lines]
    return [*project["dependencies"], *extras]


def succeeds(machine: Machine, program: str, *arguments: str) -> str:
    done = machine.run(program, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


# --- the newest packages


def test_the_environment_holds_the_wheel_and_sees_no_checkout(newest):
    place = succeeds(newest, "python", "-c", "import nbframework; print(nbframework.__file__)").strip()
    assert place.startswith(str(newest.environment))


def test_the_demonstration_runs(newest):
    assert "Next: nbf evaluate" in succeeds(newest, "nbf", "demo")


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_readme_runs(line, newest):
    assert succeeds(newest, *shlex.split(line, comments=True))


def test_every_recipe_is_there_and_answers(newest):
    count = len(list((ROOT / "configs" / "recipes").glob("*.yaml"))) - 1
    assert succeeds(newest, "python", "-c", EVERY_RECIPE) == f"{count} recipes\n"


# --- the strangers' plugins in it


def test_the_strangers_are_listed_with_their_parts(newest):
    rows = json.loads(succeeds(newest, "nbf", "plugin", "list", "--others", "--json"))["plugins"]
    assert [(row["distribution"], row["provides"], row["status"]) for row in rows] == [
        ("nbframework-chi-merge", ["discretizer chi-merge"], "ok"),
        ("nbframework-mutual-nearest", ["neighbourhood mutual-nearest"], "ok"),
    ]


def test_the_strangers_keep_their_promises_or_say_why_not(newest):
    names = [stranger.name for stranger in STRANGERS]
    parts = json.loads(succeeds(newest, "nbf", "plugin", "check", *names, "--json"))["parts"]
    assert [part["name"] for part in parts] == ["chi-merge", "mutual-nearest"]
    declared = [promise["promise"] for part in parts for promise in part["promises"] if promise["status"] == "declared"]
    assert declared == ["rows_are_taken_together", "weight_two_is_the_row_twice"]


def test_a_recipe_of_both_strangers_is_evaluated(newest):
    data = json.loads(succeeds(newest, "nbf", "evaluate", "both.yaml", "-d", "iris", "--folds", "5", "--json"))
    assert "both" in json.dumps(data)


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda path: path.name)
def test_the_tests_of_a_stranger_pass_where_it_is_installed(stranger, newest):
    folder = newest.folder.parent / stranger.name
    assert " passed" in succeeds(newest, "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder))


# --- the oldest packages that we say we work with


def test_the_oldest_versions_are_those_that_we_declare(oldest):
    program = "import numpy, scipy, joblib; print(numpy.__version__, scipy.__version__, joblib.__version__)"
    versions = succeeds(oldest, "python", "-c", program).split()
    declared = dict(re.findall(r"(\w+)>=([\d.]+)", " ".join(every_dependency())))
    for name, version in zip(("numpy", "scipy", "joblib"), versions, strict=True):
        assert version.startswith(declared[name])


def test_every_recipe_answers_with_the_oldest_packages(oldest):
    assert "recipes" in succeeds(oldest, "python", "-c", EVERY_RECIPE)


def test_the_strangers_work_with_the_oldest_packages(oldest):
    succeeds(oldest, "nbf", "evaluate", "both.yaml", "sbc", "-d", "iris", "--folds", "3")


def test_the_faces_of_the_extras_work_with_the_oldest_packages(oldest):
    succeeds(oldest, "python", "-c", EXTRAS)


def test_a_study_runs_and_is_reported_with_the_oldest_packages(oldest):
    succeeds(oldest, "nbf", "run", "small.yaml", "--jobs", "2", "--store", "jobs.db")
    succeeds(oldest, "nbf", "report", "jobs.db", "--html", "page.html", "--figures", "figures")
    assert (oldest.folder / "page.html").stat().st_size > 1000
    assert list((oldest.folder / "figures").glob("*.svg"))


def test_dask_does_the_work_with_the_oldest_packages(oldest):
    succeeds(oldest, "python", "dask_run.py")
