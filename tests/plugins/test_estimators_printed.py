"""Estimators inside whole classifiers: figures that papers print, and the form of Orange."""

from fractions import Fraction

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, table

from nbframework.plugins import installed

EXAMPLE = table("x numeric; colour {green,red}", "5 green; 10 green; 11 green; 1 red; 2 red; 7 red; 8 red")
FOUR = table("x numeric; colour {green,red}", "4 ?")


def test_laplace_example_of_hosein_and_baboolal():
    # section 5: 4/9 * 1/10 = 4/90 for green, 5/9 * 1/11 = 5/99 for red
    model = fitted("laplace-nb", EXAMPLE)
    np.testing.assert_allclose(model.predict_proba(FOUR), odds("4/90 5/99"), atol=1e-14)
    assert model.predict(FOUR).tolist() == [1]


def test_gaussian_example_of_hosein_and_baboolal():
    # section 5: normal densities of the printed moments (8.67, 2.6247) and (4.5, 3.041), times 4/9 and 5/9; the
    # 0.0315 printed for green is 0.0312 by these moments
    def density(mean, deviation):
        return np.exp(-0.5 * ((4 - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))

    green, red = density(8.67, 2.6247) * 4, density(4.5, 3.041) * 5
    assert red / 9 == pytest.approx(0.0718, abs=2e-4)
    found = posteriors("gaussian-nb", EXAMPLE, FOUR)
    np.testing.assert_allclose(found[0], [green / (green + red), red / (green + red)], atol=5e-4)


def test_m_estimate_of_equation_6_on_the_same_example():
    # q(4) = (0 + 1) / (7 + 7) = 1/14, m = 1: (1/14) / (3 + 1) for green, (1/14) / (4 + 1) for red; prior
    # (3 + 1/2) / 8 and (4 + 1/2) / 8
    recipe = "recipe: t\ndiscretizer: distinct-values\nestimator: {m-estimate: {m: 1, prior: laplace}}"
    np.testing.assert_allclose(posteriors(recipe, EXAMPLE, FOUR), odds("7/256 9/320"), atol=1e-14)


def test_cestnik_is_the_form_of_orange():
    # Orange: P(C) prod_j [(n_ca + 1) / (n_a + #C)] / P(C), P(C) = (n_c + 1) / (n + #C)
    training = table("colour {red,blue}; size {s,l}; class {a,b}", "red s a; red l a; blue s a; blue s b; blue l b")
    query = table("colour {red,blue}; size {s,l}; class {a,b}", "red s ?; blue ? ?")
    # P(a) = 4/7, P(b) = 3/7; red: 3/4, 1/4; blue: 2/5, 3/5; s: 3/5, 2/5
    first = [Fraction(3, 4) * Fraction(3, 5) / Fraction(4, 7), Fraction(1, 4) * Fraction(2, 5) / Fraction(3, 7)]
    expected = np.array([[float(first[0] / sum(first)), float(first[1] / sum(first))], [2 / 5, 3 / 5]])
    recipe = "recipe: t\nestimator: {cestnik: {f: 1}}"
    np.testing.assert_allclose(posteriors(recipe, training, query), expected, atol=1e-14)


def test_a_class_without_rows_never_gets_nan():
    training = table("colour {red,blue}; class {a,b,c}", "red a; blue b")
    query = table("colour {red,blue}; class {a,b,c}", "red ?; ? ?")
    for name in installed().names("estimator"):
        found = posteriors(f"recipe: t\nestimator: {name}", training, query)
        assert np.isfinite(found).all(), name
        np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12, err_msg=name)
