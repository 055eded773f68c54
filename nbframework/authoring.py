"""The plugin authors' door: everything that a plugin may import from the frame."""

from annotated_types import Ge, Gt, Le, Lt

from nbframework import kernels
from nbframework.data.arff import write_arff
from nbframework.data.attribute import Attribute
from nbframework.data.codes import Codes
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, EvaluationError, NBFrameworkError, RecipeError
from nbframework.hookspecs import hookimpl
from nbframework.kernels.definitions.box import Objective, box_ascent
from nbframework.parts.base import Part
from nbframework.parts.classifier import Composition, FittedWhole, RowEncoder, WholeClassifier
from nbframework.parts.closed_form import ClosedForm, PowerForm
from nbframework.parts.density import Density, FittedDensity
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.distance import Distance, FittedDistance
from nbframework.parts.estimator import Estimator
from nbframework.parts.generator import DataGenerator
from nbframework.parts.missing import (
    FittedMissingPolicy,
    MissingPolicy,
    unknown_as_value,
    unseen_as_unknown,
    with_denominators,
)
from nbframework.parts.neighbourhood import FittedNeighbourhood, Neighbourhood, Neighbours
from nbframework.parts.rows import FloatArray, IntArray, Rows, Training
from nbframework.parts.structure import FittedFactoredStructure, FittedStructure, Structure
from nbframework.parts.weights import Evidence, WeightLearner
from nbframework.statistics.counts import Counts, count, from_cells
from nbframework.statistics.estimation import log_prior_smoothed, log_ratio, log_smoothed
from nbframework.statistics.information import entropy, mutual_information, relative_entropy
from nbframework.statistics.java_random import JavaRandom
from nbframework.statistics.moments import Moments
from nbframework.statistics.pairs import PairCounts, count_given, count_pairs, pair_table_bytes

__all__ = [
    "Attribute",
    "ClosedForm",
    "Codes",
    "Composition",
    "Counts",
    "DataError",
    "DataGenerator",
    "Dataset",
    "Density",
    "Discretizer",
    "Distance",
    "Estimator",
    "EvaluationError",
    "Evidence",
    "FittedDensity",
    "FittedDistance",
    "FittedFactoredStructure",
    "FittedMissingPolicy",
    "FittedNeighbourhood",
    "FittedStructure",
    "FittedWhole",
    "FloatArray",
    "Ge",
    "Gt",
    "IntArray",
    "JavaRandom",
    "Le",
    "Lt",
    "MissingPolicy",
    "Moments",
    "NBFrameworkError",
    "Neighbourhood",
    "Neighbours",
    "Objective",
    "PairCounts",
    "Part",
    "PowerForm",
    "RecipeError",
    "RowEncoder",
    "Rows",
    "Structure",
    "Training",
    "WeightLearner",
    "WholeClassifier",
    "box_ascent",
    "count",
    "count_given",
    "count_pairs",
    "entropy",
    "from_cells",
    "hookimpl",
    "kernels",
    "log_prior_smoothed",
    "log_ratio",
    "log_smoothed",
    "mutual_information",
    "pair_table_bytes",
    "relative_entropy",
    "unknown_as_value",
    "unseen_as_unknown",
    "with_denominators",
    "write_arff",
]
