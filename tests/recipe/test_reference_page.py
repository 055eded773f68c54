"""The sections of a part's page."""

import pytest

from nbframework.plugins import installed
from nbframework.recipe.recipe import Recipe
from nbframework.recipe.reference import parts_in, recipes_by_part, recipes_with, reference_of
from nbframework.recipe.reference_page import Entry, introduction, sections


@pytest.fixture(scope="module")
def page():
    reference = reference_of(installed().find("estimator", "laplace-m"))
    return reference, {one.title: one for one in sections(reference, installed(), ["sbc", "laplace-m"])}


def test_sections_without_content_are_left_out(page):
    titles = ["Equation", "Parameters", "Every estimator part computes", "From", "References", "In a recipe"]
    assert list(page[1]) == [*titles, "Recipes with it"]


def test_a_parameter_has_type_range_default_and_description(page):
    entry = Entry("f: a number above 0; default 1.0", ("The numerator; the paper has 1.",))
    assert page[1]["Parameters"].entries == (entry,)


def test_the_example_alone_is_code_and_the_contract_alone_is_common_to_the_kind(page):
    assert [title for title, one in page[1].items() if one.is_code] == ["In a recipe"]
    assert [title for title, one in page[1].items() if one.is_contract] == ["Every estimator part computes"]


def test_the_recipes_are_those_that_are_handed_over(page):
    assert page[1]["Recipes with it"].entries == (Entry("sbc, laplace-m"),)


def test_the_introduction_is_the_docstring_before_its_sections(page):
    assert introduction(page[0])[0].startswith("Add f / m to the count of each of the k values")
    assert len(introduction(page[0])) == 2


def test_the_parts_inside_other_parts_of_a_recipe_are_found_once():
    names = [part.name for part in parts_in(Recipe.load("kappa-60"))]
    assert "integer-euclidean" in names
    assert len(names) == len(set(names))


def test_one_look_at_all_recipes_says_what_a_look_for_one_part_says():
    cestnik = installed().find("estimator", "cestnik").part
    assert recipes_by_part(installed())[cestnik] == recipes_with(cestnik, installed()) == ["cestnik-nb"]
