"""A selection of attributes and of complete rows."""

import pytest
from support.builders import table

from nbframework.data.selection import Selection
from nbframework.errors import DataError

ATTRIBUTES = "a {x,y}; b numeric; c {k,l}"


@pytest.fixture
def dataset():
    return table(ATTRIBUTES, "x 1 k; ? 2 l; y ? k; y 4 l")


def test_attributes_are_taken_in_the_order_in_which_they_are_named(dataset):
    chosen = Selection(("b", "a")).of(dataset)
    assert [attribute.name for attribute in chosen.attributes] == ["b", "a", "c"]
    assert chosen.class_attribute.name == "c"
    assert len(chosen) == 4


def test_a_row_with_an_unknown_value_goes_even_where_its_attribute_is_not_chosen(dataset):
    chosen = Selection(("b",), complete_rows=True).of(dataset)
    assert chosen.columns[0].tolist() == [1.0, 4.0]


def test_the_class_is_no_input(dataset):
    with pytest.raises(DataError, match="'c' is the class, expected the names of inputs"):
        Selection(("c",)).of(dataset)


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(DataError, match="no attribute 'colur'; did you mean 'colour'"):
        Selection(("colur",)).of(table("colour {x,y}; c {k,l}", "x k"))


def test_data_without_a_complete_row_are_refused():
    with pytest.raises(DataError, match="each of the 1 rows has an unknown value"):
        Selection(complete_rows=True).of(table(ATTRIBUTES, "? 1 k"))


def test_the_checksum_tells_selections_apart():
    found = {Selection(names, rows).checksum("ab") for names in ((), ("a",), ("a", "b")) for rows in (False, True)}
    assert len(found) == 6
    assert Selection().checksum("ab") == "ab"
