"""The public problem cases of naive-Bayes estimates, each with its right answer."""

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, shares
from support.cases import needs_cases, train_and_test

from nbframework import EvaluationError

pytestmark = needs_cases
LAPLACE = "recipe: t\nestimator: {laplace: {f: 1}}"


def answers(case: str, text: str = LAPLACE) -> np.ndarray:
    return posteriors(text, *train_and_test(case))


def test_nb_01_a_declared_value_without_rows():
    # P(green|a) = P(green|b) = 1/7; red: 3/7 against 2/7
    np.testing.assert_allclose(answers("NB-01"), shares("0.5 0.5; 0.6 0.4"), atol=1e-14)


def test_nb_02_no_variance_inside_a_class():
    found = answers("NB-02", "gaussian-nb")
    assert np.isfinite(found).all()
    assert found[0, 0] > 0.999
    np.testing.assert_allclose(found[1], [0.5, 0.5], atol=1e-12)
    assert found[2, 1] > 0.999
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


def test_nb_04_a_query_far_outside():
    found = answers("NB-04", "gaussian-nb")
    np.testing.assert_array_equal(found[:2], [[0, 1], [1, 0]])
    # at 1e200 both densities are 0: the raw class frequencies, as stated for a row that rules out every class
    np.testing.assert_array_equal(found[2], [0.5, 0.5])


def test_nb_04_the_log_odds_of_a_query_far_outside():
    training, queries = train_and_test("NB-04")
    found = fitted("gaussian-nb", training).predict_log_proba(queries)
    # variance 2/3 in both classes: (20 x - 100) / (2 * 2/3)
    assert found[0, 0] == pytest.approx(-(20 * 1e6 - 100) * 3 / 4, rel=1e-10)
    assert found[1, 1] == pytest.approx((20 * -1e6 - 100) * 3 / 4, rel=1e-10)


@pytest.mark.parametrize(("prior", "expected"), [("frequency", "1 0"), ("{laplace: {f: 1}}", "0.75 0.25")])
def test_nb_22_a_class_whose_rows_have_weight_0(prior, expected):
    training, queries = train_and_test("NB-22")
    model = fitted(f"{LAPLACE}\nprior: {prior}\ndensity: gaussian", training)
    assert model.class_values == ("a", "b")
    found = model.predict_proba(queries)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    unknown = queries.take([])
    assert model.predict_proba(unknown).shape == (0, 2)
    prior_alone = fitted(f"{LAPLACE}\nprior: {prior}\nstructure: class-only", training).predict_proba(queries)
    np.testing.assert_allclose(prior_alone, np.repeat(shares(expected), 2, axis=0), atol=1e-14)


def test_nb_06_all_weights_0():
    training, _ = train_and_test("NB-06")
    with pytest.raises(EvaluationError, match="the total weight of the 4 training rows is 0"):
        fitted(LAPLACE, training)


def test_nb_08_zero_in_every_class():
    np.testing.assert_allclose(answers("NB-08"), shares("0.5 0.5; 0.9 0.1"), atol=1e-14)


def test_nb_08_zero_in_every_class_without_smoothing_is_the_prior():
    np.testing.assert_array_equal(answers("NB-08", "recipe: t\nestimator: frequency"), shares("0.5 0.5; 1 0"))


@pytest.mark.parametrize(("prior", "expected"), [("frequency", "1 0"), ("{laplace: {f: 1}}", "0.75 0.25")])
def test_nb_09_only_one_of_the_declared_classes(prior, expected):
    found = answers("NB-09", f"{LAPLACE}\nprior: {prior}")
    np.testing.assert_allclose(found, np.repeat(shares(expected), 2, axis=0), atol=1e-14)


def test_nb_11_an_unknown_value_in_the_query():
    np.testing.assert_allclose(answers("NB-11"), shares("2/3 1/3; 0.2 0.8; 0.5 0.5"), atol=1e-14)


@pytest.mark.parametrize(("variance", "log_odds"), [("population", 0.45), ("sample", 0.3)])
@pytest.mark.parametrize("scale", ["1", "1e-7", "1e7"])
def test_nb_14_the_scale_of_the_data(variance, log_odds, scale):
    found = answers(f"NB-14-{scale}", f"recipe: t\ndensity: {{gaussian: {{variance: {variance}}}}}")
    np.testing.assert_allclose(found[0, 1], 1 / (1 + np.exp(-log_odds)), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["kernel-nb", "sbc", "proportional-nb"])
def test_nb_14_the_scale_of_the_data_for_other_recipes(name):
    one, small, large = (answers(f"NB-14-{scale}", name) for scale in ("1", "1e-7", "1e7"))
    np.testing.assert_allclose(small, one, rtol=0, atol=1e-9)
    np.testing.assert_allclose(large, one, rtol=0, atol=1e-9)


def test_nb_16_an_exact_tie_goes_to_the_first_declared():
    training, queries = train_and_test("NB-16")
    model = fitted(LAPLACE, training)
    np.testing.assert_array_equal(model.predict_proba(queries), [[0.5, 0.5]])
    assert [model.class_values[code] for code in model.predict(queries)] == ["z"]


@pytest.mark.parametrize("case", ["NB-17", "NB-17_NB-18"])
def test_nb_17_whole_weights_are_repeated_rows(case):
    np.testing.assert_allclose(answers(case), shares("96/121 25/121"), atol=1e-14)


def test_nb_19_training_rows_without_class():
    training, queries = train_and_test("NB-19")
    model = fitted(LAPLACE, training)
    np.testing.assert_allclose(model.predict_proba(queries), odds("2 1; 1 2"), atol=1e-14)
    assert model.notes == ("3 rows without a class left out of training",)


def test_nb_20_a_string_input():
    training, _ = train_and_test("NB-20")
    with pytest.raises(EvaluationError, match="attribute 'tag' is string, which no classifier takes as input"):
        fitted(LAPLACE, training)
