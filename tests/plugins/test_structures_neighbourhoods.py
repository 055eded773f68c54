"""Dependence structures inside neighbourhoods."""

import numpy as np
import pytest
from support.builders import fitted, posteriors
from support.structure_data import random_data

STRUCTURES = ("aode", "aodesr", "waode", "hnb", "iwhnb", "tan", "weka-tan", "{kdb: {k: 2}}", "sp-tan", "joined")
STRUCTURES += ("{tan: {smoothing: 5}}",)
RECIPE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: "


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_neighbourhood_of_all_rows_is_the_global_structure(structure):
    data = random_data(21, rows=40, unknown=0)
    local = posteriors(RECIPE + structure + "\nneighbourhood: {nearest: {k: 40}}", data, data.take(range(5)))
    assert local == pytest.approx(posteriors(RECIPE + structure, data, data.take(range(5))), abs=1e-12)


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_small_neighbourhood_is_the_structure_of_its_rows(structure):
    data = random_data(22, rows=60, unknown=0, values=(2, 3, 2))
    query = data.take([7])
    same = np.flatnonzero(
        np.logical_and.reduce(
            [column == asked for column, asked in zip(data.columns[:-1], query.columns[:-1], strict=True)]
        )
    )
    local = posteriors(RECIPE + structure + "\nneighbourhood: {nearest: {k: 1}}", data, query)
    assert local == pytest.approx(posteriors(RECIPE + structure, data.take(same), query), abs=1e-12)


@pytest.mark.parametrize("structure", ["aode", "tan", "hnb"])
def test_estimators_of_the_training_set_read_it_from_inside_a_neighbourhood(structure):
    data = random_data(23, rows=40, unknown=0)
    prior = f"\nprior: frequency\nstructure: {structure}\nneighbourhood: {{nearest: {{k: 5}}}}"
    found, own, whole = (
        posteriors(f"recipe: t\nestimator: {estimator}{prior}", data, data)
        for estimator in ("laplace-m", "{laplace: {f: 0.2}}", "{laplace: {f: 0.025}}")
    )
    assert found == pytest.approx(whole, abs=1e-12)
    assert np.abs(found - own).max() > 1e-3


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_neighbourhood_is_a_training_set_of_its_own(structure):
    data, queries = random_data(24, rows=60, unknown=0), random_data(25, rows=6, unknown=0)
    recipe = RECIPE + structure + "\nneighbourhood: {nearest: {k: 20}}"
    near = fitted(recipe, data).model.neighbourhood.around(fitted(recipe, data).model.encoder.queries(queries))
    for query, (first, last) in enumerate(zip(near.start[:-1], near.start[1:], strict=True)):
        alone = posteriors(RECIPE + structure, data.take(np.sort(near.row[first:last])), queries.take([query]))
        found = posteriors(recipe, data, queries.take([query]))
        assert found == pytest.approx(alone, abs=1e-12)
