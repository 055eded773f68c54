"""Draw the pictures of docs/gallery.md from real runs: python tools/make_gallery.py [folder].

Runs the studies in docs/gallery on data that ship with the package, a minute or two, and writes the SVG files beside
them. The same versions give the same files, but for the one that shows how long things took.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from nbframework.report.comparison import run_question
from nbframework.report.figures.chart import Chart
from nbframework.report.figures.files import write_chart
from nbframework.report.run_figures import run_charts
from nbframework.study.plan import plan_study
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.store import Store
from nbframework.study.study import load_study

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"
PICTURES: Mapping[str, tuple[str, ...]] = {
    "comparison": ("error-differences", "critical-differences", "reliability", "time-accuracy"),
    "parts-of-the-error": ("bias-variance",),
    "kappa": ("accuracy-by-neighbourhood.kappa", "accuracy-by-neighbourhood.k"),
}
"""The figures of each study that the gallery shows."""


def charts(study: str) -> Iterator[Chart]:
    """Run a study and yield its figures for the gallery."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.db", write=True) as store:
        run_plan(plan_study(load_study(GALLERY / f"{study}.yaml")), store)
        results = read_run(store)
        found = {chart.name: chart for chart in run_charts(results, run_question(results))}
        yield from (replace(found[name], name=name.replace("neighbourhood.", "")) for name in PICTURES[study])


def main(folder: Path) -> None:
    """Write all pictures into a folder."""
    for study in PICTURES:
        for chart in charts(study):
            write_chart(chart, folder / f"{chart.name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else GALLERY)
