"""Weights of the highest conditional likelihood against SciPy, the optimality conditions and known identities."""

import numpy as np
import pytest
from support.builders import table
from support.evidence import (
    EveryRowLocally,
    evidence_of,
    grouped,
    log_likelihood,
    nearest_groups,
    tight_optimum,
)

from nbframework import Recipe, read_arff
from nbframework.errors import RecipeError
from nbframework.kernels.definitions import ascent
from nbframework_basics.entropy_mdl import EntropyMDL
from nbframework_basics.laplace import Frequency
from nbframework_basics.m_estimate import MEstimate
from nbframework_basics.uniform import Uniform
from nbframework_weighting.conditional_likelihood import ConditionalLikelihood

SETS = ("segment", "anneal", "vowel", "letter")
LEARNER = ConditionalLikelihood()
MISLED = "p p s a; p p s a; p p t a; q q s a; q q t b; q q t b; p p t b; q q s b"
GENERATOR = np.random.default_rng(0)


def rows_of(shared, name, most=2000):
    dataset = read_arff(shared / "datasets" / f"{name}.arff")
    chosen = np.random.default_rng(5).permutation(len(dataset))[:most]
    return dataset.take(np.sort(chosen))


def learned(evidence, learner=LEARNER):
    return learner.learn(evidence, GENERATOR)[..., 0, :]


def assert_optimal(evidence, weights):
    """The likelihood is within 1e-7 of SciPy's, and no weight could rise or fall to a gain."""
    value, slope = log_likelihood(evidence, weights)
    assert value >= tight_optimum(lambda w: log_likelihood(evidence, w), np.ones_like(weights))[1] - 1e-7
    assert ((weights >= 0) & (weights <= 1)).all()
    slope = slope - LEARNER.pull * (weights - 1)
    assert slope[weights < 1].max(initial=0) <= 1e-6
    assert slope[weights > 0].min(initial=0) >= -1e-6


@pytest.mark.parametrize("name", SETS)
def test_global_optimum(shared, name):
    evidence = evidence_of(rows_of(shared, name))
    assert_optimal(evidence, learned(evidence))


@pytest.mark.parametrize("name", SETS)
def test_local_optima(shared, name):
    evidence = nearest_groups(evidence_of(rows_of(shared, name)), list(range(0, 800, 32)), 50)
    weights = learned(evidence)
    mixed = [g for g in range(len(weights)) if len(set(evidence.of_group(g).training.classes)) > 1]
    assert len(mixed) >= 8
    for g in mixed:
        assert_optimal(evidence.of_group(g), weights[g])


@pytest.mark.parametrize("name", ["vowel", "anneal"])
def test_the_weights_do_not_depend_on_where_the_ascent_begins(shared, name):
    evidence = nearest_groups(evidence_of(rows_of(shared, name)), list(range(0, 800, 80)), 50)
    mixed = [g for g in range(10) if len(set(evidence.of_group(g).training.classes)) > 1]
    found = [learned(evidence, ConditionalLikelihood(first=first))[mixed] for first in (1.0, 0.5, 0.0)]
    assert np.abs(found[0] - found[1]).max() < 1e-4
    assert np.abs(found[0] - found[2]).max() < 1e-4


def test_groups_are_solved_as_if_alone(shared, monkeypatch):
    evidence = nearest_groups(evidence_of(rows_of(shared, "letter")), list(range(0, 400, 40)), 20)
    together = learned(evidence)
    alone = np.array([learned(evidence.of_group(g)) for g in range(len(together))])
    assert np.abs(together - alone).max() < 1e-5
    monkeypatch.setattr(ascent, "BLOCK_CELLS", 1)
    assert np.abs(together - learned(evidence)).max() < 1e-5


def test_a_neighbourhood_of_one_class_keeps_the_weight_one():
    evidence = evidence_of(table("x {p,q}; copy {p,q}; y {s,t}; class {a,b}", MISLED))
    weights = learned(grouped(evidence, [np.arange(4), np.arange(8)]))
    assert weights[0].tolist() == [1.0, 1.0, 1.0]
    assert weights[1][0] < 1


def test_an_attribute_that_tells_no_classes_apart_keeps_the_weight_one():
    data = table("x {p,q}; same {s}; class {a,b}", "p s a; p s a; q s b; p s b")
    assert learned(evidence_of(data))[1] == 1.0


def test_a_misleading_copy_is_weighted_down():
    """x and its copy are counted twice; one of them would do, and of the best weights the pull takes equal ones."""
    weights = learned(evidence_of(table("x {p,q}; copy {p,q}; y {s,t}; class {a,b}", MISLED)))
    once = MISLED.replace("p p", "p").replace("q q", "q")
    single = learned(evidence_of(table("x {p,q}; y {s,t}; class {a,b}", once)))
    assert weights[0] == pytest.approx(weights[1], abs=1e-9)
    assert weights[0] < 1
    assert single[0] > weights[0]


def test_lawnb_with_all_rows_is_wanbia(shared):
    data = rows_of(shared, "vowel", 150)
    parts = {"discretizer": EntropyMDL(), "estimator": MEstimate(), "weights": LEARNER}
    wanbia = Recipe(**parts).build().fit(data).predict_proba(data)
    lawnb = Recipe(**parts, neighbourhood=EveryRowLocally()).build().fit(data).predict_proba(data)
    assert np.abs(wanbia - lawnb).max() < 1e-6


def test_weights_held_at_one_leave_naive_bayes_unchanged(shared):
    data = rows_of(shared, "vowel", 200)
    parts = {"discretizer": EntropyMDL(), "estimator": MEstimate()}
    fixed = Recipe(**parts, weights=ConditionalLikelihood(lower=1.0)).build().fit(data).predict_proba(data)
    plain = Recipe(**parts, weights=Uniform()).build().fit(data).predict_proba(data)
    assert np.abs(fixed - plain).max() < 1e-12


def test_weight_two_is_the_row_twice(shared):
    data = rows_of(shared, "vowel", 120)
    twice = data.take(np.repeat(np.arange(120), np.arange(120) % 2 + 1))
    weighted = type(data).from_columns(data.attributes, data.columns, weights=np.arange(120) % 2 + 1.0)
    assert np.abs(learned(evidence_of(twice)) - learned(evidence_of(weighted))).max() < 1e-5


def test_permuted_attributes_have_permuted_weights(shared):
    data = rows_of(shared, "anneal", 300)
    order = np.random.default_rng(2).permutation(len(data.attributes) - 1)
    other = type(data).from_columns(
        [*(data.attributes[j] for j in order), data.attributes[-1]],
        [*(data.columns[j] for j in order), data.columns[-1]],
    )
    assert np.abs(learned(evidence_of(data))[order] - learned(evidence_of(other))).max() < 1e-4


def test_exact_zeros_stay_out_of_the_sum():
    """Row 4 can only be b: x = r rules out a. Without it the likelihood is that of the other rows."""
    data = table("x {p,q,r}; class {a,b}", "p a; p a; q a; p b; r b; q b; q b")
    evidence = evidence_of(data, estimator=Frequency())
    weight = learned(evidence)[0]
    others = grouped(evidence, [np.array([0, 1, 2, 3, 5, 6])])
    prior, factors = evidence.log_prior()[others.training.selection], evidence.log_factors()[others.training.selection]
    classes = evidence.training.classes[others.training.selection]

    def value(w):
        scores = prior + w * factors[..., 0]
        return sum(scores[i, c] - np.logaddexp(*scores[i]) for i, c in enumerate(classes))

    grid = np.linspace(0, 1, 1001)
    assert value(weight) >= max(map(value, grid)) - 1e-9


def test_bounds_in_the_wrong_order_are_refused():
    with pytest.raises(RecipeError, match=r"weights\.lower: found 2\.0"):
        ConditionalLikelihood(lower=2.0)
