"""What a class has to be before it is registered."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import pytest
from annotated_types import Ge

from nbframework.errors import PluginError, RecipeError
from nbframework.parts.base import parameters
from nbframework.parts.discretizer import Discretizer
from nbframework.registry import Registry, faults_of


class Cuts:
    """The body of a discretizer."""

    def fit(self, values, classes, weights):
        return values[:0]


@dataclass(frozen=True, kw_only=True)
class Good(Cuts, Discretizer):
    name: ClassVar[str] = "good"
    share: Annotated[float, Ge(0)] = 0.5
    count: int | None = None
    which: Literal["a", "b"] = "a"
    on: bool = False


def test_a_good_part_has_no_fault():
    assert faults_of(Good, "discretizer") == []


def test_a_part_of_another_kind():
    (fault,) = faults_of(Good, "estimator")
    assert fault.endswith("is no subclass of Estimator")


def test_an_instance_is_no_class():
    (fault,) = faults_of(Good(), "discretizer")
    assert "is no subclass of Discretizer" in fault


@pytest.mark.parametrize("bad_name", ["", "Median", "two words", "a_b", "-a", "3rd"])
def test_names_are_lower_case_words(bad_name):
    @dataclass(frozen=True, kw_only=True)
    class Bad(Cuts, Discretizer):
        name: ClassVar[str] = bad_name

    assert any("is not lower-case words joined by hyphens" in fault for fault in faults_of(Bad, "discretizer"))


def test_a_decorator_of_its_own():
    class Bad(Good):
        name: ClassVar[str] = "bad"

    assert any("has no decorator of its own" in fault for fault in faults_of(Bad, "discretizer"))


def test_positional_parameters():
    @dataclass(frozen=True)
    class Bad(Cuts, Discretizer):
        name: ClassVar[str] = "bad"
        bins: int = 3

    assert any("kw_only=True" in fault for fault in faults_of(Bad, "discretizer"))


def test_an_abstract_method_left():
    @dataclass(frozen=True, kw_only=True)
    class Bad(Discretizer):
        name: ClassVar[str] = "bad"

    assert any("lacks fit" in fault for fault in faults_of(Bad, "discretizer"))


def test_a_default_outside_its_bounds():
    @dataclass(frozen=True, kw_only=True)
    class Bad(Cuts, Discretizer):
        name: ClassVar[str] = "bad"
        share: Annotated[float, Ge(0)] = -1.0

    assert any("found -1.0, expected a number of at least 0" in fault for fault in faults_of(Bad, "discretizer"))


def test_a_type_that_no_recipe_can_write():
    @dataclass(frozen=True, kw_only=True)
    class Bad(Cuts, Discretizer):
        name: ClassVar[str] = "bad"
        borders: list[float] | None = None

    assert any("parameter 'borders' has type list[float]" in fault for fault in faults_of(Bad, "discretizer"))


# --- the registry itself


def test_the_same_class_twice_is_registered_once():
    registry = Registry()
    registry.add(Good, "one")
    registry.add(Good, "two")
    assert [registration.provider for registration in registry] == ["one"]


def test_two_classes_of_one_name_conflict_when_the_name_is_used():
    @dataclass(frozen=True, kw_only=True)
    class Other(Cuts, Discretizer):
        name: ClassVar[str] = "good"

    registry = Registry()
    registry.add(Good, "one 1.0")
    registry.add(Other, "two 1.0")
    with pytest.raises(PluginError, match=r"discretizer 'good' is provided by one 1\.0 and two 1\.0; block one"):
        registry.find("discretizer", "good")
    assert registry.find("discretizer", "other") is None


# --- parameters of parts


def test_parameters_in_words():
    words = {parameter.name: parameter.expected() for parameter in parameters(Good)}
    assert words == {
        "scope": "one of training, neighbourhood",
        "share": "a number of at least 0",
        "count": "a whole number, or nothing",
        "which": "one of a, b",
        "on": "true or false",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"share": "1"},
        {"share": True},
        {"share": float("nan")},
        {"share": float("inf")},
        {"share": -0.1},
        {"count": 1.5},
        {"count": True},
        {"which": "c"},
        {"on": 1},
        {"on": None},
    ],
)
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(RecipeError, match="expected"):
        Good(**wrong)


def test_whole_numbers_become_numbers():
    assert type(Good(share=2).share) is float


def test_parts_are_equal_by_value_and_never_change():
    assert Good(share=1) == Good(share=1.0)
    with pytest.raises(AttributeError):
        Good().share = 2
