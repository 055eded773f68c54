"""What must not matter, over many recipes: shared work, the order of things, a row's weight or its repetition."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.recipes import EVERY, recipe
from support.strategies import datasets

from nbframework import Attribute, Dataset

FEW = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
EVERY_RECIPE = pytest.mark.parametrize("name", EVERY)
# Imputation takes the first declared of equally frequent values, by its documentation.
ORDER_OF_VALUES = [name for name in EVERY if name != "impute"]


def learnable(dataset: Dataset) -> bool:
    """Whether every policy keeps a row: one row is complete."""
    complete = dataset.classes < len(dataset.class_values)
    for index in dataset.input_indexes:
        complete = complete & ~dataset.unknown(index)
    return bool(complete.sum() >= 2)


def log_posterior(name: str, training: Dataset, queries: Dataset) -> np.ndarray:
    return recipe(name).build().fit(training).predict_log_proba(queries)


def same(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(np.exp(found), np.exp(expected), rtol=0, atol=tolerance)
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(expected))


# --- folds that share their work


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_fit_folds_equals_fit_on_each_fold(name, data):
    dataset = data.draw(datasets())
    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    which = generator.integers(0, 3, len(dataset))
    training = [np.flatnonzero(which != fold) for fold in range(3)]
    assume(all(learnable(dataset.take(rows)) for rows in training))
    classifier = recipe(name).build()
    for rows, shared in zip(training, classifier.fit_folds(dataset, training, seed=3), strict=True):
        alone = classifier.fit(dataset.take(rows))
        same(shared.predict_log_proba(dataset), alone.predict_log_proba(dataset), 1e-12)
        np.testing.assert_array_equal(shared.predict(dataset), alone.predict(dataset))
        np.testing.assert_array_equal(shared.class_weight, alone.class_weight)
        assert shared.notes == alone.notes


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_fit_folds_takes_any_rows_even_twice(name, data):
    dataset = data.draw(datasets(unknown=False))
    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    training = [generator.integers(0, len(dataset), len(dataset)), np.arange(2)]
    assume(all(learnable(dataset.take(rows)) for rows in training))
    classifier = recipe(name).build()
    for rows, shared in zip(training, classifier.fit_folds(dataset, training), strict=True):
        alone = classifier.fit(dataset.take(rows))
        same(shared.predict_log_proba(dataset), alone.predict_log_proba(dataset), 1e-12)


# --- leave one out


@EVERY_RECIPE
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_leave_one_out_equals_refitting(name, data):
    numeric = data.draw(st.booleans())
    dataset = data.draw(datasets(least=8, most=14, no_class=False, numeric=numeric))
    rows = np.arange(len(dataset))
    assume(all(learnable(dataset.take(rows != row)) for row in rows))
    classifier = recipe(name).build()
    found, predicted = classifier.leave_one_out(dataset)
    for row in rows:
        alone = classifier.fit(dataset.take(rows != row))
        expected = alone.predict_log_proba(dataset.take([row]))
        same(found[row : row + 1], expected)
        assert predicted[row] == alone.predict(dataset.take([row]))[0]


# --- weights


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_weight_2_is_the_row_twice(name, data):
    dataset = data.draw(datasets(weights=("whole",), no_class=False))
    assume(learnable(dataset))
    times = dataset.weights.astype(int)
    repeated = Dataset(dataset.attributes, dataset.columns, dataset.class_index).take(
        np.repeat(np.arange(len(dataset)), times)
    )
    same(log_posterior(name, repeated, dataset), log_posterior(name, dataset, dataset))


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_a_row_of_weight_0_is_absent(name, data):
    dataset = data.draw(datasets(weights=("none",), no_class=False))
    generator = np.random.default_rng(data.draw(st.integers(0, 99)))
    weights = generator.integers(0, 3, len(dataset)).astype(float)
    weighted = Dataset.from_columns(dataset.attributes, dataset.columns, weights=weights)
    present = weighted.take(weights > 0)
    assume(learnable(present))
    same(log_posterior(name, weighted, dataset), log_posterior(name, present, dataset), 0)


# --- order and names


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_the_order_of_rows_changes_nothing(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(len(dataset))
    same(log_posterior(name, dataset.take(order), dataset), log_posterior(name, dataset, dataset))


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_the_order_of_attributes_changes_nothing(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(len(dataset.attributes))
    moved = Dataset.from_columns(
        [dataset.attributes[i] for i in order],
        [dataset.columns[i] for i in order],
        class_attribute="class",
        weights=dataset.weights,
    )
    same(log_posterior(name, moved, dataset), log_posterior(name, dataset, dataset))


@pytest.mark.parametrize("name", ORDER_OF_VALUES)
@FEW
@given(data=st.data())
def test_the_order_of_values_changes_nothing(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    attributes = list(dataset.attributes)
    columns = list(dataset.columns)
    attributes[0] = Attribute.nominal("u", ["r", "p", "q"], weight=attributes[0].weight)
    columns[0] = np.array([1, 2, 0, 3, 4])[columns[0]]
    turned = Dataset.from_columns(attributes, columns, weights=dataset.weights)
    same(log_posterior(name, turned, dataset), log_posterior(name, dataset, dataset))


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_the_names_of_attributes_change_nothing(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    renamed = [
        Attribute(f"another {i}", attribute.kind, attribute.values, weight=attribute.weight)
        for i, attribute in enumerate(dataset.attributes)
    ]
    other = Dataset.from_columns(renamed, dataset.columns, weights=dataset.weights)
    same(log_posterior(name, other, other), log_posterior(name, dataset, dataset), 0)


# --- the answer of a query is its own


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_a_query_gets_the_same_alone_and_among_others(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    model = recipe(name).build().fit(dataset)
    together = model.predict_log_proba(dataset)
    for row in range(len(dataset)):
        same(model.predict_log_proba(dataset.take([row])), together[row : row + 1], 1e-12)


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_posteriors_sum_to_one(name, data):
    dataset = data.draw(datasets())
    assume(learnable(dataset))
    found = log_posterior(name, dataset, dataset)
    assert not np.isnan(found).any()
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1, rtol=0, atol=1e-12)


@EVERY_RECIPE
@FEW
@given(data=st.data())
def test_the_class_of_a_query_is_not_looked_at(name, data):
    dataset = data.draw(datasets(no_class=False))
    assume(learnable(dataset))
    model = recipe(name).build().fit(dataset)
    columns = [*dataset.columns[:-1], np.full(len(dataset), 4, dtype=np.uint8)]
    blind = Dataset.from_columns(dataset.attributes, columns)
    same(model.predict_log_proba(blind), model.predict_log_proba(dataset), 0)
