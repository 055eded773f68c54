"""The scan of plain ARFF rows: where it stops, what it reads, and that both forms agree."""

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nbframework.kernels import definitions, implementation
from nbframework.kernels.definitions.arff import PlainRows

Reader = Callable[..., PlainRows]
READERS = [pytest.param(definitions.arff_rows, id="definition")]
if implementation() == "compiled":
    from nbframework.kernels import compiled

    READERS.append(pytest.param(compiled.arff_rows, id="compiled"))

needs_both = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)
VALUES = [None, ("a", "b b", "it's", "?", "", "long-value-of-20-bytes", "é", "eightlet", "a\\b"), None]


def assert_same_rows(one: PlainRows, other: PlainRows) -> None:
    assert (one.rows, one.position) == (other.rows, other.position)
    for left, right in zip(one.columns, other.columns, strict=True):
        assert left.dtype == right.dtype
        assert left.tobytes() == right.tobytes()


@pytest.mark.parametrize("read", READERS)
def test_plain_rows(read: Reader) -> None:
    data = "% head\n\n1, a ,-2.5e3\r\n?,'b b',.5\r\t+3.,\"it's\",'7' % tail\n0,'?',1\n0,?,1\n-0,'',1\n1,é,2"
    rows = read(data, VALUES)
    assert (rows.rows, rows.position) == (7, len(data.encode()))
    np.testing.assert_array_equal(rows.columns[0], [1, math.nan, 3, 0, 0, -0.0, 1])
    np.testing.assert_array_equal(rows.columns[1], np.array([0, 1, 2, 3, 10, 4, 6], dtype=np.uint8))
    np.testing.assert_array_equal(rows.columns[2], [-2500, 0.5, 7, 1, 1, 1, 2])
    assert math.copysign(1, rows.columns[0][5]) == -1
    assert rows.columns[1].dtype == np.uint8


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "line",
    [
        "1,c,1",
        "1,A,1",
        "1,it's,1",
        "1,b b,1",
        "1,'a,1",
        r"1,'a\'b',1",
        r"1,'a\\b',1",
        "1,a,1,1",
        "1,a",
        "1,a,",
        ",a,1",
        "1,,1",
        "1,a,1 {2}",
        "{0 1}",
        "1,a,1%",
        "1,a,x",
        "1,a,1x",
        "1,a,nan",
        "1,a,inf",
        "1,a,1e999",
        "1,a,1_0",
        "1,a,0x1p3",
        "1,a,.",
        "1,a,+",
        "1,a,1e",
        "1,a,1 2",
        "1,a,'?'",
        "1,a,' 1'",
        "1,a,'1",
        "1,a,--1",
        "1,a,\u0661",
        "1,a\x00,1",
        "1,a,1\x0c",
        "1,'a'b,1",
        "\ufeff1,a,1",
    ],
)
def test_stops_at_what_is_not_plain(read: Reader, line: str) -> None:
    before = "1,a,1\n% comment\n"
    for behind in ("", "\n1,a,1\n"):
        rows = read(before + line + behind, VALUES)
        assert (rows.rows, rows.position) == (1, len(before))
        assert [len(column) for column in rows.columns] == [1, 1, 1]


@pytest.mark.parametrize("read", READERS)
def test_start_and_kinds_of_data(read: Reader) -> None:
    text = "é\n1\n2\n"
    for data in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        assert read(data, [None], 3).columns[0].tolist() == [1, 2]
        assert read(data, [None], 0)[1:] == (0, 0)
        assert read(data, [None], len(text.encode()))[1:] == (0, 7)
    for start in (-1, 8):
        with pytest.raises(ValueError, match="start: expected 0 to 7"):
            read(text, [None], start)


@pytest.mark.parametrize("read", READERS)
def test_no_attribute_and_no_value(read: Reader) -> None:
    assert read("\n%\n", [])[1:] == (0, 3)
    assert read("\nx\n", [])[1:] == (0, 1)
    rows = read("?\n?\nx\n", [()])
    assert (rows.columns[0].tolist(), rows.position) == ([1, 1], 4)


@pytest.mark.parametrize("read", READERS)
def test_repeated_value_is_refused(read: Reader) -> None:
    with pytest.raises(ValueError, match="equal"):
        read("a\n", [("a", "b", "a")])


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("count", [253, 254, 255, 65533, 65534, 65535])
def test_code_types(read: Reader, count: int) -> None:
    values = [f"v{i}" for i in range(count)]
    column = read(f"v0\nv{count - 1}\n?\n", [values]).columns[0]
    assert column.tolist() == [0, count - 1, count + 1]
    assert column.dtype == np.min_scalar_type(count + 1)


def same_double(text: str) -> None:
    (column,) = compiled.arff_rows(text, [None]).columns
    expected = float(text)
    if math.isinf(expected):
        assert not len(column)
    else:
        assert struct.pack("d", column[0]) == struct.pack("d", expected), text


@needs_both
@settings(max_examples=1000, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["r", ".17g", ".18e", ".20g", ".6f", ".40g"]))
def test_doubles_as_written(number: float, style: str) -> None:
    same_double(repr(number) if style == "r" else format(number, style))


@needs_both
@settings(max_examples=1000, deadline=None)
@given(st.from_regex(r"[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True))
@example("9007199254740993")
@example("9007199254740992.5")
@example("1" + "0" * 400)
@example("0." + "0" * 400 + "1e400")
@example("1e-99999999999999999999")
@example("-0e99999999999999999999")
@example("2.2250738585072011e-308")
@example("179769313486231580793e289")
@example("18446744073709551616")
@example("10000000000000000000000000")
def test_doubles_of_any_shape(text: str) -> None:
    same_double(text)


@needs_both
@settings(max_examples=1000, deadline=None)
@given(st.integers(1, 2**64 - 1), st.integers(-30, 30))
def test_doubles_between_the_exact_and_the_long(digits: int, exponent: int) -> None:
    same_double(f"{digits}e{exponent}")


NUMBERS = ("1", "-2.5", "?", "1e5", "0.1234567890123456789012", "\t1 ", "1e999", "'2'")
WORDS = ("a", "long-value-of-20-bytes", "é", "eightlet", "eightlets", "c", "", "x%", "a\\b", " a\t", "{")
QUOTED = ("'b b'", '"it\'s"', "'?'", "''", "'a\\b'")
CELLS = st.one_of(
    st.sampled_from(NUMBERS + WORDS + QUOTED), st.text(alphabet="ab'\"\\?%{} ,\t0123.e-\r\n\x00é", max_size=6)
)


@needs_both
@settings(max_examples=1500, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=4).map(",".join), max_size=6),
    st.sampled_from(["\n", "\r", "\r\n", "\n\n", "\n%x\n"]),
    st.sampled_from(["", "\n", " ", "%"]),
)
def test_forms_agree_on_any_text(lines: list[str], end: str, tail: str) -> None:
    data = end.join(lines) + tail
    assert_same_rows(definitions.arff_rows(data, VALUES), compiled.arff_rows(data, VALUES))


@needs_both
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(*[st.sampled_from(["1", "2.5", "?"]), st.sampled_from(["a", "?", "'b b'"])] * 2), max_size=30)
)
def test_forms_agree_on_rows(rows: list[tuple[str, ...]]) -> None:
    data = "\n".join(map(",".join, rows))
    values = [None, ("a", "b b"), None, ("a", "b", "c", "b b")]
    result = compiled.arff_rows(data, values)
    assert result.rows == len(rows)
    assert_same_rows(definitions.arff_rows(data, values), result)


@needs_both
@given(st.lists(st.text(max_size=20), unique=True, max_size=80))
@settings(max_examples=200, deadline=None)
def test_every_declared_value_is_found(values: list[str]) -> None:
    values = [value for value in values if value.isprintable() and "\\" not in value and "'" not in value]
    data = "".join(f"'{value}'\n" for value in values)
    assert compiled.arff_rows(data, [values]).columns[0].tolist() == list(range(len(values)))


@pytest.mark.parametrize("read", READERS)
def test_columns_that_are_given_are_filled_and_end_the_reading(read: Reader) -> None:
    data = b"1,a,2\n% between\n3,?,4\n5,a,6\n"
    columns = [np.empty(2), np.empty(2, dtype=np.uint8), np.empty(2)]
    rows = read(memoryview(data), VALUES, 0, columns)
    assert (rows.rows, data[rows.position :]) == (2, b"5,a,6\n")
    np.testing.assert_array_equal(columns[0], [1, 3])
    np.testing.assert_array_equal(columns[1], [0, 10])
    np.testing.assert_array_equal(rows.columns[2], [2, 4])
