"""WANBIA-MSE and class-specific weights against SciPy, numeric derivatives and plain conditional likelihood."""

import numpy as np
import pytest
from support.builders import table
from support.evidence import evidence_of, grouped, tight_optimum

from nbframework import read_arff
from nbframework.parts import weights as contract
from nbframework_basics.class_only import ClassOnly
from nbframework_basics.laplace import Frequency
from nbframework_weighting import row_objective
from nbframework_weighting.class_specific import ClassSpecific, LikelihoodOfEachClass
from nbframework_weighting.conditional_likelihood import ConditionalLikelihood
from nbframework_weighting.correlation_based import CorrelationBased
from nbframework_weighting.differential_evolution import DifferentialEvolution
from nbframework_weighting.gain_ratio import GainRatio
from nbframework_weighting.information_gain import InformationGain
from nbframework_weighting.mean_squared_error import MeanSquaredError, SquaredError
from nbframework_weighting.selective import Selective
from nbframework_weighting.tree_depth import TreeDepth

GENERATOR = np.random.default_rng(0)


def rows_of(shared, name, most):
    dataset = read_arff(shared / "datasets" / f"{name}.arff")
    return dataset.take(np.sort(np.random.default_rng(5).permutation(len(dataset))[:most]))


def posterior(evidence, weights):
    """(n, C) posteriors under (1, f) or (C, f) weights."""
    scores = evidence.log_prior() + (evidence.log_factors() * weights).sum(axis=-1)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


def squared_error(evidence, weights):
    truth = np.eye(evidence.training.class_count)[evidence.training.classes]
    return 0.5 * ((posterior(evidence, weights) - truth) ** 2).sum()


def own_log_likelihood(evidence, weights):
    classes = evidence.training.classes
    return np.log(posterior(evidence, weights)[np.arange(len(classes)), classes]).sum()


def numeric_gradient(function, point, step=1e-6):
    return np.array(
        [(function(point + step * unit) - function(point - step * unit)) / (2 * step) for unit in np.eye(len(point))]
    )


@pytest.mark.parametrize("objective", [SquaredError, LikelihoodOfEachClass])
def test_derivatives(objective):
    data = table("x {p,q,r}; y {s,t}; class {a,b,c}", "p s a; q t b; r s c; p t a; q s b; p s c; r t a; r t c")
    function = objective(evidence_of(data), pull=0.5)
    size = 2 if objective is SquaredError else 6
    point = np.random.default_rng(1).random(size)
    gradient, _ = function.derivatives(point[np.newaxis], np.zeros(1, dtype=int))
    values = numeric_gradient(lambda w: function.value(w[np.newaxis], np.zeros(1, dtype=int))[0], point)
    assert gradient[0] == pytest.approx(values, abs=1e-7)
    (block,) = function._blocks()
    hessian = numeric_gradient(lambda w: function.derivatives_of(block, w)[0], point)
    assert function.derivatives_of(block, point)[1] == pytest.approx(-hessian, abs=1e-7)


@pytest.mark.parametrize("name", ["segment", "anneal", "vowel"])
def test_squared_error_is_at_most_that_of_scipy(shared, name):
    evidence = evidence_of(rows_of(shared, name, 200))
    weights = MeanSquaredError().learn(evidence, GENERATOR)
    function = SquaredError(evidence, 1e-8)

    def objective(point):
        which = np.zeros(1, dtype=int)
        return function.value(point[np.newaxis], which)[0], function.derivatives(point[np.newaxis], which)[0][0]

    point, _ = tight_optimum(objective, np.ones(weights.shape[1]))
    assert squared_error(evidence, weights) <= squared_error(evidence, point[np.newaxis]) + 1e-7
    assert squared_error(evidence, weights) < squared_error(evidence, np.ones_like(weights))


@pytest.mark.parametrize(("name", "rows"), [("segment", 60), ("anneal", 40), ("vowel", 100)])
def test_class_specific_likelihood_is_that_of_scipy(shared, name, rows):
    evidence = evidence_of(rows_of(shared, name, rows))
    weights = ClassSpecific().learn(evidence, GENERATOR)
    assert weights.shape == (evidence.training.class_count, len(evidence.labels))
    function = LikelihoodOfEachClass(evidence, 1e-8)

    def objective(point):
        which = np.zeros(1, dtype=int)
        return function.value(point[np.newaxis], which)[0], function.derivatives(point[np.newaxis], which)[0][0]

    point, _ = tight_optimum(objective, np.ones(weights.size))
    assert own_log_likelihood(evidence, weights) >= own_log_likelihood(evidence, point.reshape(weights.shape)) - 1e-6


def test_class_specific_weights_are_at_least_as_likely_as_shared_ones(shared):
    evidence = evidence_of(rows_of(shared, "vowel", 300))
    shared_weights = ConditionalLikelihood().learn(evidence, GENERATOR)
    own = ClassSpecific().learn(evidence, GENERATOR)
    assert own_log_likelihood(evidence, own) > own_log_likelihood(evidence, shared_weights)


@pytest.mark.parametrize("learner", [MeanSquaredError(), ClassSpecific()], ids=["mse", "class-specific"])
def test_groups_and_blocks(shared, learner, monkeypatch):
    evidence = evidence_of(rows_of(shared, "vowel", 200))
    whole = learner.learn(evidence, GENERATOR)
    together = learner.learn(grouped(evidence, [np.arange(40), np.arange(200)]), GENERATOR)
    assert together.shape == (2, *whole.shape)
    assert np.abs(together[1] - whole).max() < 1e-5
    monkeypatch.setattr(row_objective, "KEPT_FACTORS", 0)
    monkeypatch.setattr(contract, "BLOCK_CELLS", 2000)
    assert np.abs(learner.learn(evidence, GENERATOR) - whole).max() < 1e-5


def test_factors_that_do_not_fit_in_memory_give_the_same_weights(shared, monkeypatch):
    evidence = evidence_of(rows_of(shared, "anneal", 300))
    whole = ConditionalLikelihood().learn(evidence, GENERATOR)
    monkeypatch.setattr(row_objective, "KEPT_FACTORS", 0)
    monkeypatch.setattr(contract, "BLOCK_CELLS", 3000)
    assert np.abs(ConditionalLikelihood().learn(evidence, GENERATOR) - whole).max() < 1e-5


@pytest.mark.parametrize("learner", [MeanSquaredError(), ClassSpecific()], ids=["mse", "class-specific"])
def test_rows_of_one_class_keep_the_weight_one(learner):
    data = table("x {p,q}; class {a,b}", "p a; q a; p a")
    assert (learner.learn(evidence_of(data), GENERATOR) == 1).all()


@pytest.mark.parametrize("learner", [MeanSquaredError(), ClassSpecific()], ids=["mse", "class-specific"])
def test_exact_zeros_leave_finite_weights(learner):
    data = table("x {p,q,r}; y {s,t}; class {a,b}", "p s a; p s a; q t a; p s b; r t b; q t b; q s b")
    weights = learner.learn(evidence_of(data, estimator=Frequency()), GENERATOR)
    assert ((weights >= 0) & (weights <= 1)).all()


@pytest.mark.parametrize("learner", [MeanSquaredError(), ClassSpecific()], ids=["mse", "class-specific"])
def test_weight_two_is_the_row_twice(shared, learner):
    data = rows_of(shared, "vowel", 120)
    times = np.arange(120) % 2 + 1
    twice = data.take(np.repeat(np.arange(120), times))
    weighted = type(data).from_columns(data.attributes, data.columns, weights=times.astype(float))
    found = [learner.learn(evidence_of(rows), GENERATOR) for rows in (twice, weighted)]
    assert np.abs(found[0] - found[1]).max() < 1e-5


@pytest.mark.parametrize(
    "learner",
    [
        ClassSpecific(),
        ConditionalLikelihood(),
        CorrelationBased(),
        DifferentialEvolution(),
        GainRatio(),
        InformationGain(),
        MeanSquaredError(),
        Selective(),
        TreeDepth(),
    ],
    ids=lambda learner: learner.name,
)
def test_a_structure_without_factors_has_no_weights(learner):
    data = table("x {p,q}; class {a,b}", "p a; q a; p b")
    found = learner.learn(evidence_of(data, structure=ClassOnly()), GENERATOR)
    assert found.shape[-1] == 0
    assert found.ndim == 2
