"""Figures of targets as charts: plain numbers, drawn by the report layer."""

import numpy as np

from nbframework.report.figures.bias_variance import BiasVarianceStacks
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.curves import Curves
from nbframework.report.figures.error_differences import ErrorDifferences
from nbframework.reproduction.measured import Measured


def chart_of(measured: Measured) -> Chart | None:
    """Return the figure of a target, or None where it has none, or a part of a study has nothing to draw.

    The key ``figure`` of its file names the ``kind``: ``curves`` of the recipes that begin with ``prefix``,
    ``differences`` of the columns ``methods`` from the column ``baseline``, ``bias-variance`` of the ``methods`` by
    name; ``only`` names the rows that are drawn.
    """
    asked = measured.target.figure
    if not asked:
        return None
    rows = [row for row in measured.data_rows if row in asked.get("only", measured.data_rows)]
    if not rows:
        return None
    name, title = f"{measured.target.paper}-{measured.target.name}", measured.target.title
    if asked["kind"] == "curves":
        return _curves(measured, rows, name, title)
    if asked["kind"] == "differences":
        errors = _columns(measured, rows, asked["methods"])
        base = _columns(measured, rows, [asked["baseline"]])[:, 0]
        return ErrorDifferences(
            name=name,
            title=title,
            datasets=tuple(rows),
            methods=tuple(asked["methods"]),
            baseline=asked["baseline"],
            errors=errors,
            baseline_errors=base,
        )
    methods = asked["methods"]
    return BiasVarianceStacks(
        name=name,
        title=title,
        datasets=tuple(rows),
        methods=tuple(methods),
        error=_columns(measured, rows, list(methods.values())),
        bias=_columns(measured, rows, [f"{column} bias" for column in methods.values()]),
        variance=_columns(measured, rows, [f"{column} variance" for column in methods.values()]),
    )


def _curves(measured: Measured, rows: list[str], name: str, title: str) -> Curves:
    asked = measured.target.figure
    curves = {row: measured.curve(row, asked["prefix"]) for row in rows}
    values = sorted({value for curve in curves.values() for value in curve})
    scale = measured.target.scale
    lines = [
        (row, tuple(curve[value] / scale if value in curve else None for value in values))
        for row, curve in curves.items()
    ]
    return Curves(
        name=name,
        title=title,
        x_title=asked["prefix"].rstrip("= "),
        y_title=measured.scores().title,
        values=tuple(values),
        lines=tuple(lines),
        in_percent=measured.scores().is_share,
        with_mean=bool(asked.get("mean", True)),
    )


def _columns(measured: Measured, rows: list[str], columns: list[str]) -> np.ndarray:
    found = [[measured.value(row, column) for column in columns] for row in rows]
    return np.array([[np.nan if v is None else v / measured.target.scale for v in line] for line in found])
