"""Promises about how a part computes: any leading axes, and whole arrays."""

import copy
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.parts.density import Density, FittedDensity
from nbframework.parts.distance import Distance
from nbframework.parts.estimator import Estimator
from nbframework.parts.missing import MissingPolicy
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.rows import Training
from nbframework.parts.structure import FittedFactoredStructure, Structure
from nbframework.parts.weights import Evidence, WeightLearner
from nbframework.testing.composing import TOLERANCE, data_for, recipe_with

FloatArray = NDArray[np.float64]
ROUNDING = 1e-12
"""Largest difference of two sums of log densities, relative to the sum where that is above 1."""
FEW, MANY = 48, 384
"""Rows of the two data sets whose work is compared."""
GROWTH = 3.0
"""How much more of its own lines a part may run for eight times the rows, where it runs more than one a row."""


def has_leading_axes(part: Part) -> bool:
    """Whether the part computes for many groups, or for many queries, at once."""
    if isinstance(part, Structure):
        return part.handles_groups
    return isinstance(part, MissingPolicy | Estimator | Density | WeightLearner | Neighbourhood | Distance)


def leading_axes(part: Part, data: Dataset) -> None:
    """Raise AssertionError where many groups or queries at once are not answered like one by one."""
    composition = recipe_with(part).build().composition
    _, rows = composition.encode(data)
    if isinstance(part, Neighbourhood):
        _blocks_of_neighbours(part, rows)
    elif isinstance(part, Distance):
        fitted = part.fit(rows)
        together = fitted.between(rows)
        alone = np.concatenate([fitted.between(rows.take(slice(i, i + 1))) for i in range(len(rows))])
        _same(together, alone, "distances of all queries at once against one by one")
    else:
        groups = _grouped(rows)
        for name, compute in _computed(part, composition):
            together = compute(groups)
            for g in range(groups.groups or 0):
                _same(together[g], compute(groups.part_of(g)), f"{name} of group {g} among {groups.groups}")


def _grouped(training: Training) -> Training:
    """Return the rows cut into three groups that overlap and differ in size."""
    n = len(training)
    parts = [np.arange(n // 2 + 1), np.arange(n // 3, n), np.arange(0, n, 2)]
    row = np.concatenate(parts)
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.intp)
    return replace(
        training, selection=row, class_codes=training.class_codes[row], start=start, reference=training.counts
    )


Computed = Iterator[tuple[str, Callable[[Training], FloatArray]]]


def _computed(part: Part, composition: Any) -> Computed:
    """Yield what the part computes from a training set, with the leading axis of its groups."""
    if isinstance(part, MissingPolicy):
        yield "the denominators", lambda training: training.counts.known
        yield "the numbers of values", _cardinality
    elif isinstance(part, Estimator):
        yield "log_conditional", lambda training: part.log_conditional(training.counts)
        yield "log_prior", lambda training: part.log_prior(training.counts)
    elif isinstance(part, Density):
        yield "log_density", lambda training: _asked_everywhere(training, _density(part, training))
    elif isinstance(part, Structure):
        yield "log_joint", lambda training: _asked_everywhere(training, _structure(part, training, composition))
    elif isinstance(part, WeightLearner):
        yield "the exponents", lambda training: _exponents(part, training, composition)


def _cardinality(training: Training) -> FloatArray:
    """Return the numbers of values, (g, a) or (a,): one for all groups stands for each."""
    known = training.counts.known
    return np.broadcast_to(training.counts.cardinality, (*known.shape[:-2], known.shape[-1]))


def _density(part: Density, training: Training) -> Callable[[NDArray[np.intp] | None], FloatArray]:
    t = training
    fitted = part.fit(t.measured, t.classes, t.class_count, t.weights, t.start)
    return lambda group: np.nan_to_num(fitted.log_density(_first(t).measured, group), neginf=-np.inf, posinf=np.inf)


def _structure(
    part: Structure, training: Training, composition: Any
) -> Callable[[NDArray[np.intp] | None], FloatArray]:
    fitted = part.fit(training, composition.estimator, composition.density)
    return lambda group: fitted.log_joint(_first(training), group)


def _first(training: Training) -> Any:
    """Return the queries: the first rows of the source, whatever the groups."""
    return replace(training, selection=None, start=None).take(slice(0, 20))


def _asked_everywhere(training: Training, ask: Callable[[NDArray[np.intp] | None], FloatArray]) -> FloatArray:
    """Return the answers of each group, or of the only one."""
    queries = len(_first(training))
    if training.groups is None:
        return ask(None)
    return np.stack([ask(np.full(queries, g, dtype=np.intp)) for g in range(training.groups)])


def _exponents(part: WeightLearner, training: Training, composition: Any) -> FloatArray:
    structure = composition.structure.fit(training, composition.estimator, composition.density)
    assert isinstance(structure, FittedFactoredStructure)
    evidence = Evidence(training, structure, composition.structure, composition.estimator, composition.density)
    return part.learn(evidence, copy.deepcopy(np.random.default_rng(1)))


def _blocks_of_neighbours(part: Neighbourhood, rows: Training) -> None:
    fitted = part.fit(rows)
    together = fitted.around(rows)
    for index in range(len(rows)):
        one = fitted.around(rows.take(slice(index, index + 1)))
        found = slice(together.start[index], together.start[index + 1])
        order, alone = np.argsort(together.row[found], kind="stable"), np.argsort(one.row, kind="stable")
        assert np.array_equal(together.row[found][order], one.row[alone]), (
            f"the neighbours of query {index} among all queries are not those of the query alone"
        )
        _same(
            together.log_weight[found][order], one.log_weight[alone], f"log weights of the neighbours of query {index}"
        )


def sums_of_densities(part: Part, data: Dataset) -> None:
    """Raise AssertionError where `log_likelihood` is not the sum of `log_density` over the known values."""
    assert isinstance(part, Density)
    _, rows = recipe_with(part).build().composition.encode(data)
    for training in (rows, _grouped(rows)):
        fitted = part.fit(training.measured, training.classes, training.class_count, training.weights, training.start)
        group = None if training.groups is None else np.arange(len(rows)) % training.groups
        found = fitted.log_likelihood(rows.measured, group)
        expected = FittedDensity.log_likelihood(fitted, rows.measured, group)
        size = np.maximum(1.0, np.abs(np.where(np.isfinite(expected), expected, 0.0)))
        _same(found, expected, "log_likelihood", "as the sum of log_density", ROUNDING * size)


def _same(
    one: FloatArray, other: FloatArray, what: str, way: str = "alone", tolerance: float | FloatArray = TOLERANCE
) -> None:
    assert one.shape == other.shape, f"{what}: shape {one.shape} against {other.shape}"
    both = np.isfinite(one) & np.isfinite(other)
    equal = np.where(both, np.abs(np.where(both, one, 0.0) - np.where(both, other, 0.0)) <= tolerance, one == other)
    if not equal.all():
        place = tuple(int(i) for i in np.argwhere(~equal)[0])
        raise AssertionError(f"{what}: at {place} {one[place]} against {other[place]} {way}")


def whole_arrays(part: Part, data: Dataset) -> None:
    """Raise AssertionError where the lines of its own that a part runs grow with the rows.

    Lines are counted, not seconds, so that the answer is the same on every machine.
    """
    del data
    few, many = (_lines_of(part, rows) for rows in (FEW, MANY))
    assert many - few < MANY - FEW or many <= GROWTH * few, (
        f"{many} lines of its own run for {MANY} rows and {few} for {FEW}: a loop over rows in Python"
    )


def _lines_of(part: Part, rows: int) -> int:
    data = data_for(part, rows)
    recipe = recipe_with(part)
    with _counted_lines(_own_files(part)) as lines:
        recipe.build().fit(data, seed=1).predict_log_proba(data)
    return lines[0]


def _own_files(part: Part) -> str:
    """Return the folder of the part's package, or its file where it is in no package."""
    file = Path(inspect.getfile(type(part)))
    return str(file.parent) if (file.parent / "__init__.py").is_file() else str(file)


@contextmanager
def _counted_lines(files: str) -> Iterator[list[int]]:
    lines = [0]

    def line(_: FrameType, event: str, __: Any) -> Any:
        lines[0] += event == "line"
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(files) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield lines
    finally:
        sys.settrace(before)
