"""One abstract class for each kind of part, with its contract."""

from collections.abc import Mapping
from types import MappingProxyType

from nbframework.parts.base import Part
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

KINDS: Mapping[str, type[Part]] = MappingProxyType(
    {
        base.kind: base
        for base in (
            MissingPolicy,
            Discretizer,
            Neighbourhood,
            Distance,
            Estimator,
            Density,
            WeightLearner,
            Structure,
            WholeClassifier,
            DataGenerator,
        )
    }
)
"""The ten kinds by name."""

COMPOSED = ("missing", "discretizer", "neighbourhood", "estimator", "density", "weights", "structure")
"""The kinds of which every composition has exactly one part."""

__all__ = ["COMPOSED", "KINDS", "Part"]
