"""Tuned parameters of a recipe: ``{tune: {from: 1, to: 100}}`` in the place of a number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from nbframework.classifier.grid import MOST_SETTINGS, Grid
from nbframework.classifier.tuned import By
from nbframework.errors import RecipeError, did_you_mean
from nbframework.evaluation.metrics import METRICS
from nbframework.parts import Part
from nbframework.parts.base import Parameter, parameters
from nbframework.recipe.nodes import Entry, Faults, Node

TUNE = "tune"
KEYS = ("from", "to", "step", "scale", "values", "by", "folds", "metric")
SCALES = ("linear", "log")
FOLDS = 10
"""Inner folds where the recipe does not say."""


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """A parameter whose value is chosen by the training rows.

    Parameters
    ----------
    path
        The parameter, such as ``neighbourhood.kappa`` or ``neighbourhood.distance.power``.
    values
        The values to try; they are sorted, and equal ones tried once.
    by
        leave-one-out, or cross-validation in inner folds.
    folds
        Number of inner folds.
    metric
        The name of the metric that decides.

    Raises
    ------
    RecipeError
        On no value, or an unknown ``by``, ``metric`` or number of folds.
    """

    path: str
    values: tuple[float, ...]
    by: By = "leave-one-out"
    folds: int = FOLDS
    metric: str = "accuracy"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(sorted(set(self.values))))
        faults = [] if self.values else ["there is no value to try"]
        if self.by not in get_args(By):
            faults.append(f"by: found {self.by!r}, expected {' or '.join(get_args(By))}")
        if type(self.folds) is not int or self.folds < 2:
            faults.append(f"folds: found {self.folds!r}, expected a whole number of at least 2")
        if self.metric not in METRICS:
            faults.append(f"metric: found {self.metric!r}, expected one of {', '.join(METRICS)}")
        if faults:
            raise RecipeError("\n".join(f"{self.path}: {TUNE}: {fault}" for fault in faults))

    def clause(self) -> dict[str, Any]:
        """Return what a recipe writes in the place of the value."""
        steps = _as_progression(self.values)
        clause = steps if steps is not None else {"values": list(self.values)}
        inner = {"folds": self.folds} if self.by == "cross-validation" else {}
        return {TUNE: {**clause, "by": self.by, **inner, "metric": self.metric}}


def _as_progression(values: Sequence[float]) -> dict[str, float] | None:
    """Return whole numbers with equal steps as from, to and step."""
    if len(values) < 3 or not all(type(value) is int for value in values):
        return None
    step = values[1] - values[0]
    if list(values) != list(range(int(values[0]), int(values[-1]) + 1, int(step))):
        return None
    return {"from": values[0], "to": values[-1], **({"step": step} if step != 1 else {})}


def progression(start: float, stop: float, step: float | None, scale: str, whole: bool) -> tuple[float, ...]:
    """Return the values from start to stop, both included where the steps meet it.

    Parameters
    ----------
    start, stop
        The smallest and largest value.
    step
        linear: what is added, 1 by default; log: what each value is multiplied by, 10 by default.
    scale
        linear or log.
    whole
        Round to whole numbers, for a parameter that takes nothing else.

    Raises
    ------
    RecipeError
        Where the numbers make no progression, or one of more than 10,000 values.
    """
    step = {"linear": 1, "log": 10}[scale] if step is None else step
    least = 0 if scale == "linear" else 1
    if not step > least:
        raise RecipeError(f"step: found {step:g}, expected a number above {least}")
    if stop < start:
        raise RecipeError(f"to: found {stop:g}, expected at least {start:g}")
    if scale == "log" and not start > 0:
        raise RecipeError(f"from: found {start:g}, expected a number above 0 on a log scale")
    # rounding must not cost the last value
    steps = (stop - start) / step if scale == "linear" else math.log(stop / start) / math.log(step)
    if steps >= MOST_SETTINGS:
        raise RecipeError(f"{steps + 1:.6g} values to try, expected at most {MOST_SETTINGS}")
    numbers = range(math.floor(steps + 1e-9) + 1)
    values: list[float] = [start + i * step if scale == "linear" else start * step**i for i in numbers]
    if whole and scale == "log":
        values = [round(value) for value in values]
    exact = [value if type(value) is int else float(f"{value:.12g}") for value in values]
    return tuple(dict.fromkeys(exact))


def values_of(text: str, parameter: Parameter) -> tuple[float, ...]:
    """Return the ascending values that a text such as ``1:100``, ``1:300:10`` or ``0.1,1,10`` lists.

    Raises
    ------
    RecipeError
        Where it is no list, or a value is not allowed for the parameter.
    """
    trimmed = text.strip().removeprefix("[").removesuffix("]")
    numbers = [_number_of(word, text) for word in trimmed.replace(":", ",").split(",")]
    if ":" in trimmed:
        if "," in trimmed or len(numbers) > 3:
            raise RecipeError(f"found {text!r}, expected FROM:TO, FROM:TO:STEP or VALUE,VALUE")
        step = numbers[2] if len(numbers) == 3 else None
        values = progression(numbers[0], numbers[1], step, "linear", parameter.plain is int)
    else:
        values = tuple(sorted(set(numbers)))
    check_values(parameter, values)
    return values


def _number_of(word: str, text: str) -> float:
    try:
        return int(word)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        message = f"found {word.strip()!r} in {text!r}, expected numbers as FROM:TO, FROM:TO:STEP or VALUE,VALUE"
        raise RecipeError(message) from None


def is_clause(node: Node) -> bool:
    """Return whether a node stands for a tuned value."""
    return isinstance(node.value, dict) and list(node.value) == [TUNE]


def read_clause(parameter: Parameter, node: Node, path: str, source: str, faults: Faults) -> Tuning | None:
    """Return the tuned parameter that a node describes, or None after noting what is wrong with it."""
    count = len(faults)
    ((_, entry),) = node.value.items()  # type: ignore[union-attr]  # it is a clause
    place = (source, entry.key_line or None, entry.key_column or None, f"{path}.{TUNE}")
    given = entry.node.value
    if parameter.plain not in (int, float):
        faults.add(*place, f"only numbers are tuned; {parameter.name} is {parameter.expected()}")
    elif not isinstance(given, dict):
        faults.add(*place, "expected {from: 1, to: 100} or {values: [1, 2, 5]}")
    else:
        for key, item in given.items():
            if key not in KEYS:
                hint = did_you_mean(key, KEYS) or f" (keys: {', '.join(KEYS)})"
                faults.add(source, item.key_line, item.key_column, f"{path}.{TUNE}.{key}", f"unknown key{hint}")
    if len(faults) > count or not isinstance(given, dict):
        return None
    try:
        plain = {key: _plain(key, item) for key, item in given.items()}
        values = _values(plain, parameter)
        others = {key: plain[key] for key in ("by", "folds", "metric") if key in plain}
        tuning = Tuning(path=path, values=values, **others)
        check_values(parameter, tuning.values)
    except RecipeError as error:
        for line in str(error).splitlines():
            faults.add(*place, line.removeprefix(f"{path}: {TUNE}: "))
        return None
    return tuning


def _plain(key: str, item: Entry) -> Any:
    value = item.node.value
    if key == "values":
        listed = value if isinstance(value, list) else [item.node]
        return [_number(key, node) for node in listed]
    if key in ("from", "to", "step"):
        return _number(key, item.node)
    return value


def _number(key: str, node: Node) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise RecipeError(f"{key}: found {node.raw or node.value!r}, expected a number")
    return node.value


def _values(given: Mapping[str, Any], parameter: Parameter) -> tuple[float, ...]:
    scale = given.get("scale", "linear")
    if scale not in SCALES:
        raise RecipeError(f"scale: found {scale!r}, expected {' or '.join(SCALES)}{did_you_mean(str(scale), SCALES)}")
    if "values" in given:
        if surplus := [key for key in ("from", "to", "step", "scale") if key in given]:
            raise RecipeError(f"values and {surplus[0]} exclude each other")
        return tuple(given["values"])
    if absent := [key for key in ("from", "to") if key not in given]:
        raise RecipeError(f"{absent[0]} is missing; expected {{from: 1, to: 100}} or {{values: [1, 2, 5]}}")
    return progression(given["from"], given["to"], given.get("step"), scale, parameter.plain is int)


def check_values(parameter: Parameter, values: Sequence[float]) -> None:
    """Raise RecipeError where a value is not allowed for a parameter, naming the first one."""
    for value in values:
        fault = parameter.fault(float(value) if parameter.plain is float and type(value) is int else value)
        if fault:
            raise RecipeError(f"found {value!r}, expected {fault}")


def numeric_parameter(part: Part | None, path: str) -> Parameter:
    """Return the parameter that a path means within the part of its key.

    Raises
    ------
    RecipeError
        Where there is no such number.
    """
    key, *steps = path.split(".")
    if not steps:
        raise RecipeError(f"{path}: expected kind.parameter, such as neighbourhood.k")
    for index, step in enumerate(steps):
        if part is None:
            raise RecipeError(f"{path}: the recipe names no {key}")
        known = {parameter.name: parameter for parameter in parameters(type(part))}
        if step not in known:
            listed = f" (parameters of {part.name}: {', '.join(known) or 'none'})"
            raise RecipeError(f"{path}: unknown parameter{did_you_mean(step, known)}{listed}")
        value = getattr(part, step)
        if index == len(steps) - 1:
            if known[step].plain not in (int, float):
                raise RecipeError(f"{path}: only numbers are tuned; {step} is {known[step].expected()}")
            return known[step]
        part, key = (value if isinstance(value, Part) else None), step
    raise AssertionError("a path has steps")


def grid_of(tunings: Sequence[Tuning]) -> Grid:
    """Return the grid of tuned parameters that are chosen together.

    Raises
    ------
    RecipeError
        Where they are not to be chosen in the same way, or are too many.
    """
    for tuning in tunings[1:]:
        for key in ("by", "folds", "metric"):
            one, other = getattr(tunings[0], key), getattr(tuning, key)
            if one != other and (key != "folds" or tuning.by == "cross-validation"):
                raise RecipeError(
                    f"{tunings[0].path} and {tuning.path} are chosen together, but {key} is {one} and {other}"
                )
    return Grid(tuple(tuning.path for tuning in tunings), tuple(tuning.values for tuning in tunings))
