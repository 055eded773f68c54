"""Every shipped target: its file, its study, its columns and rows fit each other."""

import pytest

from nbframework.errors import RecipeError
from nbframework.reproduction.claims import members
from nbframework.reproduction.definition import find_definition, load_target, target_names
from nbframework.reproduction.derived import quick_part
from nbframework.reproduction.exhibits import is_exhibits, load_exhibits
from nbframework.reproduction.readings import readings_of, readings_study
from nbframework.study.study import load_study

ALL = [(paper, name) for paper, names in target_names().items() for name in names]
TABLES = [pair for pair in ALL if not is_exhibits(find_definition(*pair))]
ASKED = {
    "kohavi1997": {"table1", "table2", "figure1", "figure2", "figure3", "slips"},
    "lawnb2018": {"table2", "figure1", "figure2", "slips"},
    "kappa2022": {"table2", "table3", "figure1", "figure2", "timing", "slips"},
}


def test_every_table_and_figure_of_the_papers_is_a_target():
    assert {paper: {*names} for paper, names in target_names().items()} == ASKED


@pytest.mark.parametrize(("paper", "name"), [pair for pair in ALL if pair not in TABLES])
def test_exhibits_load(paper, name):
    assert load_exhibits(find_definition(paper, name)).exhibits


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_a_target_fits_its_study(paper, name):
    target = load_target(find_definition(paper, name))
    study = load_study(target.study)
    labels = [entry.label for entry in study.recipes]
    for column in target.columns:
        for label in column.labels if column.kind in ("score", "error-ratio", "time-ratio") else ():
            assert label in labels, f"{column.name} shows {label}"
        if column.kind.startswith("best"):
            assert any(entry.startswith(column.labels[0]) for entry in labels), column.name
    sets = {entry.name for entry in study.sets}
    rows = {*target.methods, *labels} if target.rows_are_recipes else sets
    averages = {average.name for average in target.averages}
    assert {*target.printed.rows} <= rows | averages
    assert {left for average in target.averages for left in average.without} <= sets
    assert {*target.methods.values()} <= {*labels}


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_claims_speak_of_rows_and_columns_that_are_there(paper, name):
    target = load_target(find_definition(paper, name))
    sets = {entry.name for entry in load_study(target.study).sets}
    known = {column.name for column in target.columns} | sets | {average.name for average in target.averages}
    known |= {*target.printed.rows, *target.methods, "paired-t", "corrected-t"}
    for claim in target.claims:
        spoken = {part for part in members(claim) if "/" not in part}
        assert spoken <= known, claim.text


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_the_quick_part_is_a_part(paper, name):
    target = load_target(find_definition(paper, name))
    study = load_study(target.study)
    part = quick_part(study, target.quick)
    assert 0 < len(part.sets) <= len(study.sets)


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_every_reading_is_a_recipe(paper, name):
    target = load_target(find_definition(paper, name))
    if not target.readings:
        return
    study = load_study(target.study)
    labels = [entry.label for entry in readings_study(target, study).recipes]
    assert len(labels) == len({*labels})
    for group in target.readings:
        for reading in readings_of(target, group):
            assert {*reading.labels} <= {entry.label for entry in study.recipes}
            assert {*reading.labels.values()} <= {*labels}


@pytest.mark.parametrize(("paper", "name"), [pair for pair in TABLES if load_target(find_definition(*pair)).readings])
def test_the_first_reading_is_the_published_recipe(paper, name):
    target = load_target(find_definition(paper, name))
    recipes = {e.label: e.recipe.identity() for e in readings_study(target, load_study(target.study)).recipes}
    for group in target.readings:
        for own, label in readings_of(target, group)[0].labels.items():
            assert recipes[label] == recipes[own], own


def test_unknown_names_have_the_nearest_one():
    with pytest.raises(RecipeError, match="did you mean 'kohavi1997'"):
        find_definition("kohavi1979", "table1")
    with pytest.raises(RecipeError, match="did you mean 'table1'"):
        find_definition("kohavi1997", "tabel1")


def test_every_fault_of_a_target_is_named_at_once(target_of):
    with pytest.raises(RecipeError) as caught:
        target_of("explanations: [{rows: [one], columns: [plian], reason: x}]\nquick: {repeats: 0}\nfigures: {}\n")
    text = str(caught.value)
    assert "there is no column 'plian'; did you mean 'plain'?" in text
    assert "quick.repeats" in text
    assert "unknown key; did you mean 'figure'?" in text
