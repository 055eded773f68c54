"""Exactness against the golden files of thirteen data sets: cut points bit for bit, probabilities row by row."""

import functools

import pytest
from support.golden import CUTS, SCHEMES, Golden
from support.paths import SHARED, absent

from nbframework import Recipe, read_arff

ORACLE = SHARED / "oracle"
NAMES = sorted(path.name for path in ORACLE.glob("*") if path.is_dir()) or ["absent"]

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason=absent("oracle"))


@functools.cache
def golden(name: str) -> Golden:
    return Golden(ORACLE / name, read_arff(SHARED / "datasets" / f"{name}.arff"))


def test_all_thirteen_data_sets_are_there():
    assert len(NAMES) == 13


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("file", CUTS)
def test_cut_points_bit_for_bit(name, file):
    data = golden(name)
    if not (data.folder / file).is_file():
        assert not any(attribute.is_measured for attribute in data.dataset.inputs)
        return
    data.check_cuts(file, Recipe.from_text(CUTS[file]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_probabilities_row_by_row(name, scheme):
    data = golden(name)
    recipe, overrides, tolerance = SCHEMES[scheme]
    if not data.has(scheme):
        # The densities of a data set without numbers have no file: they equal the discretized form.
        assert not any(attribute.is_measured for attribute in data.dataset.inputs)
        scheme = "nb_disc"
    data.check_probabilities(scheme, Recipe.load(recipe, **overrides), tolerance)
