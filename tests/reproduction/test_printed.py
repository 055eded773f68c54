"""Printed tables: the shipped ones, and what is wrong with a file."""

import csv

import pytest

from nbframework.errors import DataError
from nbframework.reproduction.printed import load_printed, printed_folder

SHIPPED = sorted(path.stem for path in printed_folder().glob("*.csv"))


def write(folder, text):
    (folder / "t.csv").write_text(text)
    return load_printed("t", folder)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_table_loads(name):
    table = load_printed(name)
    assert table.rows
    assert table.values
    assert {cell[1] for cell in table.values} <= {*table.columns}


@pytest.mark.parametrize(
    ("name", "rows", "cell", "value"),
    [
        ("kohavi1997-table1", 9, ("no-match-0", "mean error ratio"), 1.17),
        ("kohavi1997-table2", 40, ("cars", "sbc"), 2.04),
        ("lawnb2018-table2", 21, ("zoo", "tan"), 74.57),
        ("kappa2022-table2", 17, ("leaf", "selected"), 0.734),
        ("kappa2022-table3", 19, ("wine", "kappa 60"), 0.98),
    ],
)
def test_the_shipped_numbers_are_those_of_the_papers(name, rows, cell, value):
    table = load_printed(name)
    assert len(table.rows) == rows
    assert table.values[cell] == value


def test_the_numbers_equal_the_transcribed_tables(shared):
    with (shared / "papers" / "lawnb2018_table2.csv").open() as stream:
        lines = list(csv.DictReader(stream))
    table = load_printed("lawnb2018-table2")
    for line in lines:
        for column in table.columns:
            found = table.values.get((line["dataset"], column))
            assert found == (float(line[column]) if line[column] else None)


def test_an_illegible_number_is_absent():
    assert ("credit-a", "nb") not in load_printed("lawnb2018-table2").values


def test_an_illegible_deviation_is_the_median_of_its_row(tmp_path):
    table = write(tmp_path, "row,a,a_sd,b,b_sd,c,c_sd\nx,1,2.0,1,,1,6.0\n")
    assert table.deviation(("x", "a")) == 2.0
    assert table.deviation(("x", "b")) == 4.0


def test_decimals_are_those_of_the_print(tmp_path):
    assert write(tmp_path, "row,a,b\nx,1.25,7\ny,3.1,8\n").decimals == {"a": 2, "b": 0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("row,a\nx,1,2\n", r"t.csv:2: found 3 cells, expected 2"),
        ("row,a\nx,1\nx,2\n", r"t.csv:3: the row 'x' is given twice"),
        ("row,a\nx,many\n", r"t.csv:2: a: found 'many', expected a number or nothing"),
        ("row,a\nx,nan\n", r"expected a number or nothing"),
        ("row,b_sd\nx,1\n", r"'b_sd' is the deviation of no column"),
        ("row,a,a\nx,1,2\n", r"a column is named twice"),
        ("", r"expected a heading"),
    ],
)
def test_a_damaged_table_is_named_with_its_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        write(tmp_path, text)


def test_an_unknown_table_names_the_nearest():
    with pytest.raises(DataError, match="did you mean 'kohavi1997-table1'"):
        load_printed("kohavi1997-tabel1")
