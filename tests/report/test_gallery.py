"""The gallery shows what the committed command draws, and stays small."""

import re
import runpy

import pytest
from support.paths import ROOT

from nbframework.study.plan import plan_study
from nbframework.study.study import load_study

PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "gallery"


@pytest.fixture(scope="module")
def tool():
    return runpy.run_path(str(ROOT / "tools" / "make_gallery.py"))


def test_the_page_shows_every_picture_that_is_drawn(tool):
    shown = set(re.findall(r"\]\(gallery/([^)]+\.svg)\)", PAGE.read_text(encoding="utf-8")))
    drawn = {name.replace("neighbourhood.", "") + ".svg" for names in tool["PICTURES"].values() for name in names}
    assert shown == drawn == {path.name for path in FOLDER.glob("*.svg")}


def test_every_study_of_the_gallery_can_be_run(tool):
    assert {f"{name}.yaml" for name in tool["PICTURES"]} == {path.name for path in FOLDER.glob("*.yaml")}
    for name in tool["PICTURES"]:
        assert plan_study(load_study(FOLDER / f"{name}.yaml")).tasks


def test_the_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.svg")}
    assert {name: size for name, size in sizes.items() if size > 150_000} == {}
    assert sum(sizes.values()) < 1_000_000
