"""Recipes that cannot be loaded."""

import pytest

from nbframework import Recipe, RecipeError


def faults(text: str, **overrides) -> list[str]:
    """Return the lines of the error that a recipe raises."""
    with pytest.raises(RecipeError) as caught:
        Recipe.from_text(text, "r.yaml", **overrides)
    return str(caught.value).splitlines()
