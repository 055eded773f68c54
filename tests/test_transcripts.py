"""The console blocks of the pages that teach print what the pages show."""

import os
import shutil

import pytest
from support.once import once
from support.paths import ROOT
from support.transcripts import assert_shown, commands, printed_by, write_files

DOCS = ROOT / "docs"
PAGES = [
    DOCS / "index.md",
    DOCS / "tutorial.md",
    *sorted(DOCS.glob("how-to/*.md")),
    *sorted(DOCS.glob("coming-from-*.md")),
]
needs_weka = pytest.mark.skipif(
    "WEKA_JAR" not in os.environ or not shutil.which("java"),
    reason="needs Java and Weka 3.9, named by WEKA_JAR",
)


def asks_weka(command):
    return '"weka:' in command


@once
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_the_commands_print_what_the_page_shows(path, tmp_path, monkeypatch):
    page = path.read_text(encoding="utf-8")
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command, shown in commands(page):
        if not asks_weka(command):
            assert_shown(shown, printed_by(command))


@once
@needs_weka
def test_weka_gives_the_same_probabilities_as_the_page_says():
    found = [one for one in commands((DOCS / "coming-from-weka.md").read_text()) if asks_weka(one[0])]
    assert found
    for command, shown in found:
        assert_shown(shown, printed_by(command))
