"""A file read a portion at a time gives the data set of its text, wherever the portions end."""

import gzip
import os
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import Dataset, parse_arff, read_arff
from nbframework.data import line_portions
from nbframework.data.arff import portions
from nbframework.errors import ARFFError
from nbframework.kernels import implementation

needs_compiled = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
HEADER = "% a comment\n@relation portions\n@attribute n numeric\n@attribute c {a,'b b',ccc}\n@data\n"
LINES = st.sampled_from(
    ["1,a", "-2.5e3,'b b'", "?,?", "", "  3.25 , ccc ", "% a comment", "4,a % behind", "123456789012345,ccc\r"]
)


def assert_same(one: Dataset, other: Dataset) -> None:
    assert one.attributes == other.attributes
    assert one.name == other.name
    for left, right in zip(one.columns, other.columns, strict=True):
        assert left.dtype == right.dtype
        assert left.tobytes() == right.tobytes()


def read_in_portions(path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> Dataset | None:
    monkeypatch.setattr(line_portions, "PORTION", size)
    monkeypatch.setattr(portions, "PER_HEADER", 0)
    with path.open("rb", buffering=0) as file:
        return portions.read_portions(file, path.stat().st_size, str(path), None)


@needs_compiled
@settings(max_examples=100, deadline=None)
@given(
    lines=st.lists(LINES, max_size=60),
    size=st.integers(1, 400),
    end=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
)
def test_portions_of_any_size(
    lines: list[str], size: int, end: str, ends: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = HEADER.replace("\n", end) + end.join(lines) + (end if ends else "")
    path = tmp_path_factory.getbasetemp() / "portions.arff"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as monkeypatch:
        found = read_in_portions(path, size, monkeypatch)
    assert found is not None
    assert_same(found, parse_arff(text))


@needs_compiled
def test_more_rows_than_the_first_ones_make_likely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEADER + "1000000000000000.25,'b b'\n" * 100 + "1,a\n" * 50_000
    path = tmp_path / "short.arff"
    path.write_text(text)
    found = read_in_portions(path, 1000, monkeypatch)
    assert found is not None
    assert_same(found, parse_arff(text))
    assert len(found) == 50_100


@needs_compiled
def test_a_line_longer_than_a_portion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEADER + "1,a\n% " + 5000 * "long " + "\n2,ccc\n"
    path = tmp_path / "long.arff"
    path.write_text(text)
    found = read_in_portions(path, 100, monkeypatch)
    assert found is not None
    np.testing.assert_array_equal(found.columns[0], [1, 2])


@needs_compiled
@pytest.mark.parametrize("last", ["{0 5}", "5,'it\\'s'", "5,a % é", "5,a,{2}"])
def test_the_text_is_read_where_a_late_line_is_not_plain(
    last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = HEADER.replace("ccc", "ccc,'it\\'s'")
    text = header + 200 * "1,a\n" + last + "\n"
    path = tmp_path / "late.arff"
    path.write_text(text, encoding="utf-8")
    assert read_in_portions(path, 100, monkeypatch) is None
    assert_same(read_arff(path), parse_arff(text))


def test_a_late_error_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.arff"
    path.write_text(HEADER + 100_000 * "1,a\n" + "1,d\n")
    with pytest.raises(ARFFError, match=r"wrong.arff:100006:3: .*'d'"):
        read_arff(path)


def test_a_packed_file(tmp_path: Path) -> None:
    text = HEADER + 1000 * "1,a\n?,'b b'\n"
    path = tmp_path / "packed.arff.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert_same(read_arff(path), parse_arff(text))


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.arff"
    path.write_bytes(b"")
    with pytest.raises(ARFFError):
        read_arff(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe(tmp_path: Path) -> None:
    text = HEADER + 1000 * "1,a\n?,'b b'\n"
    path = tmp_path / "pipe.arff"
    os.mkfifo(path)
    writer = Thread(target=path.write_text, args=(text,), daemon=True)
    writer.start()
    assert_same(read_arff(path), parse_arff(text))
    writer.join()
