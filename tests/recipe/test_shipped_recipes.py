"""Every recipe that ships: it loads, is named like its file, cites its source, and survives a round trip."""

import pytest
import yaml

from nbframework import Recipe
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths, shipped_folder
from nbframework.recipe.nodes import plain
from nbframework.recipe.schema import recipe_schema
from nbframework.recipe.strict_yaml import load_file

PATHS = recipe_paths(installed())
# The names that tests and tools outside the project rely on, as far as this step has them.
RELIED_ON = (
    *("sbc-basic", "sbc", "laplace-1", "laplace-m", "no-match-pc"),
    *("gaussian-nb", "weka-naive-bayes", "weka-gaussian", "weka-kernel"),
)


@pytest.fixture(scope="module")
def validator():
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema checks recipes against our schema")
    schema = recipe_schema(installed())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_names_relied_on_are_there():
    assert set(RELIED_ON) <= set(PATHS)


def test_table_1_of_kohavi_is_there():
    table_1 = {"no-match-0", "no-match-0.01", "no-match-0.1", "no-match-0.5", "no-match-pc"}
    assert table_1 | {"laplace-0.01", "laplace-0.1", "laplace-1", "laplace-m"} <= set(PATHS)


LOCAL = ("lawnb", "lwnb", "knn", "knn-tuned", "kappa-60", "kappa-tuned", "kcnn", "kcnn-ensemble")
"""Recipes that compare raw numbers, remove rows or cut by neighbourhood, as their papers do."""


@pytest.mark.parametrize("name", LOCAL)
def test_the_fair_recipe_is_fed_the_cut_points_of_all_others(name):
    fair, shared = Recipe.load(f"{name}-fair"), Recipe.load("wanbia-fair")
    assert (fair.discretizer, fair.missing) == (shared.discretizer, shared.missing)
    if fair.structure.name == "class-only":
        assert fair.neighbourhood.attributes == "discretized"


@pytest.mark.parametrize("name", ["knn-tuned", "kappa-tuned"])
def test_the_fair_recipe_of_a_tuned_one_tries_the_same_values(name):
    assert Recipe.load(f"{name}-fair").tuning == Recipe.load(name).tuning


@pytest.mark.parametrize("name", sorted(PATHS))
def test_the_file_is_named_like_the_recipe(name):
    data = plain(load_file(PATHS[name]))
    assert data["recipe"] == name == PATHS[name].stem
    assert data["title"]
    assert data.get("cite") or name == "majority"


@pytest.mark.parametrize("name", sorted(PATHS))
def test_the_recipe_loads(name):
    assert Recipe.load(name).name == name


@pytest.mark.parametrize("name", sorted(PATHS))
def test_the_resolved_recipe_loads_to_the_same_identity(name):
    recipe = Recipe.load(name)
    again = Recipe.from_text(yaml.safe_dump(recipe.resolved(), sort_keys=False))
    assert again.resolved() == recipe.resolved()
    assert again.identity() == recipe.identity()


@pytest.mark.parametrize("name", sorted(PATHS))
def test_the_file_and_its_resolved_form_obey_the_schema(name, validator):
    validator.validate(plain(load_file(PATHS[name])))
    validator.validate(Recipe.load(name).resolved())


def test_the_defaults_obey_the_schema(validator):
    validator.validate(plain(load_file(shipped_folder() / "defaults.yaml")))


# --- what the schema refuses


@pytest.mark.parametrize(
    "recipe",
    [
        {},
        {"recipe": "t", "estimatr": "laplace"},
        {"recipe": "t", "estimator": "laplac"},
        {"recipe": "t", "estimator": {"laplac": {}}},
        {"recipe": "t", "estimator": {"laplace": {"g": 1}}},
        {"recipe": "t", "estimator": {"laplace": {"f": -1}}},
        {"recipe": "t", "estimator": {"laplace": {"f": "1"}}},
        {"recipe": "t", "estimator": {"laplace": {}, "frequency": {}}},
        {"recipe": "t", "estimator": "entropy-mdl"},
        {"recipe": "t", "discretizer": {"equal-width": {"bins": 0}}},
        {"recipe": "t", "discretizer": {"equal-width": {"bins": 2.5}}},
        {"recipe": "t", "density": {"gaussian": {"variance": "smple"}}},
        {"recipe": "t", "ties": "last"},
        {"recipe": "t", "tie_tolerance": -1},
        {"recipe": "t", "requires": [3]},
        {"recipe": "t", "prior": "entropy-mdl"},
    ],
)
def test_the_schema_refuses(recipe, validator):
    assert not validator.is_valid(recipe)


@pytest.mark.parametrize(
    "recipe",
    [
        {"recipe": "t"},
        {"recipe": "t", "estimator": None, "ties": None, "tie_tolerance": None},
        {"recipe": "t", "estimator": {"laplace": None}},
        {"recipe": "t", "density": {"weka-kernel": {"version": 3.9}}},
        {"recipe": "t", "density": {"weka-kernel": {"version": "3.6.14"}}},
    ],
)
def test_the_schema_accepts_what_the_loader_accepts(recipe, validator):
    validator.validate(recipe)
    Recipe.from_text(yaml.safe_dump(recipe))
