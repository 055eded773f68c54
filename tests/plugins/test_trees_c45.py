"""C4.5 against Weka's J48, printed figures of Quinlan's book and trees grown by hand."""

import numpy as np
import pytest
from support.builders import posteriors, shares, table
from support.golden import Golden
from support.paths import SHARED, absent

from nbframework import Dataset, Recipe, read_arff
from nbframework_trees.c45 import C45
from nbframework_trees.cutting import numeric_candidates
from nbframework_trees.pessimistic import estimated_errors
from nbframework_trees.routing import Entries, leaves_of
from nbframework_trees.splitting import nominal_candidates
from nbframework_trees.table import Table

NOMINAL = "outlook {sunny,overcast,rainy}; temperature {hot,mild,cool}; humidity {high,normal}; windy {yes,no}"
NOMINAL += "; play {yes,no}"
NUMERIC = "outlook {sunny,overcast,rainy}; temperature numeric; humidity numeric; windy {yes,no}; play {yes,no}"
NOMINAL_ROWS = """sunny hot high no no; sunny hot high yes no; overcast hot high no yes; rainy mild high no yes
rainy cool normal no yes; rainy cool normal yes no; overcast cool normal yes yes; sunny mild high no no
sunny cool normal no yes; rainy mild normal no yes; sunny mild normal yes yes; overcast mild high yes yes
overcast hot normal no yes; rainy mild high yes no"""
NUMERIC_ROWS = """sunny 85 85 no no; sunny 80 90 yes no; overcast 83 86 no yes; rainy 70 96 no yes; rainy 68 80 no yes
rainy 65 70 yes no; overcast 64 65 yes yes; sunny 72 95 no no; sunny 69 70 no yes; rainy 75 80 no yes
sunny 75 70 yes yes; overcast 72 90 yes yes; overcast 81 75 no yes; rainy 71 91 yes no"""


def weather() -> Dataset:
    return table(NOMINAL, NOMINAL_ROWS)


def tabled(data: Dataset) -> Table:
    composition = Recipe(classifier=C45()).build().composition
    return Table.of(composition.encode(data)[1])


def grown(data: Dataset, **parameters: object):
    """The tree of a data set on which it is fitted."""
    return Recipe(classifier=C45(**parameters)).build().fit(data).model.tree


def outline(tree, data: Dataset, node: int = 0) -> object:
    """A tree as nested tuples: a test and its branches, or the class weights of a leaf."""
    if not tree.branches[node]:
        return tuple(np.round(tree.class_weight[node], 6).tolist())
    attribute = data.inputs[tree.attribute[node]]
    first = tree.first_child[node]
    test = attribute.name if np.isnan(tree.cut[node]) else f"{attribute.name} <= {tree.cut[node]:g}"
    return (test, *(outline(tree, data, first + branch) for branch in range(tree.branches[node])))


OUTLOOK_TREE = ("outlook", ("humidity", (0, 3), (2, 0)), (4, 0), ("windy", (0, 2), (3, 0)))


def test_the_weather_data_make_the_outlook_tree() -> None:
    assert outline(grown(weather()), weather()) == OUTLOOK_TREE


def test_the_numeric_weather_data_are_cut_at_humidity_75() -> None:
    data = table(NUMERIC, NUMERIC_ROWS)
    humidity = ("humidity <= 75", (2, 0), (0, 3))
    assert outline(grown(data), data) == ("outlook", humidity, (4, 0), ("windy", (0, 2), (3, 0)))


def split_on_outlook(data: Dataset):
    rows = tabled(data)
    entries = Entries(np.zeros(len(data), dtype=np.intp), np.arange(len(data)), rows.weights)
    return nominal_candidates(rows, 0, entries, np.bincount(rows.classes).astype(float)[np.newaxis], 2.0)


def test_gain_and_gain_ratio_of_outlook_are_those_of_the_book() -> None:
    split = split_on_outlook(weather())
    assert split.gain[0] == pytest.approx(0.246750, abs=1e-6)
    assert split.ratio[0] == pytest.approx(0.156428, abs=1e-6)


def test_an_unknown_outlook_gives_the_gain_and_split_information_of_the_book() -> None:
    # Quinlan 1993, section 3.2: gain 0.199 bits, split information 1.809 bits
    rows = NOMINAL_ROWS.replace("overcast mild high yes yes", "? mild high yes yes")
    split = split_on_outlook(table(NOMINAL, rows))
    assert split.gain[0] == pytest.approx(0.199, abs=5e-4)
    assert split.gain[0] / split.ratio[0] == pytest.approx(1.809, abs=5e-4)


def test_a_row_of_unknown_outlook_goes_down_all_branches_in_fractions() -> None:
    # Quinlan 1993, section 3.2: weights 5/13, 3/13 and 5/13
    data = table(NUMERIC, NUMERIC_ROWS.replace("overcast 72 90 yes yes", "? 72 90 yes yes"))
    tree = grown(data, unpruned=True)
    assert outline(tree, data) == (
        "outlook",
        ("humidity <= 75", (2, 0), (round(5 / 13, 6), 3)),
        (round(3 + 3 / 13, 6), 0),
        ("windy", (round(5 / 13, 6), 2), (3, 0)),
    )


def test_a_query_of_unknown_value_averages_the_leaves_by_their_weights() -> None:
    training = table("a {x,y}; class {p,n}", "x p; " * 6 + "y n; " * 3)
    found = posteriors(Recipe(classifier=C45()), training, table("a {x,y}; class {p,n}", "? p; x p"))
    np.testing.assert_allclose(found, shares("2/3 1/3; 1 0"), atol=1e-15)


def test_an_undeclared_value_is_an_unknown_one() -> None:
    training = table("a {x,y}; class {p,n}", "x p; " * 6 + "y n; " * 3)
    found = posteriors(Recipe(classifier=C45()), training, table("a {x,y,z}; class {p,n}", "z p"))
    np.testing.assert_allclose(found, shares("2/3 1/3"), atol=1e-15)


def test_an_empty_branch_answers_with_the_distribution_of_its_parent() -> None:
    training = table("a {x,y,z}; class {p,n}", "x p; " * 6 + "y n; " * 2)
    found = posteriors(Recipe(classifier=C45()), training, table("a {x,y,z}; class {p,n}", "z p"))
    np.testing.assert_allclose(found, shares("3/4 1/4"), atol=1e-15)


def test_laplace_leaves_add_one_to_each_class() -> None:
    training = table("a {x,y}; class {p,n}", "x p; " * 6 + "y n; " * 3)
    found = posteriors(Recipe(classifier=C45(laplace_leaves=True)), training, training)
    np.testing.assert_allclose(found[[0, -1]], shares("7/8 1/8; 1/5 4/5"), atol=1e-15)


def test_expected_errors_of_leaves_without_errors_are_those_of_the_book() -> None:
    # Quinlan 1993, section 4.2: U(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750
    rows = np.array([6.0, 9.0, 1.0])
    np.testing.assert_allclose(estimated_errors(rows, np.zeros(3), 0.25) / rows, [0.206, 0.143, 0.75], atol=5e-4)


def test_expected_errors_of_one_in_sixteen_are_near_the_exact_limit() -> None:
    # Quinlan 1993 prints the exact binomial limit 0.157; the program approximates it
    assert estimated_errors(16.0, 1.0, 0.25) / 16 == pytest.approx(0.157, abs=0.003)


@pytest.mark.parametrize(("weight", "errors", "expected"), [(0.0, 0.0, 0.0), (2.0, 1.8, 2.0), (1.0, 1.0, 1.0)])
def test_expected_errors_stay_between_zero_and_the_weight(weight: float, errors: float, expected: float) -> None:
    assert estimated_errors(weight, errors, 0.25) == pytest.approx(expected)


def test_expected_errors_below_one_error_are_linear() -> None:
    none, half, one = (estimated_errors(20.0, errors, 0.25) for errors in (0.0, 0.5, 1.0))
    assert half - 0.5 == pytest.approx((none + one - 1) / 2)


DEMOCRATS = "physician {n,y}; education {n,y,u}; class {democrat,republican}"


def test_the_subtree_of_the_book_is_pruned_to_a_leaf() -> None:
    # Quinlan 1993, section 4.2: leaves of 6, 9 and 1 rows without errors are expected to err 3.273 times, one leaf of
    # 16 rows with 1 error less often
    data = table(DEMOCRATS, "n n democrat; " * 6 + "n y democrat; " * 9 + "n u republican; " + "y n republican; " * 40)
    education = ("education", (6, 0), (9, 0), (0, 1))
    assert outline(grown(data, minimum_rows=1, unpruned=True), data) == ("physician", education, (0, 40))
    assert outline(grown(data, minimum_rows=1), data) == ("physician", (15, 1), (0, 40))


def test_a_split_that_saves_no_training_error_is_collapsed() -> None:
    data = table("a {x,y}; class {p,n}", "x p; " * 10 + "y p; " * 6 + "y n; " * 4)
    assert outline(grown(data, unpruned=True), data) == (16, 4)
    assert outline(grown(data, unpruned=True, collapse=False), data) == ("a", (10, 0), (6, 4))


RAISED = "x l p; " * 2 + "x l n; " * 8 + "x r p; " * 3 + "x r n; " + "y l n; " * 8 + "y r n"


def test_a_node_is_replaced_by_its_largest_branch() -> None:
    # expected errors: tree 3.52 + 2.17 + 1.28 = 6.98, leaf 6.99, branch b with all rows 3.65 + 3.22 = 6.87; the leaf
    # exceeds the branch by more than 0.1
    data = table("a {x,y}; b {l,r}; class {p,n}", RAISED)
    assert outline(grown(data, unpruned=True), data) == ("a", ("b", (2, 8), (3, 1)), (0, 9))
    assert outline(grown(data), data) == ("b", (2, 16), (3, 2))


def test_without_subtree_raising_the_node_becomes_a_leaf() -> None:
    data = table("a {x,y}; b {l,r}; class {p,n}", RAISED)
    assert outline(grown(data, subtree_raising=False), data) == (5, 18)


def test_a_larger_confidence_keeps_more_of_the_tree() -> None:
    data = table("a {x,y}; class {p,n}", "x p; " * 5 + "y p; " * 3 + "y n; " * 5)
    strict, mild = (outline(grown(data, confidence=value), data) for value in (0.001, 0.5))
    assert strict == (8, 5)
    assert mild == ("a", (5, 0), (3, 5))


def test_numbers_are_cut_at_a_training_value_not_above_the_midpoint() -> None:
    data = table("x numeric; class {p,n}", "1 p; 2 p; 3 p; 10 n; 11 n; 12 n")
    assert outline(grown(data), data) == ("x <= 3", (3, 0), (0, 3))


def test_the_cost_of_a_cut_is_the_logarithm_of_their_number() -> None:
    # six values, a minimum of 2 rows a side: cuts behind the second, third and fourth; gain 1 - log2(3) / 6
    rows = tabled(table("x numeric; class {p,n}", "1 p; 2 p; 3 p; 10 n; 11 n; 12 n"))
    entries = Entries(np.zeros(6, dtype=np.intp), np.arange(6), rows.weights)
    split = numeric_candidates(rows, 0, entries, np.arange(6), np.array([[3.0, 3.0]]), 2.0)
    assert split.gain[0] == pytest.approx(1 - np.log2(3) / 6)
    assert split.ratio[0] == pytest.approx(1 - np.log2(3) / 6)
    assert split.cut[0] == 6.5


@pytest.mark.parametrize(("version", "expected"), [("3.6.14", "1 0"), ("3.9", "0 1")])
def test_the_versions_differ_in_numbers_just_above_a_cut(version: str, expected: str) -> None:
    training = table("x numeric; class {p,n}", "1 p; 2 p; 3 p; 10 n; 11 n; 12 n")
    found = posteriors(
        Recipe(classifier=C45(version=version)), training, table("x numeric; class {p,n}", "3.0000005 p")
    )
    np.testing.assert_allclose(found, shares(expected))


def test_a_data_set_without_inputs_gets_the_class_frequencies() -> None:
    training = table("class {p,n}", "p; p; p; n")
    np.testing.assert_allclose(posteriors(Recipe(classifier=C45()), training, training)[0], [0.75, 0.25])


def test_pure_and_small_nodes_are_leaves() -> None:
    data = table("a {x,y}; class {p,n}", "x p; x p; y n")
    assert outline(grown(data, minimum_rows=2), data) == (2, 1)
    assert outline(grown(data, minimum_rows=1, unpruned=True), data) == ("a", (2, 0), (0, 1))


def test_broad_attributes_do_not_raise_the_average_gain() -> None:
    # a has 3 of 10 values and the larger gain; without its gain the average lets b's better ratio win
    rows = "1 l p; 1 l p; 1 l p; 1 l p; 2 l p; 2 r n; 2 r n; 3 r n; 3 r n; 3 r p"
    data = table("a {1,2,3}; b {l,r}; class {p,n}", rows)
    assert outline(grown(data, unpruned=True), data)[0] == "b"


def test_data_discretized_first_are_split_into_their_intervals() -> None:
    data = table("x numeric; class {p,n}", "; ".join(["1 p"] * 30 + ["2 n"] * 30 + ["3 p"] * 30))
    recipe = Recipe.from_text("recipe: t\ndiscretizer: entropy-mdl")
    tree = Recipe(classifier=C45(), discretizer=recipe.discretizer).build().fit(data).model.tree
    assert outline(tree, data) == ("x", (30, 0), (0, 30), (30, 0))


def test_leaves_hold_every_row_once() -> None:
    rng = np.random.default_rng(2)
    rows = "; ".join(f"{rng.choice(list('xyz?'))} {rng.random():.2f} {rng.choice(list('pqr'))}" for _ in range(300))
    data = table("a {x,y,z}; b numeric; class {p,q,r}", rows)
    tree = grown(data, unpruned=True)
    at_leaves = tree.class_weight[tree.is_leaf].sum(axis=0)
    np.testing.assert_allclose(at_leaves, np.bincount(data.classes), atol=1e-9)


def test_routing_the_training_rows_gives_the_class_weights_of_the_pruned_tree() -> None:
    data = table(NUMERIC, NUMERIC_ROWS.replace("overcast 72 90 yes yes", "? 72 90 yes yes"))
    rows = tabled(data)
    tree = C45().tree(rows)
    start = Entries(np.zeros(len(data), dtype=np.intp), np.arange(len(data)), rows.weights)
    ended = leaves_of(tree, rows.values, start, 0.0, None)
    found = rows.class_weight(ended.node, ended.row, ended.weight, len(tree.attribute))
    np.testing.assert_allclose(found[tree.is_leaf], tree.class_weight[tree.is_leaf], atol=1e-12)


SCHEMES = {
    "j48_disc": ("entropy-mdl", C45(version="3.6.14")),
    "j48u_disc": ("entropy-mdl", C45(version="3.6.14", unpruned=True)),
    "j48_raw": ("none", C45(version="3.6.14")),
    "j48_raw@3.9.7": ("none", C45(version="3.9")),
}
FOLDERS = sorted(path.parent for path in (SHARED / "oracle").glob("*/folds.txt"))


@pytest.mark.skipif(not FOLDERS, reason=absent("oracle"))
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_probabilities_are_those_of_j48(folder, scheme: str) -> None:
    golden = Golden(folder, read_arff(SHARED / "datasets" / f"{folder.name}.arff"))
    if not golden.has(scheme):
        pytest.skip(f"{folder.name} has no numeric attribute, or the versions agree")
    discretizer, classifier = SCHEMES[scheme]
    first = Recipe.from_text(f"recipe: t\ndiscretizer: {discretizer}")
    golden.check_probabilities(scheme, Recipe(discretizer=first.discretizer, classifier=classifier), 1e-9)


@pytest.mark.skipif(not (SHARED / "datasets").is_dir(), reason=absent("datasets"))
@pytest.mark.parametrize(
    ("name", "unpruned", "leaves", "nodes", "wrong"),
    [("letter", False, 1226, 2451, 731), ("letter", True, 1337, 2673, 672), ("adult", False, 696, 911, 6039)],
)
def test_trees_of_large_data_sets_have_the_size_that_weka_prints(
    name: str, unpruned: bool, leaves: int, nodes: int, wrong: int
) -> None:
    # weka.classifiers.trees.J48 [-U] -t FILE -no-cv, Weka 3.6.14
    data = read_arff(SHARED / "datasets" / f"{name}.arff")
    fitted = Recipe(classifier=C45(version="3.6.14", unpruned=unpruned)).build().fit(data)
    tree = fitted.model.tree
    assert (int(tree.is_leaf.sum()), len(tree.attribute)) == (leaves, nodes)
    assert int((fitted.predict(data) != data.classes).sum()) == wrong
