"""Weka's folds, row for row."""

import json
from pathlib import Path

import numpy as np
import pytest

from nbframework import EvaluationProtocol, Recipe, evaluate, read_arff
from nbframework.errors import EvaluationError
from nbframework.evaluation.weka_folds import JavaRandom, weka_folds, weka_splits

GOLDEN = json.loads((Path(__file__).parents[1] / "study" / "golden" / "weka_folds.json").read_text())["folds"]


@pytest.mark.parametrize(
    ("seed", "bound", "numbers"),
    [
        (42, 100, [30, 63, 48, 84, 70]),
        # a power of two takes the high bits
        (0, 16, [11, 13, 3, 9, 10]),
        # above 2**30 some numbers are drawn again
        (-7, 1_500_000_000, [577934662, 1445645590, 1119890478, 314447087, 677675436]),
    ],
)
def test_the_random_numbers_of_java(seed, bound, numbers):
    """As printed by ``new Random(seed).nextInt(bound)`` of OpenJDK 17."""
    random = JavaRandom(seed)
    assert [random.next_below(bound) for _ in numbers] == numbers


@pytest.mark.parametrize("key", GOLDEN)
def test_folds_equal_wekas_row_for_row(shared, key):
    name, run = key.split()
    dataset = read_arff(shared / "datasets" / f"{name}.arff")
    found = weka_folds(dataset.classes, len(dataset.class_values), 10, int(run))
    assert "".join(map(str, found)) == GOLDEN[key]


RIGHT = {
    ("iris", 1): 144,
    ("iris", 2): 143,
    ("glass", 1): 104,
    ("glass", 2): 102,
    ("glass", 3): 111,
    ("ionosphere", 1): 290,
    ("ionosphere", 2): 289,
    ("ionosphere", 3): 291,
}
"""Correctly Classified Instances of ``java weka.classifiers.bayes.NaiveBayes -t DATA -x 10 -s RUN``, Weka 3.6.14."""


@pytest.mark.parametrize(("name", "run"), RIGHT)
def test_a_run_of_weka_is_repeated(shared, name, run):
    dataset = read_arff(shared / "datasets" / f"{name}.arff")
    found = evaluate(Recipe.load("weka-gaussian"), dataset, protocol=EvaluationProtocol("weka-folds", seed=run))
    right = sum(int((dataset.classes[fold.rows] == fold.predicted).sum()) for fold in found.predictions)
    assert right == RIGHT[name, run]


def test_every_row_is_tested_once_in_each_run():
    classes = np.array([0] * 30 + [1] * 13 + [2] * 4)
    for split_run in (weka_splits(classes, 3, 5, 1, seed) for seed in (1, 2)):
        assert sorted(np.concatenate([split.test for split in split_run])) == list(range(47))


def test_repeats_are_consecutive_runs():
    classes = np.arange(40) % 3
    both = weka_splits(classes, 3, 4, 2, 1)
    second = weka_splits(classes, 3, 4, 1, 2)
    assert all(np.array_equal(a.test, b.test) for a, b in zip(both[4:], second, strict=True))


def test_classes_are_spread_evenly():
    classes = np.repeat([0, 1], [50, 23])
    folds = weka_folds(classes, 2, 10, 1)
    assert np.ptp(np.bincount(folds[classes == 1], minlength=10)) <= 1


def test_more_folds_than_rows_are_refused():
    with pytest.raises(EvaluationError, match="at most the 3 rows"):
        weka_folds([0, 1, 0], 2, 4, 1)
