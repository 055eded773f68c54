"""A zip file of one JSON document and plain arrays, read as if a stranger had written it."""

import hashlib
import io
import json
import struct
import tokenize
import uuid
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import DataError, writing

DOCUMENT = "model.json"
LARGEST_DOCUMENT = 64_000_000
LARGEST_ARRAY = 8_000_000_000
MOST_MEMBERS = 10_000
LARGEST_UNASKED = 256_000_000
"""Bytes that a file may unpack to, however small it is."""
MOST_TIMES = 100
"""How many times as large as the file what it unpacks to may be beyond that."""
EPOCH = (1980, 1, 1, 0, 0, 0)
PLAIN_KINDS = "biuf"
"""Booleans, integers and floats: the only types of arrays in a model file."""

Arrays = Mapping[str, NDArray[Any]]


def is_archive(path: Path) -> bool:
    """Return whether there is a zip file of that name, which only a model file is."""
    return path.is_file() and zipfile.is_zipfile(path)


def write_archive(path: Path, document: Mapping[str, Any], arrays: Arrays) -> None:
    """Write document and arrays to a temporary file beside ``path``, then rename it; the same content, the same bytes.

    Parameters
    ----------
    path
        Where the file is to stand.
    document
        Plain data; the checksum of the arrays is added to it.
    arrays
        By name.

    Raises
    ------
    DataError
        Where the file cannot be written.
    """
    encoded = {f"{name}.npy": _encoded(array) for name, array in sorted(arrays.items())}
    checksums = {name: hashlib.sha256(data).hexdigest() for name, data in encoded.items()}
    text = json.dumps({**document, "checksums": checksums}, indent=1, sort_keys=True, allow_nan=False)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    with writing(path):
        try:
            with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in [(DOCUMENT, text.encode()), *encoded.items()]:
                    member = zipfile.ZipInfo(name, EPOCH)
                    member.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(member, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def read_archive(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return document and arrays.

    Parameters
    ----------
    path
        A file of whatever origin.
    kind
        What the document's key ``format`` has to say.

    Raises
    ------
    DataError
        Where the file is no such archive, is damaged, or holds anything but plain data.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member for member in archive.infolist()}
            if DOCUMENT not in members or len(members) > MOST_MEMBERS:
                raise DataError(f"{path}: not a model file of nbframework")
            _check_size(archive, path)
            document = _document(archive, members[DOCUMENT], path, kind)
            return document, _arrays(archive, members, document, path)
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        struct.error,
    ) as error:
        if not zipfile.is_zipfile(path):
            raise DataError(f"{path}: not a model file of nbframework, or cut off") from error
        raise DataError(f"{path}: the model file is damaged ({error})") from error


def _check_size(archive: zipfile.ZipFile, path: Path) -> None:
    """Refuse what would unpack to a size that no model of so few bytes has."""
    size = sum(member.file_size for member in archive.infolist())
    most = max(LARGEST_UNASKED, MOST_TIMES * path.stat().st_size)
    if size > most:
        raise DataError(f"{path}: would unpack to {size} bytes, at most {most} are allowed for a file of its size")


def _document(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, kind: str) -> dict[str, Any]:
    data = _member(archive, member, LARGEST_DOCUMENT, path)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: {DOCUMENT} is no JSON ({error})") from error
    if not isinstance(document, dict) or document.get("format") != kind:
        raise DataError(f"{path}: not a model file of nbframework")
    return document


def _arrays(
    archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], document: Mapping[str, Any], path: Path
) -> dict[str, NDArray[Any]]:
    checksums = document.get("checksums")
    if not isinstance(checksums, dict) or set(checksums) | {DOCUMENT} != set(members):
        raise DataError(f"{path}: the model file is damaged (its members are not those that it lists)")
    arrays = {}
    for name, checksum in checksums.items():
        data = _member(archive, members[name], LARGEST_ARRAY, path)
        if hashlib.sha256(data).hexdigest() != checksum:
            raise DataError(f"{path}: the model file is damaged ({name} does not match its checksum)")
        arrays[name.removesuffix(".npy")] = _decoded(data, name, path)
    return arrays


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, largest: int, path: Path) -> bytes:
    if member.file_size > largest:
        raise DataError(
            f"{path}: {member.filename} would unpack to {member.file_size} bytes, at most {largest} allowed"
        )
    with archive.open(member) as file:
        data = file.read(member.file_size + 1)
    if len(data) != member.file_size:
        raise DataError(f"{path}: the model file is damaged ({member.filename} has another size than it states)")
    return data


def _encoded(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def _decoded(data: bytes, name: str, path: Path) -> NDArray[Any]:
    try:
        array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, TypeError, SyntaxError, MemoryError, OverflowError, tokenize.TokenError) as error:
        raise DataError(f"{path}: {name} is no plain array ({error})") from error
    if array.dtype.kind not in PLAIN_KINDS:
        raise DataError(f"{path}: {name} holds {array.dtype}, expected numbers")
    return np.asarray(array)
