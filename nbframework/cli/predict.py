"""``nbf predict``: a model file and rows to predictions."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from nbframework.cli.console import note
from nbframework.data.alignment import aligned
from nbframework.data.arff import write_arff
from nbframework.data.attribute import Attribute
from nbframework.data.catalog import find_dataset
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import read_table
from nbframework.persistence import load_model

FORMATS = ("csv", "arff", "jsonl")


@click.command("predict", epilog="Example: nbf predict iris.model new-rows.csv -o predictions.csv")
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("data")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="CSV, ARFF or JSON lines by its ending.")
@click.option("--format", "chosen", type=click.Choice(FORMATS), help="Format of the output; default by its ending.")
def command(model: str, data: str, output: str | None, chosen: str | None) -> None:
    """Predict the classes of the rows of DATA with MODEL; attributes and values are matched by name."""
    fitted = load_model(model).fitted
    queries = aligned(read_table(find_dataset(data), schema=fitted.schema), fitted.schema)
    for attribute, value, rows in queries.unseen:
        note(f"note: {attribute}: value {value!r} does not occur in the model ({rows} rows); treated as unseen")
    log_posterior = fitted.predict_log_proba(queries.dataset)
    posterior, predicted = np.exp(log_posterior), fitted.predicted(log_posterior)
    form = chosen or (Path(output).suffix.lstrip(".") if output else "csv")
    if form not in FORMATS:
        raise click.UsageError(f"--output {output}: the ending is none of .{', .'.join(FORMATS)}; name --format")
    if form == "arff":
        if output is None:
            raise click.UsageError("--format arff needs --output FILE")
        write_arff(_as_dataset(fitted.class_values, posterior, predicted), output)
        return
    lines = _csv_lines if form == "csv" else _json_lines
    text = lines(fitted.class_values, posterior, predicted)
    if output is None:
        for line in text:
            click.echo(line)
    else:
        Path(output).write_text("".join(f"{line}\n" for line in text), encoding="utf-8")


def _csv_lines(values: tuple[str, ...], posterior: Any, predicted: Any) -> Iterator[str]:
    yield _csv_line(["row", "predicted", *(f"P({value})" for value in values)])
    for row, (label, chances) in enumerate(zip(predicted.tolist(), posterior.tolist(), strict=True)):
        yield _csv_line([str(row + 1), values[label], *map(repr, chances)])


def _csv_line(fields: list[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(fields)
    return buffer.getvalue()


def _json_lines(values: tuple[str, ...], posterior: Any, predicted: Any) -> Iterator[str]:
    for row, (label, chances) in enumerate(zip(predicted.tolist(), posterior.tolist(), strict=True)):
        record = {
            "row": row + 1,
            "predicted": values[label],
            "posterior": dict(zip(values, chances, strict=True)),
        }
        yield json.dumps(record, ensure_ascii=False, allow_nan=False)


def _as_dataset(values: tuple[str, ...], posterior: Any, predicted: Any) -> Dataset:
    attributes = [*(Attribute.numeric(f"P({value})") for value in values), Attribute.nominal("predicted", values)]
    return Dataset.from_columns(attributes, [*posterior.T, predicted], name="predictions")
