"""What does not fit together raises an error in the compiled kernels; nothing is read or written out of place."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nbframework.kernels import implementation

if implementation() == "compiled":
    from nbframework.kernels import _compiled, compiled

pytestmark = pytest.mark.skipif(
    implementation() != "compiled", reason="the compiled kernels were not built, or NBFRAMEWORK_KERNELS is numpy"
)


def codes(*numbers: int, kind: Any = np.uint8) -> np.ndarray:
    return np.array(numbers, dtype=kind)


def counts(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [codes(0, 1, 1), codes(2, 0, 1)],
        "offset": codes(0, 2, 5, kind=np.intp),
        "classes": codes(0, 1, 0),
        "class_count": 2,
    }
    return compiled.class_counts(**(arguments | changes))


def scores(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [codes(0, 1, 1), codes(2, 0, 1)],
        "offset": codes(0, 2, 5, kind=np.intp),
        "table": np.zeros((2, 5)),
        "start": np.zeros(2),
    }
    return compiled.log_scores(**(arguments | changes))


def cuts(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {"values": np.arange(3.0), "classes": codes(0, 1, 0), "class_count": 2}
    return compiled.entropy_cuts(**(arguments | changes))


def intervals(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "values": np.arange(3.0),
        "cuts": np.array([0.5]),
        "unknown": 3,
        "kind": np.dtype(np.uint8),
    }
    return compiled.interval_codes(**(arguments | changes))


def column_cuts(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "columns": [np.array([3.0, 1.0, 2.0])],
        "orders": [codes(1, 2, 0, kind=np.intp)],
        "times": codes(1, 1, 1, kind=np.intp),
        "classes": codes(0, 1, 0),
        "class_count": 2,
    }
    return compiled.column_cuts(**(arguments | changes))


def node_cuts(**changes: Any) -> np.ndarray:
    arguments: dict[str, Any] = {
        "node": codes(0, 0, 1, kind=np.intp),
        "values": np.arange(3.0),
        "classes": codes(0, 1, 0),
        "weights": np.ones(3),
        "amounts": np.ones(3),
        "class_count": 2,
        "total": np.array([2.0, 1.0]),
        "minimum": 1.0,
        "share": 0.1,
        "most": 25.0,
        "closest": 1e-5,
        "tolerance": 1e-6,
    }
    return compiled.node_cuts(**(arguments | changes))


CASES: list[tuple[Callable[..., np.ndarray], dict[str, Any], type[Exception], str]] = [
    (node_cuts, {"node": codes(0, 1, 0, kind=np.intp)}, ValueError, "ascending numbers below 2, entry 2"),
    (node_cuts, {"node": codes(0, 0, 2, kind=np.intp)}, ValueError, "ascending numbers below 2, entry 2"),
    (node_cuts, {"classes": codes(0, 2, 0)}, ValueError, "row 1"),
    (node_cuts, {"weights": np.ones(2)}, ValueError, "3 entries each"),
    (node_cuts, {"class_count": 0}, ValueError, "entries each"),
    (intervals, {"unknown": 256}, ValueError, "do not fit into 1 bytes"),
    (intervals, {"cuts": np.arange(300.0)}, ValueError, "do not fit into 1 bytes"),
    (intervals, {"kind": np.dtype(np.uint64)}, ValueError, "1, 2 or 4 bytes"),
    (intervals, {"values": np.zeros((2, 2))}, ValueError, "dimension"),
    (column_cuts, {"orders": [codes(1, 3, kind=np.intp)]}, ValueError, "rows from 0 to 2"),
    (column_cuts, {"orders": [codes(1, -1, kind=np.intp)]}, ValueError, "rows from 0 to 2"),
    (column_cuts, {"orders": [codes(0, 1, 2, 0, kind=np.intp)]}, ValueError, "at most 3 rows, found 4"),
    (column_cuts, {"orders": [codes(0, 1, 2, kind=np.intp)]}, ValueError, "ascending numbers, row 1"),
    (column_cuts, {"orders": []}, ValueError, "one for each column"),
    (column_cuts, {"times": codes(1, 1, kind=np.intp)}, ValueError, "one for each row, found 2"),
    (column_cuts, {"times": codes(1, -1, 1, kind=np.intp)}, ValueError, "row 1 has none"),
    (column_cuts, {"classes": codes(0, 2, 0)}, ValueError, "class.* row 1|row 1.*class"),
    (column_cuts, {"columns": [np.zeros(2)]}, ValueError, "one for each row, found 2"),
    (column_cuts, {"class_count": -1}, ValueError, "class_count"),
    (counts, {"columns": [codes(0, 1, 2), codes(2, 0, 1)]}, ValueError, "column 0, row 2"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 3, 1)]}, ValueError, "column 1, row 1"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, -1, 1, kind=np.int8)]}, ValueError, "column 1, row 1"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 2**40, 1, kind=np.int64)]}, ValueError, "column 1, row 1"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 2**63, 1, kind=np.uint64)]}, ValueError, "column 1, row 1"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 0)]}, ValueError, "column 1 has 2 rows"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 0, 1).astype(float)]}, TypeError, "native integers"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 0, 1, kind=">u2")]}, TypeError, "native integers"),
    (counts, {"columns": [codes(0, 1, 1), codes(2, 0, 1)[:, None]]}, ValueError, "one dimension"),
    (counts, {"columns": [codes(0, 1, 1), [2, 0, 1]]}, TypeError, "buffer|bytes-like"),
    (counts, {"columns": [codes(0, 1, 1), None]}, TypeError, "buffer|bytes-like"),
    (counts, {"columns": [codes(0, 1, 1)]}, ValueError, "offset: expected 2 borders"),
    (counts, {"offset": codes(0, 3, 2, kind=np.intp)}, ValueError, "ascending"),
    (counts, {"offset": codes(-1, 2, 5, kind=np.intp)}, ValueError, "ascending"),
    (counts, {"offset": codes(0, 9, 5, kind=np.intp)}, ValueError, "ascending"),
    (counts, {"offset": codes(0, 5, kind=np.intp)}, ValueError, "offset: expected 3 borders"),
    (counts, {"offset": np.array([0.0, 2, 5])}, TypeError, "native integers"),
    (counts, {"offset": codes(0, 2, -5, kind=np.intp)}, ValueError, "negative"),
    (counts, {"classes": codes(0, 2, 0)}, ValueError, "the class in row 1"),
    (counts, {"classes": codes(0, -1, 0, kind=np.int64)}, ValueError, "the class in row 1"),
    (counts, {"classes": codes(0, 1)}, ValueError, "classes: expected 3"),
    (counts, {"classes": np.zeros(3)}, TypeError, "native integers"),
    (counts, {"class_count": 0}, ValueError, "the class in row 0"),
    (counts, {"class_count": -1}, ValueError, "negative"),
    (counts, {"weights": np.ones(2)}, ValueError, "weights: expected 3"),
    (counts, {"weights": np.ones((3, 1))}, ValueError, "dimensions"),
    (counts, {"rows": codes(0, 1, 3, kind=np.intp)}, ValueError, "rows: index 2"),
    (counts, {"rows": codes(0, -1, 2, kind=np.intp)}, ValueError, "rows: index 1"),
    (counts, {"rows": codes(0, 1, kind=np.intp)}, ValueError, "classes: expected 2"),
    (counts, {"rows": np.array([0.0, 1, 2])}, TypeError, "native integers"),
    (scores, {"columns": [codes(0, 1, 2), codes(2, 0, 1)]}, ValueError, "column 0, row 2"),
    (scores, {"columns": [codes(0, 1, 1), codes(2, 0)]}, ValueError, "column 1 has 2 rows"),
    (scores, {"offset": codes(0, 2, 6, kind=np.intp)}, ValueError, "ascending"),
    (scores, {"offset": codes(0, 2, 4, kind=np.intp)}, ValueError, "ascending"),
    (scores, {"table": np.zeros(5)}, ValueError, "dimensions"),
    (scores, {"table": np.zeros((3, 5))}, ValueError, "start: expected 3"),
    (scores, {"start": np.zeros(3)}, ValueError, "start: expected 2"),
    (scores, {"columns": []}, ValueError, "offset: expected 1 borders"),
    (cuts, {"values": np.array([0.0, 2, 1])}, ValueError, "row 2 breaks the order"),
    (cuts, {"values": np.array([0.0, 1, np.nan])}, ValueError, "row 2 breaks the order"),
    (cuts, {"values": np.array([np.nan]), "classes": codes(0)}, ValueError, "NaN"),
    (cuts, {"classes": codes(0, 2, 0)}, ValueError, "the class in row 1"),
    (cuts, {"classes": codes(0, 1)}, ValueError, "expected 3"),
    (cuts, {"weights": np.ones(2)}, ValueError, "expected 3"),
    (cuts, {"weights": np.array([1.0, -1, 1])}, ValueError, "row 1 has none"),
    (cuts, {"weights": np.array([1.0, 1, np.nan])}, ValueError, "row 2 has none"),
    (cuts, {"weights": np.array([1.0, 1, np.inf])}, ValueError, "row 2 has none"),
    (cuts, {"class_count": -1}, ValueError, "class_count"),
    (cuts, {"class_count": 2**40}, ValueError, "class_count"),
    (cuts, {"class_count": 0}, ValueError, "the class in row 0"),
]


@pytest.mark.parametrize(("kernel", "changes", "error", "message"), CASES)
def test_refused(
    kernel: Callable[..., np.ndarray], changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        kernel(**changes)


@pytest.mark.parametrize("rows", [500, 5000, 300_000])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
def test_bad_code_far_down(rows: int, kind: type, weighted: bool) -> None:
    columns = [np.zeros(rows, kind) for _ in range(3)]
    columns[1][rows - 1] = 9
    offset = np.array([0, 9, 18, 27])
    weights = np.ones(rows) if weighted else None
    with pytest.raises(ValueError, match=f"column 1, row {rows - 1}"):
        compiled.class_counts(columns, offset, np.zeros(rows, np.intp), 4, weights)
    with pytest.raises(ValueError, match=f"column 1, row {rows - 1}"):
        compiled.class_counts(columns, offset, np.zeros(rows, np.intp), 4, weights, np.arange(rows))
    with pytest.raises(ValueError, match=f"column 1, row {rows - 1}"):
        compiled.log_scores(columns, offset, np.zeros((4, 27)), np.zeros(4))


def test_results_must_be_writable_and_of_the_right_form() -> None:
    columns, offset, classes = (codes(0, 1),), codes(0, 2, kind=np.intp), codes(0, 0)
    frozen = np.zeros((1, 2))
    frozen.flags.writeable = False
    for cells in (frozen, np.zeros((1, 2), np.float32), np.zeros(2), np.zeros((2, 2))[:, ::2], b"12345678"):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.class_counts(columns, offset, classes, None, None, cells)
    for result in (np.zeros((3, 1)), np.zeros((2, 2)), frozen):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.log_scores(columns, offset, np.zeros((1, 2)), np.zeros(1), result)
    with pytest.raises(TypeError):
        _compiled.class_counts([codes(0, 1)], offset, classes, None, None, np.zeros((1, 2)))
    with pytest.raises(TypeError):
        _compiled.class_counts()


def test_lgamma_may_fail() -> None:
    def fail(_: float) -> float:
        raise ArithmeticError("no")

    values, classes = np.arange(20.0), np.arange(20) // 10
    for lgamma, error in ((fail, ArithmeticError), (lambda _: "x", TypeError)):
        with pytest.raises(error):
            _compiled.entropy_cuts(values, classes, 2, None, True, False, lgamma)
    assert _compiled.entropy_cuts(values, classes, 2, None, True, False, math.lgamma) == [9.5]


def test_arff_columns_must_fit() -> None:
    good = (np.zeros(2), np.zeros(2, np.uint8))
    values = (None, (b"a",))
    assert _compiled.arff_rows(b"1,a", 0, values, good) == (1, 3)
    assert _compiled.arff_rows(b"1,a\n2,a\n3,a", 0, values, good) == (2, 8)
    many = tuple(str(i).encode() for i in range(255))
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    for bad, columns in (
        (values, good[:1]),
        (values, (np.zeros(2, np.float32), good[1])),
        (values, (good[0], np.zeros(2, np.int8))),
        (values, (good[0], np.zeros(2, np.uint64))),
        (values, (good[0], np.zeros(3, np.uint8))),
        (values, (good[0], np.zeros((2, 1), np.uint8))),
        (values, (np.zeros(4)[::2], good[1])),
        (values, (frozen, good[1])),
        ((None, many), good),
        ((None, ("a",)), good),
        ((None, [b"a"]), good),
        ((None, (b"a", b"a")), good),
    ):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.arff_rows(b"1,a", 0, bad, columns)
    for data in (1, None, np.zeros((2, 2))[:, ::2], "\ud800"):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.arff_rows(data, 0, values, good)
        with pytest.raises((TypeError, ValueError, BufferError)):
            _compiled.arff_lines(data, 0)
