"""Exhibits: computations that show what a paper overlooked, or what a figure of it says, each described in a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nbframework.data.dataset import Dataset
from nbframework.evaluation.desk import smallest_significant_difference
from nbframework.evaluation.evaluate import evaluate
from nbframework.recipe import Recipe
from nbframework.recipe.nodes import Faults, plain
from nbframework.recipe.strict_yaml import load_file
from nbframework.report.formats import Table
from nbframework.reproduction.claims import win_tie_loss
from nbframework.reproduction.definition import find_definition, load_target
from nbframework.reproduction.derived import with_repeats
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.printed import load_printed
from nbframework.reproduction.readings import readings_of, readings_study
from nbframework.reproduction.runner import Runner
from nbframework.reproduction.target import Target
from nbframework.reproduction.worked_example import worked_example
from nbframework.study.sections import Section
from nbframework.study.study import Study
from nbframework.study.suite import data_folders, load_suite, located

_KEYS = ("reproduction", "title", "source", "exhibits")


@dataclass(frozen=True)
class Exhibit:
    """One computation.

    Parameters
    ----------
    title, text
        What is shown, and what it means.
    kind
        One of `KINDS`.
    asked
        What the kind asks for.
    """

    title: str
    text: str
    kind: str
    asked: Mapping[str, Any]


@dataclass(frozen=True)
class Exhibits:
    """A target that is a list of exhibits."""

    paper: str
    name: str
    title: str
    source: str
    exhibits: tuple[Exhibit, ...]


def is_exhibits(path: Path) -> bool:
    """Whether a definition is a list of exhibits, and no table."""
    value = load_file(path).value
    return isinstance(value, dict) and "exhibits" in value


def load_exhibits(path: Path) -> Exhibits:
    """Return the exhibits that a file describes; RecipeError lists every fault."""
    faults = Faults()
    section = Section.of(load_file(path), str(path), (), faults, _KEYS)
    section.require(*_KEYS)
    paper, _, name = path.stem.partition("-")
    found = []
    for index, node in section.items("exhibits"):
        inner = Section.of(node, str(path), ("exhibits", index), faults, ("title", "text", *KINDS))
        inner.require("title", "text")
        chosen = [kind for kind in KINDS if kind in inner]
        if len(chosen) != 1:
            section.fault_at(node, ("exhibits", index), f"expected one of {', '.join(KINDS)}")
            continue
        asked = inner.section(chosen[0], [key.lstrip("?") for key in ASKED[chosen[0]]])
        asked.require(*(key for key in ASKED[chosen[0]] if not key.startswith("?")))
        found.append(Exhibit(inner.text("title"), inner.text("text"), chosen[0], plain(asked.node)))
    faults.raise_if_any()
    return Exhibits(paper, name, section.text("title"), section.text("source"), tuple(found))


def show(exhibit: Exhibit, runner: Runner, quick: bool) -> list[Table]:
    """Compute an exhibit and return its tables.

    Parameters
    ----------
    exhibit
        What to compute.
    runner
        Runs the studies that it needs.
    quick
        Whether to run their quick parts.
    """
    return KINDS[exhibit.kind](exhibit.asked, runner, quick)


def _printed_means(asked: Mapping[str, Any], _runner: Runner, _quick: bool) -> list[Table]:
    """Average printed numbers, over all rows and without some, beside the averages that the paper states."""
    table, places = load_printed(asked["printed"]), int(asked.get("decimals", 2))
    rows = []
    for entry in asked["means"]:
        left = [row for row in table.rows if row not in entry.get("without", ()) and row not in asked["not_data"]]
        values = [table.values[row, entry["column"]] for row in left if (row, entry["column"]) in table.values]
        rows.append((entry["of"], f"{len(values)}", f"{entry['stated']:.{places}f}", f"{np.mean(values):.{places}f}"))
    header = ("mean of printed figures", "rows", "stated in the text", "recomputed")
    return [Table("", header, tuple(rows))]


def _columns(asked: Mapping[str, Any], runner: Runner, quick: bool) -> list[Table]:
    """Set columns of one study side by side with a column of the print, and count which comes nearest."""
    target, measured = _measured(asked["target"], runner, quick)
    printed, names = asked["print"], asked["columns"]
    rows, nearest = [], dict.fromkeys(names, 0)
    for row in measured.scores().datasets:
        value = target.printed.values.get((row, printed))
        found = {name: measured.value(row, name) for name in names}
        known = {name: v for name, v in found.items() if v is not None}
        if value is None or len(known) < len(names):
            continue
        nearest[min(known, key=lambda name: abs(known[name] - value))] += 1
        rows.append((row, f"{value:.3f}", *(f"{v:.3f}" for v in known.values())))
    notes = [f"Nearest to print: {name} on {count} of {len(rows)} rows." for name, count in nearest.items()]
    return [Table("", ("data set", f"printed {printed}", *names), tuple(rows), tuple(notes))]


def _alike(asked: Mapping[str, Any], runner: Runner, quick: bool) -> list[Table]:
    """Show the mean of each column as printed, as published, and with the same reading for all columns."""
    target, measured = _measured(asked["target"], runner, quick, readings=True)
    alike, choice = measured, asked["choice"]
    for group in target.readings:
        reading = next((r for r in readings_of(target, group) if choice in r.chosen.values()), None)
        if reading is not None:
            alike = alike.reading(reading.labels)
    rows = []
    for column in target.columns:
        known = [row for row in measured.scores().datasets if alike.value(row, column.name) is not None]
        cells = [
            f"{np.mean([_known(seen.value(row, column.name)) for row in known]):.2f}" for seen in (measured, alike)
        ]
        printed = target.printed.values.get((asked["mean"], column.name))
        rows.append((column.name, "-" if printed is None else f"{printed:.2f}", *cells))
    shown = [row for row in asked.get("rows", ()) if row in measured.scores().datasets]
    tables = [Table("", ("mean", "printed", "as read from print", choice), tuple(rows))]
    for row in shown:
        lines = []
        for column in target.columns:
            printed = target.printed.values.get((row, column.name))
            ours = [_known(seen.value(row, column.name)) for seen in (measured, alike)]
            lines.append((column.name, "-" if printed is None else f"{printed:.2f}", *(f"{v:.2f}" for v in ours)))
        tables.append(Table("", (row, "printed", "as read from print", choice), tuple(lines)))
    return tables


def _tests(asked: Mapping[str, Any], runner: Runner, quick: bool) -> list[Table]:
    """Count wins, ties and losses by several tests beside the print; and bound what a test can call significant."""
    target, measured = _measured(asked["target"], runner, quick)
    rows = []
    for claim in target.claims:
        if claim.kind == "wins":
            pair = claim.arguments["wins"], claim.arguments["against"]
            counts = ["/".join(map(str, win_tie_loss(measured, *pair, test))) for test in asked["tests"]]
            rows.append((pair[1], "/".join(map(str, claim.arguments["printed"])), *counts))
    tables = [Table("Win/tie/loss", ("against", "printed", *asked["tests"]), tuple(rows))]
    lines = []
    for mark in asked.get("marks", ()):
        mine, other = (target.printed.values[mark["row"], name] for name in (mark["column"], mark["against"]))
        least = smallest_significant_difference(mark["test_rows"], mark["folds"], mark["test_ratio"])
        lines.append((mark["row"], mark["against"], f"{mine - other:.2f}", f"{100 * least:.2f}"))
    if lines:
        header = ("data set", "marked against", "printed difference", "least that the corrected test can mark")
        tables.append(Table("Marks", header, tuple(lines)))
    return tables


def _duplicates(asked: Mapping[str, Any], runner: Runner, quick: bool) -> list[Table]:
    """Score recipes on a data set with its repeated rows and without them."""
    used = _dataset(asked["suite"], asked["set"], runner)
    whole = _dataset(asked["rows_of"], asked["set"], runner)
    _, first = np.unique(np.column_stack([np.asarray(column) for column in whole.columns]), axis=0, return_index=True)
    without = used.take(np.sort(first))
    repeats = 1 if quick else int(asked["repeats"])
    rows = []
    for entry in asked["recipes"]:
        scores = [
            evaluate(Recipe.load(entry["recipe"]), data, repeats=repeats).scores(["accuracy"])["accuracy"]
            for data in (used, without)
        ]
        printed = entry.get("printed")
        rows.append(
            (entry["recipe"], "-" if printed is None else f"{printed:.3f}", *(f"{_known(v):.3f}" for v in scores))
        )
    header = ("accuracy", "printed", f"all {len(used)} rows", f"{len(without)} different rows")
    return [Table(f"{asked['set']}: {len(used) - len(without)} rows repeat another one", header, tuple(rows))]


def _example(asked: Mapping[str, Any], _runner: Runner, _quick: bool) -> list[Table]:
    return worked_example(asked)


KINDS: Mapping[str, Callable[[Mapping[str, Any], Runner, bool], list[Table]]] = {
    "printed-means": _printed_means,
    "columns": _columns,
    "alike": _alike,
    "tests": _tests,
    "duplicates": _duplicates,
    "worked-example": _example,
}
"""The kinds of exhibits."""
ASKED: Mapping[str, tuple[str, ...]] = {
    "printed-means": ("printed", "not_data", "means", "?decimals"),
    "columns": ("target", "print", "columns"),
    "alike": ("target", "choice", "mean", "?rows"),
    "tests": ("target", "tests", "?marks"),
    "duplicates": ("set", "suite", "rows_of", "recipes", "repeats"),
    "worked-example": ("rows", "query", "odds", "?recipes", "?over", "?curves"),
}
"""What each kind asks for; a question mark is before what may be left out."""


def _measured(name: str, runner: Runner, quick: bool, readings: bool = False) -> tuple[Target, Measured]:
    paper, _, short = name.partition("-")
    target = load_target(find_definition(paper, short))
    study = runner.study(target, quick)
    return target, runner.measured(target, readings_study(target, once(study)) if readings else study)


def once(study: Study) -> Study:
    """Return a study with one repeat, with which readings are compared."""
    return with_repeats(study, 1)


def _dataset(suite: str, name: str, runner: Runner) -> Dataset:
    entry = next(entry for entry in load_suite(suite).sets if entry.name.removesuffix("-complete") == name)
    path = located([entry], data_folders(runner.data_dir, None))[entry.name]
    from nbframework.data.arff import read_arff

    return entry.selection.of(read_arff(path, entry.class_attribute))


def _known(value: float | None) -> float:
    return float("nan") if value is None else value
