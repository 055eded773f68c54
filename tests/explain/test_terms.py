"""The evidence of classifiers that sum over parents: one term each."""

import numpy as np
import pytest
from scipy.special import logsumexp
from support.builders import table

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import explain
from nbframework.explain.rendering import as_data, as_html, as_text

AODE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {aode: {frequency_limit: %d}}"


@pytest.mark.parametrize("recipe", ["aode", "aodesr", "waode", "weka-aode"])
@pytest.mark.parametrize("data", ["iris", "monks-1"])
def test_the_terms_sum_to_the_joint_probability(recipe, data):
    dataset = read_arff(bundled_path(data))
    fitted = Recipe.load(recipe).build().fit(dataset)
    for row in range(0, len(dataset), 29):
        explanation = explain(fitted, dataset, row, changes=False)
        summed = logsumexp([term for _, term in explanation.terms], axis=0)
        np.testing.assert_allclose(summed, explanation.log_joint, rtol=0, atol=1e-12)


def test_the_term_of_a_parent_by_hand():
    """One attribute: its term is P(class, value) itself, (N + 1) / (n + C v)."""
    dataset = table("colour {red,blue}; class {x,y}", "red x; red x; blue y")
    explanation = explain(Recipe.from_text(AODE % 1).build().fit(dataset), dataset, 0)
    ((label, term),) = explanation.terms
    assert label == "colour"
    np.testing.assert_allclose(np.exp(term), [3 / 7, 1 / 7])


def test_without_a_parent_naive_bayes_is_the_only_term():
    dataset = table("colour {red,blue}; class {x,y}", "red x; red x; blue y")
    explanation = explain(Recipe.from_text(AODE % 9).build().fit(dataset), dataset, 0)
    assert [label for label, _ in explanation.terms] == ["naive Bayes"]
    np.testing.assert_allclose(explanation.terms[0][1], explanation.log_joint)


def test_the_largest_term_of_the_predicted_class_is_shown_first():
    dataset = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("aode").build().fit(dataset), dataset, 70)
    first = max(explanation.terms, key=lambda term: term[1][explanation.predicted])[0]
    assert as_text(explanation).splitlines()[1].startswith(f"term of {first} ")
    assert f"term of {first}" in as_html(explanation)
    assert as_data(explanation)["terms"][first]["virginica"] == pytest.approx(dict(explanation.terms)[first][2])


def test_a_product_has_no_terms():
    dataset = read_arff(bundled_path("iris"))
    assert explain(Recipe.load("sbc").build().fit(dataset), dataset, 0).terms == ()
