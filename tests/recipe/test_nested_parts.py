"""Parameters that are parts themselves."""

import re

import pytest
import yaml
from support.distributions import install, with_installed

from nbframework import Recipe, RecipeError

NESTED = '''"""A neighbourhood with a distance, and two distances."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Distance, FittedDistance, FittedNeighbourhood, Ge, Neighbourhood, Neighbours, hookimpl,
)


class Same(FittedDistance):
    def between(self, queries):
        return np.zeros((len(queries), len(self.training)))


@dataclass(frozen=True, kw_only=True)
class One(Distance):
    name: ClassVar[str] = "one"
    p: Annotated[int, Ge(1)] = 2

    def fit(self, training):
        return Same()


@dataclass(frozen=True, kw_only=True)
class Two(Distance):
    name: ClassVar[str] = "two"

    def fit(self, training):
        return Same()


class AllRows(FittedNeighbourhood):
    def around(self, queries):
        n = len(self.training)
        start = np.arange(len(queries) + 1) * n
        return Neighbours(start, np.tile(np.arange(n), len(queries)), np.zeros(start[-1]))


@dataclass(frozen=True, kw_only=True)
class Near(Neighbourhood):
    name: ClassVar[str] = "near"
    k: Annotated[int, Ge(1)] = 5
    distance: Distance = One()

    def fit(self, training):
        return AllRows(training)


@hookimpl
def nbframework_distances():
    return [One, Two]


@hookimpl
def nbframework_neighbourhoods():
    return [Near]
'''


@pytest.fixture
def nested(site, tmp_path):
    install(
        site,
        "near",
        {"neighbourhood.near": "near_mod", "distance.one": "near_mod", "distance.two": "near_mod"},
        {"near_mod": NESTED},
    )
    plugins = with_installed()

    def load(text, **overrides):
        path = tmp_path / "nested.yaml"
        path.write_text(f"recipe: nested\nneighbourhood: {text}\n")
        return Recipe.load_with(plugins, path, overrides)

    return load


def test_a_parameter_may_be_a_part(nested):
    assert nested("near").neighbourhood.distance.p == 2
    assert nested("{near: {distance: two}}").neighbourhood.distance.name == "two"
    assert nested("{near: {distance: {one: {p: 3}}}}").neighbourhood.distance.p == 3


def test_the_resolved_form_writes_inner_parts_out(nested):
    assert nested("near").resolved()["neighbourhood"] == {"near": {"k": 5, "distance": {"one": {"p": 2}}}}


@pytest.mark.parametrize("text", ["{near: {distance: one}}", "{near: {distance: {one: {p: 4}}}}", "near"])
def test_an_override_reaches_a_parameter_of_an_inner_part(nested, text):
    recipe = nested(text, **{"neighbourhood.distance.p": "3"})
    assert recipe.neighbourhood.distance.p == 3


def test_an_override_replaces_an_inner_part(nested):
    assert nested("near", **{"neighbourhood.distance": "two"}).neighbourhood.distance.name == "two"


def test_a_fault_in_an_inner_part_has_its_path(nested):
    with pytest.raises(RecipeError) as caught:
        nested("{near: {k: 0, distance: {one: {p: 0, q: 1}}}}")
    lines = str(caught.value).splitlines()
    assert [re.sub(r"^.*nested\.yaml", "", line) for line in lines] == [
        ":2:24: neighbourhood.k: found '0', expected a whole number of at least 1",
        ":2:47: neighbourhood.distance.p: found '0', expected a whole number of at least 1",
        ":2:53: neighbourhood.distance.q: unknown parameter (parameters of one: p)",
    ]


def test_an_unknown_inner_part_has_its_path(nested):
    with pytest.raises(RecipeError, match=r":2:24: neighbourhood\.distance: no distance 'tow'; did you mean 'two'"):
        nested("{near: {distance: tow}}")


def test_an_inner_part_resolves_and_loads_again(nested):
    recipe = nested("{near: {distance: {one: {p: 3}}}}")
    again = nested(yaml.safe_dump(recipe.resolved()["neighbourhood"], default_flow_style=True).strip())
    assert again.identity() == recipe.identity()


def test_a_wrong_inner_parameter_is_named_where_the_inner_part_is_the_default(nested):
    with pytest.raises(RecipeError, match=r"override: neighbourhood\.distance\.p: found '0', expected a whole number"):
        nested("near", **{"neighbourhood.distance.p": "0"})
    with pytest.raises(RecipeError, match=r"override: neighbourhood\.distance\.q: unknown parameter"):
        nested("near", **{"neighbourhood.distance.q": "1"})
