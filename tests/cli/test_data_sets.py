"""nbf data get and nbf data list."""

import json
import os
import subprocess
import sys

import pytest
from support.file_server import file_server
from support.paths import ROOT

pytest.importorskip("pooch", reason="pooch fetches: pip install 'nbframework[data]'")
ARFF = b"@relation r\n@attribute x {u,v}\n@attribute class {a,b}\n@data\n" + b"u,a\nv,b\n" * 10
SUITE = """suite: mine
sets:
  - {name: one, file: first-set.arff, source: {url: "https://example.org/one.arff"}}
  - {name: two, file: second-set.arff, source: {url: "https://example.org/two.arff"}}
"""


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("NBFRAMEWORK_DATA", str(tmp_path / "data"))
    (tmp_path / "mine.yaml").write_text(SUITE)
    return str(tmp_path / "mine.yaml")


@pytest.fixture
def server():
    with file_server() as served:
        served.files |= {"/one.arff": ARFF, "/two.arff": ARFF}
        yield served


def test_a_suite_is_fetched_and_then_used_by_name(nbf, suite, server, tmp_path):
    result = nbf("data", "get", suite, "--mirror", server.url)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{tmp_path / 'data'}: 2 fetched, 0 already there\n"
    assert nbf("data", "get", suite, "--mirror", server.url).out.endswith(": 0 fetched, 2 already there\n")
    assert server.asked == ["/one.arff", "/two.arff"]
    assert "20 rows" in nbf("evaluate", "laplace-1", "-d", "first-set", "--folds", "2").out
    assert nbf("data", "first-set").out.splitlines()[1].split()[:2] == ["first-set", "20"]


def test_failures_are_listed_and_the_others_fetched(nbf, suite, server, tmp_path):
    del server.files["/one.arff"]
    result = nbf("data", "get", suite, "--mirror", server.url)
    assert result.code == 1
    assert result.err == f"error: one: {server.url}/one.arff: the host answers 404 Not Found\n"
    assert result.out.endswith("1 fetched, 0 already there, 1 failed (one)\n")


def test_another_folder(nbf, suite, server, tmp_path):
    assert nbf("data", "get", suite, "--mirror", server.url, "--data-dir", str(tmp_path / "other")).code == 0
    assert sorted(os.listdir(tmp_path / "other")) == ["first-set.arff", "second-set.arff"]


def test_the_list_says_what_is_at_hand(nbf, suite, server, tmp_path):
    assert nbf("data", "list", suite).out.endswith("0 of 2 at hand\n")
    nbf("data", "get", suite, "--mirror", server.url)
    result = nbf("data", "list", suite)
    assert [line.split() for line in result.out.splitlines()[1:3]] == [
        ["one", "first-set.arff", "yes", "as", "its", "source"],
        ["two", "second-set.arff", "yes", "as", "its", "source"],
    ]
    assert result.out.endswith("2 of 2 at hand\n")


def test_the_list_as_json_and_of_another_version(nbf, suite, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "glass2.arff").write_bytes(b"another")
    (row,) = json.loads(nbf("data", "list", "glass2", "--json").out)
    assert (row["file"], row["at_hand"], row["made"]) == ("glass2.arff", "other checksum", "derived")
    assert row["sources"][0].startswith("https://raw.githubusercontent.com/renatopp/arff-datasets/")


def test_without_names_all_suites_are_listed(nbf, suite):
    lines = nbf("data", "list").out.splitlines()
    assert len(lines) > 50
    assert lines[-1].endswith("at hand")


def test_a_misspelt_suite(nbf, suite):
    result = nbf("data", "get", "kohavi97")
    assert (result.code, result.out) == (3, "")
    assert "no suite or data set 'kohavi97'; did you mean 'kohavi1997'" in result.err


def test_get_needs_a_name(nbf):
    assert nbf("data", "get").code == 2


def test_the_help_names_the_commands(nbf):
    result = nbf("data", "--help")
    assert result.code == 0
    assert all(name in result.out for name in ("describe", "get", "list"))


def test_without_pooch_the_extra_is_named(suite, tmp_path):
    program = "import sys; sys.modules['pooch'] = None; from nbframework.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, "data", "get", suite], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "error: one: fetching data needs pooch: pip install 'nbframework[data]'" in done.stderr


def test_without_pooch_and_folder_the_folder_is_asked_for(suite, monkeypatch):
    monkeypatch.delenv("NBFRAMEWORK_DATA")
    program = "import sys; sys.modules['pooch'] = None; from nbframework.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, "data", "get", suite], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "no folder for data sets: name one with --data-dir or NBFRAMEWORK_DATA" in done.stderr


def test_evaluate_looks_into_a_given_folder(nbf, tmp_path):
    (tmp_path / "mine.arff").write_bytes(ARFF)
    options = ("--data-dir", str(tmp_path), "--test", "mine")
    assert "20 rows" in nbf("evaluate", "laplace-1", "-d", "mine", *options[:2], "--folds", "2").out
    out = nbf("evaluate", "laplace-1", "-d", "mine", *options).out
    assert "trained on all 20 rows, tested on the 20 rows of mine" in out
