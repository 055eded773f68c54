"""Figures as files: SVG, PNG and CSV, the same bytes for the same numbers."""

import contextlib
import io
import os
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nbframework.errors import DataError, writing
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.style import INK, INK_2, LINE, PAPER, SERIES, SETTINGS
from nbframework.report.formats import as_csv

SUFFIXES = (".svg", ".png", ".csv")
DOTS_PER_INCH = 144
_COLOURS: Mapping[str, str] = {
    INK: "var(--ink)",
    INK_2: "var(--ink-2)",
    LINE: "var(--line)",
    PAPER: "var(--surface)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, start=1)},
}
"""The names by which the style of a page knows the colours of figures."""
_TAG = re.compile(r"<[^>]*>")
"""What is inside is ours; what is between may be a name."""
_REFERENCE = re.compile(r'(url\(|href=")#([^")]+)')
_LINES = 'style="stroke-linejoin: round; stroke-linecap: butt"'
_TITLE_WIDTH = 76
_FONTS = "'DejaVu Sans', Verdana, Arial, sans-serif"


def svg(chart: Chart) -> str:
    """Return a figure with its title on light ground, as an SVG file.

    Raises
    ------
    DataError
        Where matplotlib is not installed.
    """
    return _TAG.sub(lambda tag: tag[0].replace("'DejaVu Sans'", _FONTS), _svg(chart, titled=True))


def inline_svg(chart: Chart) -> str:
    """Return a figure without its title, as an element for a page: no ground, colours by the names of the page's style.

    Raises
    ------
    DataError
        Where matplotlib is not installed.
    """
    text = _svg(chart, titled=False)
    text = text[text.index("<svg ") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, count=1, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    # a style element would be that of the whole page
    text = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", text, count=1, flags=re.DOTALL)
    text = _TAG.sub(lambda tag: _for_pages(tag[0]), _own_ids(text, chart.name))
    # what it shows is told by the caption and the table of its numbers
    return text.replace("<svg ", f'<svg aria-hidden="true" focusable="false" {_LINES} ', 1).strip()


def png(chart: Chart) -> bytes:
    """Return a figure with its title on light ground, as a PNG file of `DOTS_PER_INCH`.

    Raises
    ------
    DataError
        Where matplotlib is not installed.
    """
    buffer = io.BytesIO()
    with _style():
        metadata = {"Software": None, "Title": chart.title}
        _titled(chart).savefig(buffer, format="png", dpi=DOTS_PER_INCH, facecolor=PAPER, metadata=metadata)
    return buffer.getvalue()


def write_chart(chart: Chart, path: str | os.PathLike[str]) -> None:
    """Write a figure, or its numbers, as the suffix of the file says.

    Raises
    ------
    DataError
        On another suffix than those of `SUFFIXES`, where matplotlib is not installed, or the file cannot be written.
    """
    target = Path(path)
    suffix = checked_suffix(target)
    if suffix == ".png":
        content = png(chart)
    else:
        content = (svg(chart) if suffix == ".svg" else as_csv(chart.numbers()) + "\n").encode()
    with writing(path):
        target.write_bytes(content)


def checked_suffix(path: Path) -> str:
    """Return the suffix of a file that a figure is to be written to."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"{path}: a figure is written as {', '.join(SUFFIXES)}, found {suffix or 'no suffix'!r}")
    return suffix


def write_charts(charts: Sequence[Chart], folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write every figure as SVG and PNG and its numbers as CSV into a folder, which is made where it is missing.

    Raises
    ------
    DataError
        Where matplotlib is not installed, or something cannot be written.
    """
    target = Path(folder)
    with writing(folder):
        target.mkdir(parents=True, exist_ok=True)
    paths = tuple(target / f"{chart.name}{suffix}" for chart in charts for suffix in SUFFIXES)
    for path, chart in zip(paths, [chart for chart in charts for _ in SUFFIXES], strict=True):
        write_chart(chart, path)
    return paths


def _svg(chart: Chart, titled: bool) -> str:
    buffer = io.StringIO()
    with _style():
        figure = _titled(chart) if titled else chart.draw()
        facecolor = PAPER if titled else "none"
        figure.savefig(buffer, format="svg", facecolor=facecolor, metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _titled(chart: Chart) -> Any:
    """Draw a figure and put its title above it."""
    figure = chart.draw()
    lines = textwrap.wrap(chart.title, _TITLE_WIDTH) or [""]
    width, height = figure.get_size_inches()
    taller = height + 0.12 + 0.2 * len(lines)
    bounds = figure.subplotpars
    figure.subplots_adjust(top=bounds.top * height / taller, bottom=bounds.bottom * height / taller)
    figure.set_size_inches(width, taller)
    # anchors are shares of the height, too
    for legend in figure.legends:
        x, y, *_ = legend.get_bbox_to_anchor().transformed(figure.transFigure.inverted()).bounds
        legend.set_bbox_to_anchor((x, y * height / taller), figure.transFigure)
    place = (0.1 / width, 1 - 0.1 / taller)
    figure.text(*place, "\n".join(lines), ha="left", va="top", fontsize=11, fontweight="bold")
    return figure


@contextlib.contextmanager
def _style() -> Iterator[None]:
    """Draw in the style of this package, whatever the user's own settings are."""
    try:
        import matplotlib
    except ImportError as error:
        raise DataError("a figure needs matplotlib: pip install 'nbframework[report]'") from error
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        settings: Any = SETTINGS
        matplotlib.rcParams.update(settings)
        # a PNG shows a box for a letter that the font lacks, in an SVG the reader's own fonts have it
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _for_pages(tag: str) -> str:
    """Return a tag with the colours and the font of a page."""
    for colour, name in _COLOURS.items():
        tag = re.sub(rf"(?<=[ \"]){colour}\b", name, tag)
    return tag.replace("'DejaVu Sans'", "inherit")


def _own_ids(text: str, name: str) -> str:
    """Keep the identifiers that are referred to, and make them the figure's own among those of other figures."""
    tags = "".join(_TAG.findall(text))
    used = {found[2] for found in _REFERENCE.finditer(tags)}

    def changed(tag: re.Match[str]) -> str:
        mine = re.sub(r' id="([^"]*)"', lambda f: f' id="{name}-{f[1]}"' if f[1] in used else "", tag[0])
        return _REFERENCE.sub(lambda f: f"{f[1]}#{name}-{f[2]}", mine)

    return _TAG.sub(changed, text)
