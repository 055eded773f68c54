"""Greedy selection and differential evolution, and the leave-one-out factors that they may be judged by."""

import numpy as np
import pytest
from support.builders import table
from support.evidence import evidence_of, grouped

from nbframework import Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.parts import weights as contract
from nbframework_basics.ignore import Ignore
from nbframework_basics.laplace import Frequency, Laplace
from nbframework_basics.m_estimate import MEstimate
from nbframework_basics.none import NoDiscretizer
from nbframework_kohavi1997.laplace_m import LaplaceM
from nbframework_weighting.accuracy import RowFactors
from nbframework_weighting.differential_evolution import DifferentialEvolution, _three_others
from nbframework_weighting.selective import Selective

GENERATOR = np.random.default_rng(0)


def monks(rows=90):
    data = read_arff(bundled_path("monks-3"))
    return data.take(np.sort(np.random.default_rng(1).permutation(len(data))[:rows]))


def patchy():
    """Rows with unknown values and fractional weights, one class of a single row."""
    random = np.random.default_rng(6)
    data = table("x {p,q,r}; y {s,t}; class {a,b,c}", "p s a; q t b; ? s a; r ? b; p t a; q s b; p ? a; r t c; ? ? b")
    return Dataset.from_columns(data.attributes, data.columns, weights=random.integers(1, 16, len(data)) / 8)


def numeric():
    random = np.random.default_rng(8)
    data = read_arff(bundled_path("iris"))
    return data.take(np.sort(random.permutation(len(data))[:40]))


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (monks(40), {}),
        (patchy(), {}),
        (patchy(), {"missing": Ignore(denominator="include", cardinality="observed")}),
        (patchy(), {"estimator": LaplaceM()}),
        (patchy(), {"estimator": Frequency()}),
        (numeric(), {"discretizer": NoDiscretizer()}),
    ],
    ids=["nominal", "unknown values", "denominators", "laplace-m", "zeros", "densities"],
)
def test_leave_one_out_factors_are_those_of_a_fit_without_the_row(data, parts, monkeypatch):
    parts = {"discretizer": NoDiscretizer(), "estimator": MEstimate()} | parts
    monkeypatch.setattr(contract, "BLOCK_CELLS", 500)
    prior, factors = evidence_of(data, **parts).leave_one_out()
    for row in range(len(data)):
        others = evidence_of(data.take(np.delete(np.arange(len(data)), row)), **parts)
        asked = evidence_of(data, **parts).training.take(np.array([row]))
        np.testing.assert_allclose(prior[row], others.structure.log_prior(asked)[0], atol=1e-9)
        np.testing.assert_allclose(factors[row], others.structure.log_factors(asked)[0], atol=1e-9)


def test_leave_one_out_in_groups_takes_the_row_out_of_its_own_group():
    evidence = evidence_of(monks(60))
    rows = [np.arange(20), np.arange(15, 60)]
    prior, factors = grouped(evidence, rows).leave_one_out()
    first, second = (grouped(evidence, [chosen]).of_group(0).leave_one_out() for chosen in rows)
    np.testing.assert_allclose(prior, np.concatenate([first[0], second[0]]), atol=1e-12)
    np.testing.assert_allclose(factors, np.concatenate([first[1], second[1]]), atol=1e-12)


def accuracy(data, attributes, leave_one_out):
    """The share of correct rows on some of the attributes, by whole classifiers."""
    columns = [*attributes, len(data.attributes) - 1]
    some = Dataset.from_columns([data.attributes[j] for j in columns], [data.columns[j] for j in columns])
    classifier = Recipe(estimator=Laplace()).build()
    predicted = classifier.leave_one_out(some)[1] if leave_one_out else classifier.fit(some).predict(some)
    return np.mean(predicted == data.classes)


@pytest.mark.parametrize("score", ["training", "leave-one-out"])
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("accept", ["ge", "gt"])
def test_every_step_of_the_search_is_the_best_one(score, direction, accept):
    data, leave_one_out = monks(), score == "leave-one-out"
    learner = Selective(score=score, direction=direction, accept=accept)
    weights = learner.learn(evidence_of(data, estimator=Laplace()), GENERATOR)[0]
    kept = set(np.flatnonzero(weights))
    assert set(weights) <= {0.0, 1.0}
    reached = accuracy(data, sorted(kept), leave_one_out)
    steps = set(range(6)) - kept if direction == "forward" else kept
    further = [accuracy(data, sorted(kept ^ {j}), leave_one_out) for j in steps]
    start = accuracy(data, [] if direction == "forward" else range(6), leave_one_out)
    assert reached >= start
    if accept == "gt":
        assert all(found <= reached + 1e-12 for found in further)
    else:
        assert all(found < reached for found in further)


def test_forward_selection_starts_with_the_best_single_attribute():
    """z alone is right on 5 of 6 rows, x and y on 4; with z no other attribute helps."""
    data = table("x {p,q}; y {p,q}; z {p,q}; class {a,b}", "p q p a; p p p a; q p p a; q q q b; q p q b; p q p b")
    kept = Selective(accept="gt").learn(evidence_of(data), GENERATOR)[0]
    assert kept.tolist() == [0, 0, 1]


def test_selection_of_nothing_leaves_the_prior():
    data = table("x {p,q}; class {a,b}", "p a; q a; p a; q a; p b")
    assert Selective(accept="gt").learn(evidence_of(data), GENERATOR).tolist() == [[0.0]]


def test_permuted_attributes_are_selected_alike():
    data = monks()
    order = [3, 1, 5, 0, 4, 2]
    other = Dataset.from_columns(
        [*(data.attributes[j] for j in order), data.attributes[-1]], [*(data.columns[j] for j in order), data.classes]
    )
    for direction in ("forward", "backward"):
        learner = Selective(direction=direction, score="leave-one-out")
        plain = learner.learn(evidence_of(data), GENERATOR)[0]
        assert plain[order].tolist() == learner.learn(evidence_of(other), GENERATOR)[0].tolist()


def test_ruled_out_classes_are_not_predicted():
    """x = r rules out a; a weight of 0 lets it back in."""
    prior = np.log([[0.75, 0.25]])
    with np.errstate(divide="ignore"):
        factors = np.log(np.array([[[0.0], [0.5]]]))
    rows = RowFactors(prior, factors, np.array([1]), np.ones(1))
    assert rows.correct(np.array([[1.0], [0.2], [0.0]])).tolist() == [1.0, 1.0, 0.0]
    assert rows.scores(np.array([[1.0], [0.0]]))[1].tolist() == pytest.approx([0.0, np.log(0.25)])


def test_differential_evolution_is_no_worse_than_its_first_weightings():
    evidence = evidence_of(monks())
    rows = RowFactors(
        evidence.log_prior(), evidence.log_factors(), evidence.training.classes, evidence.training.weights
    )
    first = np.random.default_rng(3).random((60, 6))
    bred = DifferentialEvolution(largest=60).learn(evidence, np.random.default_rng(3))
    assert bred.shape == (1, 6)
    assert ((bred >= 0) & (bred <= 1)).all()
    assert rows.correct(bred)[0] > rows.correct(first).max()


def test_differential_evolution_repeats_itself_with_its_seed():
    evidence = evidence_of(monks())
    one, again, other = (
        DifferentialEvolution(generations=5).learn(evidence, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert one.tolist() == again.tolist()
    assert one.tolist() != other.tolist()


def test_differential_evolution_without_generations_takes_the_best_random_weighting():
    evidence = evidence_of(monks())
    rows = RowFactors(
        evidence.log_prior(), evidence.log_factors(), evidence.training.classes, evidence.training.weights
    )
    first = np.random.default_rng(3).random((60, 6))
    learner = DifferentialEvolution(generations=0)
    assert learner.learn(evidence, np.random.default_rng(3)).tolist() == [first[rows.correct(first).argmax()].tolist()]


def test_the_three_others_are_distinct():
    others = _three_others(50, np.random.default_rng(0))
    members = np.column_stack([np.arange(50), others])
    assert all(len(set(row)) == 4 for row in members.tolist())


def test_a_neighbourhood_learns_the_same_beside_others():
    evidence = evidence_of(monks())
    together = DifferentialEvolution(generations=3).learn(
        grouped(evidence, [np.arange(30), np.arange(90)]), np.random.default_rng(1)
    )
    alone = DifferentialEvolution(generations=3).learn(evidence, np.random.default_rng(1))
    assert together[1].tolist() == alone.tolist()
