"""A part inside a recipe, and data that it can take."""

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.parts.classifier import WholeClassifier
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.distance import Distance
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.structure import Structure
from nbframework.parts.weights import WeightLearner
from nbframework.plugins import Source, installed
from nbframework.recipe import Recipe
from nbframework.testing import datasets

FloatArray = NDArray[np.float64]
TOLERANCE = 1e-9
"""Largest difference of a posterior, or of a logarithm, between two ways that should agree."""


def recipe_with(part: Part) -> Recipe:
    """Return the default recipe with the part in its place."""
    if isinstance(part, Distance):
        return Recipe(neighbourhood=neighbourhood_with(part))
    return Recipe(**{part.kind: part})  # type: ignore[arg-type]  # the kind is the key


def neighbourhood_with(distance: Distance) -> Neighbourhood:
    """Return any installed neighbourhood that takes a distance, with this one."""
    plugins = installed()
    for name in plugins.names("neighbourhood"):
        part = plugins.find("neighbourhood", name).part
        for parameter in parameters(part):
            if parameter.is_part and issubclass(parameter.plain, Distance):
                made = part(**{parameter.name: distance})
                assert isinstance(made, Neighbourhood)
                return made
    raise AssertionError("no installed neighbourhood takes a distance")


def data_for(part: Part, rows: int = 60, unknown: bool = True) -> Dataset:
    """Return mixed data that the part can take."""
    return fit_for(part, datasets.mixed(rows, numeric=takes_numeric(part), unknown=unknown))


def takes_numeric(part: Part) -> bool:
    """Whether the part takes attributes that stayed numeric."""
    return not isinstance(part, Structure | WeightLearner | WholeClassifier) or part.handles_measured


def wants_numeric(part: Part) -> bool:
    """Whether the part does nothing where no attribute is numeric."""
    return part.kind == "density" or isinstance(part, Discretizer)


def fit_for(part: Part, data: Dataset) -> Dataset:
    """Return the data, without the signs of numbers where the part takes none below 0."""
    return datasets.unsigned(data) if isinstance(part, Density) and part.lowest >= 0 else data


def posterior(part: Part, training: Dataset, queries: Dataset) -> FloatArray:
    """Return (q, C) posteriors of queries by the recipe with the part."""
    return recipe_with(part).build().fit(training, seed=1).predict_proba(queries)


def agree(one: FloatArray, other: FloatArray, what: str) -> None:
    """Raise AssertionError where two (q, C) posteriors differ."""
    difference = np.abs(one - other).max(axis=1)
    row = int(difference.argmax())
    assert difference[row] <= TOLERANCE, (
        f"{what}: posteriors differ by up to {difference[row]:.3g}, in row {row} {one[row].tolist()} against "
        f"{other[row].tolist()}"
    )


def make_known(part: Part) -> None:
    """Let recipes find the part by its name where it is not installed, as ``NBFRAMEWORK_PLUGINS`` would.

    Raises
    ------
    AssertionError
        Where its module does not register it, with everything that is wrong with the module.
    """
    plugins, module = installed(), type(part).__module__
    if part.name not in plugins.names(part.kind):
        plugins.load(Source(module, module))
    faults = [str(fault) for fault in plugins.faults if fault.source.module == module]
    registered = part.name in plugins.names(part.kind) and not faults
    assert registered, (
        f"recipes cannot name the {part.kind} {part.name!r}, because its module {module} does not register it"
        + "".join(f"\n{fault}" for fault in faults)
    )
