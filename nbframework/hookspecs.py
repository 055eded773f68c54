"""One collecting hook for each kind of part; each returns classes."""

from collections.abc import Iterable
from pathlib import Path

import pluggy

from nbframework.parts.classifier import WholeClassifier
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.distance import Distance
from nbframework.parts.estimator import Estimator
from nbframework.parts.generator import DataGenerator
from nbframework.parts.missing import MissingPolicy
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.structure import Structure
from nbframework.parts.weights import WeightLearner

PROJECT = "nbframework"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def nbframework_missing_policies() -> Iterable[type[MissingPolicy]]:  # type: ignore[empty-body]  # a specification
    """Return the missing-value policies of a plugin."""


@hookspec
def nbframework_discretizers() -> Iterable[type[Discretizer]]:  # type: ignore[empty-body]  # a specification
    """Return the discretizers of a plugin."""


@hookspec
def nbframework_neighbourhoods() -> Iterable[type[Neighbourhood]]:  # type: ignore[empty-body]  # a specification
    """Return the neighbourhoods of a plugin."""


@hookspec
def nbframework_distances() -> Iterable[type[Distance]]:  # type: ignore[empty-body]  # a specification
    """Return the distances of a plugin."""


@hookspec
def nbframework_estimators() -> Iterable[type[Estimator]]:  # type: ignore[empty-body]  # a specification
    """Return the probability estimators of a plugin."""


@hookspec
def nbframework_densities() -> Iterable[type[Density]]:  # type: ignore[empty-body]  # a specification
    """Return the densities of a plugin."""


@hookspec
def nbframework_weight_learners() -> Iterable[type[WeightLearner]]:  # type: ignore[empty-body]  # a specification
    """Return the weight learners of a plugin."""


@hookspec
def nbframework_structures() -> Iterable[type[Structure]]:  # type: ignore[empty-body]  # a specification
    """Return the dependence structures of a plugin."""


@hookspec
def nbframework_classifiers() -> Iterable[type[WholeClassifier]]:  # type: ignore[empty-body]  # a specification
    """Return the whole classifiers of a plugin."""


@hookspec
def nbframework_generators() -> Iterable[type[DataGenerator]]:  # type: ignore[empty-body]  # a specification
    """Return the generators of artificial data sets of a plugin."""


@hookspec
def nbframework_recipes() -> Path:  # type: ignore[empty-body]  # a specification
    """Return the folder with the recipes that a plugin ships."""


HOOK_OF_KIND = {
    "missing": "nbframework_missing_policies",
    "discretizer": "nbframework_discretizers",
    "neighbourhood": "nbframework_neighbourhoods",
    "distance": "nbframework_distances",
    "estimator": "nbframework_estimators",
    "density": "nbframework_densities",
    "weights": "nbframework_weight_learners",
    "structure": "nbframework_structures",
    "classifier": "nbframework_classifiers",
    "generator": "nbframework_generators",
}
