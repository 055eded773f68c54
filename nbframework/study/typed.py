"""Score tables typed in from a paper or another tool, as CSV."""

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from nbframework.errors import DataError, did_you_mean
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.scores import Cell, FloatArray, ScoreTable

SHARES = ("accuracy", "error")
"""Metrics that may be given in percent."""
_MEANS = ("mean", "average", "avg")
_FOLDS = ("fold", "repeat", "run")
"""Columns that tell the scores of a data set apart."""


def read_score_csv(
    path: str | os.PathLike[str], metric: str = "accuracy", columns: Sequence[str] = (), test_ratio: float = 0.0
) -> ScoreTable:
    """Return the scores of a CSV file with a header line.

    Two forms are read. A first column ``fold``, ``repeat`` or ``run`` gives the folds of one data set, a column for
    each method. Any other first column names data sets, and each has one score a method, or several where such a column
    tells them apart.

    Parameters
    ----------
    path
        The file.
    metric
        What the scores are; accuracy and error may be in percent.
    columns
        The columns that are methods; by default all that hold numbers, but for those that end in ``_sd`` beside a
        column without it.
    test_ratio
        Test rows / training rows of a fold; 0 for 1 / (folds - 1), which is that of cross-validation. Folds are the
        different labels in column ``fold``, or else all scores of the data set.

    Raises
    ------
    DataError
        On a file that is no such table. An empty cell is a missing score.
    """
    header, rows = _cells(Path(path))
    names = _methods(path, header, rows, columns)
    for name in names:
        if header.count(name) > 1:
            raise DataError(
                f"{path}:1: {header.count(name)} columns are called {name!r}; methods need names of their own"
            )
    by_fold = header[0].lower() in _FOLDS
    labelled = [i for i, name in enumerate(header) if name.lower() in _FOLDS]
    found: dict[Cell, list[float]] = {}
    labels: dict[str, list[tuple[str, ...]]] = {}
    for line, row in enumerate(rows, start=2):
        dataset = Path(path).stem if by_fold else row[0]
        if dataset.lower() in _MEANS:
            continue
        if not labelled and dataset in labels:
            raise DataError(f"{path}:{line}: data set {dataset!r} is given twice; a column 'fold' tells folds apart")
        labels.setdefault(dataset, []).append(tuple(row[i] for i in labelled))
        for name in names:
            found.setdefault((dataset, name), []).append(_number(path, line, name, row[header.index(name)]))
    _check_range(path, found, metric)
    scale = _scale(found, metric)
    scores = {cell: _array(values, scale) for cell, values in found.items()}
    if not labelled:
        scores = {cell: values for cell, values in scores.items() if not np.isnan(values).any()}
    fold = next((place for place, i in enumerate(labelled) if header[i].lower() == "fold"), None)
    ratios: dict[Cell, float] = {}
    for dataset, given in labels.items():
        folds = len(given) if fold is None else len({label[fold] for label in given})
        if test_ratio or folds > 1:
            ratios |= dict.fromkeys([(dataset, name) for name in names], test_ratio or 1 / (folds - 1))
    higher = METRICS[metric].higher_is_better if metric in METRICS else True
    return ScoreTable(metric, tuple(labels), tuple(names), scores, higher, test_ratio=ratios)


def _cells(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [[cell.strip() for cell in row] for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read as CSV: {getattr(error, 'strerror', None) or error}") from error
    if len(rows) < 2:
        raise DataError(f"{path}: a header line and at least one row are expected")
    for line, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            hint = "; cells are parted by commas" if ";" in "".join(rows[0]) else ""
            raise DataError(f"{path}:{line}: {len(row)} cells, the header has {len(rows[0])}{hint}")
    return rows[0], rows[1:]


def _methods(
    path: str | os.PathLike[str], header: list[str], rows: list[list[str]], columns: Sequence[str]
) -> list[str]:
    for name in columns:
        if name not in header:
            raise DataError(f"{path}: no column {name!r}{did_you_mean(name, header)} (columns: {', '.join(header)})")
    if columns:
        return list(columns)
    numeric = [
        name
        for i, name in enumerate(header)
        if i and name.lower() not in _FOLDS and _has_scores(path, name, [row[i] for row in rows])
    ]
    methods = [name for name in numeric if not (name.endswith("_sd") and name[: -len("_sd")] in header)]
    if not methods:
        raise DataError(f"{path}: no column of numbers beside {header[0]!r}")
    return methods


def _has_scores(path: str | os.PathLike[str], name: str, cells: Sequence[str]) -> bool:
    """Whether a column holds numbers; one of both numbers and other texts is a mistake."""
    known = [(line, text) for line, text in enumerate(cells, start=2) if text]
    others = [(line, text) for line, text in known if _parsed(text) is None]
    if others and len(others) < len(known):
        line, text = others[0]
        raise DataError(
            f"{path}:{line}: column {name!r}: found {text!r}, expected a number as in its other cells; "
            "--columns names the columns that are methods"
        )
    return bool(known) and not others


def _parsed(text: str) -> float | None:
    # Python's own reading takes 1_0 for 10, and the digits of other scripts
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


def _number(path: str | os.PathLike[str], line: int, name: str, text: str) -> float:
    if not text:
        return np.nan
    found = _parsed(text)
    if found is None:
        raise DataError(f"{path}:{line}: {name}: {text!r} is no number")
    return found


def _check_range(path: str | os.PathLike[str], found: Mapping[Cell, Sequence[float]], metric: str) -> None:
    """Refuse shares that are none, such as the row numbers of a file of predictions."""
    if metric not in SHARES:
        return
    for (dataset, name), values in found.items():
        for value in values:
            if not (np.isnan(value) or 0.0 <= value <= 100.0):
                raise DataError(
                    f"{path}: {name} on {dataset}: found {value:g}, expected {metric} from 0 to 1 or in percent; "
                    "--columns names the columns that are methods, --metric what they hold"
                )


def _scale(found: dict[Cell, list[float]], metric: str) -> float:
    """Return what to divide by: 100 where shares are given in percent."""
    largest = max((abs(value) for values in found.values() for value in values if not np.isnan(value)), default=0.0)
    return 100.0 if metric in SHARES and largest > 1.0 else 1.0


def _array(values: Sequence[float], scale: float) -> FloatArray:
    return np.array(values, dtype=np.float64) / scale
