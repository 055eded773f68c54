"""Where recipes are found: the shipped ones, those of plugins, and files."""

import os
from importlib.resources import files
from pathlib import Path

from nbframework.errors import RecipeError, did_you_mean
from nbframework.plugins import Plugins

DEFAULTS = "defaults"


def shipped_folder() -> Path:
    """Return the folder of the recipes that come with nbframework."""
    return Path(str(files("nbframework.configs"))) / "recipes"


def recipe_paths(plugins: Plugins) -> dict[str, Path]:
    """Return the recipes by name, shipped ones and those of plugins.

    Raises
    ------
    RecipeError
        Where two folders have a recipe of the same name.
    """
    for source in plugins.sources:
        if source.part is None:
            plugins.load(source)
    found: dict[str, Path] = {}
    for folder in (shipped_folder(), *(folder for folder, _ in plugins.recipe_folders)):
        for path in sorted(folder.glob("*.yaml")):
            if path.stem in found:
                raise RecipeError(f"recipe {path.stem!r} stands in {found[path.stem].parent} and in {folder}")
            if path.stem != DEFAULTS:
                found[path.stem] = path
    return found


def find_recipe(name: str | os.PathLike[str], plugins: Plugins, beside: Path | None = None) -> Path:
    """Return the file of a recipe named by a path or by a name.

    Parameters
    ----------
    name
        A path (with a separator or ending in .yaml or .yml), or the name of a known recipe.
    plugins
        May ship recipes of their own.
    beside
        A folder whose recipes may be named by their file name alone.

    Raises
    ------
    RecipeError
        With the nearest known name.
    """
    text = os.fspath(name)
    if text.endswith((".yaml", ".yml")) or os.sep in text:
        for path in (Path(text), *([beside / text] if beside else [])):
            if path.is_file():
                return path
        raise RecipeError(f"{text}: no such recipe file")
    if beside is not None and (beside / f"{text}.yaml").is_file():
        return beside / f"{text}.yaml"
    shipped = shipped_folder() / f"{text}.yaml"
    if text != DEFAULTS and shipped.is_file():
        return shipped
    known = recipe_paths(plugins)
    if text in known:
        return known[text]
    raise RecipeError(f"no recipe {text!r}{did_you_mean(text, known)} (nbf recipes lists them; a file ends in .yaml)")
