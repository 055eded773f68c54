"""Options that several verbs share."""

from collections.abc import Sequence

import click

from nbframework.plugins import installed
from nbframework.recipe import Recipe

SET_HELP = "Change a recipe: kind.parameter=value, kind=part or kind={part: {parameter: value}}; may be repeated."


def overrides_of(assignments: Sequence[str]) -> dict[str, str]:
    """Return ``path=value`` texts as a mapping; fails with click's usage error."""
    result = {}
    for assignment in assignments:
        path, equals, value = assignment.partition("=")
        if not equals or not path.strip():
            raise click.UsageError(f"--set {assignment!r}: expected PATH=VALUE, such as estimator.f=0.5")
        result[path.strip()] = value
    return result


def load_recipe(name: str, assignments: Sequence[str] = ()) -> Recipe:
    """Return a recipe with the ``--set`` overrides, whose faults name the recipe: several may be given them."""
    return Recipe.load_with(installed(), name, overrides_of(assignments), f"--set: {name}")
