"""Exactness of the dependence structures against Weka 3.6.14: probabilities row by row, trees link by link."""

import csv
import functools

import pytest
from support.golden import Golden
from support.paths import SHARED, absent

from nbframework import Recipe, read_arff

ORACLE = SHARED / "oracle"
NAMES = sorted(path.name for path in ORACLE.glob("*") if path.is_dir()) or ["absent"]
SCHEMES = {
    "aode": "weka-aode",
    "aode_f30": "weka-aode-30",
    "aode_m1": "weka-aode-m",
    "aodesr": "weka-aodesr",
    "aodesr_lap": "weka-aodesr-laplace",
    "waode": "weka-waode",
    "hnb": "weka-hnb",
    "tan": "weka-tan",
}

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason=absent("oracle"))


@functools.cache
def golden(name: str) -> Golden:
    return Golden(ORACLE / name, read_arff(SHARED / "datasets" / f"{name}.arff"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_probabilities_row_by_row(name, scheme):
    golden(name).check_probabilities(scheme, Recipe.load(SCHEMES[scheme]), 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_trees_link_by_link(name):
    data = golden(name)
    expected: dict[int, dict[int, int]] = {}
    with (data.folder / "tan_structure.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            expected.setdefault(int(row["fold"]), {})[int(row["attr_index"])] = int(row["tan_parent_index"])
    models = Recipe.load("weka-tan").build().fit_folds(data.dataset, [data.training(fold) for fold in expected])
    for fold, model in zip(expected, models, strict=True):
        found = [parents[0] if parents else -1 for parents in model.model.structure.parents]
        assert dict(enumerate(found)) == expected[fold], f"fold {fold}"


@pytest.mark.parametrize(("name", "right"), [("iris", 138), ("glass", 152), ("vote", 409)])
def test_lazy_bayesian_rules_are_as_often_right_as_weka(name, right):
    data = golden(name)
    predicted = data.found_probabilities(Recipe.load("lazy-bayesian-rules")).argmax(axis=1)
    assert (predicted == data.dataset.classes).sum() == right
