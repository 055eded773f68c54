"""A text that was read is not parsed again, and a fault is told each time."""

import pytest

from nbframework import RecipeError
from nbframework.recipe.strict_yaml import load


def test_the_same_text_gives_the_same_nodes():
    assert load("recipe: a\n", "one.yaml") is load("recipe: a\n", "one.yaml")


def test_another_source_or_text_is_read_anew():
    assert load("recipe: b\n", "one.yaml") is not load("recipe: b\n", "two.yaml")
    assert load("recipe: b\n", "one.yaml").value["recipe"].node.value == "b"


def test_a_fault_is_told_each_time():
    for _ in range(2):
        with pytest.raises(RecipeError, match=r"one\.yaml:1:1: mapping expected, found a list"):
            load("- a\n", "one.yaml")
