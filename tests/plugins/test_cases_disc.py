"""The public problem cases of discretization, inline and from the shared files."""

import numpy as np
import pytest
from support.builders import fitted, table
from support.cases import case, needs_cases
from support.discretizing import codes, cuts_of

from nbframework import Attribute, Dataset

INLINE = {
    "DISC-01": "4.2 a; 4.2 a; 4.2 a; 4.2 a; 4.2 b; 4.2 b; 4.2 b; 4.2 b",
    "DISC-02-1": "1 a; 1 a; 1 a; 1 a; 1 a; 2 a; 2 b; 2 b; 3 b; 3 b; 3 b; 3 b; 3 b; 3 b",
    "DISC-02-2": "3 b; 3 b; 1 a; 3 b; 2 b; 2 a; 1 a; 3 b; 2 b; 3 b; 1 a; 1 a; 3 b; 1 a",
    "DISC-02-3": "3 b; 1 a; 2 b; 3 b; 3 b; 2 b; 3 b; 1 a; 1 a; 2 a; 3 b; 1 a; 1 a; 3 b",
    "DISC-03": "1 a; 2 a; 3 a; 4 a; 10 b; 11 b; 12 b; 13 b",
    "DISC-05": "1 a; 2 a; ? b; 3 a; 4 a; ? a; 10 b; 11 b; 12 b; 13 b",
    "DISC-08": "0 a; 0 a; 0 a; 0 a; 0 b; 0 b; 0 b; 0 b; 1 a; 2 b",
    "DISC-11": "0 a; 0.1 a; 0.2 b; 0.3 b",
    "DISC-12": "1 a; 2 b; 3 a; 4 b; 5 a; 6 b; 7 a; 8 b",
    "DISC-15": "1 a; 1 a; 2 b; 2 b",
    "DISC-15_DISC-16": "1 a; 2 b",
    "DISC-21": "1 a; 2 a; 3 b; 1 b; 2 a; 3 b",
    "DISC-22": "1 a; 2 a; 3 a; 4 a; 10 b; 11 b; 12 b; 13 b",
}


def inline(name):
    return table("x numeric; class {a,b}", INLINE[name])


@needs_cases
@pytest.mark.parametrize("name", INLINE)
def test_the_inline_cases_are_the_shared_ones(name):
    assert inline(name).equals(case(name))


@pytest.mark.parametrize("rule", ["entropy-mdl", "equal-width", "equal-frequency"])
def test_disc_01_a_constant_column(rule):
    dataset = inline("DISC-01")
    assert cuts_of(dataset, rule) == []
    model = fitted(f"recipe: t\ndiscretizer: {rule}", dataset)
    np.testing.assert_allclose(model.predict_proba(dataset), np.full((8, 2), 0.5), atol=1e-14)


@pytest.mark.parametrize("name", ["DISC-02-1", "DISC-02-2", "DISC-02-3"])
def test_disc_02_equal_values_of_different_classes(name):
    assert cuts_of(inline(name), "entropy-mdl") == [1.5]


def test_disc_03_a_cut_midway_and_its_side():
    dataset = inline("DISC-03")
    assert cuts_of(dataset, "entropy-mdl") == [7]
    model = fitted("recipe: t\ndiscretizer: entropy-mdl", dataset)
    at, below, above = model.predict_proba(table("x numeric; class {a,b}", "7 ?; 6.99 ?; 7.01 ?"))
    assert at.tolist() == below.tolist()
    np.testing.assert_allclose(at, [5 / 6, 1 / 6], atol=1e-14)
    np.testing.assert_allclose(above, [1 / 6, 5 / 6], atol=1e-14)


def test_disc_05_unknown_values_are_no_rows_of_the_search():
    dataset = inline("DISC-05")
    assert cuts_of(dataset, "entropy-mdl") == [7]
    assert codes("entropy-mdl", [7.0], dataset.columns[0]) == [0, 0, 3, 0, 0, 3, 1, 1, 1, 1]


def test_disc_08_many_equal_values():
    dataset = inline("DISC-08")
    assert cuts_of(dataset, "equal-frequency", bins=3) == [0.5, 1.5]
    # gain 0.108 < 0.596
    assert cuts_of(dataset, "entropy-mdl") == []


def test_disc_11_borders_equal_to_values():
    dataset = inline("DISC-11")
    found = cuts_of(dataset, "equal-width", bins=3)
    assert found == [0.09999999999999999, 0.19999999999999998]
    assert codes("equal-width", found, dataset.columns[0]) == [0, 1, 2, 2]


def test_disc_12_no_cut_is_an_answer():
    dataset = inline("DISC-12")
    assert cuts_of(dataset, "entropy-mdl") == []
    model = fitted("recipe: t\ndiscretizer: entropy-mdl", dataset)
    np.testing.assert_allclose(model.predict_proba(dataset), np.full((8, 2), 0.5), atol=1e-14)


@pytest.mark.parametrize("name", ["DISC-15", "DISC-15_DISC-16"])
def test_disc_15_the_smallest_inputs(name):
    assert cuts_of(inline(name), "entropy-mdl") == [1.5]


@pytest.mark.parametrize("bins", [4, 10])
def test_disc_21_more_intervals_than_distinct_values(bins):
    dataset = inline("DISC-21")
    assert cuts_of(dataset, "equal-frequency", bins=bins) == [1.5, 2.5]
    assert cuts_of(dataset, "equal-frequency", bins=3) == [1.5, 2.5]
    wide = cuts_of(dataset, "equal-width", bins=bins)
    assert len(wide) == bins - 1
    # the value 1: a (1 + 1) / (3 + k), b likewise, k the number of intervals, empty ones included
    model = fitted(f"recipe: t\ndiscretizer: {{equal-width: {{bins: {bins}}}}}", dataset)
    found = model.predict_proba(dataset.take([0, 1]))
    np.testing.assert_allclose(found, [[0.5, 0.5], [3 / 4, 1 / 4]], atol=1e-14)


class LabelledColumn:
    """Like a pandas Series with a shuffled index: its labels are not its positions."""

    def __init__(self, values):
        self.values = list(values)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __getitem__(self, label):
        raise KeyError(label)


def test_disc_22_columns_are_aligned_by_position():
    rows = [row.split() for row in INLINE["DISC-22"].split("; ")]
    columns = [LabelledColumn(float(x) for x, _ in rows), LabelledColumn(label for _, label in rows)]
    dataset = Dataset.from_columns([Attribute.numeric("x"), Attribute.nominal("class", "ab")], columns)
    assert cuts_of(dataset, "entropy-mdl") == [7]
