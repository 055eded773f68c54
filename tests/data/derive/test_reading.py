"""The forms of published files."""

import io
import tarfile
import zipfile

import pytest
from support.published_files import biff2, r_data

from nbframework.data.derive.archive import read_member
from nbframework.data.derive.reading import Mend, Reading
from nbframework.errors import ARFFError, DataError

COLUMNS = {"x": "numeric", "name": "text", "class": ("a", "b")}


def rows(table):
    return [list(row) for row in zip(*(column.cells for column in table.columns), strict=True)]


def read(text, form="comma-separated", columns=COLUMNS, **options):
    return Reading(form=form, columns=columns, **options).table([text.encode()], "source.data")


def test_cells_are_trimmed_and_numbers_stay_as_they_are_written():
    table = read('1.50, one ,a\n\n 2. ,"two, or more",b\r\n?,three,?\n')
    assert rows(table) == [["1.50", "one", "a"], ["2.", "two, or more", "b"], [None, "three", None]]
    assert [column.kind for column in table.columns] == ["numeric", "text", ("a", "b")]


def test_blanks_separate_and_quotes_keep_them():
    table = read('1.50   one\ta\n2.  "two or more"  b\n', "blank-separated")
    assert rows(table) == [["1.50", "one", "a"], ["2.", "two or more", "b"]]


def test_lines_are_left_out_and_mended_by_their_number():
    text = "x,name,class\n1,one,a\n2 two,,b\n| a remark\n3,three,b\n"
    table = read(text, leave_out_lines=(1, 5), comment="|", mend=(Mend(3, "2 two,,b", "2,two,b"),))
    assert rows(table) == [["1", "one", "a"], ["2", "two", "b"]]


def test_a_mend_whose_damage_is_gone_is_an_error():
    with pytest.raises(DataError, match=r"source\.data:1: expected '2 two' in this line, which is to be mended"):
        read("2,two,b\n", mend=(Mend(1, "2 two", "2,two"),))


def test_another_sign_of_the_unknown():
    assert rows(read("NA,?,a\n", unknown="NA")) == [[None, "?", "a"]]


def test_the_rows_of_a_second_file_come_behind():
    reading = Reading(form="comma-separated", columns=COLUMNS)
    assert rows(reading.table([b"1,one,a", b"2,two,b\n"], "s")) == [["1", "one", "a"], ["2", "two", "b"]]


def test_a_row_of_another_length_is_named():
    with pytest.raises(DataError, match=r"source\.data:2: found 2 cells, expected 3"):
        read("1,one,a\n2,two\n")


def test_bytes_that_are_no_text_are_named():
    with pytest.raises(DataError, match=r"source\.data: found the byte 0xFF, expected UTF-8"):
        Reading(form="comma-separated", columns=COLUMNS).table([b"\xff"], "source.data")


ARFF = "% remark\r\n@RELATION r\r\n@ATTRIBUTE legs INTEGER [0,9]\r\n@attribute 'a b' { 'x y', z }\r\n@data\r\n"


def test_an_arff_document_keeps_its_texts():
    table = read(ARFF + "4.0 , 'x y'\r\n% remark\r\n?,z\r\n'?',?\r\n", "arff", {})
    assert table.names == ("legs", "a b")
    assert [column.kind for column in table.columns] == ["numeric", ("x y", "z")]
    assert rows(table) == [["4.0", "x y"], [None, "z"], ["?", None]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("4", "source.data:6:2: found 1 values, expected 2"),
        ("{0 4}", "dense row without a weight"),
        ("4,z,{2}", "dense row without a weight"),
    ],
)
def test_an_arff_row_that_is_not_plain_is_named(row, message):
    with pytest.raises(ARFFError, match=message):
        read(ARFF + row + "\n", "arff", {})


def test_one_document_only():
    with pytest.raises(DataError, match="found 2 files, expected one of the form arff"):
        Reading(form="arff").table([ARFF.encode()] * 2, "source.data")


@pytest.fixture
def sheet():
    pytest.importorskip("xlrd", reason="xlrd reads spreadsheets: pip install 'nbframework[data]'")
    return biff2([["x", "Max IP", "class"], [330.0, 0.187448361664191, "a"], [1e-7, 2.5, "b"]])


SHEET = {"x": "numeric", "Max IP": "numeric", "class": ("a", "b")}


def test_a_sheet_gives_numbers_in_full_precision(sheet):
    table = Reading(form="spreadsheet", columns=SHEET, part="Sheet 1").table([sheet], "s.xls")
    assert rows(table) == [["330", "0.187448361664191", "a"], ["1e-07", "2.5", "b"]]


def test_a_sheet_with_other_columns_is_refused(sheet):
    with pytest.raises(DataError, match="found the columns x, Max IP, class, expected y"):
        Reading(form="spreadsheet", columns={"y": "numeric"}, part="Sheet 1").table([sheet], "s.xls")


@pytest.mark.parametrize(
    ("content", "message"), [(None, "no sheet 'Sheet 2'; did you mean 'Sheet 1'"), (b"no", "cannot be read")]
)
def test_what_is_no_such_sheet(sheet, content, message):
    with pytest.raises(DataError, match=message):
        Reading(form="spreadsheet", columns=SHEET, part="Sheet 2").table([content or sheet], "s.xls")


def test_a_data_frame_gives_levels_and_numbers():
    pytest.importorskip("rdata", reason="rdata reads R data: pip install 'nbframework[data]'")
    table = Reading(form="r-data", part="Frame").table([r_data()], "s.rda")
    assert [(column.name, column.kind) for column in table.columns] == [
        ("x.1", "numeric"),
        ("soil", ("grey soil", "red soil")),
    ]
    assert rows(table) == [["1", "red soil"], ["2.5", "grey soil"], ["92", None]]


@pytest.mark.parametrize(
    ("content", "message"), [(None, "no data frame 'Fram'; did you mean 'Frame'"), (b"no", "cannot be read as R data")]
)
def test_what_is_no_such_data_frame(content, message):
    pytest.importorskip("rdata", reason="rdata reads R data: pip install 'nbframework[data]'")
    with pytest.raises(DataError, match=message):
        Reading(form="r-data", part="Fram").table([content or r_data()], "s.rda")


def tarred(name, content, mode="w"):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        member = tarfile.TarInfo(name)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def packaged(data):
    members = [(b"debian-binary", b"2.0\n"), (b"control.tar.xz", b"odd"), (b"data.tar.xz", data)]
    file = b"!<arch>\n"
    for name, content in members:
        file += name.ljust(48) + str(len(content)).encode().ljust(10) + b"`\n" + content + b"\n" * (len(content) % 2)
    return file


def zipped(name, content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    "archive",
    [
        tarred("d/s.csv", b"1,2"),
        tarred("d/s.csv", b"1,2", "w:gz"),
        zipped("d/s.csv", b"1,2"),
        packaged(tarred("./d/s.csv", b"1,2", "w:xz")),
    ],
    ids=["tar", "tar.gz", "zip", "deb"],
)
def test_a_member_of_an_archive(archive):
    assert read_member(archive, "d/s.csv", "archive") == b"1,2"
    with pytest.raises(DataError, match=r"archive: holds no d/t\.csv"):
        read_member(archive, "d/t.csv", "archive")
    with pytest.raises(DataError, match=r"archive: (cannot be read|holds no)"):
        read_member(archive[:60], "d/s.csv", "archive")
