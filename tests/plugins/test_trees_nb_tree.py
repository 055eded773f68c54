"""NBTree on data that naive Bayes cannot and can separate, and beside Weka's NBTree."""

import csv

import numpy as np
import pytest
from support.builders import fitted, posteriors, shares, table
from support.golden import Golden
from support.paths import SHARED, absent

from nbframework import Dataset, Recipe, read_arff
from nbframework_trees.cross_validation import cross_validated_accuracy, encoded_dataset, stratified
from nbframework_trees.nb_tree import NBTree

XOR = "x {a,b}; y {a,b}; class {no,yes}"


def xor(times: int = 20) -> Dataset:
    """Neither attribute alone tells the class, both together do."""
    return table(XOR, ("a a no; a b yes; b a yes; b b no; " * times))


def recipe(text: str = "discretizer: entropy-mdl\nestimator: frequency", **parameters: object) -> Recipe:
    base = Recipe.from_text(f"recipe: t\n{text}")
    return Recipe(
        discretizer=base.discretizer, estimator=base.estimator, missing=base.missing, classifier=NBTree(**parameters)
    )


def test_an_interaction_is_split_and_its_leaves_are_naive_bayes() -> None:
    model = fitted(recipe(), xor()).model
    assert model.splits.attribute.tolist() == [0, -1, -1]
    found = posteriors(recipe(), xor(), table(XOR, "a a no; a b no; b a no; b b no"))
    np.testing.assert_allclose(found, shares("1 0; 0 1; 0 1; 1 0"), atol=1e-15)


def test_data_that_naive_bayes_separates_are_not_split() -> None:
    data = table(XOR, "a a no; a b no; b a yes; b b yes; " * 20)
    tree = fitted(recipe(), data).model
    assert tree.splits.attribute.tolist() == [-1]
    plain = Recipe.from_text("recipe: t\ndiscretizer: entropy-mdl\nestimator: frequency")
    np.testing.assert_allclose(posteriors(recipe(), data, data), posteriors(plain, data, data))


@pytest.mark.parametrize(("times", "nodes"), [(7, 1), (8, 3)])
def test_nodes_below_thirty_rows_are_not_split(times: int, nodes: int) -> None:
    assert len(fitted(recipe(), xor(times)).model.models) == nodes


def test_a_split_has_to_save_the_demanded_share_of_the_error() -> None:
    # 20 rows of the exclusive or and their 4 contradictions: about a sixth of the error is left after any split
    data = table(XOR, "a a no; a b yes; b a yes; b b no; " * 20 + "a a yes; a b no; b a no; b b yes; " * 4)
    assert len(fitted(recipe(error_reduction=0.5), data).model.models) == 3
    assert len(fitted(recipe(error_reduction=0.9), data).model.models) == 1


NUMERIC = "x numeric; y {a,b}; class {no,yes}"
NUMERIC_ROWS = "1 a no; 1 a no; 1 a no; 2 b yes; 5 a yes; 5 a yes; 6 a yes; 6 b no; " * 10


def test_a_numeric_attribute_is_cut_at_a_cut_point_of_the_discretizer() -> None:
    model = fitted(recipe(), table(NUMERIC, NUMERIC_ROWS)).model
    assert model.splits.attribute.tolist()[0] == 0
    assert model.splits.cut[0] in (1.5, 3.5)


def test_numbers_that_stay_numbers_are_cut_at_the_border_of_least_entropy() -> None:
    # cuts at 1.5 and 3.5 leave 55.1 bits of entropy, the cut at 2.5 leaves 80; the lowest of equal ones is taken
    data = table("x numeric; class {no,yes}", "1 no; 2 yes; 3 no; 4 yes; " * 20)
    model = fitted(recipe("discretizer: none"), data).model
    assert model.splits.cut[0] == 1.5


def test_an_unknown_split_value_averages_the_leaves() -> None:
    found = posteriors(recipe(), xor(), table(XOR, "? a no"))
    np.testing.assert_allclose(found, shares("1/2 1/2"), atol=1e-15)


def test_training_rows_of_unknown_value_go_down_all_branches() -> None:
    data = table(XOR, "a a no; a b yes; b a yes; b b no; " * 20 + "? ? yes; " * 4)
    # leaf x=a: 20 rows a of class no, 20 rows b and half of 4 rows ? of class yes; laplace: 21/44 21/22, 23/44 1/22
    found = posteriors(recipe("estimator: {laplace: {f: 1}}\ndiscretizer: none"), data, table(XOR, "a a no"))
    np.testing.assert_allclose(found, shares("441/464 23/464"), atol=1e-12)


def test_a_branch_without_rows_keeps_the_classifier_of_its_parent() -> None:
    declared = "x {a,b,c}; y {a,b}; class {no,yes}"
    data = table(declared, "a a no; a b yes; b a yes; b b no; " * 20)
    found = posteriors(recipe(), data, table(declared, "c a no"))
    plain = Recipe.from_text("recipe: t\nestimator: frequency")
    np.testing.assert_allclose(found, posteriors(plain, data, table(declared, "? a no")))


def test_the_same_seed_gives_the_same_tree() -> None:
    data = table(NUMERIC, NUMERIC_ROWS)
    one, other = (recipe().build().fit(data, seed=3).predict_log_proba(data) for _ in range(2))
    assert np.array_equal(one, other)


def test_the_accuracy_of_leave_one_out_below_five_rows() -> None:
    # each row alone is told by the two others of its class: 4 of 4 are right
    data = table("x {a,b}; class {no,yes}", "a no; a no; b yes; b yes")
    composition = recipe().build().composition
    assert cross_validated_accuracy(data, composition, 5, np.random.default_rng(1)) == 1.0


def test_a_single_row_counts_as_misclassified() -> None:
    data = table("x {a,b}; class {no,yes}", "a no")
    assert cross_validated_accuracy(data, recipe().build().composition, 5, np.random.default_rng(1)) == 0.0


def test_inner_folds_hold_the_same_number_of_rows_of_each_class() -> None:
    classes = np.repeat([0, 1, 2], [10, 15, 25])
    fold = stratified(classes, 5, np.random.default_rng(1))
    for code, rows in enumerate((2, 3, 5)):
        assert np.bincount(fold[classes == code], minlength=5).tolist() == [rows] * 5


def test_encoded_rows_are_nominal_intervals_with_unknown_values_kept() -> None:
    data = table("x numeric; class {no,yes}", "1 no; " * 20 + "2 yes; " * 20 + "? no")
    encoded = encoded_dataset(recipe().build().composition.encode(data)[1])
    assert encoded.inputs[0].values == ("0", "1")
    assert encoded.input_columns[0].tolist() == [0] * 20 + [1] * 20 + [3]


@pytest.mark.skipif(not (SHARED / "oracle").is_dir(), reason=absent("oracle"))
@pytest.mark.parametrize("name", ["iris", "zoo", "glass", "breast-cancer", "autos"])
def test_accuracies_are_near_those_of_weka(name: str) -> None:
    """Within 3 points or four rows of Weka's NBTree, which draws other inner folds and cuts."""
    golden = Golden(SHARED / "oracle" / name, read_arff(SHARED / "datasets" / f"{name}.arff"))
    with (SHARED / "oracle" / "summary.csv").open(newline="") as stream:
        expected = next(
            float(row["accuracy"])
            for row in csv.DictReader(stream)
            if (row["dataset"], row["scheme"], row["weka"]) == (name, "nbtree", "3.6.14")
        )
    right = golden.found_probabilities(recipe("discretizer: entropy-mdl")).argmax(axis=1) == golden.dataset.classes
    assert abs(right.mean() - expected) <= max(0.03, 4 / len(right))
