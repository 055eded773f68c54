"""Distances between rows, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.builders import table

from nbframework import Recipe
from nbframework.testing import checks_of
from nbframework_neighbours.heterogeneous_euclidean import HeterogeneousEuclidean
from nbframework_neighbours.hvdm import HVDM
from nbframework_neighbours.integer_euclidean import IntegerEuclidean
from nbframework_neighbours.overlap import Overlap
from nbframework_neighbours.searched_rows import searched


def rows_of(training, queries, recipe="recipe: r", attributes="raw"):
    """Return training rows and queries as a distance gets them."""
    encoder, rows = Recipe.from_text(recipe).build().composition.encode(training)
    return searched(rows, attributes), searched(encoder.queries(queries), attributes)


def squares(distance, training, queries, **how):
    rows, asked = rows_of(training, queries, **how)
    return distance.fit(rows).between(asked) ** 2


MIXED = "x numeric; c {r,g}; class {a,b}"


def test_heterogeneous_scales_numbers_and_takes_0_or_1_for_values():
    training = table(MIXED, "0 r a; 10 g b")
    found = squares(HeterogeneousEuclidean(), training, table(MIXED, "2.5 g ?; 10 r ?"))
    np.testing.assert_allclose(found, [[0.25**2 + 1, 0.75**2], [1, 1]], rtol=1e-15)


def test_heterogeneous_takes_the_farther_end_for_an_unknown_number_and_1_for_an_unknown_value():
    training = table(MIXED, "0 r a; 10 g b; ? r a; 5 ? b")
    found = squares(HeterogeneousEuclidean(), training, table(MIXED, "2.5 g ?; ? ? ?"))
    expected = [[0.0625 + 1, 0.5625, 0.5625 + 1, 0.0625 + 1], [1 + 1, 1 + 1, 1 + 1, 0.25 + 1]]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_heterogeneous_does_not_clip_a_query_outside_the_range():
    training = table(MIXED, "0 r a; 10 g b; ? r a")
    found = squares(HeterogeneousEuclidean(), training, table(MIXED, "20 r ?"))
    np.testing.assert_allclose(found, [[4, 1 + 1, 4]], rtol=1e-15)


def test_an_attribute_of_one_value_adds_nothing_even_for_a_query_beside_it():
    training = table("x numeric; z numeric; class {a,b}", "0 5 a; 10 5 b")
    queries = table("x numeric; z numeric; class {a,b}", "5 6 ?")
    np.testing.assert_allclose(squares(HeterogeneousEuclidean(), training, queries), [[0.25, 0.25]], rtol=1e-15)
    np.testing.assert_allclose(squares(IntegerEuclidean(), training, queries), [[0.25, 0.25]], rtol=1e-15)


def test_growing_ranges_are_widened_by_each_query_for_itself_and_the_later_ones():
    one = "x numeric; class {a,b}"
    training, queries = table(one, "0 a; 10 b"), table(one, "5 ?; 20 ?; ? ?; 5 ?")
    found = squares(HeterogeneousEuclidean(ranges="growing"), training, queries)
    np.testing.assert_allclose(found, [[0.25, 0.25], [1, 0.25], [1, 0.25], [0.0625, 0.0625]], rtol=1e-15)


def test_growing_ranges_are_declared_as_an_influence_of_queries_on_each_other():
    promise = "queries_do_not_influence_each_other"
    growing, plain = HeterogeneousEuclidean(ranges="growing"), HeterogeneousEuclidean()
    assert {check.promise for check in checks_of(growing) if check.excuse is not None} == {promise}
    assert promise not in plain.exceptions


def test_growing_ranges_are_the_same_where_a_batch_comes_in_blocks():
    one = "x numeric; class {a,b}"
    rows, asked = rows_of(table(one, "0 a; 10 b"), table(one, "5 ?; 20 ?; 5 ?"))
    fitted = HeterogeneousEuclidean(ranges="growing").fit(rows)
    blocks = [fitted.between(asked.take(slice(first, first + 1))) for first in range(3)]
    np.testing.assert_array_equal(np.concatenate(blocks), fitted.between(asked))


def test_training_rows_that_are_asked_widen_no_range():
    one = "x numeric; class {a,b}"
    data = table(one, "0 a; 10 b; 40 a")
    _, whole = Recipe.from_text("recipe: r").build().composition.encode(data)
    inside = replace(whole, selection=np.array([0, 1]), class_codes=whole.classes[:2])
    found = HeterogeneousEuclidean(ranges="growing").fit(inside).between(whole.take([2]))
    np.testing.assert_array_equal(found, [[4.0, 3.0]])


def test_integers_stand_for_values_in_sorted_or_in_header_order():
    header = "c {blue,amber,cyan}; class {x,y}"
    training, queries = table(header, "blue x; cyan y"), table(header, "amber ?")
    assert squares(IntegerEuclidean(order="sorted", scale="none"), training, queries).tolist() == [[1, 4]]
    assert squares(IntegerEuclidean(order="header", scale="none"), training, queries).tolist() == [[1, 1]]
    assert squares(IntegerEuclidean(order="sorted", scale="range"), training, queries).tolist() == [[1, 4]]
    assert squares(IntegerEuclidean(order="header", scale="range"), training, queries).tolist() == [[0.25, 0.25]]


def test_numerals_stand_for_themselves():
    header = "c {10,9,2}; class {x,y}"
    training, queries = table(header, "10 x; 2 y"), table(header, "9 ?")
    assert squares(IntegerEuclidean(scale="none"), training, queries).tolist() == [[1, 49]]
    assert squares(IntegerEuclidean(scale="none", order="header"), training, queries).tolist() == [[1, 1]]


def test_an_unknown_integer_is_as_far_as_the_farther_end():
    header = "x numeric; y numeric; class {a,b}"
    training, queries = table(header, "0 0 a; 10 ? b"), table(header, "4 ? ?")
    found = squares(IntegerEuclidean(missing="max-distance"), training, queries)
    # y has one known value, so its range is empty and it is left out
    np.testing.assert_allclose(found, [[0.16, 0.36]], rtol=1e-15)
    training = table(header, "0 0 a; 10 ? b; 10 8 a")
    found = squares(IntegerEuclidean(missing="max-distance", scale="none"), training, table(header, "4 ? ?; 4 6 ?"))
    np.testing.assert_allclose(found, [[16 + 64, 36 + 64, 36 + 64], [16 + 36, 36 + 36, 36 + 4]], rtol=1e-15)


def test_unknown_attributes_are_skipped_and_the_others_count_more():
    header = "x numeric; y numeric; class {a,b}"
    training = table(header, "0 0 a; 10 ? b; ? 8 a")
    found = squares(IntegerEuclidean(missing="skip-rescale"), training, table(header, "4 ? ?; 5 4 ?"))
    expected = [[2 * 0.16, 2 * 0.36, 1 + 1], [0.25 + 0.25, 2 * 0.25, 2 * 0.25]]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_an_undeclared_value_is_unknown_to_the_integers():
    header = "c {p,q,s}; class {a,b}"
    training = table(header, "p a; s b")
    queries = table("c {p,q,s,new}; class {a,b}", "new ?")
    fitted = Recipe.from_text(
        "recipe: r\nneighbourhood: {nearest: {k: 1, distance: integer-euclidean}}\nstructure: class-only\n"
        "estimator: frequency"
    )
    np.testing.assert_allclose(fitted.build().fit(training).predict_proba(queries), [[0.5, 0.5]])


def test_overlap_counts_differing_attributes_and_unknown_differs_from_all():
    header = "c {r,g}; d {s,t}; x numeric; class {a,b}"
    training = table(header, "r s 1 a; g ? 2 b; r t ? a")
    rows, asked = rows_of(training, table(header, "r s 2 ?; g ? ? ?; r t 1.5 ?"))
    found = Overlap().fit(rows).between(asked)
    assert found.tolist() == [[1, 2, 2], [3, 2, 3], [2, 3, 1]]


def test_overlap_compares_the_intervals_of_a_discretizer():
    header = "x numeric; class {a,b}"
    training, queries = table(header, "0 a; 1 a; 9 b; 10 b"), table(header, "2 ?")
    rows, asked = rows_of(training, queries, "recipe: r\ndiscretizer: {equal-width: {bins: 2}}", "discretized")
    assert Overlap().fit(rows).between(asked).tolist() == [[0, 0, 1, 1]]


def test_unknown_as_a_value_is_equal_to_unknown_where_codes_are_compared():
    header = "c {r,g}; class {a,b}"
    training, queries = table(header, "r a; ? b"), table(header, "? ?")
    recipe = "recipe: r\nmissing: as-value"
    rows, asked = rows_of(training, queries, recipe, "discretized")
    assert Overlap().fit(rows).between(asked).tolist() == [[1, 0]]
    rows, asked = rows_of(training, queries, recipe, "raw")
    assert Overlap().fit(rows).between(asked).tolist() == [[1, 1]]


def test_hvdm_of_values_is_the_distance_of_their_class_distributions():
    header = "c {p,q,never}; class {a,b}"
    training, queries = table(header, "p a; p a; p b; q b; ? a"), table(header, "p ?; q ?; never ?; ? ?")
    found = squares(HVDM(), training, queries)
    apart = (2 / 3) ** 2 * 2
    never = [4 / 9 + 1 / 9] * 3 + [1]
    expected = [[0, 0, 0, apart, 1], [apart, apart, apart, 0, 1], [*never, 1], [1] * 5]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_hvdm_of_numbers_is_their_difference_in_four_deviations():
    header = "x numeric; z numeric; class {a,b}"
    training = table(header, "0 5 a; 2 5 b; 4 5 a; 6 5 b; ? 5 a")
    found = squares(HVDM(), training, table(header, "1 7 ?; ? 5 ?"))
    np.testing.assert_allclose(found[0], [1 / 80, 1 / 80, 9 / 80, 25 / 80, 1], rtol=1e-14)
    np.testing.assert_allclose(found[1], [1] * 5, rtol=1e-14)


@pytest.mark.parametrize("distance", [HeterogeneousEuclidean(), IntegerEuclidean(), Overlap(), HVDM()], ids=repr)
def test_without_any_input_all_rows_are_at_the_same_place(distance):
    training = table("class {a,b}", "a; b; a")
    assert squares(distance, training, table("class {a,b}", "?; ?")).tolist() == [[0, 0, 0], [0, 0, 0]]
