"""Training statistics as plain arrays by name, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.training_statistics import TrainingStatistics
from nbframework.data.codes import block_offset
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError
from nbframework.statistics.moments import Moments
from nbframework.statistics.pairs import first_value
from nbframework.statistics.tally import Tally
from nbframework.statistics.value_table import Entries, ValueTable

Array = NDArray[Any]
Arrays = dict[str, Array]


def arrays_of(statistics: TrainingStatistics) -> Arrays:
    """Return the arrays that describe statistics; numbers of rows only where row weights are not all 1."""
    arrays: Arrays = {
        "cardinality": np.asarray(statistics.cardinality, dtype=np.int64),
        "coded_inputs": statistics.coded_inputs.astype(np.int64),
    }
    arrays |= _tally("cells", "support", statistics.cells)
    arrays |= _tally("class_weight", "class_rows", statistics.learned)
    arrays |= _tally("training_class_weight", "training_class_rows", statistics.usable)
    arrays |= {f"cuts{position}": cuts for position, cuts in statistics.cuts.items()}
    if statistics.pairs is not None:
        arrays |= _tally("pairs", "pair_support", statistics.pairs)
        arrays["unknown_pairs"] = np.asarray(statistics.unknown_pairs)
    if statistics.moments is not None:
        arrays["moments"] = statistics.moments.to_bytes()
    if statistics.moments is not None or statistics.tables:
        arrays["measured_inputs"] = statistics.measured_inputs.astype(np.int64)
    for position, table in zip(statistics.measured_inputs.tolist(), statistics.tables, strict=False):
        entries = table.entries()
        arrays |= {f"values{position}": entries.value, f"value_classes{position}": entries.classes}
        arrays |= _tally(f"value_weight{position}", f"value_rows{position}", entries.tally)
        arrays |= _tally(f"value_unknown{position}", f"value_unknown_rows{position}", table.unknown)
    return arrays


def statistics_from(schema: Dataset, arrays: Arrays) -> TrainingStatistics:
    """Return the statistics that `arrays_of` described.

    Raises
    ------
    DataError
        Where the arrays do not fit each other or the schema.
    """
    cardinality = tuple(int(size) for size in arrays["cardinality"].tolist())
    coded = np.asarray(arrays["coded_inputs"], dtype=np.intp)
    count, cells = len(schema.class_values), _read(arrays, "cells", "support")
    learned = _read(arrays, "class_weight", "class_rows")
    usable = _read(arrays, "training_class_weight", "training_class_rows")
    offset = block_offset(cardinality)
    shapes = (cells.weight.shape, learned.weight.shape, usable.weight.shape, coded.shape)
    if shapes != ((count, int(offset[-1])), (count,), (count,), (len(cardinality),)):
        raise DataError(f"the model's counts have the shapes {shapes}, which do not fit its schema")
    if cells.rows is not None and len(cardinality) and "class_rows" not in arrays:
        # each row has one code of the first attribute
        rows = cells.rows[:, : int(offset[1])].sum(axis=1)
        learned, usable = Tally(learned.weight, rows), Tally(usable.weight, rows)
    _check_positions(coded, schema)
    measured = np.asarray(arrays.get("measured_inputs", np.empty(0)), dtype=np.intp)
    _check_positions(measured, schema)
    statistics = TrainingStatistics(
        schema=schema,
        cuts={int(name.removeprefix("cuts")): _cuts(cuts) for name, cuts in arrays.items() if name.startswith("cuts")},
        unlabelled=0,
        weightless=0,
        usable=usable,
        learned=learned,
        coded_inputs=coded,
        cardinality=cardinality,
        cells=cells,
        pairs=_read(arrays, "pairs", "pair_support") if "pairs" in arrays else None,
        unknown_pairs=bool(arrays.get("unknown_pairs", False)),
        measured_inputs=measured,
        moments=Moments.from_bytes(arrays["moments"]) if "moments" in arrays else None,
        tables=tuple(_table(arrays, int(p), count) for p in measured if f"values{p}" in arrays),
    )
    _check(statistics)
    return statistics


def _tally(name: str, name_of_rows: str, tally: Tally) -> Arrays:
    return {name: tally.weight} | ({} if tally.rows is None else {name_of_rows: tally.rows})


def _read(arrays: Arrays, name: str, name_of_rows: str) -> Tally:
    weight = np.asarray(arrays[name], dtype=np.float64)
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise DataError(f"the model's {name} are not finite numbers of at least 0")
    if name_of_rows not in arrays:
        return Tally(weight)
    rows = np.asarray(arrays[name_of_rows], dtype=np.int64)
    if rows.shape != weight.shape or (rows < 0).any():
        raise DataError(f"the model's {name_of_rows} are not numbers of rows behind its {name}")
    return Tally(weight, rows)


def _cuts(cuts: Array) -> NDArray[np.float64]:
    return np.asarray(cuts, dtype=np.float64)


def _table(arrays: Arrays, position: int, count: int) -> ValueTable:
    value = np.asarray(arrays[f"values{position}"], dtype=np.float64)
    classes = np.asarray(arrays[f"value_classes{position}"])
    tally = _read(arrays, f"value_weight{position}", f"value_rows{position}")
    unknown = _read(arrays, f"value_unknown{position}", f"value_unknown_rows{position}")
    fits = value.ndim == 1 and value.shape == classes.shape == tally.weight.shape and classes.dtype.kind in "ui"
    if not fits or unknown.weight.shape != (count,) or not np.isfinite(value).all() or (value[1:] < value[:-1]).any():
        raise DataError(f"the model's values of input {position} do not fit each other")
    if len(classes) and not 0 <= classes.min() <= classes.max() < count:
        raise DataError(f"the model's values of input {position} are of classes that it does not have")
    return ValueTable(count, unknown, (Entries(value, classes, tally),))


def _check_positions(positions: NDArray[np.intp], schema: Dataset) -> None:
    if (positions < 0).any() or (positions >= len(schema.inputs)).any():
        raise DataError("the model's counts are of attributes that it does not have")


def _check(statistics: TrainingStatistics) -> None:
    count = statistics.class_count
    if statistics.pairs is not None:
        width = int(first_value(statistics.pair_sizes)[-1])
        if statistics.pairs.weight.shape != (count, width, width):
            raise DataError(f"the model's pairs have the shape {statistics.pairs.weight.shape}, which does not fit it")
    moments = statistics.moments
    if moments is not None and moments.total.shape[1:] != (count, len(statistics.measured_inputs)):
        raise DataError(f"the model's moments have the shape {moments.total.shape}, which does not fit it")
