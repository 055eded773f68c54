"""The report of a run as text, in the markup of its form."""

import pytest
from support.made_up_runs import store_run

from nbframework import Recipe
from nbframework.report.run import run_text
from nbframework.study.fairness import Finding
from nbframework.study.results import read_run
from nbframework.study.store import Store


@pytest.fixture
def report(tmp_path):
    """The report, in a form, of a run whose names are full of markup."""
    recipes = [("sbc", Recipe.load("sbc")), ("new_1", Recipe.load("laplace-1"))]
    findings = (Finding("preprocessing", "recipes", "100 % of A&B_c"), Finding("duplicates", "gl_ss&1", "copies"))
    path = store_run(
        tmp_path / "r.db",
        ["gl_ss&1"],
        recipes,
        lambda *_: {"accuracy": 0.5},
        title='100% of A&B_c "x" {y}',
        findings=findings,
    )

    def made(form):
        with Store(path) as store:
            return run_text(read_run(store), form)

    return made


def test_the_title_of_a_latex_report_is_latex(report):
    assert report("latex").startswith(r"100\% of A\&B\_c \symbol{34}x\symbol{34} \{y\}: ")


def test_the_fairness_notes_of_a_latex_report_are_latex(report):
    lines = report("latex").splitlines()
    assert r"fairness: 100 \% of A\&B\_c [preprocessing]" in lines
    assert r"fairness: duplicates: gl\_ss\&1" in lines


def test_the_title_of_a_markdown_report_has_its_markup_escaped(report):
    assert report("markdown").startswith(r'100% of A&B\_c "x" {y}: ')
