"""Leaving one row out by subtracting counts, against a fit without the row."""

import numpy as np
import pytest
from support.builders import posteriors, table
from support.structure_data import random_data

from nbframework import Dataset, Recipe
from nbframework_structures.joined import LeftOutAccuracy
from nbframework_structures.left_out import LeftOut
from nbframework_structures.parented import FittedParented

ESTIMATORS = ("{laplace: {f: 1}}", "laplace-m", "{m-estimate: {m: 2, prior: laplace}}", "cestnik", "no-match")
POLICIES = ("ignore", "{ignore: {denominator: include, cardinality: with-unknown}}", "as-value")


def parts(estimator: str, missing: str = "ignore"):
    text = f"recipe: t\nestimator: {estimator}\nmissing: {missing}\nstructure: naive"
    return Recipe.from_text(text).build().composition


def without(data: Dataset, row: int) -> Dataset:
    return data.take(np.delete(np.arange(len(data)), row))


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("parent", [None, 1])
def test_factors_equal_those_of_a_fit_without_the_row(estimator, missing, parent):
    data = random_data(11, rows=40)
    composition = parts(estimator, missing)
    _, training = composition.encode(data)
    left_out = LeftOut(training, composition.estimator)
    factors, prior = left_out.log_factors(parent), left_out.log_prior()
    parents = [() if parent is None or j == parent else (parent,) for j in range(4)]
    others = [j for j in range(4) if j != parent]
    for row in range(0, 40, 3):
        # the policy is the one of all rows: leaving out subtracts counts
        rows = np.delete(np.arange(40), row)
        rest = training_of(training, rows)
        fitted = FittedParented(rest, composition.estimator, parents)
        asked = training.take([row])
        expected = np.maximum(fitted.log_factors(asked)[0], -1e4)
        np.testing.assert_allclose(factors[row][:, others], expected[:, others], rtol=0, atol=1e-12)
        np.testing.assert_allclose(prior[row], np.maximum(fitted.log_prior(asked)[0], -1e4), rtol=0, atol=1e-12)


def training_of(training, rows):
    from nbframework.classifier.composition import training_rows

    return training_rows(training, training.missing, rows, None)


def test_the_whole_row_is_taken_away_whatever_its_weight():
    data = random_data(12, rows=30)
    weights = np.random.default_rng(0).random(30) + 0.1
    data = Dataset.from_columns(data.attributes, data.columns, weights=weights)
    composition = parts("{laplace: {f: 1}}")
    _, training = composition.encode(data)
    left_out = LeftOut(training, composition.estimator)
    scores = left_out.log_prior() + left_out.log_factors().sum(axis=-1)
    for row in range(30):
        model = Recipe.from_text("recipe: t\nestimator: {laplace: {f: 1}}").build().fit(without(data, row))
        found = scores[row] - np.logaddexp.reduce(scores[row])
        np.testing.assert_allclose(found, model.predict_log_proba(data.take([row]))[0], rtol=0, atol=1e-12)


def test_joined_factors_equal_those_of_a_fit_without_the_row():
    data = random_data(13, rows=30, unknown=0)
    composition = parts("{laplace: {f: 1}}")
    _, training = composition.encode(data)
    criterion = LeftOutAccuracy(training, composition.estimator, None)
    criterion._prepare([(0, 2)])
    for row in range(30):
        rest = without(data, row)
        for c in range(3):
            inside = rest.classes == c
            both = inside & (rest.columns[0] == data.columns[0][row]) & (rest.columns[2] == data.columns[2][row])
            expected = (both.sum() + 1) / (inside.sum() + 2 * 4)
            assert criterion.kept[(0, 2)][row, c] == pytest.approx(np.log(expected), abs=1e-12)


def test_blocks_change_nothing(monkeypatch):
    composition = parts("{laplace: {f: 1}}")
    _, training = composition.encode(random_data(14))
    whole = LeftOut(training, composition.estimator).log_factors(2)
    monkeypatch.setattr("nbframework_structures.left_out.BLOCK", 1)
    assert np.array_equal(LeftOut(training, composition.estimator).log_factors(2), whole)


STRUCTURES = (
    "naive",
    "tan",
    "weka-tan",
    "sp-tan",
    "{kdb: {k: 2}}",
    "joined",
    "{joined: {search: forward}}",
    "hnb",
    "iwhnb",
)
LEAVING = ("uniform", "{selective: {score: leave-one-out}}")


@pytest.mark.parametrize("weights", LEAVING)
@pytest.mark.parametrize("estimator", [*ESTIMATORS, "evidence-projection", "frequency"])
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.filterwarnings("error")
def test_leaving_out_the_only_row_leaves_nothing_that_tells_the_classes_apart(structure, estimator, weights):
    header = "a {t,f}; b {u,v}; class {x,y}"
    training, queries = table(header, "t u x"), table(header, "t u ?; f v ?")
    recipe = (
        f"recipe: t\nestimator: {estimator}\nprior: {{laplace: {{f: 1}}}}\nstructure: {structure}\nweights: {weights}"
    )
    assert posteriors(recipe, training, queries).sum(axis=1) == pytest.approx(1, abs=1e-12)
