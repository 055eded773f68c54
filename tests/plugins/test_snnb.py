"""SNNB against its definition in plain Python: one classifier a radius, each judged by leaving rows out."""

import math

import numpy as np
import pytest
from support.builders import table

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.errors import EvaluationError
from nbframework.testing import checks_of
from nbframework_neighbours.snnb import SNNB

TIED = 1e-10


def log_joint(rows, classes, query, sizes, class_count):
    """Naive Bayes with Laplace's correction; None is an unknown value."""
    joint = []
    for c in range(class_count):
        own = [row for row, label in zip(rows, classes, strict=True) if label == c]
        total = math.log((len(own) + 1) / (len(rows) + class_count))
        for j, value in enumerate(query):
            if value is not None:
                known = [row[j] for row in own if row[j] is not None]
                total += math.log((known.count(value) + 1) / (len(known) + sizes[j]))
        joint.append(total)
    return joint


def first_of_the_best(joint):
    return next(c for c, score in enumerate(joint) if score >= max(joint) - TIED)


def leave_one_out(rows, classes, sizes, class_count):
    right = 0
    for i, row in enumerate(rows):
        others, labels = rows[:i] + rows[i + 1 :], classes[:i] + classes[i + 1 :]
        right += first_of_the_best(log_joint(others, labels, row, sizes, class_count)) == classes[i]
    return right / len(rows)


def differing(one, other):
    return sum(x is None or y is None or x != y for x, y in zip(one, other, strict=True))


def by_definition(rows, classes, query, sizes, class_count, minimum):
    """Return the posterior of one query, and the radius that is chosen; the number of attributes means all rows."""
    best, chosen = -1.0, None
    for radius in range(len(query) + 1):
        whole = radius == len(query)
        inside = [i for i, row in enumerate(rows) if whole or differing(row, query) <= radius]
        if len(inside) < minimum and not whole:
            continue
        near, labels = [rows[i] for i in inside], [classes[i] for i in inside]
        accuracy = leave_one_out(near, labels, sizes, class_count)
        if accuracy >= best - 1e-12:
            best, chosen = max(best, accuracy), (near, labels, radius)
    near, labels, radius = chosen
    joint = np.array(log_joint(near, labels, query, sizes, class_count))
    shares = np.exp(joint - joint.max())
    return shares / shares.sum(), radius


def nominal(name, rows=None):
    dataset = read_arff(bundled_path(name))
    return dataset if rows is None else dataset.take(np.random.default_rng(4).permutation(len(dataset))[:rows])


def plain(dataset):
    sizes = [attribute.cardinality for attribute in dataset.inputs]
    columns = [
        [None if code > size else int(code) for code in column.tolist()]
        for column, size in zip(dataset.input_columns, sizes, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)], dataset.classes.tolist(), sizes


@pytest.mark.parametrize("minimum", [2, 10, 30])
def test_posteriors_are_those_of_the_definition(minimum):
    data = nominal("tic-tac-toe", 150)
    training, queries = data.take(np.arange(110)), data.take(np.arange(110, 150))
    rows, classes, sizes = plain(training)
    asked = plain(queries)[0]
    expected = [by_definition(rows, classes, query, sizes, 2, minimum) for query in asked]
    assert len({radius for _, radius in expected}) >= 3
    found = Recipe.load("snnb", **{"classifier.minimum_rows": minimum}).build().fit(training).predict_proba(queries)
    np.testing.assert_allclose(found, [posterior for posterior, _ in expected], rtol=0, atol=1e-12)


def test_posteriors_of_many_classes_and_unknown_values():
    generator = np.random.default_rng(9)
    lines = []
    for _ in range(90):
        row = [str(generator.choice(["x", "y", "z", "?"], p=[0.4, 0.3, 0.2, 0.1])) for _ in range(4)]
        lines.append(" ".join([*row, str(generator.choice(["a", "b", "c"]))]))
    header = "p {x,y,z}; q {x,y,z}; r {x,y,z}; s {x,y,z,w}; class {a,b,c}"
    data = table(header, ";".join(lines))
    training, queries = data.take(np.arange(60)), data.take(np.arange(60, 90))
    rows, classes, sizes = plain(training)
    expected = [by_definition(rows, classes, query, sizes, 3, 8)[0] for query in plain(queries)[0]]
    found = Recipe.load("snnb", **{"classifier.minimum_rows": 8}).build().fit(training).predict_proba(queries)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_blocks_change_nothing(monkeypatch):
    data = nominal("tic-tac-toe", 150)
    whole = Recipe.load("snnb").build().fit(data).predict_proba(data)
    monkeypatch.setattr("nbframework_neighbours.snnb.BLOCK_CELLS", 1500)
    np.testing.assert_array_equal(Recipe.load("snnb").build().fit(data).predict_proba(data), whole)


def test_more_rows_than_there_are_leave_plain_naive_bayes():
    data = nominal("tic-tac-toe", 100)
    found = Recipe.load("snnb", **{"classifier.minimum_rows": 1000}).build().fit(data).predict_proba(data)
    expected = Recipe.load("laplace-1").build().fit(data).predict_proba(data)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_equally_accurate_classifiers_leave_it_to_the_larger_neighbourhood():
    """All rows are classified right at every radius, so the classifier on all rows is asked."""
    data = table("p {x,y}; q {x,y}; class {a,b}", "; ".join(["x x a"] * 40 + ["y y b"] * 40))
    found = Recipe.load("snnb").build().fit(data).predict_proba(data)
    expected = Recipe.load("laplace-1").build().fit(data).predict_proba(data)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_it_learns_what_naive_bayes_cannot():
    """Exclusive or of two attributes: within distance 0 of a query there is one class."""
    lines = [f"{p} {q} {'a' if p == q else 'b'}" for p in "xy" for q in "xy"] * 40
    data = table("p {x,y}; q {x,y}; class {a,b}", ";".join(lines))
    assert (Recipe.load("snnb").build().fit(data).predict(data) == data.classes).all()
    assert (Recipe.load("laplace-1").build().fit(data).predict(data) == data.classes).mean() <= 0.5


def test_numbers_need_a_discretizer():
    data = read_arff(bundled_path("iris"))
    with pytest.raises(EvaluationError, match=r"'sepal_length' is numeric.*name a discretizer"):
        Recipe.load("snnb", discretizer="none").build().fit(data)


@pytest.mark.parametrize("check", checks_of(SNNB()), ids=str)
def test_promises(check):
    check()
