"""Whole classifiers: rules beside the parts, what is left out, alignment, exactness on wide data."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, shares, table
from support.recipes import EVERY, recipe

from nbframework import Attribute, DataError, Dataset, EvaluationError, Recipe, RecipeError
from nbframework.authoring import Evidence, FloatArray, WeightLearner

HEADER = "x {u,v}; class {a,b,c}"
TWO_OF_THREE = table(HEADER, "u a; u a; v b")
ASK = table(HEADER, "u ?; ? ?")

# --- classes without rows


def test_empty_classes_are_kept_in_the_smoothing_of_the_prior():
    # prior 3/6 2/6 1/6; u: 3/4, 1/3, 1/2
    found = posteriors("recipe: t", TWO_OF_THREE, ASK)
    np.testing.assert_allclose(found, np.vstack([odds("9/24 2/18 1/12"), shares("3/6 2/6 1/6")]), atol=1e-14)


def test_empty_classes_can_be_dropped():
    # prior 3/5 2/5 0
    found = posteriors("recipe: t\nempty_classes: drop", TWO_OF_THREE, ASK)
    np.testing.assert_allclose(found, np.vstack([odds("9/20 2/15 0"), shares("3/5 2/5 0")]), atol=1e-14)


def test_a_class_whose_rows_all_have_weight_0_is_empty():
    training = table(HEADER, "u a; u a; v b; v c {0}")
    np.testing.assert_array_equal(
        posteriors("recipe: t\nempty_classes: drop", training, ASK),
        posteriors("recipe: t\nempty_classes: drop", TWO_OF_THREE, ASK),
    )


def test_the_prior_may_come_from_another_estimator():
    found = posteriors("recipe: t\nprior: frequency", TWO_OF_THREE, ASK)
    np.testing.assert_allclose(found[1], [2 / 3, 1 / 3, 0], atol=1e-14)


# --- rows to learn from


def test_rows_without_class_are_left_out_and_reported():
    training = table("x {u,v}; class {a,b}", "u a; u ?; v b; v ?; v ?")
    model = fitted("recipe: t", training)
    assert model.notes == ("3 rows without a class left out of training",)
    np.testing.assert_allclose(model.predict_proba(table("x {u,v}; class {a,b}", "u ?")), odds("2 1"), atol=1e-14)


def test_one_row_without_class_is_one_row():
    assert fitted("recipe: t", table("x {u}; class {a}", "u a; u ?")).notes == (
        "1 row without a class left out of training",
    )


def test_nothing_is_said_where_nothing_is_left_out():
    assert fitted("recipe: t", TWO_OF_THREE).notes == ()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("", "no training rows"),
        ("u a {0}; v b {0}", "the total weight of the 2 training rows is 0"),
        ("u ?; v ?", "no training row of positive weight has a class \\('class'\\)"),
    ],
)
def test_nothing_to_learn_from_is_an_error_with_its_reason(rows, reason):
    with pytest.raises(EvaluationError, match=reason):
        fitted("recipe: t", table(HEADER, rows))


def test_a_class_that_is_not_nominal_is_an_error():
    training = table("x {u,v}; y numeric", "u 1; v 2")
    with pytest.raises(DataError, match=r"last attribute 'y' is numeric, but a class has to be nominal.*x"):
        fitted("recipe: t", training)


def test_a_string_input_is_an_error_that_names_it():
    training = table("tag string; class {a,b}", "p a; q b")
    with pytest.raises(EvaluationError, match="attribute 'tag' is string"):
        fitted("recipe: t", training)


# --- weights


def test_weights_are_exponents():
    # attribute weight 2: (3/4)^2 against (1/3)^2
    header = "x {u,v} {2}; class {a,b}"
    training = table(header, "u a; u a; v b")
    assert training.attributes[0].weight == 2
    found = posteriors("recipe: t\nweights: arff\nprior: frequency", training, table(header, "u ?"))
    first, second = 2 / 3 * 9 / 16, 1 / 3 / 9
    np.testing.assert_allclose(found, [[first / (first + second), second / (first + second)]], atol=1e-14)


def test_weight_0_times_an_impossible_value_is_no_evidence():
    header = "x {u,v} {0}; y {s,t}; class {a,b}"
    training = table(header, "u s a; u t a; v s b; v s b")
    text = "recipe: t\nweights: arff\nestimator: frequency"
    # u never met b; without x: P(s|a) = 1/2, P(s|b) = 1
    np.testing.assert_allclose(posteriors(text, training, table(header, "u s ?")), odds("1 2"), atol=1e-14)


def test_a_weight_above_0_keeps_an_impossible_value_impossible():
    header = "x {u,v} {0.001}; class {a,b}"
    found = posteriors(
        "recipe: t\nweights: arff\nestimator: frequency", table(header, "u a; v b"), table(header, "u ?")
    )
    np.testing.assert_array_equal(found, [[1, 0]])


def test_weights_of_densities_too():
    header = "x numeric {0}; y {s,t}; class {a,b}"
    training = table(header, "1 s a; 2 s a; 8 t b; 9 t b")
    found = posteriors("recipe: t\nweights: arff", training, table(header, "1 t ?"))
    np.testing.assert_allclose(found, odds("1 3"), atol=1e-14)


@dataclass(frozen=True, kw_only=True)
class Tossed(WeightLearner):
    """Draw every exponent at random."""

    name: ClassVar[str] = "tossed"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        return generator.random((1, len(evidence.labels)))


@dataclass(frozen=True, kw_only=True)
class OfEachClass(WeightLearner):
    """Give each class another exponent."""

    name: ClassVar[str] = "of-each-class"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        assert evidence.log_factors().shape == (len(evidence.training), 2, 1)
        assert evidence.log_prior().shape == (len(evidence.training), 2)
        return np.array([[1.0], [2.0]])


def test_weights_may_differ_by_class():
    header = "x {u,v}; class {a,b}"
    training = table(header, "u a; u a; v b; v b")
    model = Recipe(weights=OfEachClass()).build().fit(training)
    # u: 3/4 against (1/4)^2
    np.testing.assert_allclose(model.predict_proba(table(header, "u ?")), odds("3/4 1/16"), atol=1e-14)


# --- seeds


def test_the_same_seed_gives_the_same_bytes():
    classifier = Recipe(weights=Tossed()).build()
    one, two = (classifier.fit(TWO_OF_THREE, seed=5).predict_log_proba(ASK) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_another_seed_gives_another_draw():
    classifier = Recipe(weights=Tossed()).build()
    one, two = (classifier.fit(TWO_OF_THREE, seed=seed).predict_log_proba(ASK) for seed in (5, 6))
    assert one.tobytes() != two.tobytes()


def test_fold_i_is_fitted_with_the_seed_and_its_number():
    classifier = Recipe(weights=Tossed()).build()
    rows = np.arange(len(TWO_OF_THREE))
    folds = list(classifier.fit_folds(TWO_OF_THREE, [rows, rows], seed=5))
    for number, model in enumerate(folds):
        alone = classifier.fit(TWO_OF_THREE, seed=[5, number])
        assert model.predict_log_proba(ASK).tobytes() == alone.predict_log_proba(ASK).tobytes()
    assert folds[0].predict_log_proba(ASK).tobytes() != folds[1].predict_log_proba(ASK).tobytes()


# --- alignment


def test_values_are_matched_by_name():
    training = table("x {red,blue}; y {s,t}; class {a,b}", "red s a; red s a; red t a; blue t b; blue s b; blue t b")
    model = fitted("recipe: t", training)
    same = model.predict_proba(table("x {red,blue}; y {s,t}; class {a,b}", "red t ?; blue s ?"))
    other = model.predict_proba(table("class {b,a}; y {t,s}; x {blue,red}", "? t red; ? s blue", "class"))
    np.testing.assert_array_equal(other, same)


def test_an_absent_class_attribute_is_no_fault():
    training = table("x {u,v}; class {a,b}", "u a; v b")
    without = table("x {u,v}; y {s}", "u s; v s")
    np.testing.assert_allclose(posteriors("recipe: t", training, without), odds("2 1; 1 2"), atol=1e-14)


def test_an_absent_input_is_an_error_with_the_nearest_name():
    training = table("colour {u,v}; class {a,b}", "u a; v b")
    with pytest.raises(DataError, match="no attribute 'colour'; did you mean 'color'"):
        posteriors("recipe: t", training, table("color {u,v}; class {a,b}", "u ?"))


def test_another_kind_is_an_error():
    training = table("x {1,2}; class {a,b}", "1 a; 2 b")
    with pytest.raises(DataError, match="attribute 'x' is numeric in the data, expected nominal"):
        posteriors("recipe: t", training, table("x numeric; class {a,b}", "1 ?"))


def test_a_value_that_training_does_not_declare_is_unseen():
    training = table("x {u,v}; class {a,b}", "u a; u a; v b")
    found = posteriors("recipe: t", training, table("x {w,u}; class {a,b}", "w ?"))
    # (0 + 1) / (2 + 2) and (0 + 1) / (1 + 2), prior 3/5 2/5
    np.testing.assert_allclose(found, odds("3/4 2/3"), atol=1e-14)


# --- combinations that make no sense


def test_a_local_discretizer_needs_a_neighbourhood():
    with pytest.raises(RecipeError, match=r"discretizer.scope: 'neighbourhood' needs a neighbourhood"):
        Recipe.from_text("recipe: t\ndiscretizer: {entropy-mdl: {scope: neighbourhood}}")


# --- wide data


def wide(attributes: int) -> Dataset:
    """Three rows of a with all u, three of b with all v."""
    columns = [np.repeat([0, 1], 3) for _ in range(attributes + 1)]
    declared = [Attribute.nominal(f"x{i}", ["u", "v"]) for i in range(attributes)]
    return Dataset.from_columns([*declared, Attribute.nominal("class", ["a", "b"])], columns)


def wide_query(training: Dataset, v_from: int) -> Dataset:
    width = len(training.inputs)
    columns = [np.array([int(i >= v_from)]) for i in range(width)]
    return Dataset.from_columns(training.attributes, [*columns, np.array([3])])


def test_4000_attributes_give_the_exact_posterior():
    # (3 + 1) / (3 + 2) = 4/5 and 1/5: u is odds of 4, v of 1/4; 2001 of the one and 1999 of the other: 4^2 = 16
    training = wide(4000)
    found = posteriors("recipe: t", training, wide_query(training, 2001))
    np.testing.assert_allclose(found, shares("16/17 1/17"), rtol=0, atol=1e-9)


def test_4000_attributes_that_agree_keep_the_log_of_the_loser():
    training = wide(4000)
    found = fitted("recipe: t", training).predict_log_proba(wide_query(training, 4000))
    assert found[0, 0] == 0
    assert found[0, 1] == pytest.approx(-4000 * np.log(4), rel=1e-12)


def test_4000_attributes_that_cancel_are_a_tie():
    training = wide(4000)
    model = fitted("recipe: t", training, tie_tolerance="1e-8")
    query = wide_query(training, 2000)
    np.testing.assert_allclose(model.predict_proba(query), [[0.5, 0.5]], atol=1e-9)
    assert model.predict(query).tolist() == [0]


def test_4000_numeric_attributes_give_the_exact_posterior():
    # class a -1 and 1, class b 1 and 3: equal variances 1, so the log odds of x are 2 - 2x for each attribute
    column = np.array([-1.0, 1, 1, 3])
    attributes = [*(Attribute.numeric(f"x{i}") for i in range(4000)), Attribute.nominal("class", ["a", "b"])]
    training = Dataset.from_columns(attributes, [*[column] * 4000, np.array([0, 0, 1, 1])])
    query = Dataset.from_columns(attributes, [*[np.array([0.5])] * 2000, *[np.array([1.5])] * 1999, [1.0], [3]])
    # 2000 times +1, 1999 times -1, one 0
    expected = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(posteriors("recipe: t", training, query), [[expected, 1 - expected]], atol=1e-9)


# --- an attribute that cannot tell anything


@pytest.mark.parametrize("name", [name for name in EVERY if name != "every-attribute"])
def test_an_attribute_of_one_value_changes_nothing(name):
    # every-attribute gives it a second value, unknown
    rows = [("u", "s", 1.0, 0), ("u", "t", 2.0, 0), ("v", "t", 2.5, 0), ("v", "s", 4.0, 1), ("v", "t", 5.0, 1)]
    x, y, z, c = zip(*rows, strict=True)
    attributes = [Attribute.nominal("x", "uv"), Attribute.nominal("y", "st"), Attribute.numeric("z")]
    label = Attribute.nominal("class", "ab")
    plain = Dataset.from_columns([*attributes, label], [x, y, z, c])
    one = Attribute.nominal("one", ["only"])
    more = Dataset.from_columns([*attributes, one, label], [x, y, z, [0] * 5, c])
    found = recipe(name).build().fit(more).predict_proba(more)
    np.testing.assert_allclose(found, recipe(name).build().fit(plain).predict_proba(plain), atol=1e-12)


@pytest.mark.parametrize("name", ["gaussian-nb", "kernel-nb", "sbc", "laplace-1", "proportional-nb", "cestnik-nb"])
def test_a_constant_number_changes_nothing(name):
    header = "x {u,v}; class {a,b}"
    plain = table(header, "u a; u a; v a; v b; v b")
    more = table("x {u,v}; k numeric; class {a,b}", "u 7 a; u 7 a; v 7 a; v 7 b; v 7 b")
    found = recipe(name).build().fit(more).predict_proba(more)
    np.testing.assert_allclose(found, recipe(name).build().fit(plain).predict_proba(plain), atol=1e-12)


def test_a_data_set_without_inputs_gives_the_prior():
    training = table("class {a,b}", "a; a; b")
    for name in EVERY:
        model = recipe(name).build().fit(training)
        np.testing.assert_allclose(model.predict_proba(training.take([0])).sum(), 1, atol=1e-12, err_msg=name)
        assert model.predict(training).tolist() == [0, 0, 0], name


@pytest.mark.parametrize("name", EVERY)
def test_no_query_gives_no_row(name):
    training = table("x numeric; y {s,t}; class {a,b}", "1 s a; 2 s a; 8 t b; 9 t b")
    model = recipe(name).build().fit(training)
    assert model.predict_proba(training.take([])).shape == (0, 2)
    assert model.predict(training.take([])).shape == (0,)
