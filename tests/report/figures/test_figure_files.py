"""Figures as files: the same bytes again, hostile names, wrong suffixes, a library that is missing."""

import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from nbframework.errors import DataError
from nbframework.evaluation.reliability import reliability
from nbframework.report.figures.bias_variance import BiasVarianceStacks
from nbframework.report.figures.critical_differences import CriticalDifferences
from nbframework.report.figures.curves import Curves
from nbframework.report.figures.error_differences import ErrorDifferences
from nbframework.report.figures.files import inline_svg, png, svg, write_chart, write_charts
from nbframework.report.figures.reliability import ReliabilityDiagram
from nbframework.report.figures.time_score import TimeAgainstScore

HOSTILE = '<b>$x_1$</b> "é" &amp; url(#a)'
ERRORS = np.array([[0.25, 0.5], [0.125, 0.0]])
CHARTS = (
    ErrorDifferences(
        name="differences",
        title=HOSTILE,
        datasets=("zoo", HOSTILE),
        methods=("new", "_old"),
        baseline="sbc",
        errors=ERRORS,
        baseline_errors=np.array([0.25, 0.0]),
    ),
    BiasVarianceStacks(
        name="stacks",
        title=HOSTILE,
        datasets=("zoo", HOSTILE),
        methods=("a", "b"),
        error=ERRORS,
        bias=ERRORS / 2,
        variance=ERRORS / 2,
    ),
    Curves(
        name="curves",
        title=HOSTILE,
        x_title="k",
        y_title="score",
        values=(1.0, 2.0, 50.0),
        lines=(("a", (0.5, None, 0.75)), (HOSTILE, (0.5, 0.5, 0.5))),
    ),
    CriticalDifferences(
        name="ranks",
        title=HOSTILE,
        methods=("a", HOSTILE, "c"),
        ranks=(1.0, 2.0, 3.0),
        critical_difference=1.5,
        alpha=0.05,
        datasets=9,
    ),
    ReliabilityDiagram(
        name="reliability",
        title=HOSTILE,
        methods=((HOSTILE, reliability(np.array([0.5, 0.9]), np.array([True, False]))),),
    ),
    TimeAgainstScore(
        name="time",
        title=HOSTILE,
        methods=("a", HOSTILE),
        seconds=(0.01, 1.0),
        scores=(0.5, 0.75),
        y_title="score",
        higher_is_better=True,
        in_percent=True,
        datasets=2,
    ),
)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_the_same_numbers_give_the_same_bytes_whatever_the_users_settings(chart):
    import matplotlib

    first = svg(chart)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path", "text.usetex": True}):
        assert svg(chart) == first


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
@pytest.mark.parametrize("draw", [svg, inline_svg])
def test_names_are_text_and_nothing_else(chart, draw):
    root = ElementTree.fromstring(draw(chart))  # noqa: S314  # our own
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"b", "script", "image", "foreignObject"}
    if draw is svg:
        assert HOSTILE in {element.text for element in root.iter()}


def test_a_png_is_a_png():
    assert png(CHARTS[3]).startswith(b"\x89PNG")


def test_two_figures_on_a_page_share_no_identifier():
    def identifiers(chart):
        return {e.get("id") for e in ElementTree.fromstring(inline_svg(chart)).iter() if e.get("id")}  # noqa: S314

    found = [identifiers(chart) for chart in CHARTS]
    assert all(found)
    assert sum(map(len, found)) == len(set.union(*found))


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_a_figure_on_a_page_has_the_colours_of_the_page_and_no_style_of_its_own(chart):
    text = inline_svg(chart)
    assert "var(--ink)" in text
    assert "<style" not in text
    assert not [word for word in ("#1b222c", "#0072b2", "#ffffff") if word in text]


def test_every_figure_is_written_three_times(tmp_path):
    write_charts(CHARTS[3:4], tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["ranks.csv", "ranks.png", "ranks.svg"]
    assert (tmp_path / "new" / "ranks.csv").read_text().splitlines()[1] == "a,1.0,1,1.5"


@pytest.mark.parametrize(("name", "found"), [("x.pdf", "'.pdf'"), ("x", "'no suffix'")])
def test_another_suffix_is_refused(tmp_path, name, found):
    with pytest.raises(DataError, match=rf"a figure is written as \.svg, \.png, \.csv, found {found}"):
        write_chart(CHARTS[3], tmp_path / name)


def test_a_missing_library_is_an_error_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(DataError, match=r"a figure needs matplotlib: pip install 'nbframework\[report\]'"):
        svg(CHARTS[3])


def test_numbers_need_no_library(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    write_chart(CHARTS[3], tmp_path / "x.csv")
    assert (tmp_path / "x.csv").is_file()
