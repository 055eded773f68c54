"""Neighbourhoods of near rows: who speaks, how loudly, and what that makes of whole classifiers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from support.builders import posteriors, table
from support.strategies import datasets

from nbframework import Attribute, Dataset, Recipe
from nbframework.authoring import Distance, FittedDistance, FittedNeighbourhood
from nbframework_neighbours.heterogeneous_euclidean import HeterogeneousEuclidean
from nbframework_neighbours.integer_euclidean import IntegerEuclidean
from nbframework_neighbours.kappa_kernel import InversePower, KappaKernel
from nbframework_neighbours.linear_kernel import LinearKernel
from nbframework_neighbours.nearest import Nearest
from nbframework_neighbours.nearest_per_class import NearestPerClass
from nbframework_neighbours.overlap import Overlap
from nbframework_neighbours.radius import Radius

LINE = "x numeric; class {a,b}"


def fitted(part, training, queries):
    known = training.take(training.classes < len(training.class_values))
    encoder, rows = Recipe.from_text("recipe: r").build().composition.encode(known)
    return part.fit(rows), encoder.queries(queries)


def around(part, training, queries):
    """Return for each query a dict of the weight with which each training row speaks."""
    found, asked = fitted(part, training, queries)
    near = found.around(asked)
    return [
        dict(zip(near.row[first:last].tolist(), np.exp(near.log_weight[first:last]).tolist(), strict=True))
        for first, last in zip(near.start[:-1], near.start[1:], strict=True)
    ]


def numbers(rows, width, seed, classes=3):
    generator = np.random.default_rng(seed)
    attributes = [Attribute.numeric(f"x{j}") for j in range(width)]
    columns = list(generator.normal(size=(width, rows)))
    return Dataset.from_columns(
        [*attributes, Attribute.nominal("class", [f"c{c}" for c in range(classes)])],
        [*columns, generator.integers(0, classes, rows)],
    )


def inputs(dataset):
    return np.column_stack(dataset.input_columns)


# --- nearest


def test_all_rows_as_near_as_the_kth_speak():
    training = table(LINE, "0 a; 1 a; 3 b; 1 b; 9 a")
    assert around(Nearest(k=2), training, table(LINE, "0 ?")) == [{0: 1, 1: 1, 3: 1}]


def test_first_takes_the_tied_rows_that_come_first():
    training = table(LINE, "1 a; 0 a; 3 b; 1 b; 9 a")
    assert around(Nearest(k=2, ties="first"), training, table(LINE, "0 ?")) == [{1: 1, 0: 1}]
    assert around(Nearest(k=4, ties="first"), training, table(LINE, "0 ?")) == [{1: 1, 0: 1, 3: 1, 2: 1}]


def test_rounding_breaks_no_tie():
    training = table(LINE, "0.1 a; 0.3 b; 0.9 a; 0.8 b")
    query = table(LINE, "0.2 ?")
    assert list(around(Nearest(k=1), training, query)[0]) in ([0, 1], [1, 0])
    assert list(around(Nearest(k=1, ties="first"), training, query)[0]) == [0]
    assert len(around(Nearest(k=1, tie_tolerance=0), training, query)[0]) == 1


def test_more_neighbours_than_rows_are_all_rows():
    training = table(LINE, "0 a; 1 a; 3 b")
    for ties in ("keep", "first"):
        assert around(Nearest(k=50, ties=ties), training, table(LINE, "0 ?")) == [{0: 1, 1: 1, 2: 1}]


def test_a_batch_without_queries_has_no_neighbours():
    training = table(LINE, "0 a; 1 a; 3 b")
    for part in (Nearest(), LinearKernel(), Radius(), KappaKernel(), InversePower(), NearestPerClass()):
        assert around(part, training, training.take([])) == []


@pytest.mark.parametrize("scale", ["none", "range"])
@pytest.mark.parametrize("k", [1, 7, 40])
def test_votes_of_the_nearest_equal_scikit_learn(k, scale):
    data = numbers(300, 5, seed=k)
    training, queries = data.take(np.arange(240)), data.take(np.arange(240, 300))
    X, Q = inputs(training), inputs(queries)
    unit = np.ptp(X, axis=0) if scale == "range" else 1.0
    oracle = KNeighborsClassifier(n_neighbors=k, algorithm="brute").fit(X / unit, training.classes)
    overrides = {"neighbourhood.k": k, "neighbourhood.distance": {"integer-euclidean": {"scale": scale}}}
    found = posteriors(Recipe.load("knn", **overrides), training, queries)
    np.testing.assert_allclose(found, oracle.predict_proba(Q / unit), rtol=0, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(datasets(unknown=True), st.integers(1, 30), st.sampled_from(["keep", "first"]))
def test_neighbours_are_those_of_a_plain_search(data, k, ties):
    for distance in (HeterogeneousEuclidean(), Overlap(), IntegerEuclidean(missing="skip-rescale")):
        found, asked = fitted(Nearest(k=k, ties=ties, distance=distance), data, data)
        rows = found.training
        apart = found.search.distance.between(asked) ** 2
        near = found.around(asked)
        for query in range(len(asked)):
            order = sorted(range(len(rows)), key=lambda row, d=apart[query]: (round(d[row], 9), row))
            limit = round(apart[query, order[min(k, len(order)) - 1]], 9)
            kept = order[:k] if ties == "first" else [row for row in order if round(apart[query, row], 9) <= limit]
            assert sorted(near.row[near.start[query] : near.start[query + 1]].tolist()) == sorted(kept)


@settings(max_examples=40, deadline=None)
@given(datasets(), st.integers(1, 20), st.integers(1, 20), st.sampled_from(["keep", "first"]))
def test_one_sorted_list_serves_every_smaller_k(data, one, other, ties):
    k, most = min(one, other), max(one, other)
    for distance in (HeterogeneousEuclidean(), Overlap()):
        found, asked = fitted(Nearest(k=k, ties=ties, distance=distance), data, data)
        cut = found.near(asked, most).nearest(k, ties, 1e-12)
        near = found.around(asked)
        assert cut.start.tolist() == near.start.tolist()
        assert cut.row.tolist() == near.row.tolist()


def test_a_row_left_out_is_no_neighbour_of_itself():
    training = table(LINE, "0 a; 1 a; 3 b; 7 b")
    found, asked = fitted(Nearest(k=1), training, training)
    near = found.near(asked, 1, left_out=np.array([0, 1, 2, -1]))
    assert near.row.tolist() == [1, 0, 1, 3]
    alone, one = fitted(Nearest(k=1), training.take([0]), training.take([0]))
    assert alone.near(one, 1, left_out=np.array([0])).start.tolist() == [0, 0]


@dataclass(frozen=True, kw_only=True)
class Foreign(Distance):
    """The heterogeneous distance as another package would provide it: nothing but distances."""

    name: ClassVar[str] = "foreign"

    def fit(self, training):
        return FittedForeign(HeterogeneousEuclidean().fit(training))


class FittedForeign(FittedDistance):
    def __init__(self, inner):
        self.inner = inner

    def between(self, queries):
        return self.inner.between(queries)


@pytest.mark.parametrize(
    "kind", [Nearest, LinearKernel, KappaKernel, InversePower, NearestPerClass, Radius], ids=lambda kind: kind.name
)
def test_a_distance_of_another_package_is_searched_alike(kind):
    data = numbers(150, 3, seed=4)
    (own, asked), (foreign, _) = (
        fitted(kind(distance=distance), data, data) for distance in (HeterogeneousEuclidean(), Foreign())
    )
    for found, expected in zip(foreign.log_class_weight(asked), own.log_class_weight(asked), strict=True):
        np.testing.assert_allclose(np.exp(found), np.exp(expected), rtol=0, atol=1e-12)


# --- kernels


@pytest.mark.parametrize(
    ("kernel", "weights"),
    [
        ("linear", (1.0001, 0.5001, 0.0001)),
        ("epanechnikov", (0.75 * 1.0001, 0.75 * 0.7501, 0.75 * 0.0001)),
        ("tricube", (1.0001**3, 0.8751**3, 0.0001**3)),
        ("inverse", (1, 1 / 1.5, 1 / 2)),
        ("gauss", (1, np.exp(-0.25), np.exp(-1))),
        ("constant", (1, 1, 1)),
    ],
)
def test_kernel_weights_are_scaled_by_the_kth_distance_and_sum_to_the_neighbours(kernel, weights):
    training = table(LINE, "2 b; 0 a; 1 a; 4 b")
    (found,) = around(LinearKernel(k=3, kernel=kernel), training, table(LINE, "0 ?"))
    expected = np.array(weights) * 3 / sum(weights)
    np.testing.assert_allclose([found[1], found[2], found[0]], expected, rtol=1e-9)
    assert set(found) == {0, 1, 2}


def test_a_floor_of_1e_4_is_the_1_0001_of_weka():
    assert 1.0 + 1e-4 == 1.0001


def test_neighbours_at_distance_0_are_equally_loud():
    training = table(LINE, "5 b; 5 a; 5 a; 9 b")
    (found,) = around(LinearKernel(k=3), training, table(LINE, "5 ?"))
    np.testing.assert_allclose([found[row] for row in (0, 1, 2)], [1, 1, 1], rtol=1e-12)


def test_row_weights_stay_in_sum_what_they_were():
    training = table(LINE, "0 a {2}; 1 b {3}; 2 a {5}; 9 b {7}".replace(" {", ",{"))
    (found,) = around(LinearKernel(k=3), training, table(LINE, "0 ?"))
    assert 2 * found[0] + 3 * found[1] + 5 * found[2] == pytest.approx(10, rel=1e-12)


@pytest.mark.parametrize("density", ["gaussian", "weka-gaussian"])
def test_constant_kernel_over_all_rows_is_naive_bayes(density):
    generator = np.random.default_rng(2)
    data = numbers(80, 3, seed=1)
    colour = Attribute.nominal("colour", ["r", "g", "b", "never"])
    codes = np.where(generator.random(80) < 0.1, colour.unknown, generator.integers(0, 3, 80))
    data = Dataset.from_columns([colour, *data.attributes], [codes, *data.columns])
    text = f"recipe: r\ndensity: {density}\n"
    local = text + "neighbourhood: {linear-kernel: {k: 80, kernel: constant}}"
    np.testing.assert_allclose(posteriors(local, data, data), posteriors(text, data, data), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "part", ["everything", "nearest: {k: 1000}", "radius: {radius: 100}", "kappa-kernel: {kappa: 0}"]
)
def test_every_way_to_say_all_rows_is_naive_bayes(part):
    data = numbers(60, 2, seed=9)
    text = f"recipe: r\ndiscretizer: {{equal-width: {{bins: 4}}}}\nneighbourhood: {{{part}}}"
    if part == "everything":
        text = text.replace("{everything}", "everything")
    plain = "recipe: r\ndiscretizer: {equal-width: {bins: 4}}"
    np.testing.assert_allclose(posteriors(text, data, data), posteriors(plain, data, data), rtol=0, atol=1e-12)


# --- radius


def test_the_radius_includes_its_end():
    training = table(LINE, "0 a; 1 a; 3 b; 10 b")
    found = around(Radius(radius=0.1), training, table(LINE, "0 ?; 2 ?; 6 ?"))
    assert found == [{0: 1, 1: 1}, {1: 1, 2: 1}, {}]


# --- nearest per class


def test_each_class_sends_its_kth_row_with_a_share_that_falls_with_its_distance():
    training = table(LINE, "1 a; 2 a; 4 b; 3 b; 10 a; 0 b")
    found, asked = fitted(NearestPerClass(k=2), training, table(LINE, "0 ?"))
    near = found.around(asked)
    assert sorted(near.row.tolist()) == [1, 3]
    np.testing.assert_allclose(np.exp(found.log_class_weight(asked)), [[3 / 5, 2 / 5]], rtol=1e-12)
    found, asked = fitted(NearestPerClass(k=2, power=2), training, table(LINE, "0 ?"))
    np.testing.assert_allclose(np.exp(found.log_class_weight(asked)), [[9 / 13, 4 / 13]], rtol=1e-12)


def test_the_ensemble_averages_the_shares_of_1_to_k():
    training = table(LINE, "1 a; 2 a; 4 b; 3 b; 10 a")
    found, asked = fitted(NearestPerClass(k=3, ensemble=True), training, table(LINE, "0 ?"))
    # class b has two rows, and its second stands for the third
    expected = np.mean([[3 / 4, 1 / 4], [4 / 6, 2 / 6], [4 / 14, 10 / 14]], axis=0)
    np.testing.assert_allclose(np.exp(found.log_class_weight(asked)), [expected], rtol=1e-12)


def test_classes_whose_kth_row_equals_the_query_share_the_vote():
    training = table("x numeric; class {a,b,c}", "0 a; 0 b; 4 c; 8 c")
    found, asked = fitted(NearestPerClass(k=1), training, table("x numeric; class {a,b,c}", "0 ?"))
    np.testing.assert_allclose(np.exp(found.log_class_weight(asked)), [[0.5, 0.5, 0]], rtol=1e-12)


def test_a_row_weight_does_not_change_the_vote_of_its_class():
    light, heavy = table(LINE, "1 a; 3 b; 10 a"), table(LINE, "1 a,{5}; 3 b,{2}; 10 a,{3}")
    query = table(LINE, "0 ?")
    np.testing.assert_allclose(posteriors("kcnn", heavy, query), posteriors("kcnn", light, query), rtol=1e-12)


# --- all of them


@pytest.mark.parametrize(
    "part",
    [
        KappaKernel(kappa=7, distance=HeterogeneousEuclidean()),
        KappaKernel(kappa=7, class_prior="uniform"),
        InversePower(kappa=3),
        InversePower(kappa=3, class_prior="uniform"),
    ],
    ids=repr,
)
@settings(max_examples=20, deadline=None)
@given(data=datasets(weights=("none", "whole", "fractional")))
def test_class_weights_are_the_sums_over_the_listed_rows(part, data):
    found, asked = fitted(part, data, data)
    listed = FittedNeighbourhood.log_class_weight(found, asked)
    np.testing.assert_allclose(np.exp(found.log_class_weight(asked)), np.exp(listed), rtol=1e-9, atol=1e-12)
