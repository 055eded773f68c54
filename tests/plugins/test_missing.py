"""Every missing policy through whole classifiers on tiny data, the posteriors by hand."""

import math

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, table

from nbframework import EvaluationError
from nbframework.plugins import installed

# class a: red 2, blue 1, unknown 1 (n = 4); class b: red 1, blue 2 (n = 3); green is declared and never occurs
HEADER = "colour {red,blue,green}; class {a,b}"
TRAINING = table(HEADER, "red a; red a; blue a; ? a; red b; blue b; blue b")
RED, GREEN, UNKNOWN = (table(HEADER, f"{value} ?") for value in ("red", "green", "?"))
STRANGE = table("colour {red,blue,green,pink}; class {a,b}", "pink ?")
PRIOR = "4/7 3/7"


def recipe(missing: str, estimator: str = "{laplace: {f: 1}}") -> str:
    return f"recipe: t\nmissing: {missing}\nestimator: {estimator}\nprior: frequency"


# --- ignore


@pytest.mark.parametrize(
    ("parameters", "query", "expected"),
    [
        # a: (N + 1) / (3 + 3), b: (N + 1) / (3 + 3)
        ("denominator: exclude, cardinality: declared", RED, "4*3/6 3*2/6"),
        ("denominator: exclude, cardinality: declared", GREEN, "4*1/6 3*1/6"),
        # the unknown row of a counts in its n: 4 + 3
        ("denominator: include, cardinality: declared", RED, "4*3/7 3*2/6"),
        # green does not occur: k = 2
        ("denominator: exclude, cardinality: observed", RED, "4*3/5 3*2/5"),
        ("denominator: include, cardinality: observed", RED, "4*3/6 3*2/5"),
        ("denominator: include, cardinality: observed", GREEN, "4*1/6 3*1/5"),
        # red, blue, green and unknown: k = 4
        ("denominator: exclude, cardinality: with-unknown", RED, "4*3/7 3*2/7"),
        ("denominator: include, cardinality: with-unknown", RED, "4*3/8 3*2/7"),
        ("denominator: include, cardinality: with-unknown", GREEN, "4*1/8 3*1/7"),
    ],
)
def test_ignore_denominators_and_cardinalities(parameters, query, expected):
    found = posteriors(recipe(f"{{ignore: {{{parameters}}}}}"), TRAINING, query)
    np.testing.assert_allclose(found, products(expected), atol=1e-14)


def products(text: str) -> np.ndarray:
    """Return normalised products such as ``4*3/7``."""
    values = []
    for word in text.split():
        factors = word.split("*")
        values.append(math.prod(odds_of(factor) for factor in factors))
    return np.array([values]) / sum(values)


def odds_of(text: str) -> float:
    numerator, _, denominator = text.partition("/")
    return float(numerator) / float(denominator or 1)


def test_with_unknown_adds_no_value_where_nothing_is_unknown():
    known = table(HEADER, "red a; red a; blue a; red b; blue b; blue b")
    declared = posteriors(recipe("{ignore: {cardinality: declared}}"), known, RED)
    np.testing.assert_array_equal(posteriors(recipe("{ignore: {cardinality: with-unknown}}"), known, RED), declared)


def test_ignore_leaves_the_factor_of_an_unknown_query_value_out():
    np.testing.assert_allclose(posteriors(recipe("ignore"), TRAINING, UNKNOWN), odds(PRIOR), atol=1e-14)


def test_frequencies_with_both_denominators():
    # exclude: 2/3 and 1/3; include: 2/4 and 1/3
    exclude = posteriors(recipe("ignore", "frequency"), TRAINING, RED)
    include = posteriors(recipe("{ignore: {denominator: include}}", "frequency"), TRAINING, RED)
    np.testing.assert_allclose(exclude, products("4*2/3 3*1/3"), atol=1e-14)
    np.testing.assert_allclose(include, products("4*2/4 3*1/3"), atol=1e-14)


def test_an_unseen_value_is_smoothed_like_a_zero():
    found = posteriors(recipe("{ignore: {denominator: include, unseen: smooth}}"), TRAINING, STRANGE)
    np.testing.assert_allclose(found, products("4*1/7 3*1/6"), atol=1e-14)


def test_an_unseen_value_can_be_skipped():
    found = posteriors(recipe("{ignore: {denominator: include, unseen: skip}}"), TRAINING, STRANGE)
    np.testing.assert_allclose(found, odds(PRIOR), atol=1e-14)


def test_skipping_unseen_values_leaves_declared_ones_alone():
    skip, smooth = (posteriors(recipe(f"{{ignore: {{unseen: {u}}}}}"), TRAINING, GREEN) for u in ("skip", "smooth"))
    np.testing.assert_array_equal(skip, smooth)


def test_rows_with_all_inputs_unknown_still_count_in_the_prior():
    training = table("colour {red,blue}; class {a,b}", "? a; ? a; red b")
    found = posteriors(recipe("ignore"), training, table("colour {red,blue}; class {a,b}", "? ?; red ?"))
    # red: a (0 + 1) / (0 + 2), b (1 + 1) / (1 + 2)
    np.testing.assert_allclose(found, np.vstack([odds("2/3 1/3"), products("2*1/2 1*2/3")]), atol=1e-14)


# --- as value


def test_as_value_counts_unknown_as_one_more_value():
    # k = 4; unknown: a (1 + 1) / (4 + 4), b (0 + 1) / (3 + 4); red: 3/8, 2/7
    found = posteriors(recipe("as-value"), TRAINING, UNKNOWN)
    np.testing.assert_allclose(found, products("4*2/8 3*1/7"), atol=1e-14)
    found = posteriors(recipe("as-value"), TRAINING, RED)
    np.testing.assert_allclose(found, products("4*3/8 3*2/7"), atol=1e-14)


KNOWN = table(HEADER, "red a; red a; blue a; red b; blue b; blue b")


def test_as_value_where_nothing_was_unknown_takes_unknown_as_a_count_of_zero():
    # k stays 3: unknown (0 + 1) / (3 + 3) in both classes; red 3/6, 2/6
    np.testing.assert_allclose(posteriors(recipe("as-value"), KNOWN, UNKNOWN), odds("1/2 1/2"), atol=1e-14)
    np.testing.assert_allclose(posteriors(recipe("as-value"), KNOWN, RED), odds("3/6 2/6"), atol=1e-14)
    # a: 3 rows, b: 1 row, so the zero speaks for b: 3 * 1/(3+3), 1 * 1/(1+3)
    uneven = table(HEADER, "red a; red a; blue a; blue b")
    np.testing.assert_allclose(posteriors(recipe("as-value"), uneven, UNKNOWN), products("3*1/6 1*1/4"), atol=1e-14)


def test_as_value_of_every_attribute_adds_a_value_even_where_nothing_was_unknown():
    everywhere = recipe("{as-value: {where: every-attribute}}")
    np.testing.assert_allclose(posteriors(everywhere, KNOWN, RED), odds("3/7 2/7"), atol=1e-14)
    uneven = table(HEADER, "red a; red a; blue a; blue b")
    np.testing.assert_allclose(posteriors(everywhere, uneven, UNKNOWN), products("3*1/7 1*1/5"), atol=1e-14)


def test_as_value_stands_beside_the_intervals_of_a_number():
    # equal width, two intervals cut at 2: a low low high unknown, b high high
    training = table("x numeric; class {a,b}", "0 a; 1 a; 4 a; ? a; 3 b; 4 b")
    queries = table("x numeric; class {a,b}", "0 ?; ? ?")
    text = recipe("as-value") + "\ndiscretizer: {equal-width: {bins: 2}}"
    found = posteriors(text, training, queries)
    # k = 3: low a 3/7, b 1/5; unknown a 2/7, b 1/5
    np.testing.assert_allclose(found, np.vstack([products("4*3/7 2*1/5"), products("4*2/7 2*1/5")]), atol=1e-14)


def test_as_value_leaves_unknown_numbers_out_that_stay_numeric():
    training = table("x numeric; class {a,b}", "0 a; 1 a; ? a; 3 b; 4 b")
    found = posteriors(recipe("as-value"), training, table("x numeric; class {a,b}", "? ?"))
    np.testing.assert_allclose(found, odds("3/5 2/5"), atol=1e-14)


# --- auto

# ten rows: a 6, b 4; unknown in five rows of a, in none of b.
# P(C|?) = (5 + 1, 0 + 1) / 7, P(C) = (6 + 1, 4 + 1) / 12
DIVERGENCE = 6 / 7 * math.log2((6 / 7) / (7 / 12)) + 1 / 7 * math.log2((1 / 7) / (5 / 12))
TELLING = table("x {u,v}; class {a,b}", "? a; ? a; ? a; ? a; ? a; u a; u b; u b; v b; v b")
ASK = table("x {u,v}; class {a,b}", "? ?; u ?")


def test_the_divergence_by_hand():
    assert pytest.approx(0.2553, abs=5e-5) == DIVERGENCE


def test_auto_makes_unknown_a_value_where_it_tells_the_class():
    # k = 3: unknown a 6/9, b 1/7; u a 2/9, b 3/7
    found = posteriors(recipe("auto"), TELLING, ASK)
    np.testing.assert_allclose(found, np.vstack([products("6*6/9 4*1/7"), products("6*2/9 4*3/7")]), atol=1e-14)


@pytest.mark.parametrize(
    ("parameters", "is_value"),
    [
        (f"threshold: {DIVERGENCE - 1e-9:.12f}", True),
        (f"threshold: {DIVERGENCE + 1e-9:.12f}", False),
        ("support: 5", True),
        ("support: 5.5", False),
    ],
)
def test_auto_decides_by_threshold_and_support(parameters, is_value):
    found = posteriors(recipe(f"{{auto: {{{parameters}}}}}"), TELLING, ASK)
    # ignored: the factor of unknown is left out; u a (1 + 1) / (1 + 2), b (2 + 1) / (4 + 2)
    ignored = np.vstack([odds("6/10 4/10"), products("6*2/3 4*3/6")])
    value = np.vstack([products("6*6/9 4*1/7"), products("6*2/9 4*3/7")])
    np.testing.assert_allclose(found, value if is_value else ignored, atol=1e-14)


def test_auto_weighs_rows_in_its_support():
    training = table("x {u,v}; class {a,b}", "? a {5}; u a; u b {2}; v b {2}")
    assert len(training) == 4
    found = posteriors(recipe("auto"), training, ASK)
    np.testing.assert_allclose(found, posteriors(recipe("auto"), TELLING, ASK), atol=1e-14)


def test_auto_decides_attribute_by_attribute():
    # x as above; y is unknown in one row of each class, which supports nothing: y ignores
    training = table(
        "x {u,v}; y {s,t}; class {a,b}",
        "? ? a; ? s a; ? s a; ? s a; ? t a; u s a; u ? b; u t b; v t b; v t b",
    )
    queries = table("x {u,v}; y {s,t}; class {a,b}", "? ? ?")
    np.testing.assert_allclose(posteriors(recipe("auto"), training, queries), products("6*6/9 4*1/7"), atol=1e-14)


def test_auto_keeps_the_denominators_of_ignore():
    few = table("x {u,v}; class {a,b}", "? a; u a; u b; v b")
    query = table("x {u,v}; class {a,b}", "u ?")
    auto = posteriors(recipe("{auto: {denominator: include, cardinality: with-unknown}}"), few, query)
    # a (1 + 1) / (2 + 3), b (1 + 1) / (2 + 3)
    np.testing.assert_allclose(auto, odds("1/2 1/2"), atol=1e-14)
    ignore = posteriors(recipe("{ignore: {denominator: include, cardinality: with-unknown}}"), few, query)
    np.testing.assert_array_equal(auto, ignore)


# --- drop-rows


def test_drop_rows_learns_from_complete_rows_only():
    training = table("x {u,v}; y {s,t}; class {a,b}", "u s a; v s a; u ? a; ? t b; u t b; v t b; v ? b")
    queries = table("x {u,v}; y {s,t}; class {a,b}", "u s ?; ? t ?; ? ? ?")
    # complete: a u s, v s; b u t, v t
    found = posteriors(recipe("drop-rows"), training, queries)
    expected = [products("2/4*3/4 2/4*1/4"), products("1/4 3/4"), odds("1/2 1/2")]
    np.testing.assert_allclose(found, np.vstack(expected), atol=1e-14)


def test_drop_rows_of_everything_is_an_error():
    training = table("x {u,v}; class {a,b}", "? a; ? b")
    with pytest.raises(EvaluationError, match="'drop-rows' leaves no training row of 2"):
        fitted(recipe("drop-rows"), training)


def test_dropped_rows_leave_the_class_prior():
    training = table("x {u,v}; class {a,b}", "u a; ? a; ? a; u b")
    found = posteriors(recipe("drop-rows"), training, table("x {u,v}; class {a,b}", "u ?"))
    np.testing.assert_allclose(found, odds("1/2 1/2"), atol=1e-14)


# --- impute


def test_impute_takes_the_most_frequent_value():
    # s 3, t 2: the unknown row of b becomes s: b s 2, t 2
    training = table("y {s,t}; class {a,b}", "s a; s a; s b; t b; t b; ? b")
    found = posteriors(recipe("impute"), training, table("y {s,t}; class {a,b}", "s ?; ? ?"))
    np.testing.assert_allclose(found, np.repeat(products("2*3/4 4*3/6"), 2, axis=0), atol=1e-14)


def test_impute_takes_the_first_declared_of_equally_frequent_values():
    training = table("y {t,s}; class {a,b}", "s a; t b; ? b")
    # the unknown row becomes t: a s 1; b t 2
    found = posteriors(recipe("impute"), training, table("y {t,s}; class {a,b}", "t ?"))
    np.testing.assert_allclose(found, products("1*1/3 2*3/4"), atol=1e-14)


def test_impute_takes_the_weighted_mean_of_the_training_rows():
    training = table("x numeric; class {a,b}", "1 a {3}; 5 b; ? b; 9 a {0}")
    policy = installed().find("missing", "impute").part().fit(training.take([0, 1, 2]))
    # (3 * 1 + 1 * 5) / 4 = 2
    assert policy.prepare(training).columns[0].tolist() == [1, 5, 2, 9]
    assert policy.prepare_training(training).columns[0].tolist() == [1, 5, 2, 9]


def test_imputed_numbers_take_part_in_the_search_for_cut_points():
    # mean of 0, 10 and 11 is 7; equal width over 0..11 does not move, equal frequency does
    training = table("x numeric; class {a,b}", "0 a; 10 b; 11 b; ? a")
    text = recipe("impute") + "\ndiscretizer: {equal-frequency: {bins: 2}}"
    # 0 7 | 10 11, cut 8.5; a: low 2; b: high 2
    found = posteriors(text, training, table("x numeric; class {a,b}", "8 ?; ? ?"))
    np.testing.assert_allclose(found, np.repeat(odds("3/4 1/4"), 2, axis=0), atol=1e-14)


def test_impute_of_an_attribute_without_any_known_value():
    training = table("y {s,t}; x numeric; class {a,b}", "? ? a; ? ? b")
    policy = installed().find("missing", "impute").part().fit(training)
    prepared = policy.prepare(training)
    assert prepared.columns[0].tolist() == [0, 0]
    assert prepared.columns[1].tolist() == [0, 0]


# --- nothing is learned from queries


@pytest.mark.parametrize("policy", ["ignore", "as-value", "auto", "drop-rows", "impute"])
def test_one_query_by_itself_gets_what_it_gets_among_others(policy):
    queries = table(HEADER, "red ?; ? ?; green ?; ? a; blue b")
    model = fitted(recipe(policy), TRAINING)
    together = model.predict_proba(queries)
    for row in range(len(queries)):
        np.testing.assert_array_equal(model.predict_proba(queries.take([row]))[0], together[row])
