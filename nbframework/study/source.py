"""Where a data set of a suite comes from: public addresses, pinned by commit and checksum."""

import urllib.parse
from dataclasses import dataclass

from nbframework.study.sections import Section

GITHUB = "https://raw.githubusercontent.com"
SOURCE_KEYS = ("repository", "commit", "path", "url", "member", "sha256", "licence")


@dataclass(frozen=True)
class SetSource:
    """The source of a data set.

    Parameters
    ----------
    urls
        Address of each file; the rows of the second one come behind those of the first.
    member
        Path of the file within an archive that the address leads to, or empty.
    sha256
        Checksum of each file in hexadecimal; empty where none is known.
    licence
        As the source states it, or empty.
    """

    urls: tuple[str, ...]
    member: str = ""
    sha256: tuple[str, ...] = ()
    licence: str = ""


def is_checksum(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal."""
    return len(text) == 64 and not set(text.lower()) - set("0123456789abcdef")


def read_source(section: Section) -> SetSource | None:
    """Return the source that a data set names under ``source``, None where it names none."""
    if "source" not in section:
        return None
    source = section.section("source", SOURCE_KEYS)
    urls = source.texts("url")
    if not urls:
        source.require("repository", "commit", "path")
        start = f"{GITHUB}/{source.text('repository')}/{source.text('commit')}"
        urls = tuple(f"{start}/{urllib.parse.quote(path)}" for path in source.texts("path"))
    elif {"repository", "commit", "path"} & set(source.entries):
        source.fault("url", "stands in place of repository, commit and path; give one or the other")
    for url in urls:
        if not url.startswith(("https://", "http://")):
            source.fault("url", f"found {url!r}, expected an address that begins with https://")
    checksums = source.texts("sha256")
    if checksums and (len(checksums) != len(urls) or not all(map(is_checksum, checksums))):
        source.fault("sha256", "expected 64 hexadecimal digits for each file")
    return SetSource(urls, source.text("member"), tuple(text.lower() for text in checksums), source.text("licence"))
