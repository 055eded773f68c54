"""Values of some parameters of a classifier, and the classifier with each of them."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nbframework.classifier.model import Classifier
from nbframework.errors import RecipeError
from nbframework.parts import Part

MOST_SETTINGS = 10_000
"""Upper bound on the combinations of a grid."""


@dataclass(frozen=True)
class Grid:
    """Values of some parameters; its settings are all their combinations, the last parameter changing fastest.

    Parameters
    ----------
    paths
        Each parameter as ``kind.parameter``, or ``kind.parameter.parameter`` for a part within a part.
    values
        The values of each, ascending.

    Raises
    ------
    RecipeError
        Where a parameter has no value, or the settings are more than 10,000.
    """

    paths: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        for path, values in zip(self.paths, self.values, strict=True):
            if not values:
                raise RecipeError(f"{path}: there is no value to try")
        if len(self) > MOST_SETTINGS:
            counted = zip(self.paths, self.values, strict=True)
            factors = " x ".join(f"{len(values)} of {path}" for path, values in counted)
            raise RecipeError(f"{len(self)} settings to try ({factors}), expected at most {MOST_SETTINGS}")

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.values)

    def settings(self) -> Iterator[dict[str, float]]:
        """Yield the value of each parameter by its path, the smallest values first."""
        for point in itertools.product(*self.values):
            yield dict(zip(self.paths, point, strict=True))


def changed(classifier: Classifier, setting: Mapping[str, float]) -> Classifier:
    """Return a classifier with other values of some parameters, given by their paths."""
    for path, value in setting.items():
        key, *steps = path.split(".")
        field = "whole" if key == "classifier" else key
        part: Any = _with_value(getattr(classifier, field), steps, value)
        classifier = replace(classifier, **{field: part})
    return classifier


def _with_value(part: Part, steps: Sequence[str], value: float) -> Part:
    inner = value if len(steps) == 1 else _with_value(getattr(part, steps[0]), steps[1:], value)
    return replace(part, **{steps[0]: inner})
