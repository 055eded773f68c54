"""Suites: data sets with their checksums and sources, and the way from a data set to its file."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from nbframework.data.cache import DATA_VARIABLE, cache_folder
from nbframework.data.catalog import bundled_names, bundled_path, name_of_file
from nbframework.data.selection import EVERYTHING, Selection
from nbframework.errors import DataError, RecipeError, did_you_mean
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.recipe.nodes import Faults
from nbframework.recipe.strict_yaml import load_file
from nbframework.study.protocols import read_set_protocol
from nbframework.study.sections import Section
from nbframework.study.source import SetSource, is_checksum, read_source

SUITE_KEYS = ("suite", "title", "cite", "sets")
SELECTION_KEYS = ("attributes", "incomplete_rows")
_SET_KEYS = (
    "name",
    "file",
    "sha256",
    "class",
    "protocol",
    *SELECTION_KEYS,
    "source",
    "derivation",
    "conversion",
    "note",
)
_FOLDERS = {"suite": "suites", "study": "studies", "derivation": "derivations"}


@dataclass(frozen=True)
class SuiteSet:
    """A data set as a suite or a study names it.

    Parameters
    ----------
    name
        What tables call it.
    file
        Name of the file, looked for in the data folders, or a path.
    sha256
        Checksum of the file in hexadecimal, or empty where it is not to be checked.
    class_attribute
        Name of the class, or None for the last attribute.
    protocol
        The published protocol of this data set, or None.
    selection
        The attributes and rows that are used.
    source
        Where the file can be fetched, or None.
    derivation
        Name of the derivation that makes the file of its source, or empty where the source is the file.
    beside
        The folder in which a derivation is looked for, too.
    """

    name: str
    file: str
    sha256: str = ""
    class_attribute: str | None = None
    protocol: EvaluationProtocol | None = None
    selection: Selection = EVERYTHING
    source: SetSource | None = None
    derivation: str = ""
    beside: Path | None = None


@dataclass(frozen=True)
class Suite:
    """A named list of data sets."""

    name: str
    title: str
    cite: str
    sets: tuple[SuiteSet, ...]


def shipped_folder(kind: str) -> Path:
    """Return the folder of the suites, studies or derivations that come with nbframework."""
    return Path(str(files("nbframework.configs"))) / _FOLDERS[kind]


def find_config(kind: str, name: str | os.PathLike[str], beside: Path | None = None) -> Path:
    """Return the file of a suite, study or derivation: an existing path, a file beside another one, or a shipped name.

    Parameters
    ----------
    kind
        suite, study or derivation.
    name
        A path that ends in .yaml or .yml, or a name.
    beside
        A folder that is looked at, too.

    Raises
    ------
    RecipeError
        With the nearest shipped name.
    """
    text = os.fspath(name)
    folder = shipped_folder(kind)
    if text.endswith((".yaml", ".yml")) or os.sep in text:
        candidates = [Path(text), *([beside / text] if beside else [])]
    else:
        candidates = [*([beside / f"{text}.yaml"] if beside else []), folder / f"{text}.yaml"]
    for path in candidates:
        if path.is_file():
            return path
    shipped = sorted(path.stem for path in folder.glob("*.yaml"))
    raise RecipeError(
        f"no {kind} {text!r}{did_you_mean(text, shipped)} (shipped: {', '.join(shipped)}; a file ends in .yaml)"
    )


def load_suite(name: str | os.PathLike[str], beside: Path | None = None) -> Suite:
    """Return a suite by name or file; RecipeError lists every fault in it."""
    path = find_config("suite", name, beside)
    faults = Faults()
    section = Section.of(load_file(path), str(path), (), faults, SUITE_KEYS)
    section.require("suite", "sets")
    sets = []
    for index, node in section.items("sets"):
        inner = Section.of(node, str(path), ("sets", index), faults, _SET_KEYS)
        inner.require("name", "file")
        source, derivation = read_source(inner), inner.text("derivation")
        sets.append(replace(read_set(inner), source=source, derivation=derivation, beside=path.parent))
    check_names(section, "sets", [entry.name for entry in sets])
    faults.raise_if_any()
    return Suite(section.text("suite"), section.text("title"), section.text("cite"), tuple(sets))


def read_set(section: Section) -> SuiteSet:
    """Return the data set that a mapping describes; without a name it has that of its file."""
    sha256 = section.text("sha256").lower()
    if sha256 and not is_checksum(sha256):
        section.fault("sha256", "expected 64 hexadecimal digits")
    file = section.text("file")
    return SuiteSet(
        section.text("name") or name_of_file(file),
        file,
        sha256,
        section.text("class") or None,
        read_set_protocol(section),
        Selection(
            section.texts("attributes"), section.choice("incomplete_rows", ("keep", "remove"), "keep") == "remove"
        ),
    )


def check_names(section: Section, key: str, names: Sequence[str]) -> None:
    """Note names that are given twice."""
    for name in sorted({name for name in names if names.count(name) > 1}):
        section.fault(key, f"the name {name!r} is given to {names.count(name)} of them; names have to differ")


def data_folders(data_dir: str | os.PathLike[str] | None, beside: Path | None) -> list[Path]:
    """Return where data files are looked for.

    That is the given folder, else that of the environment; beside the study; and the folder of fetched data sets.
    """
    return list(each_data_folder(data_dir, beside))


def each_data_folder(data_dir: str | os.PathLike[str] | None, beside: Path | None) -> Iterator[Path]:
    """Yield what `data_folders` returns, the folder of fetched data sets only where it is asked for: to find it costs.

    The first one that is asked for raises DataError where the given folder does not exist.
    """
    named = os.fspath(data_dir) if data_dir is not None else os.environ.get(DATA_VARIABLE, "")
    if data_dir is not None and not Path(named).is_dir():
        raise DataError(f"data folder {named!r} does not exist")
    if named:
        yield Path(named)
    if beside:
        yield beside
    cache = cache_folder()
    if cache is not None and cache.is_dir() and cache != Path(named):
        yield cache


def located(sets: Iterable[SuiteSet], folders: Iterable[Path]) -> dict[str, Path]:
    """Return the file of each data set by name; a bundled data set's name serves for a file, too.

    Folders are drawn one by one, as far as the search has to go.

    Raises
    ------
    DataError
        Once, listing every file that is in none of the folders.
    """
    found: dict[str, Path] = {}
    missing = []
    bundled = bundled_names()
    drawn: list[Path] = []
    further = iter(folders)
    for entry in sets:
        path = _first_file(entry.file, drawn)
        while path is None and (folder := next(further, None)) is not None:
            drawn.append(folder)
            path = _first_file(entry.file, [folder])
        if path is None and entry.file in bundled:
            path = bundled_path(entry.file)
        if path is None:
            missing.append(entry.file)
        else:
            found[entry.name] = path
    if missing:
        hint = did_you_mean(missing[0], bundled) if len(missing) == 1 else ""
        places = ", ".join(str(folder) for folder in drawn) or "no folder was given"
        raise DataError(
            f"{len(missing)} data file{'s' if len(missing) > 1 else ''} not found: {', '.join(missing)} "
            f"(looked in: {places}; name the folder with --data-dir or {DATA_VARIABLE}, "
            f"or fetch data sets of suites with nbf data get){hint}"
        )
    return found


def _first_file(name: str, folders: Iterable[Path]) -> Path | None:
    return next((path for path in (folder / name for folder in folders) if path.is_file()), None)


def checked_hash(entry: SuiteSet, path: Path) -> str:
    """Return the SHA-256 of a data file; DataError naming both checksums where the suite has another one."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if entry.sha256 and digest != entry.sha256:
        raise DataError(
            f"data set {entry.name}: {path} has SHA-256 {digest}, the suite expects {entry.sha256}; "
            "the file was changed or is another version"
        )
    return digest
