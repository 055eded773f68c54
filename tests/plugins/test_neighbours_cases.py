"""Problem cases of other tools (cases KNN) and neighbourhoods in which nobody speaks."""

import numpy as np
import pytest
from support.builders import posteriors, table
from support.cases import needs_cases, train_and_test

pytestmark = needs_cases
VOTE = "recipe: r\nstructure: class-only\nestimator: frequency\nneighbourhood: {%s: {%s}}"


def test_knn_01_more_neighbours_than_rows_are_all_rows():
    training, queries = train_and_test("KNN-01")
    for kind in ("nearest", "linear-kernel"):
        found = posteriors(
            VOTE % (kind, "k: 5" + (", kernel: constant" if kind != "nearest" else "")), training, queries
        )
        np.testing.assert_allclose(found, [[2 / 3, 1 / 3]], rtol=1e-12)


def test_knn_03_an_exact_match_decides_under_inverse_distances():
    training, queries = train_and_test("KNN-03")
    found = posteriors(VOTE % ("inverse-power", "kappa: 1"), training, queries)
    assert found.tolist() == [[0, 1]]


@pytest.mark.parametrize("distance", ["heterogeneous-euclidean", "integer-euclidean", "hvdm"])
def test_knn_04_an_attribute_of_one_value_does_not_count(distance):
    training, queries = train_and_test("KNN-04")
    found = posteriors(VOTE % ("nearest", f"k: 1, distance: {distance}"), training, queries)
    assert found.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("distance", ["heterogeneous-euclidean", "overlap"])
def test_knn_06_values_have_no_order(distance):
    training, queries = train_and_test("KNN-06")
    found = posteriors(VOTE % ("nearest", f"k: 1, distance: {distance}"), training, queries)
    np.testing.assert_allclose(found, [[1 / 3, 2 / 3]], rtol=1e-15)


@pytest.mark.parametrize("kernel", ["linear", "epanechnikov", "tricube"])
def test_knn_08_neighbours_whose_kernel_weights_are_all_0_are_equally_loud(kernel):
    training, queries = train_and_test("KNN-08")
    found = posteriors(VOTE % ("linear-kernel", f"k: 1, kernel: {kernel}, floor: 0"), training, queries)
    assert found.tolist() == [[1, 0]]
    training = table("x numeric; class {a,b}", "-1 a; 1 a; 1 b; 10 b")
    found = posteriors(VOTE % ("linear-kernel", f"k: 1, kernel: {kernel}, floor: 0"), training, queries)
    np.testing.assert_allclose(found, [[2 / 3, 1 / 3]], rtol=1e-12)


@pytest.mark.parametrize("structure", ["class-only", "naive"])
def test_knn_08_a_query_without_neighbours_gets_the_training_prior(structure):
    training, _ = train_and_test("KNN-08")
    queries = table("x numeric; class {a,b}", "0 ?; 5 ?; 10 ?")
    recipe = f"recipe: r\nstructure: {structure}\nestimator: frequency\nneighbourhood: {{radius: {{radius: 0.01}}}}"
    found = posteriors(recipe, training, queries)
    np.testing.assert_allclose(found, [[1, 0], [2 / 3, 1 / 3], [0, 1]], rtol=1e-12)
