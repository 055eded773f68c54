"""Exactness against Weka on iris, wherever the tests run."""

from pathlib import Path

import pytest
from support.golden import CUTS, SCHEMES, Golden
from support.weka_iris import weka_iris

from nbframework import Recipe, read_arff

IRIS = Golden(Path(__file__).parent / "golden" / "iris", weka_iris())


def test_the_rows_are_those_of_weka(shared):
    theirs = read_arff(shared / "datasets" / "iris.arff")
    for mine, other in zip(IRIS.dataset.columns, theirs.columns, strict=True):
        assert mine.tolist() == other.tolist()


@pytest.mark.parametrize("file", CUTS)
def test_cut_points_of_iris_bit_for_bit(file):
    names = ("sepallength", "sepalwidth", "petallength", "petalwidth")
    assert {name for _, name in IRIS.cuts(file)} == set(names)
    IRIS.check_cuts(file, Recipe.from_text(CUTS[file]))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_probabilities_of_iris_row_by_row(scheme):
    recipe, overrides, tolerance = SCHEMES[scheme]
    IRIS.check_probabilities(scheme, Recipe.load(recipe, **overrides), tolerance)
