"""The messages of the ARFF reader: place, what was found, what was expected."""

from pathlib import Path

import pytest

from nbframework.data.arff import parse_arff, read_arff
from nbframework.errors import ARFFError

START = "@relation r\n"
HEADER = START + "@attribute x numeric\n@attribute c {red,blue}\n@data\n"
WANTED_TYPE = "numeric, real, integer, string, date or a list of values in { }"


def message(text: str) -> str:
    with pytest.raises(ARFFError) as caught:
        parse_arff(text, "f.arff")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "f.arff:1: found the end of the file, expected @relation"),
        (START, "f.arff:2: found the end of the file, expected @attribute"),
        (START + "@attribute x real", "f.arff:2: found the end of the file, expected @data"),
        ("%\n @attribute x real", "f.arff:2:2: found '@attribute', expected @relation; "
         "the first line is @relation and a name"),
        ("@relaton r", "f.arff:1:1: found '@relaton', expected @relation; did you mean '@relation'?"),
        ("x,class\n1,a\n", "f.arff:1:1: found 'x', expected @relation; is this a CSV file? "
         "The name of one ends in .csv"),
        ("x\n1,a\n", "f.arff:1:1: found 'x', expected @relation"),
        ("@relation", "f.arff:1:10: found the end of the line, expected the name of the relation"),
        ("@relation my data", "f.arff:1:14: found 'data', expected the end of the line behind the relation name; "
         "a name with blanks or commas has to be quoted"),
        (START + "@data\n", "f.arff:2:1: found '@data', expected @attribute; a data set needs at least one attribute"),
        (START + START, "f.arff:2:1: found '@relation', expected @attribute; "
         "the relation is named once, before the attributes"),
        (START + "@attribute x real\n1\n", "f.arff:3:1: found '1', expected @attribute or @data; "
         "data rows stand behind a line @data"),
        (START + "@attribute x real\n@inputs x\n", "f.arff:3:1: found '@inputs', expected @attribute or @data; this is "
         "the header of a KEEL file, not of an ARFF file: remove the line and choose the class by name"),
    ],
)  # fmt: skip
def test_the_order_of_declarations(text: str, expected: str) -> None:
    assert message(text) == expected


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("", "2:11: found the end of the line, expected the name of an attribute"),
        (" x", f"2:13: found the end of the line, expected the type of attribute 'x': {WANTED_TYPE}"),
        (" x nominal", f"2:14: attribute 'x': found the type 'nominal', expected {WANTED_TYPE}"),
        (" x numerik", f"2:14: attribute 'x': found the type 'numerik', expected {WANTED_TYPE}; "
         "did you mean 'numeric'?"),
        (" x 0,1,2", f"2:14: attribute 'x': found the type '0,1,2', expected {WANTED_TYPE}; did you mean {{0,1,2}}?"),
        (" my x real", f"2:15: attribute 'my': found the type 'x real', expected {WANTED_TYPE}; "
         "a name with blanks has to be quoted"),
        (" x relational", f"2:14: attribute 'x': found the type relational, expected {WANTED_TYPE}; "
         "relational attributes are not supported"),
        (" x real y", "2:19: found 'y', expected the end of the line behind attribute 'x'"),
        (" x integer [1,2", "2:22: attribute 'x': found a range that is never closed, expected [low,high]"),
        (" x real {-1}", "2:20: found '-1' as the weight of attribute 'x', expected a finite number of at least 0"),
        (" x real {1", "2:21: found the end of the line, expected } behind the weight of attribute 'x'"),
        (" x {a,b,a}", "2:19: attribute 'x': found the value 'a' twice, expected each value once"),
        (" x {a,?}", "2:17: attribute 'x': found ? among the values, expected a value; "
         "? stands for missing and is not declared, a value '?' has to be quoted"),
        (" x {a b}", "2:17: found 'b' in the values of attribute 'x', expected a comma or a closing brace; "
         "a value with blanks has to be quoted"),
        (" x {a,b,}", "2:19: found '}', expected a value of attribute 'x'"),
        (" x {a,b", "2:18: found the end of the line in the values of attribute 'x', expected a comma or a closing "
         "brace; a value with blanks has to be quoted"),
        (" x {50%,b}", "2:17: found % behind '50', expected a value of attribute 'x'; "
         "a value that contains % has to be quoted"),
        (" 'x real", "2:12: found a quote ' that is never closed, expected another ' on the same line"),
        (" it's real", "2:14: found ' behind 'it', expected the name of an attribute; "
         "a value that contains ' has to be quoted"),
        (" 'a\x01' real", "2:14: found the control character U+0001 in a quoted value, expected it as \\001"),
        (" x date yyyy-ww", "2:19: attribute 'x', date format 'yyyy-ww': pattern letter 'w' is not supported, "
         "expected letters of y M d H h m s S a"),
    ],
)  # fmt: skip
def test_an_attribute_declaration(declaration: str, expected: str) -> None:
    assert message(f"{START}@attribute{declaration}\n@data\n") == f"f.arff:{expected}"


def test_a_second_attribute_of_one_name_names_the_first_line() -> None:
    assert message(f"{START}@attribute x real\n@attribute 'x' real\n@data\n") == (
        "f.arff:3:12: found a second attribute 'x', expected another name; the first one is on line 2"
    )


ONE_OF = "expected one of red, blue"
COUNT = "one for each attribute"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1", f"5:2: found 1 value, expected 2, {COUNT}"),
        ("1,red,4", f"5:7: found 3 values, expected 2, {COUNT}; a value with a comma has to be quoted"),
        ("1,red,", f"5:7: found 3 values, expected 2, {COUNT}; the row has a trailing comma"),
        (",1,red", f"5:1: found 3 values, expected 2, {COUNT}; the row starts with a stray comma"),
        ("3,5,red", f"5:5: found 3 values, expected 2, {COUNT}; is there a decimal comma? "
         "A number is written with a decimal point"),
        (",red", "5:1: attribute 'x': found an empty value, expected a number; a missing value is written ?"),
        ("1,", f"5:3: attribute 'c': found an empty value, {ONE_OF}; a missing value is written ?"),
        ("one,red", "5:1: attribute 'x': found 'one', expected a number"),
        ("'?',red", "5:1: attribute 'x': found '?', expected a number; a missing value is written ? without quotes"),
        ("-Infinity,red", "5:1: attribute 'x': found '-Infinity', expected a number that is finite"),
        ("1e999,red", "5:1: attribute 'x': found '1e999', expected a number that is finite"),
        ("'3,5',red", "5:1: attribute 'x': found '3,5', expected a number; a number has a decimal point"),
        ("1,Red", f"5:3: attribute 'c': found 'Red', {ONE_OF}; did you mean 'red'?"),
        ("1,bleu", f"5:3: attribute 'c': found 'bleu', {ONE_OF}; did you mean 'blue'?"),
        ("1,''", f"5:3: attribute 'c': found '', {ONE_OF}"),
        ("1,dark red", "5:8: found 'red', expected a comma or the end of the row; "
         "a value with blanks has to be quoted"),
        ("1,red%", "5:6: found % behind 'red', expected a value; a value that contains % has to be quoted"),
        ("1,'red", "5:3: found a quote ' that is never closed, expected another ' on the same line"),
        ("1,}", "5:3: found '}', expected a value"),
        ("1\x00,red", "5:2: found the control character U+0000, expected a comma or the end of the row"),
        ("1,red,{-1}", "5:8: found '-1' as the weight of the row, expected a finite number of at least 0"),
        ("1,red,{inf}", "5:8: found 'inf' as the weight of the row, expected a finite number of at least 0"),
        ("1,red,{1},2", "5:10: found ',', expected the end of the line behind the weight of the row"),
        ("1,red\n\n% c\n2,rot", f"8:3: attribute 'c': found 'rot', {ONE_OF}"),
    ],
)  # fmt: skip
def test_a_dense_row(row: str, expected: str) -> None:
    assert message(HEADER + row + "\n") == f"f.arff:{expected}"


INDEX = "an attribute index from 0 to 1"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("{0 1, 2 red}", f"5:7: found attribute index 2 in a sparse row, expected {INDEX}"),
        ("{99999999999999999999 1}", "5:2: found attribute index 99999999999999999999 in a sparse row, "
         f"expected {INDEX}"),
        ("{-1 1}", f"5:2: found '-1' in a sparse row, expected {INDEX}"),
        ("{0 1, 0 2}", "5:7: found attribute index 0 twice in a sparse row, expected each index once"),
        ("{1 red, 0 2}", "5:9: found attribute index 0 behind 1 in a sparse row, expected rising indexes"),
        ("{0}", "5:3: found '}', expected a number for attribute 'x'"),
        ("{1 }", f"5:4: found '}}', {ONE_OF} for attribute 'c'"),
        ("{1 Red}", f"5:4: attribute 'c': found 'Red', {ONE_OF}; did you mean 'red'?"),
        ("{0 1,}", f"5:6: found '}}', expected {INDEX} and a value"),
        ("{0 1", "5:5: found the end of the line in a sparse row, expected a comma or a closing brace; "
         "a value with blanks has to be quoted"),
        ("{0 1} x", "5:7: found 'x', expected the end of the row"),
    ],
)  # fmt: skip
def test_a_sparse_row(row: str, expected: str) -> None:
    assert message(HEADER + row + "\n") == f"f.arff:{expected}"


def test_a_sparse_row_has_no_default_for_a_string() -> None:
    assert message(START + "@attribute s string\n@data\n{}\n") == (
        "f.arff:4:1: found a sparse row without string attribute 's', expected a value or ? for it; "
        "only numbers, dates and declared values have a default"
    )


def test_a_long_list_of_values_is_shortened() -> None:
    values = ",".join(f"v{i}" for i in range(12))
    assert message(f"{START}@attribute c {{{values}}}\n@data\nw\n") == (
        "f.arff:4:1: attribute 'c': found 'w', expected one of v0, v1, v2, v3, v4, v5, v6, v7, v8, v9 and 2 more"
    )


def test_columns_count_from_the_start_of_the_line_of_data() -> None:
    assert message(HEADER.rstrip("\n") + " 1,rot\n") == f"f.arff:4:9: attribute 'c': found 'rot', {ONE_OF}"


def test_a_date_that_breaks_its_pattern() -> None:
    assert message(START + "@attribute d date yyyy-MM-dd\n@data\n2001/02/03\n") == (
        "f.arff:4:1: attribute 'd': found '2001/02/03', expected a date like yyyy-MM-dd; it does not follow the pattern"
    )


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.arff", b"@relation r\r\n\xc3\xa9 \xff\n", "2:3: found the byte 0xFF, expected UTF-8; "
         "save the file as UTF-8"),
        ("a.arff", "@relation r".encode("utf-16"), "1:1: found the mark of a UTF-16 file, expected UTF-8; "
         "save the file as UTF-8"),
        ("a.arff.gz", b"@relation r\n", " found a damaged file, expected gzip by its name "
         "(Not a gzipped file (b'@r'))"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_decoded(name: str, content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ARFFError) as caught:
        read_arff(path)
    assert str(caught.value) == f"{path}:{expected}"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.arff"
    with pytest.raises(ARFFError) as caught:
        read_arff(path)
    assert str(caught.value) == f"{path}: cannot read the file: No such file or directory"
