"""CSV files: what is read, whoever reads it, and what is said of a wrong one."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import DataError, Dataset
from nbframework.data import line_portions
from nbframework.data.attribute import Attribute
from nbframework.data.catalog import name_of_file
from nbframework.data.chunks import read_chunks
from nbframework.data.csv_files import parts as module
from nbframework.data.csv_files.careful import careful_parts
from nbframework.data.csv_files.fields import Part, Texts, numbers_of
from nbframework.data.csv_files.parts import csv_parts
from nbframework.data.csv_files.plain import NotPlainError, plain_parts
from nbframework.data.csv_files.reader import read_csv
from nbframework.errors import DataWarning
from nbframework.kernels import implementation

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "a.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def cells(parts: list[Part]) -> list[list[object]]:
    """Return the columns as lists: numbers with None for unknown ones, or texts."""
    columns: list[list[object]] = [[] for _ in parts[0].names]
    for part in parts:
        for column, fields in zip(columns, part.columns, strict=True):
            if isinstance(fields, Texts):
                column += [fields.values[code] for code in fields.codes]
            elif fields is not None:
                column += [None if np.isnan(number) else float(number) for number in fields]
    return columns


def test_columns_are_numbers_or_texts(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path, "n,t,class\n1,x,p\n ?, y ,q\n2e1,,p\n"))
    assert [a.kind for a in data.attributes] == ["numeric", "nominal", "nominal"]
    np.testing.assert_array_equal(data.columns[0], [1, np.nan, 20])
    assert data.attributes[1].values == ("x", "y")
    assert data.columns[1].tolist() == [0, 1, data.attributes[1].unknown]
    assert data.class_attribute.name == "class"


@pytest.mark.parametrize("form", ["1,2\n", '"1","2"\r\n', "\ufeff1,2\n", "\n\r\n1, 2", " 1\t,2 \n\n"])
def test_forms_of_a_line_of_names(form: str, tmp_path: Path) -> None:
    (part,) = csv_parts(written(tmp_path, form))
    assert (list(part.names), part.rows) == (["1", "2"], 0)


def test_quotes_hold_commas_quotes_and_line_ends(tmp_path: Path) -> None:
    text = 'a,"the, class"\n"x, y",p\n"say ""no""","q\nr"\nz,p\n'
    data = read_csv(written(tmp_path, text))
    assert data.attributes[0].values == ('say "no"', "x, y", "z")
    assert data.attributes[1].values == ("p", "q\nr")
    assert data.class_attribute.name == "the, class"


def test_a_row_that_is_not_plain_comes_after_parts_that_are(tmp_path: Path) -> None:
    path = written(tmp_path, "n,t\n" + "1,x\n" * 7 + '2,"say ""no"""\n' + "3,x\n" * 4)
    parts = list(csv_parts(path, 3))
    assert [part.rows for part in parts] in ([3, 3, 3, 3], [3, 3, 3, 3, 0])
    assert cells(parts)[0] == [1] * 7 + [2] + [3] * 4
    assert cells(parts)[1] == ["x"] * 7 + ['say "no"'] + ["x"] * 4


def test_unusual_numbers_are_numbers(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path, "a,c\n\u0661,p\n2,p\n"))
    assert (data.attributes[0].kind, data.columns[0].tolist()) == ("numeric", [1, 2])


def test_a_number_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="attribute 'a', row 2: infinite value, expected a finite number"):
        read_csv(written(tmp_path, "a,c\n1,p\n1e999,p\n"))


def test_blanks_of_every_script_are_left_out(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path, "a,c\n\u00a0x\u00a0,p\nx,p\n"))
    assert (data.attributes[0].values, data.columns[0].tolist()) == (("x",), [0, 0])


def test_columns_that_nobody_wants_are_not_read(tmp_path: Path) -> None:
    for part in csv_parts(written(tmp_path, "a,b\nx,1\ny,2\n"), wanted={"b"}):
        assert part.columns[0] is None
        assert numbers_of(part.columns[1]).tolist() == [1, 2]


def test_a_text_after_many_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_portions, "PORTION", 64)
    data = read_csv(written(tmp_path, "a,c\n" + "".join(f"{i % 5},p\n" for i in range(100)) + "x,q\n"))
    assert data.attributes[0].values == ("0", "1", "2", "3", "4", "x")
    assert data.columns[0].tolist() == [i % 5 for i in range(100)] + [5]


def test_values_under_a_schema(tmp_path: Path) -> None:
    attributes = [Attribute.numeric("n"), Attribute.nominal("t", ["1", "2"]), Attribute.nominal("c", ["q", "p"])]
    schema = Dataset.from_columns(attributes, [[], [], []], "c")
    data = read_csv(written(tmp_path, "t,c,extra,n\n2,p,x,1\n?,q,y,\n3,z,y,2\n"), schema=schema)
    unseen, unknown = attributes[1].unseen, attributes[1].unknown
    assert data.columns[0].tolist() == [1, unknown, unseen]
    assert data.columns[1].tolist() == [1, 0, attributes[2].unseen]
    np.testing.assert_array_equal(data.columns[3], [1, np.nan, 2])
    assert data.class_attribute == attributes[2]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", r"a\.csv: the file is empty, expected a line of names"),
        (b"\n\n", r"a\.csv: the file is empty, expected a line of names"),
        (b"a,c\n", r"a\.csv: no rows below the names"),
        (b"a,c\n1,p\n\n1,p,q\n", r"a\.csv:4: 3 fields, expected 2 as in the header"),
        (b'a,c\n"x\ny",p\n1\n', r"a\.csv:4: 1 fields, expected 2 as in the header"),
        (b"a,c\n\xff,p\n", r"a\.csv:2: found the byte 0xff, expected UTF-8; save the file as UTF-8"),
        (b"a,c\n1,p\n1,p\xe9\n", r"a\.csv:3: found the byte 0xe9, expected UTF-8"),
        (b"\xff\xfea,c\n1,p\n", r"a\.csv:1: found the byte 0xff, expected UTF-8"),
        (b"a;c\n1;p\n", r"a\.csv:1: one column 'a;c': does ';' part the fields\? Expected commas"),
        (b"a\tc\n1\tp\n", r"a\.csv:1: one column .*: does '.t' part the fields\?"),
        (b"a,a\n1,p\n", r"a\.csv:1: two columns are called 'a'"),
        (b'a,c\n1,p\n"1,p\n2,q\n', r"a\.csv:3: no row of CSV begins here: .*; is a quote not closed\?"),
        (b'a,c\n1,p\n"1"2,p\n', r"a\.csv:3: no row of CSV begins here: .* expected after"),
    ],
)
def test_wrong_files(text: bytes, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=fault):
        read_csv(written(tmp_path, text))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.csv: cannot read the file: No such file"):
        read_csv(tmp_path / "none.csv")


@pytest.mark.parametrize("before", ["", '"x\ny",1\n'])
def test_the_line_of_what_is_no_number(before: str, tmp_path: Path) -> None:
    schema = Dataset.from_columns([Attribute.numeric("n"), Attribute.nominal("t", ["x"])], [[], []], "t")
    path = written(tmp_path, "t,n\n" + before + "x,1\n\nx,2\nx,large\n")
    line = 7 if before else 5
    fault = rf"a\.csv:{line}: column 'n': found 'large', expected a number"
    with pytest.raises(DataError, match=fault):
        read_csv(path, schema=schema)
    with pytest.raises(DataError, match=fault):
        list(read_chunks(path, schema, 2))


def test_a_class_of_whole_numbers_has_them_as_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "y,x\n10,1\n2,2\n,3\n2,4\n")
    data = read_csv(path, "y")
    assert data.class_values == ("2", "10")
    assert data.classes.tolist() == [1, 0, data.class_attribute.unknown, 0]
    assert data.attributes[1].kind == "numeric"
    assert read_csv(written(tmp_path, "x,y\n1,0\n2,1\n")).class_values == ("0", "1")


@pytest.mark.parametrize("values", [["1.5", "2"], [str(number) for number in range(101)]])
def test_a_class_of_measurements_stays_numeric(values: list[str], tmp_path: Path) -> None:
    data = read_csv(written(tmp_path, "x,y\n" + "".join(f"1,{value}\n" for value in values)))
    assert data.class_attribute.kind == "numeric"


def test_a_nominal_column_of_numbers_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "f,c\n" + "".join(f"{number},p\n" for number in range(19)) + "oops,p\n,p\n")
    with pytest.warns(
        DataWarning, match=r"a\.csv: column 'f' is nominal: 19 of its values are numbers, but not 'oops'"
    ):
        data = read_csv(path)
    assert data.attributes[0].cardinality == 20


@pytest.mark.parametrize("column", [["1", "2", "3", "x"], [*map(str, range(10)), "x", "y"], ["x", "y", "z"]])
def test_other_nominal_columns_are_not_told(
    column: list[str], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    read_csv(written(tmp_path, "f,c\n" + "".join(f"{value},p\n" for value in column)))
    assert not recwarn.list


FIELDS = st.one_of(
    st.sampled_from(
        ["1", "2.5", "-3e4", "", "NA", " x ", "y", '"x"', '"1"', '"a,b"', '"a""b"', '"two\nlines"', "é", "1e999"]
    ),
    st.text('ab1.-e" \r', max_size=6),
)


@needs_compiled
@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.tuples(FIELDS, FIELDS), max_size=15),
    end=st.sampled_from(["\n", "\r\n"]),
    size=st.one_of(st.none(), st.integers(1, 6)),
    texts=st.sets(st.sampled_from("ab")),
    portion=st.sampled_from([16, 64, 1 << 20]),
)
def test_plain_and_careful_readers_agree(
    rows: list[tuple[str, str]],
    end: str,
    size: int | None,
    texts: set[str],
    portion: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.getbasetemp() / "agree.csv"
    path.write_text("a,b" + end + "".join(",".join(row) + end for row in rows), newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_portions, "PORTION", portion)
        try:
            found = list(plain_parts(path, size, texts, None))
        except NotPlainError:
            return
    expected = list(careful_parts(path, None, texts, None, 0))
    assert sum(part.rows for part in found) == sum(part.rows for part in expected)
    texts_of_found = {
        name
        for part in found
        for name, fields in zip(part.names, part.columns, strict=True)
        if isinstance(fields, Texts)
    }
    # numbers before the first text of a column are numbers yet, as they would be with careful parts of this size
    forced = texts | texts_of_found
    again = list(plain_parts(path, None, forced, None))
    assert cells(again) == cells(list(careful_parts(path, None, forced, None, 0)))


@needs_compiled
def test_plain_files_are_read_by_the_scanner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the careful reader was called")

    monkeypatch.setattr(module, "careful_parts", refuse)
    data = read_csv(written(tmp_path, 'a,"b c",class\r\n1,"x, y",p\r\n2,z,q\r\n'))
    assert data.attributes[1].values == ("x, y", "z")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/b.csv", "b"),
        ("b.CSV", "b"),
        ("b.arff.gz", "b"),
        ("b.parquet", "b"),
        ("glass.v2.arff", "glass.v2"),
        ("iris", "iris"),
        (".csv", ".csv"),
    ],
)
def test_the_name_of_a_file(file: str, name: str) -> None:
    assert name_of_file(file) == name
