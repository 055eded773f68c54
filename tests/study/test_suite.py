"""Suites and the way to their files."""

import csv
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from nbframework.errors import DataError, RecipeError
from nbframework.study.suite import SuiteSet, checked_hash, data_folders, load_suite, located

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "size"), [("kohavi1997", 37), ("lawnb2018", 20), ("kappa2022", 17)])
def test_a_suite_has_all_data_sets_of_its_paper(name, size):
    suite = load_suite(name)
    assert len(suite.sets) == size
    assert all(entry.sha256 and entry.class_attribute for entry in suite.sets)


def test_kohavis_single_splits_are_protocols():
    own = {entry.name: entry.protocol for entry in load_suite("kohavi1997").sets if entry.protocol}
    assert {name: (p.ranges, p.test_rows) for name, p in own.items()} == {
        "led24": ("1-200 | 201-3200", 0),
        "waveform-21": ("1-300 | 301-5000", 0),
        "dna": ("1-2000 | 2001-3186", 0),
        "chess": ("", 1066),
        "satimage": ("1-4435 | 4436-6435", 0),
        "mushroom": ("", 2708),
        "letter": ("1-15000 | 15001-20000", 0),
        "adult": ("1-32561 | 32562-48842", 0),
    }


@pytest.mark.parametrize(
    ("name", "file", "column"),
    [
        ("kohavi1997", "kohavi1997_table2", "dataset"),
        ("lawnb2018", "lawnb2018_table2", "dataset"),
        ("kappa2022", "kappa2022_table1", "dataset"),
    ],
)
def test_names_and_order_are_those_of_the_printed_table(shared, name, file, column):
    with (shared / "papers" / f"{file}.csv").open() as stream:
        printed = [row[column] for row in csv.DictReader(stream) if row[column] != "mean"]
    assert [entry.name for entry in load_suite(name).sets] == printed


def test_the_suites_are_what_the_tool_makes_of_the_catalog(shared, tmp_path):
    tool, catalog = ROOT / "tools" / "make_suites.py", shared / "datasets" / "catalog.csv"
    subprocess.run([sys.executable, tool, catalog, tmp_path], check=True, capture_output=True)
    for path in tmp_path.glob("*.yaml"):
        assert path.read_text() == (ROOT / "configs" / "suites" / path.name).read_text()


def test_files_that_are_missing_are_all_named_in_one_error(tmp_path):
    (tmp_path / "here.arff").touch()
    sets = [SuiteSet("a", "here.arff"), SuiteSet("b", "lost.arff"), SuiteSet("c", "gone.arff")]
    with pytest.raises(DataError, match=r"^2 data files not found: lost.arff, gone.arff \(looked in: .*--data-dir"):
        located(sets, [tmp_path])


def test_a_misspelt_bundled_name_is_answered_with_the_right_one():
    with pytest.raises(DataError, match=r"^1 data file not found: iriss .*; did you mean 'iris'\?$"):
        located([SuiteSet("iriss", "iriss")], [])


def test_a_bundled_name_needs_no_folder():
    assert located([SuiteSet("iris", "iris")], [])["iris"].name == "iris.arff"


def test_a_file_of_a_suite_is_never_replaced_by_a_bundled_one():
    with pytest.raises(DataError, match="not found"):
        located([SuiteSet("iris", "iris.arff")], [])


def test_a_changed_file_is_refused_with_both_checksums(tmp_path):
    (tmp_path / "a.arff").write_bytes(b"changed")
    found, wanted = hashlib.sha256(b"changed").hexdigest(), "0" * 64
    with pytest.raises(DataError, match=f"SHA-256 {found}, the suite expects {wanted}"):
        checked_hash(SuiteSet("a", "a.arff", wanted), tmp_path / "a.arff")


def test_the_environment_names_a_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(tmp_path))
    assert data_folders(None, None) == [tmp_path]


def test_folders_are_drawn_as_far_as_the_search_has_to_go(tmp_path):
    (tmp_path / "first").mkdir()
    for path in ("first/a.arff", "b.arff"):
        (tmp_path / path).touch()
    drawn = []

    def folders():
        for folder in (tmp_path / "first", tmp_path, tmp_path / "last"):
            drawn.append(folder.name)
            yield folder

    found = located([SuiteSet(name, f"{name}.arff") for name in "aba"], folders())
    assert found == {"a": tmp_path / "first" / "a.arff", "b": tmp_path / "b.arff"}
    assert drawn == ["first", tmp_path.name]


def test_a_given_folder_has_to_exist(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        data_folders(tmp_path / "no", None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suite: s\nsets: [{name: a}]\n", "key 'file' is required"),
        ("suite: s\nsets: [{name: a, file: f, sha: x}]\n", "did you mean 'sha256'"),
        ("suite: s\nsets: [{name: a, file: f, sha256: abc}]\n", "expected 64 hexadecimal digits"),
        ("suite: s\nsets: [{name: a, file: f}, {name: a, file: g}]\n", "the name 'a' is given to 2"),
        ("suite: s\nsets: [{name: a, file: f, protocol: published}]\n", "unknown protocol 'published'"),
    ],
)
def test_a_wrong_suite_is_explained(tmp_path, text, message):
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(RecipeError, match=message):
        load_suite(tmp_path / "s.yaml")
