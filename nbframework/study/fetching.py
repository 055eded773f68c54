"""Getting the data sets of suites: what is there, what is fetched, what fails and why."""

import hashlib
import os
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nbframework.data.cache import DATA_VARIABLE, cache_folder
from nbframework.data.derive.archive import read_member
from nbframework.data.fetch import UnreachableError, fetch, place
from nbframework.errors import DataError, did_you_mean
from nbframework.study.derivations import LoadedDerivation, load_derivation
from nbframework.study.source import SetSource
from nbframework.study.suite import SuiteSet, load_suite, shipped_folder

MIRROR_VARIABLE = "NBFRAMEWORK_MIRROR"
State = Literal["there", "fetched", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What became of one data set.

    Parameters
    ----------
    entry
        The data set.
    path
        Its file in the folder.
    state
        Whether it was there, has been fetched or has failed.
    reason
        Of a failure.
    """

    entry: SuiteSet
    path: Path
    state: State
    reason: str = ""


def target_folder(data_dir: str | os.PathLike[str] | None) -> Path:
    """Return the folder that data sets are put into; DataError where there is none."""
    folder = Path(data_dir) if data_dir is not None else cache_folder()
    if folder is None:
        raise DataError(
            f"no folder for data sets: name one with --data-dir or {DATA_VARIABLE}, "
            "or install pooch for the system's cache: pip install 'nbframework[data]'"
        )
    return folder


def chosen_sets(names: Sequence[str]) -> list[SuiteSet]:
    """Return the data sets that some names mean, each file once.

    Parameters
    ----------
    names
        Suites, by name or file, or single data sets of the shipped suites, by file name without ``.arff`` or by the
        name that a suite gives them. None: all shipped suites.

    Raises
    ------
    DataError
        Where a name is neither, with the nearest one, or means two files.
    """
    shipped = sorted(path.stem for path in shipped_folder("suite").glob("*.yaml"))
    known = [entry for suite in shipped for entry in load_suite(suite).sets]
    found: dict[str, SuiteSet] = {}
    for name in names or shipped:
        if name in shipped or name.endswith((".yaml", ".yml")):
            sets: Sequence[SuiteSet] = load_suite(name).sets
        else:
            sets = [_single(name, known, shipped)]
        for entry in sets:
            other = found.setdefault(entry.file, entry)
            if other.sha256 != entry.sha256:
                raise DataError(f"two suites name {entry.file} with different checksums; get them into two folders")
    sourced = {(entry.file, entry.sha256): entry for entry in known if entry.source or entry.derivation}
    return [_with_source(entry, sourced) for entry in found.values()]


def _with_source(entry: SuiteSet, sourced: Mapping[tuple[str, str], SuiteSet]) -> SuiteSet:
    """Return the data set with the source that another suite names for the same file, where its own names none."""
    same = sourced.get((entry.file, entry.sha256))
    if entry.source or entry.derivation or same is None:
        return entry
    return replace(entry, source=same.source, derivation=same.derivation, beside=same.beside)


def _single(name: str, known: Sequence[SuiteSet], suites: Sequence[str]) -> SuiteSet:
    by_file = {_stem(entry): entry for entry in known}
    if name in by_file:
        return by_file[name]
    named = {entry.file: entry for entry in known if entry.name == name}
    if len(named) == 1:
        return next(iter(named.values()))
    if named:
        raise DataError(
            f"{name!r} means {len(named)} data sets: {', '.join(map(_stem, named.values()))}; name the file"
        )
    names = sorted({*by_file, *(entry.name for entry in known), *suites})
    raise DataError(f"no suite or data set {name!r}{did_you_mean(name, names)} (suites: {', '.join(suites)})")


def _stem(entry: SuiteSet) -> str:
    return entry.file.removesuffix(".gz").removesuffix(".arff")


def get_sets(
    sets: Sequence[SuiteSet],
    folder: Path,
    mirror: str | None = None,
    anew: bool = False,
    report: Callable[[str, int, int], None] | None = None,
) -> list[Outcome]:
    """Put data sets into a folder; one that fails does not stop the others.

    Parameters
    ----------
    sets
        What to get.
    folder
        Where the files belong; it is made where it is absent.
    mirror
        As for `nbframework.data.fetch.mirrored`; None: that of the environment.
    anew
        Whether a file with another checksum is fetched anew. Else it counts as failed and stays as it is.
    report
        Told the name, the number done and the number of all, before each of them.
    """
    mirror = os.environ.get(MIRROR_VARIABLE) if mirror is None else mirror
    outcomes: list[Outcome] = []
    unreachable: dict[str, str] = {}
    for done, entry in enumerate(sets):
        if report is not None:
            report(entry.name, done, len(sets))
        path = folder / entry.file
        try:
            if Path(entry.file).name != entry.file:
                raise DataError(f"found the file {entry.file!r}, expected the name of a file in the folder")
            if is_there(entry, path, anew):
                outcomes.append(Outcome(entry, path, "there"))
                continue
            place(_content(entry, mirror, unreachable), path)
            outcomes.append(Outcome(entry, path, "fetched"))
        except DataError as error:
            outcomes.append(Outcome(entry, path, "failed", str(error)))
    return outcomes


def is_there(entry: SuiteSet, path: Path, anew: bool = False) -> bool:
    """Whether the file of a data set is there, with its checksum.

    Raises
    ------
    DataError
        Where it is there with another checksum, and ``anew`` is false.
    """
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    if not entry.sha256 or found == entry.sha256:
        return True
    if anew:
        return False
    raise DataError(
        f"{path} has SHA-256 {found}, the suite expects {entry.sha256}; the file is damaged or another version: "
        "--replace fetches it anew"
    )


def _content(entry: SuiteSet, mirror: str | None, unreachable: dict[str, str]) -> bytes:
    """Return the bytes of a data set's file; DataError unless they have the checksum of the suite."""
    derivation = load_derivation(entry.derivation, entry.beside) if entry.derivation else None
    if derivation is not None and derivation.generator is not None:
        return _judged(derivation.generated(), entry, "what was generated")
    if entry.source is None:
        raise DataError(f"the suite names no source; put {entry.file} into a folder and name it with --data-dir")
    files = [_file(entry.source, index, mirror, unreachable) for index in range(len(entry.source.urls))]
    return _judged(_derived(entry, derivation, files, entry.source), entry, f"what came of {entry.source.urls[0]}")


def _derived(entry: SuiteSet, derivation: LoadedDerivation | None, files: list[bytes], source: SetSource) -> bytes:
    if derivation is not None:
        return derivation.derivation.of_files(files, source.urls[0])
    if len(files) != 1:
        raise DataError(f"{entry.name} comes from {len(files)} files, but the suite names no derivation")
    return files[0]


def _file(source: SetSource, index: int, mirror: str | None, unreachable: dict[str, str]) -> bytes:
    url = source.urls[index]
    host = mirror or urllib.parse.urlsplit(url).netloc
    if host in unreachable:
        raise DataError(f"{url}: not tried, {unreachable[host]}")
    try:
        content = fetch(url, source.sha256[index] if source.sha256 else "", mirror)
    except UnreachableError as error:
        unreachable[host] = f"since there was no connection to {host}"
        raise DataError(
            f"{error}; offline, fetch {url} elsewhere (--mirror takes its place), "
            "or name a folder that holds the data set with --data-dir"
        ) from error
    return read_member(content, source.member, url) if source.member else content


def _judged(content: bytes, entry: SuiteSet, what: str) -> bytes:
    found = hashlib.sha256(content).hexdigest()
    if entry.sha256 and found != entry.sha256:
        raise DataError(
            f"{what} has {len(content):,} bytes with SHA-256 {found}, the suite expects {entry.sha256}; "
            "the transfer was cut short, or the source has changed"
        )
    return content
