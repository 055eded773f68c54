"""Neighbourhood mutual-nearest: right values, and the promises of the kit."""

import numpy as np
import pytest
from nbframework_mutual_nearest.mutual_nearest import MutualNearest

from nbframework import Recipe
from nbframework.authoring import Attribute, Dataset
from nbframework.testing import checks_of

DISTANCE = Recipe.load("knn-fair").neighbourhood.distance
ATTRIBUTES = [Attribute.numeric("x"), Attribute.nominal("class", ["a", "b"])]


def neighbours(places, query, k):
    """Return the training rows that speak for a query; the distance divides by the range, which changes no order."""
    rows = Dataset.from_columns(ATTRIBUTES, [places, [0] * len(places)])
    encoder, training = Recipe().build().composition.encode(rows)
    asked = encoder.queries(Dataset.from_columns(ATTRIBUTES, [[query], [0]]))
    return MutualNearest(k=k, distance=DISTANCE).fit(training).around(asked).row.tolist()


def test_a_row_that_has_nearer_company_does_not_speak():
    # of the two nearest to 2.6, which are 2 and 4, the second is at 1.4; 4 looks as far as 2, then as far as 1
    assert neighbours([0.0, 2.0, 4.0, 5.0], 2.6, k=2) == [1, 2]
    assert neighbours([0.0, 2.0, 4.0, 4.5, 5.0], 2.6, k=2) == [1]


def test_without_a_mutual_neighbour_the_nearest_speaks():
    # 1 and 0 are each other's nearest; the query at 9 is nobody's
    assert neighbours([0.0, 1.0], 9.0, k=1) == [1]


def test_rows_tied_with_the_kth_speak():
    assert neighbours([1.0, 3.0], 2.0, k=1) == [0, 1]


def test_a_k_beyond_the_rows_takes_all():
    assert neighbours([0.0, 1.0, 5.0], 0.5, k=50) == [0, 1, 2]


@pytest.mark.parametrize("check", checks_of(MutualNearest(distance=DISTANCE)), ids=str)
def test_it_keeps_its_promises(check):
    check()


def test_the_neighbours_of_equal_rows_are_equal():
    places = list(np.repeat([1.0, 2.0, 3.0], 4))
    assert neighbours(places, 1.0, k=2) == [0, 1, 2, 3]
