"""Tuned parameters: how a recipe states them, and which value the training rows choose."""

import numpy as np
import pytest
from support.builders import table
from support.faulty import faults

from nbframework import Attribute, Dataset, Recipe, RecipeError, evaluate
from nbframework.classifier.settings import Settings
from nbframework.classifier.shared import SharedWork
from nbframework.persistence.model_file import load_model, save_model
from nbframework.recipe.tuning import Tuning, progression
from nbframework_basics.laplace import Laplace

VOTE = "recipe: r\nstructure: class-only\nestimator: frequency\nneighbourhood: {nearest: {k: %s}}"


def numbers(rows, seed, classes=3):
    """Rows in two dimensions whose classes overlap."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(classes, size=rows)
    attributes = [*(Attribute.numeric(name) for name in "xy"), Attribute.nominal("class", "abcde"[:classes])]
    columns = [labels + generator.normal(size=rows), labels - generator.normal(size=rows), labels]
    return Dataset.from_columns(attributes, columns)


def nominal(rows, seed):
    generator = np.random.default_rng(seed)
    attributes = [*(Attribute.nominal(name, "uvw") for name in "pqr"), Attribute.nominal("class", "ab")]
    labels = generator.integers(2, size=rows)
    columns = [np.where(generator.random(rows) < 0.6, labels, generator.integers(3, size=rows)) for _ in "pqr"]
    return Dataset.from_columns(attributes, [*columns, labels])


def tuning_of(clause, key="estimator: {laplace: {f: %s}}"):
    (tuning,) = Recipe.from_text("recipe: r\n" + key % clause).tuning
    return tuning


# --- the values of a clause


@pytest.mark.parametrize(
    ("clause", "values"),
    [
        ("{tune: {from: 1, to: 5}}", [1, 2, 3, 4, 5]),
        ("{tune: {from: 1, to: 10, step: 4}}", [1, 5, 9]),
        ("{tune: {from: 0.1, to: 0.5, step: 0.1}}", [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("{tune: {from: 0.01, to: 100, scale: log}}", [0.01, 0.1, 1, 10, 100]),
        ("{tune: {from: 1, to: 10, scale: log, step: 2}}", [1, 2, 4, 8]),
        ("{tune: {values: [5, 1, 2.5, 1]}}", [1, 2.5, 5]),
        ("{tune: {values: 3}}", [3]),
    ],
)
def test_the_values_of_a_clause(clause, values):
    assert list(tuning_of(clause).values) == values


def test_a_log_scale_of_whole_numbers_is_rounded():
    found = tuning_of("{tune: {from: 1, to: 20, scale: log, step: 1.5}}", "neighbourhood: {nearest: {k: %s}}")
    # 1 1.5 2.25 3.4 5.1 7.6 11.4 17.1, halves to even
    assert found.values == (1, 2, 3, 5, 8, 11, 17)
    assert all(type(value) is int for value in found.values)


def test_a_part_within_a_part_is_tuned_by_its_path():
    recipe = Recipe.from_text(
        "recipe: r\nneighbourhood: {nearest: {distance: {integer-euclidean: {}}, tie_tolerance: {tune: {values: 0}}}}"
    )
    assert [tuning.path for tuning in recipe.tuning] == ["neighbourhood.tie_tolerance"]


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("{tune: {from: 1}}", "to is missing"),
        ("{tune: {to: 1}}", "from is missing"),
        ("{tune: {from: 5, to: 1}}", "to: found 1, expected at least 5"),
        ("{tune: {from: 1, to: 5, step: 0}}", "step: found 0, expected a number above 0"),
        ("{tune: {from: 1, to: 5, step: 1, scale: log}}", "step: found 1, expected a number above 1"),
        ("{tune: {from: 0, to: 5, scale: log}}", "from: found 0, expected a number above 0 on a log scale"),
        ("{tune: {from: 1, to: 5, scale: logarithmic}}", "expected linear or log"),
        ("{tune: {from: 1, to: 1000000}}", "1e+06 values to try, expected at most 10000"),
        ("{tune: {from: 1, to: 5, values: [1]}}", "values and from exclude each other"),
        ("{tune: {values: []}}", "there is no value to try"),
        ("{tune: {values: [1, one]}}", "values: found 'one', expected a number"),
        ("{tune: {from: true, to: 2}}", "from: found 'true', expected a number"),
        ("{tune: {from: -1, to: 2}}", "found -1, expected a number of at least 0"),
        ("{tune: {from: 1, to: 2, by: guessing}}", "expected leave-one-out or cross-validation"),
        ("{tune: {from: 1, to: 2, folds: 1}}", "expected a whole number of at least 2"),
        ("{tune: {from: 1, to: 2, metric: beauty}}", "expected one of accuracy"),
        ("{tune: {from: 1, to: 2, stepp: 3}}", "unknown key; did you mean 'step'?"),
        ("{tune: 3}", "expected {from: 1, to: 100}"),
    ],
)
def test_a_wrong_clause_says_what_was_expected(clause, message):
    (line,) = faults(f"recipe: t\nestimator: {{laplace: {{f: {clause}}}}}")
    assert line.startswith("r.yaml:2:")
    assert message in line


def test_only_numbers_are_tuned():
    (line,) = faults("recipe: t\nmissing: {ignore: {unseen: {tune: {values: [1]}}}}")
    assert "only numbers are tuned; unseen is one of" in line


def test_whole_numbers_stay_whole():
    (line,) = faults("recipe: t\nneighbourhood: {nearest: {k: {tune: {values: [1, 2.5]}}}}")
    assert "found 2.5, expected a whole number of at least 1" in line


def test_too_many_combinations_are_refused():
    text = (
        "recipe: t\nestimator: {laplace: {f: {tune: {from: 1, to: 200}}}}\n"
        "discretizer: {equal-width: {bins: {tune: {from: 1, to: 60}}}}"
    )
    with pytest.raises(RecipeError, match=r"12000 settings to try .*expected at most 10000"):
        Recipe.from_text(text)


def test_parameters_are_chosen_in_one_way():
    text = (
        "recipe: t\nestimator: {laplace: {f: {tune: {values: [1, 2], by: leave-one-out}}}}\n"
        "discretizer: {equal-width: {bins: {tune: {values: [2, 3], by: cross-validation}}}}"
    )
    with pytest.raises(RecipeError, match="chosen together, but by is"):
        Recipe.from_text(text)


def test_rounding_costs_no_value():
    assert progression(0.1, 0.3, 0.1, "linear", False) == (0.1, 0.2, 0.3)


# --- a tuned recipe as data


def test_the_resolved_recipe_states_the_clause_and_loads_again():
    recipe = Recipe.load("kappa-tuned")
    kernel = recipe.resolved()["neighbourhood"]["kappa-kernel"]
    assert kernel["kappa"] == {"tune": {"from": 1, "to": 100, "by": "leave-one-out", "metric": "accuracy"}}
    again = Recipe.load("kappa-60", neighbourhood=recipe.resolved()["neighbourhood"])
    assert again.tuning == recipe.tuning
    assert again.identity() == recipe.identity() != Recipe.load("kappa-60").identity()


def test_a_value_takes_the_clause_away():
    fixed = Recipe.load("kappa-tuned", **{"neighbourhood.kappa": 60})
    assert not fixed.tuning
    assert fixed.identity() == Recipe.load("kappa-60").identity()


def test_a_clause_comes_from_outside_too():
    recipe = Recipe.load("kappa-60", **{"neighbourhood.kappa": "{tune: {from: 1, to: 100}}"})
    assert recipe.identity() == Recipe.load("kappa-tuned").identity()


def test_python_states_it_beside_the_parts():
    recipe = Recipe(estimator=Laplace(f=9), tuning=(Tuning(path="estimator.f", values=(2, 1)),))
    assert recipe.resolved()["estimator"]["laplace"]["f"]["tune"]["values"] == [1, 2]


@pytest.mark.parametrize(
    ("path", "values", "message"),
    [
        ("estimator.g", (1,), "unknown parameter"),
        ("estimater.f", (1,), "did you mean 'estimator'"),
        ("estimator.f", (-1,), "found -1, expected a number of at least 0"),
        ("estimator", (1,), "expected kind.parameter"),
        ("classifier.minimum_rows", (1,), "names no classifier"),
    ],
)
def test_python_is_checked(path, values, message):
    with pytest.raises(RecipeError, match=message):
        Recipe(estimator=Laplace(), tuning=(Tuning(path=path, values=values),))


# --- the choice


def by_hand(dataset, ks):
    """The number of rows that the k nearest others classify right, for each k; ties at the k-th are kept."""
    points = np.column_stack(dataset.input_columns)
    points = (points - points.min(axis=0)) / np.ptp(points, axis=0)
    apart = ((points[:, np.newaxis] - points) ** 2).sum(axis=-1)
    np.fill_diagonal(apart, np.inf)
    right = []
    for k in ks:
        near = apart <= np.sort(apart, axis=1)[:, k - 1 : k] * (1 + 1e-12)
        votes = np.stack([near[:, dataset.classes == c].sum(axis=1) for c in range(3)], axis=1)
        right.append(int((votes.argmax(axis=1) == dataset.classes).sum()))
    return right


def test_k_is_chosen_by_the_rows_that_it_classifies_right():
    data = numbers(80, seed=3)
    ks = list(range(1, 31))
    fitted = Recipe.from_text(VOTE % "{tune: {from: 1, to: 30}}").build().fit(data)
    right = by_hand(data, ks)
    assert len(set(right)) > 5
    assert fitted.chosen == {"neighbourhood.k": ks[int(np.argmax(right))]}
    assert fitted.notes == (f"neighbourhood.k tuned to {ks[int(np.argmax(right))]} by leave-one-out",)


def test_the_chosen_value_is_fitted_on_all_rows():
    data = numbers(80, seed=3)
    fitted = Recipe.from_text(VOTE % "{tune: {from: 1, to: 30}}").build().fit(data)
    plain = Recipe.from_text(VOTE % fitted.chosen["neighbourhood.k"]).build().fit(data)
    np.testing.assert_array_equal(fitted.predict_log_proba(data), plain.predict_log_proba(data))


def test_of_equal_values_the_smallest_is_chosen():
    """Two groups far apart: every k up to 9 is always right."""
    data = table(
        "x numeric; class {a,b}", ";".join([*(f"{i} a" for i in range(10)), *(f"{i}e3 b" for i in range(5, 15))])
    )
    assert Recipe.from_text(VOTE % "{tune: {values: [9, 3, 5]}}").build().fit(data).chosen == {"neighbourhood.k": 3}


def test_leave_one_out_of_counts_is_exact():
    data = nominal(60, seed=2)
    values = [0.01, 0.5, 5, 50]
    recipe = Recipe.from_text(
        f"recipe: r\nestimator: {{laplace: {{f: {{tune: {{values: {values}, metric: log_loss}}}}}}}}"
    )
    rows = np.arange(60)
    losses = []
    for f in values:
        plain = Recipe.from_text(f"recipe: r\nestimator: {{laplace: {{f: {f}}}}}").build()
        left = [plain.fit(data.take(np.delete(rows, i))).predict_log_proba(data.take([i]))[0] for i in rows]
        losses.append(-np.mean([logs[c] for logs, c in zip(left, data.classes, strict=True)]))
    assert recipe.build().fit(data).chosen == {"estimator.f": values[int(np.argmin(losses))]}


def test_cross_validation_chooses_by_all_inner_test_rows_together():
    data = numbers(70, seed=8)
    recipe = Recipe.from_text(VOTE % "{tune: {values: [1, 5, 20], by: cross-validation, folds: 5}}")
    classifier = recipe.build()
    chosen = classifier.chosen(data, seed=4)
    fold = classifier.choice.deal(data.classes, 3, 5, np.random.default_rng([4, 7]))
    right = []
    for k in (1, 5, 20):
        plain = Recipe.from_text(VOTE % k).build()
        right.append(
            sum(
                (plain.fit(data.take(fold != f)).predict(data.take(fold == f)) == data.classes[fold == f]).sum()
                for f in range(5)
            )
        )
    assert chosen == {"neighbourhood.k": (1, 5, 20)[int(np.argmax(right))]}
    assert recipe.build().fit(data, 4).notes[0].endswith("by 5-fold cross-validation")


def test_two_parameters_are_chosen_together():
    data = numbers(60, seed=5)
    text = (
        "recipe: r\ndiscretizer: {equal-width: {bins: {tune: {values: [2, 6]}}}}\n"
        "estimator: {laplace: {f: {tune: {values: [0.1, 30]}}}}"
    )
    chosen = Recipe.from_text(text).build().chosen(data, 1)
    right = {}
    for bins in (2, 6):
        for f in (0.1, 30):
            plain = Recipe.from_text(
                f"recipe: r\ndiscretizer: {{equal-width: {{bins: {bins}}}}}\nestimator: {{laplace: {{f: {f}}}}}"
            ).build()
            right[bins, f] = (plain.leave_one_out(data)[1] == data.classes).sum()
    best = max(right, key=lambda key: (right[key], -key[0], -key[1]))
    assert (chosen["discretizer.bins"], chosen["estimator.f"]) == best


def test_whole_classifiers_are_tuned_too():
    data = nominal(60, seed=1)
    recipe = Recipe.load("c45", **{"classifier.minimum_rows": "{tune: {values: [2, 25], by: cross-validation}}"})
    assert recipe.build().fit(data).chosen["classifier.minimum_rows"] in (2, 25)


def test_nothing_is_learned_from_test_rows():
    """The fold's choice is that of its training rows alone."""
    data = numbers(60, seed=6)
    classifier = Recipe.from_text(VOTE % "{tune: {from: 1, to: 20}}").build()
    train = np.arange(0, 60, 2)
    (fitted,) = classifier.fit_folds(data, [train], seed=3)
    alone = classifier.fit(data.take(train), [3, 0])
    assert fitted.chosen == alone.chosen
    np.testing.assert_array_equal(fitted.predict_log_proba(data), alone.predict_log_proba(data))


def test_each_fold_says_what_it_chose():
    found = evaluate(Recipe.load("knn-tuned"), numbers(60, seed=6), folds=3)
    assert all(fold.notes[-1].startswith("neighbourhood.k tuned to ") for fold in found.predictions)


def test_the_same_seed_gives_the_same_choice():
    data = numbers(60, seed=7)
    classifier = Recipe.from_text(VOTE % "{tune: {from: 1, to: 20, by: cross-validation}}").build()
    assert classifier.chosen(data, 5) == classifier.chosen(data, 5)


def test_one_row_chooses_the_smallest_value():
    data = numbers(1, seed=1)
    assert Recipe.from_text(VOTE % "{tune: {from: 2, to: 5}}").build().fit(data).chosen == {"neighbourhood.k": 2}


def test_leave_one_out_leaves_the_choice_to_the_other_rows():
    data = numbers(25, seed=9)
    classifier = Recipe.from_text(VOTE % "{tune: {values: [1, 9]}}").build()
    posterior, predicted = classifier.leave_one_out(data)
    other = classifier.fit(data.take(np.arange(1, 25)), [0, 0])
    np.testing.assert_array_equal(posterior[0], other.predict_log_proba(data.take([0]))[0])
    assert predicted[0] == other.predict(data.take([0]))[0]


# --- the shared work


@pytest.mark.parametrize(
    ("recipe", "parameter", "values", "changes"),
    [
        ("knn", "k", (1, 2, 7, 40, 200), {}),
        ("knn", "k", (3,), {}),
        ("knn", "k", (1, 2, 7), {"neighbourhood.ties": "first"}),
        ("knn", "k", (1, 2, 7), {"neighbourhood.weighting": "inverse"}),
        ("kappa-60", "kappa", (0.0, 0.5, 9.0, 300.0), {}),
        ("kappa-60", "kappa", (0.0, 0.5, 9.0, 300.0), {"neighbourhood.class_prior": "uniform"}),
    ],
)
@pytest.mark.parametrize("weights", [None, "whole", "fractions"])
def test_one_search_gives_what_each_value_gives_by_itself(recipe, parameter, values, changes, weights):
    data = numbers(90, seed=1)
    scale = {None: None, "whole": np.arange(90) % 3 + 1.0, "fractions": np.linspace(0.1, 2, 90)}[weights]
    data = Dataset.from_columns(data.attributes, [np.round(column) for column in data.columns], weights=scale)
    fitted = Recipe.load(recipe, **changes).build().fit(data)
    rows = fitted.model.training
    together = fitted.model.neighbourhood.log_class_weights(parameter, values, rows)
    for value, found in zip(values, together, strict=True):
        single = Recipe.load(recipe, **{**changes, f"neighbourhood.{parameter}": value}).build().fit(data)
        np.testing.assert_allclose(found, single.model.neighbourhood.log_class_weight(rows), rtol=0, atol=1e-11)


@pytest.mark.parametrize(("recipe", "parameter", "value"), [("knn", "k", 4), ("kappa-60", "kappa", 7.0)])
@pytest.mark.parametrize("prior", ["empirical", "uniform"])
def test_a_row_left_out_is_a_search_without_it(recipe, parameter, value, prior):
    """On an unscaled distance, which learns nothing from the row."""
    data = numbers(40, seed=2)
    changes = {"neighbourhood.distance": "{integer-euclidean: {scale: none}}"}
    changes |= {"neighbourhood.class_prior": prior} if recipe == "kappa-60" else {}
    changes |= {f"neighbourhood.{parameter}": value}
    classifier = Recipe.load(recipe, **changes).build()
    model = classifier.fit(data).model
    found = model.neighbourhood.log_class_weights(parameter, (value,), model.training, np.arange(40))[0]
    for row in range(40):
        other = classifier.fit(data.take(np.delete(np.arange(40), row))).model
        expected = other.neighbourhood.log_class_weight(model.training.take(slice(row, row + 1)))
        np.testing.assert_allclose(found[row], expected[0], rtol=0, atol=1e-11)


def test_blocks_of_queries_change_nothing(monkeypatch):
    data = numbers(80, seed=3)
    classifier = Recipe.from_text(VOTE % "{tune: {from: 1, to: 30}}").build()
    whole = classifier.chosen(data, 1)
    monkeypatch.setattr("nbframework.classifier.settings.SHARED_CELLS", 700)
    assert classifier.chosen(data, 1) == whole


def test_a_grid_of_neighbourhood_and_estimator_is_each_by_itself():
    data = numbers(60, seed=4)
    text = (
        "recipe: r\nstructure: class-only\nestimator: {laplace: {f: {tune: {values: [0, 5]}}}}\n"
        "neighbourhood: {nearest: {k: {tune: {values: [1, 8, 30]}}}}"
    )
    classifier = Recipe.from_text(text).build()
    settings = Settings(classifier._plain, classifier.choice.grid, True)
    train, test = np.arange(40), np.arange(40, 60)
    answers = settings.of_fold(data, train, test, 1, 0, SharedWork())
    for place, setting in enumerate(settings.settings):
        single = Recipe.from_text(text, **setting).build().fit(data.take(train)).predict_log_proba(data.take(test))
        np.testing.assert_allclose(answers.log_posterior[place], single, rtol=0, atol=1e-11)


# --- model files


@pytest.mark.parametrize(
    "text", [VOTE % "{tune: {from: 1, to: 9}}", "recipe: r\nestimator: {laplace: {f: {tune: {values: [0.1, 9]}}}}"]
)
def test_a_tuned_model_is_stored_with_its_rows_and_chooses_again(text, tmp_path):
    data = nominal(50, seed=3)
    recipe = Recipe.from_text(text)
    fitted = recipe.build().fit(data, seed=2)
    assert save_model(tmp_path / "m.model", recipe, fitted)
    again = load_model(tmp_path / "m.model").fitted
    assert again.chosen == fitted.chosen
    np.testing.assert_array_equal(again.predict_log_proba(data), fitted.predict_log_proba(data))
