"""Targets run: figures, verdicts, claims, readings or exhibits, as blocks for the screen, a page or JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nbframework.errors import RecipeError
from nbframework.report.figures.chart import Chart
from nbframework.report.formats import Table
from nbframework.reproduction.charts import chart_of
from nbframework.reproduction.claims import Finding, check_claim
from nbframework.reproduction.definition import find_definition, load_target
from nbframework.reproduction.exhibits import Exhibits, is_exhibits, load_exhibits, once, show
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.presentation import (
    beside_table,
    cells_table,
    claims_table,
    figures_table,
    fit_table,
    reasons,
    summary_table,
    survival_table,
)
from nbframework.reproduction.readings import Survival, ranked, readings_study, survivals
from nbframework.reproduction.runner import Runner
from nbframework.reproduction.target import Target
from nbframework.reproduction.verdicts import Judged


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a target.

    Parameters
    ----------
    paper, name, title, source
        The target.
    protocol
        How it was run, in words.
    quick
        Whether only a part of it was run.
    tables
        Everything to print, in order.
    beside
        The table as it is printed with ours beside, for a page; or None.
    remarks
        What is known of the cells that differ.
    judged, findings
        The verdicts.
    survivals
        What became of the claims under all readings.
    chart
        The figure, or None.
    seconds
        Processor time of all results that were used.
    texts
        What is said before each of the tables; empty where nothing is.
    """

    paper: str
    name: str
    title: str
    source: str
    protocol: str
    quick: bool
    tables: tuple[Table, ...]
    beside: Table | None = None
    remarks: tuple[str, ...] = ()
    judged: tuple[Judged, ...] = ()
    findings: tuple[Finding, ...] = ()
    survivals: tuple[Survival, ...] = ()
    chart: Chart | None = None
    seconds: float = 0.0
    texts: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """One line."""
        part = "; a part of it (--quick)" if self.quick else ""
        how = f": {self.protocol}" if self.protocol else ""
        return f"{self.paper} {self.name}: {self.title} ({self.source}){how}{part}."


def reproduce(paper: str, name: str, runner: Runner, quick: bool = False) -> Outcome:
    """Run a target and compare it with print.

    Parameters
    ----------
    paper, name
        One of `nbframework.reproduction.definition.target_names`.
    runner
        Runs its study.
    quick
        Whether to run its quick part only.

    Raises
    ------
    RecipeError
        On an unknown target.
    DataError
        Where data are missing.
    """
    path = find_definition(paper, name)
    if is_exhibits(path):
        return _exhibited(load_exhibits(path), runner, quick)
    target = load_target(path)
    study = runner.study(target, quick)
    measured = runner.measured(target, study)
    judged = runner.judged(measured, study, quick)
    findings = tuple(check_claim(claim, measured) for claim in target.claims)
    return Outcome(
        paper,
        name,
        target.title,
        target.source,
        study.protocol.described(),
        quick,
        _tables(target, measured, judged, findings),
        beside_table(measured, judged) if judged else figures_table(measured),
        remarks=tuple(reasons(judged)),
        judged=judged,
        findings=findings,
        chart=chart_of(measured),
        seconds=sum(measured.seconds.values()),
    )


def _tables(
    target: Target, measured: Measured, judged: Sequence[Judged], findings: Sequence[Finding]
) -> tuple[Table, ...]:
    tables = []
    if len(judged) < len(list(measured.cells())) and (not judged or target.figure):
        tables.append(figures_table(measured))
    if judged:
        tables += [cells_table(target, judged), summary_table(target, judged)]
    if findings:
        tables.append(claims_table(findings))
    return tuple(table for table in tables if table.rows)


def reproduce_readings(paper: str, name: str, runner: Runner, quick: bool = False) -> Outcome:
    """Run a target under every reading of what the paper leaves open, on the same folds, and rank the readings.

    Each data set has one repeat of the study's protocol. Arguments and errors as of `reproduce`; RecipeError also where
    a target has no readings.
    """
    path = find_definition(paper, name)
    target = None if is_exhibits(path) else load_target(path)
    if target is None or not target.readings:
        raise RecipeError(f"{paper} {name} has no readings: nothing that decides its figures is open in the paper")
    study = readings_study(target, once(runner.study(target, quick)))
    measured = runner.measured(target, study)
    tables = [fit_table(target, ranked(measured, group), group.members) for group in target.readings]
    survived = survivals(measured)
    if survived:
        tables.append(survival_table(survived))
    return Outcome(
        paper,
        name,
        f"{target.title}, under all readings",
        target.source,
        study.protocol.described(),
        quick,
        tuple(tables),
        survivals=survived,
        seconds=sum(measured.seconds.values()),
    )


def _exhibited(exhibits: Exhibits, runner: Runner, quick: bool) -> Outcome:
    tables, texts = [], []
    for exhibit in exhibits.exhibits:
        shown = show(exhibit, runner, quick)
        first = Table(exhibit.title, shown[0].header, shown[0].rows, (*shown[0].notes,))
        tables += [first, *shown[1:]]
        texts += [exhibit.text, *[""] * (len(shown) - 1)]
    return Outcome(
        exhibits.paper, exhibits.name, exhibits.title, exhibits.source, "", quick, tuple(tables), texts=tuple(texts)
    )


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data."""
    return {
        "paper": outcome.paper,
        "target": outcome.name,
        "title": outcome.title,
        "source": outcome.source,
        "protocol": outcome.protocol,
        "quick": outcome.quick,
        "cpu_seconds": outcome.seconds,
        "cells": [vars(cell) | {"difference": cell.difference} for cell in outcome.judged],
        "claims": [vars(finding) for finding in outcome.findings],
        "readings": [vars(survival) for survival in outcome.survivals],
        "tables": [
            {"title": t.title, "header": list(t.header), "rows": [list(row) for row in t.rows], "notes": list(t.notes)}
            for t in outcome.tables
        ],
    }
