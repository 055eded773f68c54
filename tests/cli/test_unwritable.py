"""What cannot be written is said in one way by every command: FILE: cannot be written: why."""

from pathlib import Path

import pytest
from support.made_up_runs import store_run

from nbframework import Recipe
from nbframework.cli import group
from nbframework.study import lock

STUDY = "study: s\nrecipes: [sbc]\ndata: [iris]\nprotocol: {cross-validation: {folds: 2}}\n"


@pytest.fixture
def files(tmp_path):
    """The file of a study, the results of another one, and a file that stands where a folder should."""
    (tmp_path / "s.yaml").write_text(STUDY)
    (tmp_path / "file").touch()
    recipes = [(name, Recipe.load(name)) for name in ("sbc", "tan", "gaussian-nb")]
    store_run(tmp_path / "r.db", ["a", "b"], recipes, lambda d, r, f: {"accuracy": 0.5 + (d + r) / 8 + f / 99}, folds=2)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("report", "r.db", "--figures", "file/figures"), "file/figures"),
        (("report", "r.db", "--html", "file/page.html"), "file/page.html"),
        (("report", "r.db", "--weka", "file/weka.csv"), "file/weka.csv"),
        (("compare", "r.db", "--diagram", "file/ranks.csv"), "file/ranks.csv"),
        (
            (
                "evaluate",
                "knn",
                "-d",
                "iris",
                "--folds",
                "2",
                "--sweep",
                "neighbourhood.k=1,5",
                "--figure",
                "file/k.csv",
            ),
            "file/k.csv",
        ),
        (("reproduce", "kohavi1997", "slips", "--output", "file/page"), "file/page"),
        (("fit", "sbc", "iris", "-o", "file/model.nbf"), "file/model.nbf"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_file_below_a_file_cannot_be_written(nbf, files, monkeypatch, arguments, named):
    monkeypatch.chdir(files)
    done = nbf(*arguments)
    assert done.code == 3
    assert done.err.splitlines()[-1] == f"error: {named}: cannot be written: not a directory"


def test_a_folder_of_results_that_is_a_file_cannot_be_written(nbf, files, monkeypatch):
    monkeypatch.chdir(files)
    done = nbf("run", "s.yaml", "--store", "file/s.db")
    assert (done.code, done.err.splitlines()[-1]) == (3, "error: file: cannot be written: file exists")


def test_results_in_a_folder_that_refuses_name_the_results(nbf, files, monkeypatch):
    opened = lock.Path.open

    def refuse(path, *arguments, **options):
        if path.suffix == ".lock":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.chdir(files)
    monkeypatch.setattr(lock.Path, "open", refuse)
    done = nbf("run", "s.yaml", "--store", "s.db")
    assert (done.code, done.err.splitlines()[-1]) == (3, "error: s.db: cannot be written: permission denied")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_predictions_on_a_full_disk_name_the_file(nbf):
    done = nbf("evaluate", "sbc", "-d", "iris", "--folds", "2", "--predictions", "/dev/full")
    assert (done.code, done.err) == (3, "error: /dev/full: cannot be written: no space left on device\n")


def test_any_other_error_of_the_system_names_its_file_and_no_number(nbf, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "secret.txt")

    monkeypatch.setattr(group.group, "main", refuse)
    assert nbf("parts").err == "error: secret.txt: permission denied\n"


def test_a_broken_parquet_file_is_named(nbf, tmp_path):
    path = tmp_path / "b.parquet"
    path.write_text("nonsense")
    done = nbf("fit", "sbc", str(path), "-o", str(tmp_path / "m.model"))
    assert done.code == 3
    assert done.err.startswith(f"error: {path}: not a Parquet file, or damaged (")
