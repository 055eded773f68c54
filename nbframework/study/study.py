"""The study file: recipes x data sets under one protocol, read strictly."""

import os
from dataclasses import dataclass
from pathlib import Path

from nbframework.data.catalog import bundled_names, name_of_file
from nbframework.errors import RecipeError
from nbframework.evaluation.metrics import METRICS
from nbframework.plugins import Plugins, installed
from nbframework.recipe.nodes import Faults
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.decomposition import METRICS as PARTS
from nbframework.study.matrix import LabelledRecipe, read_recipes
from nbframework.study.protocols import StudyProtocol, read_study_protocol
from nbframework.study.sections import Section
from nbframework.study.suite import SELECTION_KEYS, SuiteSet, check_names, find_config, load_suite, read_set

KEYS = (
    "study",
    "title",
    "cite",
    "recipes",
    "matrix",
    "suite",
    "only",
    "data",
    "protocol",
    "metrics",
    "compare",
    "limits",
    "predictions",
)
TESTS = ("paired-t", "corrected-t", "wilcoxon", "sign", "friedman-nemenyi", "friedman-holm", "bayesian-signed-rank")
"""The tests that ``compare`` can ask for."""
DATA_KEYS = ("name", "file", "sha256", "class", "protocol", *SELECTION_KEYS)
_COMPARE_KEYS = ("metric", "baseline", "tests", "alpha", "rope")


@dataclass(frozen=True)
class ComparisonPlan:
    """What the statistics desk is asked.

    Parameters
    ----------
    metric
        The score that is compared.
    baseline
        Label of the recipe that the others are compared with, or empty for the first one.
    tests
        Some of `TESTS`.
    alpha
        The level of significance, between 0 and 1.
    rope
        Half-width of the region of practical equivalence, in units of the metric.
    """

    metric: str
    baseline: str = ""
    tests: tuple[str, ...] = ("corrected-t",)
    alpha: float = 0.05
    rope: float = 0.01


@dataclass(frozen=True)
class Limits:
    """What one task may use; None is no limit.

    Parameters
    ----------
    seconds
        Wall-clock time of one recipe on one data set.
    memory_mb
        Megabytes that it may add to the process. Kept on Linux only.
    """

    seconds: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, eq=False)
class Study:
    """A study as its file describes it, all names resolved.

    Parameters
    ----------
    name, title, cite
        Name, one line, and source.
    path, text
        The file and what it says.
    recipes
        In the order of the tables.
    sets
        The data sets, in the order of the tables.
    protocol
        How rows are parted.
    metrics
        Names of `METRICS`, or of the parts of an error; the first one is the main one.
    comparison
        What the statistics desk is asked.
    limits
        What one task may use.
    predictions
        Whether every prediction is stored.
    """

    name: str
    title: str
    cite: str
    path: Path
    text: str
    recipes: tuple[LabelledRecipe, ...]
    sets: tuple[SuiteSet, ...]
    protocol: StudyProtocol
    metrics: tuple[str, ...]
    comparison: ComparisonPlan
    limits: Limits
    predictions: bool


def load_study(name: str | os.PathLike[str], plugins: Plugins | None = None) -> Study:
    """Return a study by name or file.

    Raises
    ------
    RecipeError
        Listing every fault with file, line, column and key.
    """
    path = find_config("study", name)
    faults = Faults()
    section = Section.of(load_file(path), str(path), (), faults, KEYS)
    section.require("study")
    recipes = read_recipes(section, plugins or installed(), path.parent)
    sets = _read_sets(section, path.parent)
    protocol = read_study_protocol(section)
    parts = protocol.base.kind == BIAS_VARIANCE
    metrics = section.texts("metrics", PARTS if parts else tuple(METRICS)) or (PARTS if parts else ("accuracy",))
    comparison = _read_comparison(section, metrics, [entry.label for entry in recipes])
    limits = section.section("limits", ("seconds", "memory_mb"))
    bounds = Limits(
        limits.number("seconds", 0.0) or None,
        limits.number("memory_mb", 0.0) or None,
    )
    predictions = section.boolean("predictions", False)
    if predictions and parts:
        section.fault("predictions", "not with bias-variance, which predicts a row many times")
    faults.raise_if_any()
    return Study(
        section.text("study"),
        section.text("title"),
        section.text("cite"),
        path,
        path.read_text(encoding="utf-8-sig"),
        recipes,
        sets,
        protocol,
        metrics,
        comparison,
        bounds,
        predictions,
    )


def _read_sets(section: Section, beside: Path) -> tuple[SuiteSet, ...]:
    sets: list[SuiteSet] = []
    for index, node in section.items("suite"):
        try:
            sets += load_suite(node.raw or "", beside).sets
        except RecipeError as error:
            for line in str(error).splitlines():
                section.fault_at(node, ("suite", index), line)
    if "only" in section:
        chosen = section.texts("only", [entry.name for entry in sets])
        sets = [entry for entry in sets if entry.name in chosen]
    bundled = bundled_names()
    for index, node in section.items("data"):
        if isinstance(node.value, str):
            name = node.value if node.value in bundled else name_of_file(node.value)
            sets.append(SuiteSet(name, node.value))
        else:
            inner = Section.of(node, section.source, ("data", index), section.faults, DATA_KEYS)
            inner.require("file")
            sets.append(read_set(inner))
    if not sets and not section.faults:
        section.fault("data", "a study needs data sets, under 'suite' or 'data'")
    check_names(section, "suite" if "suite" in section else "data", [entry.name for entry in sets])
    return tuple(sets)


def _read_comparison(section: Section, metrics: tuple[str, ...], labels: list[str]) -> ComparisonPlan:
    inner = section.section("compare", _COMPARE_KEYS)
    metric = inner.choice("metric", metrics, metrics[0])
    baseline = inner.text("baseline")
    if baseline and baseline not in labels and labels:
        inner.choice("baseline", labels, labels[0])
    alpha = inner.number("alpha", 0.05, 0.0, 1.0)
    if alpha == 1.0:
        inner.fault("alpha", "found '1', expected less than 1: nothing is certain")
    tests = inner.texts("tests", TESTS) or ("corrected-t",)
    return ComparisonPlan(metric, baseline, tests, alpha, inner.number_from("rope", 0.01, 0.0))
