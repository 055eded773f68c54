"""The attributes of a page: the values that can be chosen, and what stands behind each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.errors import EvaluationError
from nbframework.parts.discretizer import Discretizer
from nbframework.report.evidence.asking import SHOWN, AskedModel, plain

FloatArray = NDArray[np.float64]
MOST_CELLS = 300_000
"""Numbers that the table of one factor may have."""
QUANTILES = 11
POINTS = 101
"""Values at which a density without a formula is given."""
FORMS = ("gaussian", "counts", "threshold")
"""The densities whose formula the page knows, as `FittedDensity.described` calls them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PageAttribute:
    """One attribute.

    Parameters
    ----------
    position
        Among the inputs.
    attribute
        Its declaration.
    probes
        (c,) a raw value for each choice: the values or intervals, then one that never occurred, then unknown; None
        where the attribute stayed numeric.
    labels
        (c,) the choices in words.
    cuts
        The cut points of a discretized attribute, else None.
    discretizer
        Encodes raw values of a discretized attribute.
    alternatives
        The choices, or numbers, that a change of the case tries.
    """

    position: int
    attribute: Attribute
    probes: FloatArray | None
    labels: tuple[str, ...] = ()
    cuts: FloatArray | None = None
    discretizer: Discretizer | None = field(default=None)
    alternatives: tuple[float, ...] = ()

    def coded(self, column: NDArray[Any]) -> list[Any]:
        """Return raw values as the page has them: the number of the choice, or the number itself (None unknown)."""
        if self.probes is None:
            return [None if np.isnan(value) else float(value) for value in column]
        if self.cuts is None or self.discretizer is None:
            return [int(code) for code in column]
        codes = self.discretizer.encode(column, self.cuts)
        return [len(self.probes) - 1 if np.isnan(x) else int(code) for x, code in zip(column, codes, strict=True)]


def page_attributes(asked: AskedModel) -> list[PageAttribute]:
    """Return all inputs in file order."""
    return [_attribute(asked, position, attribute) for position, attribute in enumerate(asked.inputs)]


def _attribute(asked: AskedModel, position: int, attribute: Attribute) -> PageAttribute:
    encoder = asked.model.encoder
    if attribute.values is not None:
        size = attribute.cardinality
        return PageAttribute(
            position=position,
            attribute=attribute,
            probes=np.arange(size + 2, dtype=np.float64),
            labels=attribute.values,
            alternatives=tuple(range(size)),
        )
    if position not in encoder.cuts:
        known = asked.model.training.dataset.input_columns[position]
        known = known[~np.isnan(known)]
        values = np.unique(np.quantile(known, np.linspace(0, 1, QUANTILES))) if len(known) else np.empty(0)
        return PageAttribute(position=position, attribute=attribute, probes=None, alternatives=tuple(values.tolist()))
    cuts, discretizer = encoder.cuts[position], encoder.discretizer
    probes = _one_of_each(discretizer, cuts)
    size = len(probes) - 2
    never = () if np.isnan(probes[size]) else (size,)
    return PageAttribute(
        position=position,
        attribute=attribute,
        probes=probes,
        labels=_labels(discretizer, attribute, cuts, size),
        cuts=cuts,
        discretizer=discretizer,
        alternatives=(*range(size), *never) if len(cuts) else (),
    )


def _one_of_each(discretizer: Discretizer, cuts: FloatArray) -> FloatArray:
    """Return a value for each code, one that has the code *unseen* (NaN where none has), and NaN."""
    size = discretizer.cardinality(cuts)
    tried = np.zeros(1)
    if len(cuts):
        tried = np.unique(np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)]))
    codes = discretizer.encode(tried, cuts)
    probes = np.full(size + 2, np.nan)
    for code in range(size + 1):
        found = np.flatnonzero(codes == code)
        if len(found):
            probes[code] = tried[found[0]]
        elif code < size:
            raise EvaluationError(f"discretizer {discretizer.name!r}: no value has the code {code}")
    return probes


def _labels(discretizer: Discretizer, attribute: Attribute, cuts: FloatArray, size: int) -> tuple[str, ...]:
    words = _numbers(attribute, cuts)
    if type(discretizer).encode is not Discretizer.encode:
        of_cut = discretizer.encode(cuts, cuts) if len(cuts) else np.empty(0)
        return tuple(words) if np.array_equal(of_cut, np.arange(size)) else tuple(f"part {i + 1}" for i in range(size))
    if not words:
        return ("any number",)
    between = [f"{low} < x ≤ {high}" for low, high in pairwise(words)]
    return (f"x ≤ {words[0]}", *between, f"x > {words[-1]}")


def _numbers(attribute: Attribute, numbers: FloatArray) -> Sequence[str]:
    if attribute.kind == "date":
        return [str(np.datetime64(int(number), "ms")) for number in numbers]
    short = [f"{number:.6g}" for number in numbers]
    return short if len(set(short)) == len(short) else [repr(float(number)) for number in numbers]


def factor_table(asked: AskedModel, page: list[PageAttribute], position: int) -> FloatArray:
    """Return (p, c, C) log factors of a coded attribute: for each combination of the parents' choices, each choice.

    Raises
    ------
    EvaluationError
        Where a parent is no coded attribute, or the table is too large.
    """
    own, parents = page[position].probes, [page[parent].probes for parent in asked.parents(position)]
    classes = len(asked.schema.class_values)
    sizes = [0 if probes is None else len(probes) for probes in (*parents, own)]
    if not 0 < classes * float(np.prod(sizes)) <= MOST_CELLS:
        name = asked.inputs[position].name
        raise EvaluationError(
            f"{SHOWN}; attribute {name!r} has {'x'.join(map(str, sizes))} values given its parents and {classes} "
            f"classes, more than the {MOST_CELLS} numbers that a page takes"
        )
    grid = np.array(list(product(*(range(size) for size in sizes))), dtype=np.intp)
    columns = {
        at: _raw(asked.inputs[at], page[at].probes, grid[:, axis])
        for axis, at in enumerate((*asked.parents(position), position))
    }
    return asked.log_factors(asked.rows(columns, len(grid)), position).reshape(-1, sizes[-1], classes)


def _raw(attribute: Attribute, probes: FloatArray | None, chosen: NDArray[np.intp]) -> Any:
    values = np.full(len(chosen), np.nan) if probes is None else probes[chosen]
    return values.astype(np.intp) if attribute.is_nominal else values


def density_form(asked: AskedModel, position: int, also: Sequence[float]) -> dict[str, Any]:
    """Return the formula of a density and its numbers by class, or its logarithms at some values.

    Parameters
    ----------
    asked
        The model.
    position
        Of an attribute that stayed numeric.
    also
        Values at which logarithms are wanted besides quantiles of the training values.
    """
    training = asked.model.training
    column = training.measured_inputs.tolist().index(position)
    part = asked.model.parts.density
    known = training.measured[:, column][~np.isnan(training.measured[:, column])]
    found = part.fit(training.measured, training.classes, training.class_count, training.weights).described()
    if found is not None and found["form"] in FORMS:
        numbers = {key: plain(x[:, column]) if isinstance(x, np.ndarray) else x for key, x in found.items()}
    else:
        spread = np.quantile(known, np.linspace(0, 1, POINTS), method="nearest") if len(known) else known
        tried = np.quantile(known, np.linspace(0, 1, QUANTILES)) if len(known) else known
        points = np.unique(np.concatenate([spread, tried, np.asarray(also, dtype=np.float64)]))
        logs = asked.log_factors(asked.rows({position: points}, len(points)), position)
        numbers = {"form": "table", "points": points.tolist(), "log": plain(logs)}
    return {**numbers, "name": part.name, "range": [float(known.min()), float(known.max())] if len(known) else [0, 1]}
