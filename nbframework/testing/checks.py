"""The promises that every part keeps, each as one check."""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.parts.classifier import WholeClassifier
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.distance import Distance
from nbframework.parts.generator import DataGenerator
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.structure import Structure
from nbframework.parts.weights import WeightLearner
from nbframework.plugins import installed
from nbframework.recipe import Recipe
from nbframework.testing import datasets

FloatArray = NDArray[np.float64]
TOLERANCE = 1e-9
"""Largest difference of a posterior between two ways that should agree."""


@dataclass(frozen=True, eq=False)
class Check:
    """One promise of one part; calling it raises AssertionError where the promise is broken.

    Parameters
    ----------
    part
        The configured part.
    promise
        Its name in `PROMISES`.
    excuse
        The part's declared reason to break the promise, or None.
    """

    part: Part
    promise: str
    excuse: str | None

    def __call__(self) -> None:
        """Run the check; a declared exception is not run."""
        if self.excuse is None:
            PROMISES[self.promise](self.part)

    def __str__(self) -> str:
        return f"{self.part.kind}-{self.part.name}-{self.promise}"


def checks_of(part: Part) -> list[Check]:
    """Return the checks for a configured part; those that it declares in ``exceptions`` carry the reason."""
    if isinstance(part, DataGenerator):
        names = ["the_same_seed_gives_the_same_data"]
    else:
        names = [name for name in PROMISES if name != "the_same_seed_gives_the_same_data"]
    return [Check(part, name, part.exceptions.get(name)) for name in names]


def recipe_with(part: Part) -> Recipe:
    """Return the default recipe with the part in its place."""
    if isinstance(part, Distance):
        return Recipe(neighbourhood=_neighbourhood_with(part))
    return Recipe(**{part.kind: part})  # type: ignore[arg-type]  # the kind is the key


def data_for(part: Part, rows: int = 60, unknown: bool = True) -> Dataset:
    """Return mixed data that the part can take."""
    return _for_density(part, datasets.mixed(rows, numeric=_takes_numeric(part), unknown=unknown))


def _takes_numeric(part: Part) -> bool:
    return not isinstance(part, Structure | WeightLearner | WholeClassifier) or part.handles_measured


def _for_density(part: Part, data: Dataset) -> Dataset:
    """Return the data, without the signs of numbers where the part takes none below 0."""
    return datasets.unsigned(data) if isinstance(part, Density) and part.lowest >= 0 else data


def _wants_numeric(part: Part) -> bool:
    return part.kind == "density" or isinstance(part, Discretizer)


def _neighbourhood_with(distance: Distance) -> Neighbourhood:
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


def _posterior(part: Part, training: Dataset, queries: Dataset) -> FloatArray:
    return recipe_with(part).build().fit(training, seed=1).predict_proba(queries)


def _agree(one: FloatArray, other: FloatArray, what: str) -> None:
    difference = float(np.abs(one - other).max())
    row = int(np.abs(one - other).max(axis=1).argmax())
    assert difference <= TOLERANCE, (
        f"{what}: posteriors differ by up to {difference:.3g}, in row {row} {one[row].tolist()} against "
        f"{other[row].tolist()}"
    )


def _sums_to_one(part: Part) -> None:
    data = data_for(part)
    posterior = _posterior(part, data, data)
    sums = posterior.sum(axis=1)
    assert np.isfinite(posterior).all(), f"row {int(np.argmax(~np.isfinite(posterior).all(axis=1)))} is not finite"
    assert np.abs(sums - 1).max() <= 1e-12, f"row {int(np.abs(sums - 1).argmax())} sums to {sums.max()!r}"


def _weight_is_replication(part: Part) -> None:
    data = data_for(part)
    weighted, repeated = datasets.weighted(data)
    _agree(_posterior(part, weighted, data), _posterior(part, repeated, data), "weight 2 against the row twice")


def _row_order(part: Part) -> None:
    data = data_for(part)
    shuffled = data.take(np.random.default_rng(11).permutation(len(data)))
    _agree(_posterior(part, data, data), _posterior(part, shuffled, data), "rows in another order")


def _attribute_order(part: Part) -> None:
    data = data_for(part)
    other = datasets.reordered(data)
    _agree(_posterior(part, data, data), _posterior(part, other, other), "attributes in another order")


def _names(part: Part) -> None:
    data = data_for(part)
    other = datasets.renamed(data)
    _agree(_posterior(part, data, data), _posterior(part, other, other), "other names and order of nominal values")


def _prior_matters(part: Part) -> None:
    data = _for_density(part, datasets.unbalanced(_wants_numeric(part)))
    posterior = _posterior(part, data, data)
    mean = float(posterior[:, 0].mean())
    assert mean > 0.8, f"95 of 100 rows are of the first class, its mean posterior is {mean:.3f}"


def _does_not_underflow(part: Part) -> None:
    data = _for_density(part, datasets.wide(300, _wants_numeric(part)))
    posterior = _posterior(part, data, data)
    assert np.isfinite(posterior).all()
    assert np.abs(posterior.sum(axis=1) - 1).max() <= 1e-12


def _unseen_value(part: Part) -> None:
    data = data_for(part)
    columns = list(data.columns)
    columns[0] = np.full(len(data), data.attributes[0].unseen)
    queries = Dataset.from_columns(data.attributes, columns)
    posterior = _posterior(part, data, queries)
    assert np.isfinite(posterior).all(), "a value that never occurred in training"


def _all_unknown(part: Part) -> None:
    data = data_for(part)
    columns = list(data.columns)
    columns[0] = np.full(len(data), data.attributes[0].unknown)
    if data.attributes[-2].is_measured:
        columns[-2] = np.full(len(data), np.nan)
    blank = Dataset.from_columns(data.attributes, columns)
    assert np.isfinite(_posterior(part, blank, blank)).all(), "an attribute that is unknown in every row"


def _one_class(part: Part) -> None:
    data = data_for(part)
    alone = data.take(data.classes == 1)
    posterior = _posterior(part, alone, data)
    assert np.isfinite(posterior).all(), "only one of three declared classes occurs"
    assert (posterior.argmax(axis=1) == 1).mean() > 0.5, "the one class that occurs is not predicted"


def _is_not_changed(part: Part) -> None:
    data = data_for(part)
    before = dataclasses.asdict(part)
    first = _posterior(part, data, data)
    assert dataclasses.asdict(part) == before, "fitting changed the part"
    again = _posterior(part, data, data)
    assert np.array_equal(first, again), "fitting twice gives two answers"


def _rows_are_independent(part: Part) -> None:
    data = data_for(part)
    fitted = recipe_with(part).build().fit(data, seed=1)
    alone = np.concatenate([fitted.predict_proba(data.take([row])) for row in range(0, len(data), 7)])
    _agree(fitted.predict_proba(data)[::7], alone, "queries asked together against one by one")


def _generator_seed(part: Part) -> None:
    assert isinstance(part, DataGenerator)
    one, other = (part.generate(np.random.default_rng(1)) for _ in range(2))
    assert one.equals(other), "the same seed gives two data sets"


PROMISES: dict[str, Callable[[Part], None]] = {
    "probabilities_sum_to_one": _sums_to_one,
    "weight_two_is_the_row_twice": _weight_is_replication,
    "the_order_of_rows_changes_nothing": _row_order,
    "the_order_of_attributes_changes_nothing": _attribute_order,
    "names_change_nothing": _names,
    "the_prior_matters": _prior_matters,
    "many_attributes_do_not_underflow": _does_not_underflow,
    "an_unseen_value_is_answered": _unseen_value,
    "an_unknown_attribute_is_answered": _all_unknown,
    "one_class_is_answered": _one_class,
    "fitting_does_not_change_the_part": _is_not_changed,
    "queries_do_not_influence_each_other": _rows_are_independent,
    "the_same_seed_gives_the_same_data": _generator_seed,
}
"""Every promise by name."""


def all_checks() -> Iterator[Check]:
    """Yield the checks of every installed part that has no required parameter."""
    plugins = installed()
    plugins.load_all()
    for registration in plugins.registry:
        if all(parameter.default is not dataclasses.MISSING for parameter in parameters(registration.part)):
            yield from checks_of(registration.part())
