"""Structures waode, hnb and iwhnb."""

import numpy as np
import pytest
from scipy.stats import entropy
from support.builders import fitted, odds, posteriors, table

from nbframework import Dataset, Recipe
from nbframework.statistics.counts import count

M1 = "recipe: t\nestimator: {m-estimate: {m: 1}}\nstructure: "
INDEPENDENT = ("a {t,f}; b {u,v}; class {x,y}", "t u x; t u x; t v x; t v x; f u x; f v x; t u y; t v y; f u y; f v y")


def skewed() -> Dataset:
    rows = "t u p x; t u p x; t v q x; f u q x; f v p y; f v q y; t v q y; f u p y; f v q y"
    return table("a {t,f}; b {u,v}; c {p,q}; class {x,y}", rows)


def test_waode_of_equal_information_is_aode_with_m_estimates():
    data = table("a {t,f}; b {t,f}; class {x,y}", "t t x; t t x; f f x; f f y; f f y; t t y; f f y")
    assert posteriors(M1 + "waode", data, data) == pytest.approx(posteriors(M1 + "aode", data, data), abs=1e-15)


def test_waode_without_any_information_weighs_all_parents_equally():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; f v x; t u y; f v y; t u y; f v y")
    found = posteriors(M1 + "waode", data, data)
    assert found == pytest.approx(posteriors(M1 + "aode", data, data), abs=1e-15)


def test_waode_weighs_by_mutual_information():
    data = skewed()
    scores = []
    for j in range(3):
        joint = np.zeros((2, 2))
        np.add.at(joint, (data.columns[j], data.classes), 1 / len(data))
        weight = entropy(joint.sum(0)) + entropy(joint.sum(1)) - entropy(joint.ravel())
        score = np.full(2, weight)
        for c in range(2):
            inside = (data.columns[j] == 0) & (data.classes == c)
            score[c] *= (inside.sum() + 1 / 4) / (len(data) + 1)
            for other in {0, 1, 2} - {j}:
                score[c] *= ((inside & (data.columns[other] == 0)).sum() + 1 / 2) / (inside.sum() + 1)
        scores.append(score)
    expected = np.sum(scores, axis=0)
    assert posteriors(M1 + "waode", data, data.take([0]))[0] == pytest.approx(expected / expected.sum(), abs=1e-14)


def test_waode_asks_naive_bayes_where_only_uninformative_attributes_are_known():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; t v x; f u y; f v y; f u y; f v y")
    query = table("a {t,f}; b {u,v}; class {x,y}", "? u ?")
    assert posteriors(M1 + "waode", data, query) == pytest.approx(posteriors(M1 + "naive", data, query), abs=1e-15)


def test_hnb_without_conditional_information_is_naive_bayes():
    data = table(*INDEPENDENT)
    assert posteriors(M1 + "hnb", data, data) == pytest.approx(posteriors(M1 + "naive", data, data), abs=1e-15)


def test_hnb_of_two_attributes_by_hand():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; t u x; f v x; t v y; f u y; f v y")
    # P(c) P(t | u, c) P(u | t, c) with P(t | u, c) = (n(c, t, u) + 1/2) / (n(c, u) + 1)
    x = (3 + 1 / 2) / 7 * (2 + 1 / 2) / 3 * (2 + 1 / 2) / 3
    y = (3 + 1 / 2) / 7 * (0 + 1 / 2) / 2 * (0 + 1 / 2) / 2
    assert posteriors(M1 + "hnb", data, data.take([0])) == pytest.approx(odds(f"{x} {y}"), abs=1e-15)


def test_hnb_of_three_attributes_mixes_by_conditional_information():
    data = skewed()
    information = np.zeros((3, 3))
    for i in range(3):
        for j in {0, 1, 2} - {i}:
            for c in range(2):
                joint = np.zeros((2, 2))
                inside = data.classes == c
                np.add.at(joint, (data.columns[i][inside], data.columns[j][inside]), 1 / inside.sum())
                parts = entropy(joint.sum(0)) + entropy(joint.sum(1)) - entropy(joint.ravel())
                information[i, j] += inside.mean() * parts
    score = np.empty(2)
    for c in range(2):
        inside = data.classes == c
        score[c] = (inside.sum() + 1 / 2) / (len(data) + 1)
        for i in range(3):
            mixed = 0.0
            for j in {0, 1, 2} - {i}:
                given = inside & (data.columns[j] == 0)
                mixed += information[i, j] * ((given & (data.columns[i] == 0)).sum() + 1 / 2) / (given.sum() + 1)
            score[c] *= mixed / information[i].sum()
    assert posteriors(M1 + "hnb", data, data.take([0]))[0] == pytest.approx(score / score.sum(), abs=1e-14)


def test_hnb_shares_the_influence_of_an_unknown_parent_among_the_others():
    data = skewed()
    query = table("a {t,f}; b {u,v}; c {p,q}; class {x,y}", "t u ? ?")
    without = Dataset.from_columns([*data.attributes[:2], data.attributes[3]], [*data.columns[:2], data.columns[3]])
    assert posteriors(M1 + "hnb", data, query) == pytest.approx(posteriors(M1 + "hnb", without, query), abs=1e-14)


def test_hnb_takes_attribute_weights():
    model = fitted(M1 + "hnb", skewed()).model.structure
    assert model.labels == ("a", "b", "c")


def test_iwhnb_weighs_rows_by_the_frequency_of_their_values():
    data = table("a {t,f}; b {u,v,w}; class {x,y}", "t u x; t v x; f u y; t ? y")
    # t occurs in 3 of 4 rows and has 2 values: 3/4 * 2; u in 2 of 4 and has 3: 2/4 * 3
    weights = [3 / 2 + 3 / 2, 3 / 2 + 3 / 4, 1 / 2 + 3 / 2, 3 / 2]
    weighted = Dataset.from_columns(data.attributes, data.columns, weights=np.array(weights))
    laplace = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: "
    expected = posteriors(laplace + "hnb", weighted, data)
    assert posteriors(laplace + "iwhnb", data, data) == pytest.approx(expected, abs=1e-14)


def test_the_negligible_terms_of_weka_are_left_out():
    # one row of 2000 has the second class: P(c, x) P(c) is below 1e-6
    rows = "t u x; f v x; " * 1000 + "t v y"
    data = table("a {t,f}; b {u,v}; class {x,y}", rows)
    whole, cut = (Recipe.from_text(M1 + f"{{hnb: {{negligible: {least}}}}}").build().fit(data) for least in (0, 1e-6))
    one, other = whole.model.structure.influence[0, 1], cut.model.structure.influence[0, 1]
    assert one == pytest.approx(2000 / 2001, abs=1e-12)
    assert other == pytest.approx(2000 / 2001, abs=1e-12)


def test_information_counts_only_rows_that_know_both_attributes():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; f v x; t u y; f v y; t ? x; ? v y")
    model = fitted(M1 + "hnb", data).model.structure
    assert model.influence[0, 1] == pytest.approx(1.0, abs=1e-12)


def test_counts_of_the_training_set_are_not_changed():
    data = skewed()
    model = fitted(M1 + "waode", data).model
    again = count(model.training.codes, data.classes.astype(int), 2)
    assert np.array_equal(model.training.counts.cells, again.cells)
