"""The data sets that ship inside the package, and the way from a text to a data file."""

import os
from importlib.resources import files
from pathlib import Path

from nbframework.data.cache import cached_path
from nbframework.errors import DataError, did_you_mean

FORMS = (".arff", ".csv", ".parquet")
"""Endings of the files that are read."""


def bundled_names() -> tuple[str, ...]:
    """Return the sorted names of the bundled data sets."""
    return tuple(sorted(_bundled()))


def bundled_path(name: str) -> Path:
    """Return the file of a bundled data set.

    Parameters
    ----------
    name
        One of `bundled_names`.

    Raises
    ------
    DataError
        Where no bundled data set has that name, with the nearest one.
    """
    bundled = _bundled()
    if name not in bundled:
        raise DataError(f"no bundled data set {name!r}{_choices(name, bundled)}")
    return bundled[name]


def name_of_file(file: str) -> str:
    """Return the name of a data file without its folder and the ending that says its form."""
    name = Path(file).name.removesuffix(".gz")
    ending = next((ending for ending in FORMS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)] or name


def find_dataset(text: str, data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return the file that a text means: an existing file by its path, else a bundled or fetched data set by name.

    Parameters
    ----------
    text
        A path, one of `bundled_names`, or the name of a file in the folder of fetched data sets without ``.arff``.
    data_dir
        A folder that is looked at before the bundled and the fetched data sets, for a file or its name without
        ``.arff``.

    Raises
    ------
    DataError
        Where the folder does not exist, or the text is none of them, with the nearest bundled name.
    """
    # Path.is_file raises on a text that is too long for a file name
    if os.path.isfile(text):
        return Path(text)
    if data_dir is not None:
        if not os.path.isdir(data_dir):
            raise DataError(f"data folder {os.fspath(data_dir)!r} does not exist")
        for name in (text, f"{text}.arff"):
            if text and os.path.isfile(os.path.join(data_dir, name)):
                return Path(data_dir) / name
    bundled = _bundled()
    if text in bundled:
        return bundled[text]
    # only a bare name is looked for among the fetched files, never a path into other folders
    fetched = cached_path(f"{text}.arff") if text and os.path.basename(text) == text else None
    if fetched is not None:
        return fetched
    found = "a folder is there, but no file" if os.path.isdir(text) else "no such file"
    name = _name(os.path.basename(text))
    raise DataError(f"{text!r}: {found} and no bundled data set of that name{_choices(name, bundled)}")


def _name(file_name: str) -> str:
    return file_name.removesuffix(".gz").removesuffix(".arff")


def _bundled() -> dict[str, Path]:
    folder = Path(str(files("nbframework.data"))) / "bundled"
    return {_name(path.name): path for path in folder.iterdir() if path.name.endswith((".arff", ".arff.gz"))}


def _choices(name: str, bundled: dict[str, Path]) -> str:
    return f"{did_you_mean(name, bundled)} (bundled: {', '.join(sorted(bundled))})"
