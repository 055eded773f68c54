"""Structures aode and aodesr."""

import tracemalloc

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, shares, table
from support.cases import needs_cases, train_and_test
from support.structure_data import random_data

from nbframework import Dataset, Recipe
from nbframework.data.attribute import Attribute
from nbframework.errors import EvaluationError

AODE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: aode"


def test_one_attribute_is_joint_smoothing():
    data = table("a {u,v,w}; class {x,y}", "u x; u x; v x; v y; w y")
    # (n(c, a) + 1) / (5 + 2 * 3)
    assert posteriors(AODE, data, data.take([0, 2, 4])) == pytest.approx(odds("3 1; 2 2; 1 2"), abs=1e-15)


def test_two_attributes_by_hand():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; t v x; f u y; t u y")
    query = data.take([0])
    # parent a: P(c, t) P(u | c, t); parent b: P(c, u) P(t | c, u)
    x = 3 / 8 * 2 / 4 + 2 / 8 * 2 / 3
    y = 2 / 8 * 2 / 3 + 3 / 8 * 2 / 4
    assert posteriors(AODE, data, query) == pytest.approx(np.array([[x, y]]) / (x + y), abs=1e-15)


def test_an_unknown_child_leaves_its_rows_out_of_the_denominator():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; t ? x; f u y; t u y")
    query = table("a {t,f}; b {u,v}; class {x,y}", "t u ?")
    x = 3 / 8 * 2 / 3 + 2 / (3 + 4) * 2 / 3
    y = 2 / 8 * 2 / 3 + 3 / (3 + 4) * 2 / 4
    assert posteriors(AODE, data, query) == pytest.approx(np.array([[x, y]]) / (x + y), abs=1e-15)


def test_an_unknown_value_is_neither_parent_nor_child():
    data = random_data(1, unknown=0)
    query = random_data(2, rows=10, unknown=0)
    blank = Dataset.from_columns(query.attributes, [*query.columns[:3], np.full(10, 3), query.columns[4]])
    fewer = Dataset.from_columns([*data.attributes[:3], data.attributes[4]], [*data.columns[:3], data.columns[4]])
    asked = Dataset.from_columns([*data.attributes[:3], data.attributes[4]], [*query.columns[:3], query.columns[4]])
    assert posteriors(AODE, data, blank) == pytest.approx(posteriors(AODE, fewer, asked), abs=1e-14)


def test_a_row_that_knows_nothing_gets_the_prior():
    data = table("a {t,f}; class {x,y}", "t x; f x; f y")
    query = table("a {t,f}; class {x,y}", "? ?")
    assert posteriors(AODE, data, query) == pytest.approx(shares("3/5 2/5"), abs=1e-15)


def test_dropped_classes_get_no_probability():
    data = table("a {t,f}; b {t,f}; class {x,y,z}", "t t x; f t x; f f y")
    found = posteriors(AODE + "\nempty_classes: drop", data, data)
    assert (found[:, 2] == 0).all()
    assert (posteriors(AODE, data, data)[:, 2] > 0).all()


def test_exact_zeros_stay_zeros():
    data = table("a {t,f}; b {t,f}; class {x,y}", "t t x; t t x; f f y")
    found = fitted("recipe: t\nestimator: frequency\nstructure: aode", data).predict_log_proba(data)
    assert found.tolist() == [[0, -np.inf], [0, -np.inf], [-np.inf, 0]]


@needs_cases
def test_case_01_an_attribute_of_one_value_is_one_more_parent():
    training, queries = train_and_test("ODE-01")
    assert posteriors(AODE, training, queries)[0] == pytest.approx([21 / 65, 44 / 65], abs=1e-12)
    training, queries = train_and_test("ODE-01b")
    assert posteriors(AODE, training, queries)[0] == pytest.approx([13 / 41, 28 / 41], abs=1e-12)


@needs_cases
@pytest.mark.parametrize("structure", ["naive", "waode", "hnb"])
def test_case_01_other_structures_do_not_feel_an_attribute_of_one_value(structure):
    recipe = f"recipe: t\nestimator: {{m-estimate: {{m: 1}}}}\nstructure: {structure}"
    found = posteriors(recipe, *train_and_test("ODE-01"))
    assert found == pytest.approx(posteriors(recipe, *train_and_test("ODE-01b")), abs=1e-12)


@needs_cases
def test_case_03_without_a_frequent_parent_naive_bayes_answers():
    training, queries = train_and_test("ODE-03")
    limited = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aode: {frequency_limit: 3}}"
    assert posteriors(limited, training, queries)[:, 0] == pytest.approx([0.7619047619047619, 0.4], abs=1e-12)
    assert posteriors(AODE, training, queries)[:, 0] == pytest.approx([0.75, 0.4], abs=1e-12)


@needs_cases
@pytest.mark.parametrize(
    "name", ["aode", "aodesr", "waode", "hnb", "iwhnb", "tan", "weka-tan", "kdb", "sp-tan", "joined"]
)
def test_case_05_a_numeric_attribute_is_refused_with_the_remedy(name):
    training, _ = train_and_test("ODE-05")
    with pytest.raises(EvaluationError) as error:
        Recipe.from_text(f"recipe: t\nstructure: {name}").build().fit(training)
    assert str(error.value) == (
        f"attribute 'x' is numeric, and structure {name!r} takes nominal attributes only; "
        "name a discretizer in the recipe"
    )


@needs_cases
def test_case_06_a_combination_that_never_occurred_is_answered():
    found = posteriors(AODE, *train_and_test("ODE-06"))
    assert found == pytest.approx(shares("5/14 9/14; 9/14 5/14"), abs=1e-12)


@needs_cases
def test_case_08_a_duplicated_attribute():
    assert posteriors(AODE, *train_and_test("ODE-08"))[0, 0] == pytest.approx(0.3625311, abs=5e-8)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_columns_changes_no_posterior(seed):
    data = random_data(seed)
    order = [*np.random.default_rng(seed).permutation(4), 4]
    other = Dataset.from_columns([data.attributes[j] for j in order], [data.columns[j] for j in order])
    assert np.abs(posteriors(AODE, data, data) - posteriors(AODE, other, other)).max() < 1e-12


@pytest.mark.parametrize("structure", ["aode", "aodesr", "waode", "hnb"])
def test_the_form_that_counts_parent_by_parent_equals_the_table(structure, monkeypatch):
    data = random_data(7)
    recipe = f"recipe: t\nestimator: {{laplace: {{f: 1}}}}\nstructure: {structure}"
    whole = posteriors(recipe, data, data)
    monkeypatch.setattr("nbframework_structures.parent_counts.LARGEST_TABLE", 0)
    monkeypatch.setattr("nbframework_structures.one_dependence.LARGEST_KEPT", 0)
    monkeypatch.setattr("nbframework_structures.hnb.LARGEST_KEPT", 0)
    monkeypatch.setattr("nbframework_structures.one_dependence.BLOCK", 1)
    monkeypatch.setattr("nbframework_structures.hnb.BLOCK", 1)
    assert posteriors(recipe, data, data) == pytest.approx(whole, abs=1e-13)


def test_four_thousand_attributes_neither_underflow_nor_exhaust_memory():
    generator = np.random.default_rng(0)
    attributes = [Attribute.nominal(f"a{j}", ["f", "t"]) for j in range(4000)]
    attributes.append(Attribute.nominal("class", ["x", "y"]))
    classes = np.arange(12) % 2
    columns = [np.where(generator.random(12) < 0.7, classes, 1 - classes) for _ in range(4000)]
    data = Dataset.from_columns(attributes, [*columns, classes])
    tracemalloc.start()
    try:
        # a few hundred of the attributes are parents of all others
        classifier = fitted(AODE, data, **{"structure.frequency_limit": 9})
        log_posterior = classifier.predict_log_proba(data.take([1]))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.isfinite(log_posterior).all()
    assert log_posterior.argmax(axis=1).tolist() == [1]
    assert classifier.notes == (
        "the table of all pairs of values would take 977 MiB, more than 256: "
        "its 4,000 attributes are counted one after the other, in as many passes over the rows",
    )
    assert peak < 100 * 2**20, "the table of all pairs alone would take 1 GB"


def test_aodesr_leaves_out_the_generalisation():
    # pregnant implies female, in more than 2 rows: the query (female, pregnant) is asked of pregnant alone
    rows = "f y x; f y x; f y y; f n y; m n x; m n y; m n y"
    data = table("sex {f,m}; pregnant {y,n}; class {x,y}", rows)
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aodesr: {critical: 2}}"
    assert posteriors(recipe, data, data.take([0])) == pytest.approx(odds("3 2"), abs=1e-15)


def test_aodesr_believes_only_more_than_the_critical_weight():
    data = table("sex {f,m}; pregnant {y,n}; class {x,y}", "f y x; f y x; f y y; f n y; m n x; m n y; m n y")
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aodesr: {critical: 3}}"
    assert posteriors(recipe, data, data) == pytest.approx(posteriors(AODE, data, data), abs=1e-15)


def test_aodesr_keeps_the_first_of_equivalent_attributes():
    data = table("a {t,f}; b {t,f}; c {u,v}; class {x,y}", "t t u x; t t v x; f f u y; f f v y; t t u y")
    once = table("a {t,f}; c {u,v}; class {x,y}", "t u x; t v x; f u y; f v y; t u y")
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aodesr: {critical: 1}}"
    assert posteriors(recipe, data, data) == pytest.approx(posteriors(AODE, once, once), abs=1e-15)


def test_aodesr_judges_implications_by_rows_not_by_rounded_weights():
    rows = "f y x {0.1}; f y x {0.2}; f y y {0.3}; f n y {0.7}; m n x {0.1}; m n y {0.9}; m n y {0.2}"
    data = table("sex {f,m}; pregnant {y,n}; class {x,y}", rows)
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aodesr: {critical: 0.5, frequency_limit: 0}}"
    assert posteriors(recipe, data, data.take([0])) == pytest.approx(odds("1.3 1.3"), abs=1e-12)
