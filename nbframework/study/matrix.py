"""Recipes of a study: named ones, changed ones, and a matrix over kinds and parameters."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbframework.errors import NBFrameworkError, did_you_mean
from nbframework.plugins import Plugins
from nbframework.recipe import Recipe
from nbframework.recipe.nodes import Node, plain
from nbframework.study.sections import Section

_RECIPE_KEYS = ("recipe", "label", "set")
_MATRIX_KEYS = ("base", "over", "exclude", "include", "label")

MOST_CELLS = 2_000
"""Recipes that one matrix may make."""


@dataclass(frozen=True, eq=False)
class LabelledRecipe:
    """A recipe with the name that tables give it."""

    label: str
    recipe: Recipe


def read_recipes(study: Section, plugins: Plugins, beside: Path | None) -> tuple[LabelledRecipe, ...]:
    """Return the recipes of a study, noting every fault; ``recipes`` first, then the cells of each ``matrix``."""
    found: list[LabelledRecipe] = []
    for index, node in study.items("recipes"):
        path = ("recipes", index)
        if isinstance(node.value, str):
            found += _loaded(study, node, path, plugins, beside, node.value, {}, "")
            continue
        inner = Section.of(node, study.source, path, study.faults, _RECIPE_KEYS)
        inner.require("recipe")
        changes = _changes(inner, "set")
        found += _loaded(study, node, path, plugins, beside, inner.text("recipe"), changes, inner.text("label"))
    for index, node in study.items("matrix"):
        inner = Section.of(node, study.source, ("matrix", index), study.faults, _MATRIX_KEYS)
        inner.require("base", "over")
        found += _matrix(inner, plugins, beside)
    labels = [entry.label for entry in found]
    for label in sorted({label for label in labels if labels.count(label) > 1}):
        key = "recipes" if "recipes" in study else "matrix"
        study.fault(key, f"{labels.count(label)} recipes are called {label!r}; give each its own label")
    if not found and not study.faults:
        study.fault("recipes", "a study needs at least one recipe, under 'recipes' or 'matrix'")
    return tuple(found)


def _matrix(matrix: Section, plugins: Plugins, beside: Path | None) -> list[LabelledRecipe]:
    """Return the recipes of a matrix; a fault that many cells have is noted once, at the value that it is about."""
    found: list[LabelledRecipe] = []
    noted: set[tuple[int, str]] = set()
    for cell in _cells(matrix):
        changes = {path: plain(node) for path, node in cell.items()}
        try:
            recipe = Recipe.load_with(plugins, matrix.text("base"), changes, "set", beside)
        except NBFrameworkError as error:
            for line in str(error).splitlines():
                subject = line.split(": ")[1] if line.startswith("set: ") else ""
                path = next((path for path in cell if subject == path or subject.startswith(f"{path}.")), "")
                node, steps = (cell[path], ("over", path)) if path else (matrix.node, ())
                if (id(node), line) not in noted:
                    noted.add((id(node), line))
                    matrix.fault_at(node, steps, line.removeprefix(f"set: {path}: ") if path else line)
            continue
        found.append(LabelledRecipe(_label(matrix, changes) or recipe.name, recipe))
    return found


def _loaded(
    study: Section,
    node: Node,
    path: tuple[str | int, ...],
    plugins: Plugins,
    beside: Path | None,
    name: str,
    changes: Mapping[str, Any],
    label: str,
) -> list[LabelledRecipe]:
    if not name:
        return []
    try:
        recipe = Recipe.load_with(plugins, name, changes, "set", beside)
    except NBFrameworkError as error:
        for line in str(error).splitlines():
            study.fault_at(node, path, line)
        return []
    return [LabelledRecipe(label or recipe.name, recipe)]


def _changes(section: Section, key: str) -> dict[str, Any]:
    """Return the overrides under a key: paths to values."""
    if key not in section:
        return {}
    node = section.entries[key].node
    if not isinstance(node.value, dict):
        section.fault(key, "expected paths with values, such as {neighbourhood.k: 30}")
        return {}
    return {path: plain(entry.node) for path, entry in node.value.items()}


def _cells(section: Section) -> list[dict[str, Node]]:
    """Return the cells of a matrix: all combinations, without the excluded ones, and the included ones after them.

    A cell has the place of each of its values in the file.
    """
    over = section.entries["over"].node if "over" in section else None
    if over is None or not isinstance(over.value, dict) or not over.value:
        if over is not None:
            section.fault("over", "expected paths with lists of values, such as {neighbourhood.k: [1, 10]}")
        return []
    axes: dict[str, list[Node]] = {}
    for path, entry in over.value.items():
        if not isinstance(entry.node.value, list) or not entry.node.value:
            section.fault_at(entry.node, ("over", path), "expected a list of values")
            return []
        axes[path] = list(entry.node.value)
    size = math.prod(len(values) for values in axes.values())
    if size > MOST_CELLS:
        section.fault("over", f"makes {size} recipes, at most {MOST_CELLS} are allowed")
        return []
    cells = [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
    for index, node in section.items("exclude"):
        wanted = _partial(section, node, ("exclude", index), axes)
        kept = [c for c in cells if not wanted or not all(_same(plain(c[p]), plain(v)) for p, v in wanted.items())]
        if wanted and len(kept) == len(cells):
            section.fault_at(node, ("exclude", index), "excludes no cell of the matrix")
        cells = kept
    for index, node in section.items("include"):
        added = _partial(section, node, ("include", index), axes)
        if added and set(added) != set(axes):
            lacking = ", ".join(path for path in axes if path not in added)
            section.fault_at(node, ("include", index), f"a cell needs a value for each path, {lacking} is missing")
        elif added:
            cells.append({path: added[path] for path in axes})
    return cells


def _partial(section: Section, node: Node, steps: tuple[str | int, ...], axes: Mapping[str, Any]) -> dict[str, Node]:
    if not isinstance(node.value, dict):
        section.fault_at(node, steps, "expected paths with values")
        return {}
    for path, entry in node.value.items():
        if path not in axes:
            message = f"no such path in 'over'{did_you_mean(path, axes)}"
            section.fault_at(entry.node, (*steps, path), message)
            return {}
    return {path: entry.node for path, entry in node.value.items()}


def _same(value: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one; a part's name alone matches it with any parameters."""
    return bool(value == wanted or (isinstance(value, dict) and isinstance(wanted, str) and [*value] == [wanted]))


def _label(section: Section, cell: Mapping[str, Any]) -> str:
    """Return the label of a cell: the given pattern filled in, or ``k=10 laplace``."""
    shown = {path: _shown(value) for path, value in cell.items()}
    pattern = section.text("label")
    if not pattern:
        words = [f"{path.rpartition('.')[2]}={text}" if "." in path else text for path, text in shown.items()]
        return " ".join(words)
    for path, text in shown.items():
        pattern = pattern.replace("{" + path + "}", text)
    return pattern


def _shown(value: Any) -> str:
    if isinstance(value, dict) and len(value) == 1:
        ((name, parameters),) = value.items()
        given = parameters if isinstance(parameters, dict) else {}
        return " ".join([name, *(f"{key}={_shown(item)}" for key, item in given.items())])
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)
