"""A results file that was damaged, or made by somebody else, ends in a result or in one of our own errors."""

import json
import random
import shutil
import sqlite3

import pytest
from support.made_up_runs import store_run

from nbframework.errors import DataError, NBFrameworkError
from nbframework.recipe import Recipe
from nbframework.report.comparison import comparison_tables, run_question
from nbframework.report.run import run_data, run_text
from nbframework.study.results import read_run
from nbframework.study.store import Store
from nbframework.study.stored import provenance, resolved_recipes, stored_confidences

FLIPS = 150
"""Damaged copies that are read."""


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    recipes = [("sbc", Recipe.load("sbc")), ("majority", Recipe.load("majority"))]
    path = tmp_path_factory.mktemp("good") / "good.db"
    return store_run(
        path, ["iris", "zoo"], recipes, lambda d, r, f: {"accuracy": 0.5 + d / 9 + r / 7 + f / 99}, folds=3
    )


@pytest.fixture
def copy(good, tmp_path):
    return shutil.copy(good, tmp_path / "copy.db")


def read_all(path):
    with Store(path) as store:
        results = read_run(store)
        question = run_question(results)
        run_text(results, "text")
        run_data(results)
        comparison_tables(results.table(question.metric), question)
        provenance(results)
        resolved_recipes(results)
        for cell in results.cells:
            stored_confidences(results, cell)


def changed(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_the_file_is_read_as_it_was_written(copy):
    read_all(copy)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE run SET described = '{'", "the description of the run cannot be read"),
        ("UPDATE run SET described = '[]'", "the description of the run cannot be read"),
        ("UPDATE run SET machine = 'x'", "the machine of the run cannot be read"),
        ("UPDATE recipe SET text = 'x'", "a recipe cannot be read"),
        ("UPDATE recipe SET providers = '1'", "the providers of a recipe cannot be read"),
        ("UPDATE cell SET folds = 'many'", "'many' among the cells"),
        ("UPDATE score SET value = 'good'", "scores that are no numbers"),
        ("DELETE FROM cell", "a run without cells"),
        ("INSERT INTO prediction SELECT task, 0, 0, 0, 1, 5, x'0000' FROM cell", "predictions that do not fit"),
        ("INSERT INTO prediction SELECT task, 0, 0, 0, 'x', 0, x'00' FROM cell", "'x' among the predictions"),
    ],
)
def test_a_damaged_table_is_an_error_that_names_it(copy, statement, found):
    changed(copy, statement)
    with pytest.raises(DataError) as raised:
        read_all(copy)
    assert f"{copy}: damaged, or not written by nbframework: " in str(raised.value)
    assert found in str(raised.value)


@pytest.mark.parametrize(
    ("place", "key", "value"),
    [
        ((), "metrics", []),
        ((), "metrics", "accuracy"),
        ((), "title", None),
        ((), "findings", [{"kind": "duplicates"}]),
        ((), "comparison", []),
        (("comparison",), "tests", ["t"]),
        (("comparison",), "alpha", 1.5),
        (("comparison",), "rope", True),
        (("comparison",), "baseline", 3),
    ],
)
def test_a_description_of_another_kind_is_an_error_that_names_the_key(copy, place, key, value):
    connection = sqlite3.connect(copy)
    described = json.loads(connection.execute("SELECT described FROM run").fetchone()[0])
    connection.close()
    inner = described[place[0]] if place else described
    inner[key] = value
    changed(copy, "UPDATE run SET described = ?", json.dumps(described))
    with pytest.raises(DataError, match=f"'{key}' in the description of the run"):
        read_all(copy)


def test_changed_bytes_are_read_or_refused(good, tmp_path):
    document, chance = good.read_bytes(), random.Random(7)  # noqa: S311
    refused = 0
    for number in range(FLIPS):
        damaged = bytearray(document)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path = tmp_path / f"{number}.db"
        path.write_bytes(damaged)
        try:
            read_all(path)
        except NBFrameworkError:
            refused += 1
    assert 0 < refused < FLIPS
