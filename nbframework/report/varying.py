"""Recipes that differ in one number only: what a curve is drawn of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FEWEST = 3
"""Values from which on a curve says more than a table."""
_NAMES = ("recipe", "title", "cite")


@dataclass(frozen=True)
class Family:
    """Recipes that are the same but for one number.

    Parameters
    ----------
    path
        The number, as overrides write it: ``neighbourhood.k``.
    members
        (value, label) of each recipe, by ascending value.
    fixed
        Everything else, by path.
    """

    path: str
    members: tuple[tuple[float, str], ...]
    fixed: Mapping[str, Any]

    @property
    def values(self) -> tuple[float, ...]:
        """The values."""
        return tuple(value for value, _ in self.members)


def families(recipes: Mapping[str, Mapping[str, Any]]) -> list[Family]:
    """Return every family of at least `FEWEST` values.

    Parameters
    ----------
    recipes
        Recipes with every default by their labels, as `nbframework.recipe.Recipe.resolved` gives them.
    """
    flat = {label: dict(_leaves(recipe)) for label, recipe in recipes.items()}
    groups: dict[tuple[str, frozenset[tuple[str, str]]], dict[float, str]] = {}
    for label, leaves in flat.items():
        for path, value in leaves.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                fixed = frozenset((other, repr(given)) for other, given in leaves.items() if other != path)
                groups.setdefault((path, fixed), {}).setdefault(float(value), label)
    found = []
    for (path, _), members in groups.items():
        if len(members) >= FEWEST:
            ordered = tuple(sorted(members.items()))
            fixed_values = {key: value for key, value in flat[ordered[0][1]].items() if key != path}
            found.append(Family(short(path), ordered, fixed_values))
    return found


def difference(family: Family, others: list[Family]) -> str:
    """Return in what a family differs from others of the same path: ``estimator.f = 2``, or its first label."""
    distinct = [
        path
        for path, value in family.fixed.items()
        if any(other.fixed.get(path, value) != value or path not in other.fixed for other in others)
    ]
    if len(distinct) != 1:
        return family.members[0][1]
    value = family.fixed[distinct[0]]
    return f"{short(distinct[0])} = {value:g}" if isinstance(value, float) else f"{short(distinct[0])} = {value}"


def short(path: str) -> str:
    """Return a path without the names of parts: ``neighbourhood.k`` for ``neighbourhood.nearest.k``.

    >>> short("neighbourhood.nearest.distance.hvdm.q")
    'neighbourhood.distance.q'
    """
    steps = path.split(".")
    return ".".join(step for index, step in enumerate(steps) if index % 2 == 0) if len(steps) > 2 else path


def _leaves(data: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in data.items():
        if not prefix and key in _NAMES:
            continue
        path = f"{prefix}{key}"
        found += _leaves(value, f"{path}.") if isinstance(value, dict) and value else [(path, value)]
    return found
