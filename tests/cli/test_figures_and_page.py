"""``nbf report --html`` and ``--figures``, ``nbf compare --diagram`` and ``nbf evaluate --figure``."""

import csv
import sys

import pytest
from support.made_up_runs import store_run

from nbframework import Recipe


@pytest.fixture
def results(tmp_path):
    recipes = [(name, Recipe.load(name)) for name in ("sbc", "tan", "gaussian-nb")]
    return store_run(
        tmp_path / "my.study.db", ["a", "b"], recipes, lambda d, r, f: {"accuracy": 0.5 + (d + r) / 8 + f / 99}, folds=3
    )


def test_a_page_is_written_beside_the_results(nbf, results):
    done = nbf("report", str(results), "--html")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"written: {results.with_name('my.study.html')}\n"
    assert results.with_name("my.study.html").read_text().startswith("<!doctype html>")


def test_a_page_is_written_where_the_user_says(nbf, results, tmp_path):
    assert nbf("report", str(results), "--html", str(tmp_path / "page.html")).code == 0
    assert (tmp_path / "page.html").is_file()


def test_a_folder_that_is_not_there_is_an_error(nbf, results, tmp_path):
    done = nbf("report", str(results), "--html", str(tmp_path / "no" / "page.html"))
    assert done.code == 3
    assert done.err.startswith("error: ")
    assert "page.html" in done.err


def test_figures_and_a_page_are_written_together(nbf, results, tmp_path):
    done = nbf("report", str(results), "--figures", str(tmp_path / "figures"), "--html")
    assert done.code == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {f"critical-differences.{suffix}" for suffix in ("svg", "png", "csv")} <= names
    assert len(names) == 9
    assert results.with_name("my.study.html").is_file()


def test_a_run_without_numbers_for_a_figure_is_an_error(nbf, tmp_path):
    path = store_run(tmp_path / "r.db", ["a"], [("sbc", Recipe.load("sbc"))], lambda *_: {"accuracy": 0.5})
    done = nbf("report", str(path), "--figures", str(tmp_path / "figures"))
    assert (done.code, done.err) == (3, f"error: {path}: the run has no numbers for a figure\n")
    assert not (tmp_path / "figures").exists()


def test_the_diagram_of_a_table_typed_in(nbf, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("data,x,y,z\na,0.9,0.8,0.7\nb,0.6,0.5,0.4\nc,0.3,0.2,0.1\n")
    done = nbf("compare", str(table), "--diagram", str(tmp_path / "ranks.csv"))
    assert done.code == 0, done.err
    with (tmp_path / "ranks.csv").open() as file:
        rows = list(csv.reader(file))
    assert [row[:2] for row in rows[1:]] == [["x", "1.0"], ["y", "2.0"], ["z", "3.0"]]


@pytest.mark.parametrize(
    ("table", "name", "message"),
    [
        ("data,x,y\na,0.9,0.8\nb,0.6,0.5\n", "r.svg", "no critical-difference diagram: Friedman's test needs at least"),
        (
            "data,x,y,z\na,0.9,0.8,0.7\nb,0.6,0.5,0.4\n",
            "r.pdf",
            "a figure is written as .svg, .png, .csv, found '.pdf'",
        ),
    ],
)
def test_a_diagram_that_cannot_be_drawn_is_an_error(nbf, tmp_path, table, name, message):
    (tmp_path / "t.csv").write_text(table)
    done = nbf("compare", str(tmp_path / "t.csv"), "--diagram", str(tmp_path / name))
    assert done.code == 3
    assert message in done.err


def test_without_the_library_the_extra_is_named(nbf, results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = nbf("compare", str(results), "--diagram", str(tmp_path / "r.svg"))
    assert (done.code, done.err) == (3, "error: a figure needs matplotlib: pip install 'nbframework[report]'\n")


def test_a_sweep_is_drawn(nbf, tmp_path):
    sets = ("-d", "iris", "-d", "wine", "--folds", "3")
    done = nbf("evaluate", "knn", *sets, "--sweep", "neighbourhood.k=1,5", "--figure", str(tmp_path / "k.csv"))
    assert done.code == 0, done.err
    with (tmp_path / "k.csv").open() as file:
        header, *rows = list(csv.reader(file))
    assert header == ["neighbourhood.k", "iris", "wine", "mean"]
    assert [row[0] for row in rows] == ["1.0", "5.0"]
    printed = [line.split() for line in done.out.splitlines()[2:4]]
    assert [[f"{100 * float(cell):.2f}" for cell in row[1:]] for row in rows] == [line[1:] for line in printed]


def test_a_figure_without_a_sweep_is_wrong_usage(nbf, tmp_path):
    done = nbf("evaluate", "knn", "-d", "iris", "--figure", str(tmp_path / "k.svg"))
    assert done.code == 2
    assert "--figure needs --sweep" in done.err
