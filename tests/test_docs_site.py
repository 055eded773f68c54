"""The documentation builds without a warning, and no link inside it leads nowhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support.once import once
from support.paths import ROOT

from nbframework.cli.group import VERBS
from nbframework.plugins import installed_sources

DOCS = ROOT / "docs"
pytestmark = once


def own_sources():
    return [source for source in installed_sources() if source.distribution == "nbframework"]


class Page(HTMLParser):
    """The targets and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.links: list[str] = []
        self.navigation: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.targets |= {given[key] for key in ("id", "name") if given.get(key)}
        self.links += [given[key] for key in ("href", "src") if given.get(key)]
        if tag == "a" and "reference internal" in (given.get("class") or ""):
            self.navigation.append(given["href"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the site, which takes some twenty seconds to build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", folder / "trees"]
    done = subprocess.run([*command, DOCS, folder / "html"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def built(folder):
    return {path.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("*.html")}


def test_every_page_can_be_reached_from_the_first_one(built):
    sources = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    listed = {urlsplit(link).path or "index.html" for link in built["index.html"].navigation}
    assert {page for page in sources if not page.startswith("_build/")} - listed - {"index.html"} == set()


def test_every_internal_link_leads_somewhere(built, folder):
    broken = [
        f"{name}: {link}"
        for name, page in built.items()
        for link in page.links
        if not urlsplit(link).scheme and not leads_somewhere(link, name, built, folder)
    ]
    assert broken == []


def leads_somewhere(link, name, built, folder):
    path, fragment = (unquote(part) for part in (urlsplit(link).path, urlsplit(link).fragment))
    target = (folder / name).parent.joinpath(path).resolve() if path else folder / name
    page = built.get(target.relative_to(folder).as_posix())
    return target.is_file() and (not fragment or page is None or fragment in page.targets)


def test_the_site_asks_no_other_host(built):
    asked = {
        link
        for page in built.values()
        for link in page.links
        if urlsplit(link).netloc and link.endswith((".js", ".css", ".woff2", ".svg", ".png"))
    }
    assert asked == set()


def test_the_page_of_a_part_says_what_the_command_says(folder):
    text = " ".join(re.sub(r"<[^>]+>", "", (folder / "reference" / "estimator.html").read_text()).split())
    section = text[text.index("Add f / m to the count of each of the k values") :].partition("References")[0]
    for words in (
        "Equation",
        "f: a number above 0; default 1.0",
        "From Kohavi, Becker & Sommerfield 1997, section 2.4",
    ):
        assert words.replace("&", "&amp;") in section


def test_the_table_has_a_row_for_each_part_with_its_source_and_its_recipes(folder):
    text = (folder / "reference" / "table.html").read_text()
    rows = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr.*?</tr>", text, re.DOTALL)]
    assert "estimator cestnik Cestnik 1990 cestnik-nb" in rows
    assert len(rows) == 1 + sum(source.part is not None for source in own_sources())


def test_every_part_has_its_section_and_every_verb(built):
    parts = [source.part for source in own_sources()]
    missing = [
        f"{kind} {name}"
        for kind, name in filter(None, parts)
        if f"{kind}-{name}" not in built[f"reference/{kind}.html"].targets
    ]
    assert missing == []
    assert [verb for verb in VERBS if f"nbf-{verb}" not in built["reference/commands.html"].targets] == []
