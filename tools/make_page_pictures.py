"""Photograph the pages that docs/gallery.md shows: python tools/make_page_pictures.py [folder].

Writes the evidence page of one row and the page of the gallery's comparison as PNG files; needs Chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""Programs that are Chromium, by their names on various systems."""
GALLERY = Path(__file__).parents[1] / "docs" / "gallery"
SIZE = 1100, 1000
"""Width and height in pixels."""


def nbf(*arguments: str) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "nbframework", *arguments], check=True)


def photograph(page: Path, picture: Path) -> None:
    """Write the top of a page as a picture.

    Raises SystemExit where there is no Chromium.
    """
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        raise SystemExit(f"no browser: none of {', '.join(NAMES)} is installed")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--window-size={SIZE[0]},{SIZE[1]}", f"--screenshot={picture.resolve()}"]
    subprocess.run([program, *options, page.resolve().as_uri()], check=True, capture_output=True)


def main(folder: Path) -> None:
    """Write both pictures into a folder."""
    with tempfile.TemporaryDirectory() as made:
        evidence, results, report = (Path(made) / name for name in ("evidence.html", "results.db", "report.html"))
        nbf("explain", "sbc", "iris", "--row", "71", "--page", str(evidence))
        photograph(evidence, folder / "evidence-page.png")
        nbf("run", str(GALLERY / "comparison.yaml"), "--store", str(results))
        nbf("report", str(results), "--html", str(report))
        photograph(report, folder / "report-page.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else GALLERY)
