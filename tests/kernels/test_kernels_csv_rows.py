"""The scan of plain CSV rows: where it stops, what it reads, and that both forms agree."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation
from nbframework.kernels.definitions.csv_rows import FieldRows

Reader = Callable[..., FieldRows]
READERS = [pytest.param(definitions.csv_rows, id="definition")]
if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

    READERS.append(pytest.param(compiled.csv_rows, id="compiled"))

needs_both = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
UNKNOWN = (b"", b"?", b"NA")
FORMS = ["numbers", "texts", "skipped"]


def assert_same_rows(one: FieldRows, other: FieldRows) -> None:
    assert (one.rows, one.position, one.texts) == (other.rows, other.position, other.texts)
    for left, right in zip(one.columns, other.columns, strict=True):
        assert (left is None) == (right is None)
        if left is not None and right is not None:
            assert left.dtype == right.dtype
            assert left.tobytes() == right.tobytes()


@pytest.mark.parametrize("read", READERS)
def test_plain_rows(read: Reader) -> None:
    data = b'1, a ,x\r\n\n"2.5","a, b",\n?,a,"x"\r\n\tNA ,"",y"y\n -3e2,\xc3\xa9, "z'
    rows = read(data, FORMS, UNKNOWN)
    assert (rows.rows, rows.position) == (5, len(data))
    np.testing.assert_array_equal(rows.columns[0], [1, 2.5, math.nan, math.nan, -300])
    np.testing.assert_array_equal(rows.columns[1], np.array([0, 1, 0, 2, 3], dtype=np.uint32))
    assert rows.texts == [None, [b"a", b"a, b", b"", "é".encode()], None]
    assert rows.columns[2] is None


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "field", [b"1x", b"x", b"1 2", b"inf", b"nan", b"1_0", b"0x1p3", b"1e999", b".", b"na", b"--1"]
)
def test_a_field_that_is_no_number(read: Reader, field: bytes) -> None:
    rows = read(b"1,a\n" + field + b",b\n2,c\n", ["numbers", "texts"], UNKNOWN)
    assert (rows.rows, rows.columns[0], rows.texts[1]) == (3, None, [b"a", b"b", b"c"])


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "line",
    [
        b"1,a",
        b"1,a,x,y",
        b'1,"a"b,x',
        b'1,"a""b",x',
        b'1,"a\nb",x',
        b"1,a\x00,x",
        b"1,a\x0c,x",
        b"1,a,x\r1,a,x",
        b'1,a,"x',
    ],
)
def test_stops_at_what_is_not_plain(read: Reader, line: bytes) -> None:
    before = b"1,a,x\n\n"
    for behind in (b"", b"\n1,a,x\n"):
        rows = read(before + line + behind, FORMS, UNKNOWN)
        assert (rows.rows, rows.position) == (1, len(before))


@pytest.mark.parametrize("read", READERS)
def test_no_more_rows_than_asked_for(read: Reader) -> None:
    rows = read(b"1\n2\n\n3\n", ["numbers"], UNKNOWN, 2, 1)
    assert (rows.columns[0].tolist(), rows.rows, rows.position) == ([2], 1, 5)
    rows = read(b"1\n\n", ["numbers"], UNKNOWN, 0, 1)
    assert (rows.rows, rows.position) == (1, 3)
    assert read(b"1\n", ["texts"], (), 0, 0)[2:] == (0, 0)


@pytest.mark.parametrize("read", READERS)
def test_many_texts(read: Reader) -> None:
    texts = [b"%d" % (number % 3000) for number in range(9000)]
    rows = read(b"\n".join(texts), ["texts"])
    assert rows.texts[0] == texts[:3000]
    np.testing.assert_array_equal(rows.columns[0], np.arange(9000) % 3000)


@pytest.mark.parametrize("read", READERS)
def test_what_does_not_fit_is_refused(read: Reader) -> None:
    for start in (-1, 3):
        with pytest.raises(ValueError, match="start: expected 0 to 2, found"):
            read(b"1\n", ["numbers"], (), start)
    with pytest.raises(ValueError, match="at least one"):
        read(b"1\n", [])
    with pytest.raises((ValueError, TypeError)):
        read(b"1\n", ["words"])
    with pytest.raises(ValueError, match="0 rows or more"):
        read(b"1\n", ["skipped"], (), 0, -1)


FIELDS = st.one_of(
    st.sampled_from(
        [
            "1",
            " 2.5 ",
            "-3e4",
            "",
            "?",
            "a",
            "long-text-of-20-bytes",
            '"a"',
            '"1"',
            '"a,b"',
            '"a""b"',
            'a"b',
            "é",
            "\t",
            "1e999",
        ]
    ),
    st.text('ab1.-e"\t \r\x0b', max_size=12),
)


@needs_both
@settings(max_examples=300, deadline=None)
@given(
    rows=st.lists(st.lists(FIELDS, min_size=2, max_size=3), max_size=12),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\n\n", "\r"]), min_size=12, max_size=12),
    forms=st.lists(st.sampled_from(["numbers", "texts", "skipped"]), min_size=1, max_size=3),
    most=st.one_of(st.none(), st.integers(0, 5)),
    cut=st.integers(0, 3),
)
def test_both_forms_agree(rows: list[list[str]], ends: list[str], forms: list[Any], most: int | None, cut: int) -> None:
    data = "".join(",".join(row) + end for row, end in zip(rows, ends, strict=False)).encode()
    data = data[: len(data) - cut] if cut else data
    for start in {0, min(3, len(data))}:
        expected = definitions.csv_rows(data, forms, UNKNOWN, start, most)
        for given_as in (data, bytearray(data), memoryview(data)):
            assert_same_rows(compiled.csv_rows(given_as, forms, UNKNOWN, start, most), expected)


@needs_both
def test_malformed_arguments_raise() -> None:
    good = (b"1\n", 0, b"n", (b"",), (np.empty(1),), 1)
    assert _compiled.csv_rows(*good)[:2] == (1, 2)
    for place, wrong in [
        (0, 1),
        (1, 3),
        (2, "n"),
        (2, b"x"),
        (2, b"nn"),
        (3, [b""]),
        (3, ("",)),
        (3, (b"", b"")),
        (4, (np.empty(2),)),
        (4, (np.empty(1, dtype=np.float32),)),
        (4, (None,)),
        (4, (np.empty((1, 1)),)),
        (4, [np.empty(1)]),
        (5, -1),
    ]:
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.csv_rows(*good[:place], wrong, *good[place + 1 :])
    read_only = np.empty(1)
    read_only.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        _compiled.csv_rows(*good[:4], (read_only,), 1)


@needs_both
def test_same_rows_from_many_threads() -> None:
    data = b"\n".join(b"%d.%d,t%d" % (number, number, number % 700) for number in range(20_000))
    alone = compiled.csv_rows(data, ["numbers", "texts"])
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(compiled.csv_rows, data, ["numbers", "texts"]) for _ in range(8)]:
            assert_same_rows(future.result(), alone)
