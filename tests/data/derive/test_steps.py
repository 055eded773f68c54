"""Each step of a derivation on a table of a few rows."""

import pytest

from nbframework.data.derive import steps
from nbframework.data.derive.steps import STEPS
from nbframework.data.derive.table import Table
from nbframework.errors import DataError

TABLE = Table.of_rows(
    ["size", "colour", "class"],
    ["numeric", ("red", "green", "blue"), ("a", "b", "c")],
    [["1.50", "red", "a"], ["2.", None, "b"], ["3", "blue", "c"]],
)


def cells(table):
    return [list(row) for row in zip(*(column.cells for column in table.columns), strict=True)]


def kind(table, name):
    return table.column(name).kind


def test_every_step_stands_under_its_name():
    assert sorted(STEPS) == sorted(step.name for step in steps.Step.__subclasses__())


def test_attributes_are_left_out():
    assert steps.LeaveOut(attributes=("size",)).apply(TABLE).names == ("colour", "class")


def test_an_attribute_moves_last():
    table = steps.MoveLast(attribute="size").apply(TABLE)
    assert table.names == ("colour", "class", "size")
    assert cells(table)[0] == ["red", "a", "1.50"]


def test_attributes_get_other_names():
    assert steps.Rename(names={"size": "length"}).apply(TABLE).names == ("length", "colour", "class")


def test_a_kind_is_declared_anew():
    table = steps.Declare(kinds={"size": ("1.50", "2.", "3"), "colour": "sorted"}).apply(TABLE)
    assert (kind(table, "size"), kind(table, "colour")) == (("1.50", "2.", "3"), "sorted")
    assert cells(table) == cells(TABLE)


def test_rows_with_known_values_are_kept():
    assert cells(steps.KeepKnown(attributes=("size", "colour")).apply(TABLE)) == [
        ["1.50", "red", "a"],
        ["3", "blue", "c"],
    ]


def test_rows_with_some_values_are_kept_and_the_other_values_go():
    table = steps.KeepValues(attribute="class", values=("c", "a")).apply(TABLE)
    assert cells(table) == [["1.50", "red", "a"], ["3", "blue", "c"]]
    assert kind(table, "class") == ("a", "c")


def test_values_that_become_one_are_merged():
    table = steps.ReplaceValues(attribute="class", by={"a": "rest", "c": "rest"}).apply(TABLE)
    assert [row[2] for row in cells(table)] == ["rest", "b", "rest"]
    assert kind(table, "class") == ("rest", "b")


def test_unknown_becomes_the_first_value_where_there_is_one():
    table = steps.UnknownAs(value="-").apply(TABLE)
    assert [row[1] for row in cells(table)] == ["red", "-", "blue"]
    assert kind(table, "colour") == ("-", "red", "green", "blue")
    assert kind(table, "class") == ("a", "b", "c")


def test_an_unknown_number_cannot_be_a_value():
    table = Table.of_rows(["x"], ["numeric"], [[None]])
    with pytest.raises(DataError, match="'x' is numeric"):
        steps.UnknownAs(value="-").apply(table)


def test_the_first_word_is_taken_in_place():
    table = Table.of_rows(["car", "n"], ["text", "numeric"], [["ford pinto", "1"], ["subaru", "2"], [None, "3"]])
    after = steps.FirstWord(attribute="car", renamed="make").apply(table)
    assert after.names == ("make", "n")
    assert cells(after) == [["ford", "1"], ["subaru", "2"], [None, "3"]]


def test_an_end_is_removed_where_it_stands():
    table = steps.RemoveEnd(attribute="size", end=".").apply(TABLE)
    assert [row[0] for row in cells(table)] == ["1.50", "2", "3"]


@pytest.mark.parametrize(
    "step",
    [
        steps.LeaveOut(attributes=("colors",)),
        steps.MoveLast(attribute="colors"),
        steps.Rename(names={"colors": "x"}),
        steps.Declare(kinds={"colors": "numeric"}),
        steps.KeepKnown(attributes=("colors",)),
        steps.ReplaceValues(attribute="colors", by={}),
        steps.RemoveEnd(attribute="colors", end="."),
    ],
    ids=lambda step: step.name,
)
def test_an_attribute_that_is_not_there_is_an_error_with_the_nearest(step):
    with pytest.raises(DataError, match="no attribute 'colors'; did you mean 'colour'"):
        step.apply(TABLE)


@pytest.mark.parametrize(
    "step",
    [steps.KeepValues(attribute="class", values=("d",)), steps.ReplaceValues(attribute="class", by={"d": "e"})],
    ids=lambda step: step.name,
)
def test_a_value_that_is_not_there_is_an_error(step):
    with pytest.raises(DataError, match="'class' has no value 'd'"):
        step.apply(TABLE)
