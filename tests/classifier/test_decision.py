"""Class priors, costs and thresholds decide what they say and nothing else."""

import numpy as np
import pytest

from nbframework import Attribute, Dataset, Recipe, RecipeError, read_arff
from nbframework.classifier.decision import ClassRules
from nbframework.data.catalog import bundled_path
from nbframework.explain import explain

IRIS = read_arff(bundled_path("iris"))
GIVEN = {"setosa": 0.5, "versicolor": 0.3, "virginica": 0.2}


def two(p_yes: float = 0.4) -> Dataset:
    """Return ten rows without any evidence, of which a share is of the class yes."""
    classes = ["yes"] * round(10 * p_yes) + ["no"] * round(10 * (1 - p_yes))
    attributes = [Attribute.nominal("x", ["u"]), Attribute.nominal("c", ["yes", "no"])]
    return Dataset.from_columns(attributes, [["u"] * 10, classes])


def names(fitted, dataset: Dataset) -> list[str]:
    return [fitted.class_values[code] for code in fitted.predict(dataset)]


def built(text: str):
    return Recipe.from_text(f"recipe: t\nprior: frequency\n{text}").build()


def test_given_priors_take_the_place_of_the_estimated_ones() -> None:
    priors = {"yes": 0.9, "no": 0.1}
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["u", "v"]), Attribute.nominal("c", ["yes", "no"])],
        [["u", "u", "v", "u", "v", "v"], ["yes", "yes", "yes", "yes", "no", "no"]],
    )
    found = built(f"class_priors: {priors}").fit(data).predict_proba(data.take([0]))
    # P(u | yes) = (3 + 1) / (4 + 2), P(u | no) = (0 + 1) / (2 + 2)
    joint = np.array([0.9 * 4 / 6, 0.1 * 1 / 4])
    np.testing.assert_allclose(found[0], joint / joint.sum(), atol=1e-15)


def test_given_priors_are_divided_by_their_sum() -> None:
    one = built("class_priors: {yes: 3, no: 1}").fit(two()).predict_proba(two())
    np.testing.assert_allclose(one[0], [0.75, 0.25], atol=1e-15)


@pytest.mark.parametrize("recipe", ["sbc", "gaussian-nb", "lawnb", "aode", "knn"])
def test_given_priors_multiply_the_posterior_odds(recipe: str) -> None:
    small = IRIS.take(slice(None, None, 5))
    free = Recipe.load(recipe).build().fit(small, seed=1)
    shifted = Recipe.load(recipe, class_priors=GIVEN).build().fit(small, seed=1)
    weight = free.predict_proba(small) * np.array(list(GIVEN.values()))
    # the training set has as many rows of each class, whose smoothed shares are equal as well
    expected = weight / weight.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shifted.predict_proba(small), expected, atol=1e-12)


def test_a_class_whose_prior_is_zero_is_never_predicted() -> None:
    fitted = built("class_priors: {yes: 0, no: 1}").fit(two(0.9))
    assert set(names(fitted, two())) == {"no"}
    np.testing.assert_array_equal(fitted.predict_proba(two())[0], [0, 1])


def test_where_nothing_is_possible_the_given_priors_answer() -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["u", "v", "w"]), Attribute.nominal("c", ["yes", "no"])],
        [["u", "v", "v"], ["yes", "no", "no"]],
    )
    query = Dataset.from_columns(data.attributes, [["w"], [None]])
    fitted = built("estimator: frequency\nclass_priors: {yes: 0.8, no: 0.2}").fit(data)
    np.testing.assert_allclose(fitted.predict_proba(query)[0], [0.8, 0.2], atol=1e-15)


def test_given_priors_hold_when_each_row_is_left_out() -> None:
    classifier = built("class_priors: {yes: 0.7, no: 0.3}")
    shared, predicted = classifier.leave_one_out(two())
    refitted, again = classifier._refitted_without_each(two(), 0)
    np.testing.assert_allclose(shared, refitted, atol=1e-12)
    np.testing.assert_array_equal(predicted, again)
    np.testing.assert_allclose(np.exp(shared), [[0.7, 0.3]] * 10, atol=1e-12)


def test_the_explanation_sums_up_with_given_priors() -> None:
    fitted = Recipe.load("sbc", class_priors=GIVEN).build().fit(IRIS)
    found = explain(fitted, IRIS, 60, changes=False)
    total = found.log_prior + sum(part.contribution for part in found.contributions)
    np.testing.assert_allclose(total, found.log_joint, atol=1e-12)
    np.testing.assert_allclose(np.exp(found.log_prior), list(GIVEN.values()), atol=1e-12)


@pytest.mark.parametrize(("cost", "predicted"), [(1.4, "no"), (1.6, "yes")])
def test_the_smallest_expected_cost_is_predicted(cost: float, predicted: str) -> None:
    # P(yes) = 0.4: saying no costs 0.4 * cost, saying yes costs 0.6
    fitted = built(f"costs: {{yes: {{no: {cost}}}}}").fit(two())
    assert set(names(fitted, two())) == {predicted}
    np.testing.assert_allclose(fitted.predict_proba(two())[0], [0.4, 0.6], atol=1e-15)


def test_equal_expected_costs_follow_the_tie_rule() -> None:
    text = "costs: {yes: {no: 1.5}}\nties: "
    assert names(built(text + "first").fit(two()), two())[0] == "yes"
    assert names(built(text + "larger-class").fit(two()), two())[0] == "no"


def test_a_right_prediction_may_cost_something() -> None:
    fitted = built("costs: {no: {no: 2}}").fit(two())
    # saying yes costs 0.6, saying no 0.4 + 0.6 * 2
    assert names(fitted, two())[0] == "yes"


@pytest.mark.parametrize(("threshold", "predicted"), [(0.39, "yes"), (0.41, "no")])
def test_one_threshold_of_two_classes(threshold: float, predicted: str) -> None:
    assert names(built(f"thresholds: {{yes: {threshold}}}").fit(two()), two())[0] == predicted


def test_the_largest_multiple_of_its_threshold_is_predicted() -> None:
    attributes = [Attribute.nominal("x", ["u"]), Attribute.nominal("c", ["a", "b", "c"])]
    data = Dataset.from_columns(attributes, [["u"] * 10, ["a"] * 5 + ["b"] * 3 + ["c"] * 2])
    # 0.5 / 0.5 = 1, 0.3 / 0.4 = 0.75, 0.2 / 0.1 = 2
    assert names(built("thresholds: {a: 0.5, b: 0.4, c: 0.1}").fit(data), data)[0] == "c"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("class_priors: {yes: -1, no: 2}", "r.yaml:2:1: class_priors: yes: found -1, expected a number of at least 0"),
        ("class_priors: {yes: 0, no: 0}", "class_priors: all shares are 0"),
        ("class_priors: 3", "class_priors: found 3, expected numbers by the names of classes"),
        ("thresholds: {yes: 0}", "thresholds: yes: found 0, expected a number above 0 and of at most 1"),
        ("costs: {yes: 3}", "costs: yes: found 3, expected costs by predicted class"),
        ("costs: {yes: {no: many}}", "costs: yes.no: found 'many', expected a number"),
        ("costs: {yes: {no: 2}}\nthresholds: {yes: 0.5}", "costs and thresholds exclude each other"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(RecipeError) as error:
        Recipe.from_text(f"recipe: t\n{text}\n", "r.yaml")
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("class_priors: {yess: 1, no: 1}", "class_priors: no class 'yess'; did you mean 'yes'?"),
        ("class_priors: {yes: 1}", "class_priors: every class needs a number; there is none for 'no'"),
        ("costs: {yes: {maybe: 1}}", "costs.yes: no class 'maybe' (classes: yes, no)"),
        ("thresholds: {yes: 1}", "the one threshold of two classes has to be below 1"),
    ],
)
def test_names_are_checked_against_the_classes(text: str, fault: str) -> None:
    with pytest.raises(RecipeError) as error:
        built(text).fit(two())
    assert fault in str(error.value)


def test_the_resolved_recipe_says_them_and_reads_back() -> None:
    recipe = Recipe(class_rules=ClassRules(costs={"yes": {"no": 5}}, class_priors={"yes": 1, "no": 1}))
    again = Recipe.from_text(str(recipe.resolved()).replace("None", "null"))
    assert again.class_rules == recipe.class_rules
    assert again.identity() == recipe.identity() != Recipe().identity()


def test_null_takes_them_back() -> None:
    assert Recipe.load("sbc", costs={"a": {"b": 2}}).class_rules.costs == {"a": {"b": 2}}
    assert Recipe.from_text("recipe: t\ncosts: {a: {b: 2}}\n", costs=None).class_rules == ClassRules()


def test_folds_are_fitted_with_the_rules() -> None:
    rows = np.arange(len(IRIS))
    classifier = Recipe.load("sbc", class_priors=GIVEN, thresholds=GIVEN).build()
    (fold,) = classifier.fit_folds(IRIS, [rows])
    np.testing.assert_allclose(fold.predict_proba(IRIS), classifier.fit(IRIS).predict_proba(IRIS), atol=1e-12)
    np.testing.assert_array_equal(fold.predict(IRIS), classifier.fit(IRIS).predict(IRIS))
