"""The ARFF document of a derived table."""

import pytest

from nbframework.data.derive.document import Layout, arff_document
from nbframework.data.derive.table import Table
from nbframework.errors import DataError

LAYOUT = Layout(relation="my set", comment=("derived", "%% raw"))


def test_cells_stand_as_they_are_and_quotes_where_they_are_needed():
    rows = [["1.50", "grey soil", "b", None], [None, "x", "a", "two words"]]
    table = Table.of_rows(["Max IP", "soil", "class", "note"], ["numeric", ("x", "grey soil"), "sorted", "text"], rows)
    assert arff_document(table, LAYOUT) == (
        "% derived\n%% raw\n\n@relation 'my set'\n\n@attribute 'Max IP' numeric\n@attribute soil {x,'grey soil'}\n"
        "@attribute class {a,b}\n@attribute note string\n\n@data\n1.50,'grey soil',b,?\n?,x,a,'two words'\n"
    )


def test_the_blank_lines_of_generators():
    table = Table.of_rows(["class"], [("a",)], [["a"]])
    layout = Layout(relation="r", comment=("c",), blank_lines=False)
    assert arff_document(table, layout) == "% c\n@relation r\n\n@attribute class {a}\n\n@data\n\na\n\n"


@pytest.mark.parametrize(
    ("kind", "cell", "message"),
    [
        ("numeric", "3,5", "attribute 'x', row 2: found '3,5', expected a number"),
        (("a", "b"), "c", "attribute 'x', row 2: 'c' is none of its values"),
    ],
)
def test_a_cell_of_another_kind_is_named(kind, cell, message):
    table = Table.of_rows(["x"], [kind], [[None], [cell]])
    with pytest.raises(DataError, match=message):
        arff_document(table, LAYOUT)


def test_a_name_that_is_given_twice():
    with pytest.raises(DataError, match="two attributes are called 'x'"):
        arff_document(Table.of_rows(["x", "x"], ["numeric", "numeric"], []), LAYOUT)
