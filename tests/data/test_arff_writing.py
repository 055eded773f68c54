"""What the ARFF writer puts into a file."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from nbframework.data.arff import format_arff, parse_arff, read_arff, write_arff
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError


def one_column(attribute: Attribute, cells: object, **more: object) -> Dataset:
    return Dataset.from_columns([attribute], [cells], **more)


def rows(dataset: Dataset) -> list[str]:
    return format_arff(dataset).partition("@data\n")[2].splitlines()


def test_a_whole_document() -> None:
    dataset = Dataset.from_columns(
        [Attribute.numeric("petal length", 2.0), Attribute.nominal("class", ["a", "b c"])],
        [[1.0, np.nan], ["b c", "a"]],
        weights=[1.0, 0.5],
        name="r",
    )
    assert format_arff(dataset) == (
        "@relation r\n\n@attribute 'petal length' numeric {2}\n"
        "@attribute class {a,'b c'}\n\n@data\n1,'b c'\n?,a,{0.5}\n"
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1"), (-0.0, "-0"), (0.1, "0.1"), (1e300, "1e+300"), (1 / 3, "0.3333333333333333"), (5e-324, "5e-324")],
)
def test_a_number_is_as_short_as_it_reads_back(number: float, text: str) -> None:
    assert rows(one_column(Attribute.numeric("x"), [number])) == [text]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", "plain"),
        ("é∂🙂", "é∂🙂"),
        ("NaN", "NaN"),
        ("", "''"),
        ("?", "'?'"),
        ("a b", "'a b'"),
        (" a", "' a'"),
        ("a,b", "'a,b'"),
        ("{a}", "'{a}'"),
        ("50%", "'50\\%'"),
        ("it's", "'it\\'s'"),
        ('say "hi"', "'say \\\"hi\\\"'"),
        ("a\\b", "'a\\\\b'"),
        ("a\n\t\r", "'a\\n\\t\\r'"),
        ("\x001", "'\\0001'"),
        ("\x1e", "'\\036'"),
        ("a\xa0b", "'a\xa0b'"),
    ],
)
def test_a_value_is_quoted_where_needed(value: str, written: str) -> None:
    assert rows(one_column(Attribute("s", "string"), [value])) == [written]


def test_a_missing_value_of_any_kind_is_a_bare_question_mark() -> None:
    attributes = [
        Attribute.numeric("x"),
        Attribute.nominal("c", ["?"]),
        Attribute("d", "date"),
        Attribute("s", "string"),
    ]
    assert rows(Dataset.from_columns(attributes, [[None]] * 4)) == ["?,?,?,?"]


def test_a_date_is_written_by_its_pattern() -> None:
    text = '@relation r\n@attribute d date "dd.MM.yyyy HH:mm"\n@data\n"03.02.2001 04:05"\n'
    assert format_arff(parse_arff(text)) == (
        "@relation r\n\n@attribute d date 'dd.MM.yyyy HH:mm'\n\n@data\n'03.02.2001 04:05'\n"
    )


def test_a_date_without_a_pattern_stays_without() -> None:
    dataset = one_column(Attribute("d", "date"), [0.0])
    assert "@attribute d date\n\n@data\n1970-01-01T00:00:00\n" in format_arff(dataset)


def test_a_date_finer_than_its_pattern_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        format_arff(one_column(Attribute("d", "date", format="yyyy"), [0.0, 1.0]))
    assert str(caught.value) == (
        "attribute 'd', row 2: 1.0 milliseconds as date 'yyyy': the pattern cannot hold it exactly"
    )


def test_a_date_pattern_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(DataError, match="pattern letter 'w' is not supported"):
        format_arff(one_column(Attribute("d", "date", format="ww"), [0.0]))


def test_a_value_outside_the_declared_ones_is_refused() -> None:
    dataset = one_column(Attribute.nominal("c", ["a"]), np.array([0, 1]))
    with pytest.raises(DataError) as caught:
        format_arff(dataset)
    assert str(caught.value) == "attribute 'c', row 2: a value outside the declared ones cannot be written"


def test_the_class_is_found_again_by_name() -> None:
    dataset = Dataset.from_columns([Attribute.nominal("c", ["a"]), Attribute.numeric("x")], [["a"], [1]], "c")
    assert parse_arff(format_arff(dataset), class_attribute="c").equals(dataset)


def test_a_file_is_utf_8_with_line_feeds(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    write_arff(one_column(Attribute("s", "string"), ["é"], name="r"), path)
    assert path.read_bytes() == "@relation r\n\n@attribute s string\n\n@data\né\n".encode()


def test_a_gz_file_is_gzip_and_always_the_same(tmp_path: Path) -> None:
    dataset = one_column(Attribute.numeric("x"), [1.0])
    path, again = tmp_path / "a.arff.gz", tmp_path / "b.arff.gz"
    write_arff(dataset, path)
    write_arff(dataset, str(again))
    assert gzip.decompress(path.read_bytes()).decode() == format_arff(dataset)
    assert path.read_bytes() == again.read_bytes()


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    path.write_text("old")
    write_arff(one_column(Attribute.numeric("x"), [1.0]), path)
    assert read_arff(path).columns[0].tolist() == [1.0]
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    path.write_text("old")
    with pytest.raises(DataError, match=r"character U\+D800 cannot be written as UTF-8"):
        write_arff(one_column(Attribute("s", "string"), ["\ud800"]), path)
    assert path.read_text() == "old"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.arff"
    with pytest.raises(DataError) as caught:
        write_arff(one_column(Attribute.numeric("x"), [1.0]), path)
    assert str(caught.value) == f"{path}: cannot be written: no such file or directory"
