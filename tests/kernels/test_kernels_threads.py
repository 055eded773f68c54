"""Kernels give the same bytes from any number of threads, and survive arguments that change meanwhile."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest

from nbframework.kernels import (
    arff_rows,
    best_classes,
    class_counts,
    class_moments,
    class_totals,
    column_cuts,
    count_scores,
    entropy_cuts,
    gaussian_scores,
    group_scores,
    implementation,
    interval_codes,
    log_posteriors,
    log_scores,
    smallest,
    squared_distances,
    threshold_scores,
    threshold_totals,
)

ROWS = 20_000
GENERATOR = np.random.default_rng(5)
COLUMNS = [GENERATOR.integers(0, 10, ROWS).astype(np.uint8) for _ in range(6)]
OFFSET = np.arange(7) * 10
CLASSES = GENERATOR.integers(0, 3, ROWS)
WEIGHTS = GENERATOR.random(ROWS)
VALUES = np.sort(GENERATOR.normal(size=ROWS))
NUMBERS = np.abs(GENERATOR.normal(size=(ROWS, 6)))
MEAN, VARIANCE = GENERATOR.normal(size=(3, 6)), GENERATOR.random((3, 6))
TABLE, START = GENERATOR.normal(size=(3, 60)), GENERATOR.normal(size=3)
SCORES = GENERATOR.normal(size=(ROWS, 5))
GROUPS, TABLES, STARTS = CLASSES % 2, GENERATOR.normal(size=(2, 3, 60)), GENERATOR.normal(size=(2, 3))
NEAR, FAR = [NUMBERS[:100, j] for j in range(6)], [NUMBERS[100:1100, j] for j in range(6)]
BOUNDS = np.array([[0.0, 4.0]] * 6)
SECTION = "".join(f"{x!r},{v}\n" for x, v in zip(VALUES[:3000].tolist(), COLUMNS[0][:3000].tolist(), strict=True))
NAMES = [str(i) for i in range(10)]

CALLS: list[Callable[[], bytes]] = [
    lambda: class_counts(COLUMNS, OFFSET, CLASSES, 3).tobytes(),
    lambda: class_counts(COLUMNS, OFFSET, CLASSES, 3, WEIGHTS).tobytes(),
    lambda: log_scores(COLUMNS, OFFSET, TABLE, START).tobytes(),
    lambda: entropy_cuts(VALUES, CLASSES, 3).tobytes(),
    lambda: entropy_cuts(VALUES, CLASSES, 3, None, "kononenko").tobytes(),
    lambda: gaussian_scores(NUMBERS, MEAN, VARIANCE).tobytes(),
    lambda: count_scores(NUMBERS, MEAN).tobytes(),
    lambda: threshold_scores(NUMBERS, 0.5, MEAN, VARIANCE).tobytes(),
    lambda: class_totals(NUMBERS, CLASSES, 3, WEIGHTS).tobytes(),
    lambda: np.array(class_moments(NUMBERS, CLASSES, 3, WEIGHTS)).tobytes(),
    lambda: threshold_totals(NUMBERS, 0.5, CLASSES, 3, WEIGHTS).tobytes(),
    lambda: group_scores(COLUMNS, OFFSET, GROUPS, TABLES, STARTS).tobytes(),
    lambda: b"".join(array.tobytes() for array in log_posteriors(SCORES)),
    lambda: best_classes(SCORES, np.array([2, 0, 4, 1, 3]), 0.1).tobytes(),
    lambda: interval_codes(VALUES, VALUES[::1000], 20, np.dtype(np.uint8)).tobytes(),
    lambda: column_cuts([VALUES], [np.arange(ROWS)], None, CLASSES, 3)[0].tobytes(),
    lambda: squared_distances(NEAR, FAR, BOUNDS).tobytes(),
    lambda: repr(smallest(squared_distances(NEAR, FAR, BOUNDS), 7)).encode(),
    lambda: b"".join(column.tobytes() for column in arff_rows(SECTION, [None, NAMES]).columns),
]


def test_same_bytes_on_many_threads() -> None:
    alone = [call() for call in CALLS]
    with ThreadPoolExecutor(8) as pool:
        together = [[pool.submit(call) for call in CALLS] for _ in range(8)]
        for futures in together:
            assert [future.result() for future in futures] == alone


@pytest.mark.skipif(implementation() != "compiled", reason="only the compiled kernels give up the interpreter lock")
@pytest.mark.parametrize("width", [10, 15])
def test_changing_codes_are_counted_or_refused(width: int) -> None:
    """Three columns of 15 values in 3 classes are counted in one joint table, which a code of 255 would lead out of."""
    columns, offset = [column.copy() for column in COLUMNS], np.arange(7) * width
    table = GENERATOR.normal(size=(3, 6 * width))
    classes, stop = CLASSES.copy(), threading.Event()

    def disturb() -> None:
        while not stop.is_set():
            columns[2][:] = 255
            classes[:] = 2**31
            columns[2][:] = 3
            classes[:] = 1

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for _ in range(200):
            with suppress(ValueError):
                class_counts(columns, offset, classes, 3)
            with suppress(ValueError):
                log_scores(columns, offset, table, START)
            with suppress(ValueError):
                class_totals(NUMBERS, classes, 3, WEIGHTS)
    finally:
        stop.set()
        thread.join()
