"""Files read a part at a time hold what they hold when read at once."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbframework import Attribute, DataError, Dataset, read_arff
from nbframework.data.alignment import joined
from nbframework.data.catalog import bundled_path
from nbframework.data.chunks import read_chunks

SCHEMA = Dataset.from_columns([Attribute.nominal("x", ["u", "v"]), Attribute.numeric("n")], [[], []], "x")
ODD = """% a comment
@relation odd
@attribute 'a name' {'a b', c}
@attribute n numeric
@attribute d date yyyy-MM-dd
@data

% between
'a b', 1, 2020-01-01
{0 c, 2 2021-02-03}
?, ?, ?, {2.5}
c, -1e3, "2022-03-04"
"""


def together(parts: list[Dataset]) -> Dataset:
    whole = parts[0]
    for part in parts[1:]:
        whole = joined(whole, part)
    return whole


@pytest.mark.parametrize("size", [7, 40, 1000])
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe", "monks-2"])
def test_parts_of_an_arff_file_are_its_rows(name: str, size: int) -> None:
    path = bundled_path(name)
    parts = list(read_chunks(path, SCHEMA, rows=size))
    assert max(map(len, parts)) <= size
    assert together(parts).equals(read_arff(path))


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_comments_weights_and_sparse_rows_stay_in_place(size: int, end: str, tmp_path: Path) -> None:
    (tmp_path / "odd.arff").write_bytes(("\ufeff" + ODD.replace("\n", end)).encode())
    parts = list(read_chunks(tmp_path / "odd.arff", SCHEMA, rows=size))
    assert together(parts).equals(read_arff(tmp_path / "odd.arff"))


def test_a_part_declares_other_values_behind_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,x\n1,v\n2,w\n,\n")
    (part,) = read_chunks(tmp_path / "a.csv", SCHEMA)
    assert part.attributes[0].values == ("u", "v", "w")
    assert part.columns[0].tolist() == [1, 2, 4]
    np.testing.assert_array_equal(part.columns[1], [1, 2, np.nan])


def test_columns_of_a_parquet_file_are_read_under_the_schema(tmp_path: Path) -> None:
    frame = pd.DataFrame({"other": [1, 2], "x": pd.Categorical(["v", None], ["v", "u"]), "n": [3, 4]})
    frame.to_parquet(tmp_path / "a.parquet")
    parts = list(read_chunks(tmp_path / "a.parquet", SCHEMA, rows=1))
    assert [part.columns[0].tolist() for part in parts] == [[1], [3]]
    assert [part.columns[1].tolist() for part in parts] == [[3.0], [4.0]]


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.csv", b"", r"a\.csv: the file is empty"),
        ("a.csv", b"x,n\nu,1\nu\n", r"a\.csv:3: 1 fields, expected 2"),
        ("a.csv", b"x,n\nu,inf\n", r"a\.csv:2: column 'n': found 'inf', expected a number"),
        ("a.csv", b"x,x\nu,1\n", r"two columns are called 'x'"),
        ("a.csv", b"X,N\nu,1\n", r"none of the attributes has a column, such as 'x'"),
        ("a.csv", b"x,n\n\xff,1\n", r"a\.csv:2: found the byte 0xff, expected UTF-8; save the file as UTF-8"),
        ("a.arff", b"@relation r\n@attribute x {\xff}\n", r"a\.arff: not a file in UTF-8"),
        ("a.arff", b"@relation r\n@attribute x {u}\n", r"found the end of the file, expected @data"),
        ("a.arff.gz", b"@relation r\n", r"a\.arff\.gz: found a damaged file, expected gzip"),
        ("a.parquet", b"PAR1", r"a\.parquet: not a Parquet file, or damaged"),
        ("b.arff", None, r"b\.arff: cannot read the file: No such file"),
    ],
)
def test_faults_name_the_file(name: str, content: bytes | None, fault: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=fault):
        list(read_chunks(tmp_path / name, SCHEMA))
