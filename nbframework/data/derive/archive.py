"""Members of archives: zip, tar, and the data of a Debian package."""

import io
import lzma
import tarfile
import zipfile
import zlib

from nbframework.errors import DataError

_AR_MARK = b"!<arch>\n"
_AR_HEADER = 60


def read_member(content: bytes, member: str, source: str) -> bytes:
    """Return one file of an archive.

    Parameters
    ----------
    content
        A zip or tar archive, compressed or not, or a Debian package.
    member
        Its path in the archive; in a Debian package, the path of the installed file without the first slash.
    source
        Name of the archive for messages.

    Raises
    ------
    DataError
        Where the content is no such archive, is damaged, or has no such member.
    """
    try:
        if content.startswith(_AR_MARK):
            return _tar_member(_package_data(content), f"./{member}")
        if content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return archive.read(member)
        return _tar_member(content, member)
    except KeyError:
        raise DataError(f"{source}: holds no {member}") from None
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, ValueError) as error:
        raise DataError(f"{source}: cannot be read as an archive: {error}") from error


def _tar_member(content: bytes, member: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        file = archive.extractfile(member)
        if file is None:
            raise KeyError(member)
        return file.read()


def _package_data(content: bytes) -> bytes:
    """Return data.tar of a package: ar members have a header of 60 bytes, its size at 48, and begin at even places."""
    place = len(_AR_MARK)
    while place + _AR_HEADER <= len(content):
        header = content[place : place + _AR_HEADER]
        size, start = int(header[48:58]), place + _AR_HEADER
        if header.startswith(b"data.tar"):
            return content[start : start + size]
        place = start + size + size % 2
    raise KeyError("data.tar")
