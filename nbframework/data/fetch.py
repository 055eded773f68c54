"""Fetching a file: from its address or a mirror of it, judged by its checksum before anything can see it."""

import hashlib
import shutil
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any

from nbframework.errors import DataError, writing

CONNECT_SECONDS, READ_SECONDS = 15, 60
_LISTED = 200


class UnreachableError(DataError):
    """No connection to a host: the other files of that host cannot be had either."""


def mirrored(url: str, mirror: str | None) -> str:
    """Return the address of a file on a mirror, which stands in place of the host.

    Parameters
    ----------
    url
        The public address.
    mirror
        Start of the mirror's addresses, or a local folder; None or empty for no mirror.
    """
    if not mirror:
        return url
    return f"{mirror.rstrip('/')}{urllib.parse.urlsplit(url).path}"


def fetch(url: str, sha256: str = "", mirror: str | None = None) -> bytes:
    """Return the bytes of a file.

    Parameters
    ----------
    url
        The public address, http or https.
    sha256
        Checksum in hexadecimal; empty where it is not known.
    mirror
        As for `mirrored`.

    Raises
    ------
    UnreachableError
        Where there is no connection to the host.
    DataError
        Where pooch is not installed, the host refuses, the connection breaks off, or the checksum differs.
    """
    address = mirrored(url, mirror)
    is_folder = bool(mirror) and "://" not in address
    content = _read(Path(urllib.parse.unquote(address))) if is_folder else _downloaded(address)
    found = hashlib.sha256(content).hexdigest()
    if sha256 and found != sha256:
        raise DataError(
            f"{address}: {len(content):,} bytes with SHA-256 {found} came, expected {sha256}; "
            "the transfer was cut short, or the file is another one"
        )
    return content


def place(content: bytes, path: Path) -> None:
    """Write a file so that it is there as a whole or not at all."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(content)
                file.close()
                temporary.chmod(0o644)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error


def _downloaded(address: str) -> bytes:
    try:
        import pooch
    except ImportError as error:
        raise DataError("fetching data needs pooch: pip install 'nbframework[data]'") from error
    import requests

    download = pooch.HTTPDownloader(timeout=(CONNECT_SECONDS, READ_SECONDS))
    folder = tempfile.mkdtemp(prefix="nbframework-")
    try:
        target = Path(folder) / "file"
        download(address, str(target), None)
        return target.read_bytes()
    except requests.HTTPError as error:
        answer = "with an error" if error.response is None else f"{error.response.status_code} {error.response.reason}"
        raise DataError(f"{address}: the host answers {answer}") from error
    except (requests.RequestException, ValueError) as error:
        kind = UnreachableError if _is_unreachable(error) else DataError
        raise kind(f"{address}: {_reason(error)}") from error
    except OSError as error:
        raise DataError(f"{address}: cannot be stored: {error.strerror or error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_unreachable(error: Exception) -> bool:
    """Whether no connection came about, as opposed to one that broke off."""
    import requests
    from urllib3.exceptions import MaxRetryError, NewConnectionError, ProxyError

    if isinstance(error, requests.exceptions.ConnectTimeout | requests.exceptions.ProxyError):
        return True
    cause: Any = error.args[0] if error.args else None
    return isinstance(cause, MaxRetryError) and isinstance(cause.reason, NewConnectionError | ProxyError)


def _reason(error: Exception) -> str:
    import requests

    if _is_unreachable(error):
        return (
            f"no connection to {urllib.parse.urlsplit(_address_of(error)).netloc or 'the host'} ({_innermost(error)})"
        )
    if isinstance(error, requests.exceptions.Timeout):
        return f"no answer within {READ_SECONDS} seconds"
    if isinstance(error, requests.exceptions.ConnectionError | requests.exceptions.ChunkedEncodingError):
        return f"the connection broke off ({_innermost(error)})"
    return _innermost(error)


def _address_of(error: Exception) -> str:
    request = getattr(error, "request", None)
    return str(getattr(request, "url", "") or "")


def _innermost(error: BaseException) -> str:
    """Return the message of the first cause, which says most and quotes least."""
    while error.__context__ is not None:
        error = error.__context__
    text = str(getattr(error, "strerror", None) or error) or type(error).__name__
    return text if len(text) <= _LISTED else text[: _LISTED - 3] + "..."
