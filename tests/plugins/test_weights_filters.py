"""Gain ratio, information gain and correlation-based selection against hand calculation and other definitions."""

import itertools
import math

import numpy as np
import pytest
from support.builders import table
from support.evidence import evidence_of, grouped

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.errors import EvaluationError
from nbframework_basics.none import NoDiscretizer
from nbframework_weighting.correlation_based import CorrelationBased, best_subset, correlations, merit
from nbframework_weighting.gain_ratio import GainRatio
from nbframework_weighting.information_gain import InformationGain

WEATHER = """sunny hot high false no; sunny hot high true no; overcast hot high false yes; rainy mild high false yes
rainy cool normal false yes; rainy cool normal true no; overcast cool normal true yes; sunny mild high false no
sunny cool normal false yes; rainy mild normal false yes; sunny mild normal true yes; overcast mild high true yes
overcast hot normal false yes; rainy mild high true no"""
HEADER = (
    "outlook {sunny,overcast,rainy}; temperature {hot,mild,cool}; humidity {high,normal}; windy {true,false}; "
    "play {yes,no}"
)
GAIN = [0.247, 0.029, 0.152, 0.048]
"""Quinlan (1986), and Witten & Frank's table of the weather data: outlook, temperature, humidity, windy."""
GAIN_RATIO = [0.156, 0.019, 0.152, 0.049]
GENERATOR = np.random.default_rng(0)


def weather():
    return table(HEADER, WEATHER)


def weights_of(learner, dataset, **parts):
    return learner.learn(evidence_of(dataset, **parts), GENERATOR)[..., 0, :]


def kullback_leibler_weights(dataset):
    """Lee, Gutierrez & Dou (2011), written down from their sums: no entropy of the class is taken anywhere."""
    classes = dataset.classes
    found = []
    for column in dataset.input_columns:
        divergence = split = 0.0
        for value in np.unique(column):
            inside = classes[column == value]
            share = len(inside) / len(classes)
            for c in np.unique(inside):
                p, q = np.mean(inside == c), np.mean(classes == c)
                divergence += share * p * math.log(p / q)
            split -= share * math.log(share)
        found.append(divergence / split)
    return np.array(found) / np.mean(found)


def test_gain_ratio_of_the_weather_data():
    weights = weights_of(GainRatio(), weather())
    assert weights.mean() == pytest.approx(1, abs=1e-12)
    assert weights * np.mean(GAIN_RATIO) == pytest.approx(GAIN_RATIO, abs=0.002)


@pytest.mark.parametrize("name", ["weather", "tic-tac-toe", "monks-1"])
def test_kullback_leibler_weights_are_gain_ratio_weights(name):
    data = weather() if name == "weather" else read_arff(bundled_path(name))
    assert weights_of(GainRatio(), data) == pytest.approx(kullback_leibler_weights(data), abs=1e-10)


def test_kl_and_gain_ratio_recipes_compute_the_same():
    assert Recipe.load("kl-nb").identity() == Recipe.load("gain-ratio-nb").identity()


def test_gain_ratio_without_any_information_is_one():
    data = table("x {p,q}; y {s}; class {a,b}", "p s a; q s a; p s b; q s b")
    assert weights_of(GainRatio(), data).tolist() == [1.0, 1.0]


def test_unknown_values_leave_their_share_of_the_gain():
    """Of the four rows that know x it is the class: gain 1 bit, split 1 bit; half of the rows know it."""
    data = table("x {p,q}; y {s,t}; class {a,b}", "p s a; p s a; q t b; q t b; ? s a; ? t b; ? s a; ? t b")
    assert weights_of(GainRatio(), data) == pytest.approx([2 / 3, 4 / 3])


def test_gain_ratio_of_groups_is_that_of_each_group():
    evidence = evidence_of(weather())
    rows = [np.arange(9), np.arange(4, 14)]
    together = GainRatio().learn(grouped(evidence, rows), GENERATOR)
    assert together.shape == (2, 1, 4)
    for weights, chosen in zip(together, rows, strict=True):
        assert weights[0] == pytest.approx(weights_of(GainRatio(), weather().take(chosen)), abs=1e-12)


def test_a_numeric_attribute_is_refused_by_name():
    data = table("x numeric; class {a,b}", "1 a; 2 b")
    with pytest.raises(EvaluationError, match="attribute 'x' is numeric, and weights 'gain-ratio' need nominal"):
        weights_of(GainRatio(), data, discretizer=NoDiscretizer())


@pytest.mark.parametrize(
    ("parameters", "kept"),
    [
        ({"threshold": 0.1}, [1, 0, 1, 0]),
        ({"threshold": 0.04}, [1, 0, 1, 1]),
        ({"keep": 0.5}, [1, 0, 1, 0]),
        ({"keep": 0.25}, [1, 0, 0, 0]),
        ({"keep": 0.26}, [1, 0, 1, 0]),
        ({}, [1, 1, 1, 1]),
    ],
)
def test_information_gain_keeps_what_exceeds_the_threshold_and_the_best_share(parameters, kept):
    assert weights_of(InformationGain(**parameters), weather()).tolist() == kept


def test_information_gain_keeps_attributes_tied_with_the_last():
    data = table("x {p,q}; copy {p,q}; z {s,t}; class {a,b}", "p p s a; p p t a; q q s b; q q t b")
    assert weights_of(InformationGain(keep=0.3), data).tolist() == [1, 1, 0]


def test_symmetrical_uncertainty_by_hand():
    """x is the class but for one row of four: H(x) = 0.8113, H(class) = 1, H(x, class) = 1.5."""
    data = table("x {p,q}; y {p,q}; class {a,b}", "p p a; p p a; p q b; q q b")
    with_class, among = correlations(evidence_of(data).training, np.array([0, 1]))
    expected = 2 * (0.8112781 + 1 - 1.5) / 1.8112781
    assert with_class == pytest.approx([expected, 1.0], abs=1e-6)
    assert among == pytest.approx(np.array([[1, expected], [expected, 1]]), abs=1e-6)


def test_merit_is_halls_formula():
    """k mean r_ca / sqrt(k + k (k - 1) mean r_aa) for k = 3: 0.9 / sqrt(3 + 6 x 0.2)."""
    with_class = np.array([0.2, 0.3, 0.4])
    among = np.array([[1, 0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]])
    assert merit(with_class, among, (0, 1, 2)) == pytest.approx(0.9 / math.sqrt(4.2), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_best_first_with_patience_finds_the_best_subset(seed):
    random = np.random.default_rng(seed)
    with_class, among = random.random(7), random.random((7, 7))
    among = (among + among.T) / 2
    subsets = [s for k in range(1, 8) for s in itertools.combinations(range(7), k)]
    highest = max(merit(with_class, among, subset) for subset in subsets)
    found = best_subset(with_class, among, patience=200)
    assert merit(with_class, among, found) == pytest.approx(highest, abs=1e-9)


def test_a_redundant_copy_is_left_out():
    data = table(
        "x {p,q}; copy {p,q}; z {s,t}; class {a,b}",
        "p p s a; p p s a; p p t a; q q s a; q q t b; q q t b; q q s b; p p t b",
    )
    for search in ("best-first", "forward"):
        assert weights_of(CorrelationBased(search=search), data).tolist() == [1, 0, 1]


def test_no_correlation_keeps_no_attribute():
    data = table("x {p,q}; class {a,b}", "p a; q a; p b; q b")
    assert weights_of(CorrelationBased(), data).tolist() == [0]
