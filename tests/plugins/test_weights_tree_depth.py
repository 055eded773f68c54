"""Depths of attributes in decision trees against the textbook tree and scikit-learn's."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from support.builders import table
from support.evidence import evidence_of, grouped

from nbframework_weighting import tree
from nbframework_weighting.tree import Sample, least_depths
from nbframework_weighting.tree_depth import TreeDepth

WEATHER = """sunny hot high false no; sunny hot high true no; overcast hot high false yes; rainy mild high false yes
rainy cool normal false yes; rainy cool normal true no; overcast cool normal true yes; sunny mild high false no
sunny cool normal false yes; rainy mild normal false yes; sunny mild normal true yes; overcast mild high true yes
overcast hot normal false yes; rainy mild high true no"""
HEADER = (
    "outlook {sunny,overcast,rainy}; temperature {hot,mild,cool}; humidity {high,normal}; windy {true,false}; "
    "play {yes,no}"
)


def learned(learner, evidence, seed=0):
    return learner.learn(evidence, np.random.default_rng(seed))[..., 0, :]


def binary_sample(seed, rows=400, columns=5):
    random = np.random.default_rng(seed)
    codes = random.integers(0, 2, (columns, rows)).astype(np.uint8)
    classes = (codes[0] + codes[1] * codes[2] + (random.random(rows) < 0.2)) % 2
    return Sample(list(codes), (2,) * columns, classes.astype(np.intp), 2, random.integers(1, 4, rows).astype(float))


def depths_in(fitted, columns):
    """Least depth of each attribute in a scikit-learn tree."""
    depths, pending = np.zeros(columns, dtype=int), [(0, 1)]
    while pending:
        node, depth = pending.pop(0)
        attribute = fitted.tree_.feature[node]
        if attribute >= 0:
            depths[attribute] = depths[attribute] or depth
            pending += [(fitted.tree_.children_left[node], depth + 1), (fitted.tree_.children_right[node], depth + 1)]
    return depths


@pytest.mark.parametrize("criterion", ["gain-ratio", "information-gain"])
def test_the_weather_tree(criterion):
    """Quinlan's tree: outlook at the root, humidity under sunny, windy under rainy, temperature nowhere."""
    found = learned(TreeDepth(bagging=False, criterion=criterion), evidence_of(table(HEADER, WEATHER)))
    assert found == pytest.approx([1, 0, 1 / np.sqrt(2), 1 / np.sqrt(2)])


@pytest.mark.parametrize("seed", range(8))
def test_binary_trees_are_those_of_scikit_learn(seed):
    sample = binary_sample(seed)
    rows = np.array(sample.columns).T
    # fractional weights and many rows leave no ties between attributes near the root
    weights = np.random.default_rng(seed + 100).random(len(rows)) + 0.5
    sample = Sample(sample.columns, sample.cardinality, sample.classes, 2, weights)
    theirs = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(rows, sample.classes, weights)
    ours = least_depths(sample, "information-gain", 1e-9)
    assert (ours > 0).all()
    assert np.minimum(ours, 4).tolist() == np.minimum(depths_in(theirs, len(sample.columns)), 4).tolist()


def test_blocks_of_nodes_change_nothing(monkeypatch):
    whole = least_depths(binary_sample(3), "gain-ratio", 1)
    monkeypatch.setattr(tree, "BLOCK_CELLS", 1)
    assert least_depths(binary_sample(3), "gain-ratio", 1).tolist() == whole.tolist()


def test_branches_need_the_minimum():
    """x splits off one row alone; with a minimum of 2 that is no split."""
    data = table("x {p,q}; class {a,b}", "p a; q b; q b; q b")
    assert learned(TreeDepth(bagging=False, minimum=2), evidence_of(data)).tolist() == [0]
    assert learned(TreeDepth(bagging=False, minimum=1), evidence_of(data)).tolist() == [1]


def test_rows_that_do_not_know_an_attribute_go_on_together():
    """x parts what it knows (gain 0.6, above the mean with y's 0.28); the rows that do not know x are parted by y."""
    data = table(
        "x {p,q}; y {s,t}; class {a,b}", "p s a; p t a; q s b; q t b; p s a; q t b; ? s a; ? s a; ? t b; ? t b"
    )
    assert learned(TreeDepth(bagging=False), evidence_of(data)).tolist() == pytest.approx([1, 1 / np.sqrt(2)])


def test_one_seed_gives_one_answer_and_bagging_averages():
    evidence = evidence_of(table(HEADER, WEATHER))
    learner = TreeDepth(trees=20)
    first = learned(learner, evidence, seed=4)
    assert first.tolist() == learned(learner, evidence, seed=4).tolist()
    assert first.tolist() != learned(learner, evidence, seed=5).tolist()
    single = np.array([learned(TreeDepth(trees=1), evidence, seed=seed) for seed in range(30)])
    values = {0.0, 1.0, *(1 / np.sqrt(depth) for depth in (2, 3, 4))}
    assert all(min(abs(weight - value) for value in values) < 1e-12 for weight in single.ravel())


def test_a_group_is_learned_from_as_if_alone():
    evidence = evidence_of(table(HEADER, WEATHER))
    together = learned(TreeDepth(), grouped(evidence, [np.arange(9), np.arange(14)]), seed=1)
    assert together[1].tolist() == learned(TreeDepth(), evidence, seed=1).tolist()
