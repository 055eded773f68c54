"""The suite and the derivation in docs/data.md."""

import re

import pytest
from support.paths import ROOT

from nbframework.study.derivations import load_derivation
from nbframework.study.suite import load_suite

PAGE = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
GLASS = """@relation Glass
@attribute RI numeric
@attribute Type {'build wind float','build wind non-float','vehic wind float','vehic wind non-float',tableware}
@data
1.510,'vehic wind float'
1.52,tableware
1.53,'build wind non-float'
"""


@pytest.fixture
def example(tmp_path):
    for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        (tmp_path / text.splitlines()[0].removeprefix("# ")).write_text(text)
    return tmp_path


def test_the_suite_loads_and_names_its_source(example):
    (entry,) = load_suite(example / "my-suite.yaml").sets
    (shipped,) = (entry for entry in load_suite("kohavi1997").sets if entry.name == "glass2")
    assert (entry.sha256, entry.source.urls, entry.derivation) == (shipped.sha256, shipped.source.urls, "glass2")


def test_the_derivation_gives_what_the_page_says(example):
    document = load_derivation(example / "window-glass.yaml").derivation.of_files([GLASS.encode()], "glass").decode()
    assert document.endswith("@attribute Type {float,non-float}\n\n@data\n1.510,float\n1.53,non-float\n")


def test_the_page_names_every_step_and_form():
    from nbframework.data.derive.reading import FORMS
    from nbframework.data.derive.steps import STEPS

    assert all(f"`{step}: " in PAGE for step in STEPS)
    assert all(f"`{form}`" in PAGE for form in FORMS)
