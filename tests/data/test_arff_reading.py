"""What the ARFF reader accepts and what it makes of it."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from nbframework.data.arff import parse_arff, read_arff
from nbframework.data.arff.reader import Engine, parse_with
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError
from nbframework.kernels.availability import implementation

ENGINES = [engine for engine in Engine if engine is not Engine.COMPILED or implementation() == "compiled"]
HEADER = "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
ROWS = "1,a\n?,b\n2.5,?\n"


def texts(body: str) -> list[str | None]:
    """Return the cells of a string attribute that is the only one."""
    return parse_arff(f"@relation r\n@attribute s string\n@data\n{body}").columns[0].tolist()


def expected_rows(dataset: Dataset) -> bool:
    """Whether the data set holds what ROWS says."""
    numbers, codes = dataset.columns
    return np.array_equal(numbers, [1, np.nan, 2.5], equal_nan=True) and codes.tolist() == [0, 1, 3]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_reads_plain_rows(engine: Engine) -> None:
    dataset = parse_with([engine], HEADER + ROWS)
    assert dataset is not None
    assert expected_rows(dataset)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_reads_no_rows(engine: Engine) -> None:
    dataset = parse_with([engine], HEADER)
    assert dataset is not None
    assert len(dataset) == 0


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_line_ends(line_end: str) -> None:
    assert expected_rows(parse_arff((HEADER + ROWS).replace("\n", line_end)))


def test_the_last_line_needs_no_line_end() -> None:
    assert expected_rows(parse_arff((HEADER + ROWS).rstrip("\n")))


def test_a_byte_order_mark_is_skipped() -> None:
    assert expected_rows(parse_arff("\ufeff" + HEADER + ROWS))


def test_keywords_and_types_are_read_in_any_case() -> None:
    assert expected_rows(parse_arff(HEADER.upper().replace("{A,B}", "{a,b}") + ROWS))


def test_comments_and_blank_lines_stand_anywhere() -> None:
    lines = (HEADER + ROWS).splitlines()
    assert expected_rows(parse_arff("\n% it's {a} comment\n\t% indented\n  \n".join(["", *lines, ""])))


def test_a_comment_may_follow_a_declaration_or_a_row() -> None:
    text = "@relation r % c\n@attribute x numeric % c\n@attribute c {a,b} % c\n@data % c\n1,a % c\n?,b %\n2.5,? % c"
    assert expected_rows(parse_arff(text))


def test_a_row_on_the_line_of_data_is_a_row() -> None:
    assert expected_rows(parse_arff(HEADER.rstrip("\n") + " " + ROWS))


def test_the_relation_name_is_kept() -> None:
    assert parse_arff("@relation 'my data'\n@attribute x real\n@data\n").name == "my data"


@pytest.mark.parametrize("kind", ["numeric", "real", "integer", "INTEGER [0,9]", "real [0.0, 9.5]", "numeric(0,inf)"])
def test_numeric_types_and_ranges_are_numeric(kind: str) -> None:
    attribute = parse_arff(f"@relation r\n@attribute x {kind}\n@data\n").attributes[0]
    assert (attribute.name, attribute.kind, attribute.weight) == ("x", "numeric", 1)


@pytest.mark.parametrize("kind", ["numeric", "integer [1,10]", "{x,y}", "string", "date", "date 'yyyy'"])
def test_an_attribute_weight_follows_any_type(kind: str) -> None:
    assert parse_arff(f"@relation r\n@attribute a {kind} {{0.5}}\n@data\n").attributes[0].weight == 0.5


def test_a_brace_ends_an_attribute_name() -> None:
    assert parse_arff("@relation r\n@attribute a{x,y}\n@data\n").attributes[0].values == ("x", "y")


def test_a_nominal_attribute_may_declare_no_values() -> None:
    dataset = parse_arff("@relation r\n@attribute a {}\n@data\n?\n")
    assert (dataset.attributes[0].values, dataset.columns[0].tolist()) == ((), [1])


def test_the_last_attribute_is_the_class_by_default() -> None:
    assert parse_arff(HEADER).class_attribute.name == "c"


def test_the_class_is_chosen_by_name() -> None:
    assert parse_arff(HEADER, class_attribute="x").class_index == 0


def test_an_unknown_class_gets_the_nearest_name() -> None:
    with pytest.raises(DataError, match=r"no attribute 'colour'; did you mean 'color'\?"):
        parse_arff("@relation r\n@attribute color {a}\n@data\n", class_attribute="colour")


def test_a_nominal_code_has_the_smallest_type() -> None:
    values = ",".join(f"v{i}" for i in range(300))
    dataset = parse_arff(f"@relation r\n@attribute c {{{values}}}\n@data\nv299\n?\n")
    assert (dataset.columns[0].dtype, dataset.columns[0].tolist()) == (np.uint16, [299, 301])


def test_a_quoted_number_is_a_number() -> None:
    assert parse_arff(HEADER + "'1.5',a\n").columns[0].tolist() == [1.5]


def test_all_digits_of_a_number_count() -> None:
    assert parse_arff(HEADER + "0.1000000000000000055511151231257827,a\n").columns[0].tolist() == [0.1]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"'a\nb\tc\rd'", "a\nb\tc\rd"),
        (r"'\\ \' \" \%'", "\\ ' \" %"),
        (r"'\a\b\f\v'", "\a\b\f\v"),
        (r"'\0\36\1019'", "\0\x1eA9"),
        (r"'\u001e\u00E9\u12'", "\x1eéu12"),
        (r"'\q'", "q"),
        ('"it\'s"', "it's"),
        ("'say \"hi\"'", 'say "hi"'),
        ("''", ""),
        (r"a\nb", r"a\nb"),
        ("'tab\there'", "tab\there"),
        ("é∂🙂", "é∂🙂"),
        ("a\xa0b", "a\xa0b"),
    ],
)
def test_a_text_is_unquoted_as_weka_does(written: str, read: str) -> None:
    assert texts(written) == [read]


def test_only_a_bare_question_mark_is_missing() -> None:
    assert texts("?\n'?'\n\"?\"\n") == [None, "?", "?"]


@pytest.mark.parametrize("row", ["1,a,{2.5}", "1,a {2.5}", "1 , a , { 2.5 }", "{0 1,1 a},{2.5}", "{0 1} {2.5}"])
def test_an_instance_weight_ends_a_dense_or_sparse_row(row: str) -> None:
    dataset = parse_arff(HEADER + row)
    assert (dataset.columns[0].tolist(), dataset.weights.tolist()) == ([1], [2.5])


def test_a_row_without_weight_weighs_1() -> None:
    assert parse_arff(HEADER + "1,a,{0}\n2,b\n").weights.tolist() == [0, 1]


def test_a_sparse_row_may_be_empty() -> None:
    dataset = parse_arff(HEADER + "{}\n{ }\n")
    assert [column.tolist() for column in dataset.columns] == [[0, 0], [0, 0]]


def test_dense_and_sparse_rows_may_alternate() -> None:
    assert parse_arff(HEADER + "1,b\n{1 b}\n{0 ?}\n").columns[1].tolist() == [1, 1, 0]


def test_a_gzip_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "data.arff.gz"
    path.write_bytes(gzip.compress((HEADER + ROWS).encode()))
    assert expected_rows(read_arff(path))


def test_a_file_is_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "data.arff"
    path.write_bytes("\ufeff@relation r\r\n@attribute größe {süß}\r\n@data\r\nsüß\r\n".encode())
    assert read_arff(str(path), "größe").class_values == ("süß",)


@pytest.mark.parametrize(
    "body", ["'1',a", "1,'a'", "1,a,{2}", "{0 1}", "NaN,a", "1_0,a", "1,a % c", "1,c", "1,a,", "1,,a", "1e999,a", "1"]
)
def test_the_plain_engine_hands_over_what_is_not_plain(body: str) -> None:
    assert parse_with([Engine.PLAIN], HEADER + body) is None


@pytest.mark.parametrize("body", ["1,a,{2}", "{0 1}", "'NaN',a", "'a'1,a", "1 2,a", "1,'b'a", "1,'\\141'", "'?',a"])
def test_the_liac_engine_hands_over_what_liac_arff_reads_differently(body: str) -> None:
    assert parse_with([Engine.LIAC], HEADER + body) is None


def test_the_liac_engine_reads_quoted_rows() -> None:
    dataset = parse_with([Engine.LIAC], HEADER + "'1',\"a\"\n?,'b'\n2.5,?\n")
    assert dataset is not None
    assert expected_rows(dataset)
