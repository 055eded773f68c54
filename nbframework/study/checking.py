"""Recipe, study and suite files checked whole, as far as it goes without running them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nbframework.errors import DataError, NBFrameworkError
from nbframework.plugins import Plugins, installed
from nbframework.recipe import Recipe
from nbframework.recipe.catalog import recipe_paths
from nbframework.recipe.layers import KEYS as RECIPE_KEYS
from nbframework.recipe.nodes import dotted_path, find
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.plan import plan_study
from nbframework.study.study import KEYS as STUDY_KEYS
from nbframework.study.study import Study, load_study
from nbframework.study.suite import SUITE_KEYS, SuiteSet, data_folders, load_suite, located, shipped_folder

Kind = Literal["recipe", "study", "suite"]
_KEYS: Mapping[Kind, tuple[str, ...]] = {"recipe": RECIPE_KEYS, "study": STUDY_KEYS, "suite": SUITE_KEYS}

_TELLING: Mapping[Kind, str] = {"recipe": "recipe", "study": "study", "suite": "sets"}
"""The key that only files of a kind have."""


@dataclass(frozen=True)
class Checked:
    """What was found in a file.

    Parameters
    ----------
    kind
        What the file is.
    faults
        A line for each fault, with its place.
    unchecked
        A line for each thing that a run would need and that could not be looked at.
    """

    kind: Kind
    faults: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def check(name: str, data_dir: str | os.PathLike[str] | None = None, plugins: Plugins | None = None) -> Checked:
    """Return the faults of a recipe, study or suite, and of the data that a study names.

    Parameters
    ----------
    name
        A file, or the name of one that ships with nbframework or a plugin.
    data_dir
        Where the data of a study are; see `data_folders`.
    plugins
        Provide the parts.
    """
    plugins = plugins or installed()
    kind = kind_of(name, plugins)
    try:
        if kind == "study":
            return _checked_study(name, data_dir, plugins)
        if kind == "suite":
            load_suite(name)
        else:
            Recipe.load_with(plugins, name)
    except NBFrameworkError as error:
        return Checked(kind, tuple(str(error).splitlines()))
    return Checked(kind)


def kind_of(name: str, plugins: Plugins) -> Kind:
    """Return what a file is by the keys at its top, a recipe where they do not tell; of a name, recipes come first."""
    if not name.endswith((".yaml", ".yml")) and os.sep not in name:
        others: tuple[Kind, ...] = ("study", "suite")
        shipped = (kind for kind in others if (shipped_folder(kind) / f"{name}.yaml").is_file())
        return "recipe" if name in recipe_paths(plugins) else next(shipped, "recipe")
    try:
        value = load_file(Path(name)).value
    except NBFrameworkError:
        return "recipe"
    keys = set(value) if isinstance(value, dict) else set()
    # a study may name a suite, too
    for kind, telling in _TELLING.items():
        if telling in keys:
            return kind
    return max(_KEYS, key=lambda kind: len(keys.intersection(_KEYS[kind])))


def _checked_study(name: str, data_dir: str | os.PathLike[str] | None, plugins: Plugins) -> Checked:
    """Return the faults of a study, and of its protocols on those of its data sets that are there."""
    study = load_study(name, plugins)
    folders = data_folders(data_dir, study.path.parent)
    missing = [entry for entry in study.sets if not _is_there(entry, folders)]
    faults = []
    for index, entry in enumerate(study.sets):
        if entry in missing:
            continue
        try:
            plan_study(replace(study, sets=(entry,)), data_dir, plugins)
        except NBFrameworkError as error:
            faults += [f"{_place(study, index)}: {line}" for line in str(error).splitlines()]
    try:
        located(missing, folders)
    except DataError as error:
        return Checked("study", tuple(faults), (str(error),))
    return Checked("study", tuple(faults))


def _is_there(entry: SuiteSet, folders: list[Path]) -> bool:
    try:
        located([entry], folders)
    except DataError:
        return False
    return True


def _place(study: Study, index: int) -> str:
    """Return file, line, column and key of what names a data set: those of suites stand before all others."""
    root = load_file(study.path)
    value = root.value["data"].node.value if isinstance(root.value, dict) and "data" in root.value else []
    own = index - len(study.sets) + (len(value) if isinstance(value, list) else 1)
    path: tuple[str | int, ...] = ("suite",) if own < 0 else ("data", own)
    if not isinstance(value, list):
        path = path[:1]
    line, column = find(root, path)
    return f"{study.path}:{line}:{column}: {dotted_path(path)}"
