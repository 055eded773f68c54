"""The kappa classifier: its definition, its worked example and its extremes."""

import tracemalloc

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from support.builders import posteriors, table

from nbframework import Attribute, Dataset, Recipe
from nbframework_neighbours.kappa_kernel import KappaKernel

RED, GREEN = (1, 2, 7, 8), (5, 10, 11)
EXAMPLE = "; ".join([*(f"{x} green" for x in GREEN), *(f"{x} red" for x in RED)])
HEADER = "x numeric; class {green,red}"


def example(kappa, scale):
    """Return P(green | 4) in the example of Hosein & Baboolal (2022), section 5."""
    recipe = Recipe.load(
        "kappa-60", **{"neighbourhood.kappa": kappa, "neighbourhood.distance": {"integer-euclidean": {"scale": scale}}}
    )
    return posteriors(recipe, table(HEADER, EXAMPLE), table(HEADER, "4 ?"))[0, 0]


def numbers(rows, width, seed):
    generator = np.random.default_rng(seed)
    attributes = [*(Attribute.numeric(f"x{j}") for j in range(width)), Attribute.nominal("class", ["a", "b", "c"])]
    columns = [*generator.normal(size=(width, rows)), generator.choice(3, rows, p=[0.5, 0.3, 0.2])]
    return Dataset.from_columns(attributes, columns)


@pytest.mark.parametrize("kappa", [0, 1, 1.9, 8.7, 60])
@pytest.mark.parametrize(("scale", "unit"), [("none", 1), ("range", 10)])
def test_worked_example_by_its_formula(kappa, scale, unit):
    green = sum((1 + abs(4 - x) / unit) ** -kappa for x in GREEN)
    red = sum((1 + abs(4 - x) / unit) ** -kappa for x in RED)
    assert example(kappa, scale) == pytest.approx(green / (green + red), rel=1e-12)


@pytest.mark.parametrize(("scale", "below", "above"), [("none", 1.8, 2.0), ("range", 8.6, 8.8)])
def test_worked_example_chooses_green_from_the_threshold_on(scale, below, above):
    assert example(below, scale) < 0.5 < example(above, scale)


@pytest.mark.parametrize("kappa", [0.5, 5, 60])
def test_it_is_the_distance_weighted_vote_of_all_rows(kappa):
    data = numbers(200, 4, seed=3)
    training, queries = data.take(np.arange(150)), data.take(np.arange(150, 200))
    X, Q = np.column_stack(training.input_columns), np.column_stack(queries.input_columns)
    unit = np.ptp(X, axis=0)
    oracle = KNeighborsClassifier(n_neighbors=150, algorithm="brute", weights=lambda d: (1 + d) ** -kappa)
    expected = oracle.fit(X / unit, training.classes).predict_proba(Q / unit)
    found = posteriors(Recipe.load("kappa-60", **{"neighbourhood.kappa": kappa}), training, queries)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_kappa_0_predicts_the_class_frequencies():
    data = numbers(50, 2, seed=1)
    found = posteriors(Recipe.load("kappa-60", **{"neighbourhood.kappa": 0}), data, data)
    share = np.bincount(data.classes, minlength=3) / 50
    np.testing.assert_allclose(found, np.tile(share, (50, 1)), rtol=1e-12)


def test_a_uniform_prior_compares_the_mean_kernels_of_the_classes():
    recipe = Recipe.load("kappa-60", **{"neighbourhood.kappa": 3, "neighbourhood.class_prior": "uniform"})
    found = posteriors(recipe, table(HEADER, EXAMPLE), table(HEADER, "4 ?"))
    green = np.mean([(1 + abs(4 - x) / 10) ** -3 for x in GREEN])
    red = np.mean([(1 + abs(4 - x) / 10) ** -3 for x in RED])
    np.testing.assert_allclose(found, [[green / (green + red), red / (green + red)]], rtol=1e-12)


@pytest.mark.parametrize("kappa", [1e3, 1e5, 1e8])
def test_a_huge_kappa_keeps_the_ranking_and_finite_logs(kappa):
    data = numbers(120, 3, seed=5)
    training, queries = data.take(np.arange(100)), data.take(np.arange(100, 120))
    fitted = Recipe.load("kappa-60", **{"neighbourhood.kappa": kappa}).build().fit(training)
    X, Q = np.column_stack(training.input_columns), np.column_stack(queries.input_columns)
    apart = (((Q[:, np.newaxis] - X) / np.ptp(X, axis=0)) ** 2).sum(axis=-1)
    assert fitted.predict(queries).tolist() == training.classes[apart.argmin(axis=1)].tolist()
    nearest = np.array([[np.sqrt(apart[q, training.classes == c].min()) for c in range(3)] for q in range(20)])
    logs = -kappa * np.log1p(nearest)
    expected = logs - logs.max(axis=1, keepdims=True)
    found = fitted.predict_log_proba(queries)
    # beyond the nearest row of each class only its copies count, of which there is none
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1.0)


def test_a_huge_kappa_makes_the_nearest_row_the_whole_of_a_local_naive_bayes():
    data = numbers(60, 2, seed=8)
    text = "recipe: r\ndiscretizer: {equal-width: {bins: 3}}\nneighbourhood: {kappa-kernel: {kappa: 1e7}}"
    found = posteriors(text, data, data)
    assert found.argmax(axis=1).tolist() == data.classes.tolist()


def test_many_kappas_in_one_pass_are_each_kappa_by_itself():
    data = numbers(90, 3, seed=2)
    encoder, rows = Recipe.load("kappa-60").build().composition.encode(data)
    asked = encoder.queries(data)
    kappas = np.array([0, 1, 2.5, 60, 400])
    together = KappaKernel().fit(rows).class_sums(asked, kappas)
    apart = np.sqrt(
        (
            (np.column_stack(data.input_columns)[:, np.newaxis] - np.column_stack(data.input_columns))
            / np.ptp(np.column_stack(data.input_columns), axis=0)
        )
        ** 2
        @ np.ones(3)
    )
    for index, kappa in enumerate(kappas):
        powers = np.exp(-kappa * np.log1p(apart))
        expected = np.column_stack([powers[:, data.classes == c].sum(axis=1) for c in range(3)])
        np.testing.assert_allclose(np.exp(together[index]), expected, rtol=1e-9, atol=1e-300)


def test_leaving_a_row_out_of_its_own_sums_is_a_fit_without_it():
    data = numbers(40, 3, seed=6)
    encoder, rows = Recipe.from_text("recipe: r").build().composition.encode(data)
    scaled = KappaKernel().fit(rows)
    left = scaled.class_sums(encoder.queries(data), np.array([0.0, 9.0]), left_out=np.arange(40))
    whole = scaled.class_sums(encoder.queries(data), np.array([0.0, 9.0]))
    own = np.zeros((40, 3))
    own[np.arange(40), data.classes] = 1
    np.testing.assert_allclose(np.exp(left), np.exp(whole) - own, rtol=1e-9, atol=1e-9)


def test_votes_need_no_array_of_all_distances():
    data = numbers(3000, 4, seed=7)
    fitted = Recipe.load("kappa-60").build().fit(data)
    tracemalloc.start()
    fitted.predict_proba(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 8 / 5
