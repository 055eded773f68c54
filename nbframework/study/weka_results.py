"""Result files of Weka's Experimenter: ours written so that its analyser opens them, and theirs read."""

import csv
import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.arff import read_arff, write_arff
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, did_you_mean, writing
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.scores import Cell, ScoreTable
from nbframework.study.documents import document
from nbframework.study.plan import frame_version
from nbframework.study.results import CellState, RunResults

KEYS = ("Dataset", "Run", "Fold", "Scheme", "Scheme_options", "Scheme_version_ID")
COLUMNS = (
    *("Date_time", "Number_of_training_instances", "Number_of_testing_instances", "Number_correct"),
    *("Number_incorrect", "Number_unclassified", "Percent_correct", "Percent_incorrect", "Percent_unclassified"),
    *("Kappa_statistic", "Mean_absolute_error", "Root_mean_squared_error", "Relative_absolute_error"),
    *("Root_relative_squared_error", "SF_prior_entropy", "SF_scheme_entropy", "SF_entropy_gain"),
    *("SF_mean_prior_entropy", "SF_mean_scheme_entropy", "SF_mean_entropy_gain", "KB_information"),
    *("KB_mean_information", "KB_relative_information", "True_positive_rate", "Num_true_positives"),
    *("False_positive_rate", "Num_false_positives", "True_negative_rate", "Num_true_negatives"),
    *("False_negative_rate", "Num_false_negatives", "IR_precision", "IR_recall", "F_measure"),
    *("Matthews_correlation", "Area_under_ROC", "Area_under_PRC", "Weighted_avg_true_positive_rate"),
    *("Weighted_avg_false_positive_rate", "Weighted_avg_true_negative_rate", "Weighted_avg_false_negative_rate"),
    *("Weighted_avg_IR_precision", "Weighted_avg_IR_recall", "Weighted_avg_F_measure"),
    *("Weighted_avg_matthews_correlation", "Weighted_avg_area_under_ROC", "Weighted_avg_area_under_PRC"),
    *("Unweighted_macro_avg_F_measure", "Unweighted_micro_avg_F_measure", "Elapsed_Time_training"),
    *("Elapsed_Time_testing", "UserCPU_Time_training", "UserCPU_Time_testing", "UserCPU_Time_millis_training"),
    *("UserCPU_Time_millis_testing", "Serialized_Model_Size", "Serialized_Train_Set_Size"),
    *("Serialized_Test_Set_Size", "Coverage_of_Test_Cases_By_Regions", "Size_of_Predicted_Regions"),
)
"""Weka 3.9's numeric result columns, in its order; the text column ``Summary`` follows them."""
OF_METRIC: Mapping[str, tuple[str, float]] = {
    "accuracy": ("Percent_correct", 100.0),
    "error": ("Percent_incorrect", 100.0),
    "cohens_kappa": ("Kappa_statistic", 1.0),
    "rmse": ("Root_mean_squared_error", 1.0),
    "f1_weighted": ("Weighted_avg_F_measure", 1.0),
    "f1_macro": ("Unweighted_macro_avg_F_measure", 1.0),
    "auc": ("Weighted_avg_area_under_ROC", 1.0),
}
"""Weka's column and its unit for each metric that has one."""
_SMALLER = ("incorrect", "unclassified", "error", "entropy", "false", "time", "size")
_LARGER = ("gain",)


def larger_is_better(metric: str) -> bool:
    """Return whether the larger of two numbers of a metric, or of one of Weka's columns, is the better one."""
    if metric in METRICS:
        return METRICS[metric].higher_is_better
    words = metric.lower().split("_")
    return any(word in words for word in _LARGER) or not any(word in words for word in _SMALLER)


def write_weka_results(results: RunResults, path: str | os.PathLike[str]) -> None:
    """Write a run as an Experimenter result file, ARFF or CSV as the name ends.

    A fold of a cell is a row. Repeat r is Weka's run r + 1, with Weka's folds that of its seed + r; the scheme is the
    recipe's label, its options the identity of the recipe. What was not measured is ``?``.

    Raises
    ------
    DataError
        Where the name ends otherwise, no cell has a result, or the file cannot be written.
    """
    target = Path(path)
    if target.suffix not in (".arff", ".csv"):
        found = f"the ending {target.suffix!r}" if target.suffix else "no ending"
        raise DataError(f"{target}: found {found}, expected .arff or .csv")
    rows = [row for cell in results.cells for row in _rows(results, cell)]
    if not rows:
        raise DataError("no fold has a result, there is nothing to write")
    keys = [[row["Key_" + key] for row in rows] for key in KEYS]
    numbers = [[row.get(column, np.nan) for row in rows] for column in COLUMNS]
    if target.suffix == ".csv":
        _write_csv(target, keys, numbers)
        return
    attributes = [
        Attribute.nominal("Key_" + name, tuple(dict.fromkeys(values))) for name, values in zip(KEYS, keys, strict=True)
    ]
    attributes += [Attribute.numeric(column) for column in COLUMNS]
    attributes.append(Attribute("Summary", "string"))
    columns: list[Any] = [*keys, *numbers, [None] * len(rows)]
    write_arff(Dataset.from_columns(attributes, columns, name="InstanceResultListener"), target)


def _write_csv(path: Path, keys: Sequence[Sequence[str]], numbers: Sequence[Sequence[float]]) -> None:
    with writing(path), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*["Key_" + key for key in KEYS], *COLUMNS, "Summary"])
        for key, values in zip(zip(*keys, strict=True), zip(*numbers, strict=True), strict=True):
            writer.writerow([*key, *["?" if np.isnan(value) else repr(float(value)) for value in values], "?"])


def _rows(results: RunResults, cell: CellState) -> list[dict[str, Any]]:
    """Return the columns of each fold of a cell that have a value."""
    ((identity, seed, protocol),) = results.store.query(
        "SELECT identity, seed, protocol FROM task JOIN recipe ON recipe.key = task.recipe WHERE task.id = ?",
        (cell.task,),
    )
    kind = document(results.store.name, "the protocol of a task", protocol).get("kind")
    first = seed if kind == "weka-folds" else 1
    folds = results.store.query(
        "SELECT repeat, fold, training_rows, test_rows, test_weight FROM fold WHERE task = ? AND repeat < ?"
        " ORDER BY repeat, fold",
        (cell.task, cell.repeats),
    )
    stored = results.store.query("SELECT repeat, fold, metric, value FROM score WHERE task = ?", (cell.task,))
    scores = {(repeat, fold, metric): value for repeat, fold, metric, value in stored}
    now = float(time.strftime("%Y%m%d.%H%M", time.gmtime()))
    rows = []
    for repeat, fold, training, test, weight in folds:
        row = {
            "Key_Dataset": cell.data,
            "Key_Run": str(first + repeat),
            "Key_Fold": str(fold + 1),
            "Key_Scheme": cell.method,
            "Key_Scheme_options": f"-recipe {identity[:16]} -S {seed}",
            "Key_Scheme_version_ID": frame_version(),
            "Date_time": now,
            "Number_of_training_instances": training,
            "Number_of_testing_instances": test,
        }
        found = {metric: scores.get((repeat, fold, metric)) for metric in METRICS}
        rows.append(row | _measured(found, weight))
    return rows


def _measured(found: dict[str, float | None], weight: float) -> dict[str, float]:
    accuracy, error = found["accuracy"], found["error"]
    if accuracy is None and error is not None:
        accuracy = 1.0 - error
    row: dict[str, float] = {}
    if accuracy is not None:
        row |= {"Number_correct": _counted(accuracy * weight), "Number_incorrect": _counted((1.0 - accuracy) * weight)}
        row |= {"Percent_correct": 100.0 * accuracy, "Percent_incorrect": 100.0 * (1.0 - accuracy)}
        row |= {"Number_unclassified": 0.0, "Percent_unclassified": 0.0}
        # recall weighted by class size is accuracy
        row |= {"Weighted_avg_true_positive_rate": accuracy, "Weighted_avg_IR_recall": accuracy}
    for metric in ("cohens_kappa", "rmse", "f1_weighted", "f1_macro", "auc"):
        value = found[metric]
        if value is not None:
            row[OF_METRIC[metric][0]] = value
    return row


def _counted(weight: float) -> float:
    """Return a weight without what division and multiplication left beside a whole number of rows."""
    return float(round(weight)) if abs(weight - round(weight)) < 1e-9 else weight


def read_weka_results(path: str | os.PathLike[str], metric: str = "accuracy") -> ScoreTable:
    """Return one metric of an Experimenter result file, ARFF or CSV.

    Parameters
    ----------
    path
        The file.
    metric
        One of `OF_METRIC`, or the name of a numeric column as it stands in the file; see `larger_is_better`.

    Raises
    ------
    DataError
        Where a column is missing, a fold is given twice, or methods have different folds.
    """
    columns = _csv_columns(Path(path)) if Path(path).suffix == ".csv" else _arff_columns(Path(path))
    # a random split has one test set a run
    columns.setdefault("Key_Fold", ["1"] * len(columns.get("Key_Run", ())))
    column, unit = OF_METRIC.get(metric, (metric, 1.0))
    sizes = ("Number_of_training_instances", "Number_of_testing_instances")
    for name in (*["Key_" + key for key in KEYS[:4]], column):
        if name not in columns:
            raise DataError(f"{path}: no column {name!r}{did_you_mean(name, columns)}; is it a Weka result file?")
    if not columns[column]:
        raise DataError(f"{path}: no row beside the header")
    labels, places = _labels(columns), _places(columns, path)
    found: dict[Cell, dict[tuple[int, int], int]] = {}
    for row, label in enumerate(labels):
        place = places[row]
        cell = found.setdefault((columns["Key_Dataset"][row], label), {})
        if place in cell:
            raise DataError(f"{path}: run {place[0]} fold {place[1]} of {label} is given twice")
        cell[place] = row
    datasets, methods = tuple(dict.fromkeys(cell[0] for cell in found)), tuple(dict.fromkeys(labels))
    _check_folds(path, found)
    order = {cell: [rows[place] for place in sorted(rows)] for cell, rows in found.items()}
    values = _numbers(columns, column, path) / unit
    scores = {cell: values[rows] for cell, rows in order.items()}
    ratios: dict[Cell, float] = {}
    tests: dict[str, NDArray[np.float64]] = {}
    if all(name in columns for name in sizes):
        training, test = (_numbers(columns, name, path) for name in sizes)
        if not (training > 0).all():
            raise DataError(f"{path}: column {sizes[0]!r} has to hold numbers above 0")
        for key, taken in order.items():
            ratios[key] = float(test[taken].sum() / training[taken].sum())
            tests[key[0]] = test[taken]
    return ScoreTable(metric, datasets, methods, scores, larger_is_better(metric), tests, ratios)


def _labels(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the method of each row: the class name, with the options where one class stands with several."""
    schemes = [text.rpartition(".")[2] for text in columns["Key_Scheme"]]
    options = columns.get("Key_Scheme_options", [""] * len(schemes))
    several = {s for s in set(schemes) if len({o for t, o in zip(schemes, options, strict=True) if t == s}) > 1}
    return [f"{s} {o}".strip() if s in several else s for s, o in zip(schemes, options, strict=True)]


def _check_folds(path: str | os.PathLike[str], found: Mapping[Cell, Mapping[tuple[int, int], int]]) -> None:
    places: dict[str, tuple[str, set[tuple[int, int]]]] = {}
    for (dataset, method), mine in found.items():
        first, wanted = places.setdefault(dataset, (method, set(mine)))
        if wanted != set(mine):
            raise DataError(f"{path}: {dataset}: {method} and {first} do not have the same runs and folds")


def _arff_columns(path: Path) -> dict[str, list[str]]:
    dataset = read_arff(path)
    columns = {}
    for attribute, column in zip(dataset.attributes, dataset.columns, strict=True):
        if attribute.values is not None:
            values = [*attribute.values, "", ""]
            columns[attribute.name] = [values[code] for code in column.tolist()]
        else:
            columns[attribute.name] = ["" if value is None else str(value) for value in column.tolist()]
    return columns


def _csv_columns(path: Path) -> dict[str, list[str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file, skipinitialspace=True) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read as CSV: {getattr(error, 'strerror', None) or error}") from error
    for row in rows:
        if len(row) != len(rows[0]):
            raise DataError(f"{path}: a row has {len(row)} fields, expected {len(rows[0])} as in the first: {row[:3]}")
    return {name: [_unquoted(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])} if rows else {}


def _unquoted(text: str) -> str:
    """Return a cell as ARFF readers see it; Weka writes what is no single word in the quotes of ARFF."""
    if len(text) < 2 or not text.startswith("'") or not text.endswith("'"):
        return text
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def _places(columns: Mapping[str, Sequence[str]], path: str | os.PathLike[str]) -> list[tuple[int, int]]:
    """Return run and fold of each row."""
    found = [_numbers(columns, name, path) for name in ("Key_Run", "Key_Fold")]
    for numbers, name in zip(found, ("Key_Run", "Key_Fold"), strict=True):
        bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers == np.floor(numbers)) & (np.abs(numbers) < 1e9)))
        if len(bad):
            raise DataError(f"{path}: column {name!r}: found {columns[name][bad[0]]!r}, expected a whole number")
    return [(int(run), int(fold)) for run, fold in zip(*found, strict=True)]


def _numbers(columns: Mapping[str, Sequence[str]], name: str, path: str | os.PathLike[str]) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where there is none; DataError where it holds anything else."""
    numbers = np.full(len(columns[name]), np.nan)
    for row, text in enumerate(columns[name]):
        if text not in ("", "?"):
            try:
                numbers[row] = float(text)
            except ValueError:
                numbers[row] = np.inf
            if np.isinf(numbers[row]):
                raise DataError(f"{path}: column {name!r}: found {text!r}, expected a finite number")
    return numbers
