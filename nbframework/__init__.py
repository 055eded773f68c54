"""nbframework: naive-Bayes classifiers composed from published parts, and their evaluation."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbframework.classifier import Classifier, FittedClassifier
    from nbframework.data.arff import format_arff, parse_arff, read_arff, write_arff
    from nbframework.data.attribute import Attribute
    from nbframework.data.dataset import Dataset
    from nbframework.errors import DataError, EvaluationError, NBFrameworkError, PluginError, RecipeError
    from nbframework.evaluation.evaluate import Evaluation, EvaluationProtocol, evaluate
    from nbframework.recipe import Recipe

_HOME = {
    "Attribute": "nbframework.data.attribute",
    "Classifier": "nbframework.classifier",
    "DataError": "nbframework.errors",
    "Dataset": "nbframework.data.dataset",
    "Evaluation": "nbframework.evaluation.evaluate",
    "EvaluationError": "nbframework.errors",
    "EvaluationProtocol": "nbframework.evaluation.evaluate",
    "FittedClassifier": "nbframework.classifier",
    "NBFrameworkError": "nbframework.errors",
    "PluginError": "nbframework.errors",
    "Recipe": "nbframework.recipe",
    "RecipeError": "nbframework.errors",
    "evaluate": "nbframework.evaluation.evaluate",
    "format_arff": "nbframework.data.arff",
    "parse_arff": "nbframework.data.arff",
    "read_arff": "nbframework.data.arff",
    "write_arff": "nbframework.data.arff",
}

__all__ = [
    "Attribute",
    "Classifier",
    "DataError",
    "Dataset",
    "Evaluation",
    "EvaluationError",
    "EvaluationProtocol",
    "FittedClassifier",
    "NBFrameworkError",
    "PluginError",
    "Recipe",
    "RecipeError",
    "evaluate",
    "format_arff",
    "parse_arff",
    "read_arff",
    "write_arff",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        # pyproject.toml is the one place where it stands
        return version("nbframework")
    if name not in _HOME:
        raise AttributeError(f"module 'nbframework' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
