"""The data sets inside the package, and how a text finds one."""

import gzip
import runpy
from pathlib import Path

import numpy as np
import pytest

from nbframework.data.arff import read_arff
from nbframework.data.catalog import bundled_names, bundled_path, find_dataset
from nbframework.errors import DataError

ROOT = Path(__file__).parents[2]
SHAPES = {
    "breast-cancer-wisconsin-diagnostic": (569, 30, 2),
    "digits": (1797, 64, 10),
    "iris": (150, 4, 3),
    "led24": (1000, 24, 10),
    "monks-1": (432, 6, 2),
    "monks-2": (432, 6, 2),
    "monks-3": (432, 6, 2),
    "tic-tac-toe": (958, 9, 2),
    "waveform-21": (1000, 21, 3),
    "wine": (178, 13, 3),
}
LOADERS = {
    "breast-cancer-wisconsin-diagnostic": "load_breast_cancer",
    "digits": "load_digits",
    "iris": "load_iris",
    "wine": "load_wine",
}


@pytest.fixture(scope="module")
def tool():
    pytest.importorskip("sklearn", reason="scikit-learn carries some of the bundled data sets")
    return runpy.run_path(str(ROOT / "tools" / "make_bundled_data.py"))


@pytest.fixture(scope="module")
def fresh(tool, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundled")
    tool["main"](folder)
    return folder


def content(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


# --- the files


def test_the_names():
    assert bundled_names() == tuple(sorted(SHAPES))


@pytest.mark.parametrize("name", SHAPES)
def test_the_shapes(name):
    dataset = read_arff(bundled_path(name))
    assert (len(dataset), len(dataset.inputs), len(dataset.class_values)) == SHAPES[name]
    assert dataset.name == name


@pytest.mark.parametrize("name", SHAPES)
def test_a_name_needs_no_quotes(name):
    header = content(bundled_path(name)).partition(b"@data")[0]
    assert b"'" not in header


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_equals_its_regeneration(name, fresh):
    path = bundled_path(name)
    assert content(path) == content(fresh / path.name)


def test_the_tool_writes_all_files_and_no_others(fresh):
    assert {path.name for path in fresh.iterdir()} == {bundled_path(name).name for name in bundled_names()}


@pytest.mark.parametrize("name", LOADERS)
def test_the_numbers_are_those_of_scikit_learn(name):
    datasets = pytest.importorskip("sklearn.datasets")
    bunch = getattr(datasets, LOADERS[name])()
    dataset = read_arff(bundled_path(name))
    np.testing.assert_array_equal(np.array(dataset.input_columns).T, bunch.data)
    np.testing.assert_array_equal(dataset.classes, bunch.target)
    assert dataset.class_values == tuple(map(str, bunch.target_names))


def test_the_folder_is_small_and_names_every_source():
    folder = bundled_path("iris").parent
    assert sum(path.stat().st_size for path in folder.iterdir()) < 600_000
    sources = (folder / "SOURCES.md").read_text(encoding="utf-8")
    assert [name for name in bundled_names() if f"`{name}`" not in sources] == []


# --- finding one


def test_a_bundled_name_is_found():
    assert find_dataset("iris") == bundled_path("iris")
    assert bundled_path("digits").name == "digits.arff.gz"


def test_an_existing_file_wins(tmp_path, monkeypatch):
    (tmp_path / "iris").write_text("@relation mine\n")
    monkeypatch.chdir(tmp_path)
    assert find_dataset("iris") == Path("iris")
    assert find_dataset(str(tmp_path / "iris")) == tmp_path / "iris"


def test_a_folder_does_not_hide_a_bundled_name(tmp_path, monkeypatch):
    (tmp_path / "iris").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_dataset("iris") == bundled_path("iris")


def test_an_unknown_name_brings_the_nearest_one():
    with pytest.raises(DataError) as caught:
        bundled_path("irsi")
    assert str(caught.value) == (
        f"no bundled data set 'irsi'; did you mean 'iris'? (bundled: {', '.join(bundled_names())})"
    )


def test_a_text_that_is_neither_tells_what_was_tried():
    with pytest.raises(DataError) as caught:
        find_dataset("data/monk-1.arff")
    assert str(caught.value) == (
        "'data/monk-1.arff': no such file and no bundled data set of that name; did you mean 'monks-1'? "
        f"(bundled: {', '.join(bundled_names())})"
    )


def test_a_folder_is_called_a_folder(tmp_path):
    with pytest.raises(DataError, match="a folder is there, but no file and no bundled data set of that name"):
        find_dataset(str(tmp_path))


@pytest.mark.parametrize("text", ["", "a" * 5000, "a\0b"])
def test_a_text_that_is_no_path_is_just_not_found(text):
    with pytest.raises(DataError, match="no such file and no bundled data set"):
        find_dataset(text)
