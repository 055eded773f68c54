"""The plan: every task of a study, checked completely before the first fold."""

import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from nbframework.data.dataset import Dataset
from nbframework.data.selection import EVERYTHING, Selection
from nbframework.data.tabular import read_table
from nbframework.errors import DataError, NBFrameworkError
from nbframework.evaluation.folds import Split
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.evaluation.scores import method_name
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.plugins import Plugins, installed
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.fairness import DataFacts, Finding, data_facts, study_findings
from nbframework.study.study import Study
from nbframework.study.suite import SuiteSet, checked_hash, each_data_folder, located

FACTS = 3
"""Number of the form in which facts of data sets are kept; others are found out anew."""
KEPT_BYTES = 200_000_000
"""Data sets stay in memory between planning and running up to this size of their files together."""


@dataclass(frozen=True)
class PlannedData:
    """A data set that was found, checked and read once.

    Parameters
    ----------
    name
        What tables call it.
    path, sha256
        The file, and the checksum of what is used of it.
    class_attribute
        Name of the class.
    rows, attributes, classes
        Its size: rows, inputs and declared classes.
    facts_key, facts
        What was found out about the file under its protocols, as text, and a key that covers file, protocols and
        the level at which recipes are compared.
    selection
        The attributes and rows that are used.
    """

    name: str
    path: Path
    sha256: str
    class_attribute: str
    rows: int
    attributes: int
    classes: int
    facts_key: str
    facts: str
    selection: Selection = EVERYTHING

    def read(self) -> Dataset:
        """Read the file again."""
        return self.selection.of(read_table(self.path, self.class_attribute))


@dataclass(frozen=True, eq=False)
class Task:
    """One recipe on one data set under one protocol.

    Parameters
    ----------
    data
        The data set.
    label
        What tables call the recipe.
    recipe
        The recipe.
    protocol
        The protocol of this data set.
    folds
        The number of folds of all repeats together; a repeat of a bias-variance protocol counts as one.
    key
        SHA-256 of everything that decides the results: the data, the recipe and the versions of its parts, the
        protocol without its number of repeats.
    recipe_key
        SHA-256 of the recipe and the versions of its parts.
    """

    data: PlannedData
    label: str
    recipe: Recipe
    protocol: EvaluationProtocol
    folds: int
    key: str
    recipe_key: str

    @property
    def method(self) -> str:
        """What tables call the recipe with its share of the training rows."""
        return method_name(self.label, self.protocol.training_share)

    @property
    def repeats(self) -> int:
        """How many repeats there are, which all have as many folds."""
        if self.protocol.kind == BIAS_VARIANCE:
            return self.folds
        return int(self.protocol.parameters().get("repeats", 1))


@dataclass(frozen=True, eq=False)
class Plan:
    """What a study will do.

    Parameters
    ----------
    study
        The study.
    data
        Its data sets.
    tasks
        Data set by data set, recipe by recipe.
    loaded
        Data sets that were kept in memory, by name.
    findings
        What makes the comparison look better, or more certain, than it is.
    """

    study: Study
    data: tuple[PlannedData, ...]
    tasks: tuple[Task, ...]
    loaded: dict[str, Dataset] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def plan_study(
    study: Study,
    data_dir: str | os.PathLike[str] | None = None,
    plugins: Plugins | None = None,
    facts: Mapping[str, str] | None = None,
) -> Plan:
    """Find and check all data, and list the tasks.

    Parameters
    ----------
    study
        The study.
    data_dir
        Where its data are; see `data_folders`.
    plugins
        For the versions of the parts.
    facts
        What earlier runs found out about the same files, by `PlannedData.facts_key`; those are not read again.

    Raises
    ------
    DataError
        Listing every file that is missing, damaged or unfit for the protocol.
    """
    paths = located(study.sets, each_data_folder(data_dir, study.path.parent))
    plugins = plugins or installed()
    digests = [(entry, recipe_key(entry.recipe, plugins)) for entry in study.recipes]
    alpha = study.comparison.alpha if len(study.recipes) > 1 else None
    kept, faults = 0, []
    data, tasks, loaded = [], [], dict[str, Dataset]()
    for entry in study.sets:
        entry, protocols = _fitted(entry, study.protocol.of(entry.protocol))
        try:
            planned, dataset = _inspected(entry, paths[entry.name], protocols, alpha, facts or {})
        except NBFrameworkError as error:
            faults.append(str(error) if entry.name in str(error) else f"data set {entry.name}: {error}")
            continue
        data.append(planned)
        kept += planned.path.stat().st_size
        if dataset is not None and kept <= KEPT_BYTES:
            loaded[entry.name] = dataset
        found = json.loads(planned.facts)
        for labelled, digest in digests:
            for protocol, count in zip(protocols, found["folds"], strict=True):
                key = _task_key(planned, digest, protocol)
                tasks.append(Task(planned, labelled.label, labelled.recipe, protocol, count, key, digest))
    if faults:
        raise DataError("\n".join(faults))
    known = [(entry.name, DataFacts(**json.loads(entry.facts)["fairness"])) for entry in data]
    findings = study_findings(study.recipes, known, study.comparison.alpha)
    return Plan(study, tuple(data), tuple(tasks), loaded, tuple(findings))


def recipe_key(recipe: Recipe, plugins: Plugins) -> str:
    """Return the SHA-256 of what a recipe computes and of the versions of the parts that compute it."""
    text = json.dumps([recipe.identity(), providers(recipe, plugins)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def providers(recipe: Recipe, plugins: Plugins) -> dict[str, str]:
    """Return the provider of each part of a recipe by ``kind.name``, with its version, and that of the frame."""
    found = {"nbframework": frame_version()}
    for key in PART_KEYS:
        part = getattr(recipe, key)
        for inner in _with_parameters(part) if part is not None else ():
            found[f"{inner.kind}.{inner.name}"] = plugins.find(inner.kind, inner.name).provider
    return found


@functools.cache
def frame_version() -> str:
    """Return the version of nbframework, or ``unknown`` where it is not installed."""
    try:
        return version("nbframework")
    except PackageNotFoundError:
        return "unknown"


def _with_parameters(part: Part) -> Iterator[Part]:
    yield part
    for parameter in parameters(type(part)):
        value = getattr(part, parameter.name)
        if isinstance(value, Part):
            yield from _with_parameters(value)


def _fitted(
    entry: SuiteSet, protocols: tuple[EvaluationProtocol, ...]
) -> tuple[SuiteSet, tuple[EvaluationProtocol, ...]]:
    """Return a data set with the attribute that its rows are parted by, where it is none of those that are used."""
    attribute = protocols[0].attribute
    if not attribute or not entry.selection.attributes or attribute in entry.selection.attributes:
        return entry, protocols
    return (
        replace(entry, selection=replace(entry.selection, beside=attribute)),
        tuple(replace(protocol, orders_only=protocol.kind == "time-ordered") for protocol in protocols),
    )


def _inspected(
    entry: SuiteSet, path: Path, protocols: Sequence[EvaluationProtocol], alpha: float | None, known: Mapping[str, str]
) -> tuple[PlannedData, Dataset | None]:
    """Return a data set with its facts, and its rows where the file had to be read for them."""
    digest = entry.selection.checksum(checked_hash(entry, path))
    text = json.dumps(
        [FACTS, digest, entry.class_attribute, [vars(protocol) for protocol in protocols], alpha], sort_keys=True
    )
    key = hashlib.sha256(text.encode()).hexdigest()
    dataset = None
    facts = known.get(key)
    if facts is None:
        dataset = entry.selection.of(read_table(path, entry.class_attribute))
        facts = json.dumps(_facts(dataset, protocols, alpha), sort_keys=True, ensure_ascii=False)
    found = json.loads(facts)
    size = found["rows"], found["attributes"], found["classes"]
    return PlannedData(entry.name, path, digest, found["class"], *size, key, facts, entry.selection), dataset


def _facts(dataset: Dataset, protocols: Sequence[EvaluationProtocol], alpha: float | None) -> dict[str, Any]:
    found = {
        "class": dataset.class_attribute.name,
        "rows": len(dataset),
        "attributes": len(protocols[0].seen(dataset).inputs),
        "classes": len(dataset.class_values),
    }
    first = _splits(protocols[0], dataset)
    counts = [_fold_count(protocol, _splits(protocol, dataset)) for protocol in protocols[1:]]
    fairness = asdict(data_facts(dataset, protocols[0], first, alpha))
    return {**found, "folds": [_fold_count(protocols[0], first), *counts], "fairness": fairness}


def _splits(protocol: EvaluationProtocol, dataset: Dataset) -> list[Split] | None:
    """Return the splits of a data set; None of leave-one-out, which are as many as rows."""
    if protocol.kind != "leave-one-out":
        return protocol.splits(dataset)
    if len(dataset) < 2:
        raise DataError(f"leave-one-out needs at least 2 rows, found {len(dataset)}")
    return None


def _fold_count(protocol: EvaluationProtocol, splits: Sequence[Split] | None) -> int:
    if splits is None:
        return 1
    return len({split.repeat for split in splits}) if protocol.kind == BIAS_VARIANCE else len(splits)


def _task_key(data: PlannedData, digest: str, protocol: EvaluationProtocol) -> str:
    decisive: dict[str, Any] = protocol.parameters()
    decisive.pop("repeats", None)
    text = json.dumps([data.sha256, data.class_attribute, digest, decisive], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
