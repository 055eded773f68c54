"""The promises that every part keeps, each with the data that show it."""

import dataclasses
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nbframework.data.arff import format_arff, parse_arff
from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.parts.density import Density
from nbframework.parts.generator import DataGenerator
from nbframework.persistence import load_model, save_model
from nbframework.testing import datasets
from nbframework.testing.composing import agree, data_for, fit_for, make_known, posterior, recipe_with, wants_numeric
from nbframework.testing.contracts import has_leading_axes, leading_axes, sums_of_densities, whole_arrays

Data = Callable[[Part], Dataset]


@dataclass(frozen=True)
class Promise:
    """What a part promises.

    Parameters
    ----------
    words
        The promise in a few words.
    holds
        Raises AssertionError where the part breaks it on the data.
    data
        The data that show it.
    shrinks
        Whether it has to hold on any rows and attributes of these data, too, so that a small example can be sought.
    applies
        Whether the part makes it.
    """

    words: str
    holds: Callable[[Part, Dataset], None]
    data: Data = data_for
    shrinks: bool = True
    applies: Callable[[Part], bool] = lambda part: not isinstance(part, DataGenerator)


def _sums_to_one(part: Part, data: Dataset) -> None:
    found = posterior(part, data, data)
    finite = np.isfinite(found).all(axis=1)
    assert finite.all(), f"row {int(np.argmin(finite))} has the posterior {found[np.argmin(finite)].tolist()}"
    difference = np.abs(found.sum(axis=1) - 1)
    row = int(difference.argmax())
    assert difference[row] <= 1e-12, f"row {row} sums to {found[row].sum()!r}"


def _weight_is_replication(part: Part, data: Dataset) -> None:
    weighted, repeated = datasets.weighted(data)
    agree(posterior(part, weighted, data), posterior(part, repeated, data), "weights 1, 2, 3 against repeated rows")


def _row_order(part: Part, data: Dataset) -> None:
    shuffled = data.take(np.random.default_rng(11).permutation(len(data)))
    agree(posterior(part, data, data), posterior(part, shuffled, data), "rows in another order")


def _attribute_order(part: Part, data: Dataset) -> None:
    other = datasets.reordered(data)
    agree(posterior(part, data, data), posterior(part, other, other), "attributes in another order")


def _names(part: Part, data: Dataset) -> None:
    other = datasets.renamed(data)
    agree(posterior(part, data, data), posterior(part, other, other), "other names and order of nominal values")


def _unbalanced(part: Part) -> Dataset:
    return fit_for(part, datasets.unbalanced(wants_numeric(part)))


def _prior_matters(part: Part, data: Dataset) -> None:
    mean = float(posterior(part, data, data)[:, 0].mean())
    assert mean > 0.8, f"95 of 100 rows are of the first class, its mean posterior is {mean:.3f}"


def _wide(part: Part) -> Dataset:
    return fit_for(part, datasets.wide(300, wants_numeric(part)))


def _unseen_value(part: Part, data: Dataset) -> None:
    columns = list(data.columns)
    first = data.input_indexes[0]
    if data.attributes[first].is_nominal:
        columns[first] = np.full(len(data), data.attributes[first].unseen)
    found = posterior(part, data, Dataset.from_columns(data.attributes, columns))
    assert np.isfinite(found).all(), "a value that never occurred in training"


def _blank(part: Part) -> Dataset:
    """Return data with a nominal and a numeric attribute that are unknown in every row."""
    data = data_for(part)
    columns = list(data.columns)
    columns[0] = np.full(len(data), data.attributes[0].unknown)
    if data.attributes[-2].is_measured:
        columns[-2] = np.full(len(data), np.nan)
    return Dataset.from_columns(data.attributes, columns)


def _all_unknown(part: Part, data: Dataset) -> None:
    assert np.isfinite(posterior(part, data, data)).all(), "an attribute that is unknown in every row"


def _one_class(part: Part, data: Dataset) -> None:
    found = posterior(part, data.take(data.classes == 1), data)
    assert np.isfinite(found).all(), "only one of three declared classes occurs"
    assert (found.argmax(axis=1) == 1).mean() > 0.5, "the one class that occurs is not predicted"


def _is_not_changed(part: Part, data: Dataset) -> None:
    before = dataclasses.asdict(part)
    first = posterior(part, data, data)
    assert dataclasses.asdict(part) == before, "fitting changed the part"
    assert np.array_equal(first, posterior(part, data, data)), "fitting twice gives two answers"


def _rows_are_independent(part: Part, data: Dataset) -> None:
    fitted = recipe_with(part).build().fit(data, seed=1)
    alone = np.concatenate([fitted.predict_proba(data.take([row])) for row in range(0, len(data), 7)])
    agree(fitted.predict_proba(data)[::7], alone, "queries asked together against one by one")


def _saved(part: Part, data: Dataset) -> None:
    make_known(part)
    recipe = recipe_with(part)
    fitted = recipe.build().fit(data, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        save_model(path, recipe, fitted)
        found = load_model(path).fitted.predict_proba(data)
    agree(fitted.predict_proba(data), found, "the fitted classifier against the one from its model file")


def _generator_seed(part: Part, data: Dataset) -> None:
    assert data.equals(_generated(part)), "the same seed gives two data sets"


def _survives_a_file(part: Part, data: Dataset) -> None:
    assert len(data.class_values) > 1, f"{part.name}: the class has the values {data.class_values}"
    read = parse_arff(format_arff(data), class_attribute=data.class_attribute.name)
    assert read.equals(data), "written as ARFF and read again, the data set is another one"


def _generated(part: Part) -> Dataset:
    assert isinstance(part, DataGenerator)
    return part.generate(np.random.default_rng(1))


def _is_density(part: Part) -> bool:
    return isinstance(part, Density)


def _is_generator(part: Part) -> bool:
    return isinstance(part, DataGenerator)


PROMISES: dict[str, Promise] = {
    "probabilities_sum_to_one": Promise("posteriors are finite and sum to 1 within 1e-12", _sums_to_one),
    "weight_two_is_the_row_twice": Promise("a row of weight 2 counts as the row twice", _weight_is_replication),
    "the_order_of_rows_changes_nothing": Promise("the order of the training rows changes nothing", _row_order),
    "the_order_of_attributes_changes_nothing": Promise("the order of attributes changes nothing", _attribute_order),
    "names_change_nothing": Promise("names of attributes, names and order of values change nothing", _names),
    "the_prior_matters": Promise("of 95 rows against 5 the many are more probable", _prior_matters, _unbalanced, False),
    "many_attributes_do_not_underflow": Promise("300 attributes do not underflow", _sums_to_one, _wide),
    "an_unseen_value_is_answered": Promise("a value that never occurred is answered", _unseen_value),
    "an_unknown_attribute_is_answered": Promise(
        "an attribute without any known value is answered", _all_unknown, _blank
    ),
    "one_class_is_answered": Promise("training rows of one class are answered", _one_class),
    "fitting_does_not_change_the_part": Promise("fitting changes no part, and repeats itself", _is_not_changed),
    "queries_do_not_influence_each_other": Promise("queries do not influence each other", _rows_are_independent),
    "leading_axes_change_nothing": Promise(
        "many groups at once are answered like one by one", leading_axes, applies=has_leading_axes
    ),
    "likelihoods_are_sums_of_densities": Promise(
        "log_likelihood is the sum of log_density over the known values", sums_of_densities, applies=_is_density
    ),
    "saving_changes_nothing": Promise("saved and loaded, the classifier answers the same", _saved),
    "rows_are_taken_together": Promise("the part runs no loop over rows in Python", whole_arrays, shrinks=False),
    "the_same_seed_gives_the_same_data": Promise(
        "the same seed gives the same data", _generator_seed, _generated, False, _is_generator
    ),
    "the_data_survive_a_file": Promise(
        "the data have a class, and survive a file", _survives_a_file, _generated, False, _is_generator
    ),
}
"""Every promise by name."""
