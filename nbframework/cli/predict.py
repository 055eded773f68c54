"""``nbf predict``: a model file and rows to predictions."""

import contextlib
import csv
import io
import itertools
import json
import sys
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import click
import numpy as np

from nbframework.cli.console import note
from nbframework.cli.outputs import keep_apart
from nbframework.data.alignment import Alignment, aligned
from nbframework.data.arff.writer import format_arff
from nbframework.data.attribute import Attribute
from nbframework.data.catalog import find_dataset
from nbframework.data.chunks import read_chunks
from nbframework.data.dataset import Dataset
from nbframework.errors import writing
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.persistence import load_model
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS

FORMATS = ("csv", "arff", "jsonl")
MOST_VALUES = 20
"""Values of one attribute that are reported by name."""
MOST_KEPT = 1000
"""Distinct values of one attribute that are counted apart."""
Form = Callable[[tuple[str, ...], int, Any, Any], str]


@click.command("predict", epilog="Example: nbf predict iris.model new-rows.csv -o predictions.csv")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="CSV, ARFF or JSON lines by its ending.")
@click.option("--format", "chosen", type=click.Choice(FORMATS), help="Format of the output; default by its ending.")
def command(model: str, data: str, output: str | None, chosen: str | None) -> None:
    """Predict the classes of the rows of DATA with MODEL; attributes and values are matched by name.

    The rows are read, predicted and written a part at a time, or all at once where queries influence each other, as
    with ranges that grow. A value that the model does not know, or an attribute that DATA lack, is treated as the
    recipe says, and reported once.
    """
    form = chosen or (Path(output).suffix.lstrip(".") if output else "csv")
    if form not in FORMATS:
        raise click.UsageError(f"--output {output}: the ending is none of .{', .'.join(FORMATS)}; name --format")
    path = find_dataset(data)
    keep_apart("--output", output, [model, str(path)])
    loaded = load_model(model)
    fitted = loaded.fitted
    strange = Strange()
    with _written(output) as stream:
        parts = (aligned(chunk, fitted.schema, fill_absent=True) for chunk in read_chunks(path, fitted.schema))
        for queries in [_together(parts)] if _influence_each_other(loaded.recipe) else parts:
            log_posterior = fitted.predict_log_proba(queries.dataset)
            predicted = fitted.predicted(log_posterior)
            stream.write(_FORMS[form](fitted.class_values, strange.rows, np.exp(log_posterior), predicted))
            strange.add(queries)
    strange.report()


def _influence_each_other(recipe: Recipe) -> bool:
    """Return whether a part of the recipe declares that queries influence each other."""
    pending: list[object] = [getattr(recipe, key) for key in PART_KEYS]
    while pending:
        part = pending.pop()
        if isinstance(part, Part):
            if "queries_do_not_influence_each_other" in part.exceptions:
                return True
            pending += [getattr(part, parameter.name) for parameter in parameters(type(part))]
    return False


def _together(parts: Iterable[Alignment]) -> Alignment:
    """Return the rows of all parts, at least one, as one."""
    found = list(parts)
    datasets = [part.dataset for part in found]
    columns = [np.concatenate(pieces) for pieces in zip(*(dataset.columns for dataset in datasets), strict=True)]
    rows = Dataset.from_columns(datasets[0].attributes, columns, datasets[0].class_attribute.name)
    return Alignment(rows, tuple(itertools.chain.from_iterable(part.unseen for part in found)), found[0].absent)


@dataclass
class Strange:
    """What did not fit the model, over all parts.

    Parameters
    ----------
    rows
        Rows so far.
    unseen
        For each attribute the rows that have a value which the model does not know, by value.
    further
        For each attribute the rows with values beyond the number that is counted apart.
    absent
        Attributes that the data lack.
    """

    rows: int = 0
    unseen: dict[str, Counter[str]] = field(default_factory=dict)
    further: Counter[str] = field(default_factory=Counter)
    absent: tuple[str, ...] = ()

    def add(self, queries: Alignment) -> None:
        """Count what did not fit in one part."""
        self.rows += len(queries.dataset)
        self.absent = queries.absent
        for attribute, value, rows in queries.unseen:
            counter = self.unseen.setdefault(attribute, Counter())
            if value in counter or len(counter) < MOST_KEPT:
                counter[value] += rows
            else:
                self.further[attribute] += rows

    def report(self) -> None:
        """Say everything once, on stderr."""
        for name in self.absent:
            note(f"note: {name}: not in the data; unknown in all {self.rows} rows, as the recipe treats unknown values")
        for attribute, counter in self.unseen.items():
            named = counter.most_common(MOST_VALUES)
            for value, rows in named:
                note(f"note: {attribute}: value {value!r} does not occur in the model ({rows} rows); treated as unseen")
            rest = counter.total() - sum(rows for _, rows in named) + self.further[attribute]
            if rest:
                note(f"note: {attribute}: other values that do not occur in the model ({rest} rows); treated as unseen")


@contextlib.contextmanager
def _written(output: str | None) -> Iterator[TextIO]:
    """Give a stream to stdout, or to a file that stands under its name only when it is whole."""
    if output is None:
        yield sys.stdout
        return
    target = Path(output)
    with writing(output):
        if target.exists() and not target.is_file():
            # a device or a pipe is written to, never replaced
            with target.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
            return
        temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.tmp")
        try:
            with temporary.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def _csv(values: tuple[str, ...], start: int, posterior: Any, predicted: Any) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if start == 0:
        writer.writerow(["row", "predicted", *(f"P({value})" for value in values)])
    for row, (label, chances) in enumerate(zip(predicted.tolist(), posterior.tolist(), strict=True), start + 1):
        writer.writerow([row, values[label], *map(repr, chances)])
    return buffer.getvalue()


def _json_lines(values: tuple[str, ...], start: int, posterior: Any, predicted: Any) -> str:
    lines = []
    for row, (label, chances) in enumerate(zip(predicted.tolist(), posterior.tolist(), strict=True), start + 1):
        record = {"row": row, "predicted": values[label], "posterior": dict(zip(values, chances, strict=True))}
        lines.append(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)


def _arff(values: tuple[str, ...], start: int, posterior: Any, predicted: Any) -> str:
    attributes = [*(Attribute.numeric(f"P({value})") for value in values), Attribute.nominal("predicted", values)]
    text = format_arff(Dataset.from_columns(attributes, [*posterior.T, predicted], name="predictions"))
    return text if start == 0 else text.partition("\n@data\n")[2]


_FORMS: dict[str, Form] = {"csv": _csv, "arff": _arff, "jsonl": _json_lines}
