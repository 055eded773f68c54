"""A run as a report: what was done, its tables, what to beware of."""

from collections.abc import Sequence
from typing import Any

from nbframework.report.formats import FORMS, Table, as_csv, as_line
from nbframework.report.tables import score_numbers, score_table
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.results import RunResults


def run_text(results: RunResults, form: str = "text", metrics: Sequence[str] = ()) -> str:
    """Return the report of a run.

    Parameters
    ----------
    results
        The run.
    form
        text, markdown, csv or latex; CSV is one table, each number in a column of its own.
    metrics
        The metrics to show; by default the study's first one, of bias-variance all.
    """
    measured = results.described["metrics"]
    parts = results.described.get("kind") == BIAS_VARIANCE
    names = list(metrics) or (measured if parts else measured[:1])
    tables = [results.table(name) for name in names]
    if form == "csv":
        return as_csv(score_numbers(*tables))
    shown = [FORMS[form](score_table(table)) for table in tables]
    title = results.described["title"] or results.study
    cite = f" ({results.described['cite']})" if results.described["cite"] else ""
    head = f"{title}{cite}: {results.described['protocol']}."
    lines = [as_line(head, form), *shown, *[as_line(line, form) for line in _cautions(results)]]
    return "\n\n".join(line for line in lines if line) if form != "text" else "\n".join(line for line in lines if line)


def run_data(results: RunResults) -> dict[str, Any]:
    """Return a run as plain data."""
    cells = []
    tables = {name: results.table(name) for name in results.described["metrics"]}
    for cell in results.cells:
        scores = {}
        for name, table in tables.items():
            folds = table.scores.get((cell.data, cell.method))
            scores[name] = {
                "mean": table.mean(cell.data, cell.method),
                "sd_of_mean": table.sd(cell.data, cell.method),
                "folds": None if folds is None else folds.tolist(),
            }
        entry = {"data": cell.data, "recipe": cell.method, "complete": cell.complete, "scores": scores}
        cells.append(entry | ({"failed": cell.failure} if cell.failure else {}))
    return {"study": results.study, "run": results.run, "state": results.state, **results.described, "cells": cells}


def _cautions(results: RunResults) -> list[str]:
    lines = []
    for cell in results.incomplete:
        why = f": {cell.failure}" if cell.failure else ""
        lines.append(f"incomplete: {cell.method} on {cell.data}, {cell.done} of {cell.folds} folds{why}")
    lines += [f"note: {text}" for text in results.notes()]
    return lines + _fairness(results)


def _fairness(results: RunResults) -> list[str]:
    """Return one line for each kind of finding; those about all recipes in full, those about data sets by name."""
    subjects: dict[str, list[str]] = {}
    lines = []
    for finding in results.described["findings"]:
        if finding["subject"] == "recipes":
            lines.append(f"fairness: {finding['text']} [{finding['kind']}]")
        else:
            subjects.setdefault(finding["kind"], []).append(finding["subject"])
    lines += [f"fairness: {kind}: {', '.join(names)}" for kind, names in subjects.items()]
    return [*lines, "fairness: nbf check STUDY --fair says more"] if lines else []


__all__ = ["Table", "run_data", "run_text"]
