"""Cut points learned inside each neighbourhood: the neighbours alone, and the training set under their cut points."""

from dataclasses import replace

import numpy as np
import pytest
from support.builders import fitted, posteriors

from nbframework import Attribute, Dataset, Recipe
from nbframework.classifier.rediscretizing import rediscretized
from nbframework.classifier.training_tables import TrainingTables
from nbframework.parts.weights import Evidence

STRUCTURES = (
    *("class-only", "naive", "tan", "{tan: {smoothing: 5}}", "weka-tan", "sp-tan", "{kdb: {k: 2}}", "joined"),
    *("{joined: {search: forward, reliability: 0.5}}", "aode", "waode", "{aodesr: {critical: 5}}", "hnb", "iwhnb"),
)
OF_THE_ROWS = ("{laplace: {f: 1}}", "{laplace: {f: 0.01}}", "{m-estimate: {m: 2}}")
"""Estimators that look at nothing but the rows that they are fitted on, and leave no class without probability."""
OF_THE_TRAINING_SET = (
    *("laplace-m", "{m-estimate: {prior: laplace}}", "evidence-projection", "cestnik", "no-match"),
    *("{no-match: {numerator: class-frequency}}", "{no-match: {numerator: class-frequency-per-attribute}}"),
    "{no-match: {target: joint}}",
)
ALONE = (
    "ignore",
    "{ignore: {denominator: include}}",
    "{ignore: {unseen: skip}}",
    "{as-value: {where: every-attribute}}",
)
"""Missing policies that decide the same on some rows as on all."""
POLICIES = (
    *ALONE,
    *("{ignore: {cardinality: observed}}", "{ignore: {denominator: include, cardinality: with-unknown}}", "as-value"),
    *("{auto: {threshold: 0, cardinality: with-unknown}}", "auto", "drop-rows", "impute"),
)
DISCRETIZERS = ("entropy-mdl", "equal-width", "equal-frequency", "proportional", "distinct-values")


def data(seed: int, rows: int = 60, weighted: bool = False) -> Dataset:
    """Two numeric inputs that tell of the class, one with few distinct numbers, and a nominal one; some are unknown."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, 3, rows)
    numbers = [random.normal(classes * slope, 1) for slope in (1.5, 0.0, 0.8)]
    numbers[2] = np.round(numbers[2])
    numbers = [np.where(random.random(rows) < 0.1, np.nan, column) for column in numbers]
    colour = np.where(random.random(rows) < 0.1, 4, (classes + random.integers(0, 2, rows)) % 3)
    attributes = [Attribute.numeric(name) for name in ("x", "y", "z")]
    attributes += [Attribute.nominal("colour", ["red", "green", "blue"]), Attribute.nominal("class", ["a", "b", "c"])]
    weights = random.choice([0.5, 1.0, 1.25], rows) if weighted else None
    return Dataset.from_columns(attributes, [*numbers, colour, classes], weights=weights)


def recipe(k: int | None, scope: str = "neighbourhood", discretizer: str = "entropy-mdl", **parts: str) -> str:
    """Return a recipe on the k nearest rows, or on all of them."""
    chosen = {
        "discretizer": f"{{{discretizer}: {{scope: {scope}}}}}",
        "neighbourhood": f"{{nearest: {{k: {k}}}}}" if k else "everything",
        "estimator": "{laplace: {f: 1}}",
    }
    return "\n".join(["recipe: t", *(f"{kind}: {part}" for kind, part in (chosen | parts).items())])


def on_the_neighbours_alone(training: Dataset, queries: Dataset, k: int, **parts: str) -> np.ndarray:
    """Return the posteriors of one model for each query, fitted on its neighbours as a training set of their own."""
    local = fitted(recipe(k, **parts), training).model
    near = local.neighbourhood.around(local.encoder.queries(queries))
    rows = [near.row[first:last] for first, last in zip(near.start[:-1], near.start[1:], strict=True)]
    alone = recipe(None, "training", **parts)
    found = [posteriors(alone, training.take(np.sort(own)), queries.take([q])) for q, own in enumerate(rows)]
    return np.concatenate(found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("estimator", OF_THE_ROWS)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_structure_is_the_one_that_is_fitted_on_the_neighbours_alone(structure, estimator, weighted):
    training, queries = data(1, weighted=weighted), data(2, 4)
    parts = {"structure": structure, "estimator": estimator}
    expected = on_the_neighbours_alone(training, queries, 25, **parts)
    np.testing.assert_allclose(posteriors(recipe(25, **parts), training, queries), expected, atol=1e-12)


@pytest.mark.parametrize("discretizer", DISCRETIZERS)
@pytest.mark.parametrize("missing", ALONE)
@pytest.mark.parametrize("structure", ["naive", "aode", "{tan: {smoothing: 5}}"])
def test_every_policy_and_discretizer_is_the_one_that_is_fitted_on_the_neighbours_alone(
    structure, missing, discretizer
):
    training, queries = data(3), data(4, 4)
    parts = {"structure": structure, "missing": missing, "discretizer": discretizer}
    expected = on_the_neighbours_alone(training, queries, 25, **parts)
    np.testing.assert_allclose(posteriors(recipe(25, **parts), training, queries), expected, atol=1e-12)


@pytest.mark.parametrize(
    "weights", ["conditional-likelihood", "gain-ratio", "correlation-based", "{selective: {score: leave-one-out}}"]
)
@pytest.mark.parametrize("structure", ["naive", "tan"])
def test_weights_are_those_that_are_learned_from_the_neighbours_alone(structure, weights):
    training, queries = data(5), data(6, 3)
    parts = {"structure": structure, "weights": weights}
    expected = on_the_neighbours_alone(training, queries, 25, **parts)
    np.testing.assert_allclose(posteriors(recipe(25, **parts), training, queries), expected, atol=1e-8)


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("estimator", OF_THE_TRAINING_SET)
@pytest.mark.parametrize("structure", ["naive", "aode", "tan"])
def test_a_neighbourhood_of_all_rows_is_the_whole_training_set(structure, estimator, missing):
    training, queries = data(7, 40), data(8, 4)
    parts = {"structure": structure, "estimator": estimator, "missing": missing}
    expected = posteriors(recipe(None, "training", **parts), training, queries)
    np.testing.assert_allclose(posteriors(recipe(40, **parts), training, queries), expected, atol=1e-12)


@pytest.mark.parametrize("estimator", ["frequency", *OF_THE_TRAINING_SET])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_structure_takes_estimators_of_the_training_set(structure, estimator):
    training, queries = data(11, 40), data(12, 6)
    found = posteriors(recipe(12, structure=structure, estimator=estimator, prior="frequency"), training, queries)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_structure_takes_every_missing_policy(structure, missing):
    training, queries = data(13, 40), data(14, 6)
    found = posteriors(recipe(12, structure=structure, missing=missing), training, queries)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


# --- the training set under the cut points of a group


def groups_of(text: str, training: Dataset):
    """Return three overlapping groups of the training rows under cut points of their own, and the tables."""
    composition = Recipe.from_text(text).build().composition
    encoder, rows = composition.encode(training)
    own = [np.arange(20), np.arange(15, 60), np.arange(0, 60, 3)]
    row = np.concatenate(own)
    start = np.concatenate([[0], np.cumsum([len(some) for some in own])]).astype(np.intp)
    local = replace(
        rows,
        selection=row,
        class_codes=rows.class_codes[row],
        row_weights=None if rows.row_weights is None else rows.row_weights[row],
        start=start,
        reference=rows.counts,
    )
    return rediscretized(TrainingTables(encoder, rows), local, rows.take(np.arange(3)))[0], encoder, own


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("policy", ["ignore", "{as-value: {where: every-attribute}}"])
@pytest.mark.parametrize("discretizer", DISCRETIZERS)
def test_the_table_of_the_training_set_is_counted_under_the_cut_points_of_each_group(discretizer, policy, weighted):
    training = data(15, weighted=weighted)
    local, encoder, groups = groups_of(recipe(20, discretizer=discretizer, missing=policy), training)
    table, as_value = local.reference, policy != "ignore"
    for group, rows in enumerate(groups):
        for j in range(4):
            column, own = training.columns[j], 3
            if j < 3:
                known = rows[~np.isnan(column[rows])]
                known = known[np.argsort(column[known])]
                part = encoder.discretizer
                cuts = part.fit(column[known], training.classes[known], training.weights[known])
                own = part.cardinality(cuts)
                column = np.where(np.isnan(column), own + 1, part.encode(column, cuts)).astype(int)
            # values that only other groups have room for lie between the group's own and what is no value
            room = int(table.offset[j + 1] - table.offset[j]) - 2 - as_value
            place = np.concatenate([np.arange(own), [room + as_value, room if as_value else room + 1]])
            expected = np.zeros((3, room + 2 + as_value))
            np.add.at(expected, (training.classes, place[column]), training.weights)
            block = table.cells[group][:, table.offset[j] : table.offset[j + 1]]
            np.testing.assert_allclose(block, expected, atol=1e-12)
            assert table.cardinality[group, j] == own + as_value


def test_a_cell_of_fractional_weights_without_a_row_is_exactly_zero():
    local, _, _ = groups_of(recipe(20, discretizer="equal-width"), data(16, weighted=True))
    table = local.reference
    np.testing.assert_array_equal(table.cells == 0, table.support == 0)


@pytest.mark.parametrize(("cardinality", "more"), [("declared", 0), ("observed", 0), ("with-unknown", 1)])
def test_a_nominal_attribute_has_the_number_of_values_of_the_training_set(cardinality, more):
    model = fitted(recipe(20, missing=f"{{ignore: {{cardinality: {cardinality}}}}}"), data(17)).model
    assert model.around(data(18, 1)).training.counts.cardinality[0, 3] == 3 + more


@pytest.mark.parametrize("estimator", ["laplace-m", "{m-estimate: {prior: laplace}}", "no-match"])
def test_a_row_is_left_out_of_its_group_and_not_of_the_training_set_around_it(estimator):
    text = recipe(20, estimator=estimator, prior="frequency")
    composition = Recipe.from_text(text).build().composition
    local, _, groups = groups_of(text, data(19))
    parts = composition.structure, composition.estimator, composition.density
    prior, factors = Evidence(local, composition.structure.fit(local, *parts[1:]), *parts).leave_one_out()
    for row in range(0, len(local), 7):
        group = int(local.group[row])
        one, place = local.part_of(group), row - int(local.start[group])
        others = np.delete(np.arange(len(groups[group])), place)
        rest = replace(one, selection=one.selection[others], class_codes=one.class_codes[others], known_counts=None)
        model = composition.structure.fit(rest, *parts[1:])
        np.testing.assert_allclose(prior[row], model.log_prior(one.take([place]))[0], atol=1e-12)
        np.testing.assert_allclose(factors[row], model.log_factors(one.take([place]))[0], atol=1e-12)
